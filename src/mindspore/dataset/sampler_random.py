"""Samplers that draw rows at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sampler_base import BuiltinSampler, Shuffle


class RandomSampler(BuiltinSampler):
    """Rows in random order; with `replacement` drawn anew each time.

    Args:
        replacement: Whether a row may come again before all have come.
        num_samples: Most rows to give; None or 0: all.
        shuffle: Shuffle.GLOBAL, all rows are mixed. MindDataset, which gets this sampler as `sampler` or by
            `use_sampler`, takes the other orders of its argument `shuffle`, too.

    Raises:
        TypeError: If `replacement` is no bool, `num_samples` no int, or `shuffle` no Shuffle that mixes rows.
        PipelineError: If `num_samples` is negative; while rows are read: the source cannot shuffle in this way.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12, 13], sampler=dataset.RandomSampler())
        >>> sorted(x.item() for (x,) in data.create_tuple_iterator(output_numpy=True))
        [10, 11, 12, 13]
        >>> dataset.NumpySlicesDataset([10, 11], sampler=dataset.RandomSampler(True, 5)).get_dataset_size()
        5
    """

    def __init__(
        self,
        replacement: bool = False,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
    ):
        self.replacement = check.boolean(self, "replacement", replacement)
        self.shuffle = check.instance(self, "shuffle", shuffle, Shuffle)
        if shuffle is Shuffle.FALSE:
            raise check.fail(TypeError, self, "shuffle", "an order that mixes rows", shuffle)
        super().__init__(num_samples)
        self.deterministic = False

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        if self.shuffle is not Shuffle.GLOBAL:
            raise PipelineError(
                f"For 'RandomSampler', the 'shuffle' must be Shuffle.GLOBAL, but got {self.shuffle}. Others are for "
                "a sampler of MindDataset that is no other's child."
            )
        if self.replacement:
            return rng.integers(rows, size=self.num_samples or rows)
        return rng.permutation(rows)

    def is_shuffled(self) -> bool:
        return True


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn with probabilities in proportion to `weights`.

    Args:
        weights: A list of numbers, one for each row from the first on, none negative; further rows are not drawn.
        num_samples: How many rows to draw; None or 0: as many as there are weights.
        replacement: Whether a row may be drawn again. Without, rows of weight 0 come after all others.

    Raises:
        TypeError: If an argument has another type.
        PipelineError: If a weight is negative or none is positive; while rows are read: there are fewer than weights.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12], sampler=dataset.WeightedRandomSampler([0, 0.5, 0], 4))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [11, 11, 11, 11]
    """

    def __init__(self, weights: Any, num_samples: int | None = None, replacement: bool = True):
        check.instance(self, "weights", weights, list)
        for weight in weights:
            check.number(self, "weights", weight)
        check.boolean(self, "replacement", replacement)
        super().__init__(num_samples)
        self.weights, self.replacement = np.array(weights, np.float64), replacement
        if not len(weights) or (self.weights < 0).any() or not self.weights.sum() > 0:
            raise PipelineError(
                "For 'WeightedRandomSampler', the 'weights' must not be empty or negative, and one must "
                "be positive."
            )

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        if len(self.weights) > rows:
            raise PipelineError(
                f"For 'WeightedRandomSampler', there must not be more 'weights' than rows, {rows}, but there "
                f"are {len(self.weights)}."
            )
        count = self.num_samples or len(self.weights)
        if self.replacement:
            return rng.choice(len(self.weights), count, p=self.weights / self.weights.sum())
        with np.errstate(divide="ignore"):  # rows of weight 0 come last
            waiting = rng.exponential(size=len(self.weights)) / self.weights
        return np.argsort(waiting)[:count]  # Efraimidis and Spirakis 2006

    def is_shuffled(self) -> bool:
        return True
