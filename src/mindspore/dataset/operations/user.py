"""What operations that call user functions have in common."""

from __future__ import annotations

from typing import Any

from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError


def user_error(owner: str, function: Any, where: str, error: Exception) -> PipelineError:
    """The error for a user function that failed, to be raised `from` it, which keeps the function's own traceback."""
    name = getattr(function, "__qualname__", None) or getattr(
        function, "name", type(function).__name__
    )
    return PipelineError(
        f"For '{owner}', '{name}' failed at {where}: {type(error).__name__}: {error}"
    )


def renamed_columns(names: list[str], inputs: list[str], outputs: list[str]) -> list[str]:
    """Column names after `inputs` became `outputs`.

    As many as before: in their places. Otherwise the outputs stand first, before the columns that were left alone.
    """
    if len(inputs) == len(outputs):
        new = dict(zip(inputs, outputs, strict=True))
        result = [new.get(name, name) for name in names]
    else:
        result = [*outputs, *[name for name in names if name not in inputs]]
    if len(set(result)) < len(result):
        raise PipelineError(f"The columns must have different names, but would be {result}.")
    return result


def placed(
    names: list[str],
    columns: list[Column],
    inputs: list[str],
    outputs: list[str],
    values: list[Column],
) -> list[Column]:
    """Columns in the order of `renamed_columns`, with the new values in their places."""
    if len(inputs) == len(outputs):
        new = dict(zip(inputs, values, strict=True))
        return [new.get(name, column) for name, column in zip(names, columns, strict=True)]
    return [
        *values,
        *[column for name, column in zip(names, columns, strict=True) if name not in inputs],
    ]
