"""Handwritten digits and sets in the same format: IDX files of images and labels."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.memory import gathered
from mindspore.dataset.sources.mappable import MappableDataset


class MnistDataset(MappableDataset):
    """MNIST from the four IDX files of the original publication (LeCun et al. 1998), not compressed.

    Columns: `image` uint8 (28, 28, 1), `label` uint32.

    Args:
        dataset_dir: Folder of the files, such as `train-images-idx3-ubyte`.
        usage: 'train' (60,000 images), 'test' (10,000) or 'all' (default).
        num_parallel_workers: Accepted; the files are read at once.
        sampler, shuffle, num_samples, num_shards, shard_id: Which rows, in which order; default: all, shuffled.
        cache: Not supported.
    """

    anywhere = True
    _parts = {"train": ["train"], "test": ["t10k"], "all": ["train", "t10k"]}

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
        self.usage = check.option(self, "usage", usage, list(self._parts))
        self._data: tuple[np.ndarray, np.ndarray] | None = None

    def column_names(self) -> list[str]:
        return ["image", "label"]

    def size(self) -> int:
        return len(self._load()[1])

    def row_bytes(self) -> int:
        return 28 * 28

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        images, labels = self._load()
        return [gathered(images, numbers), labels[numbers]]

    def labels(self) -> np.ndarray:
        return self._load()[1]

    def _load(self) -> tuple[np.ndarray, np.ndarray]:
        if self._data is None:
            parts = [
                self._read_part(prefix)
                for prefix in self._parts[self.usage]
                if self._present(prefix)
            ]
            if not parts:
                raise PipelineError(
                    f"For '{type(self).__name__}', the folder '{self.dataset_dir}' must contain the files "
                    f"of usage '{self.usage}', such as "
                    f"'{self._parts[self.usage][0]}-images-idx3-ubyte' (not compressed)."
                )
            images, labels = zip(*parts, strict=True)
            self._data = np.concatenate(images), np.concatenate(labels)
        return self._data

    def _present(self, prefix: str) -> bool:
        return os.path.isfile(os.path.join(self.dataset_dir, f"{prefix}-images-idx3-ubyte"))

    def _read_part(self, prefix: str) -> tuple[np.ndarray, np.ndarray]:
        images = read_idx(os.path.join(self.dataset_dir, f"{prefix}-images-idx3-ubyte"), 3)
        labels = read_idx(os.path.join(self.dataset_dir, f"{prefix}-labels-idx1-ubyte"), 1)
        if len(images) != len(labels):
            raise PipelineError(
                f"For '{type(self).__name__}', the '{prefix}' files in '{self.dataset_dir}' must have as "
                f"many labels as images, but have {len(labels)} and {len(images)}."
            )
        return images[..., None], labels.astype(np.uint32)


def read_idx(path: str, axes: int) -> np.ndarray:
    """The uint8 array of an IDX file: magic number, lengths of the axes (big endian), bytes."""
    try:
        content = np.fromfile(path, np.uint8)
    except OSError as error:
        raise PipelineError(f"The file '{path}' cannot be read: {error.strerror}.") from None
    header = content[: 4 + 4 * axes].view(">u4") if len(content) >= 4 + 4 * axes else [0]
    if header[0] != 0x800 + axes:
        raise PipelineError(
            f"The file '{path}' must be an IDX file of unsigned bytes with {axes} axes, but it begins "
            f"with {content[:4].tobytes()!r}. A compressed file must be unpacked first."
        )
    shape = [int(length) for length in header[1:]]
    body = content[4 + 4 * axes :]
    if len(body) != np.prod(shape):
        raise PipelineError(
            f"The file '{path}' must have {np.prod(shape)} bytes after its header, as it says, but has "
            f"{len(body)}: it is damaged."
        )
    return body.reshape(shape)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST (Xiao et al. 2017): images of clothes in the format of MNIST."""


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST (Clanuwat et al. 2018): cursive Japanese in the format of MNIST."""
