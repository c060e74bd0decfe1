"""What functions of `mindspore.numpy` do with their arguments and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.core.dtype import (
    as_dtype,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int32,
    int64,
    uint8,
)
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.values_and_indices import ValuesAndIndices
from mindspore.ops.signatures import named


def tensor(value: Any) -> Any:
    """A tensor unchanged, anything else as one."""
    if is_tensor(value):
        return value
    if type(value) is ValuesAndIndices:
        return value.as_tensor()
    if isinstance(value, (list, tuple)) and any([is_tensor(v) for v in value]):
        return stacked([tensor(v) for v in value])
    return Tensor(value, _dtype_of(value))


def stacked(parts: list[Any], axis: int = 0) -> Any:
    """Tensors along a new axis, in their common type."""
    kind = parts[0].dtype
    for part in parts[1:]:
        kind = common_type(kind, part.dtype)
    return ops.stack([p.astype(kind) for p in parts], axis)


_SIGNED = {2: int32, 4: int64, 8: float64}       # by bytes: what holds unsigned and signed numbers


def common_type(one: Any, other: Any) -> Any:
    """The type of a sum; for an unsigned and a signed type, between which there is no sum, the next signed one."""
    if one is other:
        return one
    kinds = {one.kind: one, other.kind: other}
    if set(kinds) == {"u"}:
        return max(one, other, key=lambda kind: kind.itemsize)
    if set(kinds) == {"u", "i"} and kinds["u"].itemsize > 1:
        return max(_SIGNED[kinds["u"].itemsize], kinds["i"], key=lambda kind: kind.itemsize)
    return (ops.zeros((), one) + ops.zeros((), other)).dtype


def _dtype_of(value: Any) -> Any:
    """float32 for floats and int32 for ints of Python; None where the value tells."""
    values = _leaves(value)
    if any([isinstance(v, float) for v in values]):
        return float32
    small = [type(v) in (int, bool) and -(2**31) <= v < 2**31 for v in values]
    return int32 if any([type(v) is int for v in values]) and all(small) else None


def _leaves(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for item in value for leaf in _leaves(item)]


def holds_text(value: Any) -> bool:
    """Whether there is a text in lists of values."""
    return any([isinstance(v, str) for v in _leaves(value)])


def floating(value: Any) -> Any:
    """A tensor of floats: integers become float32."""
    value = tensor(value)
    return value if value.dtype.is_floating or value.dtype.is_complex else value.astype(float32)


def floating_pair(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Two tensors in their common type, or float32 if it is no type of floats."""
    x1, x2 = tensor(x1), tensor(x2)
    kind = common_type(x1.dtype, x2.dtype)
    kind = kind if kind.is_floating or kind.is_complex else float32
    return x1.astype(kind), x2.astype(kind)


def angular(value: Any) -> Any:
    """A tensor of floats for functions of angles: the smallest type that holds bytes and bools is float16."""
    value = tensor(value)
    return value.astype(float16) if value.dtype in (bool_, int8, uint8) else floating(value)


def cast(result: Any, dtype: Any) -> Any:
    """The result in a type, if one is given."""
    return result if dtype is None else result.astype(as_dtype(dtype))


def elementwise(
    name: str, function: Callable[[Any], Any], doc: str, shown: tuple[str, str], convert: Any = tensor
) -> Any:
    """A function of each element, with a type for the result; `shown` are arguments and what they give."""

    def apply(x: Any, dtype: Any = None) -> Any:
        return cast(function(convert(x)), dtype)

    return named(apply, name, _text(name, doc, "x: A tensor, or numbers that make one.", shown))


def pairwise(
    name: str, function: Callable[[Any, Any], Any], doc: str, shown: tuple[str, str], convert: Any = tensor
) -> Any:
    """A function of the elements of two tensors, with a type for the result; `shown` as for elementwise."""

    def apply(x1: Any, x2: Any, dtype: Any = None) -> Any:
        return cast(function(convert(x1), convert(x2)), dtype)

    taken = "x1, x2: Tensors, or numbers that make some; they are broadcast."
    return named(apply, name, _text(name, doc, taken, shown))


def _text(name: str, doc: str, taken: str, shown: tuple[str, str]) -> str:
    """The docstring of a function that was made from its operator."""
    given, result = shown
    lines = [
        doc, "", "Args:", f"    {taken}", "    dtype: Type of the result; by default that of the computation.",
        "", "Examples:", f"    >>> print(mnp.{name}({given}))", *[f"    {line}" for line in result.split("\n")],
    ]
    return "\n".join([*lines, ""])


def first(owner: str, arrays: Any) -> Any:
    """The first of some arrays, as a tensor.  ValueError if there is none."""
    if not arrays:
        raise ValueError(f"For '{owner}', there must be at least one array.")
    return tensor(arrays[0])


def lengths(owner: str, value: Any, rank: int) -> tuple[int, ...]:
    """The lengths of the axes of what must have so many of them.  ValueError otherwise."""
    shape = tensor(value).shape
    if len(shape) != rank:
        raise ValueError(f"For '{owner}', the array must have {rank} dimensions, but has the shape {shape}.")
    return shape


def axes_of(owner: str, axis: Any, rank: int) -> tuple[int, ...]:
    """Axes as a tuple of non-negative numbers; None for all."""
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, (list, tuple)) else (axis,)
    for a in axes:
        if isinstance(a, bool) or not isinstance(a, int):
            raise TypeError(
                f"For '{owner}', the 'axis' must be an int or a tuple of ints, but got {axis!r}."
            )
        if not -rank <= a < rank:
            raise ValueError(
                f"For '{owner}', the 'axis' must be in [{-rank}, {rank - 1}], but got {a}."
            )
    return tuple([a % rank for a in axes])
