"""The loader: batches of a dataset, made here or in worker processes."""
from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterator
from multiprocessing.context import BaseContext
from typing import Any

from mindspore.dataset import checked as check

from .collation import default_collate, default_convert
from .datasets import IterableDataset
from .samplers import BatchSampler, RandomSampler, SequentialSampler, generator_of
from .workers import Workers, pinned

_LAST_SEED = 2**63 - 1


class DataLoader:
    """Batches of the rows of a dataset; each pass through the loader is a pass through the dataset.

    Args:
        dataset: An `IterableDataset`, or an object with `__getitem__` and `__len__`.
        batch_size: Rows of a batch; None for single rows.
        shuffle: Whether the rows come in random order.
        sampler: Gives the numbers of the rows, instead of `shuffle`.
        batch_sampler: Gives lists of the numbers of the rows of each batch, instead of `batch_size`, `shuffle`,
            `sampler` and `drop_last`.
        num_workers: How many processes make the batches; 0 makes them in this one.
        collate_fn: Puts a list of rows together; with `batch_size=None` it converts one row. None for
            `default_collate` and `default_convert`.
        pin_memory: Whether batches lie in memory from which a GPU copies; without a GPU there is none.
        drop_last: Whether a last batch with fewer rows is left out.
        timeout: Seconds after which a worker that gives nothing is an error; 0 for never.
        worker_init_fn: Called in each worker with its number, before it begins.
        multiprocessing_context: How processes start: a name ("fork", "spawn", "forkserver") or a context.
        generator: A `numpy.random.Generator` that decides the order and the seeds of the workers; None for one that
            `mindspore.set_seed` decides.
        prefetch_factor: Batches that each worker makes ahead; None for 2.
        persistent_workers: Whether the workers stay for the next pass.
        in_order: Whether batches come in the order of their rows, not as soon as they are ready.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If arguments exclude each other, or are out of their range.
        RuntimeError: While batches are made: a worker failed, ended or took longer than `timeout`.

    Examples:
        >>> loader = dataset.dataloader.DataLoader([1, 2, 3], batch_size=2)
        >>> len(loader), [batch.tolist() for batch in loader]
        (2, [[1, 2], [3]])
    """

    def __init__(self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
                 batch_sampler: Any = None, num_workers: int = 0, collate_fn: Any = None, pin_memory: bool = False,
                 drop_last: bool = False, timeout: float = 0.0, worker_init_fn: Any = None,
                 multiprocessing_context: Any = None, generator: Any = None, *, prefetch_factor: int | None = None,
                 persistent_workers: bool = False, in_order: bool = True):
        self.dataset, self.sampler, self.batch_sampler = dataset, sampler, batch_sampler
        self.batch_size = check.optional(check.positive_int, self, "batch_size", batch_size)
        self.num_workers = check.non_negative_int(self, "num_workers", num_workers)
        self.timeout = check.number(self, "timeout", timeout, 0)
        self.pin_memory = check.boolean(self, "pin_memory", pin_memory)
        self.drop_last = check.boolean(self, "drop_last", drop_last)
        self.in_order = check.boolean(self, "in_order", in_order)
        self.persistent_workers = check.boolean(self, "persistent_workers", persistent_workers)
        self.prefetch_factor = check.optional(check.positive_int, self, "prefetch_factor", prefetch_factor)
        self.worker_init_fn = check.optional(check.callable_, self, "worker_init_fn", worker_init_fn)
        self.generator = generator_of(self, generator)
        self.multiprocessing_context = self._context(multiprocessing_context)
        check.optional(check.boolean, self, "shuffle", shuffle)
        self._iterated = isinstance(dataset, IterableDataset)
        self._exclude(shuffle)
        self.collate_fn = check.optional(check.callable_, self, "collate_fn", collate_fn) or (
            default_convert if self.batch_size is None and batch_sampler is None else default_collate)
        if not self._iterated and batch_sampler is None:
            if sampler is None:
                self.sampler = (RandomSampler(dataset, generator=self.generator) if shuffle else
                                SequentialSampler(dataset))
            if self.batch_size is not None:
                self.batch_sampler = BatchSampler(self.sampler, self.batch_size, self.drop_last)
        elif batch_sampler is not None:
            self.batch_size = None
        self._workers: Workers | None = None

    def _context(self, given: Any) -> Any:
        if isinstance(given, str):
            check.option(self, "multiprocessing_context", given, multiprocessing.get_all_start_methods())
            return multiprocessing.get_context(given)
        return check.optional(check.instance, self, "multiprocessing_context", given, BaseContext)

    def _exclude(self, shuffle: bool | None) -> None:
        """ValueError for arguments that exclude each other."""
        given = {"shuffle": bool(shuffle), "sampler": self.sampler is not None, "drop_last": self.drop_last,
                 "batch_sampler": self.batch_sampler is not None, "batch_size": self.batch_size != 1}
        of_workers = {"prefetch_factor": self.prefetch_factor is not None,
                      "persistent_workers": self.persistent_workers,
                      "multiprocessing_context": self.multiprocessing_context is not None}
        rules = [(self._iterated, "a dataset of rows in order", ("shuffle", "sampler", "batch_sampler")),
                 (given["batch_sampler"], "a 'batch_sampler'", ("batch_size", "shuffle", "sampler", "drop_last")),
                 (given["sampler"], "a 'sampler'", ("shuffle",)),
                 (self.num_workers == 0, "'num_workers=0'", tuple(of_workers))]
        for holds, what, names in rules:
            for name in names:
                if holds and (given | of_workers)[name]:
                    raise ValueError(f"For 'DataLoader', the '{name}' must not be given together with {what}.")

    def __len__(self) -> int:
        if self._iterated:
            if self.batch_size is None:
                return len(self.dataset)
            whole, rest = divmod(len(self.dataset), self.batch_size)
            return whole + bool(rest and not self.drop_last)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        if self.num_workers:
            batches = self._of_workers()
        elif self._iterated:
            batches = self._in_order()
        elif self.batch_sampler is None:
            batches = (self.collate_fn(self.dataset[index]) for index in self.sampler)
        else:
            batches = (self.collate_fn([self.dataset[index] for index in batch]) for batch in self.batch_sampler)
        return map(pinned, batches) if self.pin_memory else iter(batches)

    def _in_order(self) -> Iterator[Any]:
        rows = iter(self.dataset)
        if self.batch_size is None:
            yield from map(self.collate_fn, rows)
            return
        while batch := list(itertools.islice(rows, self.batch_size)):
            if len(batch) < self.batch_size and self.drop_last:
                return
            yield self.collate_fn(batch)

    def _of_workers(self) -> Iterator[Any]:
        if self._workers is None or not self.persistent_workers:
            more = {} if self.in_order else {"in_order": False}
            single = self.batch_size is None and self.batch_sampler is None
            self._workers = Workers(
                self.dataset, self.sampler if single else self.batch_sampler, None if single else self.batch_size or 1,
                self.drop_last, self.collate_fn, self.worker_init_fn, num_workers=self.num_workers,
                timeout=self.timeout, multiprocessing_context=self.multiprocessing_context,
                prefetch_factor=self.prefetch_factor, persistent_workers=self.persistent_workers, **more)
        return self._workers.batches(int(self.generator.integers(_LAST_SEED)))


__all__ = ["DataLoader"]
