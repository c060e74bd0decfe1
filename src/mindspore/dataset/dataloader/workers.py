"""Worker processes of a `DataLoader`: those of `torch.utils.data`, with the rows and tensors of this package."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch.utils import data

from mindspore import Tensor  # with its methods
from mindspore.eager.generator import manual_seed
from mindspore.eager.tensor import wrap
from mindspore.ir import tree

from .datasets import IterableDataset


class WorkerInfo(NamedTuple):
    """Who a worker process is: its number, how many there are, the seed of its random numbers, its dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info() -> WorkerInfo | None:
    """Who the worker process is in which this runs; None outside of worker processes.

    Returns:
        A tuple with the attributes `id`, `num_workers`, `seed` and `dataset`, or None.

    Examples:
        >>> print(dataset.dataloader.get_worker_info())
        None
    """
    info: Any = data.get_worker_info()
    return None if info is None else WorkerInfo(info.id, info.num_workers, info.seed, info.dataset.given)


class _Mapped(data.Dataset[Any]):
    """Rows by number, for torch."""

    def __init__(self, given: Any):
        self.given = given

    def __getitem__(self, index: Any) -> Any:
        return self.given[index]

    def __len__(self) -> int:
        return len(self.given)


class _Iterated(data.IterableDataset[Any]):
    """Rows one after the other, for torch."""

    def __init__(self, given: Any):
        self.given = given

    def __iter__(self) -> Iterator[Any]:
        return iter(self.given)


class _Together:
    """Puts rows together in a worker, and leaves to torch how tensors reach the other process."""

    def __init__(self, function: Callable[[Any], Any]):
        self.function = function

    def __call__(self, rows: Any) -> Any:
        return _exchanged(self.function(rows), Tensor, lambda x: x._data)


class _Begin:
    """What a worker does first."""

    def __init__(self, function: Callable[[int], Any] | None):
        self.function = function

    def __call__(self, number: int) -> None:
        info: Any = data.get_worker_info()
        manual_seed(info.seed % 2**32)               # or all would draw the same random tensors
        if self.function is not None:
            self.function(number)


def _exchanged(value: Any, kind: type, function: Callable[[Any], Any]) -> Any:
    def is_one(x: Any) -> bool:
        return isinstance(x, kind)

    return tree.rebuild(value, is_one, iter([function(x) for x in tree.leaves(value, is_one)]))


def pinned(batch: Any) -> Any:
    """The batch in memory from which a GPU copies, if there is a GPU."""
    if not torch.cuda.is_available():
        return batch
    return _exchanged(batch, Tensor, lambda x: wrap(x._data.pin_memory()))


class Workers:
    """Batches that worker processes make.

    Args:
        dataset: The dataset.
        indices: Lists of the numbers of rows, or numbers, for each batch; None for a dataset of rows in order.
        batch_size: Rows of a batch, None for single rows.
        drop_last: Whether a shorter last batch of a worker is left out.
        together: Puts the rows of a batch together, or converts a row.
        begin: What each worker does first.
        settings: Further arguments of torch's loader.
    """

    def __init__(self, dataset: Any, indices: Any, batch_size: int | None, drop_last: bool,
                 together: Callable[[Any], Any], begin: Callable[[int], Any] | None, **settings: Any):
        iterated = isinstance(dataset, IterableDataset)
        choice = ({"batch_size": batch_size, "drop_last": drop_last} if iterated else
                  {"batch_size": None, "sampler": indices} if batch_size is None else {"batch_sampler": indices})
        self.loader: Any = data.DataLoader(
            _Iterated(dataset) if iterated else _Mapped(dataset), collate_fn=_Together(together),
            worker_init_fn=_Begin(begin), pin_memory=False, **choice, **settings)

    def batches(self, seed: int) -> Iterator[Any]:
        """One pass.

        Args:
            seed: Decides the seeds of the workers.

        Raises:
            RuntimeError: A worker failed, ended, or took too long.
        """
        self.loader.generator = torch.Generator().manual_seed(seed)
        found = iter(self.loader)
        while True:
            try:
                batch = next(found)
            except StopIteration:
                return
            except Exception as error:  # of whatever class the worker's was
                raise RuntimeError(f"A worker process of the DataLoader of the process {os.getpid()} failed: {error}"
                                   ) from error
            yield _exchanged(batch, torch.Tensor, wrap)
