"""Exception classes and the helpers that word messages."""
from __future__ import annotations

import pickle
from typing import Any

_LONG = 400  # characters of foreign content in a message


class GraphSyntaxError(NotImplementedError):
    """A Python construct that graph mode does not take; the message names it and a remedy."""


class GraphTypeError(TypeError):
    """Values of different kinds where a graph needs one, as at the end of the two branches of an `if` on a tensor."""


class GraphValueError(ValueError):
    """A value that has to be known while compiling but depends on the content of a tensor."""


class UnknownExtent(GraphValueError):
    """A result whose shape depends on elements that are not known while compiling."""


class ShapeError(ValueError, RuntimeError):
    """Shapes or axes that do not fit, where the original raises a RuntimeError: caught as either."""


class CheckpointError(ValueError):
    """A checkpoint file that is truncated, corrupt or of another format."""


class ModelError(ValueError, RuntimeError):
    """A file of a graph that is truncated, corrupt, encrypted otherwise or of another format."""


class ArgumentError(ValueError, RuntimeError):
    """A wrong value where programs may also catch RuntimeError, as an operator's kernel raised it."""


def transferable(error: BaseException) -> BaseException:
    """The error, if another process can read it from a pipe; else a RuntimeError that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever a class of the program raises while it is written or made again
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def show(value: Any) -> str:
    """A value in a message: tensors as dtype and shape, the rest as Python writes it."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is not None and dtype is not None and hasattr(dtype, "short"):
        return f"{dtype.short}[{','.join([getattr(n, 'text', None) or str(n) for n in shape])}]"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def shortened(value: Any) -> str:
    """A text for a message, which shows the beginning and the end of a very long one, as of damaged files."""
    text = str(value)
    return text if len(text) <= _LONG else f"{text[: _LONG // 2]} ... {text[-_LONG // 2 :]}"


def kind(value: Any) -> str:
    """The type of a value in a message."""
    return type(value).__name__
