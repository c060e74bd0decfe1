"""Samplers whose row numbers Python code gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.sampler_base import BuiltinSampler


class Sampler(BuiltinSampler):
    """Base of samplers written in Python: a subclass defines `__iter__`, which gives row numbers.

    Args:
        num_samples: Most rows to give; None or 0: all.

    Attributes:
        dataset_size: Number of rows of the source, set before `__iter__` is called.

    Raises:
        TypeError, PipelineError: If `num_samples` is no int, or negative; PipelineError while rows are read: what
            `__iter__` gives is no number of a row.

    Examples:
        >>> class Backwards(dataset.Sampler):
        ...     def __iter__(self):
        ...         return iter(range(self.dataset_size - 1, -1, -1))
        >>> data = dataset.NumpySlicesDataset([10, 11, 12], sampler=Backwards())
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [12, 11, 10]
    """

    def __init__(self, num_samples: int | None = None):
        super().__init__(num_samples)
        self.dataset_size = 0

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(
            f"For '{type(self).__name__}', '__iter__' must be defined; it gives row numbers."
        )

    def reset(self) -> None:
        """Called before each pass."""

    def choose(self, rows: int, rng: np.random.Generator, labels: Any) -> np.ndarray:
        self.dataset_size = rows
        self.reset()
        return drawn(self, self.num_samples)


class IterSampler(Sampler):
    """Row numbers of any iterable, such as a list or a sampler of another library.

    Args:
        sampler: What gives the numbers.
        num_samples: Most rows to give; None or 0: all.

    Raises:
        InputError: If `sampler` is no iterable.
        TypeError, PipelineError: If `num_samples` is no int, or negative.

    Examples:
        >>> data = dataset.NumpySlicesDataset([10, 11, 12], sampler=dataset.IterSampler([2, 0]))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [12, 10]
    """

    def __init__(self, sampler: Any, num_samples: int | None = None):
        super().__init__(num_samples)
        if not hasattr(sampler, "__iter__") and not hasattr(sampler, "__getitem__"):
            raise check.fail(InputError, self, "sampler", "an iterable of row numbers", sampler)
        self.sampler = sampler

    def own_samples(self) -> int | None:
        length = len(self.sampler) if hasattr(self.sampler, "__len__") else None
        return length if self._stated is None else self._stated

    def __iter__(self) -> Iterator[int]:
        return iter(self.sampler)


def drawn(sampler: Any, most: int | None) -> np.ndarray:
    """The first `most` row numbers that a Python sampler gives."""
    numbers: list[int] = []
    for index in sampler:
        if most is not None and len(numbers) >= most:
            break
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
            index = np.asarray(index).item() if np.size(index) == 1 else index
            if not isinstance(index, int):
                raise check.fail(PipelineError, sampler, "__iter__", "giving ints", index)
        numbers.append(int(index))
    return np.array(numbers, np.int64)
