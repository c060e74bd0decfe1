"""Tests of a value's kind that tell a type checker of its elements, too: they may be anything."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

type_of: Callable[[Any], type[Any]] = type


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a tuple, also a named one."""
    return isinstance(value, tuple)


def is_sequence(value: object) -> TypeGuard[tuple[Any, ...] | list[Any]]:
    """Whether a value is a tuple or list."""
    return isinstance(value, (tuple, list))


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Whether a value is a dict."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[np.ndarray]:
    """Whether a value is an array of NumPy."""
    return isinstance(value, np.ndarray)
