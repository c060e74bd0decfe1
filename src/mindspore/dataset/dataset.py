"""`Dataset`: the description of where rows come from and what is done with them; reading it runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import METHODS
from mindspore.dataset._reading import Readable
from mindspore.dataset._rows import OperationsOnRows


class Dataset(OperationsOnRows, Readable):
    """A node of a pipeline: a source, or an operation on its children. Nothing runs before an iterator is read.

    A description does not change once it is made; methods such as `map` give a new one that has this one as a child.
    A subclass says which columns it has (`column_names`), how many rows (`row_count`) and how to read them (`blocks`).

    Args:
        children: The datasets that this one reads.
        num_parallel_workers: Threads of this step, None for the number in `config`.
        cache: Keeps the rows of this step for later passes.

    Raises:
        TypeError, ValueError: If `num_parallel_workers` is no positive int, or `cache` no DatasetCache.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
        >>> isinstance(data, dataset.Dataset)
        True
        >>> doubled = data.map(lambda x: 2 * x, "x")        # another dataset, which has `data` as a child
        >>> [x.item() for (x,) in doubled.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [2, 4, 6]
    """

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> Dataset:
        """Join `batch_size` rows into one.

        Args:
            batch_size: The number of rows, or a function that gives it for the number of the batch.
            drop_remainder: Leave out rows that do not fill a batch.
            num_parallel_workers: Threads; None for the number in `config`.
            kwargs: `pad_info` and `column_order` of 1.x, and the further arguments of `BatchDataset`.

        Returns:
            A dataset of the batches.

        Raises:
            TypeError: If `batch_size` is no int and no function.
            PipelineError: If `batch_size` is not positive; while rows are read: their shapes differ.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [batch["x"].tolist() for batch in data.batch(2).create_dict_iterator(1, output_numpy=True)]
            [[1, 2], [3]]
        """
        pad_info = kwargs.pop("pad_info", None)  # 1.x; later `padded_batch`
        order = kwargs.pop("column_order", None)  # 1.x; later `project`
        if pad_info is not None:
            batched = self.padded_batch(
                batch_size, drop_remainder, num_parallel_workers, pad_info, **kwargs
            )
        else:
            batched = METHODS["batch"](
                self, batch_size, drop_remainder, num_parallel_workers, **kwargs
            )
        return batched if order is None else batched.project(order)

    def padded_batch(
        self,
        batch_size: int | Callable[..., int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ) -> Dataset:
        """Join rows whose arrays are first padded to equal shapes.

        Args:
            batch_size: The number of rows, or a function of a BatchInfo that gives it.
            drop_remainder: Leave out rows that do not fill a batch.
            num_parallel_workers: Threads that pad and join; None: the reader does.
            pad_info: By column the shape (None in it: as long as the longest) and the value of the padding; {}: all
                columns, with zeros, to the longest row; None: no column.

        Returns:
            A dataset of the batches.

        Raises:
            TypeError: If `pad_info` is no dict.
            ValueError: If `batch_size` is not positive.

        Examples:
            >>> data = dataset.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False)
            >>> data = data.padded_batch(2, pad_info={})
            >>> [batch["x"].tolist() for batch in data.create_dict_iterator(1, output_numpy=True)]
            [[[1.0, 0.0], [1.0, 1.0]]]
        """
        return METHODS["padded_batch"](
            self, batch_size, drop_remainder, num_parallel_workers, pad_info
        )

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Batches of rows of similar length, one bucket for each interval of lengths.

        Args:
            column_names: The columns that the lengths are those of.
            bucket_boundaries: Where an interval ends and the next one begins, rising.
            bucket_batch_sizes: The size of the batches of each bucket, one more than boundaries.
            element_length_function: The length of a row, from those columns; default: the first extent of the only one.
            pad_info: As for `padded_batch`; default: all columns, with zeros.
            pad_to_bucket_boundary: Pad to the boundary of the bucket less one instead of to the longest row.
            drop_remainder: Leave out buckets that are not full in the end.

        Returns:
            A dataset of the batches.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If there are not as many sizes as buckets.
            PipelineError: While rows are read: there is no such column.

        Examples:
            >>> data = dataset.GeneratorDataset([np.ones(n) for n in (1, 4, 2)], ["x"], shuffle=False)
            >>> data = data.bucket_batch_by_length(["x"], [3], [2, 1])
            >>> [batch["x"].shape for batch in data.create_dict_iterator(1, output_numpy=True)]
            [(1, 4), (2, 2)]
        """
        return METHODS["bucket_batch_by_length"](
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def zip(self, datasets: Any) -> Dataset:
        """Rows side by side with those of other datasets, as many as the shortest has.

        Args:
            datasets: A dataset, or a tuple of them, with other columns.

        Returns:
            A dataset of the rows.

        Raises:
            TypeError: If it is neither.
            PipelineError: While rows are read: two have a column of the same name.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> both = data.zip(dataset.NumpySlicesDataset({"y": [4, 5]}, shuffle=False))
            >>> both.get_col_names(), both.get_dataset_size()
            (['x', 'y'], 2)
        """
        if isinstance(datasets, Dataset):
            datasets = (datasets,)
        check.instance("zip", "datasets", datasets, tuple)
        return METHODS["zip"]((self, *datasets))

    def concat(self, datasets: Any) -> Dataset:
        """The rows of this dataset, then those of others.

        Args:
            datasets: A dataset, or a list of them, with the same columns.

        Returns:
            A dataset of all rows.

        Raises:
            TypeError: If it is neither.
            PipelineError: While rows are read: the columns differ.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.concat(data.take(1)).create_dict_iterator(1, output_numpy=True)]
            [1, 2, 3, 1]
        """
        if isinstance(datasets, Dataset):
            datasets = [datasets]
        check.instance("concat", "datasets", datasets, (list, tuple))
        return METHODS["concat"]([self, *datasets])

    def __add__(self, datasets: Any) -> Dataset:
        return self.concat(datasets)

    def split(self, sizes: list, randomize: bool = True) -> list[Dataset]:
        """Datasets that share the rows out.

        Args:
            sizes: Numbers of rows, or fractions that add up to 1.
            randomize: Whether the rows are mixed before.

        Returns:
            The datasets, as many as `sizes`.

        Raises:
            TypeError: If `sizes` is no list.
            ValueError: If it holds other things, or fractions that do not add up to 1.
            PipelineError: If the numbers do not add up to that of the rows.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> train, test = data.split([2, 1], randomize=False)
            >>> [int(row["x"]) for row in test.create_dict_iterator(1, output_numpy=True)]
            [3]
        """
        return METHODS["split"](self, sizes, randomize)

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What `apply_func` makes of this dataset.

        Args:
            apply_func: A function of a dataset that gives a dataset.

        Returns:
            That dataset.

        Raises:
            TypeError: If it is no function, or gives anything else.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> [int(row["x"]) for row in data.apply(lambda d: d.take(1)).create_dict_iterator(1, output_numpy=True)]
            [1]
        """
        check.callable_("apply", "apply_func", apply_func)
        return check.instance("apply", "apply_func(dataset)", apply_func(self), Dataset)

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> Dataset:
        """Let at most `num_batch` rows pass before each `sync_update`.

        Args:
            condition_name: The name by which `sync_update` finds this step.
            num_batch: The number of rows.
            callback: Called with the data of each `sync_update`.

        Returns:
            A dataset of the same rows.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If `num_batch` is not positive.

        Examples:
            >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> reader = data.sync_wait("read", num_batch=2)
            >>> rows = reader.create_dict_iterator(1, output_numpy=True)
            >>> [int(next(rows)["x"]) for _ in range(2)]
            [1, 2]
            >>> reader.sync_update("read")
            >>> int(next(rows)["x"])
            3
        """
        return METHODS["sync_wait"](self, condition_name, num_batch, callback)
