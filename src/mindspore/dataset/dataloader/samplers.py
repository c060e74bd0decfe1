"""Which rows a `DataLoader` takes, in which order."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from mindspore.dataset import checked as check
from mindspore.distributed.numbers import get_group_size, get_rank

Index = TypeVar("Index", covariant=True)


def generator_of(owner: Any, generator: Any) -> np.random.Generator:
    """The given generator, or one that the state of `numpy.random` decides, which `mindspore.set_seed` sets."""
    if generator is None:
        return np.random.default_rng(np.random.randint(2**63 - 1, dtype=np.int64))
    return check.instance(owner, "generator", generator, np.random.Generator)


class Sampler(Generic[Index]):
    """Base of samplers: a class of the program has `__iter__`, which gives the numbers of rows.

    Args:
        data_source: What is sampled.

    Raises:
        NotImplementedError: If the numbers are asked for and the class has no `__iter__`.

    Examples:
        >>> class Backwards(dataset.dataloader.Sampler):
        ...     def __iter__(self):
        ...         return iter([2, 1, 0])
        >>> [x.tolist() for x in dataset.dataloader.DataLoader([7, 8, 9], batch_size=2, sampler=Backwards())]
        [[9, 8], [7]]
    """

    def __init__(self, data_source: Any = None):
        pass

    def __iter__(self) -> Iterator[Index]:
        raise NotImplementedError(f"'{type(self).__name__}' must have a method '__iter__' that gives numbers of rows.")


class SequentialSampler(Sampler[int]):
    """All rows, in order.

    Args:
        data_source: Something with a length.

    Examples:
        >>> list(dataset.dataloader.SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __init__(self, data_source: Any):
        super().__init__(data_source)
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Rows in random order.

    Args:
        data_source: Something with a length.
        replacement: Whether a row may come again before all have come.
        num_samples: How many rows to give, None for as many as there are; more of them go through the rows again.
        generator: A `numpy.random.Generator`; None for one that `mindspore.set_seed` decides.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `num_samples` is not positive.

    Examples:
        >>> import numpy as np
        >>> list(dataset.dataloader.RandomSampler("abcd", generator=np.random.default_rng(3)))
        [3, 2, 1, 0]
    """

    def __init__(self, data_source: Any, replacement: bool = False, num_samples: int | None = None,
                 generator: Any = None):
        super().__init__(data_source)
        self.data_source = data_source
        self.replacement = check.boolean(self, "replacement", replacement)
        self._num_samples = check.optional(check.positive_int, self, "num_samples", num_samples)
        self.generator = check.optional(check.instance, self, "generator", generator, np.random.Generator)

    @property
    def num_samples(self) -> int:
        """How many rows it gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator, count = generator_of(self, self.generator), len(self.data_source)
        left = self.num_samples if count else 0
        if self.replacement:
            yield from generator.integers(0, count, left).tolist() if left else ()
            return
        while left > 0:
            yield from generator.permutation(count).tolist()[:left]
            left -= count

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of the numbers that another sampler gives.

    Args:
        sampler: A sampler, or anything that gives numbers of rows.
        batch_size: Length of a list.
        drop_last: Whether to leave out a last list that is shorter.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `batch_size` is not positive.

    Examples:
        >>> list(dataset.dataloader.BatchSampler(range(5), 2, False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool):
        super().__init__()
        self.sampler: Any = sampler
        self.batch_size = check.positive_int(self, "batch_size", batch_size)
        self.drop_last = check.boolean(self, "drop_last", drop_last)

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole + bool(rest and not self.drop_last)


class DistributedSampler(Sampler[int]):
    """The share of one process in the rows: every `num_replicas`-th.

    Args:
        dataset: Something with a length.
        num_replicas: How many processes share the rows; None for all of the job.
        rank: The number of this process; None for its number in the job.
        shuffle: Whether the rows are in random order, which is the same in all processes.
        seed: Decides the order, with the number of the pass through the rows (`set_epoch`).
        drop_last: Whether rows that do not make a full round are left out; if not, the first come again.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `num_replicas` is not positive, or `rank` is not one of their numbers.

    Examples:
        >>> [list(dataset.dataloader.DistributedSampler("abcd", 3, rank, shuffle=False)) for rank in range(3)]
        [[0, 3], [1, 0], [2, 1]]
    """

    def __init__(self, dataset: Any, num_replicas: int | None = None, rank: int | None = None,
                 shuffle: bool = True, seed: int = 0, drop_last: bool = False):
        super().__init__(dataset)
        self.dataset = dataset
        self.num_replicas = check.positive_int(
            self, "num_replicas", get_group_size() if num_replicas is None else num_replicas)
        self.rank = check.integer(self, "rank", get_rank() if rank is None else rank, 0, self.num_replicas - 1)
        self.shuffle = check.boolean(self, "shuffle", shuffle)
        self.seed = check.non_negative_int(self, "seed", seed)
        self.drop_last = check.boolean(self, "drop_last", drop_last)
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Say the number of the pass, so that each has an order of its own."""
        self.epoch = check.non_negative_int(self, "epoch", epoch)

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        order = np.random.default_rng(self.seed + self.epoch).permutation(count) if self.shuffle else np.arange(count)
        taken = np.resize(order, len(self) * self.num_replicas) if count else order      # from the first again
        return iter(taken[self.rank::self.num_replicas].tolist())

    def __len__(self) -> int:
        whole, rest = divmod(len(self.dataset), self.num_replicas)
        return whole + bool(rest and not self.drop_last)
