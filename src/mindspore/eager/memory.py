"""Changes in place while a gradient is taken: memory is shared as outside, and the tape follows.

Views share the memory of a root, which torch knows (`_base`).  A change in place of the root or of a view writes into
that memory and gives the root a new variable: the old one, with the variable of the changed part written at its place
(operator `strided_write`).  Every tensor on that memory has an outdated variable from then on; where it is used next
it gets the part of the root's variable at its own place (operator `strided`).  Programs that change nothing pay
nothing for this but the question whether something was changed.

A tensor that has its memory to itself is not written to: it gets new memory, so that what records saved stays.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from mindspore.eager.changes import note
from mindspore.eager.records import Bases, Place, Record, Var, ViewRecord, Watched
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.strided import strided, strided_write
from mindspore.operators.torch_private import has_no_storage, memory_of, slices, uses_of

_next_number = itertools.count(1).__next__
_OWN_USES = 2            # of a storage that one torch tensor has: the tensor's, and that of who asks


class _Changed:
    """The variable of a root after a change in place; `number` tells the changes apart."""

    __slots__ = ("number", "var")

    def __init__(self, var: Var | None):
        self.number, self.var = _next_number(), var


def overwrite(tensor: Tensor, new: Tensor) -> None:
    """Let a tensor hold the elements of another one of its shape and dtype: in its own memory, if others have it.

    Raises:
        RuntimeError: It is on the device "meta", where nothing can be held.
    """
    data = tensor._data
    if new._data is data:
        return
    if data.is_meta and not new._data.is_meta:
        raise RuntimeError("A tensor on the device 'meta' cannot hold elements. Give it memory first, by "
                           "'Tensor.set_' or 'Cell.to_empty' for example.")
    if runtime.slicing:
        remember(tensor)
    if not runtime.depth:
        _write(tensor, new)
        return
    new = tensor._leaf(new)
    if overlaps(data) or is_alone(data):
        tensor._data, tensor._var = new._data if is_alone(new._data) else new._data.clone(), new._var
        return
    if has_no_storage(data):
        raise RuntimeError("A tensor that represents all slices of 'vmap' is changed in place while a gradient is "
                           "taken; others may share its memory, which is known slice by slice only.")
    root = _root(data)
    known, place = vars(root).get("_changed"), _place(data, root)
    refresh((tensor, new))
    old = known.var if known else _through(tensor._var, place, root)
    written = new._data.clone() if _root(new._data) is root else new._data
    note(data)
    _keep_saved(root)
    data.copy_(written)
    tensor._var = new._var
    if not known:
        if old is None and new._var is None:
            return
        runtime.changed.append(weakref.ref(root))
    vars(root)["_changed"] = now = _Changed(_written(old, new._var, place, root))
    tensor.__dict__["_at"] = now.number


def _write(tensor: Tensor, new: Tensor) -> None:
    """The same while no gradient is taken, where nothing holds the old elements."""
    data, source = tensor._data, new._data
    tensor._var = None
    if overlaps(data):
        tensor._data = source
        return
    note(data)
    data.copy_(source.clone() if _root(source) is _root(data) else source)


def remember(tensor: Tensor) -> None:
    """Note what a tensor holds before a function over slices changes it, in case that begins again slice by slice."""
    data = tensor._data
    while has_no_storage(data):
        data = slices.get_unwrapped(data)
    runtime.before.append((tensor, data, data.clone()))


def take_back(count: int) -> None:
    """Let tensors hold again what they held before the changes since there were `count`."""
    while len(runtime.before) > count:
        tensor, data, elements = runtime.before.pop()
        data.copy_(elements)
        if not has_no_storage(tensor._data):
            tensor._data = data


def note_saved(saved: Any, root: torch.Tensor) -> None:
    """Remember that a record holds a view of some memory."""
    runtime.saved.setdefault(id(root), []).append(weakref.ref(saved))


def _keep_saved(root: torch.Tensor) -> None:
    """Give the records that hold views of some memory copies, before it changes."""
    for ref in runtime.saved.pop(id(root), ()):
        saved = ref()
        if saved is not None and saved.data._base is root:
            saved.copy()


def present(tensor: Any) -> Any:
    """A tensor for computing what it is to hold: a record may save a copy, but not the memory that is written to."""
    if not runtime.depth or not isinstance(tensor, Tensor) or is_alone(tensor._data):
        return tensor
    refresh((tensor,))
    return wrap(tensor._data.clone(), tensor._var)


def apart(tensors: Sequence[Any], others: Iterable[Any]) -> list[Any]:
    """Tensors (or None), each with memory of its own: copies of those that share it with another or with `others`."""
    taken = {memory_of(x._data) for x in others}
    found: list[Any] = []
    for x in tensors:
        if x is not None:
            memory = memory_of(x._data)
            x = structure.copied(x) if memory in taken else x
            taken.add(memory)
        found.append(x)
    return found


def overlaps(data: torch.Tensor) -> bool:
    """Whether elements of a tensor share memory with one another, as `broadcast_to` gives them."""
    return any([not step and n > 1 for step, n in zip(data.stride(), data.shape, strict=True)])


def is_alone(data: torch.Tensor) -> bool:
    """Whether no view, array or other tensor shares the memory of a torch tensor."""
    while has_no_storage(data):
        data = slices.get_unwrapped(data)
    if data._base is not None:
        return False
    storage = data.untyped_storage()
    return storage.resizable() and uses_of(storage) <= _OWN_USES


def refresh(tensors: Iterable[Any]) -> None:
    """Give tensors whose memory was changed in place their present variables.

    Raises:
        RuntimeError: If one reads that memory as another type than it was changed as.
    """
    if not runtime.changed:
        return
    for x in tensors:
        if isinstance(x, Tensor):
            root = _root(x._data)
            known = vars(root).get("_changed")
            if known is not None and x.__dict__.get("_at") != known.number:
                x._var = _part(known.var, x._data, root)
                x.__dict__["_at"] = known.number


def forget() -> None:
    """End the outermost gradient: no tensor has a variable any more."""
    for ref in runtime.changed:
        root = ref()
        if root is not None:
            del vars(root)["_changed"]
    runtime.changed.clear()
    runtime.saved.clear()


def bases(inputs: Sequence[Any], raw: Sequence[Any], outs: Sequence[torch.Tensor]) -> Bases | None:
    """For each result what it is a view of: a var and a place; None if no result shares memory with an input."""
    roots = {id(_root(r)): (x._var, r) for x, r in zip(inputs, raw, strict=False) if isinstance(x, Tensor)}
    found: list[tuple[Var | None, Place | None] | None] = []
    for o in outs:
        root = _root(o)
        var, r = roots.get(id(root), (None, None))
        found.append(None if r is None else (var, _place(r, root)))
    return tuple(found) if any(found) else None


def _root(data: torch.Tensor) -> torch.Tensor:
    root = data._base
    return data if root is None else root


def _place(data: torch.Tensor, root: torch.Tensor) -> Place | None:
    """Where a view lies in the memory of its root; None if it is all of it, in the same order."""
    shape, stride, offset = tuple(data.shape), data.stride(), int(data.storage_offset() - root.storage_offset())
    return None if not offset and shape == tuple(root.shape) and stride == root.stride() else (shape, stride, offset)


def _through(var: Var | None, place: Place | None, root: torch.Tensor) -> Var | None:
    """The variable of a root, one of whose views, at `place`, has the variable `var`."""
    if var is None:
        return _watched(root)
    if place is None:
        return var
    record, i = var
    base = record.bases[i] if type(record) is ViewRecord else None
    if base:
        return _through(*base, root)
    outer = _through(record.parents[0], place, root) if type(record.op) is Watched and record.parents[0] else None
    return _written(outer, var, place, root)


def _watched(root: torch.Tensor) -> Var | None:
    """The variable of a root that a gradient is taken of."""
    for var in reversed(runtime.watched):
        data = var[0].op.tensor._data
        if _root(data) is root:
            return _through(var, _place(data, root), root)
    return None


def _written(old: Var | None, new: Var | None, place: Place | None, root: torch.Tensor) -> Var | None:
    """The variable of a root after a part of it was replaced."""
    if place is None or (old is None and new is None):
        return new
    return Record(strided_write, (old, new), [], _attrs(root, place), 1), 0


def _part(var: Var | None, data: torch.Tensor, root: torch.Tensor) -> Var | None:
    """The variable of a view, from that of its root."""
    if var is None:
        return None
    if data.dtype is not root.dtype or data.is_conj() != root.is_conj() or data.is_neg() != root.is_neg():
        raise RuntimeError(f"A tensor of the type {data.dtype} shares memory with one of the type {root.dtype} that "
                           "was changed in place while a gradient is taken; the gradient through that is not known. "
                           "Take the part again after the change, or change a copy.")
    place = _place(data, root)
    return var if place is None else (Record(strided, (var,), [], _attrs(root, place), 1), 0)


def _attrs(root: torch.Tensor, place: Place) -> dict[str, Any]:
    return {"shape": tuple(root.shape), "stride": root.stride(), "at": place}
