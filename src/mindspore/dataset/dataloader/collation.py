"""How the rows of a batch become one: numbers and arrays are stacked to tensors, containers keep their form."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from mindspore import Tensor  # with its methods
from mindspore.core import dtype
from mindspore.eager.tensor import wrap


def default_convert(data: Any) -> Any:
    """The row with its arrays as tensors; what no tensor can hold, and all else, stays.

    Args:
        data: A row: anything, also containers.

    Examples:
        >>> import numpy as np
        >>> dataset.dataloader.default_convert({"x": np.ones(2), "name": "a"})
        {'x': Tensor(shape=[2], dtype=Float64, value= [ 1.00000000e+00,  1.00000000e+00]), 'name': 'a'}
    """
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SUOV" else Tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return _like(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _sequence(data, [default_convert(value) for value in data])
    return data


def default_collate(batch: list[Any]) -> Any:
    """The rows as one: numbers, arrays and tensors are stacked, containers hold what their members are together.

    Args:
        batch: The rows, all of one form: tensors or arrays of one shape, numbers, strings (which stay a list),
            dictionaries with the same keys, sequences of one length.

    Raises:
        TypeError: If a row is of a class that has no such form, or an array holds no numbers.
        ValueError: If there is no row, or they differ in shape or keys.
        RuntimeError: If sequences differ in length.

    Examples:
        >>> dataset.dataloader.default_collate([{"x": 1, "y": "a"}, {"x": 2, "y": "b"}])
        {'x': Tensor(shape=[2], dtype=Int64, value= [1, 2]), 'y': ['a', 'b']}
    """
    if not batch:
        raise ValueError("For 'default_collate', the 'batch' must have a row, but got none.")
    first = batch[0]
    for kinds, together in _TOGETHER:
        if isinstance(first, kinds):
            return together(batch)
    raise TypeError(f"For 'default_collate', rows of the class '{type(first).__name__}' cannot be put together: they "
                    "must be tensors, arrays, numbers, strings, or containers of such. Give the DataLoader a "
                    "'collate_fn' that does it.")


def _tensors(batch: list[Any]) -> Any:
    shapes = {tuple(x.shape) for x in batch}
    if len(shapes) > 1:
        raise ValueError(f"For 'default_collate', the rows must have the same shape, but got {sorted(shapes)}.")
    return wrap(torch.stack([x._data for x in batch]))


def _arrays(batch: list[Any]) -> Any:
    given = [np.asarray(x) for x in batch]
    for array in given:
        if array.dtype.kind in "SUOV":
            raise TypeError(f"For 'default_collate', arrays must hold numbers, but got one of {array.dtype}.")
    return _tensors([Tensor(array) for array in given])


def _floats(batch: list[Any]) -> Any:
    return Tensor(batch, dtype.float64)


def _mapping(batch: list[Any]) -> Any:
    first = batch[0]
    if any(row.keys() != first.keys() for row in batch):
        raise ValueError(f"For 'default_collate', the rows must have the same keys, but got "
                         f"{[list(row) for row in batch]}.")
    return _like(first, {key: default_collate([row[key] for row in batch]) for key in first})


def _sequences(batch: list[Any]) -> Any:
    lengths = {len(row) for row in batch}
    if len(lengths) > 1:
        raise RuntimeError(f"For 'default_collate', the rows must have the same length, but got {sorted(lengths)}.")
    members = [default_collate(list(column)) for column in zip(*batch, strict=True)]
    return members if type(batch[0]) is tuple else _sequence(batch[0], members)


_TOGETHER: list[tuple[Any, Callable[[list[Any]], Any]]] = [
    (Tensor, _tensors), ((np.ndarray, np.generic), _arrays), (float, _floats), ((bool, int), Tensor),
    ((str, bytes), list), (Mapping, _mapping), (Sequence, _sequences)]


def _like(old: Mapping[Any, Any], new: dict[Any, Any]) -> Any:
    """A mapping of the same class, if that can be made of a dictionary."""
    if type(old) is dict:
        return new
    try:
        made: Any = type(old)
        return made(new)
    except TypeError:
        return new


def _sequence(old: Sequence[Any], new: list[Any]) -> Any:
    """A list, or the named tuple that the sequence was."""
    named: Any = type(old)
    return named(*new) if isinstance(old, tuple) and hasattr(old, "_fields") else new
