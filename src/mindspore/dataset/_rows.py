"""The methods of a `Dataset` that choose, order, change and name its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindspore.dataset._methods import METHODS
from mindspore.dataset.node import PipelineNode

if TYPE_CHECKING:
    from mindspore.dataset.dataset import Dataset


class OperationsOnRows(PipelineNode):
    """The part of `Dataset` that works row by row; each method gives a new dataset."""

    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Apply transforms or Python functions to columns of every row.

        Args:
            operations: A transform or function, or a list of them, each of which gets the results of the one before.
            input_columns: The columns that the first one gets; default: as many as it takes, from the first.
            output_columns: The names of the results; default: those of the input columns.
            num_parallel_workers: Threads; None for the number in `config`.
            kwargs: `column_order` of 1.x, and the further arguments of `MapDataset`.

        Returns:
            A dataset of the changed rows.

        Raises:
            ValueError: If an operation is no transform and no function.
            PipelineError: While rows are read: there is no such column, or an operation fails.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.map(lambda x: x * 10, "x").create_dict_iterator(1, output_numpy=True)]
            [10, 20, 30]
        """
        order = kwargs.pop("column_order", None)  # 1.x; later `project`
        mapped = METHODS["map"](
            self, operations, input_columns, output_columns, num_parallel_workers, **kwargs
        )
        return mapped if order is None else mapped.project(order)

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> Dataset:
        """Only the rows for which `predicate` of the input columns is true.

        Args:
            predicate: A function of the columns.
            input_columns: The columns; default: all.
            num_parallel_workers: Threads; None for the number in `config`.

        Returns:
            A dataset of those rows.

        Raises:
            TypeError: If `predicate` is no function.
            PipelineError: While rows are read: there is no such column.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.filter(lambda x: x > 1, "x").create_dict_iterator(1, output_numpy=True)]
            [2, 3]
        """
        return METHODS["filter"](self, predicate, input_columns, num_parallel_workers)

    def flat_map(self, func: Callable[..., Any]) -> Dataset:
        """The rows of the datasets that `func` makes of each row, one after the other.

        Args:
            func: A function of a row's columns that gives a dataset.

        Returns:
            A dataset of all their rows.

        Raises:
            TypeError: If `func` is no function; while rows are read: if it gives no dataset.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> twice = data.flat_map(lambda x: dataset.NumpySlicesDataset({"x": [int(x)] * 2}))
            >>> [int(row["x"]) for row in twice.create_dict_iterator(1, output_numpy=True)]
            [1, 1, 2, 2, 3, 3]
        """
        return METHODS["flat_map"](self, func)

    def shuffle(self, buffer_size: int) -> Dataset:
        """Rows in random order, drawn from a buffer.

        Args:
            buffer_size: The number of rows in the buffer, at least 2.

        Returns:
            A dataset of the same rows.

        Raises:
            TypeError: If it is no int.
            ValueError: If it is less than 2.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> sorted([int(row["x"]) for row in data.shuffle(3).create_dict_iterator(1, output_numpy=True)])
            [1, 2, 3]
        """
        return METHODS["shuffle"](self, buffer_size)

    def repeat(self, count: int | None = None) -> Dataset:
        """The rows several times.

        Args:
            count: How often; None and -1: without end.

        Returns:
            A dataset of the rows, again and again.

        Raises:
            TypeError: If it is no int.
            ValueError: If it is 0 or less than -1.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.repeat(2).create_dict_iterator(1, output_numpy=True)]
            [1, 2, 3, 1, 2, 3]
        """
        return METHODS["repeat"](self, count)

    def skip(self, count: int) -> Dataset:
        """Without the first rows.

        Args:
            count: How many to leave out.

        Returns:
            A dataset of the others.

        Raises:
            TypeError: If it is no int.
            ValueError: If it is negative.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.skip(1).create_dict_iterator(1, output_numpy=True)]
            [2, 3]
        """
        return METHODS["skip"](self, count)

    def take(self, count: int = -1) -> Dataset:
        """Only the first rows.

        Args:
            count: How many; -1: all.

        Returns:
            A dataset of those.

        Raises:
            TypeError: If it is no int.
            ValueError: If it is 0 or less than -1.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.take(2).create_dict_iterator(1, output_numpy=True)]
            [1, 2]
        """
        return METHODS["take"](self, count)

    def project(self, columns: Any) -> Dataset:
        """Only these columns, in this order.

        Args:
            columns: A name, or a list of names.

        Returns:
            A dataset of those columns.

        Raises:
            TypeError: If it is neither.
            PipelineError: While rows are read: there is no such column.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1], "y": [2]})
            >>> data.project(["y"]).get_col_names()
            ['y']
        """
        return METHODS["project"](self, columns)

    def rename(self, input_columns: Any, output_columns: Any) -> Dataset:
        """Other names for columns.

        Args:
            input_columns: A name, or a list of names.
            output_columns: As many others.

        Returns:
            A dataset of the same rows.

        Raises:
            TypeError: If one of them is neither.
            ValueError: If they are not as many.
            PipelineError: While rows are read: there is no such column, or two get one name.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> data.rename("x", "number").get_col_names()
            ['number']
        """
        return METHODS["rename"](self, input_columns, output_columns)
