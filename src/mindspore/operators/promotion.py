"""The common dtype of operands, by MindSpore's rule."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import DType, from_torch, int64
from mindspore.core.mutable import Float, Int
from mindspore.ir import Dim, Real

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
