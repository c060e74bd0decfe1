"""What `x.max(1)` gives: a pair, as in 2.10, that means its values where programs of 1.x take it for a tensor."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor")
_COMPARE = ("lt", "le", "gt", "ge", "eq", "ne")
_UNARY = ("neg", "pos", "abs", "invert")
_TUPLE: Any = tuple                                  # so that the parts are of any type for the checker, too
_part: Callable[[Any, Any], Any] = _TUPLE.__getitem__
_OF_TUPLES = frozenset(["add", *_COMPARE])          # what tuples do with tuples


class _Pair(NamedTuple):
    values: Any
    indices: Any


class ValuesAndIndices(_Pair):
    """Extremes along an axis, and where they stand.

    It unpacks, counts, and is indexed as the tuple of the two.  Arithmetic, comparisons with anything but another
    tuple, indices that tuples do not take, and the attributes of tensors are those of the values; an operator that
    gets it computes with the values.
    """

    __slots__ = ()
    __hash__ = _TUPLE.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "aval":          # by which the library tells tensors from others
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self[0], name)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, slice)) or (getattr(index, "shape", None) == () and index.dtype.kind in "iu"):
            return _part(self, index)
        return _part(self, 0)[index]

    def as_tensor(self) -> Any:
        """The values, which a function that refuses tuples gets instead."""
        return _part(self, 0)

    def __repr__(self) -> str:
        return repr(_TUPLE(self))

    def __float__(self) -> float:
        return float(self[0])

    def __int__(self) -> int:
        return int(self[0])


def values_of(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Inputs of an operator, with the values in the place of pairs."""
    return tuple([x.as_tensor() if type(x) is ValuesAndIndices else x for x in inputs])


def _values(x: Any) -> Any:
    return x.as_tensor() if type(x) is ValuesAndIndices else x


def _binary(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    run = getattr(operator, name)
    of_tuples = getattr(_TUPLE, f"__{name}__") if name in _OF_TUPLES else None

    def forward(self: Any, other: Any) -> Any:
        if of_tuples is not None and isinstance(other, _TUPLE) and type(other) is not ValuesAndIndices:
            return of_tuples((*self,), other)
        return run(self[0], _values(other))

    def backward(self: Any, other: Any) -> Any:
        if of_tuples is not None and isinstance(other, _TUPLE):
            return of_tuples(other, (*self,))
        if isinstance(other, list):          # Python asks here before `list += tuple` extends the list
            return NotImplemented
        return run(other, self[0])
    return forward, backward


def _unary(name: str) -> Callable[[Any], Any]:
    run = getattr(operator, name)
    return lambda self: run(self[0])


def _install() -> None:
    for name in (*_BINARY, *_COMPARE):
        forward, backward = _binary(name)
        setattr(ValuesAndIndices, f"__{name.strip('_')}__", forward)
        if name in _BINARY:
            setattr(ValuesAndIndices, f"__r{name.strip('_')}__", backward)
    for name in _UNARY:
        setattr(ValuesAndIndices, f"__{name}__", _unary(name))


_install()
