"""What functions of the modules `operator`, `math` and `collections` mean where values depend on tensors.

Those of `operator` walk the methods of the program's classes, those of `math` compute with numbers that only the
run knows, and a Counter counts such numbers by their values.
"""
from __future__ import annotations

import ast
import contextlib
import copy
import functools
import math
import operator
from collections import Counter
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls import infix
from mindspore.compiler.frontend.calls.attributes import get_attribute
from mindspore.compiler.frontend.calls.dispatch import OF_KIND, call
from mindspore.compiler.frontend.calls.native import SPECIAL, call_native, unfollowed
from mindspore.compiler.frontend.calls.protocols import iterated
from mindspore.compiler.frontend.objects.elements import at_run_time
from mindspore.compiler.frontend.objects.reach import attributes, is_cell, is_plain
from mindspore.compiler.frontend.objects.state import as_keys, lift
from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.python_numbers import as_number, number_node, rounded
from mindspore.operators.registry import REGISTRY

from .subscripts import item

# functions of one float by their operators, with what they do not take
_ELEMENTARY: dict[str, tuple[str, Callable[[Any], Any] | None]] = {
    "sqrt": ("Sqrt", lambda v: v < 0), "exp": ("Exp", None), "expm1": ("Expm1", None),
    "log": ("Log", lambda v: v <= 0), "log2": ("Log2", lambda v: v <= 0), "log10": ("Log10", lambda v: v <= 0),
    "log1p": ("Log1p", lambda v: v <= -1), "sin": ("Sin", lambda v: abs(v) == math.inf),
    "cos": ("Cos", lambda v: abs(v) == math.inf), "tan": ("Tan", lambda v: abs(v) == math.inf),
    "asin": ("Asin", lambda v: abs(v) > 1), "acos": ("ACos", lambda v: abs(v) > 1), "atan": ("Atan", None),
    "sinh": ("Sinh", None), "cosh": ("Cosh", None), "tanh": ("Tanh", None), "asinh": ("Asinh", None),
    "acosh": ("Acosh", lambda v: v < 1), "atanh": ("Atanh", lambda v: abs(v) >= 1),
    "erf": ("Erf", None), "erfc": ("Erfc", None), "fabs": ("Abs", None)}
_GROWING = ("exp", "expm1", "sinh", "cosh")


def _is_open(*values: Any) -> bool:
    """Whether a number among the values depends on a tensor."""
    return any([isinstance(at_run_time(v), Node) for v in values])


def _float(value: Any) -> Any:
    return number_node(SPECIAL[float](value))


def _elementary(name: str, operation: str, refused: Callable[[Any], Any] | None) -> Callable[..., Any]:
    python = getattr(math, name)

    def of_number(*values: Any) -> Any:
        if not _is_open(*values):
            return python(*values)
        first, *rest = values
        if rest:                                  # the logarithm to a base
            return of_number(first) / of_number(*rest)
        value = _float(first)
        if refused:
            runtime.builder.check(infix.negated(refused(value)), ValueError("math domain error"))
        found: Any = as_number(REGISTRY[operation].emitted((value,), {}))
        if name in _GROWING:
            too_large = (abs(found) == math.inf) & (abs(value) != math.inf)
            runtime.builder.check(infix.negated(too_large), OverflowError("math range error"))
        return found
    return of_number


def _asked(name: str, operation: str) -> Callable[[Any], Any]:
    """`isnan` and the like."""
    return lambda value: as_number(REGISTRY[operation].emitted((_float(value),), {})) if _is_open(
        value) else getattr(math, name)(value)


def _whole(name: str, operation: str) -> Callable[[Any], Any]:
    """`floor` and the like."""
    return lambda value: rounded(REGISTRY[operation], SPECIAL[float](value)) if _is_open(
        value) else getattr(math, name)(value)


def _scaled(name: str, factor: float) -> Callable[[Any], Any]:
    return lambda value: _float(value) * factor if _is_open(value) else getattr(math, name)(value)


def _hypot(*values: Any) -> Any:
    if not _is_open(*values):
        return math.hypot(*values)
    return SPECIAL[math.sqrt](sum([_float(v) * _float(v) for v in values]))


def _atan2(y: Any, x: Any) -> Any:
    return as_number(REGISTRY["Atan2"].emitted((_float(y), _float(x)), {})) if _is_open(y, x) else math.atan2(y, x)


