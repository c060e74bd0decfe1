"""What built-in functions and classes mean where tensors have no content yet."""
from __future__ import annotations

import abc
import ast
import functools
from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls.attributes import (
    delete_attribute,
    get_attribute,
    set_attribute,
)
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.infix import (
    COMPARED_NATIVELY,
    as_bool,
    as_scalar,
    binary,
    compare,
    ordering,
    truth,
)
from mindspore.compiler.frontend.calls.lookup import note_members
from mindspore.compiler.frontend.calls.native import SPECIAL, is_native_module
from mindspore.compiler.frontend.calls.protocols import Walked, iterated, user_method
from mindspore.compiler.frontend.control.branching import choose
from mindspore.compiler.frontend.control.effects import print_
from mindspore.compiler.frontend.control.ranges import TensorRange
from mindspore.compiler.frontend.objects.elements import at_run_time
from mindspore.compiler.frontend.objects.state import as_key, as_keys, lift, tensor_of
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, STORED, distributed
from mindspore.compiler.frontend.values.leaves import is_leaf
from mindspore.compiler.frontend.values.text import Text, with_nodes, written
from mindspore.core.errors import GraphValueError, UnknownExtent
from mindspore.eager.tensor import Tensor, tensor
from mindspore.ir import SYMBOLIC, Dim, Node, Real, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import extents, structure
from mindspore.operators.python_numbers import as_number, number_kind
from mindspore.operators.registry import REGISTRY
from mindspore.operators.traced import Traced


