"""Small things that programs which extend a pipeline import: lists, names of types, wrappers of functions."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from mindspore.core.dtype import DType, string
from mindspore.dataset.iterators import META
from mindspore.dataset.live import is_ending
from mindspore.dataset.sampler_base import Shuffle

__all__ = [
    "DummyIterator",
    "ExceptionHandler",
    "FuncWrapper",
    "Implementation",
    "MAX_METADATA_LENGTH",
    "ShuffleMode",
    "check_iterator_cleanup",
    "close_worker",
    "flatten_single_lists",
    "mstype_to_detype",
    "replace_none",
    "shuffle_to_shuffle_mode",
    "to_list",
    "worker_is_alive",
]

MAX_METADATA_LENGTH = 2048  # most characters of text that describes a file


class Implementation(IntEnum):
    """What runs a transform: a kernel of a library, or Python."""

    C = 0
    PY = 1


class ShuffleMode(IntEnum):
    """Numbers of the kinds of shuffling."""

    FALSE = 0
    FILES = 1
    GLOBAL = 2
    INFILE = 3
    PARTIAL = 4
    ADAPTIVE = 5


def shuffle_to_shuffle_mode(shuffle: Any) -> ShuffleMode:
    """The number of a kind of shuffling; of None and bools as sources take them."""
    if not isinstance(shuffle, Shuffle):
        shuffle = Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL
    return ShuffleMode[shuffle.name]


def mstype_to_detype(type_: Any) -> np.dtype:
    """The type that the pipelines have for a mindspore type: that of NumPy."""
    if type_ is string:
        return np.dtype(np.str_)
    if not isinstance(type_, DType):
        raise NotImplementedError(
            f"For 'mstype_to_detype', the 'type_' must be a mindspore type, but got {type_!r}."
        )
    return type_.numpy


def to_list(items: Any) -> list[Any]:
    """A list of the items: of None an empty one, of a tuple or list its items, else of the one item."""
    if items is None:
        return []
    return list(items) if isinstance(items, (list, tuple)) else [items]


def replace_none(value: Any, default: Any) -> Any:
    """`value`, or `default` if that is None."""
    return default if value is None else value


def flatten_single_lists(nested_list: Any) -> Any:
    """What stands in lists of one list; lists with more are unchanged."""
    while (
        isinstance(nested_list, list) and len(nested_list) == 1 and isinstance(nested_list[0], list)
    ):
        nested_list = nested_list[0]
    return nested_list


def worker_is_alive(worker: Any) -> bool:
    """Whether a thread or process runs."""
    return worker.is_alive()


def close_worker(worker: Any, eof: Any) -> None:
    """Tell a thread or process through an event that there is no more, and wait for its end."""
    eof.set()
    worker.join()


def check_iterator_cleanup() -> bool:
    """Whether the interpreter is ending, so that iterators must not begin anything."""
    return is_ending()


class FuncWrapper:
    """A function of one's own that stands beside transforms, with their methods."""

    def __init__(self, transform: Callable[..., Any]):
        if not callable(transform):
            raise ValueError("For 'FuncWrapper', the 'transform' must be callable.")
        self.transform = transform

    def __call__(self, *args: Any) -> Any:
        result = self.transform(*args)
        if result is None:
            raise ValueError(f"For 'FuncWrapper', {self._name()} must give a value, but gave None.")
        return result

    def _name(self) -> str:
        return getattr(self.transform, "__name__", type(self.transform).__name__)

    def to_json(self) -> str:
        """The function's own description, or its name."""
        if hasattr(self.transform, "to_json"):
            return self.transform.to_json()
        return json.dumps(
            {"tensor_op_name": self._name(), "python_module": self.transform.__module__}
        )

    def release_resource(self) -> None:
        """Let the function free what it holds, if it knows how."""
        if hasattr(self.transform, "release_resource"):
            self.transform.release_resource()


class ExceptionHandler:
    """An exception of a worker for the caller: its type and its traceback as text.

    Args:
        except_info: Type, value and traceback; default: those of the exception that is being handled.
        where: Where it happened, for the message.
    """

    def __init__(self, except_info: Any = None, where: str = "in python function"):
        kind: Any
        kind, value, trace = sys.exc_info() if except_info is None else except_info
        self.where = where
        self.except_type = kind
        self.except_msg = "".join(traceback.format_exception(kind, value, trace))

    def reraise(self) -> None:
        """Raise an exception of the same type, with the place and the traceback as its message."""
        message = f"{self.except_type.__name__} {self.where}:\n{self.except_msg}"
        try:
            raised = self.except_type(message)
        except TypeError:  # its class wants other arguments
            raised = RuntimeError(message)
        raise raised


class DummyIterator:
    """Rows of zeros in the shapes and types of a dataset, without end, to try out what reads them.

    Args:
        dataset: What to imitate; only its first row is read.
        mode: 'dict' or 'tuple'.
        output_numpy: NumPy arrays instead of Tensors.
    """

    def __init__(self, dataset: Any, mode: str, output_numpy: bool = False):
        if mode not in ("dict", "tuple"):
            raise ValueError(
                f"For 'DummyIterator', the 'mode' must be 'dict' or 'tuple', but got {mode!r}."
            )
        self.mode, self.output_numpy = mode, output_numpy
        described = zip(
            dataset.get_col_names(), dataset.output_shapes(), dataset.output_types(), strict=True
        )
        self._columns = [column for column in described if not column[0].startswith(META)]

    def __iter__(self) -> DummyIterator:
        return self

    def __next__(self) -> Any:
        row = [np.zeros(shape, dtype) for _, shape, dtype in self._columns]
        if not self.output_numpy:
            from mindspore import (
                Tensor,  # with its methods; the pipelines themselves run without torch
            )

            row = [array if array.dtype.kind in "US" else Tensor.from_numpy(array) for array in row]
        names = [name for name, _, _ in self._columns]
        return row if self.mode == "tuple" else dict(zip(names, row, strict=True))
