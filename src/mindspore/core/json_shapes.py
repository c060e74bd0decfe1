"""Values of JSON texts as the types that annotations name: what has another shape is told, with its place."""

from __future__ import annotations

import functools
import math
import types
import typing
from collections.abc import Callable
from typing import Any

LARGEST = 2**62      # of whole numbers: sums of two have 64 bits

Maker = Callable[[Any], Any]


def made(kind: Any, value: Any) -> Any:
    """A value of a JSON text as a value of a type.

    Args:
        kind: None, bool, int, float (ints and finite floats), str, `Any`, lists, tuples (of lists), dicts with keys
            of type str, unions, and subclasses of NamedTuple, which lists stand for; later fields may be missing.
        value: The value.

    Raises:
        ValueError: It has another shape, or a number is not finite or too large.

    Examples:
        >>> from mindspore.core.json_shapes import made
        >>> made(dict[str, tuple[int, ...]], {"a": [1, 2]})
        {'a': (1, 2)}
    """
    return _maker(kind)(value)


@functools.cache
def _maker(kind: Any) -> Maker:
    """What makes values of a type; made once, since there may be millions."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return lambda value: value
    if kind in (bool, str, type(None)):
        return functools.partial(_plain, kind)
    if kind is int:
        return _whole
    if kind is float:
        return _number
    if origin in (typing.Union, types.UnionType):
        return functools.partial(_one_of, [_maker(one) for one in inner])
    if origin is list:
        return functools.partial(_list, _maker(inner[0]))
    if origin is dict and inner[0] is str:
        return functools.partial(_dict, _maker(inner[1]))
    if origin is tuple and inner[1:] == (...,):
        return functools.partial(_tuple, _maker(inner[0]))
    if origin is tuple:
        return functools.partial(_fields, tuple[Any, ...], [_maker(one) for one in inner], len(inner))
    hints = typing.get_type_hints(kind)
    needed = len(hints) - len(kind._field_defaults)
    return functools.partial(_fields, kind, [_maker(hints[name]) for name in kind._fields], needed)


def _plain(kind: type, value: Any) -> Any:
    return value if type(value) is kind else _wrong(kind.__name__, value)


def _whole(value: Any) -> int:
    return value if type(value) is int and -LARGEST < value < LARGEST else _wrong("whole number of 62 bits", value)


def _number(value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    return _whole(value) if type(value) is int else _wrong("number", value)


def _one_of(makers: list[Maker], value: Any) -> Any:
    for one in makers[:-1]:
        try:
            return one(value)
        except ValueError:
            continue
    return makers[-1](value)


def _list(maker: Maker, value: Any) -> list[Any]:
    return list(map(maker, value)) if type(value) is list else _wrong("list", value)


def _tuple(maker: Maker, value: Any) -> tuple[Any, ...]:
    return tuple(map(maker, value)) if type(value) is list else _wrong("list", value)


def _dict(maker: Maker, value: Any) -> dict[str, Any]:
    return {k: maker(v) for k, v in value.items()} if type(value) is dict else _wrong("object", value)


def _fields(kind: Any, makers: list[Maker], needed: int, value: Any) -> Any:
    if type(value) is not list or not needed <= len(value) <= len(makers):
        _wrong(f"list of {len(makers)} values", value)
    found = [maker(one) for maker, one in zip(makers, value, strict=False)]
    return kind(*found) if hasattr(kind, "_fields") else tuple(found)


def _wrong(wanted: str, value: Any) -> Any:
    raise ValueError(f"there must be a {wanted}, but there is {repr(value)[:80]}")
