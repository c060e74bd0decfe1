"""Loops as primitives: a body that is a function, and what it carries from pass to pass."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.errors import kind

from .linearised import invoke
from .primitive import composed


def _as_of_a_program(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the front end walk a function as it walks a program's: loops on tensors become nodes."""
    function.__module__ = "loops_of_a_program"
    return function


@_as_of_a_program
def _while(test: Callable[[Any], Any], body: Callable[[Any], Any], value: Any) -> Any:
    while test(value):
        value = body(value)
    return value


@_as_of_a_program
def _for(lower: int, upper: int, body: Callable[[Any, Any], Any], value: Any) -> Any:
    for i in range(lower, upper):
        value = body(i, value)
    return value


@_as_of_a_program
def _scan(body: Callable[[Any, Any], Any], value: Any, items: Sequence[Any]) -> tuple[Any, list[Any]]:
    found = []
    for item in items:
        value, result = body(value, item)
        found.append(result)
    return value, found


@composed("WhileLoop()(cond_func, loop_func, init_val)")
def _while_loop(cond_func: Any, loop_func: Any, init_val: Any) -> Any:
    """`init_val` after `loop_func` was applied to it while `cond_func` of it is true."""
    check.callable_("WhileLoop", "cond_func", cond_func)
    check.callable_("WhileLoop", "loop_func", loop_func)
    return invoke(_while, (cond_func, loop_func, init_val))


@composed("ForiLoop()(lower, upper, loop_func, init_val, unroll=True)")
def _fori_loop(lower: Any, upper: Any, loop_func: Any, init_val: Any, unroll: bool = True) -> Any:
    """`init_val` after `loop_func(i, value)` for i from `lower` to `upper`; the compiler decides what it unrolls."""
    check.callable_("ForiLoop", "loop_func", loop_func)
    check.boolean("ForiLoop", "unroll", unroll)
    return invoke(_for, (lower, upper, loop_func, init_val))


@composed("Scan()(loop_func, init, xs, length=None, unroll=True)")
def _scanned(loop_func: Any, init: Any, xs: Any, length: Any = None, unroll: bool = True) -> Any:
    """What `value, result = loop_func(value, x)` leaves for the elements of `xs`, and the list of results."""
    check.callable_("Scan", "loop_func", loop_func)
    check.boolean("Scan", "unroll", unroll)
    if xs is None:
        items: Any = [None] * check.non_negative_int("Scan", "length", length)
    elif not isinstance(xs, (tuple, list)):
        raise TypeError(f"For 'Scan', the 'xs' must be a tuple, a list or None, but got {kind(xs)}.")
    elif length is not None and length != len(xs):
        raise ValueError(f"For 'Scan', the 'length' must be that of the 'xs', {len(xs)}, but got {length}.")
    else:
        items = xs
    return invoke(_scan, (loop_func, init, items))


__all__: list[str] = []
