"""Elements of tensors assigned by index, in both modes."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.eager.changes import note
from mindspore.eager.memory import overlaps, overwrite, remember
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import INTS, Node
from mindspore.ir.runtime import runtime
from mindspore.operators.getitem import get_item, set_item, write
from mindspore.operators.joining import stack
from mindspore.operators.masking import masked_scatter, select
from mindspore.operators.structure import broadcast_to, cast, reshape
from mindspore.operators.values_and_indices import ValuesAndIndices

from .getitem import Index, is_single_mask, known, located


def setitem(x: Any, index: Any, value: Any) -> Any:
    """`x` after `x[index] = value`, as a new tensor."""
    value = _value(x, value)
    if is_single_mask(index):
        whole = setitem(reshape(x, shape=(1, *x.shape)), reshape(index, shape=(1,)), value)
        return reshape(whole, shape=tuple(x.shape))
    spec, tensors = known(x.shape, index)
    if spec is not None:
        return set_item(x, value, *tensors, spec=spec)
    found = located(x.shape, index)
    if found.empty:
        return x
    if found.mask is None:
        return set_item(x, value, *found.tensors, spec=tuple(found.spec))
    new = _set_masked(x, found, value) if found.masks == 1 and not found.tensors else None
    if new is None:
        found = located(x.shape, index, by_places=True)
        new = set_item(x, value, *found.tensors, spec=tuple(found.spec))
    return new


def _value(x: Any, value: Any) -> Any:
    """The new elements: a number, a tensor or a node."""
    if is_tensor(value) or isinstance(value, (bool, int, float)):
        return value
    if type(value) is ValuesAndIndices:
        return value.as_tensor()
    if isinstance(value, (list, tuple)):
        if _computed(value):
            return stack(*[_value(x, v) if not isinstance(v, (int, float)) else Tensor(v, x.dtype)
                           for v in value])
        return Tensor(value, x.dtype)
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(value)
    if isinstance(value, complex) and x.dtype.is_complex:
        return Tensor(value, x.dtype)
    if value is None:
        raise TypeError("The value to be set must be a number, a tensor, a list or a tuple, but got "
                        "None.")
    raise IndexError(f"The value to be set must be a number, a tensor, a list or a tuple, but got "
                     f"{value!r} with type '{type(value).__name__}'.")


def _computed(value: Any) -> bool:
    return any(is_tensor(v) or (isinstance(v, (list, tuple)) and _computed(v)) for v in value)


def _set_masked(x: Any, found: Index, value: Any) -> Any:
    """Write by a mask whose true elements are not known while compiling.

    The block that the other parts of the index select is read, filled where the mask holds and
    written back.  None if such a value cannot be written so.
    """
    spec = tuple(found.spec)
    block = get_item(x, spec=spec)
    before = len([s for s in spec[:found.mask_at] if type(s) not in INTS])
    mask, rank = found.mask, len(found.mask.shape)
    after = block.ndim - before - rank
    wide = reshape(mask, shape=(*mask.shape, *(1,) * after)) if after else mask
    if not is_tensor(value) or not value.ndim or value.ndim <= after:
        filled = _where(wide, value, block)
    elif value.ndim == after + 1 and not before:
        rest = block.shape[rank:]
        rows = broadcast_to(value, shape=(value.shape[0], *rest))
        if value.shape[0] == 1:
            filled = _where(wide, reshape(rows, shape=(*(1,) * rank, *rest)), block)
        else:
            filled = masked_scatter(block, broadcast_to(wide, shape=block.shape),
                                    _cast(rows, block))
    else:
        return None
    return set_item(x, filled, spec=spec)


def _where(mask: Any, value: Any, block: Any) -> Any:
    if is_tensor(value):
        return select(mask, _cast(value, block), block)
    return select(mask, Tensor(value, block.dtype), block)


def _cast(value: Any, like: Any) -> Any:
    return value if value.dtype is like.dtype else cast(value, dtype=like.dtype)


def _assign_item(self: Any, index: Any, value: Any) -> None:
    """`self[index] = value`: in place."""
    if isinstance(self, Node) or runtime.building:
        new = setitem(runtime.builder.lift(self), index, value)
        if isinstance(self, Parameter):
            assign(self, new)
        else:
            runtime.builder.replace(self, new)
        return
    if overlaps(self._data) and _assign_shared(self, index, value):
        return
    if runtime.depth or is_single_mask(index):
        overwrite(self, setitem(self, index, value))
        return
    value = _value(self, value)
    spec, tensors = known(self.shape, index)
    if spec is None:
        found = located(self.shape, index)
        if found.empty:
            return
        spec, tensors = tuple(found.spec), found.tensors
    self._var = None
    raw = value._data if isinstance(value, Tensor) else value
    data = self._data
    if overlaps(data):                    # what differs for elements that share memory
        data = self._data = data.contiguous()
    note(data)
    if runtime.slicing:
        remember(self)
    try:
        write(data, raw, tuple([t._data for t in tensors]), spec)
    except (RuntimeError, IndexError) as error:
        given = value.aval if isinstance(value, Tensor) else value
        set_item.infer(self.aval, given, *[t.aval for t in tensors], spec=spec)
        raise set_item.explain(error, [self, value, *tensors]) from None


def _assign_shared(self: Tensor, index: Any, value: Any) -> bool:
    """Write to elements that share memory, as `broadcast_to` gives them; False if they would differ."""
    value = _value(self, value)
    part = self[index]
    if part._data.untyped_storage().data_ptr() != self._data.untyped_storage().data_ptr():       # by places, a copy
        return False
    given = value.shape if is_tensor(value) else ()
    for axis in range(1, part.ndim + 1):
        if not part._data.stride(-axis) and part.shape[-axis] > 1:
            if axis <= len(given) and given[-axis] > 1:
                return False
            part = part.narrow(-axis, 0, 1)
    part[...] = value
    return True


METHODS = {"__setitem__": _assign_item, "_with_item": setitem}
__all__: list[str] = []