def _tensor(input_data: Any = None, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`Tensor(x)` where x may depend on tensors of the graph."""
    from mindspore.core.dtype import as_dtype, float32
    from mindspore.operators.structure import cast, stop_gradient

    input_data = tree.mapped(input_data, lambda v: isinstance(v, Tensor), at_run_time)
    numbers = tree.leaves(input_data, lambda v: type(v) in SYMBOLIC)
    if numbers and dtype is None:
        floats = tree.leaves(input_data, lambda v: isinstance(v, float))
        dtype = float32 if floats else None
    nodes = [v for v in tree.leaves(input_data, is_leaf) if isinstance(v, Node)]
    if not nodes and not numbers:
        made = Tensor(input_data, dtype, *args, **kwargs)
        if runtime.trace is not None:
            runtime.trace.made[id(made)] = made, id(runtime.blocks[-1])
        return made
    if isinstance(input_data, Node) or type(input_data) in SYMBOLIC:
        node = tensor_of(input_data)
    else:
        node = REGISTRY["Stack"](*[_tensor(v) if isinstance(v, (list, tuple)) else tensor_of(v)
                                   for v in input_data], axis=0)
    node = stop_gradient(node)                # as in PyNative mode, a new tensor has no history
    return node if dtype is None else cast(node, dtype=as_dtype(dtype))


def _isinstance(value: Any, classes: Any) -> bool:
    if isinstance(value, Node):
        kind = number_kind(value)
        if kind is not None:
            return issubclass(kind, classes)
        wanted = classes if isinstance(classes, tuple) else (classes,)
        return any(isinstance(c, type) and issubclass(Tensor, c) for c in wanted)
    return _is_instance(value, classes)


def _is_instance(value: Any, kind: Any) -> bool:
    """`isinstance` of what is no tensor; a metaclass of the program is asked."""
    if isinstance(kind, tuple):
        return any([_is_instance(value, one) for one in kind])
    method = user_method(kind, "__instancecheck__")
    if method:
        return bool(truth(method(value)))
    _note_registered(kind)
    if runtime.trace is not None and getattr(kind, "_is_protocol", False):
        note_members(value, {name for base in kind.__mro__ if base.__module__ != "typing" and base is not object
                             for name in (*vars(base), *vars(base).get("__annotations__", ()))})
    return isinstance(value, kind)


def _is_subclass(value: Any, kind: Any) -> bool:
    """`issubclass`; a metaclass of the program is asked."""
    if isinstance(kind, tuple):
        return any([_is_subclass(value, one) for one in kind])
    method = user_method(kind, "__subclasscheck__")
    if method:
        return bool(truth(method(value)))
    _note_registered(kind)
    if isinstance(value, type) and runtime.trace is not None and not is_native_module(value.__module__):
        runtime.trace.heap.watch.place(value, "__mro__", value.__mro__)
    return issubclass(value, kind)


def _note_registered(kind: Any) -> None:
    """Note of an abstract class how often classes were registered as virtual subclasses."""
    if isinstance(kind, abc.ABCMeta) and not is_native_module(kind.__module__) and runtime.trace is not None:
        runtime.trace.heap.watch.place(_REGISTERED, "count", _REGISTERED.count)


class _Registered:
    """How often a class was registered as a virtual subclass of another."""

    __slots__ = ()

    @property
    def count(self) -> Any:
        return abc.get_cache_token()


_REGISTERED = _Registered()


def _type(*args: Any) -> Any:
    found = (number_kind(args[0]) if len(args) == 1 else None) or type(*args)
    return _STAND_INS.get(found, found) if len(args) == 1 else found


_STAND_INS = {Node: Tensor, Dim: int, Real: float}       # built-in functions, and what they mean while compiling


def _print(*values: Any, sep: str = " ", end: str = "\n", **options: Any) -> None:
    print_(values, " " if sep is None else sep, end, options)


def _str(*args: Any, **kwargs: Any) -> Any:
    if args and type(args[0]) is Text:
        return args[0]
    return written(lambda: str(*with_nodes(args), **kwargs))


def _repr(value: Any) -> Any:
    value = with_nodes(value)
    return written(lambda: repr(value))


def _next(items: Any, *default: Any) -> Any:
    """`next`: an iterator advances in the block that made it."""
    return next(iterated(items) if user_method(items, "__next__") else items, *default)


def _range(*bounds: Any) -> Any:
    bounds = tuple([at_run_time(b) for b in bounds])
    if any(isinstance(b, Node) for b in bounds):
        return TensorRange(*bounds)
    return range(*bounds)


def _extreme(python: Callable[..., Any], smaller: bool) -> Callable[..., Any]:
    """`max` or `min`: the first of the extreme elements, chosen at run time if they are tensors."""
    def extreme(*values: Any, **options: Any) -> Any:
        items = [lift(v) for v in (iterated(values[0]) if len(values) == 1 else values)]
        key = options.get("key")
        keys = items if key is None else [call(key, (v,), {}) for v in items]
        if not items:
            return python(items, **options) if len(values) == 1 else python(*values)
        if all([type(k) in COMPARED_NATIVELY for k in keys]):
            return items[python(range(len(items)), key=keys.__getitem__)]
        found, best = items[0], keys[0]
        for item, rank in zip(items[1:], keys[1:], strict=True):
            test = truth(compare(ast.Lt() if smaller else ast.Gt(), rank, best))
            found, best = _pick(test, (item, rank), (found, best))
        return found
    return extreme


def _pick(test: Any, then: Any, orelse: Any) -> Any:
    if type(test) is not Node:
        return then if test else orelse
    return choose(test, lambda: then, lambda: orelse)


def _quantified(python: Callable[..., Any], name: str) -> Callable[..., Any]:
    def quantified(values: Any) -> Any:
        found: Any = None
        for value in iterated(values):
            test = truth(value)
            if not isinstance(test, Node):
                if test is (python is any):
                    return test
                continue
            test = as_bool(as_scalar(test))
            found = test if found is None else REGISTRY[name](found, test)
        return python is all if found is None else as_number(structure.identity(found))
    return quantified


def _sum(values: Any, start: Any = 0) -> Any:
    for value in iterated(values):
        start = binary(ast.Add, start, lift(value))
    return start


def _mapped(fn: Any, *iterables: Any) -> Any:
    return map(lambda *items: call(fn, items, {}), *map(iterated, iterables))


def _filtered(fn: Any, items: Any) -> Any:
    kept = []
    for item in iterated(items):
        test = truth(item if fn is None else call(fn, (item,), {}))
        if type(test) is Node:
            raise GraphValueError("'filter' on the content of tensors has a result of unknown length; "
                                  "use 'ops.where' or a mask.")
        if test:
            kept.append(item)
    return iter(kept)


def _reduced(fn: Any, items: Any, *start: Any) -> Any:
    items = [*start, *iterated(items)]
    if not items:
        raise TypeError("reduce() of empty iterable with no initial value")
    found = items[0]
    for item in items[1:]:
        found = call(fn, (found, item), {})
    return found


def _sorted(items: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    return _in_order(list(iterated(items)), key, reverse)


@distributed(INSIDE, STORED)
def _in_order(items: list[Any], key: Any, reverse: bool) -> list[Any]:
    return sorted(items, key=ordering(key), reverse=reverse)


def _as_number(node: Node, dtype: Any) -> Node:
    """A tensor with one element as a number: without dimensions, and no gradient passes it."""
    from mindspore.operators.structure import cast, reshape, stop_gradient

    return as_number(cast(reshape(stop_gradient(node), shape=()), dtype=dtype))


def element(node: Any, index: Any = None) -> Any:
    """`tensor.item()`: an integer is a size, so that it can be used wherever an int can."""
    from mindspore.core.dtype import bool_, float64, int64
    from mindspore.operators.structure import reshape, stop_gradient

    if index is not None:
        node = reshape(node, shape=(-1,))[index] if isinstance(index, int) else node[index]
    if node.size != 1:
        raise ValueError("The tensor should have only one element, but got "
                         f"{node.size}; more than one element is ambiguous.")
    kind = node.dtype.kind
    if kind in "iu" and len(runtime.blocks) == 1:        # where the elements in the current run are known
        try:
            return extents.number(reshape(stop_gradient(node), shape=()))
        except UnknownExtent:
            pass
    if kind == "c":
        raise GraphValueError("The element of a complex tensor is not known while a graph is compiled. Compute with "
                              "tensor operations, or run in PyNative mode.")
    return _as_number(node, bool_ if kind == "b" else int64 if kind in "iu" else float64)


def _number(python: type, dtype_name: str) -> Callable[..., Any]:
    def number(*args: Any) -> Any:
        args = tuple([at_run_time(v) for v in args])
        if args and isinstance(args[0], Node):
            from mindspore.core.dtype import DTYPES, float64

            node = lift(args[0])
            if node.size != 1:
                raise ValueError(f"'{python.__name__}' takes a tensor with one element, but got "
                                 f"{node.aval}.")
            exact = python is float and node.dtype is float64          # a float has as many digits as that
            return _as_number(node, float64 if exact else DTYPES[dtype_name])
        method = _method_for(python, args[0]) if len(args) == 1 else None
        if method:
            return number(method())
        if len(args) == 1 and type(args[0]) is Dim and python is not bool:
            return args[0] if python is int else Real.of(args[0])
        return python(*args)
    return number


def _method_for(python: type, value: Any) -> Any:
    """The special method of a user's class by which a value is a number."""
    names = {bool: ("__bool__", "__len__"), int: ("__int__", "__index__"), float: ("__float__", "__index__")}[python]
    return next((method for method in (user_method(value, name) for name in names) if method), None)


def _by_method(python: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A built-in function of numbers that asks an object for the answer."""
    def function(value: Any, *options: Any) -> Any:
        method = user_method(value, name)
        return method(*options) if method else python(value, *options)
    return function


def _len(value: Any) -> int:
    if isinstance(value, (Node, Tensor)):
        return Traced.__len__(lift(value))
    method = user_method(value, "__len__")
    return method() if method else len(value)


def _with_lifted(python: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: python(*[lift(a) if isinstance(a, Tensor) else a for a in args], **kwargs)


def _divmod(x: Any, y: Any) -> Any:
    numbers: list[Any] = [lift(x), lift(y)]
    x, y = numbers
    return (x // y, x % y) if any([isinstance(v, Node) for v in numbers]) else divmod(x, y)


def _over(python: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: python(*map(iterated, args), **kwargs)


def _set(kind: type) -> Callable[..., Any]:
    return lambda *values: kind(*[as_keys(iterated(v)) for v in values])


def _iter(value: Any, *sentinel: Any) -> Any:
    if sentinel:
        return iter(lambda: call(value, (), {}), *sentinel)
    found = iterated(value)
    return found.owner if type(found) is Walked else iter(found)


def _enumerate(iterable: Any, start: int = 0) -> Any:
    return enumerate(iterated(iterable), start)


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an object and the name of an attribute, which must be known."""
    def named(obj: Any, name: Any, *values: Any) -> Any:
        if type(name) is Text:
            name.refuse()
        return function(obj, name, *values)
    return named


def _getattr(obj: Any, name: str, *default: Any) -> Any:
    try:
        return get_attribute(obj, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def _hasattr(obj: Any, name: str) -> bool:
    try:
        get_attribute(obj, name)
    except AttributeError:
        return False
    return True


# what looks inside of its arguments, as native functions do
SPECIAL.update({
    Tensor: _tensor, tensor: _tensor, print: _print, str: _str, repr: _repr, range: _range, sorted: _sorted,
    hash: lambda value: hash(as_key((), value, True)),
    float: _number(float, "float64"), int: _number(int, "int64"), bool: _number(bool, "bool_"),
    abs: _by_method(_with_lifted(abs), "__abs__"), round: _by_method(round, "__round__"),
    pow: _with_lifted(pow), divmod: _divmod, set: _set(set), frozenset: _set(frozenset),
    issubclass: _is_subclass,
})
# what looks at its arguments only, and lets the elements be
SPECIAL.update({python: distributed(ITSELF)(own) for python, own in {
    max: _extreme(max, False), min: _extreme(min, True),
    any: _quantified(any, "LogicalOr"), all: _quantified(all, "LogicalAnd"), sum: _sum,
    map: _mapped, filter: _filtered, functools.reduce: _reduced, len: _len,
    list: _over(list), tuple: _over(tuple), zip: _over(zip), enumerate: _enumerate, iter: _iter,
    reversed: _with_lifted(reversed), vars: lambda obj: get_attribute(obj, "__dict__"),
}.items()})
SPECIAL.update({
    isinstance: distributed(ITSELF, INSIDE)(_isinstance), type: distributed(ITSELF, INSIDE, STORED)(_type),
    next: distributed(ITSELF, STORED)(_next), getattr: distributed(ITSELF, ITSELF, STORED)(_named(_getattr)),
    hasattr: distributed(ITSELF)(_named(_hasattr)), delattr: distributed(ITSELF)(_named(delete_attribute)),
    setattr: distributed(ITSELF, ITSELF, STORED)(_named(set_attribute)),
    functools.partial: distributed(ITSELF, STORED)(functools.partial),
})
