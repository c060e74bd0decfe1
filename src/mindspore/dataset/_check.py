"""Checks of arguments that data pipelines add to those of `mindspore.core.check`, which are passed on from here."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mindspore.core.check import (
    boolean,
    fail,
    floating,
    instance,
    integer,
    name_of,
    number,
    option,
    string,
)

__all__ = [
    "INT32_MAX",
    "boolean",
    "callable_",
    "fail",
    "file",
    "files",
    "floating",
    "folder",
    "instance",
    "integer",
    "name_of",
    "names",
    "number",
    "option",
    "optional",
    "rowsize",
    "string",
    "unsupported",
]

INT32_MAX = 2**31 - 1


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
    """One column name or a list of different ones, as a list; empty lists and names are refused."""
    value = [value] if isinstance(value, str) else value
    instance(owner, name, value, (list, tuple))
    for item in value:
        string(owner, name, item)
    if not value or "" in value:
        raise fail(ValueError, owner, name, "a list of names, not empty", value)
    if len(set(value)) < len(value):
        raise fail(ValueError, owner, name, "a list of different names", value)
    return list(value)


def rowsize(owner: Any, value: Any) -> Any:
    """A size of shared memory in MB, -1 for one that grows, or such for inputs and outputs; it is not needed here."""
    for size in value if isinstance(value, list) else [value]:
        optional(integer, owner, "max_rowsize", size, -1, INT32_MAX)
    if isinstance(value, list) and len(value) != 2:
        raise fail(TypeError, owner, "max_rowsize", "an int or a list of two", value)
    return value


def folder(owner: Any, name: str, value: Any) -> str:
    """Path of a folder that exists and can be read."""
    instance(owner, name, value, (str, os.PathLike))
    if not os.path.isdir(value) or not os.access(value, os.R_OK):
        raise ValueError(
            f"For '{name_of(owner)}', the '{name}' must be a folder that exists and can be read, "
            f"but got '{value}'."
        )
    return os.path.realpath(value)


def file(owner: Any, name: str, value: Any) -> str:
    """Path of a file that exists and can be read."""
    instance(owner, name, value, (str, os.PathLike))
    if not os.path.isfile(value) or not os.access(value, os.R_OK):
        raise ValueError(
            f"For '{name_of(owner)}', the '{name}' must be a file that exists and can be read, "
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
