"""CIFAR-10 and CIFAR-100 (Krizhevsky 2009) in their binary layout."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.memory import gathered
from mindspore.dataset.sources.mappable import MappableDataset

IMAGE = 3 * 32 * 32


class _CifarDataset(MappableDataset):
    """Files of records: label bytes, then the three planes of an image."""

    anywhere = True
    _label_names: tuple[str, ...] = ("label",)
    _files: dict[str, tuple[str, ...]] = {}

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(
            num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache
        )
        self.dataset_dir = check.folder(self, "dataset_dir", dataset_dir)
        usage = "all" if usage is None else check.string(self, "usage", usage)
        self.usage = check.option(self, "usage", usage, list(self._files))
        self._data: tuple[np.ndarray, np.ndarray] | None = None

    def column_names(self) -> list[str]:
        return ["image", *self._label_names]

    def size(self) -> int:
        return len(self._load()[0])

    def row_bytes(self) -> int:
        return IMAGE

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        images, labels = self._load()
        return [gathered(images, numbers), *(labels[numbers, i] for i in range(labels.shape[1]))]

    def labels(self) -> np.ndarray:
        return self._load()[1][:, -1]

    def _load(self) -> tuple[np.ndarray, np.ndarray]:
        if self._data is None:
            present = [
                name
                for name in self._files[self.usage]
                if os.path.isfile(os.path.join(self.dataset_dir, name))
            ]
            if not present:
                raise PipelineError(
                    f"For '{type(self).__name__}', the folder '{self.dataset_dir}' must contain the files "
                    f"of usage '{self.usage}' in the binary version: {', '.join(self._files[self.usage])}."
                )
            records = np.concatenate([self._read(name) for name in present])
            count = len(self._label_names)
            planes = records[:, count:].reshape(-1, 3, 32, 32)
            self._data = (
                np.ascontiguousarray(planes.transpose(0, 2, 3, 1)),
                records[:, :count].astype(np.uint32),
            )
        return self._data

    def _read(self, name: str) -> np.ndarray:
        content = np.fromfile(os.path.join(self.dataset_dir, name), np.uint8)
        length = len(self._label_names) + IMAGE
        if not len(content) or len(content) % length:
            raise PipelineError(
                f"For '{type(self).__name__}', the file '{os.path.join(self.dataset_dir, name)}' must be "
                f"made of records of {length} bytes, but has {len(content)} bytes: it is damaged."
            )
        return content.reshape(-1, length)


_TRAIN = tuple(f"data_batch_{i}.bin" for i in range(1, 7))


class Cifar10Dataset(_CifarDataset):
    """CIFAR-10. Columns: `image` uint8 (32, 32, 3), `label` uint32.

    Args:
        dataset_dir: Folder of `data_batch_1.bin`, ... and `test_batch.bin`.
        usage: 'train', 'test' or 'all' (default).
        num_parallel_workers: Accepted; the files are read at once.
        sampler, shuffle, num_samples, num_shards, shard_id: Which rows, in which order; default: all, shuffled.
        cache: Not supported.
    """

    _files = {"train": _TRAIN, "test": ("test_batch.bin",), "all": (*_TRAIN, "test_batch.bin")}


class Cifar100Dataset(_CifarDataset):
    """CIFAR-100. Columns: `image` uint8 (32, 32, 3), `coarse_label` uint32, `fine_label` uint32.

    Args:
        dataset_dir: Folder of `train.bin` and `test.bin`.
        usage, num_parallel_workers, sampler, shuffle, num_samples, num_shards, shard_id, cache: As for Cifar10Dataset.
    """

    _label_names = ("coarse_label", "fine_label")
    _files = {"train": ("train.bin",), "test": ("test.bin",), "all": ("train.bin", "test.bin")}
