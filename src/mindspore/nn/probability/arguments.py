"""Parameters of distributions and bijectors: numbers and arrays that become float tensors of one type."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators.rules import broadcast


def float_type(given: dict[str, Any], own: DType = float32) -> DType:
    """The type that parameters have together: that of the tensors of floats among them, or else their `own`."""
    found = {v.dtype for v in given.values() if is_tensor(v) and v.dtype.is_floating}
    if len(found) > 1:
        raise TypeError(f"The parameters {', '.join(given)} must have one element type, but got "
                        f"{', '.join(sorted(str(t) for t in found))}.")
    return found.pop() if found else own


def as_parameter(owner: Any, name: str, value: Any, dtype: DType) -> Any:
    """A given parameter as a tensor; None, a Parameter, and a tensor of that type stay what they are."""
    if value is None or isinstance(value, Parameter):
        return value
    if is_tensor(value):
        return value if value.dtype is dtype else value.astype(dtype)
    try:
        return Tensor(value, dtype)
    except (TypeError, ValueError) as error:
        raise check.fail(TypeError, owner, name, "a number, an array or a Tensor", value) from error


def known(value: Any) -> bool:
    """Whether the elements of a parameter can be looked at: it is given and no graph is being built."""
    return isinstance(value, Tensor) and not runtime.building


def require(owner: Any, name: str, value: Any, holds: Any, wanted: str) -> None:
    """Refuse a parameter whose elements do not satisfy `holds`, a function of an array."""
    if known(value) and not holds(value.asnumpy()).all():
        raise ValueError(f"For '{check.name_of(owner)}', the '{name}' must be {wanted}, but got {value.tolist()}.")


def common_shape(owner: Any, values: list[Any]) -> tuple[int, ...] | None:
    """The shape that parameters have together; None if one is missing."""
    if any(v is None for v in values):
        return None
    return broadcast(*[tuple(v.shape) for v in values], name=check.name_of(owner))


def checked_tensor(owner: Any, name: str, value: Any) -> Any:
    """A tensor, or the error for what is none."""
    if not is_tensor(value):
        raise TypeError(f"For '{check.name_of(owner)}', the '{name}' must be a Tensor or Parameter, "
                        f"but got {type(value).__name__}.")
    return value


def cast(value: Any, dtype: DType) -> Any:
    """A tensor in that type."""
    return value if value.dtype is dtype else value.astype(dtype)
