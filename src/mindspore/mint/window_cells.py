"""Cells that look through windows: pooling, columns."""

from __future__ import annotations

from typing import Any

from mindspore.ops import fold, interpolate, unfold

from .applied import Applied
from .windows import adaptive_max_pool1d, avg_pool1d, avg_pool2d, avg_pool3d, max_pool2d, pad


class AdaptiveMaxPool1d(Applied):
    """The largest element in each of some cells that cover sequences (N, C, L) evenly.

    Args:
        output_size: The extents of the result.
        return_indices: Whether the places of the elements are wanted, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.AdaptiveMaxPool1d(3)(mint.ones((1, 2, 6))).shape
        (1, 2, 3)
    """

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__(adaptive_max_pool1d, output_size=output_size, return_indices=return_indices)


class AvgPool1d(Applied):
    """The mean in each window of sequences (N, C, L).

    Args:
        kernel_size: Extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        ceil_mode: Whether a window that ends behind the input counts.
        count_include_pad: Whether the zeros count in the mean.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.AvgPool1d(3)(mint.ones((1, 2, 6))).shape
        (1, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True):
        super().__init__(avg_pool1d, kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode,
                         count_include_pad=count_include_pad)


class AvgPool2d(Applied):
    """The mean in each window of images (N, C, H, W).

    Args:
        kernel_size: Extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        ceil_mode: Whether a window that ends behind the input counts.
        count_include_pad: Whether the zeros count in the mean.
        divisor_override: What sums are divided by instead of the number of elements.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.AvgPool2d(3)(mint.ones((1, 2, 6, 6))).shape
        (1, 2, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None):
        super().__init__(avg_pool2d, kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode,
                         count_include_pad=count_include_pad, divisor_override=divisor_override)


class AvgPool3d(Applied):
    """The mean in each window of volumes (N, C, D, H, W).

    Args:
        kernel_size: Extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        ceil_mode: Whether a window that ends behind the input counts.
        count_include_pad: Whether the zeros count in the mean.
        divisor_override: What sums are divided by instead of the number of elements.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.AvgPool3d(3)(mint.ones((1, 2, 6, 6, 6))).shape
        (1, 2, 2, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None):
        super().__init__(avg_pool3d, kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode,
                         count_include_pad=count_include_pad, divisor_override=divisor_override)


class Fold(Applied):
    """Images (N, C, H, W) from columns of windows (N, C * elements, L), which are added up where they overlap.

    Args:
        output_size: The extents of the result.
        kernel_size: Extents of the window: an int, or one per axis.
        dilation: The distance of the elements of a window.
        padding: Zeros on both sides of each axis.
        stride: Its steps; None: its extents.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Fold((4, 4), 2, stride=2)(mint.ones((1, 4, 4))).shape
        (1, 1, 4, 4)
    """

    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__(fold, output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding,
                         stride=stride)


class MaxPool2d(Applied):
    """The largest element in each window of images (N, C, H, W).

    Args:
        kernel_size: Extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        dilation: The distance of the elements of a window.
        return_indices: Whether the places of the elements are wanted, too.
        ceil_mode: Whether a window that ends behind the input counts.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.MaxPool2d(3)(mint.ones((1, 2, 6, 6))).shape
        (1, 2, 2, 2)
    """

    def __init__(self, kernel_size: Any = 1, stride: Any = None, padding: Any = 0, dilation: Any = 1,
                 return_indices: bool = False, ceil_mode: bool = False):
        super().__init__(max_pool2d, kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation,
                         return_indices=return_indices, ceil_mode=ceil_mode)


class Unfold(Applied):
    """The windows of images (N, C, H, W) as columns (N, C * elements, L).

    Args:
        kernel_size: Extents of the window: an int, or one per axis.
        dilation: The distance of the elements of a window.
        padding: Zeros on both sides of each axis.
        stride: Its steps; None: its extents.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Unfold(2, stride=2)(mint.ones((1, 1, 4, 4))).shape
        (1, 4, 4)
    """

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__(unfold, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)


class UpsamplingBilinear2d(Applied):
    """Images (N, C, H, W) of another size, linear between the old elements; the corners keep their places.

    Args:
        size: Extents of the result, or None.
        scale_factor: Their ratio to those of the input, or None.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.UpsamplingBilinear2d(scale_factor=2.0)(mint.ones((1, 1, 2, 2))).shape
        (1, 1, 4, 4)
    """

    def __init__(self, size: Any = None, scale_factor: Any = None):
        super().__init__(interpolate, size=size, scale_factor=scale_factor, mode="bilinear", align_corners=True)


class UpsamplingNearest2d(Applied):
    """Images (N, C, H, W) of another size, made of the nearest old elements.

    Args:
        size: Extents of the result, or None.
        scale_factor: Their ratio to those of the input, or None.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.UpsamplingNearest2d(scale_factor=2.0)(mint.ones((1, 1, 2, 2))).shape
        (1, 1, 4, 4)
    """

    def __init__(self, size: Any = None, scale_factor: Any = None):
        super().__init__(interpolate, size=size, scale_factor=scale_factor, mode="nearest")


class ZeroPad1d(Applied):
    """Sequences with zeros at their ends.

    Args:
        padding: How many: an int, or (left, right); negative ones cut off.

    Inputs:
        input: (N, C, L) or (C, L).

    Examples:
        >>> mint.nn.ZeroPad1d((1, 2))(mint.ones((1, 2))).tolist()
        [[0.0, 1.0, 1.0, 0.0, 0.0]]
    """

    def __init__(self, padding: Any):
        super().__init__(pad, pad=tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 2)


class ZeroPad3d(Applied):
    """Volumes with zeros around them.

    Args:
        padding: How many: an int, or (left, right, top, bottom, front, back); negative ones cut off.

    Inputs:
        input: (N, C, D, H, W) or (C, D, H, W).

    Examples:
        >>> mint.nn.ZeroPad3d(1)(mint.ones((1, 2, 2, 2))).shape
        (1, 4, 4, 4)
    """

    def __init__(self, padding: Any):
        super().__init__(pad, pad=tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 6)


__all__ = ["AdaptiveMaxPool1d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "Fold", "MaxPool2d", "Unfold",
           "UpsamplingBilinear2d", "UpsamplingNearest2d", "ZeroPad1d", "ZeroPad3d"]
