"""Local rules of arithmetic and of moves.  The first line of a docstring is the rule."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType
from mindspore.ir import Node
from mindspore.operators import arithmetic as a
from mindspore.operators import structure as s

from .simplify import rule


def _is(x: Any, value: float) -> bool:
    """Whether an operand is a constant: a Python number, or a tensor filled with one."""
    if type(x) is Node:
        return x.op is s.full and x.attrs["value"] == value
    return type(x) in (int, float, bool) and x == value


@rule(a.add)
def plus_zero(x: Any, y: Any) -> Any:
    """a + 0 => a"""
    return x if _is(y, 0) else y if _is(x, 0) else None


@rule(a.sub)
def minus_zero(x: Any, y: Any) -> Any:
    """a - 0 => a"""
    return x if _is(y, 0) else None


@rule(a.mul)
def times_one(x: Any, y: Any) -> Any:
    """a * 1 => a"""
    return x if _is(y, 1) else y if _is(x, 1) else None


@rule(a.div)
def over_one(x: Any, y: Any) -> Any:
    """a / 1 => a"""
    return x if _is(y, 1) else None


@rule(a.neg)
def double_negation(x: Node) -> Any:
    """-(-a) => a"""
    return x.inputs[0] if x.op is a.neg else None


@rule(s.identity)
def no_identity(x: Node) -> Any:
    """identity(a) => a"""
    return x


@rule(s.cast)
def no_cast(x: Node, *, dtype: DType) -> Any:
    """cast(a, dtype of a) => a"""
    return x               # the driver refuses it where the dtype is another one


@rule(s.reshape)
def reshaped_twice(x: Node, *, shape: tuple[int, ...]) -> Any:
    """reshape(reshape(a)) => reshape(a), unless `a` is a view that every reshape copies"""
    if x.op is s.reshape and (x.inputs[0].op not in (s.transpose, s.broadcast_to)
                              or x.inputs[0].shape == tuple(shape)):
        return s.reshape(x.inputs[0], shape=shape) if x.inputs[0].shape != tuple(shape) \
            else x.inputs[0]
    return x if x.shape == tuple(shape) else None


@rule(s.transpose)
def transposed_twice(x: Node, *, perm: tuple[int, ...]) -> Any:
    """transpose(transpose(a, p), q) => transpose(a, p o q)"""
    rank = len(perm)
    if all(p % rank == i for i, p in enumerate(perm)):
        return x
    if x.op is s.transpose:
        first = x.attrs["perm"]
        both = tuple([first[p % rank] % rank for p in perm])
        return x.inputs[0] if both == tuple(range(rank)) else s.transpose(x.inputs[0], perm=both)
    return None


@rule(s.sum_to)
def sum_of_same(x: Node, *, shape: tuple[int, ...]) -> Any:
    """sum_to(a, shape of a) => a"""
    return x if x.shape == tuple(shape) else None


@rule(s.broadcast_to)
def broadcast_of_same(x: Node, *, shape: tuple[int, ...]) -> Any:
    """broadcast_to(a, shape of a) => a"""
    return x if x.shape == tuple(shape) else None
