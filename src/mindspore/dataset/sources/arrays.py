"""Rows of arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.block import Column, as_array, as_value, columns_of
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.memory import gathered
from mindspore.dataset.sources.mappable import MappableDataset


class NumpySlicesDataset(MappableDataset):
    """Slices of arrays along their first axis.

    Args:
        data: A list or array (one column), a tuple of them, or a dict from column name to them.
        column_names: Names of the columns; default `column_0`, ... or the keys of the dict.
        num_parallel_workers: Accepted; rows are copied by the reader, which is faster than handing them over.

    Examples:
        >>> import mindspore.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
        >>> [int(row["x"]) for row in data.create_dict_iterator(output_numpy=True)]
        [1, 2, 3]
    """

    anywhere = True

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id)
        data, names = _columns_of(data)
        if column_names is not None:
            names = check.names(self, "column_names", column_names)
        if len(names) != len(data):
            raise check.fail(
                ValueError,
                self,
                "column_names",
                f"one name for each of the {len(data)} columns",
                names,
            )
        self._names, self._arrays = (
            names,
            [_array_of(self, name, part) for name, part in zip(names, data, strict=True)],
        )
        lengths = {len(array) for array in self._arrays}
        if len(lengths) != 1 or lengths == {0}:
            raise ValueError(
                "For 'NumpySlicesDataset', the columns of 'data' must be equally long and not empty, but "
                f"their lengths are {[len(array) for array in self._arrays]}."
            )

    def column_names(self) -> list[str]:
        return self._names

    def size(self) -> int:
        return len(self._arrays[0])

    def row_bytes(self) -> int:
        return sum(_bytes(array) for array in self._arrays) // self.size()

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        return [_rows(array, numbers) for array in self._arrays]


def _bytes(column: Any) -> int:
    return column.nbytes if isinstance(column, np.ndarray) else sum(row.nbytes for row in column)


def _rows(column: Any, numbers: np.ndarray) -> Column:
    if isinstance(column, np.ndarray):
        return gathered(column, numbers)
    return [column[i] for i in numbers.tolist()]


def _columns_of(data: Any) -> tuple[list[Any], list[str]]:
    """The columns of what the user gave, and their default names."""
    if isinstance(data, dict):
        if not data:
            raise check.fail(ValueError, "NumpySlicesDataset", "data", "not empty", data)
        names = list(data)
        for name in names:
            check.string("NumpySlicesDataset", "data", name)
        return list(data.values()), names
    if isinstance(data, tuple):
        if data and not all(
            isinstance(part, (list, tuple, dict)) or hasattr(part, "__array__") for part in data
        ):
            wanted = "made of a list or array for each column where it is a tuple"
            raise check.fail(TypeError, "NumpySlicesDataset", "data", wanted, data)
        return list(data), [f"column_{i}" for i in range(len(data))]
    if not isinstance(data, list) and not hasattr(data, "__array__"):
        raise check.fail(
            TypeError, "NumpySlicesDataset", "data", "a list, tuple, dict or array", data
        )
    return [data], ["column_0"]


def _array_of(owner: Any, name: str, part: Any) -> Any:
    """A column: an array, or a list of arrays where the rows have different shapes."""
    try:
        array = as_array(part)
    except TypeError as error:
        if isinstance(part, list) and all(
            isinstance(row, (list, tuple, dict, np.ndarray)) for row in part
        ):
            return [as_value(row) for row in part]
        raise check.fail(
            TypeError,
            owner,
            "data",
            f"arrays or lists of equal shapes ({error}) in column '{name}'",
            type(part),
        ) from None
    if not array.ndim:
        raise check.fail(TypeError, owner, "data", "made of lists or arrays", part)
    return array


class PaddedDataset(MappableDataset):
    """Rows given as a list of dicts from column name to value, in their order.

    Args:
        padded_samples: The rows; all have the same columns.

    Examples:
        >>> data = dataset.PaddedDataset([{"x": np.array([1])}, {"x": np.array([2])}])
        >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True)]
        [[1], [2]]
    """

    def __init__(self, padded_samples: list[dict[str, Any]]):
        super().__init__(shuffle=False)
        if not padded_samples:
            raise check.fail(ValueError, self, "padded_samples", "not empty", padded_samples)
        for row in check.instance(self, "padded_samples", padded_samples, list):
            check.instance(self, "padded_samples", row, dict)
        self._names = check.names(self, "padded_samples", list(padded_samples[0]))
        for number, row in enumerate(padded_samples):
            if missing := [name for name in self._names if name not in row]:
                raise PipelineError(
                    f"For 'PaddedDataset', every sample must have the columns {self._names}, but sample {number} "
                    f"lacks {missing}."
                )
        self._rows = [[as_array(row[name]) for name in self._names] for row in padded_samples]

    def column_names(self) -> list[str]:
        return self._names

    def size(self) -> int:
        return len(self._rows)

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        return columns_of([self._rows[i] for i in numbers.tolist()])
