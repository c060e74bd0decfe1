"""Batches of rows of similar length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock, given
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.batches import Pending
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.padding import pad_info_of, padded
from mindspore.dataset.operations.user import user_error


@method("bucket_batch_by_length")
class BucketBatchByLengthDataset(Dataset):
    """Rows sorted into buckets by length; a bucket that has enough rows becomes a batch.

    Args:
        input_dataset: The dataset before.
        column_names: Columns for `element_length_function`; one column without it, whose first axis is the length.
        bucket_boundaries: Increasing lengths at which a new bucket begins, so there is one bucket more.
        bucket_batch_sizes: Rows of a batch, for each bucket.
        element_length_function: Length of a row, from the arrays of `column_names`.
        pad_info: As in `padded_batch`; default: all columns are padded with zeros.
        pad_to_bucket_boundary: Pad to the boundary of the bucket less one instead of to the longest row.
        drop_remainder: Leave out buckets that are not full in the end.

    Examples:
        >>> data = dataset.GeneratorDataset([np.ones(1), np.ones(3), np.ones(1)], ["x"], shuffle=False)
        >>> data = data.bucket_batch_by_length(["x"], [2], [2, 1], len)
        >>> sorted(x.shape for (x,) in data.create_tuple_iterator(output_numpy=True))
        [(1, 3), (2, 1)]
    """

    def __init__(
        self,
        input_dataset: Dataset,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ):
        super().__init__(input_dataset)
        owner = "bucket_batch_by_length"
        check.instance(owner, "column_names", column_names, list)
        self.columns = check.names(owner, "column_names", column_names)
        check.instance(owner, "bucket_boundaries", bucket_boundaries, list)
        check.instance(owner, "bucket_batch_sizes", bucket_batch_sizes, list)
        self.boundaries = [
            check.integer(owner, "bucket_boundaries", b, 1) for b in bucket_boundaries
        ]
        if not self.boundaries or sorted(set(self.boundaries)) != self.boundaries:
            raise check.fail(
                ValueError, owner, "bucket_boundaries", "increasing, not empty", bucket_boundaries
            )
        self.sizes = [check.integer(owner, "bucket_batch_sizes", s, 1) for s in bucket_batch_sizes]
        if len(self.sizes) != len(self.boundaries) + 1:
            raise check.fail(
                ValueError,
                owner,
                "bucket_batch_sizes",
                f"{len(self.boundaries) + 1} sizes, one more than boundaries",
                bucket_batch_sizes,
            )
        self.length = check.optional(
            check.callable_, owner, "element_length_function", element_length_function
        )
        if self.length is None and len(self.columns) != 1:
            raise check.fail(
                ValueError,
                owner,
                "column_names",
                "one column without 'element_length_function'",
                column_names,
            )
        self.pad_info = pad_info_of(owner, "pad_info", {} if pad_info is None else pad_info)
        self.pad_to_boundary = check.boolean(
            owner, "pad_to_bucket_boundary", pad_to_bucket_boundary
        )
        self.drop_remainder = check.boolean(owner, "drop_remainder", drop_remainder)

    def row_count(self) -> int | None:
        return None

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        names = self.children[0].column_names()
        chosen = positions("bucket_batch_by_length", self.columns, names)
        buckets = [Pending() for _ in self.sizes]
        number = 0
        for block in self.children[0].blocks(run.child()):
            for i in range(block.count):
                bucket = self._bucket(block, i, chosen)
                buckets[bucket].add(block.part(i, i + 1))
                if buckets[bucket].rows == self.sizes[bucket]:
                    yield self._batch(buckets[bucket], bucket, names, number)
                    number += 1
        if not self.drop_remainder:
            for bucket, pending in enumerate(buckets):
                if pending.rows:
                    yield self._batch(pending, bucket, names, number)
                    number += 1

    def _bucket(self, block: RowBlock, index: int, chosen: list[int]) -> int:
        row = block.row(index)
        arrays = [row[i] for i in chosen]
        if self.length is None:
            if not arrays[0].ndim:
                raise PipelineError(
                    f"For 'bucket_batch_by_length', the column '{self.columns[0]}' must have a first "
                    "axis, whose length counts. Give 'element_length_function' instead."
                )
            return bisect_right(self.boundaries, len(arrays[0]))
        try:
            length = int(self.length(*[given(array) for array in arrays]))
        except Exception as error:  # of the user's function: raised again with its place
            raise user_error(
                "bucket_batch_by_length", self.length, f"row {block.start + index}", error
            ) from error
        return bisect_right(self.boundaries, length)

    def _batch(self, pending: Pending, bucket: int, names: list[str], number: int) -> RowBlock:
        longest = None
        if self.pad_to_boundary:
            if bucket == len(self.boundaries):
                raise PipelineError(
                    "For 'bucket_batch_by_length', with 'pad_to_bucket_boundary' no row may be as long "
                    f"as the last boundary, {self.boundaries[-1]}: its bucket has no end."
                )
            longest = self.boundaries[bucket] - 1
        return padded(pending.take(pending.rows), names, self.pad_info, number, longest)
