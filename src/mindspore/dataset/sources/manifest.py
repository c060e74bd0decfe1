"""Images that a manifest lists."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.core.json_text import parsed
from mindspore.core.plain_files import regular
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.listed import Files, ListedDataset, images, inside


class ManifestDataset(
    ListedDataset,
    takes="dataset_file, usage='train', num_samples=None, num_parallel_workers=None, shuffle=None, "
    "sampler=None, class_indexing=None, decode=False, num_shards=None, shard_id=None, cache=None",
):
    """Images that a manifest of ModelArts lists. Columns: `image`, `label` int32, a vector for several labels.

    Args:
        dataset_file: File with one JSON object a line: `source`, `usage` and `annotation`, a list of {`name`: label}.
            Files that are no images are left out. Images must be in the folder of the manifest or below it
            (`config.set_outside_files` allows others); relative paths begin at the current folder.
        usage: 'train', 'eval' or 'inference'.
        class_indexing: Labels by name, others are left out; default: numbered in the order of the names.

    Examples:
        >>> import json
        >>> folder = Path(tempfile.mkdtemp())
        >>> vision.write_jpeg(str(folder / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> line = {"source": str(folder / "1.jpg"), "usage": "train", "annotation": [{"name": "cat"}]}
        >>> _ = (folder / "list.manifest").write_text(json.dumps(line))
        >>> data = dataset.ManifestDataset(str(folder / "list.manifest"), decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    dataset_file: str

    def verify(self) -> None:
        if self.usage not in ("train", "eval", "inference"):
            raise PipelineError(
                "For 'ManifestDataset', the 'usage' must be one of ['train', 'eval', 'inference'], "
                f"but got {self.usage!r}."
            )

    def find(self) -> list[Column | Files]:
        rows = [self._row(line, i + 1) for i, line in enumerate(self.lines(self.dataset_file))]
        rows = [row for row in rows if row is not None]
        names = sorted({name for _, labels in rows for name in labels})
        self.classes = self.class_indexing or {name: i for i, name in enumerate(names)}
        known = [
            (path, [self.classes[n] for n in labels if n in self.classes]) for path, labels in rows
        ]
        known = [(path, labels) for path, labels in known if labels]
        labels = [
            np.array(labels if len(labels) > 1 else labels[0], np.int32) for _, labels in known
        ]
        return [images(path for path, _ in known), labels]

    def _row(self, line: str, number: int) -> tuple[str, list[str]] | None:
        """Path and names of the labels of a line; None if it is not wanted."""
        place = f"line {number} of the manifest"
        try:
            entry = parsed(line)
        except ValueError as error:
            raise self.error(f"{place} must be a JSON object: {error}") from None
        if not isinstance(entry, dict):
            raise self.error(f"{place} must be a JSON object, but is {entry!r}")
        for key in ("source", "usage", "annotation"):
            if key not in entry:
                raise self.error(f"{place} must have '{key}'")
        notes = entry["annotation"]
        if not isinstance(notes, list) or not all(isinstance(n, dict) and "name" in n for n in notes):
            raise self.error(f"every label in {place} must have a 'name'")
        labels = [note["name"] for note in notes]
        for key, values in (("source", [entry["source"]]), ("usage", [entry["usage"]]), ("name", labels)):
            if not all(isinstance(value, str) for value in values):
                raise self.error(f"'{key}' must be text in {place}, but is {values!r}")
        path = inside(self, os.path.dirname(self.dataset_file), os.path.abspath(entry["source"]))
        if entry["usage"].lower() != self.usage or not self._is_image(path):
            return None
        return path, labels

    def _is_image(self, path: str) -> bool:
        (present,) = self.present([path])
        with open(present, "rb", opener=regular) as stream:
            start = stream.read(4)
        if not start:
            raise self.error(f"the file '{path}' must be an image, but is empty")
        return start.startswith((b"\xff\xd8", b"\x89PNG", b"BM", b"GIF", b"II*", b"MM\0*", b"RIFF"))

    def labels(self) -> Any:
        return self.found[1]
