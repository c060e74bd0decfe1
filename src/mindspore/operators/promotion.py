"""The common dtype of operands, by MindSpore's rule, and operands cast to it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch

from mindspore.core.dtype import (
    DType,
    float16,
    float32,
    from_torch,
    int32,
    int64,
    uint16,
    uint32,
    uint64,
)
from mindspore.core.errors import show
from mindspore.core.mutable import Float, Int
from mindspore.ir import Aval, Dim, Node, Real

from .table import REGISTRY
from .traits import Trait

# The order of kinds, of Python's numbers and of dtypes; signed and unsigned integers are one kind.
RANK = {bool: 0, int: 1, Dim: 1, Int: 1, float: 2, Real: 2, Float: 2, complex: 3}
KIND = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def common_dtype(op: Any, kinds: Sequence[Any]) -> DType | None:
    """The dtype that all operands are cast to; None if they agree already.

    Tensors follow `torch.promote_types` whatever their rank; a Python scalar only lifts a tensor of
    a lower kind (bool to int64, integers to float32, real to complex).
    """
    tensors = [k for k in kinds if isinstance(k, DType)]
    if not tensors:
        return None
    target = tensors[0]
    for k in tensors[1:]:
        target = _higher(op, target, k)
    scalar = max((RANK.get(k, -1) for k in kinds if not isinstance(k, DType)), default=-1)
    target = lifted_by(target, scalar)
    return None if all(k is target for k in tensors) else target


def common_by_rank(op: Any, kinds: Sequence[Any], low: Sequence[bool]) -> DType | None:
    """The common dtype where a tensor without dimensions lifts others only to a higher kind."""
    tensors = [k for k in kinds if isinstance(k, DType)]
    high = common_dtype(op, [k for k, is_low in zip(kinds, low, strict=True) if not is_low])
    if high is None:
        whole = [k for k, is_low in zip(kinds, low, strict=True)
                 if not is_low and isinstance(k, DType)]
        if not whole:
            return common_dtype(op, kinds)
        high = whole[0]
    target = high
    for k, is_low in zip(kinds, low, strict=True):
        if is_low and KIND[k.kind] > KIND[high.kind]:
            target = _higher(op, target, k)
    return None if all(k is target for k in tensors) else target


def of_the_first(op: Any, kinds: Sequence[Any]) -> DType | None:
    """The dtype of the first operand, float32 for integers and bools; the common one for what is not real."""
    first = kinds[0]
    if not isinstance(first, DType) or any([isinstance(k, DType) and k.is_complex for k in kinds]):
        return common_dtype(op, kinds)
    return first if first.is_floating else float32


def _higher(op: Any, a: DType, b: DType) -> DType:
    if a.kind == "b" or b.kind == "b":
        return b if a.kind == "b" else a
    try:
        return from_torch(torch.promote_types(a.torch, b.torch))
    except RuntimeError:
        raise TypeError(f"For '{op.name}', there is no implicit conversion between {a} and {b}; use "
                        f"'astype' or 'ops.cast' on one of them.") from None


def lifted_by(target: DType, scalar: int) -> DType:
    """The dtype of a tensor beside numbers of that rank, which lift its kind, not its width."""
    from mindspore.core.dtype import complex64, complex128, float32, float64
    if scalar == 1 and target.kind == "b":
        return int64
    if scalar == 2 and target.kind in "biu":
        return float32
    if scalar == 3 and target.kind != "c":
        return complex128 if target is float64 else complex64
    return target


# ---------------------------------------------------------------------- operands

_promotions: dict[tuple[Any, ...], DType | None] = {}


def promoted(op: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs with all tensors cast to their common dtype, by MindSpore's rule."""
    kinds: tuple[Any, ...] = tuple(
        [x.aval.dtype if type(x) is Node else getattr(x, "dtype", None) or type(x) for x in inputs])
    key: Any = kinds
    if op.promote == "rank":
        low = tuple([isinstance(k, DType) and not x.ndim for x, k in zip(inputs, kinds, strict=True)])
        if any(low):
            key = kinds, low
    elif op.promote == "first":
        key = kinds, "first"
    try:
        target = _promotions[key]
    except KeyError:
        _refuse_strange(op, inputs)
        target = _promotions[key] = (common_dtype(op, kinds) if key is kinds else of_the_first(op, kinds)
                                     if key[1] == "first" else common_by_rank(op, *key))
    if target is None:
        return inputs
    return tuple([cast_to(x, target) if k is not target and isinstance(k, DType) else x
                  for x, k in zip(inputs, kinds, strict=True)])


