"""Columns of equal arrays that lie in files one after the other, read when they are first wanted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from mindspore.dataset.execution import memory


class Stacks:
    """A column whose rows lie in several arrays, which may be files mapped into memory.

    Args:
        parts: The arrays, contiguous, with equal shapes of their rows.
        change: Makes of a stack of rows what the column has, of the same dtype; called once for each row, and only
            when that is wanted, so that the first rows do not wait for all of them.
    """

    def __init__(
        self,
        parts: Sequence[np.ndarray],
        change: Callable[[np.ndarray], np.ndarray] | None = None,
    ):
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))
        self._change = change
        example = parts[0][:1] if change is None else change(parts[0][:1])
        self.dtype, self.shape = example.dtype, (self._ends[-1], *example.shape[1:])
        if change is not None:
            self._made = np.empty(self.shape, self.dtype)  # pages that are not written cost nothing
            self._known = np.zeros(len(self), np.bool_)

    def __len__(self) -> int:
        return self._ends[-1]

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self._parts)

    def gathered(self, numbers: np.ndarray) -> np.ndarray:
        """The rows with these numbers, as an array of their own."""
        if self._change is None:
            return self._stored(numbers)
        missing = numbers[~self._known[numbers]]
        if len(missing):  # two threads may do the same row: both write the same
            self._made[missing] = self._change(self._stored(missing))
            self._known[missing] = True
        return memory.gathered(self._made, numbers)

    def _stored(self, numbers: np.ndarray) -> np.ndarray:
        if len(self._parts) == 1:
            return memory.gathered(self._parts[0], numbers)
        rows = memory.empty((len(numbers), *self._parts[0].shape[1:]), self.dtype)
        begin = 0
        for part, end in zip(self._parts, self._ends, strict=True):
            here = (numbers >= begin) & (numbers < end)
            rows[here] = part[numbers[here] - begin]
            begin = end
        return rows
