"""What functions of tensors ask of their arguments."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType, bool_, int8, int16, int32, int64, uint8
from mindspore.core.errors import kind
from mindspore.eager.tensor import is_tensor
from mindspore.ir import INTS
from mindspore.operators.structure import cast
from mindspore.operators.values_and_indices import ValuesAndIndices

from .signatures import plain


def tensor(owner: str, name: str, value: Any) -> Any:
    """The value, if it is a tensor.  TypeError otherwise."""
    if type(value) is ValuesAndIndices:
        return value[0]
    if not is_tensor(value):
        raise TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {kind(value)}.")
    return value


def signed(owner: str, name: str, value: Any) -> Any:
    """The value, a tensor that is subtracted; TypeError for unsigned integers, whose differences have no sign."""
    if tensor(owner, name, value).dtype.kind == "u":
        raise TypeError(f"For '{owner}', the '{name}' must be signed numbers, but got {value.dtype}.")
    return value


def only(owner: str, value: Any) -> Any:
    """The only input of a function, if it is a tensor.  TypeError otherwise."""
    if type(value) is ValuesAndIndices:
        return value[0]
    if not is_tensor(value):
        raise TypeError(f"For '{owner}', the input must be a Tensor, but got {kind(value)}.")
    return value


def in_int64(x: Any) -> Any:
    """A tensor of bools or narrow integers in int64, in which their sums are taken."""
    return cast(x, dtype=int64) if x.dtype in (bool_, int8, int16, int32, uint8) else x


def extents(owner: str, shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints.  TypeError for anything else."""
    if type(shape) is tuple and all([type(n) in INTS for n in shape]):
        return shape
    shape = plain(shape)
    shape = shape if isinstance(shape, tuple) else (shape,)
    for n in shape:
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"For '{owner}', the shape must hold ints, but got {shape!r}.")
    return shape


def spread(values: tuple[Any, ...]) -> Any:
    """What a method like `reshape(*shape)` got: several numbers, or one sequence of them."""
    if len(values) == 1 and (isinstance(values[0], (tuple, list)) or is_tensor(values[0])):
        return values[0]
    return values


_NO_TENSORS = {type(None), bool, int, float, complex, str, list, tuple, dict}


def no_tensor(owner: str, given: tuple[tuple[str, Any], ...], error: AttributeError) -> TypeError | None:
    """The TypeError of an input that was taken for a tensor and is none; None if the error is another one."""
    strange = [(name, value) for name, value in given if type(value) in _NO_TENSORS or isinstance(value, (type, DType))]
    if not any(str(error).startswith((f"'{type(value).__name__}' object has no attribute", "type object '"))
               for _, value in strange):
        return None
    name, value = next((pair for pair in strange if type(pair[1]) in (str, list, tuple, dict)), strange[0])
    made = TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {value!r} with type "
                     f"'{type(value).__name__}'.")
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    return made
