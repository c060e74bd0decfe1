"""What transforms have in common."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.dataset import checked as check
from mindspore.dataset._given import Recorded
from mindspore.dataset.block import as_array, packed
from mindspore.dataset.errors import InputError, PipelineError


def of_program(operation: Any) -> bool:
    """Whether an operation of a `map` is, or calls, what the program defines, which may draw as it pleases."""
    if not isinstance(operation, TensorOperation) or not type(operation).__module__.startswith("mindspore."):
        return True
    return any(map(of_program, operation.called()))


class TensorOperation(Recorded):
    """A transform of one array (or image), called on it directly or by `map` on every row.

    A subclass defines `apply`; where many rows can be transformed at once with the same result, `apply_stack` as well,
    which pipelines prefer.

    Examples:
        >>> class Doubled(transforms.TensorOperation):
        ...     def apply(self, array):
        ...         return array * 2
        >>> Doubled()(np.array([1, 2])).tolist()
        [2, 4]
    """

    random = False  # whether results differ from call to call
    by_level = False  # whether each element of the result depends on one element of the input and its channel only

    @property
    def name(self) -> str:
        """The name for messages."""
        return type(self).__name__

    def __call__(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise InputError(
                f"For '{type(self).__name__}', one input is expected, but got {len(inputs)}."
            )
        return self.apply(self.checked(inputs[0]))

    def called(self) -> list[Any]:
        """The transforms and functions that this one calls."""
        return []

    def checked(self, value: Any) -> Any:
        """The input as an array; a subclass may allow more or less."""
        return to_array(self, value)

    def apply(self, value: Any) -> Any:
        """The transformed row."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'apply' is not defined.")

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        """The transformed rows of a column whose first axis numbers them; None to go row by row.

        The array may be changed: it belongs to the pipeline.
        """
        return None

    def apply_rows(self, rows: list[np.ndarray]) -> np.ndarray | None:
        """As `apply_stack`, for rows whose shapes may differ; what it gives is stacked."""
        stack = packed(rows) if all(isinstance(row, np.ndarray) for row in rows) else None
        return None if stack is None else self.apply_stack(stack)

    def apply_whole(self, column: Any) -> np.ndarray | None:
        """All rows of a column transformed at once; None where that is not possible."""
        return (
            self.apply_stack(column) if isinstance(column, np.ndarray) else self.apply_rows(column)
        )

    def joined(self, following: list[Any]) -> tuple[TensorOperation, int]:
        """This transform and some of those that follow as one that is faster; and how many it replaces."""
        return self, 1

    def __repr__(self) -> str:
        given = ", ".join(
            f"{name}={value!r}" for name, value in vars(self).items() if not name.startswith("_")
        )
        return f"{type(self).__name__}({given})"

    def parse(self) -> TensorOperation:
        """What a pipeline runs for this transform: the transform itself."""
        return self

    def device(self, device_target: str = "CPU") -> TensorOperation:
        """This transform on a device; transforms run on the CPU, whatever is named, and say so."""
        check.string(self, "device_target", device_target)
        check.option(self, "device_target", device_target, ["CPU", "Ascend"])
        if device_target != "CPU":
            log.warn_once("For '%s', the 'device_target' Ascend has no effect: transforms run on the CPU.",
                          type(self).__name__)
        return self

    def to_json(self) -> str:
        """Name and arguments as JSON, for messages and logs."""
        values = {
            name: value
            if isinstance(value, (int, float, str, bool, list, type(None)))
            else repr(value)
            for name, value in vars(self).items()
            if not name.startswith("_")
        }
        return json.dumps({"tensor_op_name": type(self).__name__, "tensor_op_params": values})


def to_array(owner: Any, value: Any) -> np.ndarray:
    """An eager input as an array.

    Raises:
        InputError: `value` is not an array, number, text or Tensor.
    """
    try:
        array = value if isinstance(value, np.ndarray) and value.dtype.kind != "O" else as_array(value)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers are not supported; use pairs of real ones.")
        return array
    except TypeError as error:
        raise InputError(
            f"For '{type(owner).__name__}', the input cannot be an array: {error}"
        ) from None


def within_64_bits(owner: str, name: str, value: Any) -> np.ndarray:
    """A value as an array.  PipelineError for whole numbers of more than 64 bits."""
    array = np.asarray(value)
    if array.dtype.kind == "O":
        raise PipelineError(f"For '{owner}', the '{name}' must have at most 64 bits, but is {value!r}.")
    return array
