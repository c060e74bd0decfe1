"""Expressions: evaluated with real Python objects; what depends on a tensor becomes nodes."""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.compiler.ir import Node
from mindspore.core.errors import GraphSyntaxError
from mindspore.core.tensor import Tensor
from mindspore.operators.registry import REGISTRY

from .aliasing import is_same
from .calls import call, delete_attribute, get_attribute, iterated, set_attribute, user_method
from .choice import Choice, each, items_of
from .heap import CONTAINERS, Contents
from .merge import truth as _truth
from .source import Closure
from .state import Trace, as_key, lift
from .text import Text, shown, with_nodes, written

BINARY = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "MatMult": "matmul",
    "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow", "LShift": "lshift", "RShift": "rshift",
    "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}.items()}
INPLACE = {k: getattr(operator, "i" + f.__name__.strip("_")) for k, f in BINARY.items()}
COMPARE = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Gt": "gt", "Lt": "lt", "GtE": "ge", "LtE": "le", "Eq": "eq", "NotEq": "ne"}.items()}


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


def truth(value: Any) -> Any:
    """A condition as a node with one element, or as a Python bool."""
    if type(value) is Choice:
        return each(truth, value)
    method = user_method(value, "__bool__")
    return _truth(method() if method else value)


def augmented(op: type, old: Any, value: Any) -> Any:
    """`old op= value`: tensors give a new value, lists and other objects change in place."""
    if isinstance(old, (Node, Tensor)):
        return binary(op, lift(old), value)
    if type(old) is Choice or type(value) is Choice:
        return each(lambda a, b: augmented(op, a, b), old, value)
    if isinstance(old, CONTAINERS):
        Trace.current.heap.touch(Contents(old))
        return INPLACE[op](old, value)
    method = user_method(old, f"__{INPLACE[op].__name__}__")
    if method:
        return method(value)
    return binary(op, old, value)


def _binary(f: Any, e: ast.BinOp) -> Any:
    return binary(type(e.op), f.eval(e.left), f.eval(e.right))


def binary(op: type, x: Any, y: Any) -> Any:
    """`x op y`."""
    if type(x) is str and op is ast.Mod:
        return written(lambda: x % with_nodes(y))
    if (type(x) is Node or (type(x) in _PLAIN and type(y) in _PLAIN)) and type(y) is not Choice:
        return BINARY[op](x, y)
    if type(x) is Choice or type(y) is Choice:
        return each(lambda a, b: binary(op, a, b), x, y)
    if isinstance(x, Tensor) or isinstance(y, Tensor):
        return BINARY[op](lift(x), lift(y))
    name = BINARY[op].__name__.strip("_")
    for one, other, way in ((x, y, f"__{name}__"), (y, x, f"__r{name}__")):
        method = user_method(one, way)
        if method:
            found = method(other)
            if found is not NotImplemented:
                return found
    return BINARY[op](x, y)


_PLAIN = (Node, int, float, bool, str, list, tuple)


def _unary(f: Any, e: ast.UnaryOp) -> Any:
    if isinstance(e.op, ast.Not):
        return negated(condition(f, e.operand))
    value = f.eval(e.operand)
    if type(value) is Choice:
        return each(UNARY[type(e.op)], value)
    method = user_method(value, f"__{UNARY[type(e.op)].__name__}__")
    return method() if method else UNARY[type(e.op)](lift(value))


UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}


def negated(test: Any) -> Any:
    """`not test`, of a bool or of a condition on a tensor."""
    if type(test) is not Node:
        return not test
    return REGISTRY["LogicalNot"](_as_bool(test))


def _as_bool(test: Node) -> Node:
    from mindspore.core.dtype import bool_
    from mindspore.operators.structure import cast
    return test if test.dtype is bool_ else cast(test, dtype=bool_)


def condition(f: Any, e: ast.expr) -> Any:
    """The truth of an expression: a node with one element, or a bool."""
    if type(e) is ast.BoolOp:
        return truth(_shortcut(f, isinstance(e.op, ast.And), e.values, _as_condition))
    return truth(f.eval(e))


def _bool_op(f: Any, e: ast.BoolOp) -> Any:
    return _shortcut(f, isinstance(e.op, ast.And), e.values, lambda value: value)


def _shortcut(f: Any, all_of: bool, values: list[ast.expr], kept: Callable[[Any], Any]) -> Any:
    """The operand that decides `and` or `or`; `kept` makes of it what is wanted."""
    first = f.eval(values[0])
    if len(values) == 1:
        return first
    if type(first) is Choice:
        return each(lambda one: _after(f, all_of, one, values, kept), first)
    return _after(f, all_of, first, values, kept)


def _after(f: Any, all_of: bool, first: Any, values: list[ast.expr], kept: Callable[[Any], Any]) -> Any:
    test = truth(first)
    if type(test) is Node:                     # known in the arms of a condition on itself
        test = Trace.current.known.get(id(test), test)
    if type(test) is not Node:
        return first if test != all_of else _shortcut(f, all_of, values[1:], kept)
    from . import flow  # flow imports frame, which imports this module
    rest = lambda: kept(_shortcut(f, all_of, values[1:], kept))      # noqa: E731
    stop = lambda: kept(first)                                       # noqa: E731
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
                result = now if result is True else REGISTRY["LogicalAnd"](result, now)
        elif not now:
            return now
        else:
            result = now
        left = right
    return result


