"""Calls and attributes: who runs natively, who is walked, and what built-in functions mean here."""
from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import CALL, Block, Graph, Node, close, emit_items, param, recording
from mindspore.core.errors import GraphTypeError, GraphValueError
from mindspore.core.mixed import Mixed
from mindspore.core.parameter import Parameter
from mindspore.core.tensor import Tensor

from .merge import Pending, is_leaf
from .source import Closure, closure_of
from .state import Trace, as_node, lift

_STATIC = (int, float, bool, str, type(None))
_NATIVE = {"mindspore", "numpy", "torch", "scipy", *sys.stdlib_module_names}


class Recursive(BaseException):
    """A call met its own signature; the outer call of that signature starts again as a graph."""

    def __init__(self, key: Any):
        self.key = key


@functools.cache
def is_native_module(name: str | None) -> bool:
    """Whether functions of a module run as they are: the library's, NumPy's, the standard ones."""
    root = (name or "").partition(".")[0]
    return root in _NATIVE and name != "__main__"


def call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call anything callable while compiling."""
    kind = type(fn)
    if kind is FunctionType:
        if is_native_module(fn.__module__) or hasattr(fn, "__wrapped_natively__"):
            special = _SPECIAL.get(fn)
            return special(*args, **kwargs) if special else fn(*args, **kwargs)
        return _walk(closure_of(_unwrapped(fn)), args, kwargs)
    if kind is Closure:
        return _walk(fn, args, kwargs)
    if kind is MethodType:
        inner = fn.__func__
        if type(inner) is FunctionType and not is_native_module(inner.__module__):
            return _walk(closure_of(inner), (fn.__self__, *args), kwargs)
        return fn(*args, **kwargs)
    if isinstance(fn, type):
        return _construct(fn, args, kwargs)
    if kind is BuiltinFunctionType:
        special = _SPECIAL.get(fn) if _hashable(fn) else None
        return special(*args, **kwargs) if special else fn(*args, **kwargs)
    method = getattr(kind, "__call__", None)
    if type(method) is FunctionType and not is_native_module(method.__module__):
        return _walk(closure_of(method), (fn, *args), kwargs)
    return fn(*args, **kwargs)


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell: the library's natively, a user's by walking its `construct`."""
    trace = Trace.current
    if trace is not None:
        trace.cells[id(cell)] = cell
    if cell._plain and Mixed.dtype is None:
        return call(cell.construct, args, kwargs)
    construct = _with_bprop(cell) if hasattr(cell, "bprop") else functools.partial(_walked, cell)
    return cell.run_around(construct, args, kwargs)


def _walked(cell: Any, *args: Any, **kwargs: Any) -> Any:
    return call(cell.construct, args, kwargs)


def _with_bprop(cell: Any) -> Callable[..., Any]:
    from .custom import custom                # custom imports state, a sibling

    def rule(args: Any, out: Any, dout: Any) -> Any:
        return call(cell.bprop, (*args, out, dout), {})
    return lambda *args, **kwargs: custom(type(cell).__name__, functools.partial(_walked, cell), rule,
                                          args, kwargs)


def _unwrapped(fn: FunctionType) -> FunctionType:
    return getattr(fn, "__jitted__", fn)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


# ---------------------------------------------------------------------- walking, recursion

