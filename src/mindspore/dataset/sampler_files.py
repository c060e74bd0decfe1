"""The order of rows that respects the files in which they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.sampler_base import BuiltinSampler, Shuffle

WINDOW = 1_000_000  # rows among which Shuffle.PARTIAL mixes
MANY = 100_000_000  # rows from which on Shuffle.ADAPTIVE is PARTIAL


class FileOrder(BuiltinSampler):
    """Rows in an order that respects files.

    Args:
        level: How they are shuffled.
        counts: Gives the number of rows of each file.
        num_samples: Most rows to give.
        common: Whether the order is the same in all processes of a distributed training.
    """

    def __init__(
        self,
        level: Shuffle,
        counts: Callable[[], list[int]],
        num_samples: int | None,
        common: bool,
    ):
        super().__init__(num_samples)
        self.level, self.counts, self.common = level, counts, common

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        if self.level is Shuffle.ADAPTIVE and rows < MANY:
            return rng.permutation(rows)
        ends = np.cumsum(self.counts())
        if ends[-1] != rows:
            raise PipelineError(
                f"For 'RandomSampler', {self.level} needs all {ends[-1]} rows of the files, but a child sampler or "
                f"'split' leaves {rows}."
            )
        files = [np.arange(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
        if self.level is Shuffle.INFILE:
            return np.concatenate([rng.permutation(file) for file in files])
        order = np.concatenate([files[i] for i in rng.permutation(len(files))])
        if self.level is Shuffle.FILES:
            return order
        windows = np.split(order, range(WINDOW, rows, WINDOW))
        return np.concatenate([rng.permutation(window) for window in windows])

    def stream(self, run: Run) -> np.random.Generator:
        return run.common_order() if self.common else run.order()

    def count(self, rows: int, labels: Any = None) -> int:
        return rows if self.num_samples is None else min(rows, self.num_samples)

    def is_shuffled(self) -> bool:
        return True
