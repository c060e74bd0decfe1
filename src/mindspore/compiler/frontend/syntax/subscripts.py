"""Elements of containers: by an index, a slice, a tensor."""
from __future__ import annotations

import ast
from collections import defaultdict
from typing import Any

from mindspore.compiler.frontend.calls.attributes import get_attribute
from mindspore.compiler.frontend.calls.dispatch import call
from mindspore.compiler.frontend.calls.infix import PLAIN, as_scalar
from mindspore.compiler.frontend.calls.native import SPECIAL, is_native_module
from mindspore.compiler.frontend.calls.protocols import user_method
from mindspore.compiler.frontend.control.branching import choose
from mindspore.compiler.frontend.control.effects import check
from mindspore.compiler.frontend.objects.elements import at_run_time
from mindspore.compiler.frontend.objects.places import Contents
from mindspore.compiler.frontend.objects.state import as_key, lift
from mindspore.compiler.frontend.values.conditional import INSIDE, ITSELF, distributed
from mindspore.core.dtype import bool_, int64
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY


def subscript(f: Any, e: ast.Subscript) -> Any:
    """The value of `holder[index]` in a frame."""
    watch = runtime.trace.heap.watch
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


@distributed(ITSELF, INSIDE)
def item(holder: Any, index: Any) -> Any:
    """`holder[index]`; that a container has no such element counts, too."""
    try:
        return _item(holder, index)
    except LookupError:
        heap = runtime.trace.heap
        if id(holder) in heap.outside:
            heap.watch.sparing = False
            heap.note(holder)
        raise


def _item(holder: Any, index: Any) -> Any:
    kind = type(holder)
    if isinstance(index, Tensor) and kind in (list, tuple):
        index = at_run_time(index)
    if isinstance(holder, Tensor):
        return lift(holder)[index]
    if kind is Node or kind in PLAIN:
        if kind is list:
            return _of_list(holder, index)
        return _chosen(holder, index) if kind is tuple and type(index) is Node else holder[index]
    method = user_method(holder, "__getitem__")
    if method:
        return method(index)
    if issubclass(kind, type) and not is_native_module(holder.__module__) and hasattr(holder, "__class_getitem__"):
        return call(get_attribute(holder, "__class_getitem__"), (index,), {})
    if type(index) is Node and getattr(kind, "chosen_by_tensors", False):
        return _chosen(list(holder), index)
    return entry(holder, index) if isinstance(holder, dict) else _noted(holder, index, holder[index])


def entry(holder: dict[Any, Any], key: Any) -> Any:
    """An entry of a dict; where it has none, what `__missing__` or the factory of a `defaultdict` gives."""
    key = as_key(holder, key)
    if not dict.__contains__(holder, key):
        method = user_method(holder, "__missing__")
        if method:
            return method(key)
        factory = holder.default_factory if isinstance(holder, defaultdict) else None
        if id(holder) in runtime.trace.heap.outside and isinstance(holder, defaultdict):
            runtime.trace.heap.watch.place(_Factory(holder), "of", factory)
        if factory is not None:
            value = call(factory, (), {})
            runtime.trace.heap.touch(Contents(holder))
            holder[key] = value
            return value
    return _noted(holder, key, dict.__getitem__(holder, key))


class _Factory:
    """Where the factory of a `defaultdict` is read, which is no element of it."""

    __slots__ = ("held",)

    def __init__(self, held: Any):
        self.held = held

    @property
    def of(self) -> Any:
        return self.held.default_factory


def _of_list(holder: list[Any], index: Any) -> Any:
    if type(index) is Node:
        runtime.trace.heap.note(holder)
        return _chosen(holder, index)
    return _noted(holder, index, holder[index])


def _noted(holder: Any, index: Any, value: Any) -> Any:
    """An element, with a note that the graph depends on it if the holder is from outside."""
    heap = runtime.trace.heap
    if id(holder) in heap.watch.spared:
        made = (id(holder), None) in heap.watch.changed
        if type(index) is slice:
            heap.watch.sparing = False
            heap.note(holder)
        elif not made:
            heap.watch.place(holder, index, value)
            if type(value) is Tensor:
                heap.watch.tensor(value, holder, index)
    if type(value) not in PLAIN[:-2] and id(holder) in heap.outside:
        heap.note(value, (id(holder), None) in heap.watch.changed)
    return value


def _chosen(holder: Any, index: Node) -> Any:
    """The element of a list or tuple at an index that is a tensor: a chain of choices."""
    count = len(holder)
    if index.size != 1:
        raise ValueError(f"An element of a {type(holder).__name__} is chosen by a tensor with one element, but got "
                         f"a tensor {index.aval}.")
    if index.dtype.kind not in "biu":
        raise TypeError(f"An element of a {type(holder).__name__} is chosen by one integer, but got a "
                        f"tensor {index.aval}.")
    if not count:
        raise IndexError(f"{type(holder).__name__} index out of range")
    place: Any = as_scalar(structure.cast(index, dtype=int64) if index.dtype is bool_ else index)
    inside = REGISTRY["LogicalAnd"](place >= -count, place < count)
    check(inside, IndexError(f"{type(holder).__name__} index out of range"))

    def pick(at: int) -> Any:
        if at == count - 1:
            return holder[at]
        here = REGISTRY["LogicalOr"](place == at, place == at - count)
        return choose(here, lambda: holder[at], lambda: pick(at + 1))
    return pick(0)


def slice_of(f: Any, e: ast.Slice) -> Any:
    """`lower:upper:step`."""
    return _slice(*[None if p is None else f.eval(p) for p in (e.lower, e.upper, e.step)])


_slice = distributed(ITSELF)(slice)
SPECIAL[dict.__getitem__] = entry
