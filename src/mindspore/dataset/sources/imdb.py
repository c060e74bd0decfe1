"""Reviews of films."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.mappable import MappableDataset

_LABELS = {"pos": 1, "neg": 0}


class IMDBDataset(MappableDataset):
    """Reviews of films and whether they are friendly (Maas et al. 2011). Columns: `text`, `label` (int32).

    Args:
        dataset_dir: The folder, with folders `train/pos`, `train/neg`, `test/pos`, `test/neg` of text files.
        usage: 'train', 'test' or 'all', the default.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: Which rows, in which order; default:
            all, shuffled.
    """

    threads_help = True

    def __init__(
        self,
        dataset_dir: Any,
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
        if usage is not None:
            check.option(
                self, "usage", check.string(self, "usage", usage), ["train", "test", "all"]
            )
        self.usage = usage or "all"
        self._listed: tuple[list[str], np.ndarray] | None = None

    def column_names(self) -> list[str]:
        return ["text", "label"]

    def size(self) -> int:
        return len(self._list()[0])

    def labels(self) -> np.ndarray:
        return self._list()[1]

    def num_classes(self) -> int:
        return len(_LABELS)

    def get_class_indexing(self) -> dict[str, int]:
        return {"neg": 0, "pos": 1}

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        paths, labels = self._list()
        return [[self._text(paths[i]) for i in numbers.tolist()], labels[numbers]]

    def _text(self, path: str) -> np.ndarray:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                return np.array(file.read())
        except (OSError, UnicodeDecodeError) as error:
            raise PipelineError(f"For 'IMDBDataset', '{path}' cannot be read: {error}.") from None

    def _list(self) -> tuple[list[str], np.ndarray]:
        """Paths and labels; looked up once."""
        if self._listed is None:
            usages = ("train", "test") if self.usage == "all" else (self.usage,)
            found = [
                (path, label)
                for usage in usages
                for name, label in _LABELS.items()
                for path in self._texts(os.path.join(self.dataset_dir, usage, name))
            ]
            if not found:
                raise PipelineError(
                    f"For 'IMDBDataset', the folder '{self.dataset_dir}' has no texts for the usage '{self.usage}'."
                )
            self._listed = (
                [path for path, _ in found],
                np.array([label for _, label in found], np.int32),
            )
        return self._listed

    def _texts(self, folder: str) -> list[str]:
        if not os.path.isdir(folder):
            raise PipelineError(f"For 'IMDBDataset', the folder '{folder}' does not exist.")
        return sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".txt"))
