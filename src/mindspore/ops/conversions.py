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
    """The tensor with another element type, or on another device: `to(dtype)`, `to(other)`, `to(device,
    dtype)`.

    Args:
        args: A type of MindSpore's, or a tensor whose element type is meant; a device, "CPU", "GPU" or
            "Ascend"; then the flags `non_blocking` and `copy`.
        options: The same by name: `dtype`, `other`, `device`, `non_blocking`, `copy`. With or without
            `non_blocking` the elements are there when it returns; `copy` asks for a storage of its own in any
            case.

    Returns:
        A tensor.

    Raises:
        TypeError: If there is no such option.

    Examples:
        >>> Tensor([1.5]).to(mindspore.int32)
        Tensor(shape=[1], dtype=Int32, value= [1])
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
    """The tensor on another device.

    Args:
        input: A tensor.
        to: "CPU", "GPU" or "Ascend".
        blocking: With or without it, the elements are there when the call returns.

    Returns:
        A tensor.

    Raises:
        ValueError: If `blocking` is no bool.
        TypeError: If a compiled graph does it.

    Examples:
        >>> ops.move_to(Tensor([1.0]), "CPU").tolist()
        [1.0]
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


def _typed(name: str, method: str) -> Any:
    wanted = as_dtype(name)

    def convert(self: Any) -> Any:
        return structure.cast(self, dtype=wanted)

    convert.__doc__ = _DOC.format(name=name, method=method)
    return convert


_DOC = """The tensor with element type {name}.

Returns:
    A tensor of the same shape; floats lose their fraction in integers, everything but 0 is True.

Examples:
    >>> Tensor([0.0, 1.0]).{method}().dtype == mindspore.{name}
    True
"""


def _type(self: Any, dtype: Any = None) -> Any:
    """The name of the element type; with `dtype` the tensor with that element type.

    Args:
        dtype: A type of MindSpore's, or None.

    Returns:
        A str, or a tensor.

    Examples:
        >>> Tensor([1.5]).type()
        'Float32'
        >>> Tensor([1.5]).type(mindspore.int32)
        Tensor(shape=[1], dtype=Int32, value= [1])
    """
    return str(self.dtype) if dtype is None else structure.cast(self, dtype=as_dtype(dtype))


def type_as(input: Any, other: Any) -> Any:
    """The tensor with the element type of `other`.

    Args:
        input: A tensor.
        other: A tensor, of which the element type is meant.

    Returns:
        A tensor of the shape of `input`.

    Examples:
        >>> ops.type_as(Tensor([1.5]), Tensor([1]))
        Tensor(shape=[1], dtype=Int64, value= [1])
    """
    return structure.cast(input, dtype=other.dtype)


def _is_signed(self: Any) -> bool:
    """Whether the element type has negative numbers.

    Returns:
        A bool; False for bools and unsigned integers.

    Examples:
        >>> Tensor([1]).is_signed(), Tensor([1], mindspore.uint8).is_signed()
        (True, False)
    """
    return self.dtype.kind in "ifc"


METHODS = {
    **{method: _typed(name, method) for method, name in (
        ("bfloat16", "bfloat16"), ("bool", "bool"), ("byte", "uint8"), ("double", "float64"), ("float", "float32"),
        ("half", "float16"), ("int", "int32"), ("long", "int64"), ("short", "int16"))},
    "clone": copy, "copy": copy, "is_complex": lambda self: self.dtype.is_complex,
    "is_floating_point": lambda self: self.dtype.is_floating, "is_signed": _is_signed, "move_to": move_to,
    "to": _to, "type": _type, "type_as": type_as,
}
__all__ = ["move_to", "type_as"]
