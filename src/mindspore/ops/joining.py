"""Functions that join tensors, take them apart, or repeat them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.errors import kind
from mindspore.eager.tensor import is_tensor
from mindspore.operators import joining

from .signatures import plain


def _listed(owner: str, tensors: Any) -> Sequence[Any]:
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(f"For '{owner}', the 'tensors' must be a tuple or a list of tensors, but got "
                        f"{kind(tensors)}.")
    if not tensors:
        raise ValueError(f"For '{owner}', at least one tensor is needed, but got none.")
    return tensors


def concat(tensors: Any, axis: int = 0) -> Any:
    """The tensors one after the other along `axis`.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for `axis`; they are cast to their widest dtype.
        axis: The dimension, an int.

    Returns:
        A tensor.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.concat([Tensor([[1, 2]]), Tensor([[3, 4]])], 0).tolist()
        [[1, 2], [3, 4]]
    """
    return joining.concat(*_listed("concat", tensors), axis=plain(axis))


def cat(tensors: Any, axis: int = 0) -> Any:
    """The tensors one after the other along `axis`.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for `axis`; they are cast to their widest dtype.
        axis: The dimension, an int.

    Returns:
        A tensor.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.concat([Tensor([[1, 2]]), Tensor([[3, 4]])], 0).tolist()
        [[1, 2], [3, 4]]
    """
    return joining.concat(*_listed("cat", tensors), axis=plain(axis))


def stack(tensors: Any, axis: int = 0) -> Any:
    """The tensors, all of one shape, along a new dimension at `axis`.

    Args:
        tensors: A list or tuple of tensors of one shape and dtype.
        axis: The place of the new dimension, an int.

    Returns:
        A tensor with one dimension more.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors of one dtype.
        ValueError: If the shapes differ.

    Examples:
        >>> ops.stack([Tensor([1, 2]), Tensor([3, 4])], 1).tolist()
        [[1, 3], [2, 4]]
    """
    parts = _listed("stack", tensors)
    kinds = {x.dtype for x in parts if is_tensor(x)}
    if len(kinds) > 1:
        raise TypeError(f"For 'stack', all tensors must have the same dtype, but got "
                        f"{' and '.join(sorted(str(k) for k in kinds))}.")
    return joining.stack(*parts, axis=plain(axis))


# ---------------------------------------------------------------------- taking apart


# ---------------------------------------------------------------------- repetition


__all__ = [
    "cat", "concat", "stack",
]
