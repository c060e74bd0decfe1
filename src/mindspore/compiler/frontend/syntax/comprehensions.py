"""Comprehensions and generator expressions: loops in a scope of their own."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.compiler.frontend.calls.protocols import iterated
from mindspore.compiler.frontend.control.generators import Expression
from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.compiler.frontend.objects.source import Closure
from mindspore.compiler.frontend.objects.state import as_key
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.core.errors import GraphSyntaxError
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from .conditions import condition


def _comprehend(f: Any, e: Any, collect: Callable[[Any, Iterator[None]], Any]) -> Any:
    """Run the generators of a comprehension in a scope of their own.

    `collect(scope, steps)` makes the result; the targets are bound anew after each step.
    """
    return _over(f, e, collect, f.eval(e.generators[0].iter))


@distributed(STORED, STORED, STORED, ITSELF)
def _over(f: Any, e: Any, collect: Callable[[Any, Iterator[None]], Any], items: Any) -> Any:
    inner = _scope(f, e)
    active = runtime.trace.active
    active.append((None, 0, inner))
    try:
        return collect(inner, _generators(inner, e.generators, items))
    finally:
        active.pop()


def _scope(f: Any, e: Any) -> Any:
    inner = interpreter.frame(Closure(e, [f, *f.fn.scopes], f.fn.file, f"{f.fn.name}.<comprehension>", {}, f.fn.owner))
    inner.around = f.home
    return inner


def generator(f: Any, e: ast.GeneratorExp) -> Any:
    """`(elt for ...)`: the first iterable is evaluated at once, the rest as values are asked for."""
    inner, first = _scope(f, e), iter(iterated(f.eval(e.generators[0].iter)))
    return Expression(inner, (inner.eval(e.elt) for _ in _generators(inner, e.generators, first)))


def _generators(f: Any, rest: list[ast.comprehension], items: Any) -> Iterator[None]:
    """Bind the targets again and again; the element is computed after each step."""
    one, *more = rest
    for value in iterated(items):
        f.assign(one.target, value)
        if not all(_kept(f, t) for t in one.ifs):
            continue
        if more:
            yield from _generators(f, more, f.eval(more[0].iter))
        else:
            yield


def _kept(f: Any, e: ast.expr) -> bool:
    test = condition(f, e)
    if type(test) is Node:
        raise GraphSyntaxError("The condition of a comprehension depends on the content of a tensor, so "
                               "the length of its result is unknown while compiling; use 'ops.where' "
                               "or a mask.")
    return test


def list_comp(f: Any, e: Any) -> list[Any]:
    """`[elt for ...]`."""
    return _comprehend(f, e, lambda inner, steps: [inner.eval(e.elt) for _ in steps])


def dict_comp(f: Any, e: ast.DictComp) -> dict[Any, Any]:
    """`{key: value for ...}`."""
    return _comprehend(f, e, lambda inner, steps: dict_of(
        [(inner.eval(e.key), inner.eval(e.value)) for _ in steps]))


def dict_of(items: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The dict of some keys and values."""
    return _zipped([key for key, _ in items], [value for _, value in items])


@distributed(INSIDE, STORED)
def _zipped(keys: list[Any], values: list[Any]) -> dict[Any, Any]:
    return dict(zip([as_key((), k, True) for k in keys], values, strict=True))
