"""Sharing the rows of a dataset out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset import config
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.rows import ShuffleDataset
from mindspore.dataset.sources.mappable import MappableDataset

NEAR = 1e-5  # how far the sum of fractions may be from 1


class _FixedOrder(Dataset):
    """A dataset whose rows come in the same order in every pass of every iterator, so that its parts stay apart."""

    def __init__(self, input_dataset: Dataset, seed: int):
        super().__init__(input_dataset)
        self._seed = seed

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.children[0].blocks(run.with_fixed_order(self._seed).child())


@method("split")
def split(dataset: Dataset, sizes: list, randomize: bool = True) -> list[Dataset]:
    """One dataset for each of `sizes`, numbers of rows or fractions of 1, together all rows.

    Rows drawn at random are drawn once: later passes and the other parts see the same division, and the order of rows
    below does not change any more. Use `shuffle` on a part.
    """
    check.boolean("split", "randomize", randomize)
    counts = _counts(sizes, dataset.get_dataset_size())
    begins = np.cumsum([0, *counts[:-1]]).tolist()
    if isinstance(dataset, MappableDataset) and dataset.is_by_number():
        rows = dataset.divisible_rows()
        if randomize:
            rows = np.random.default_rng(config.run_seed()).permutation(rows)
        return [
            dataset.part(rows[begin : begin + count])
            for begin, count in zip(begins, counts, strict=True)
        ]
    if randomize:
        dataset = ShuffleDataset(dataset, max(2, sum(counts)))
    dataset = _FixedOrder(dataset, config.run_seed())
    return [
        (dataset.skip(begin) if begin else dataset).take(count)
        for begin, count in zip(begins, counts, strict=True)
    ]


def _counts(sizes: list, rows: int) -> list[int]:
    """Numbers of rows of the parts."""
    check.instance("split", "sizes", sizes, list)
    if not sizes:
        raise check.fail(ValueError, "split", "sizes", "not empty", sizes)
    if all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        counts = [check.integer("split", "sizes", size, 1, check.INT32_MAX) for size in sizes]
        if sum(counts) != rows:
            raise PipelineError(
                f"For 'split', the 'sizes' must add up to the number of rows, {rows}, "
                f"but got {sizes}."
            )
        return counts
    for size in sizes:
        if not isinstance(size, float):
            raise check.fail(ValueError, "split", "sizes", "all ints or all floats", sizes)
        check.floating("split", "sizes", size, 0.0, 1.0, open_low=True)
    if abs(sum(sizes) - 1) >= NEAR:
        raise check.fail(ValueError, "split", "sizes", "fractions that add up to 1", sizes)
    counts = [round(size * rows) for size in sizes]
    some = min(counts) > 0
    _adjust(counts, rows)
    if not some or sum(counts) != rows:
        raise PipelineError(
            f"For 'split', each part must get a row, but {sizes} of {rows} rows are {counts}."
        )
    return counts


def _adjust(counts: list[int], rows: int) -> None:
    """Take rounding errors from, or give them to, the first part that can bear them."""
    difference = sum(counts) - rows
    for i, count in enumerate(counts):
        if count > difference:
            counts[i] -= difference
            return