def _compare_one(op: ast.cmpop, left: Any, right: Any) -> Any:
    if type(left) is Choice or type(right) is Choice:
        return each(lambda a, b: _compare_one(op, a, b), left, right)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _contains(right, left)
        return negated(found) if isinstance(op, ast.NotIn) else found
    if isinstance(op, (ast.Is, ast.IsNot)):
        return is_same(left, right) == isinstance(op, ast.Is)
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        left, right = lift(left), lift(right)
    elif type(left) not in _PLAIN:
        method = user_method(left, f"__{COMPARE[type(op)].__name__}__")
        found = method(right) if method else NotImplemented
        if found is not NotImplemented:
            return found
    return COMPARE[type(op)](left, right)


def _contains(holder: Any, value: Any) -> Any:
    if isinstance(holder, (Node, Tensor)):
        return lift(holder).__contains__(value) if not isinstance(value, (Node, Tensor, int, float)) \
            else REGISTRY["ReduceAny"](lift(holder) == value)
    tensors = isinstance(value, (Node, Tensor))
    if isinstance(holder, (list, tuple)) and (
            tensors or any(isinstance(v, (Node, Tensor)) for v in holder)):
        result: Any = False
        for v in holder:
            if is_same(v, value):
                return True
            if isinstance(v, (Node, Tensor)) or (tensors and isinstance(v, (int, float))):
                same = truth(lift(value) == lift(v))
                result = same if result is False else REGISTRY["LogicalOr"](result, same)
            elif not tensors and v == value:
                return True
        return result
    if isinstance(holder, (dict, set, frozenset)):
        value = as_key(holder, value)
    method = user_method(holder, "__contains__")
    return method(value) if method else value in holder


def _if_exp(f: Any, e: ast.IfExp) -> Any:
    test = condition(f, e.test)
    if type(test) is not Node:
        return f.eval(e.body if test else e.orelse)
    from . import flow  # as above
    return flow.choose(f, test, lambda: f.eval(e.body), lambda: f.eval(e.orelse))


def _call(f: Any, e: ast.Call) -> Any:
    fn = f.eval(e.func)
    args: list[Any] = []
    for a in e.args:
        if isinstance(a, ast.Starred):
            args.extend(iterated(items_of(f.eval(a.value))))
        else:
            args.append(f.eval(a))
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
_FRAME_CALLS = {super: _super, locals: lambda f: dict(f.local), globals: lambda f: f.module_names()}


def _subscript(f: Any, e: ast.Subscript) -> Any:
    watch = Trace.current.heap.watch
    sparing, root = watch.sparing, e.value
    while type(root) is ast.Attribute or type(root) is ast.Subscript:
        root = root.value
    watch.sparing = type(root) is ast.Name       # the container is asked for one element: only this counts
    try:
        holder = f.eval(e.value)
        watch.sparing = False
        index = f.eval(e.slice)
    finally:
        watch.sparing = sparing
    return item(holder, index)


def item(holder: Any, index: Any) -> Any:
    """`holder[index]`."""
    kind = type(holder)
    if kind is Choice or type(index) is Choice:
        return each(item, holder, index)
    if isinstance(holder, Tensor):
        return lift(holder)[index]
    if kind is Node or kind in _PLAIN:
        if kind is list:
            return _of_list(holder, index)
        return _chosen(holder, index) if kind is tuple and type(index) is Node else holder[index]
    method = user_method(holder, "__getitem__")
    if method:
        return method(index)
    if type(index) is Node and getattr(kind, "chosen_by_tensors", False):
        return _chosen(list(holder), index)
    if isinstance(holder, dict):
        index = as_key(holder, index)
    return _noted(holder, index, holder[index])


def _of_list(holder: list[Any], index: Any) -> Any:
    if type(index) is Node:
        Trace.current.heap.note(holder)
        return _chosen(holder, index)
    return _noted(holder, index, holder[index])


def _noted(holder: Any, index: Any, value: Any) -> Any:
    """An element, with a note that the graph depends on it if the holder is of the outside world."""
    heap = Trace.current.heap
    if id(holder) in heap.watch.spared:
        made = (id(holder), None) in heap.watch.changed
        if type(index) is slice:
            heap.watch.sparing = False
            heap.note(holder)
        elif not made:
            heap.watch.place(holder, index, value)
            if type(value) is Tensor:
                heap.watch.tensor(value, holder, index)
    if type(value) not in _PLAIN[:-2] and id(holder) in heap.outside:
        heap.note(value, (id(holder), None) in heap.watch.changed)
    return value


