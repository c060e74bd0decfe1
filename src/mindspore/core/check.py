"""Argument checks: one call each; they return the value, or raise, naming the place, what was expected and what came.

`owner` is the object that is checked or its name: "For 'Dense', the 'in_channels' must be ...".
"""
from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable
from typing import Any

from .errors import show

INT32_MAX = 2**31 - 1
LONGEST_NAME = 1024                  # characters of the name of a Parameter


def name_of(owner: Any) -> str:
    """The name that messages use for an owner."""
    return owner if isinstance(owner, str) else type(owner).__name__


def fail(error: type[Exception], owner: Any, name: str, wanted: str, value: Any) -> Exception:
    """That message as an exception."""
    tensor = hasattr(value, "shape") and hasattr(value, "dtype")
    shown = value if isinstance(value, numbers.Number) else show(value) if tensor else repr(value)
    return error(f"For '{name_of(owner)}', the '{name}' must be {wanted}, "
                 f"but got {shown} with type '{type(value).__name__}'.")


def integer(owner: Any, name: str, value: Any, low: int | None = None,
            high: int | None = None) -> int:
    """An int (not a bool) within [low, high]."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise fail(TypeError, owner, name, "an int", value)
    given: Any = value
    if (low is not None and given < low) or (high is not None and given > high):
        raise fail(ValueError, owner, name, f"an int {_range(low, high)}", value)
    return given if hasattr(value, "is_symbolic") else int(value)


def positive_int(owner: Any, name: str, value: Any) -> int:
    """An int greater than zero."""
    return integer(owner, name, value, 1)


def count(owner: Any, name: str, value: Any, low: int = 1) -> int:
    """An int that says how many of something are made, one after the other."""
    return integer(owner, name, value, low, INT32_MAX)


def non_negative_int(owner: Any, name: str, value: Any) -> int:
    """An int of zero or more."""
    return integer(owner, name, value, 0)


def number(owner: Any, name: str, value: Any, low: float | None = None,
           high: float | None = None, open_low: bool = False, open_high: bool = False) -> float:
    """A real number within the bounds; `open_low` and `open_high` exclude the bound."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise fail(TypeError, owner, name, "a number", value)
    given: Any = value
    under = low is not None and (given <= low if open_low else given < low)
    over = high is not None and (given >= high if open_high else given > high)
    if under or over or value != value:
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        wanted = f"a number in {left}{_bound(low, '-inf')}, {_bound(high, 'inf')}{right}"
        raise fail(ValueError, owner, name, wanted, value)
    return given  # an int stays an int


def floating(owner: Any, name: str, value: Any, *bounds: Any, **more: Any) -> float:
    """A float (ints are refused, as the public API documents) within the bounds of `number`."""
    if not isinstance(value, float):
        raise fail(TypeError, owner, name, "a float", value)
    return number(owner, name, value, *bounds, **more)


def non_negative_float(owner: Any, name: str, value: Any) -> float:
    """A float of zero or more."""
    return floating(owner, name, value, 0.0)


def positive_float(owner: Any, name: str, value: Any) -> float:
    """A float greater than zero."""
    return floating(owner, name, value, 0.0, open_low=True)


def boolean(owner: Any, name: str, value: Any) -> bool:
    """A bool."""
    return instance(owner, name, value, bool)


def string(owner: Any, name: str, value: Any) -> str:
    """A str."""
    return instance(owner, name, value, str)


def instance(owner: Any, name: str, value: Any, classes: type | tuple[type, ...]) -> Any:
    """An instance of one of the classes; a bool does not count as an int."""
    wanted = classes if isinstance(classes, tuple) else (classes,)
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        text = " or ".join(f"'{c.__name__}'" for c in wanted)
        raise fail(TypeError, owner, name, f"of type {text}", value)
    return value


def option(owner: Any, name: str, value: Any, options: Iterable[Any]) -> Any:
    """One of the options."""
    options = list(options)
    if value not in options:
        raise fail(ValueError, owner, name, f"one of {options}", value)
    return value


def ints(owner: Any, name: str, value: Any, count: int, low: int | None = None) -> tuple[int, ...]:
    """One int for all axes, or a tuple of `count` ints; always a tuple of `count`."""
    if isinstance(value, (tuple, list)):
        if len(value) != count:
            raise fail(ValueError, owner, name, f"an int or a tuple of {count} ints", value)
        return tuple([integer(owner, name, v, low) for v in value])
    return (integer(owner, name, value, low),) * count


def real(owner: Any, name: str, value: Any) -> Any:
    """A tensor of any kind that holds no complex numbers: a cast would drop their imaginary parts."""
    if value.dtype.is_complex:
        raise TypeError(f"For '{name_of(owner)}', the '{name}' must hold real numbers, but got {value.dtype}.")
    return value


def optional(
    check: Callable[..., Any], owner: Any, name: str, value: Any, *limits: Any, **options: Any
) -> Any:
    """None, or what `check` accepts."""
    return None if value is None else check(owner, name, value, *limits, **options)


def callable_(owner: Any, name: str, value: Any) -> Any:
    """Something that can be called."""
    if not callable(value):
        raise fail(TypeError, owner, name, "callable", value)
    return value


def names(owner: Any, name: str, value: Any) -> list[str]:
    """One name or a list of different ones, as a list; empty lists and names are refused."""
    value = [value] if isinstance(value, str) else value
    instance(owner, name, value, (list, tuple))
    for item in value:
        string(owner, name, item)
    if not value or "" in value:
        raise fail(ValueError, owner, name, "a list of names, not empty", value)
    if len(set(value)) < len(value):
        raise fail(ValueError, owner, name, "a list of different names", value)
    return list(value)


def folder(owner: Any, name: str, value: Any) -> str:
    """Path of a folder that exists and can be read."""
    return _readable(owner, name, value, "folder", os.path.isdir)


def file(owner: Any, name: str, value: Any) -> str:
    """Path of a file that exists and can be read."""
    return _readable(owner, name, value, "file", os.path.isfile)


def _readable(owner: Any, name: str, value: Any, what: str, is_it: Callable[[Any], bool]) -> str:
    instance(owner, name, value, (str, os.PathLike))
    if not is_it(value) or not os.access(value, os.R_OK):
        raise ValueError(
            f"For '{name_of(owner)}', the '{name}' must be a {what} that exists and can be read, "
            f"but got '{value}'."
        )
    return os.path.realpath(value)


def files(owner: Any, name: str, value: Any) -> list[str]:
    """Paths of one file or a list of files."""
    value = (
        [value]
        if isinstance(value, (str, os.PathLike))
        else instance(owner, name, value, (list, tuple))
    )
    if not value:
        raise fail(ValueError, owner, name, "a path or a list of paths, not empty", value)
    return [file(owner, name, path) for path in value]


def unsupported(owner: Any, name: str, value: Any, instead: str) -> None:
    """Refuse an option that cannot be honoured, naming what to do instead; its default, None, passes."""
    if value is not None:
        raise NotImplementedError(
            f"For '{name_of(owner)}', the '{name}' is not supported. {instead}"
        )


def _bound(value: float | None, default: str) -> str:
    return default if value is None else str(value)


def _range(low: int | None, high: int | None) -> str:
    return f"in [{_bound(low, '-inf')}, {_bound(high, 'inf')}]"
