"""Operators of the language on values of any kind: arithmetic, comparison, membership, truth."""
from __future__ import annotations

import ast
import functools
import operator
from collections import deque
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.objects.aliasing import is_same
from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.compiler.frontend.objects.places import CONTAINERS, Contents
from mindspore.compiler.frontend.objects.state import as_key, lift
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.compiler.frontend.values.leaves import truth as _truth
from mindspore.compiler.frontend.values.text import with_nodes, written
from mindspore.eager.tensor import Tensor
from mindspore.ir import Dim, Node, Real
from mindspore.ir.runtime import runtime
from mindspore.operators.python_numbers import as_number, is_number, number_kind, number_node
from mindspore.operators.registry import REGISTRY
from mindspore.operators.traced import integer

from .protocols import iterated, user_method

BINARY = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "MatMult": "matmul",
    "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow", "LShift": "lshift", "RShift": "rshift",
    "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}.items()}
INPLACE = {k: getattr(operator, "i" + f.__name__.strip("_")) for k, f in BINARY.items()}
COMPARE = {getattr(ast, k): getattr(operator, v) for k, v in {
    "Gt": "gt", "Lt": "lt", "GtE": "ge", "LtE": "le", "Eq": "eq", "NotEq": "ne"}.items()}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
_SHIFTS = (ast.LShift, ast.RShift)
_SEQUENCES = (str, list, tuple)
PLAIN = (Node, int, float, bool, str, list, tuple)


@distributed(ITSELF)
def truth(value: Any) -> Any:
    """As `leaves.truth`; also of objects whose class says it by a method of the program."""
    method = user_method(value, "__bool__") or user_method(value, "__len__")
    return _truth(method() if method else value)


@distributed(STORED, ITSELF)
def augmented(op: type, old: Any, value: Any) -> Any:
    """`old op= value`: tensors give a new value, lists and other objects change in place."""
    if isinstance(old, (Node, Tensor)):
        return binary(op, lift(old), value)
    method = user_method(old, f"__{INPLACE[op].__name__}__")
    found = method(value) if method else NotImplemented
    if found is not NotImplemented:
        return found
    if isinstance(old, CONTAINERS):
        runtime.trace.heap.touch(Contents(old))
        return INPLACE[op](old, value)
    own = getattr(type(old), f"__i{INPLACE[op].__name__.strip('_')[1:]}__", None)
    if own is not None and not method and type(value) is not Node:
        found = interpreter.call(own.__get__(old), (value,), {})
        if found is not NotImplemented:
            return found
    return binary(op, old, value)


@distributed(STORED, ITSELF)
def binary(op: type, x: Any, y: Any) -> Any:
    """`x op y`."""
    if type(x) is str and op is ast.Mod:
        return _filled(x, y)
    if is_number(x) or is_number(y):
        if op in _SHIFTS and {number_kind(x), number_kind(y)} <= {int, bool}:
            return _shifted(op, x, y)
        if type(x) in _SEQUENCES or type(y) in _SEQUENCES:     # it is repeated, or Python refuses
            return BINARY[op](*[_as_count(v) if type(v) is Node else v for v in (x, y)])
    if type(x) is Node or (type(x) in PLAIN and type(y) in PLAIN):
        return BINARY[op](x, y)
    if isinstance(x, Tensor) or isinstance(y, Tensor):
        return BINARY[op](lift(x), lift(y))
    name = BINARY[op].__name__.strip("_")
    ways = ((x, y, f"__{name}__"), (y, x, f"__r{name}__"))
    for one, other, way in ways[:1] if type(x) is type(y) else ways:      # of one class, Python asks the first only
        method = user_method(one, way)
        if method:
            found = method(other)
            if found is not NotImplemented:
                return found
    read(x, y)
    return BINARY[op](x, y)


@distributed(INSIDE)
def _filled(template: str, values: Any) -> Any:
    return written(lambda: template % with_nodes(values))


def _as_count(number: Node) -> Any:
    """A number beside a sequence: an integer has its value in the current run, which becomes a guard of the program."""
    return 0.0 if number_kind(number) is float else integer(number)


def _shifted(op: type, x: Any, y: Any) -> Any:
    """`x << y`, `x >> y` of integers of which the run tells one."""
    if type(y) is Node:
        runtime.builder.check(REGISTRY["GreaterEqual"](y, 0), ValueError("negative shift count"))
        y = as_number(REGISTRY["Minimum"](y, number_node(62)))
    elif y < 0:
        raise ValueError("negative shift count")
    return x * 2 ** y if op is ast.LShift else x // 2 ** y


@distributed(STORED, ITSELF)
def unary(op: type, value: Any) -> Any:
    """`op value`."""
    method = user_method(value, f"__{UNARY[op].__name__}__")
    if method:
        return method()
    read(value)
    return UNARY[op](lift(value))


def negated(test: Any) -> Any:
    """`not test`, of a bool or of a tensor."""
    if type(test) is not Node:
        return not test
    return as_number(REGISTRY["LogicalNot"](as_bool(test)))


