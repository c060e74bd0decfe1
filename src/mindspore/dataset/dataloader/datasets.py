"""Datasets whose rows a `DataLoader` puts together: by number, one after the other, from tensors."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from mindspore import Tensor  # with its methods
from mindspore.dataset import checked as check

Row = TypeVar("Row", covariant=True)


class Dataset(Generic[Row]):
    """Rows by number: a class of the program has `__getitem__`, and `__len__` where samplers need it.

    Raises:
        NotImplementedError: If a row is asked for and the class has no `__getitem__`.

    Examples:
        >>> class Squares(dataset.dataloader.Dataset):
        ...     def __len__(self):
        ...         return 3
        ...     def __getitem__(self, index):
        ...         return index * index
        >>> [batch.tolist() for batch in dataset.dataloader.DataLoader(Squares(), batch_size=2)]
        [[0, 1], [4]]
    """

    def __getitem__(self, index: Any) -> Row:
        raise NotImplementedError(f"'{type(self).__name__}' must have a method '__getitem__' that gives the row of a "
                                  "number.")


class IterableDataset(Dataset[Row]):
    """Rows one after the other: a class of the program has `__iter__`.

    Each worker process has a copy and gives all that its `__iter__` gives: it takes its share by `get_worker_info`.

    Raises:
        NotImplementedError: If the rows are asked for and the class has no `__iter__`.

    Examples:
        >>> class Numbers(dataset.dataloader.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(5))
        >>> [batch.tolist() for batch in dataset.dataloader.DataLoader(Numbers(), batch_size=2)]
        [[0, 1], [2, 3], [4]]
    """

    def __iter__(self) -> Iterator[Row]:
        raise NotImplementedError(f"'{type(self).__name__}' must have a method '__iter__' that gives the rows.")


class TensorDataset(Dataset[tuple[Any, ...]]):
    """The rows of tensors along their first dimension.

    Args:
        tensors: Tensors with the same size in the first dimension.

    Raises:
        TypeError: If one is no tensor.
        ValueError: If there is none, or they differ in the first size.

    Examples:
        >>> data = dataset.dataloader.TensorDataset(Tensor([1, 2]), Tensor([3.0, 4.0]))
        >>> [tuple(x.item() for x in row) for row in data]
        [(1, 3.0), (2, 4.0)]
    """

    def __init__(self, *tensors: Any):
        for tensor in tensors:
            check.instance(self, "tensors", tensor, Tensor)
        sizes = [tensor.shape[0] if tensor.ndim else None for tensor in tensors]
        if not tensors or None in sizes or len(set(sizes)) > 1:
            raise ValueError(f"For 'TensorDataset', the 'tensors' must have the same size in the first dimension, but "
                             f"their shapes are {[tensor.shape for tensor in tensors]}.")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(f"For 'TensorDataset', the row {index} is not among {len(self)} rows.")
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].shape[0]