def _call_method(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what `operator.methodcaller` made."""
    made, given = fn.__reduce__()
    name, *own = given if made is operator.methodcaller else (*made.args, *given)
    options = {} if made is operator.methodcaller else made.keywords
    obj, = args
    return call(get_attribute(obj, name), tuple(own), options)


def _get_attributes(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what `operator.attrgetter` made."""
    found = []
    for path in fn.__reduce__()[1]:
        value, = args
        for name in path.split("."):
            value = get_attribute(value, name)
        found.append(value)
    return tuple(found) if len(found) > 1 else found[0]


def _cached(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a function under `functools.lru_cache`, which is not made at every run, and counted."""
    raise unfollowed(fn)


def _get_items(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of what `operator.itemgetter` made."""
    holder, = args
    found = [item(holder, index) for index in fn.__reduce__()[1]]
    return tuple(found) if len(found) > 1 else found[0]


class Manager:
    """What a function under `contextlib.contextmanager` gives: its generator is walked."""

    def __init__(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]):
        self.generator = call(fn, args, kwargs)
        self.generator.managed = True

    def __enter__(self) -> Any:
        try:
            return next(self.generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        generator: Any = self.generator.copied()         # each branch ends it once
        try:
            if error is None:
                next(generator)
            else:
                generator.throw(error)
        except StopIteration as stopped:
            return error is not None and stopped is not error
        except Exception as raised:  # Python raises that of the block again; another one replaces it
            if raised is error or (isinstance(error, StopIteration) and raised.__cause__ is error):
                return False
            raise
        raise RuntimeError("generator didn't stop" + " after throw()" * (error is not None))

    def __call__(self, fn: Any) -> Any:
        raise GraphSyntaxError("A manager that 'contextlib.contextmanager' made decorates a function inside of a "
                               "compiled function; use 'with' in it.")


def _deep_copy(value: Any, *memo: Any) -> Any:
    """`copy.deepcopy`: the copies of tensors have the elements of every run, and no history."""
    infix.read(value)
    found: Any = memo[0] if memo else {}
    todo, seen = [value], set()
    while todo:
        held = todo.pop()
        if id(held) in seen or is_cell(held):
            continue
        seen.add(id(held))
        if type(held) is Tensor:
            found[id(held)] = structure.stop_gradient(structure.identity(lift(held)))
        elif is_plain(held):
            todo += attributes(held)
        else:
            todo += tree.children(held) or ()
    return copy.deepcopy(value, found)


def _counter(*values: Any, **counts: Any) -> Any:
    return call_native(functools.partial(Counter, **counts), tuple([v if isinstance(v, dict) else as_keys(
        iterated(v)) for v in values]), {})


OF_KIND.update({operator.methodcaller: _call_method, operator.attrgetter: _get_attributes,
                operator.itemgetter: _get_items, type(functools.lru_cache(len)): _cached})
_MANAGED: Any = contextlib._GeneratorContextManager
SPECIAL[_MANAGED] = Manager
SPECIAL[contextlib.contextmanager] = lambda fn: lambda *args, **kwargs: Manager(fn, args, kwargs)
SPECIAL.update({getattr(math, name): _elementary(name, *how) for name, how in _ELEMENTARY.items()})
SPECIAL.update({
    copy.deepcopy: _deep_copy, math.isnan: _asked("isnan", "IsNan"), math.isinf: _asked("isinf", "IsInf"),
    math.isfinite: _asked("isfinite", "IsFinite"), math.floor: _whole("floor", "Floor"),
    math.ceil: _whole("ceil", "Ceil"), math.trunc: _whole("trunc", "Trunc"),
    math.degrees: _scaled("degrees", 180 / math.pi), math.radians: _scaled("radians", math.pi / 180),
    math.hypot: _hypot, math.atan2: _atan2, Counter: _counter, operator.getitem: item,
    operator.contains: lambda holder, value: infix.compare(ast.In(), value, holder),
    operator.not_: lambda value: infix.negated(infix.truth(value)), operator.truth: lambda value: infix.truth(value),
    operator.is_: functools.partial(infix.compare, ast.Is()),
    operator.is_not: functools.partial(infix.compare, ast.IsNot())})
SPECIAL.update({python: functools.partial(infix.binary, op) for op, python in infix.BINARY.items()})
SPECIAL.update({python: functools.partial(infix.augmented, op) for op, python in infix.INPLACE.items()})
SPECIAL.update({python: functools.partial(infix.compare, op()) for op, python in infix.COMPARE.items()})
SPECIAL.update({python: functools.partial(infix.unary, op) for op, python in infix.UNARY.items()})
