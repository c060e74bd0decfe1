"""Sources of rows; those that can give any row by its number are read through samplers."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._given import signature_of
from mindspore.dataset.block import Column, RowBlock
from mindspore.dataset.cache import CachedStep
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.sampler_base import INT64_MAX, BuiltinSampler, Shuffle
from mindspore.dataset.samplers import (
    RandomSampler,
    SequentialSampler,
    check_shards,
    select_sampler,
)
from mindspore.dataset.sources.shared_arguments import BY_NUMBER, IN_TURN, completed


class SourceDataset(Dataset):
    """A leaf of the tree.

    Args:
        num_parallel_workers: Threads of this step; None: the number in `config`.
        num_samples: Most rows to give.
        shuffle: False; True or Shuffle.GLOBAL: files and rows; Shuffle.FILES: only the order of the files.
        num_shards, shard_id: Give only one of several shares.
        cache: Keeps the rows for later passes; only where rows have numbers.

    Examples:
        >>> issubclass(dataset.TextFileDataset, dataset.SourceDataset)
        True
    """

    num_shards: Any
    shard_id: Any
    levels: tuple[Shuffle, ...] = (Shuffle.FILES,)  # of shuffling, besides all and none
    shared_arguments = IN_TURN  # what they mean

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__ and cls.__module__.startswith(__package__ or "") and not cls.__name__.startswith("_"):
            cls.__doc__ = completed(cls.__doc__, list(signature_of(cls).parameters), cls.shared_arguments)

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        num_samples: int | None = None,
        shuffle: Any = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(None, num_parallel_workers, cache)
        if cache is not None and not isinstance(self, MappableDataset):
            raise NotImplementedError(
                f"For '{type(self).__name__}', the 'cache' is not supported: its rows have no numbers. Write "
                "them to MindRecord files with 'save' and use MindDataset instead."
            )
        self.num_samples = (
            check.optional(check.integer, self, "num_samples", num_samples, 0, INT64_MAX) or None
        )
        if isinstance(shuffle, bool) or shuffle is None:
            shuffle = Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL
        check.instance(self, "shuffle", shuffle, Shuffle)
        self.shuffle_level = check.option(
            self, "shuffle", shuffle, [Shuffle.FALSE, Shuffle.GLOBAL, *self.levels]
        )
        check_shards(num_shards, shard_id)
        self.num_shards, self.shard_id = num_shards, shard_id

    def is_shuffled(self) -> bool:
        return self.shuffle_level is not Shuffle.FALSE

    def is_sharded(self) -> bool:
        return self.num_shards is not None

    def row_count(self) -> int | None:
        return None

    def column_names(self) -> list[str]:
        raise NotImplementedError(f"For '{type(self).__name__}', 'column_names' is not defined.")


class MappableDataset(SourceDataset):
    """A source that gives rows by number, in the order of a sampler.

    A subclass defines `size`, `column_names` and `fetch`.

    Examples:
        >>> class Squares(dataset.MappableDataset):
        ...     def size(self):
        ...         return 4
        ...     def column_names(self):
        ...         return ["square"]
        ...     def fetch(self, numbers):
        ...         return [numbers**2]
        >>> [row["square"].item() for row in Squares(sampler=[3, 1]).create_dict_iterator(output_numpy=True)]
        [9, 1]
    """

    rows_at_once = 256  # most rows in a block
    threads_help = False  # whether `fetch` waits for files or frees the interpreter
    calls_program = False  # whether `fetch` calls functions of the program
    anywhere = False  # whether `fetch` may be called by any thread or process, several at a time
    shared_arguments = BY_NUMBER

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        sampler: Any = None,
        num_samples: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_parallel_workers, cache=cache)
        self.sampler: BuiltinSampler = select_sampler(
            num_samples, sampler, shuffle, num_shards, shard_id
        )
        self._division: np.ndarray | None = None  # numbers of the rows of this part, after `split`

    def is_by_number(self) -> bool:
        """Whether any row can be read by its number."""
        return True

    def size(self) -> int:
        """Number of rows that there are."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'size' is not defined.")

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        """The columns of the rows with these numbers."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'fetch' is not defined.")

    def row_bytes(self) -> int:
        """Bytes of a row, about."""
        return 2**14

    def labels(self) -> Any:
        """The class of every row, an array, or a list of arrays where a row has several; None without classes."""
        return None

    def row_count(self) -> int | None:
        return self.sampler.count(self._rows_before_sampler(), self.labels)

    def _rows_before_sampler(self) -> int:
        return self.size() if self._division is None else len(self._division)

    def numbers(self, run: Run) -> np.ndarray:
        """Numbers of the rows of a pass, in their order."""
        chosen = self.sampler.indices(self._rows_before_sampler(), run, self.labels)
        return chosen if self._division is None else self._division[chosen]

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.blocks_after(run, 0)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        workers = workers_of(self.num_parallel_workers) if self.threads_help else 1
        program = type(self).__name__ if self.calls_program else ""
        return run.map(lambda task: self.block(*task), self.tasks(run, skip), workers, program)

    def tasks(self, run: Run, skip: int = 0) -> Iterator[tuple[int, np.ndarray]]:
        """The blocks of a pass as their first row's place in the pass, and the numbers of their rows.

        The first `skip` rows are left out.
        """
        numbers = self.numbers(run)
        numbers = numbers[: len(numbers) // run.full * run.full]
        length = run.rows_per_block(self.row_bytes(), self.rows_at_once)
        return ((i, numbers[i : i + length]) for i in range(skip, len(numbers), length))

    def block(self, start: int, numbers: np.ndarray) -> RowBlock:
        """The rows with these numbers."""
        if self.cache is None or self._shelf is None:
            return RowBlock(start, len(numbers), self.fetch(numbers), numbers=numbers)
        step = CachedStep(self._fetched, self.cache, self._shelf)
        return step(RowBlock(start, len(numbers), [], numbers=numbers))

    def _fetched(self, block: RowBlock) -> RowBlock:
        return dataclasses.replace(block, columns=self.fetch(np.asarray(block.numbers)))

    def use_sampler(self, new_sampler: Any) -> None:
        """Read through another sampler; parts made by `split` stay the parts that they are."""
        if not isinstance(new_sampler, BuiltinSampler):
            raise TypeError(
                f"For 'use_sampler', the 'new_sampler' must be a sampler, but got "
                f"{type(new_sampler).__name__}. Input sampler is not an instance of a sampler."
            )
        self.sampler = new_sampler
        self.reset()

    def add_sampler(self, new_sampler: BuiltinSampler) -> None:
        """Let `new_sampler` choose among the rows that the present sampler gives."""
        if new_sampler is not None:
            if not isinstance(new_sampler, BuiltinSampler):
                raise TypeError(
                    f"For 'add_sampler', the 'new_sampler' must be a sampler, but got {type(new_sampler).__name__}."
                )
            new_sampler.add_child(self.sampler)
            self.sampler = new_sampler
            self.reset()

    def divisible_rows(self) -> np.ndarray:
        """Numbers of the rows that `split` shares out, in a fixed order."""
        if self.sampler.is_sharded():
            raise PipelineError(
                "For 'split', the dataset must not be sharded. Split first, and give the parts a "
                "DistributedSampler with 'use_sampler'."
            )
        rows = np.arange(self.size()) if self._division is None else self._division
        if type(self.sampler) is RandomSampler and self.sampler.get_num_samples() is None:
            return rows
        return rows[self.sampler.indices(len(rows), Run(0), self.labels)]

    def part(self, numbers: np.ndarray) -> MappableDataset:
        """A dataset of only these rows, in this order."""
        other = copy.copy(self)
        other.reset()
        other._division, other.sampler = numbers, SequentialSampler()
        return other

    def split(self, sizes: list, randomize: bool = True) -> list[Dataset]:
        """Datasets that share the rows out: `sizes` are numbers of rows or fractions."""
        return super().split(sizes, randomize)

    def is_shuffled(self) -> bool:
        return self.sampler.is_shuffled()

    def is_sharded(self) -> bool:
        return self.sampler.is_sharded()
