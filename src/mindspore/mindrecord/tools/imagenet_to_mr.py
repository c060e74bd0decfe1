"""ImageNet to MindRecord."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from mindspore.core.errors import show
from mindspore.core.plain_files import regular
from mindspore.formats.mindrecord.errors import PathNotExistsError
from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import (
    Converter,
    check_partitions,
    check_path,
    naming,
    telling,
    write,
)

__all__ = ["ImageNetToMR"]

SCHEMA = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
_LABEL = re.compile(r"-?[0-9]{1,18}")
IMAGES = (".jpeg", ".jpg")


class ImageNetToMR(Converter):
    """Writes images that lie in one folder per class.

    Args:
        map_file: File with a line for each class: name of its folder, label, and whatever follows.
        image_dir: Folder of these folders; those that the map does not name are left out.
        destination: Path to write.
        partition_number: Number of files.

    Raises:
        ParamValueError: A path is no str or empty.
        ValueError: `partition_number` is no int.
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1):
        self.map_file = check_path("ImageNetToMR", map_file)
        self.image_dir = check_path("ImageNetToMR", image_dir)
        self.destination = check_path("ImageNetToMR", destination)
        self.partition_number = check_partitions(partition_number)

    def transform(self) -> MSRStatus:
        """Convert all images.

        Raises:
            FileNotFoundError: The map is missing.
            PathNotExistsError: None of the folders of the map is there.
            ValueError: A line of the map has no label.
        """
        labels = {name: label for name, label in self._labels() if self._is_there(name)}
        if not labels:
            raise PathNotExistsError(f"not valid image dir in {self.image_dir}")
        fields = ["label", "file_name"]
        rows = self._rows(labels)
        with naming(self.map_file):
            return write(
                self.destination, SCHEMA, "imagenet_schema", fields, rows, self.partition_number
            )

    def _labels(self) -> Iterator[tuple[str, int]]:
        if not os.path.isfile(self.map_file):
            raise FileNotFoundError(f"The map file '{self.map_file}' does not exist.")
        with telling(self.map_file), open(self.map_file, encoding="utf-8", opener=regular) as file:
            for number, line in enumerate(file, 1):
                words = line.split()
                if not words:
                    continue
                if len(words) < 2 or not _LABEL.fullmatch(words[1]):
                    raise ValueError(
                        f"Line {number} of '{self.map_file}' must have the name of a folder and a label, but is "
                        f"{show(line.rstrip())}."
                    )
                yield words[0], int(words[1])

    def _is_there(self, name: str) -> bool:
        return os.path.isdir(os.path.join(self.image_dir, name))

    def _rows(self, labels: dict[str, int]) -> Iterator[dict[str, Any]]:
        for folder, label in labels.items():
            for name in sorted(os.listdir(os.path.join(self.image_dir, folder))):
                if name.lower().endswith(IMAGES):
                    path = os.path.join(self.image_dir, folder, name)
                    with telling(path), open(path, "rb", opener=regular) as file:
                        yield {"label": label, "image": file.read(), "file_name": path}
