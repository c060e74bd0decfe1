"""Operations on several datasets: zip, concat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run


def known_counts(datasets: Sequence[Dataset]) -> list[int] | None:
    """Numbers of rows of datasets; None if one is not known."""
    counts = [dataset.row_count() for dataset in datasets]
    known = [count for count in counts if count is not None]
    return known if len(known) == len(counts) else None


@method("zip")
class ZipDataset(Dataset):
    """Rows side by side; the shortest dataset ends them.

    Args:
        datasets: Two or more, whose columns have different names.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"a": [1, 2]}, shuffle=False).zip(dataset.NumpySlicesDataset({"b": [3]}))
        >>> [(a.item(), b.item()) for a, b in data.create_tuple_iterator(output_numpy=True)]
        [(1, 3)]
    """

    def __init__(self, datasets: Sequence[Dataset]):
        check.instance("zip", "datasets", datasets, (tuple, list))
        for dataset in datasets:
            check.instance("zip", "datasets", dataset, Dataset)
        if len(datasets) < 2:
            raise check.fail(ValueError, "zip", "datasets", "two datasets or more", len(datasets))
        super().__init__(list(datasets))

    def column_names(self) -> list[str]:
        names = [name for child in self.children for name in child.column_names()]
        if len(set(names)) < len(names):
            raise PipelineError(
                f"For 'zip', the columns of the datasets must have different names, but got {names}. "
                "Use 'rename' first."
            )
        return names

    def row_count(self) -> int | None:
        counts = known_counts(self.children)
        return None if counts is None else min(counts)

    def num_classes(self) -> int | None:
        return None

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        self.column_names()
        readers = _readers(self.children, run)
        start = 0
        while True:
            count = min(reader.available() for reader in readers)
            if not count:
                return
            yield RowBlock(
                start,
                count,
                [column for reader in readers for column in reader.take(count).columns],
            )
            start += count


class _Rows:
    """Blocks of one of several datasets, taken in the lengths that fit the others."""

    def __init__(self, blocks: Iterator[RowBlock]):
        self._blocks = blocks
        self._block: RowBlock | None = None

    def available(self) -> int:
        while self._block is None or not self._block.count:
            self._block = next(self._blocks, None)
            if self._block is None:
                return 0
        return self._block.count

    def take(self, count: int) -> RowBlock:
        block = self._block or RowBlock(0, 0, [])
        self._block = block.part(count, block.count) if count < block.count else None
        return block.part(0, count) if count < block.count else block


def _readers(datasets: Sequence[Dataset], run: Run) -> list[_Rows]:
    return [_Rows(child.blocks(run.child(i))) for i, child in enumerate(datasets)]


@method("concat")
class ConcatDataset(Dataset):
    """The rows of one dataset after those of another.

    Args:
        datasets: Datasets with the same columns.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1], shuffle=False) + dataset.NumpySlicesDataset([2], shuffle=False)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [1, 2]
    """

    def __init__(self, datasets: Sequence[Dataset]):
        for dataset in datasets:
            check.instance("concat", "datasets", dataset, Dataset)
        super().__init__(list(datasets))
        self._sampler: Any = None
        self._mixes = False

    def column_names(self) -> list[str]:
        first = self.children[0].column_names()
        for child in self.children[1:]:
            if child.column_names() != first:
                raise PipelineError(
                    f"For 'concat', the datasets must have the same columns, but got {first} and "
                    f"{child.column_names()}."
                )
        return first

    def _sizes(self) -> list[int]:
        return [child.get_dataset_size() for child in self.children]

    def row_count(self) -> int | None:
        if self._sampler is not None:
            return len(range(self._sampler.shard_id, sum(self._sizes()), self._sampler.num_shards))
        counts = known_counts(self.children)
        return None if counts is None else sum(counts)

    def use_sampler(self, sampler: Any) -> None:
        """Share the rows out with a DistributedSampler that does not shuffle, or mix the datasets with a RandomSampler.

        Each row is in one share. Mixed, the datasets take random turns, each in its own order.
        """
        from mindspore.dataset.sampler_random import RandomSampler
        from mindspore.dataset.samplers import (
            DistributedSampler,  # siblings; only this method needs them
        )

        check.instance("use_sampler", "sampler", sampler, (DistributedSampler, RandomSampler))
        mixes = isinstance(sampler, RandomSampler)
        if sampler.own_samples() is not None or (sampler.replacement if mixes else sampler.is_shuffled()):
            raise ValueError(
                "For 'use_sampler', the 'sampler' of joined datasets must be a DistributedSampler that does not "
                "shuffle or a RandomSampler without 'replacement', and have no 'num_samples'. Use 'shuffle' and "
                "'take' after 'concat' instead."
            )
        self._sampler, self._mixes = (None if mixes else sampler), mixes

    def is_shuffled(self) -> bool:
        return self._mixes or super().is_shuffled()

    def is_sharded(self) -> bool:
        return self._sampler is not None or super().is_sharded()

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        self.column_names()
        rows = self._mixed(run) if self._mixes else self._all(run)
        return rows if self._sampler is None else self._shared(rows)

    def _all(self, run: Run) -> Iterator[RowBlock]:
        start = 0
        first: list[Any] | None = None
        for i, child in enumerate(self.children):
            rows = 0
            for block in child.blocks(run.child(i)):
                if not rows and block.count:
                    kinds = [(row.dtype.kind, row.dtype, row.ndim) for row in block.row(0)]
                    first = first or kinds
                    self._check_kinds(first, kinds)
                yield RowBlock(start + block.start, block.count, block.columns)
                rows += block.count
            start += rows

    @staticmethod
    def _check_kinds(first: list[Any], kinds: list[Any]) -> None:
        """Refuse rows whose arrays differ in type or number of axes from those of the first dataset."""
        for (letter, dtype, axes), (other, found, count) in zip(first, kinds, strict=True):
            if axes != count or letter != other or (letter not in "US" and dtype != found):
                raise PipelineError(
                    "For 'concat', the columns must have the same types and numbers of axes, but got "
                    f"{dtype} with {axes} and {found} with {count}."
                )

    def _shared(self, blocks: Iterator[RowBlock]) -> Iterator[RowBlock]:
        """The rows of one share: each row is in one of them, so that some have one row less."""
        seen = start = 0
        for block in blocks:
            first = (self._sampler.shard_id - seen) % self._sampler.num_shards
            chosen = list(range(first, block.count, self._sampler.num_shards))
            if chosen:
                yield RowBlock(start, len(chosen), block.chosen(chosen).columns)
            seen, start = seen + block.count, start + len(chosen)

    def _mixed(self, run: Run) -> Iterator[RowBlock]:
        """The rows of the datasets in random turns."""
        counts = known_counts(self.children)
        if counts is None:
            raise PipelineError("For 'concat', datasets that a RandomSampler mixes must know their numbers of rows.")
        turns = run.order().permutation(np.repeat(np.arange(len(counts)), counts))
        readers = _readers(self.children, run)
        ends = np.append(np.flatnonzero(np.diff(turns)) + 1, len(turns)) if len(turns) else []
        start = 0
        kinds: dict[int, list[Any]] = {}
        for end in ends:
            while start < end:
                reader = readers[turns[start]]
                block = reader.take(min(end - start, reader.available()))
                if not block.count:
                    return
                if turns[start] not in kinds:
                    found = kinds[turns[start]] = [(row.dtype.kind, row.dtype, row.ndim) for row in block.row(0)]
                    self._check_kinds(next(iter(kinds.values())), found)
                yield RowBlock(start, block.count, block.columns)
                start += block.count
