"""USPS handwritten digits: sparse vectors in text files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.samplers import Shuffle
from mindspore.dataset.sources.files import FilesDataset, Row


class USPSDataset(FilesDataset):
    """USPS (Hull 1994) in the format of LIBSVM. Columns: `image` uint8 (16, 16, 1), `label` uint32.

    Args:
        dataset_dir: Folder of `usps` (7,291 images for training) and `usps.t` (2,007 for testing).
        usage: 'train', 'test' or 'all' (default).
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: As for TextFileDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        self.dataset_dir = check.folder(self, "dataset_dir", dataset_dir)
        usage = "all" if usage is None else check.string(self, "usage", usage)
        self.usage = check.option(self, "usage", usage, ["train", "test", "all"])
        names = {"train": ["usps"], "test": ["usps.t"], "all": ["usps", "usps.t"]}[self.usage]
        files = [os.path.join(self.dataset_dir, name) for name in names]
        for path in files:
            if not os.path.isfile(path):
                raise PipelineError(f"For 'USPSDataset', the file '{path}' does not exist.")
        super().__init__(
            files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache
        )

    def column_names(self) -> list[str]:
        return ["image", "label"]

    def read(self, path: str) -> Iterator[Row]:
        with open(path, encoding="ascii", errors="replace") as stream:
            for number, line in enumerate(stream, 1):
                yield self._row(line.split(), path, number)

    def _row(self, fields: list[str], path: str, number: int) -> Row:
        """A line: the class from 1, then 'index:value' with values from -1 to 1."""
        try:
            label = int(fields[0])
            pairs = [field.split(":") for field in fields[1:]]
            values = np.array([value for _, value in pairs], np.float32)
            complete = [int(index) for index, _ in pairs] == list(range(1, 257))
        except (ValueError, IndexError):
            label, values, complete = 0, np.zeros(0, np.float32), False
        if not (complete and 1 <= label <= 10 and np.abs(values).max() <= 1):
            raise PipelineError(
                f"For 'USPSDataset', line {number} of '{path}' must have a class from 1 to 10 and 256 values "
                "from -1 to 1, but is damaged."
            )
        image = ((values.astype(np.float64) + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
        return [image, np.array(label - 1, np.uint32)]
