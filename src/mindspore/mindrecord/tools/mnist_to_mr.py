"""MNIST to MindRecord."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.core.plain_files import regular
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import (
    Converter,
    check_partitions,
    check_path,
    jpeg,
    telling,
    write,
)

__all__ = ["MnistToMR"]

SCHEMA = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
PAGE = 2**26


class MnistToMR(Converter):
    """Writes MNIST as `<destination>_train.mindrecord` and `<destination>_test.mindrecord`; images are JPEG.

    Args:
        source: Folder of the four compressed files of the original publication, such as train-images-idx3-ubyte.gz.
        destination: Beginning of the paths to write.
        partition_number: Number of files of each set.

    Raises:
        ParamValueError: A path is no str or empty.
        ValueError: `partition_number` is no int.
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1):
        self.source = check_path("MnistToMR", source)
        self.destination = check_path("MnistToMR", destination)
        self.partition_number = check_partitions(partition_number)

    def transform(self) -> MSRStatus:
        """Convert both sets.

        Raises:
            FileNotFoundError: A file is missing.
            MindRecordFileError: A file is another one.
        """
        parts = {"train": "train", "test": "t10k"}
        rows = {part: self._rows(prefix) for part, prefix in parts.items()}
        for part, found in rows.items():
            path = f"{self.destination}_{part}.mindrecord"
            write(path, SCHEMA, "mnist_schema", ["label"], found, self.partition_number, PAGE)
        return MSRStatus.SUCCESS

    def _rows(self, prefix: str) -> Iterator[dict[str, Any]]:
        images = _read(os.path.join(self.source, f"{prefix}-images-idx3-ubyte.gz"), 3)
        labels = _read(os.path.join(self.source, f"{prefix}-labels-idx1-ubyte.gz"), 1)
        if len(images) != len(labels):
            log.warning(
                "The '%s' files in '%s' have %d images and %d labels; the surplus is left out.",
                prefix,
                self.source,
                len(images),
                len(labels),
            )
        return ({"label": int(n), "data": jpeg(i)} for i, n in zip(images, labels, strict=False))


def _read(path: str, axes: int) -> np.ndarray:
    """The array of a compressed IDX file: magic number, lengths of the axes (big endian), bytes.

    As many items as the file says and has: the compression has a checksum of its own, so it is not cut off.
    """
    with telling(path), open(path, "rb", opener=regular) as packed, gzip.open(packed) as file:
        content = np.frombuffer(file.read(), np.uint8)
    head = content[: 4 + 4 * axes]
    if len(head) < 4 + 4 * axes or head[:4].view(">u4")[0] != 0x800 + axes:
        raise MindRecordFileError(f"The file '{path}' is no IDX file of bytes with {axes} axes.")
    items, *shape = head[4:].view(">u4").tolist()
    size = int(np.prod(shape))
    items = min(items, (len(content) - len(head)) // size)
    return content[len(head) : len(head) + items * size].reshape(items, *shape)