def as_bool(test: Node) -> Node:
    """A condition with dtype bool."""
    from mindspore.core.dtype import bool_
    from mindspore.operators.structure import cast
    return test if test.dtype is bool_ else cast(test, dtype=bool_)


def as_scalar(node: Node) -> Node:
    """A tensor with one element without its dimensions."""
    from mindspore.operators.structure import reshape
    return reshape(node, shape=()) if node.shape else node


def compare(op: ast.cmpop, left: Any, right: Any) -> Any:
    """`left op right` of one comparison."""
    return (_identical if isinstance(op, (ast.Is, ast.IsNot)) else _related)(op, left, right)


@distributed(STORED, ITSELF)
def _identical(op: ast.cmpop, left: Any, right: Any) -> Any:
    if runtime.trace is not None and left is not None and right is not None:
        runtime.trace.heap.watch.identified |= {id(left), id(right)}
    return is_same(left, right) == isinstance(op, ast.Is)


@distributed(STORED, INSIDE)
def _related(op: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(op, (ast.In, ast.NotIn)):
        found = _contains(right, left)
        return negated(found) if isinstance(op, ast.NotIn) else found
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        left, right = lift(left), lift(right)
    else:
        for one, other, kind in ((left, right, type(op)), (right, left, _MIRRORED.get(type(op), type(op)))):
            found = NotImplemented if type(one) in PLAIN else _compared(kind, one, other)
            if found is not NotImplemented:
                return found
    read(left, right)
    return COMPARE[type(op)](left, right)


def read(*values: Any) -> None:
    """Note what values hold of which Python itself asks the methods."""
    for value in values:
        if type(value) not in _SIMPLE:
            runtime.trace.heap.note_whole(value)


_NATIVE = frozenset([int, float, bool, str, bytes, type(None)])         # that compare without methods of the program
_SIMPLE = _NATIVE - {bytes} | {Node, Tensor}
_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class _Ranked:
    """A key of a sort that is compared as the program compares, also with keys that are compared natively."""

    __slots__ = ("key",)

    def __init__(self, key: Any):
        self.key = key

    def __lt__(self, other: Any) -> bool:
        return bool(truth(compare(ast.Lt(), self.key, other.key if type(other) is _Ranked else other)))

    def __gt__(self, other: Any) -> bool:          # what Python asks of `other < self` where `other` knows no answer
        return bool(truth(compare(ast.Lt(), other, self.key)))


def ordering(key: Any) -> Callable[[Any], Any]:
    """The `key` of a native sort, walked, with keys that are compared by walked methods."""
    def ranked(value: Any) -> Any:
        rank = value if key is None else interpreter.call(key, (value,), {})
        return rank if type(rank) in COMPARED_NATIVELY else _Ranked(rank)
    return ranked


_Walked = type(functools.cmp_to_key(lambda a, b: 0))             # its function is walked: see `calls.native`
COMPARED_NATIVELY = frozenset([int, float, bool, str, bytes, Dim, Real, _Walked])


def _compared(kind: type, one: Any, other: Any) -> Any:
    """What the method of a user's class says; without `__ne__`, the opposite of `__eq__`."""
    method = user_method(one, f"__{COMPARE[kind].__name__}__")
    if method:
        return method(other)
    equal = user_method(one, "__eq__") if kind is ast.NotEq else None
    found = equal(other) if equal else NotImplemented
    return found if found is NotImplemented else negated(truth(found))


def _contains(holder: Any, value: Any) -> Any:
    if isinstance(holder, (Node, Tensor)):
        return lift(holder).__contains__(value) if not isinstance(value, (Node, Tensor, int, float)) \
            else as_number(REGISTRY["ReduceAny"](lift(holder) == value))
    if isinstance(holder, (list, tuple, deque)) and not user_method(holder, "__contains__") and any(
            [type(v) not in _NATIVE for v in (*holder, value)]):
        return _is_among(holder, value)
    if isinstance(holder, (dict, set, frozenset, range)):
        value = as_key(holder, value)
    method = user_method(holder, "__contains__")
    if method:
        return truth(method(value))
    if user_method(holder, "__iter__"):
        return _contains(list(iterated(holder)), value)
    read(value)
    if type(value) not in _SIMPLE:
        read(holder)
    return value in holder


def _is_among(items: Any, value: Any) -> Any:
    """Whether a value is or equals one of several, some of which Python does not compare itself."""
    result: Any = False
    for item in items:
        if is_same(item, value):
            return True
        if isinstance(item, (Node, Tensor)) or (isinstance(value, (Node, Tensor)) and isinstance(item, (int, float))):
            same = truth(lift(value) == lift(item))
        elif isinstance(value, (Node, Tensor)):
            continue
        else:
            same = truth(compare(ast.Eq(), item, value))
        if type(same) is not Node:
            if same:
                return True
        else:
            result = same if result is False else REGISTRY["LogicalOr"](result, same)
    return as_number(result) if type(result) is Node else result
