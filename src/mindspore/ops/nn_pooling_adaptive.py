"""Pooling over a given number of cells that cover the input evenly."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float64, int32
from mindspore.operators import pooling
from mindspore.operators.structure import cast, expand_dims, reshape

from .arguments import tensor
from .nn_pooling import ranked
from .primitive import composed


def _cells(owner: str, x: Any, output_size: Any, n: int) -> tuple[int, ...]:
    """The number of cells per spatial axis; None keeps an extent."""
    given = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * n
    if len(given) != n:
        raise check.fail(ValueError, owner, "output_size", f"an int or a tuple of {n} ints", output_size)
    own = x.shape[-n:]
    return tuple([own[i] if g is None else check.positive_int(owner, "output_size", g)
                  for i, g in enumerate(given)])


def adaptive_avg_pool1d(input: Any, output_size: int) -> Any:
    """The mean in each of `output_size` cells that cover sequences (N, C, L) evenly.

    Args:
        input: A floating-point tensor (N, C, L) or (C, L).
        output_size: Their number, an int.

    Returns:
        A tensor (N, C, output_size).

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> ops.adaptive_avg_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[2.0, 6.0]]]
    """
    owner = "adaptive_avg_pool1d"
    x = expand_dims(ranked(owner, input, 2, 3), axis=-2)
    y = pooling.adaptive_avg_pool(x, size=(1, *_cells(owner, input, output_size, 1)))
    return reshape(y, shape=(*y.shape[:-2], y.shape[-1]))


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The mean in each of `output_size` cells that cover images (N, C, H, W) evenly.

    Args:
        input: A floating-point tensor (N, C, H, W) or (C, H, W).
        output_size: Their numbers, an int or two; None keeps an extent.

    Returns:
        A tensor (N, C, *output_size).

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> ops.adaptive_avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1).tolist()
        [[[[2.5]]]]
    """
    owner = "adaptive_avg_pool2d"
    return pooling.adaptive_avg_pool(ranked(owner, input, 3, 4), size=_cells(owner, input, output_size, 2))


adaptive_avg_pool2d_ext = adaptive_avg_pool2d


def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The mean in each of `output_size` cells that cover volumes (N, C, D, H, W) evenly.

    Args:
        input: A floating-point tensor (N, C, D, H, W) or (C, D, H, W).
        output_size: Their numbers, an int or three; None keeps an extent.

    Returns:
        A tensor (N, C, *output_size).

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> ops.adaptive_avg_pool3d(Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), 1).tolist()
        [[[[[2.5]]]]]
    """
    owner = "adaptive_avg_pool3d"
    if tensor(owner, "input", input).dtype.kind in "iu":
        return cast(adaptive_avg_pool3d(cast(input, dtype=float64), output_size), dtype=input.dtype)
    return pooling.adaptive_avg_pool(ranked(owner, input, 4, 5), size=_cells(owner, input, output_size, 3))


def adaptive_max_pool1d(input: Any, output_size: int) -> Any:
    """The maximum in each of `output_size` cells that cover sequences (N, C, L) evenly.

    Args:
        input: A floating-point tensor (N, C, L) or (C, L).
        output_size: Their number, an int.

    Returns:
        A tensor (N, C, output_size).

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> ops.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[3.0, 7.0]]]
    """
    owner = "adaptive_max_pool1d"
    x = expand_dims(ranked(owner, input, 2, 3), axis=-2)
    y, _ = pooling.adaptive_max_pool(x, size=(1, *_cells(owner, input, output_size, 1)))
    return reshape(y, shape=(*y.shape[:-2], y.shape[-1]))


def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The maximum in each of `output_size` cells that cover images evenly, and its index.

    Args:
        input: A floating-point tensor (N, C, H, W) or (C, H, W).
        output_size: Their numbers, an int or two; None keeps an extent.
        return_indices: Whether to return the places in the flattened image, too.

    Returns:
        A tensor (N, C, *output_size), or two.

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> y, places = ops.adaptive_max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1, True)
        >>> y.item(), places.item()
        (4.0, 3)
    """
    owner = "adaptive_max_pool2d"
    out = pooling.adaptive_max_pool(ranked(owner, input, 3, 4), size=_cells(owner, input, output_size, 2))
    return out if check.boolean(owner, "return_indices", return_indices) else out[0]


def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The maximum in each of `output_size` cells that cover volumes evenly, and its index.

    Args:
        input: A floating-point tensor (N, C, D, H, W) or (C, D, H, W).
        output_size: Their numbers, an int or three; None keeps an extent.
        return_indices: Whether to return the places in the flattened volume, too.

    Returns:
        A tensor (N, C, *output_size), or two.

    Raises:
        ValueError: If `input` has other dimensions.

    Examples:
        >>> y, places = ops.adaptive_max_pool3d(Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), 1, True)
        >>> y.item(), places.item()
        (4.0, 3)
    """
    owner = "adaptive_max_pool3d"
    if tensor(owner, "input", input).dtype.kind in "iu":
        y, indices = adaptive_max_pool3d(cast(input, dtype=float64), output_size, True)
        y = cast(y, dtype=input.dtype)
        return (y, indices) if check.boolean(owner, "return_indices", return_indices) else y
    y, indices = pooling.adaptive_max_pool(ranked(owner, input, 4, 5),
                                           size=_cells(owner, input, output_size, 3))
    return (y, cast(indices, dtype=int32)) if check.boolean(owner, "return_indices", return_indices) else y


@composed("AdaptiveAvgPool2D(output_size)(x)")
def _adaptive_avg_pool2d(x: Any, *, output_size: Any) -> Any:
    """The mean in each of `output_size` cells that cover images evenly."""
    return adaptive_avg_pool2d(x, output_size)


@composed("AdaptiveAvgPool3D(output_size)(x)")
def _adaptive_avg_pool3d(x: Any, *, output_size: Any) -> Any:
    """The mean in each of `output_size` cells that cover volumes evenly; of integers without its fraction."""
    return adaptive_avg_pool3d(x, output_size)


@composed("AdaptiveMaxPool2D(output_size)(input)")
def _adaptive_max_pool2d(x: Any, *, output_size: Any) -> Any:
    """The maximum in each of `output_size` cells that cover images evenly, and its index."""
    return adaptive_max_pool2d(x, output_size, True)


@composed("AdaptiveMaxPool3D()(x, output_size)")
def _adaptive_max_pool3d(x: Any, *, output_size: Any) -> Any:
    """The maximum in each of `output_size` cells that cover volumes evenly, and its index."""
    return adaptive_max_pool3d(x, output_size, True)


__all__ = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool2d_ext", "adaptive_avg_pool3d",
           "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"]
