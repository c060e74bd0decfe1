"""Which type two types have in common."""

from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.eager.tensor import is_tensor

from .arguments import common_type, tensor


def promote_types(type1: Any, type2: Any) -> Any:
    """The type of a sum of both.

    Args:
        type1, type2: Two types.

    Examples:
        >>> mnp.promote_types(mnp.int32, mnp.float16)
        mindspore.float16
    """
    return common_type(as_dtype(type1), as_dtype(type2))


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The type of a sum of all.

    Args:
        arrays_and_dtypes: Tensors, numbers and types.

    Examples:
        >>> mnp.result_type(mnp.array([1]), mnp.float16, 2)
        mindspore.float16
    """
    result = None
    for item in arrays_and_dtypes:
        dtype = (
            item.dtype
            if is_tensor(item)
            else tensor(item).dtype
            if isinstance(item, (int, float))
            else item
        )
        result = dtype if result is None else promote_types(result, dtype)
    return result


__all__ = ["promote_types", "result_type"]
