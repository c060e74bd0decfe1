"""Changes in place: where they happened, and the refusal of a gradient that needs what was changed.

torch counts the changes of a storage (`_version`).  A record of the tape keeps the count beside a value that it
saved; a sweep that finds another count raises.  What torch does not count are writes through memory that is shared
with NumPy or another library.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import sys
import weakref
from collections import deque
from typing import Any

import torch

from mindspore.core.dtype import DType, from_torch
from mindspore.core.own_files import OWN_FILES
from mindspore.eager.tensor import Tensor
from mindspore.ir import Aval
from mindspore.operators.torch_private import has_no_storage

_latest: deque[tuple[Any, str]] = deque(maxlen=64)      # what was written, by a storage's address or a program; where


def note(written: Any) -> None:
    """Remember the user's line of a change in place of a torch tensor, or of the tensors that a program assigns."""
    if isinstance(written, torch.Tensor):
        if has_no_storage(written):      # has no storage
            return
        written = written.untyped_storage().data_ptr()
    else:
        written = weakref.ref(written)
    _latest.append((written, _line()))


def check(data: torch.Tensor, version: int, name: str) -> None:
    """Raise if a saved value was changed since.

    Raises:
        RuntimeError: If the value has another version.
    """
    if data._version != version:
        raise changed(data, name)


def changed(data: torch.Tensor, name: str) -> RuntimeError:
    """The error for a saved value of an operator that was changed in place."""
    where = _where(data)
    return RuntimeError(
        f"A value that the gradient of '{name}' needs, of shape {tuple(data.shape)}, was changed in place"
        f"{where} after the operator had used it. Change a copy (y = x.copy()) there, give the operator a copy, or "
        "take the gradient before the change.")


class Lost(Tensor):
    """A saved value that was changed in place: the derivative that asks for its elements fails, others do not."""

    __slots__ = ("held", "name")
    held: torch.Tensor
    name: str

    @property
    def _data(self) -> torch.Tensor:
        raise changed(self.held, self.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions, which did not change."""
        return tuple(self.held.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return from_torch(self.held.dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.held.dim()

    @property
    def aval(self) -> Aval:
        """Shape and dtype."""
        return Aval(self.shape, self.dtype)


def lost(data: torch.Tensor, var: Any, name: str) -> Lost:
    """What represents a saved value that was changed."""
    found = object.__new__(Lost)
    found.held, found.name, found._var = data, name, var
    return found


def _where(data: torch.Tensor) -> str:
    address = data.untyped_storage().data_ptr()
    for written, line in reversed(_latest):
        if type(written) is not int:
            tensors = getattr(written(), "assigned", ())
            written = address if any([p._data.untyped_storage().data_ptr() == address for p in tensors]) else None
        if written == address:
            return f" ({line})"
    return ""


def _line() -> str:
    """The innermost line outside of this package."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(OWN_FILES):
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"
