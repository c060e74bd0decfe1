"""Expressions: evaluated with real Python objects; what depends on a tensor becomes nodes."""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from mindspore.compiler.ir import Node
from mindspore.core.errors import GraphSyntaxError
from mindspore.core.tensor import Tensor

from .calls import call, get_attribute, set_attribute
from .merge import truth
from .source import Closure
from .state import lift

BINARY = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "MatMult": "matmul",
    "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow", "LShift": "lshift", "RShift": "rshift",
    "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}.items()}
INPLACE = {k: getattr(operator, "i" + f.__name__.strip("_")) for k, f in BINARY.items()}
COMPARE = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Gt": "gt", "Lt": "lt", "GtE": "ge", "LtE": "le", "Eq": "eq", "NotEq": "ne", "Is": "is_",
    "IsNot": "is_not"}.items()}


def evaluate(f: Any, e: ast.expr) -> Any:
    """The value of an expression in a frame."""
    try:
        on = _ON[type(e)]
    except KeyError:
        from .frame import unsupported       # frame imports this module
        raise unsupported(e) from None
    return on(f, e)


def augmented(op: type, old: Any, value: Any) -> Any:
    """`old op= value`: tensors give a new value, lists and other objects change in place."""
    if isinstance(old, (Node, Tensor)):
        return BINARY[op](lift(old), value)
    return INPLACE[op](old, value)


def _binary(f: Any, e: ast.BinOp) -> Any:
    return BINARY[type(e.op)](f.eval(e.left), f.eval(e.right))


