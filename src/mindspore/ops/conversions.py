"""Tensors of another element type, on another device, or with a storage of their own."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.core.errors import GraphTypeError
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.operators import structure

_OPTIONS = ("dtype", "other", "device", "non_blocking", "copy")


def _to(self: Any, *args: Any, **options: Any) -> Any:
    """The tensor with another element type, or on another device: `to(dtype)`, `to(other)`, `to(device, dtype)`.

    `non_blocking` and `copy` may follow.  With or without the former the elements are there when it
    returns; `copy` asks for a storage of its own in any case.
    """
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"For 'Tensor.to', there is no argument '{name}'; there are {list(_OPTIONS)}.")
    flags = [a for a in args if isinstance(a, bool)]
    wanted = options.get("dtype") or options.get("other") or next(
        (a for a in args if not isinstance(a, (str, bool)) and a is not None), None)
    device = options.get("device") or next((a for a in args if isinstance(a, str)), None)
    out = self
    if wanted is not None:
        out = structure.cast(out, dtype=wanted.dtype if is_tensor(wanted) else as_dtype(wanted))
    if device is not None:
        return move_to(out, device)                 # which is a copy
    wants_copy = options.get("copy", flags[1] if len(flags) > 1 else False)
    return copy(out) if wants_copy and out.dtype is self.dtype else out


def move_to(input: Any, to: str = "CPU", blocking: bool = True) -> Any:
    """The tensor on another device: "CPU", "GPU" or "Ascend".

    With or without `blocking`, the elements are there when it returns.
    """
    if not isinstance(blocking, bool):
        raise check.fail(ValueError, "move_to", "blocking", "a bool", blocking)
    if isinstance(input, Node):
        raise GraphTypeError("For 'move_to', a tensor cannot change its device inside a compiled graph.")
    return Tensor(input, device=to)


def copy(self: Any) -> Any:
    """The tensor with a storage of its own.

    Returns:
        A tensor of the same shape and dtype, through which gradients flow.

    Examples:
        >>> x = Tensor([1, 2])
        >>> y = x.copy()
        >>> y.add_(1).tolist(), x.tolist()
        ([2, 3], [1, 2])
    """
    return structure.copied(self)


def _typed(name: str) -> Any:
    wanted = as_dtype(name)

    def convert(self: Any) -> Any:
        return structure.cast(self, dtype=wanted)

    convert.__doc__ = f"The tensor with element type {name}."
    return convert


def _type(self: Any, dtype: Any = None) -> Any:
    """The name of the element type; with `dtype` the tensor with that element type."""
    return str(self.dtype) if dtype is None else structure.cast(self, dtype=as_dtype(dtype))


def type_as(input: Any, other: Any) -> Any:
    """The tensor with the element type of `other`."""
    return structure.cast(input, dtype=other.dtype)


METHODS = {
    "bfloat16": _typed("bfloat16"), "bool": _typed("bool"), "byte": _typed("uint8"), "clone": copy, "copy": copy,
    "double": _typed("float64"), "float": _typed("float32"), "half": _typed("float16"), "int": _typed("int32"),
    "is_complex": lambda self: self.dtype.is_complex,
    "is_floating_point": lambda self: self.dtype.is_floating,
    "is_signed": lambda self: self.dtype.kind in "ifc", "long": _typed("int64"), "move_to": move_to,
    "short": _typed("int16"), "to": _to, "type": _type, "type_as": type_as,
}
__all__ = ["move_to", "type_as"]
