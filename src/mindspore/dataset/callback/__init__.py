"""Calls at the steps of a `map`, as rows pass it: `mindspore.dataset.DSCallback`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset.block import RowBlock


@dataclasses.dataclass
class CallbackParam:
    """Where a `map` stands.

    Attributes:
        cur_epoch_num: Number of the pass, from 1; 0 before the first.
        cur_step_num_in_epoch: Rows of this pass so far, this one included.
        cur_step_num: Rows of all passes so far, this one included.
    """

    cur_epoch_num: int = 0
    cur_step_num_in_epoch: int = 0
    cur_step_num: int = 0


class DSCallback:
    """What is called while a `map` runs; a subclass overrides the moments that it needs.

    A pipeline with callbacks works row by row, so that the calls come in their order.

    Args:
        step_size: Rows from one step to the next that is told.

    Examples:
        >>> import mindspore.dataset as ds
        >>> class Steps(ds.DSCallback):
        ...     def ds_step_end(self, ds_run_context):
        ...         print("row", ds_run_context.cur_step_num)
        >>> data = ds.NumpySlicesDataset([5, 6], shuffle=False).map(lambda x: x, callbacks=Steps())
        >>> rows = list(data.create_tuple_iterator(num_epochs=1))
        row 1
        row 2
    """

    def __init__(self, step_size: int = 1):
        self.step_size = check.integer(self, "step_size", step_size, 1, check.INT32_MAX)

    def ds_begin(self, ds_run_context: CallbackParam) -> None:
        """Before the first pass."""

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Before each pass."""

    def ds_epoch_end(self, ds_run_context: CallbackParam) -> None:
        """After each pass."""

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Before a row is transformed."""

    def ds_step_end(self, ds_run_context: CallbackParam) -> None:
        """After a row was transformed."""

    def create_runtime_obj(self) -> DSCallback:
        """What a pipeline calls: this object itself."""
        return self


def checked(owner: Any, callbacks: Any) -> list[DSCallback]:
    """One callback or a list of them, as a list."""
    listed = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
    return [check.instance(owner, "callbacks", callback, DSCallback) for callback in listed]


def watched(
    callbacks: list[DSCallback], blocks: Iterator[RowBlock], step: Any, epoch: int, before: int
) -> Iterator[RowBlock]:
    """`step` of blocks of single rows, with calls at its moments; `before`: rows of earlier passes."""
    if not epoch:
        _call(callbacks, "ds_begin", CallbackParam())
    _call(callbacks, "ds_epoch_begin", CallbackParam(epoch + 1, 0, before))
    count = 0
    for block in blocks:
        count += 1
        due = [c for c in callbacks if (count - 1) % c.step_size == 0]
        _call(due, "ds_step_begin", CallbackParam(epoch + 1, count, before + count))
        result = step(block)
        _call(due, "ds_step_end", CallbackParam(epoch + 1, count, before + count))
        yield result
    _call(callbacks, "ds_epoch_end", CallbackParam(epoch + 1, count, before + count))


def _call(callbacks: list[DSCallback], moment: str, context: CallbackParam) -> None:
    for callback in callbacks:
        getattr(callback, moment)(context)
