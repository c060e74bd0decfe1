"""Conditions: the truth that decides `and`, `or`, `if`; that of a tensor chooses in the graph."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls.infix import as_bool, as_scalar, truth
from mindspore.compiler.frontend.control.branching import choose
from mindspore.compiler.frontend.values.conditional import ITSELF, STORED, distributed
from mindspore.ir import Node
from mindspore.ir.runtime import runtime


def condition(f: Any, e: ast.expr) -> Any:
    """The truth of an expression: a node with one element, or a bool."""
    if type(e) is ast.BoolOp:
        return truth(_shortcut(f, isinstance(e.op, ast.And), e.values, _as_condition))
    return truth(f.eval(e))


def bool_op(f: Any, e: ast.BoolOp) -> Any:
    """`a and b`, `a or b`: the operand that decides."""
    return _shortcut(f, isinstance(e.op, ast.And), e.values, lambda value: value)


def _shortcut(f: Any, all_of: bool, values: list[ast.expr], kept: Callable[[Any], Any]) -> Any:
    """The operand that decides `and` or `or`; `kept` makes of it what is wanted."""
    first = f.eval(values[0])
    if len(values) == 1:
        return first
    return _after(f, all_of, first, values, kept)


@distributed(STORED, STORED, ITSELF, STORED)
def _after(f: Any, all_of: bool, first: Any, values: list[ast.expr], kept: Callable[[Any], Any]) -> Any:
    test = truth(first)
    if type(test) is Node:                     # known in the branches that it chooses
        test = runtime.trace.known.get(id(test), test)
    if type(test) is not Node:
        return first if test != all_of else _shortcut(f, all_of, values[1:], kept)

    def rest() -> Any:
        return kept(_shortcut(f, all_of, values[1:], kept))

    def stop() -> Any:
        return kept(first)
    return choose(test, rest, stop) if all_of else choose(test, stop, rest)


def _as_condition(value: Any) -> Any:
    """An operand of a short circuit on a tensor: its truth, since only that can be chosen."""
    test = truth(value)
    if type(test) is not Node:
        return test
    return as_bool(as_scalar(test))


def if_exp(f: Any, e: ast.IfExp) -> Any:
    """`a if test else b`."""
    test = condition(f, e.test)
    if type(test) is not Node:
        return f.eval(e.body if test else e.orelse)
    return choose(test, lambda: f.eval(e.body), lambda: f.eval(e.orelse))
