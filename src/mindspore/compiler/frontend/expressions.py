"""Expressions: evaluated with real Python objects; what depends on a tensor becomes nodes."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindspore.compiler.ir import Node
from mindspore.core.errors import GraphSyntaxError
from mindspore.operators.registry import REGISTRY

from . import infix
from .attributes import get_attribute
from .calls import call
from .choice import each, items_of
from .comprehensions import dict_comp, generator, list_comp
from .conditions import bool_op, condition, if_exp
from .heap import Name
from .protocols import iterated
from .source import Closure
from .state import Trace, as_key, as_keys
from .subscripts import slice_of, subscript
from .text import joined, shown


def evaluate(f: Any, e: ast.expr) -> Any:
    """The value of an expression in a frame."""
    try:
        on = _ON[type(e)]
    except KeyError:
        raise unsupported(e) from None
    return on(f, e)


def unsupported(s: ast.AST) -> Exception:
    """The error for a construct that graph mode does not take."""
    what = type(s).__name__
    remedy = _REMEDIES.get(what, "Move it out of the compiled function, or run in PyNative mode.")
    return GraphSyntaxError(f"Graph mode does not take the Python construct '{what}'. {remedy}")


_REMEDIES = {
    "TryStar": "Use 'except' without a star.",
    "Yield": "Bind its value to a name in a statement of its own.",
    "YieldFrom": "Bind its value to a name in a statement of its own.",
    "Await": "Call the coroutine outside of the compiled function.",
}


def _binary(f: Any, e: ast.BinOp) -> Any:
    return infix.binary(type(e.op), f.eval(e.left), f.eval(e.right))


def _unary(f: Any, e: ast.UnaryOp) -> Any:
    if isinstance(e.op, ast.Not):
        return infix.negated(condition(f, e.operand))
    return infix.unary(type(e.op), f.eval(e.operand))


def _compare(f: Any, e: ast.Compare) -> Any:
    left = f.eval(e.left)
    if len(e.ops) == 1:
        return infix.compare(e.ops[0], left, f.eval(e.comparators[0]))
    result: Any = True
    for op, expression in zip(e.ops, e.comparators, strict=True):
        right = f.eval(expression)
        now = infix.compare(op, left, right)
        if isinstance(result, Node) or isinstance(now, Node):
            result = now if result is True else REGISTRY["LogicalAnd"](result, now)
        elif not now:
            return now
        else:
            result = now
        left = right
    return result


def _call(f: Any, e: ast.Call) -> Any:
    fn = f.eval(e.func)
    args = elements(f, e.args)
    kwargs: dict[str, Any] = {}
    for k in e.keywords:
        if k.arg is not None:
            kwargs[k.arg] = f.eval(k.value)
            continue
        more = f.eval(k.value)
        for key in more:
            if key in kwargs:
                raise TypeError(f"{getattr(fn, '__qualname__', fn)}() got multiple values for keyword "
                                f"argument '{key}'")
            kwargs[key] = more[key]
    special = _FRAME_CALLS.get(fn) if type(fn) in (type, _BUILTIN) else None
    if special and not args and not kwargs:
        return special(f)
    return call(fn, tuple(args), kwargs)


def _super(f: Any) -> Any:
    node, frame = f.fn.node, f
    while not hasattr(node, "args"):                  # inside a comprehension
        frame = frame.fn.scopes[0]
        node = frame.fn.node
    first = (*node.args.posonlyargs, *node.args.args)
    if f.fn.owner is None or not first:
        raise RuntimeError("super(): no arguments")
    return super(f.fn.owner, frame.local[first[0].arg])


_BUILTIN = type(len)
_FRAME_CALLS = {super: _super, locals: lambda f: dict(f.local), vars: lambda f: dict(f.local),
                globals: lambda f: f.module_names()}


def elements(f: Any, parts: list[ast.expr]) -> list[Any]:
    """The values of expressions, some of which may be starred."""
    out: list[Any] = []
    for p in parts:
        if isinstance(p, ast.Starred):
            out.extend(iterated(items_of(f.eval(p.value))))
        else:
            out.append(f.eval(p))
    return out


def _dict(f: Any, e: ast.Dict) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    for k, v in zip(e.keys, e.values, strict=True):
        if k is None:
            out |= f.eval(v)
        else:
            key = as_key(out, f.eval(k), True)      # before the value, as in Python
            out[key] = f.eval(v)
    return out


def _walrus(f: Any, e: ast.NamedExpr) -> Any:
    value = f.eval(e.value)
    if f.home is f:
        f.store(e.target.id, value)
    else:                                     # in a comprehension it binds in the function
        Trace.current.heap.write(Name(f.home, e.target.id), value)
    return value


def _formatted(f: Any, e: ast.FormattedValue) -> Any:
    value = f.eval(e.value)
    spec = f.eval(e.format_spec) if e.format_spec else ""
    return each(lambda v: shown(v, e.conversion, spec), value)


def _joined(f: Any, e: ast.JoinedStr) -> Any:
    return each(lambda *parts: joined("", parts), *[f.eval(v) for v in e.values])


def _lambda(f: Any, e: ast.Lambda) -> Closure:
    return f.closure(e)


_ON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Constant: lambda f, e: e.value,
    ast.Name: lambda f, e: f.load(e.id),
    ast.Attribute: lambda f, e: get_attribute(f.eval(e.value), e.attr),
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: bool_op, ast.Compare: _compare,
    ast.IfExp: if_exp, ast.Call: _call, ast.Subscript: subscript, ast.Slice: slice_of,
    ast.Tuple: lambda f, e: tuple(elements(f, e.elts)),
    ast.List: lambda f, e: elements(f, e.elts),
    ast.Set: lambda f, e: set(as_keys(elements(f, e.elts))),
    ast.Dict: _dict, ast.ListComp: list_comp, ast.GeneratorExp: generator,
    ast.SetComp: lambda f, e: each(lambda v: set(as_keys(v)), list_comp(f, e)), ast.DictComp: dict_comp,
    ast.NamedExpr: _walrus, ast.Lambda: _lambda, ast.FormattedValue: _formatted,
    ast.JoinedStr: _joined,
}
