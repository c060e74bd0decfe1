"""Pipelines written down as plain values; `serialization` makes them again."""

from __future__ import annotations

import enum
import json
import os
from typing import Any

import numpy as np

from mindspore.core.dtype import DType
from mindspore.dataset._given import RecordedStep, given
from mindspore.dataset.sampler_base import BuiltinSampler
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.formats.files import atomic

MOST = 10_000  # elements of an array that is written down


def described(step: RecordedStep, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """A pipeline as a dict of plain values; Python functions and large arrays are named only.

    Arguments of the names in `without` are left out.
    """
    name = type(step).__name__
    values = {
        key: plain(value)
        for key, value in given(step).items()
        if key not in without and not _is_step(value) and value is not None
    }
    short = name.removesuffix("Dataset") if step.children else name
    return {
        "op_type": short,
        **values,
        "children": [described(child, without) for child in step.children],
    }


def write(content: dict[str, Any], path: str) -> None:
    """Write a dict of plain values as JSON; the file appears when it is complete."""
    with atomic(path, None) as file:
        file.write(json.dumps(content, indent=1).encode())


def _is_step(value: Any) -> bool:
    listed = value if isinstance(value, (list, tuple)) else [value]
    return bool(len(listed)) and all(isinstance(item, RecordedStep) for item in listed)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value.name if isinstance(value, enum.Enum) else value
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, TensorOperation):
        return {"tensor_op_name": type(value).__name__, "tensor_op_params": plain(given(value))}
    if isinstance(value, BuiltinSampler):
        return {"sampler_name": type(value).__name__, **plain(given(value))}
    return _other(value)


def _other(value: Any) -> Any:
    if isinstance(value, DType):
        return str(value).rpartition(".")[2].lower()
    if isinstance(value, type) and issubclass(value, np.generic):
        return np.dtype(value).name
    if isinstance(value, (np.generic, np.dtype)):
        return value.item() if isinstance(value, np.generic) else value.name
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, np.ndarray) and value.size <= MOST and value.dtype.kind in "biuf":
        return {"array": value.tolist(), "dtype": value.dtype.name}
    name = getattr(value, "__qualname__", type(value).__qualname__)
    home = getattr(value, "__module__", type(value).__module__)
    return {"python_object": f"{home}.{name}"}