def _chosen(holder: Any, index: Node) -> Any:
    """The element of a list or tuple at an index that is a tensor: a chain of conditions."""
    from . import flow  # flow imports frame, which imports this module
    count = len(holder)
    if index.size != 1 or index.dtype.kind not in "iu":
        raise TypeError(f"An element of a {type(holder).__name__} is chosen by one integer, but got a "
                        f"tensor {index.aval}.")
    if not count:
        raise IndexError(f"{type(holder).__name__} index out of range")
    from .effects import check  # loads the operators of effects
    place: Any = _as_scalar(index)
    inside = REGISTRY["LogicalAnd"](place >= -count, place < count)
    check(inside, IndexError(f"{type(holder).__name__} index out of range"))

    def pick(at: int) -> Any:
        if at == count - 1:
            return holder[at]
        here = REGISTRY["LogicalOr"](place == at, place == at - count)
        return flow.choose(None, here, lambda: holder[at], lambda: pick(at + 1))
    return pick(0)


def _as_scalar(node: Node) -> Node:
    from mindspore.operators.structure import reshape
    return reshape(node, shape=()) if node.shape else node


def _slice(f: Any, e: ast.Slice) -> slice:
    return slice(*[None if p is None else f.eval(p) for p in (e.lower, e.upper, e.step)])


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
            out[f.eval(k)] = f.eval(v)
    return out


def _comprehend(f: Any, e: Any, collect: Callable[[Any, Iterator[None]], Any]) -> Any:
    """Run the generators of a comprehension in a scope of their own.

    `collect(scope, steps)` makes the result; the targets are bound anew after each step.
    """
    trace = Trace.current

    def over(items: Any) -> Any:
        inner = _scope(f, e)
        trace.active.append((None, 0, inner))
        try:
            return collect(inner, _generators(inner, e.generators, items))
        finally:
            trace.active.pop()
    return each(over, f.eval(e.generators[0].iter))


def _scope(f: Any, e: Any) -> Any:
    from .frame import Frame  # frame imports this module
    inner = Frame(Closure(e, [f, *f.fn.scopes], f.fn.file, f"{f.fn.name}.<comprehension>", {}, f.fn.owner))
    inner.around = f.home
    return inner


def _generator(f: Any, e: ast.GeneratorExp) -> Any:
    from .generators import Expression  # generators stands on frames
    inner, first = _scope(f, e), iter(iterated(items_of(f.eval(e.generators[0].iter))))
    return Expression(inner, (inner.eval(e.elt) for _ in _generators(inner, e.generators, first)))


def _generators(f: Any, rest: list[ast.comprehension], items: Any) -> Iterator[None]:
    """Bind the targets again and again; the element is computed after each step."""
    one, *more = rest
    for value in iterated(items_of(items)):
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


def _list_comp(f: Any, e: Any) -> list[Any]:
    return _comprehend(f, e, lambda inner, steps: [inner.eval(e.elt) for _ in steps])


def _dict_comp(f: Any, e: ast.DictComp) -> dict[Any, Any]:
    return _comprehend(f, e, lambda inner, steps: {inner.eval(e.key): inner.eval(e.value) for _ in steps})


def _walrus(f: Any, e: ast.NamedExpr) -> Any:
    value = f.eval(e.value)
    if f.home is f:
        f.store(e.target.id, value)
    else:                                     # in a comprehension it binds in the function
        from .heap import Name
        Trace.current.heap.write(Name(f.home, e.target.id), value)
    return value


def _formatted(f: Any, e: ast.FormattedValue) -> Any:
    value = f.eval(e.value)
    spec = f.eval(e.format_spec) if e.format_spec else ""
    return each(lambda v: shown(v, e.conversion, spec), value)


def _joined(f: Any, e: ast.JoinedStr) -> Any:
    parts = [f.eval(v) for v in e.values]
    return Text.of(parts) if any(type(p) is Text for p in parts) else "".join(parts)


def _lambda(f: Any, e: ast.Lambda) -> Closure:
    return f.closure(e)


_ON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Constant: lambda f, e: e.value,
    ast.Name: lambda f, e: f.load(e.id),
    ast.Attribute: lambda f, e: get_attribute(f.eval(e.value), e.attr),
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.BoolOp: _bool_op, ast.Compare: _compare,
    ast.IfExp: _if_exp, ast.Call: _call, ast.Subscript: _subscript, ast.Slice: _slice,
    ast.Tuple: lambda f, e: tuple(elements(f, e.elts)),
    ast.List: lambda f, e: elements(f, e.elts),
    ast.Set: lambda f, e: set(elements(f, e.elts)),
    ast.Dict: _dict, ast.ListComp: _list_comp, ast.GeneratorExp: _generator,
    ast.SetComp: lambda f, e: each(set, _list_comp(f, e)), ast.DictComp: _dict_comp,
    ast.NamedExpr: _walrus, ast.Lambda: _lambda, ast.FormattedValue: _formatted,
    ast.JoinedStr: _joined,
}

__all__ = ["augmented", "call", "condition", "delete_attribute", "elements", "evaluate", "get_attribute", "item",
           "negated", "set_attribute", "truth", "unsupported"]
