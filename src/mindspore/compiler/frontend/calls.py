"""Calls and attributes: who runs natively, who is walked, and what built-in functions mean here."""
from __future__ import annotations

import functools
import itertools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import (
    CALL,
    Block,
    Graph,
    Node,
    close,
    emit_items,
    hand_on,
    param,
    recording,
)
from mindspore.core import context
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, GraphValueError
from mindspore.core.mixed import Mixed
from mindspore.core.parameter import Parameter
from mindspore.core.tensor import Tensor

from .aliasing import Elements, inner, is_same, note_merged
from .choice import Choice, each, has_choice, settled
from .heap import CONTAINERS, MISSING, MUTATING, Attribute, Contents
from .iterators import tracked
from .merge import Pending, is_leaf, visible
from .source import Closure, closure_of
from .state import Trace, as_key, as_node, lift

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
    if kind is Choice:
        return each(lambda one: call(one, args, kwargs), fn)
    if kind is Closure:
        return _walk(fn, args, kwargs)
    if kind is FunctionType:
        if is_native_module(fn.__module__) or hasattr(fn, "__wrapped_natively__"):
            return _native(SPECIAL.get(fn, fn), args, kwargs)
        return _function(_unwrapped(fn), args, kwargs)
    if kind is MethodType:
        inner = fn.__func__
        if type(inner) is FunctionType and not is_native_module(inner.__module__):
            return _function(_unwrapped(inner), (fn.__self__, *args), kwargs)
        if type(inner) is Closure:
            return _walk(inner, (fn.__self__, *args), kwargs)
        return _native(fn, args, kwargs)
    if isinstance(fn, type):
        return _construct(fn, args, kwargs)
    if kind is functools.partial:
        return call(fn.func, (*fn.args, *args), fn.keywords | kwargs)
    if kind is BuiltinFunctionType:
        return _builtin(fn, args, kwargs)
    method = getattr(kind, "__call__", None)   # noqa: B004  # the function, not whether there is one
    if type(method) is FunctionType and not is_native_module(method.__module__):
        return _function(method, (fn, *args), kwargs)
    return _native(fn, args, kwargs)


