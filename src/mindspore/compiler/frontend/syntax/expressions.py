"""Expressions: evaluated with real Python objects; what depends on a tensor becomes nodes."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls import infix
from mindspore.compiler.frontend.calls.attributes import get_attribute
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.protocols import iterated
from mindspore.compiler.frontend.objects.source import Closure
from mindspore.compiler.frontend.objects.state import as_keys
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.compiler.frontend.values.text import joined, shown
from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators.registry import REGISTRY

from .comprehensions import dict_comp, dict_of, generator, list_comp
from .conditions import bool_op, condition, if_exp
from .subscripts import slice_of, subscript


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
            result = now if result is True else _both(result, now)
        elif not now:
            return now
        else:
            result = now
        left = right
    return result


def _both(first: Any, second: Any) -> Any:
    """Two comparisons of a chain, of which the first must have a truth: the second if it holds, else the first."""
    infix.truth(first)
    shapes = [getattr(v, "shape", ()) for v in (first, second)]
    if shapes[0] != shapes[1]:
        raise GraphTypeError(f"The comparisons of a chain have the shapes {shapes[0]} and {shapes[1]}, and which of "
                             "them is the result depends on a tensor. Write them apart, joined by 'and'.")
    return REGISTRY["LogicalAnd"](first, second)


def _call(f: Any, e: ast.Call) -> Any:
    fn = f.eval(e.func)
    args = elements(f, e.args)
    kwargs: Any = {}
    for k in e.keywords:
        value = f.eval(k.value)
        if k.arg is not None and type(kwargs) is dict and k.arg not in kwargs:
            kwargs[k.arg] = value
        else:
            kwargs = _with_keywords(fn, kwargs, {k.arg: value} if k.arg else value)
    special = _FRAME_CALLS.get(fn) if type(fn) in (type, _BUILTIN) else None
    if special and not args and not kwargs:
        return special(f)
    return call(fn, in_tuple(args), kwargs)


@distributed(STORED, ITSELF)
def _with_keywords(fn: Any, kwargs: dict[str, Any], more: Any) -> dict[str, Any]:
    """Keyword arguments, and those of a `**mapping` behind them."""
    found = dict(kwargs)
    for key in more.keys():  # noqa: SIM118  # a mapping may iterate over something else
        if key in found:
            raise TypeError(f"{getattr(fn, '__qualname__', fn)}() got multiple values for keyword "
                            f"argument '{key}'")
        found[key] = more[key]
    return found


def _super(f: Any) -> Any:
    node, frame = f.fn.node, f
    while not hasattr(node, "args"):                  # inside a comprehension
        frame = frame.fn.scopes[0]
        node = frame.fn.node
    first = (*node.args.posonlyargs, *node.args.args)
    if f.fn.owner is None or not first:
        raise RuntimeError("super(): no arguments")
    return super(f.fn.owner, frame.local[first[0].arg])



def _globals(f: Any) -> dict[str, Any]:
    """`globals()`: of the names of the module, those that are asked for count."""
    scope, heap = f.module_names(), runtime.trace.heap
    heap.outside[id(scope)] = heap.watch.spared[id(scope)] = scope
    return scope


_BUILTIN = type(len)
_FRAME_CALLS = {super: _super, locals: lambda f: dict(f.local), vars: lambda f: dict(f.local),
                globals: _globals}


def elements(f: Any, parts: list[ast.expr]) -> Any:
    """The values of expressions, some of which may be starred: a list, or alternatives of lists."""
    out: Any = []
    for p in parts:
        if isinstance(p, ast.Starred):
            out = _longer(out, f.eval(p.value))
        elif type(out) is list:
            out.append(f.eval(p))
        else:
            out = _longer(out, [f.eval(p)])
    return out


@distributed(ITSELF)
def _longer(made: list[Any], more: Any) -> list[Any]:
    return [*made, *iterated(more)]


def _dict(f: Any, e: ast.Dict) -> Any:
    out: Any = {}
    items: list[Any] = []
    for k, v in zip(e.keys, e.values, strict=True):
        if k is None:
            out, items = _updated(_updated(out, dict_of(items)), f.eval(v)), []
        else:
            items.append((f.eval(k), f.eval(v)))
    return _updated(out, dict_of(items)) if out else dict_of(items)


@distributed(ITSELF)
def _updated(made: dict[Any, Any], more: Any) -> dict[Any, Any]:
    return made | dict(more)


def _walrus(f: Any, e: ast.NamedExpr) -> Any:
    value = f.eval(e.value)
    f.home.store(e.target.id, value)          # in a comprehension it binds in the function
    return value


def _formatted(f: Any, e: ast.FormattedValue) -> Any:
    value = f.eval(e.value)
    spec = f.eval(e.format_spec) if e.format_spec else ""
    return shown(value, e.conversion, spec)


def _joined(f: Any, e: ast.JoinedStr) -> Any:
    return joined("", [f.eval(v) for v in e.values])


def _lambda(f: Any, e: ast.Lambda) -> Closure:
    return f.closure(e)


in_tuple = distributed(ITSELF)(tuple)
_in_set = distributed(INSIDE)(lambda values: set(as_keys(values)))
_ON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Constant: lambda f, e: e.value,
    ast.Name: lambda f, e: f.load(e.id),
    ast.Attribute: lambda f, e: get_attribute(f.eval(e.value), e.attr),
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: bool_op, ast.Compare: _compare,
    ast.IfExp: if_exp, ast.Call: _call, ast.Subscript: subscript, ast.Slice: slice_of,
    ast.Tuple: lambda f, e: in_tuple(elements(f, e.elts)),
    ast.List: lambda f, e: elements(f, e.elts),
    ast.Set: lambda f, e: _in_set(elements(f, e.elts)),
    ast.Dict: _dict, ast.ListComp: list_comp, ast.GeneratorExp: generator,
    ast.SetComp: lambda f, e: _in_set(list_comp(f, e)),
    ast.DictComp: dict_comp,
    ast.NamedExpr: _walrus, ast.Lambda: _lambda, ast.FormattedValue: _formatted,
    ast.JoinedStr: _joined,
}