def _walk(target: Closure, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from .frame import Frame                  # frame imports this module

    trace = Trace.current
    if trace is None:
        raise RuntimeError(f"'{target.name}' is called outside of the compilation that made it.")
    key = (id(target.node), tuple([_part(a) for a in args]),
           tuple([(k, _part(v)) for k, v in kwargs.items()]))
    if key in trace.graphs:
        return _call_graph(key, args, kwargs)
    if key in trace.active:
        raise Recursive(key)
    loc, mark = Block.loc, len(Block.stack[-1])
    trace.active.append(key)
    state = dict(trace.state)
    try:
        return Frame(target).call(args, kwargs)
    except Recursive as again:
        if again.key != key:
            raise
        del Block.stack[-1][mark:]
        trace.state = state
        return _recursive(target, key, args, kwargs)
    finally:
        trace.active.pop()
        Block.loc = loc


def _part(value: Any) -> Any:
    if isinstance(value, Node):
        return value.aval
    if type(value) in _STATIC:
        return type(value), value
    inner = tree.children(value)
    return id(value) if inner is None else (type(value), tuple([_part(v) for v in inner]))


def _recursive(target: Closure, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Build the function as a graph of its own: once for the type of its result, once for good."""
    from .frame import Frame

    trace = Trace.current
    for _ in range(2):
        leaves = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
        params = [param(n.aval) for n in leaves]
        swap = iter(params)
        new_args, new_kwargs = tree.rebuild(
            (args, kwargs), is_leaf, iter([next(swap) if isinstance(v, Node) else v
                                           for v in tree.leaves((args, kwargs), is_leaf)]))
        known = trace.graphs.get(key)
        graph = Graph(target.node.name if hasattr(target.node, "name") else "fn", params)
        trace.graphs[key] = graph, known and known[1], []
        state = dict(trace.state)
        with recording(graph.nodes):
            value = Frame(target).call(new_args, new_kwargs)
            graph.outs = [as_node(v) for v in tree.leaves(value, is_leaf)]
        if any(trace.state[p] is not state.get(p) for p in trace.state):
            raise GraphTypeError(f"The recursive function '{target.name}' assigns a parameter; "
                                 "return the value and assign it outside of the recursion.")
        trace.graphs[key] = graph, (value, [o.aval for o in graph.outs]), []
    free = close(graph)
    trace.graphs[key] = graph, trace.graphs[key][1], free
    return _call_graph(key, args, kwargs)


def _call_graph(key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    graph, result, free = Trace.current.graphs[key]
    if result is None:
        raise Pending
    template, avals = result
    ins = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
    outs = emit_items(CALL, [*ins, *free], {"graph": graph}, avals)
    return tree.rebuild(template, is_leaf, iter(outs))


# ---------------------------------------------------------------------- attributes

def get_attribute(obj: Any, name: str) -> Any:
    """`obj.name`, with what the program assigned before, and a note that the graph depends on it."""
    trace = Trace.current
    if trace is not None and hasattr(obj, "_stamp"):
        trace.cells[id(obj)] = obj
        if trace.writes and (id(obj), name) in trace.writes:
            return trace.writes[id(obj), name]
    if isinstance(obj, Parameter) and obj in trace.state and name not in ("name", "requires_grad"):
        obj = trace.state[obj]
    elif isinstance(obj, Tensor) and name in ("asnumpy", "numpy", "item", "tolist"):
        if isinstance(obj, Parameter):
            raise GraphValueError(f"'{name}' of the parameter '{obj.name}' is not known while a graph "
                                  "is compiled; compute with the tensor itself.")
    return getattr(obj, name)


def set_attribute(obj: Any, name: str, value: Any) -> None:
    """`obj.name = value`: a parameter is assigned, a tensor attribute becomes state of the graph."""
    trace = Trace.current
    held = getattr(obj, name, None)
    if isinstance(held, Parameter) and not isinstance(value, Parameter):
        Block.assign(held, value)
    elif trace is not None and hasattr(obj, "_stamp") and tree.leaves(
            value, lambda v: isinstance(v, Node)):
        trace.owners[id(obj)] = obj
        trace.writes[id(obj), name] = value
    elif trace is not None and hasattr(obj, "_stamp"):
        trace.owners[id(obj)] = obj
        trace.writes[id(obj), name] = value
    else:
        setattr(obj, name, value)


# ---------------------------------------------------------------------- classes and built-ins

def _construct(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    special = _SPECIAL.get(cls)
    if special:
        return special(*args, **kwargs)
    return cls(*args, **kwargs)


def _tensor(input_data: Any = None, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`Tensor(x)` where x may depend on tensors of the graph."""
    from mindspore.core.dtype import as_dtype
    from mindspore.operators.structure import cast

    nodes = [v for v in tree.leaves(input_data, is_leaf) if isinstance(v, Node)]
    if not nodes:
        return Tensor(input_data, dtype, *args, **kwargs)
    if isinstance(input_data, Node):
        node = input_data
    else:
        from mindspore.operators.registry import REGISTRY
        node = REGISTRY["Stack"](*[_tensor(v) if isinstance(v, (list, tuple)) else as_node(v)
                                   for v in input_data], axis=0)
    return node if dtype is None else cast(node, dtype=as_dtype(dtype))


def _isinstance(value: Any, classes: Any) -> bool:
    if isinstance(value, Node):
        wanted = classes if isinstance(classes, tuple) else (classes,)
        return any(isinstance(c, type) and issubclass(Tensor, c) for c in wanted)
    return isinstance(value, classes)


def _print(*values: Any, sep: str = " ", end: str = "\n", **options: Any) -> None:
    from .effects import print_               # loads the operators of effects

    print_(values, sep, end, options)


def _range(*bounds: Any) -> Any:
    bounds = tuple([lift(b) if isinstance(b, Parameter) else b for b in bounds])
    if any(isinstance(b, Node) for b in bounds):
        from .flow import TensorRange         # flow imports frame, which imports this
        return TensorRange(*bounds)
    return range(*bounds)


def _extreme(python: Callable[..., Any], name: str) -> Callable[..., Any]:
    def extreme(*values: Any, **options: Any) -> Any:
        from mindspore.operators.registry import REGISTRY
        items = list(values[0]) if len(values) == 1 else list(values)
        if options or not any(isinstance(v, Node) for v in items):
            return python(*values, **options)
        found = items[0]
        for item in items[1:]:
            found = REGISTRY[name](found, item)
        return found
    return extreme


def _quantified(python: Callable[..., Any], name: str) -> Callable[..., Any]:
    def quantified(values: Any) -> Any:
        from mindspore.operators.registry import REGISTRY
        found: Any = None
        for value in list(values):
            if not isinstance(value, Node):
                if bool(value) is (python is any):
                    return bool(value)
            else:
                found = value if found is None else REGISTRY[name](found, value)
        return python is all if found is None else found
    return quantified


def _mapped(fn: Any, *iterables: Any) -> list[Any]:
    return [call(fn, items, {}) for items in zip(*iterables, strict=False)]


def _filtered(fn: Any, items: Any) -> list[Any]:
    from .merge import truth
    kept = []
    for item in items:
        test = truth(item if fn is None else call(fn, (item,), {}))
        if type(test) is Node:
            raise GraphValueError("'filter' on the content of tensors has a result of unknown length; "
                                  "use 'ops.where' or a mask.")
        if test:
            kept.append(item)
    return kept


def _reduced(fn: Any, items: Any, *start: Any) -> Any:
    items = [*start, *items]
    found = items[0]
    for item in items[1:]:
        found = call(fn, (found, item), {})
    return found


def _number(python: type, dtype_name: str) -> Callable[..., Any]:
    def number(*args: Any) -> Any:
        if args and isinstance(args[0], (Node, Parameter)):
            from mindspore.core.dtype import DTYPES
            from mindspore.operators.structure import cast, reshape
            node = lift(args[0])
            if node.size != 1:
                raise ValueError(f"'{python.__name__}' takes a tensor with one element, but got "
                                 f"{node.aval}.")
            return cast(reshape(node, shape=()), dtype=DTYPES[dtype_name])
        return python(*args)
    return number


_SPECIAL: dict[Any, Callable[..., Any]] = {
    Tensor: _tensor, isinstance: _isinstance, print: _print, range: _range,
    max: _extreme(max, "Maximum"), min: _extreme(min, "Minimum"),
    any: _quantified(any, "LogicalOr"), all: _quantified(all, "LogicalAnd"),
    map: _mapped, filter: _filtered, functools.reduce: _reduced,
    getattr: lambda obj, name, *default: _getattr(obj, name, *default),
    setattr: set_attribute,
    float: _number(float, "float32"), int: _number(int, "int64"), bool: _number(bool, "bool_"),
}


def _getattr(obj: Any, name: str, *default: Any) -> Any:
    try:
        return get_attribute(obj, name)
    except AttributeError:
        if default:
            return default[0]
        raise