def _function(fn: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Walk a user's function; one without source, such as a generated method, runs as it is."""
    trace = Trace.current
    closure = closure_of(fn) if trace is None else trace.closure(fn)
    if closure is not None:
        return _walk(closure, args, kwargs)
    if trace is not None:
        trace.files.add(None)
    try:
        return _native(fn, args, kwargs)
    except GraphValueError as error:
        error.add_note(f"  The source of '{fn.__qualname__}' is not available, so its conditions cannot be "
                       "compiled: define it in a file or a notebook cell.")
        raise


def _native(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what runs as it is; a choice among its arguments is made outside."""
    if Trace.current is not None and _draws(fn, args):
        raise GraphSyntaxError(f"'{getattr(fn, '__qualname__', fn)}' gives another value at every call, or sets the "
                               "seed, and a compiled graph would hold the one of its compilation. Hand the value "
                               "over as an argument, or draw with 'ops'.")
    if Trace.current is not None and Trace.current.chosen and has_choice((*args, *kwargs.values())):
        return _distributed(fn, args, kwargs)
    out = fn(*args, **kwargs)
    if type(out).__module__ in _RANDOM and Trace.current is not None:
        Trace.current.seeded[id(out)] = out, Block.stack[-1]
    return tracked(out, args)


def _draws(fn: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function has another result, or effect, at every call: random numbers of Python or NumPy, seeds.

    Generators that the program itself seeds are as good as constants, in the block that made them.
    """
    module = getattr(fn, "__module__", None) or type(getattr(fn, "__self__", None)).__module__
    if module == "mindspore.core.seed":
        return getattr(fn, "__name__", "") == "set_seed"
    if module not in _RANDOM:
        return False
    if type(fn) is type or fn.__name__ == "default_rng":
        return not args
    made = Trace.current.seeded.get(id(getattr(fn, "__self__", None)))
    return made is None or made[1] is not Block.stack[-1]


_RANDOM = {"random", "_random", "secrets", "uuid", "numpy.random", "numpy.random.mtrand", "numpy.random._generator"}


def _distributed(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    names = list(kwargs)

    def use(*values: Any) -> Any:
        args = [type(v)(settled(x) for x in v) if type(v) in (tuple, list) else v for v in values]
        for i, value in enumerate(args):
            if type(value) in (tuple, list) and any(type(x) is Choice for x in value):
                return each(lambda *inner: use(*args[:i], type(value)(inner), *args[i + 1:]), *value)  # noqa: B023
        cut = len(args) - len(names)
        return fn(*args[:cut], **dict(zip(names, args[cut:], strict=True)))
    return each(use, *args, *kwargs.values())


def _builtin(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    owner = fn.__self__
    if type(owner) is str and fn.__name__ in ("format", "join", "format_map"):
        from .text import joined, with_nodes, written  # text stands on state
        if fn.__name__ == "join":
            return joined(owner, *args, **kwargs)
        return written(lambda: fn(*with_nodes(args), **with_nodes(kwargs)))
    if isinstance(owner, CONTAINERS):
        if fn.__name__ in MUTATING:
            Trace.current.heap.touch(Contents(owner))
        if args and isinstance(owner, (dict, set)) and fn.__name__ in _KEYED:
            args = (as_key(owner, args[0], fn.__name__ in ("add", "setdefault")), *args[1:])
        args = tuple([iterated(a) if fn.__name__ in _TAKING else a for a in args])
        if fn.__name__ == "sort" and kwargs.get("key"):
            key = kwargs["key"]
            kwargs = kwargs | {"key": lambda value: call(key, (value,), {})}
        elif fn.__name__ in ("index", "count", "remove") and args and isinstance(owner, (list, deque)):
            return _found(owner, fn.__name__, lift(args[0]))
        return fn(*args, **kwargs)
    if getattr(owner, "__name__", "") in ("_heapq", "_bisect", "_operator"):
        for arg in args:
            if isinstance(arg, CONTAINERS):
                Trace.current.heap.touch(Contents(arg))
    return _native(SPECIAL.get(fn, fn) if _hashable(fn) else fn, args, kwargs)


_TAKING = ("extend", "extendleft", "update", "difference_update", "intersection_update",
           "symmetric_difference_update", "__iadd__", "__ior__")


def _found(owner: Any, name: str, value: Any) -> Any:
    """`index`, `count` or `remove` of a list: tensors are found by identity only."""
    if not any(isinstance(v, (Node, Tensor)) for v in (*owner, value)):
        return getattr(owner, name)(value)
    places = [i for i, v in enumerate(owner) if is_same(v, value) or (not (
        isinstance(v, (Node, Tensor)) or isinstance(value, (Node, Tensor))) and v == value)]
    if name == "count":
        return len(places)
    if not places:
        raise ValueError(f"{value!r} is not in list")
    if name == "index":
        return places[0]
    del owner[places[0]]
    return None


def _construct(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make an object: the `__init__` of a user's plain class is walked."""
    special = SPECIAL.get(cls)
    if special:
        return _native(special, args, kwargs)
    if cls in CONTAINERS:
        args = tuple(map(iterated, args))
    init: Any = cls.__init__
    if (type(cls) is not type or type(init) is not FunctionType or is_native_module(init.__module__)
            or hasattr(cls, "cells_and_names") or issubclass(cls, BaseException)
            or closure_of(init) is None):
        return _native(cls, args, kwargs)
    made = object.__new__(cls) if cls.__new__ is object.__new__ else cls.__new__(cls, *args, **kwargs)
    if isinstance(made, cls):
        call(init, (made, *args), kwargs)
    return made


def user_method(obj: Any, name: str) -> Callable[..., Any] | None:
    """A special method that the user's class of an object defines, as a function to be walked."""
    kind = type(obj)
    if kind in _STATIC_TYPES or is_native_module(kind.__module__):
        return None
    method = getattr(kind, name, None)
    if type(method) is not FunctionType or is_native_module(method.__module__):
        return None
    return lambda *args: _function(method, (obj, *args), {})


class Walked:
    """An iterator of a user's class: its `__next__` is walked."""

    def __init__(self, owner: Any):
        self.owner = owner

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return user_method(self.owner, "__next__")()


def iterated(value: Any) -> Any:
    """What an iteration over a value goes over natively; methods of a user's class are walked."""
    if isinstance(value, Tensor):
        return lift(value)
    method = user_method(value, "__iter__")
    found = method() if method else value
    if user_method(found, "__next__"):
        return Walked(found)
    if not hasattr(type(found), "__iter__") and user_method(found, "__getitem__"):
        return _by_index(found)
    return found


def _by_index(value: Any) -> Iterator[Any]:
    """The elements of an object that has only `__getitem__`."""
    item = user_method(value, "__getitem__")
    for k in itertools.count():
        try:
            found = item(k)
        except IndexError:
            return
        yield found


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell: the library's natively, a user's by walking its `construct`."""
    trace = Trace.current
    if trace is not None:
        trace.cells[id(cell)] = cell
    if cell._plain and Mixed.dtype is None:
        return call(cell.construct, args, kwargs)
    construct = _with_bprop(cell) if hasattr(cell, "bprop") else functools.partial(_walked, cell)
    if cell.get_flags().get("recompute"):
        from .recompute import recomputed  # recompute imports state, a sibling

        return recomputed(type(cell).__name__, lambda *a, **k: cell.run_around(construct, a, k), args, kwargs)
    return cell.run_around(construct, args, kwargs)


def _walked(cell: Any, *args: Any, **kwargs: Any) -> Any:
    return call(cell.construct, args, kwargs)


def _with_bprop(cell: Any) -> Callable[..., Any]:
    from .custom import custom  # custom imports state, a sibling
    from .hooks import call_in_reverse  # imports this module

    def rule(args: Any, out: Any, dout: Any) -> Any:
        return call_in_reverse(cell.bprop, (*args, out, dout))
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
    from .frame import Frame  # frame imports this module

    trace = Trace.current
    if trace is None:
        raise RuntimeError(f"'{target.name}' is called outside of the compilation that made it.")
    key = (id(target.identity), tuple([_part(a) for a in args]),
           tuple([(k, _part(v)) for k, v in kwargs.items()]))
    if trace.graphs and key in trace.graphs:
        return _call_graph(key, args, kwargs)
    heap, frame = trace.heap, Frame(target)
    trace.files.add(target.file)
    _check_recursion(trace, key)
    if trace.chosen and has_choice((*args, *kwargs.values())):
        _check_choices(trace, key, target)
    loc, mark = Block.loc, len(Block.stack[-1])
    trace.active.append((key, heap.version, frame))
    state, depth = trace.state, len(heap.levels)
    sparing, heap.watch.sparing = heap.watch.sparing, False
    heap.push()
    try:
        return frame.call(args, kwargs)
    except Recursive as again:
        if again.key != key:
            raise
        del Block.stack[-1][mark:]
        trace.state = state
        heap.unwind(depth)
        heap.push()
        return _recursive(target, key, args, kwargs)
    finally:
        while len(heap.levels) > depth:
            heap.commit()
        trace.active.pop()
        Block.loc, heap.watch.sparing = loc, sparing


_PASSES = 4         # of building a recursive function: for its type, for good, and two more if the type changed
_ALIKE = 8          # how many calls of one function may run inside each other on values that depend on conditions
_UNROLLED = 64      # how often a call may meet its own signature while it changes objects


def _check_recursion(trace: Trace, key: Any) -> None:
    """Let the outermost call of a signature that meets itself start again as a graph."""
    if len(trace.active) > context.state.max_call_depth:
        raise RecursionError
    same = [version for k, version, _ in trace.active if k == key]
    if same and (same[-1] == trace.heap.version or len(same) > _UNROLLED):
        raise Recursive(key)


def _check_choices(trace: Trace, key: Any, target: Closure) -> None:
    """A recursion on values whose type depends on a tensor would never meet its own signature."""
    if sum([bool(k) and k[0] == key[0] for k, _, _ in trace.active]) > _ALIKE:
        raise _varying(target)


def _varying(target: Closure) -> GraphTypeError:
    return GraphTypeError(f"The arguments or the result of the recursive function '{target.name}' have a type, shape "
                          "or dtype that depends on the content of a tensor. Give them one, by 'ops.cast' for example.")


def _part(value: Any) -> Any:
    if isinstance(value, Node):
        return value.aval
    if type(value) in _STATIC:
        return type(value), value
    inner = None if is_cell(value) else tree.children(value)
    return id(value) if inner is None else (type(value), tuple([_part(v) for v in inner]))


def _recursive(target: Closure, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Build the function as a graph of its own: until the type of its result is known, and once for good."""
    trace = Trace.current
    before = set(trace.graphs)
    try:
        for _ in range(_PASSES):
            for other in trace.graphs.keys() - before - {key}:     # they call the graph of the last pass
                del trace.graphs[other]
            if _built(trace, target, key, args, kwargs):
                break
        else:
            raise _varying(target)
    except BaseException:
        for other in trace.graphs.keys() - before:
            del trace.graphs[other]
        raise
    graph, result, _ = trace.graphs[key]
    free = close(graph)
    for other in hand_on(graph, free):
        for theirs, _, extra in trace.graphs.values():
            if theirs is other:
                extra += free
    trace.graphs[key] = graph, result, free
    trace.alive.append((target, args, kwargs))    # the signature holds identities of constants
    return _call_graph(key, args, kwargs)


def _built(trace: Trace, target: Closure, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Walk a recursive function once; whether its result has the type that its inner calls took it to have."""
    from .frame import Frame

    leaves = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
    params = [param(n.aval) for n in leaves]
    swap = iter(params)
    new_args, new_kwargs = tree.rebuild(
        (args, kwargs), is_leaf, iter([next(swap) if isinstance(v, Node) else v
                                       for v in tree.leaves((args, kwargs), is_leaf)]))
    known = trace.graphs.get(key)
    graph = Graph(target.node.name if hasattr(target.node, "name") else "fn", params)
    trace.graphs[key] = graph, known and known[1], []
    state = trace.state
    frame = Frame(target)
    trace.active[-1] = (key, -1, frame)
    with recording(graph.nodes), trace.heap.watched() as changes:
        value = frame.call(new_args, new_kwargs)
        if trace.chosen and tree.leaves(value, lambda v: type(v) is Choice):
            raise _varying(target)
        graph.outs = [as_node(v) for v in tree.leaves(value, is_leaf)]
    changed = [c.place for c in changes.values() if c.place.owner is not frame and is_reached(c.place)]
    if changed:
        raise GraphTypeError(f"The recursive function '{target.name}' changes {changed[0]} that was there before "
                             "the call, and how often depends on a tensor; return the new value instead.")
    if trace.bound_since(state):
        raise GraphTypeError(f"The recursive function '{target.name}' assigns a parameter; "
                             "return the value and assign it outside of the recursion.")
    avals = [o.aval for o in graph.outs]
    trace.graphs[key] = graph, (value, avals), []
    return bool(known and known[1] and known[1][1] == avals)


def is_reached(place: Any) -> bool:
    """Whether the program can reach what changed from outside of the call that changed it."""
    return not inner(place) if type(place) is Elements else visible(Trace.current, place.owner)


def _call_graph(key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    graph, result, free = Trace.current.graphs[key]
    if result is None:
        raise Pending
    template, avals = result
    ins = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
    outs = emit_items(CALL, [*ins, *free], {"graph": graph}, avals)
    for k, out in enumerate(outs):             # a result may be an argument, or another result
        note_merged(out, [*ins, *free, *outs[:k]])
    return tree.rebuild(template, is_leaf, iter(outs))


# ---------------------------------------------------------------------- attributes

def get_attribute(obj: Any, name: str) -> Any:
    """`obj.name`, with a note that the graph depends on it."""
    if type(obj) is Node:
        return _of_node(obj, name)
    if type(obj) is Choice:
        return each(lambda one: get_attribute(one, name), obj)
    kind = type(obj)
    trace = Trace.current
    if issubclass(kind, ModuleType):
        value = getattr(obj, name)
        if trace is not None and name in vars(obj) and not is_native_module(obj.__name__):
            trace.read(vars(obj), name, value)
        return value
    if isinstance(obj, Tensor):
        return _of_tensor(obj, name)
    found = _of_kind(trace, obj, name)
    if type(found) is property and found.fget is not None and not is_native_module(
            getattr(found.fget, "__module__", "builtins")):
        return call(found.fget, (obj,), {})
    value = getattr(obj, name)
    if trace is None:
        return value
    if is_cell(obj):
        _of_cell(trace, obj, name, value)
        if found is not None and type(found) not in _MEMBERS and name not in obj.__dict__:
            _of_class(trace, kind, name)
    elif id(obj) in trace.heap.outside or isinstance(obj, type):
        _of_object(trace, obj, name, value)
    return value


def _of_node(node: Node, name: str) -> Any:
    """The attribute of a tensor of the graph, which may stand for a parameter that a condition chose."""
    try:
        return getattr(node, name)
    except AttributeError:
        if not hasattr(Parameter, name):
            raise
    raise GraphSyntaxError(f"The attribute '{name}' belongs to a tensor that is computed, or to a parameter that a "
                           "condition on a tensor chose. Ask for it outside of the compiled function, or in the arms "
                           "of the condition.")


def _of_cell(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note an attribute of a cell, whose stamp tells when it changes."""
    trace.cells[id(cell)] = cell
    if type(value) not in _SIMPLE:
        _place(trace, cell, name, value)
        trace.heap.note(value, (id(cell), name) in trace.heap.watch.changed)
        if is_cell(value):
            trace.cells[id(value)] = value


def _of_object(trace: Trace, obj: Any, name: str, value: Any) -> None:
    """Note an attribute of an object of the outside world, or of a class."""
    watch = trace.heap.watch
    if isinstance(obj, type):
        _of_class(trace, obj, name)
        made = (id(obj), name) in watch.changed
    else:
        own = getattr(obj, "__dict__", None)
        made = (id(obj), name) in watch.changed
        held = own is None or name in own
        if isinstance(obj, CONTAINERS):
            if own and held and not made:
                watch.place(own, name, value)
        elif not made and (held or type(getattr(type(obj), name, None)) not in _MEMBERS):
            watch.place(obj, name, value if held else MISSING)
        if not held:
            _of_class(trace, type(obj), name)
    if type(value) not in _SIMPLE:
        if not made and not isinstance(obj, CONTAINERS) and own_tensor(obj, name, value):
            _place(trace, obj, name, value)
        trace.heap.note(value, made)


def own_tensor(obj: Any, name: str, value: Any) -> bool:
    """Whether a tensor stands in the dictionary of an object, where a later run finds another."""
    return type(value) is Tensor and getattr(obj, "__dict__", {}).get(name) is value and not isinstance(obj, type)


def _of_class(trace: Trace, kind: type, name: str) -> None:
    """Note an attribute of a user's class that is no method."""
    for base in kind.__mro__:
        if name in vars(base):
            value = vars(base)[name]
            if type(value) not in _MEMBERS and not is_native_module(base.__module__):
                trace.heap.watch.place(base, name, value)
                trace.heap.note(value, (id(base), name) in trace.heap.watch.changed)
            return


def _of_kind(trace: Any, obj: Any, name: str) -> Any:
    """The attribute of an object's class; None without one, which is asked once where the object has its own."""
    held = trace is not None and name in getattr(obj, "__dict__", ())
    if held and (type(obj), name) in trace.own:
        return None
    found = getattr(type(obj), name, None)
    if held and found is None:
        trace.own.add((type(obj), name))
    return found


def is_cell(obj: Any) -> bool:
    """Whether an object is a Cell."""
    return hasattr(type(obj), "cells_and_names")


def _of_tensor(obj: Tensor, name: str) -> Any:
    """An attribute of a tensor; what needs the content of a parameter is not known."""
    if isinstance(obj, Parameter) and name in ("asnumpy", "numpy", "item", "tolist"):
        raise GraphValueError(f"'{name}' of the parameter '{obj.name}' is not known while a graph "
                              "is compiled; compute with the tensor itself.")
    return getattr(obj, name)


def _place(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note where tensors are attributes of a cell: the graph reads them there at every run."""
    if type(value) is Tensor:
        trace.heap.watch.tensor(value, cell, name)
    elif type(value) in (tuple, list, dict):
        for k, leaf in enumerate(tree.leaves(value, lambda v: type(v) is Tensor)):
            trace.heap.watch.tensor(leaf, cell, name, k)


def set_attribute(obj: Any, name: str, value: Any) -> None:
    """`obj.name = value`: a parameter is assigned, anything else becomes state of the graph."""
    trace = Trace.current
    if type(obj) is Choice:
        each(lambda one: set_attribute(one, name, value), obj)
        return
    found = getattr(type(obj), name, None)
    if type(found) is property and found.fset is not None:
        call(found.fset, (obj, value), {})
        return
    setter = user_method(obj, "__setattr__")
    if setter:
        setter(name, value)
        return
    held = getattr(obj, name, None)
    if isinstance(held, Parameter) and is_cell(obj) and not isinstance(value, Parameter):
        Block.assign(held, value)
    elif trace is None or isinstance(obj, type) or (is_cell(obj) and _is_registered(value)) or getattr(
            type(obj), "__setattr__", None) not in (object.__setattr__, _cell_setattr(obj)):
        setattr(obj, name, value)
    else:
        if is_cell(obj):
            trace.cells[id(obj)] = obj
        trace.heap.write(Attribute(obj, name), value)


def _is_registered(value: Any) -> bool:
    """Whether a cell keeps a value under its name: a parameter or a cell."""
    return isinstance(value, Parameter) or hasattr(value, "cells_and_names")


def _cell_setattr(obj: Any) -> Any:
    return type(obj).__setattr__ if is_cell(obj) else object.__setattr__


def delete_attribute(obj: Any, name: str) -> None:
    """`del obj.name`."""
    if not hasattr(obj, name):
        raise AttributeError(name)
    place = Attribute(obj, name)
    Trace.current.heap.touch(place)
    delattr(obj, name)


SPECIAL: dict[Any, Callable[..., Any]] = {}
_MEMBERS = frozenset([FunctionType, BuiltinFunctionType, property, classmethod, staticmethod,
                      functools.cached_property, type(object.__init__), type(str.join), MemberDescriptorType,
                      GetSetDescriptorType, type(None)])
_SIMPLE = frozenset([*_STATIC, Node, bytes, complex, FunctionType, MethodType, Closure])
_KEYED = frozenset(["get", "pop", "setdefault", "add", "discard", "remove", "__getitem__", "__contains__"])
_STATIC_TYPES = frozenset([*_STATIC, Node, bytes, complex, FunctionType, MethodType, Closure, list,
                           dict, tuple, set, deque])

from . import builtins as _builtins  # noqa: E402, F401  # fills SPECIAL, on top of this module