def _refuse_strange(op: Any, inputs: tuple[Any, ...]) -> None:
    """TypeError for an operand that is neither a tensor or array nor a number; None where one may be left out."""
    for place, x in enumerate(inputs):
        if not hasattr(x, "dtype") and not isinstance(x, (int, float, complex)) and (
                x is not None or place < op.least):
            raise TypeError(f"For '{op.name}', the inputs must be tensors or numbers, but got {show(x)} with type "
                            f"'{type(x).__name__}'.")


WIDER = {Trait.WIDEN_UNSIGNED: {uint16: int32, uint32: int64, uint64: int64}, Trait.WIDEN_HALF: {float16: float32}}


def in_wider_type(op: Any, inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """The result computed in a wider type, a signed one for unsigned ones, because torch has few kernels for it.

    None if no input is of such a type.  Elements of uint64 are taken modulo 2^64 as int64; operators to which the order
    of the elements matters get them 2^63 smaller, which keeps it.
    """
    kinds = [getattr(x, "dtype", None) for x in inputs]
    if not any(k in op.wider for k in kinds):
        return None
    wanted = op.infer(*[getattr(x, "aval", x) for x in inputs], **attrs)
    wide = [cast_to(x, op.wider[k]) if k in op.wider else x for x, k in zip(inputs, kinds, strict=True)]
    back = cast_to
    if uint64 not in kinds:
        out = op(*wide, **attrs)
    elif Trait.QUOTIENT in op.traits or Trait.REMAINDER in op.traits:
        out = _divided(*wide)[Trait.REMAINDER in op.traits]
    elif Trait.SHIFT_DOWN in op.traits:
        one = REGISTRY["Add"](REGISTRY["Mul"](wide[0], 0), 1)
        out = _divided(wide[0], REGISTRY["LeftShift"](one, wide[1]))[0]
    elif Trait.ORDERED in op.traits:
        out, back = op(*[_moved(x) if k is uint64 or _is_int(x) else x for x, k in zip(wide, kinds, strict=True)],
                       **attrs), _moved_back
    elif type(wanted) is Aval and wanted.dtype.is_floating:       # int64 would make elements from 2^63 on negative
        out = op(*[cast_to(x, wanted.dtype) if k is not None else x for x, k in zip(inputs, kinds, strict=True)],
                 **attrs)
    else:
        out = op(*wide, **attrs)
    if type(wanted) is Aval:
        return out if out.dtype is wanted.dtype else back(out, wanted.dtype)
    avals = cast("Sequence[Aval]", wanted)
    return tuple([o if o.dtype is a.dtype else back(o, a.dtype) for o, a in zip(out, avals, strict=True)])


def _is_int(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def _moved(x: Any) -> Any:
    """Integers of [0, 2^64), held as int64 modulo 2^64, 2^63 smaller."""
    return x - 2 ** 63 if _is_int(x) else REGISTRY["Add"](x, -2 ** 63)


def _moved_back(x: Any, dtype: DType) -> Any:
    return cast_to(_moved(x) if dtype is uint64 else x, dtype)


def _divided(x: Any, y: Any) -> tuple[Any, Any]:
    """Whole quotient and remainder of integers of [0, 2^64) that are held as int64 modulo 2^64."""
    op = REGISTRY
    x, y = [op["Add"](op["Mul"](other, 0), v) if _is_int(v) else v for v, other in ((x, y), (y, x))]
    is_large = op["Less"](y, 0)                        # of 2^63 or more: it goes into x once or not at all
    divisor = op["Select"](is_large, op["Add"](op["Mul"](y, 0), 1), y)
    half = op["BitwiseAnd"](op["FloorDiv"](x, 2), 2 ** 63 - 1)
    quotient = op["Mul"](op["FloorDiv"](half, divisor), 2)
    rest = op["Sub"](x, op["Mul"](quotient, divisor))
    quotient = op["Add"](quotient, cast_to(op["GreaterEqual"](_moved(rest), _moved(divisor)), int64))
    quotient = op["Select"](is_large, cast_to(op["GreaterEqual"](_moved(x), _moved(y)), int64), quotient)
    return quotient, op["Sub"](x, op["Mul"](quotient, y))


def cast_to(value: Any, dtype: DType) -> Any:
    """The value with that dtype; through the operator `Cast`, so that gradients pass."""
    return REGISTRY["Cast"](value, dtype=dtype)