def _unary(f: Any, e: ast.UnaryOp) -> Any:
    value = f.eval(e.operand)
    if isinstance(e.op, ast.Not):
        return negated(truth(value))
    return {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[
        type(e.op)](value)


def negated(test: Any) -> Any:
    """`not test`, of a bool or of a condition on a tensor."""
    if type(test) is not Node:
        return not test
    from mindspore.operators.registry import REGISTRY
    return REGISTRY["LogicalNot"](_as_bool(test))


def _as_bool(test: Node) -> Node:
    from mindspore.core.dtype import bool_
    from mindspore.operators.structure import cast
    return test if test.dtype is bool_ else cast(test, dtype=bool_)


def _bool_op(f: Any, e: ast.BoolOp) -> Any:
    return _shortcut(f, isinstance(e.op, ast.And), e.values)


def _shortcut(f: Any, all_of: bool, values: list[ast.expr]) -> Any:
    first = f.eval(values[0])
    if len(values) == 1:
        return first
    test = truth(first)
    if type(test) is not Node:
        return first if test != all_of else _shortcut(f, all_of, values[1:])
    from . import flow                        # flow imports frame, which imports this module
    rest = lambda: _as_condition(_shortcut(f, all_of, values[1:]))   # noqa: E731
    stop = lambda: _as_condition(first)                              # noqa: E731
    return flow.choose(f, test, rest, stop) if all_of else flow.choose(f, test, stop, rest)


def _as_condition(value: Any) -> Any:
    """An operand of a short circuit on a tensor: its truth, since only that can be chosen."""
    test = truth(value)
    if type(test) is not Node:
        return test
    from mindspore.operators.structure import reshape
    return _as_bool(reshape(test, shape=()) if test.shape else test)


def _compare(f: Any, e: ast.Compare) -> Any:
    left = f.eval(e.left)
    if len(e.ops) == 1:
        return _compare_one(e.ops[0], left, f.eval(e.comparators[0]))
    result: Any = True
    for op, expression in zip(e.ops, e.comparators, strict=True):
        right = f.eval(expression)
        now = _compare_one(op, left, right)
        if isinstance(result, Node) or isinstance(now, Node):
            from mindspore.operators.registry import REGISTRY
            result = now if result is True else REGISTRY["LogicalAnd"](result, now)
        elif not now:
            return now
        else:
            result = now
        left = right
    return result


def _compare_one(op: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _contains(right, left)
        return negated(found) if isinstance(op, ast.NotIn) else found
    return COMPARE[type(op)](left, right)


def _contains(holder: Any, value: Any) -> Any:
    if isinstance(value, (Node, Tensor)) and isinstance(holder, (list, tuple)):
        if any(v is value for v in holder):
            return True
        from mindspore.operators.registry import REGISTRY
        result: Any = False
        for v in holder:
            if isinstance(v, (Node, Tensor, int, float)):
                same = lift(value) == v
                result = same if result is False else REGISTRY["LogicalOr"](result, same)
        return result
    return value in holder


def _if_exp(f: Any, e: ast.IfExp) -> Any:
    test = truth(f.eval(e.test))
    if type(test) is not Node:
        return f.eval(e.body if test else e.orelse)
    from . import flow                        # as above
    return flow.choose(f, test, lambda: f.eval(e.body), lambda: f.eval(e.orelse))


def _call(f: Any, e: ast.Call) -> Any:
    fn = f.eval(e.func)
    args: list[Any] = []
    for a in e.args:
        if isinstance(a, ast.Starred):
            args += f.eval(a.value)
        else:
            args.append(f.eval(a))
    kwargs: dict[str, Any] = {}
    for k in e.keywords:
        if k.arg is None:
            kwargs |= f.eval(k.value)
        else:
            kwargs[k.arg] = f.eval(k.value)
    if fn is super and not args:
        return _super(f)
    if fn is locals:
        return dict(f.local)
    if fn is globals:
        return f.module_names()
    return call(fn, tuple(args), kwargs)


def _super(f: Any) -> Any:
    first = (*f.fn.node.args.posonlyargs, *f.fn.node.args.args)
    if f.fn.owner is None or not first:
        raise RuntimeError("super(): no arguments")
    return super(f.fn.owner, f.local[first[0].arg])


def _subscript(f: Any, e: ast.Subscript) -> Any:
    holder, index = f.eval(e.value), f.eval(e.slice)
    if isinstance(holder, Tensor):
        holder = lift(holder)
    return holder[index]


def _slice(f: Any, e: ast.Slice) -> slice:
    return slice(*[None if p is None else f.eval(p) for p in (e.lower, e.upper, e.step)])


def _elements(f: Any, parts: list[ast.expr]) -> list[Any]:
    out: list[Any] = []
    for p in parts:
        if isinstance(p, ast.Starred):
            out += f.eval(p.value)
        else:
            out.append(f.eval(p))
    return out


def _dict(f: Any, e: ast.Dict) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    for k, v in zip(e.keys, e.values, strict=True):
        if k is None:
            out |= f.eval(v)
        else:
            out[f.eval(k)] = f.eval(v)
    return out


def _comprehend(f: Any, e: Any, add: Callable[[], None]) -> None:
    """Run the generators of a comprehension in a scope of their own."""
    outside = f.local
    f.local = dict(outside)
    try:
        _generators(f, e.generators, add)
    finally:
        inside, f.local = f.local, outside
        for n in ast.walk(e):                 # the walrus binds in the function
            if isinstance(n, ast.NamedExpr) and n.target.id in inside:
                outside[n.target.id] = inside[n.target.id]


def _generators(f: Any, rest: list[ast.comprehension], add: Callable[[], None]) -> None:
    if not rest:
        return add()
    first, *more = rest
    for item in list(f.eval(first.iter)):
        f.assign(first.target, item)
        tests = [truth(f.eval(t)) for t in first.ifs]
        if any(type(t) is Node for t in tests):
            raise GraphSyntaxError("The condition of a comprehension depends on the content of a "
                                   "tensor, so the length of its result is unknown while compiling; "
                                   "use 'ops.where' or a mask.")
        if all(tests):
            _generators(f, more, add)
    return None


def _list_comp(f: Any, e: Any) -> list[Any]:
    out: list[Any] = []
    _comprehend(f, e, lambda: out.append(f.eval(e.elt)))
    return out


def _dict_comp(f: Any, e: ast.DictComp) -> dict[Any, Any]:
    out: dict[Any, Any] = {}

    def add() -> None:
        key = f.eval(e.key)
        out[key] = f.eval(e.value)
    _comprehend(f, e, add)
    return out


def _walrus(f: Any, e: ast.NamedExpr) -> Any:
    value = f.eval(e.value)
    f.store(e.target.id, value)
    return value


def _formatted(f: Any, e: ast.FormattedValue) -> str:
    value = f.eval(e.value)
    if isinstance(value, Node):
        raise GraphSyntaxError("An f-string shows the content of a tensor, which is not known while "
                               "compiling: use 'print(text, tensor)' or 'ops.Print'.")
    convert = {-1: lambda v: v, 115: str, 114: repr, 97: ascii}[e.conversion]
    return format(convert(value), f.eval(e.format_spec) if e.format_spec else "")


def _lambda(f: Any, e: ast.Lambda) -> Closure:
    return f.closure(e)


_ON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Constant: lambda f, e: e.value,
    ast.Name: lambda f, e: f.load(e.id),
    ast.Attribute: lambda f, e: get_attribute(f.eval(e.value), e.attr),
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _bool_op, ast.Compare: _compare,
    ast.IfExp: _if_exp, ast.Call: _call, ast.Subscript: _subscript, ast.Slice: _slice,
    ast.Tuple: lambda f, e: tuple(_elements(f, e.elts)),
    ast.List: lambda f, e: _elements(f, e.elts),
    ast.Set: lambda f, e: set(_elements(f, e.elts)),
    ast.Dict: _dict, ast.ListComp: _list_comp, ast.GeneratorExp: _list_comp,
    ast.SetComp: lambda f, e: set(_list_comp(f, e)), ast.DictComp: _dict_comp,
    ast.NamedExpr: _walrus, ast.Lambda: _lambda, ast.FormattedValue: _formatted,
    ast.JoinedStr: lambda f, e: "".join([f.eval(v) for v in e.values]),
}

__all__ = ["augmented", "call", "evaluate", "get_attribute", "negated", "set_attribute"]
