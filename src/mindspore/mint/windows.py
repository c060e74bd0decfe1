"""What looks through windows: convolutions, pooling, borders."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.ops.arguments import tensor
from mindspore.ops.nn_resize import resampled

from .products import convolved


def conv1d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
           groups: int = 1) -> Any:
    """The cross-correlation of sequences with windows.

    Args:
        input: Sequences (N, C, L) or one (C, L).
        weight: The windows (O, C / groups, L').
        bias: What is added to each channel (O,), or None.
        stride: The step of the window.
        padding: Zeros at both ends, or "valid" (none) or "same" (as many as keep the length, for steps of 1).
        dilation: The distance of the elements of a window.
        groups: Into how many groups the channels are divided.

    Returns:
        Sequences with O channels.

    Raises:
        TypeError: If the input or the weight is no tensor.
        ValueError: If the shapes do not fit, or "same" stands with steps.

    Examples:
        >>> mint.nn.functional.conv1d(mint.ones((1, 1, 3)), mint.ones((1, 1, 2))).tolist()
        [[[2.0, 2.0]]]
    """
    return convolved(ops.conv1d, 1, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
           groups: int = 1) -> Any:
    """The cross-correlation of volumes with windows.

    Args:
        input: Volumes (N, C, D, H, W) or one (C, D, H, W).
        weight: The windows (O, C / groups, D', H', W').
        bias: What is added to each channel (O,), or None.
        stride: The steps of the window: an int, or one per axis.
        padding: Zeros on both sides of each axis, or "valid" (none) or "same" (as many as keep the size, for steps
            of 1).
        dilation: The distance of the elements of a window.
        groups: Into how many groups the channels are divided.

    Returns:
        Volumes with O channels.

    Raises:
        TypeError: If the input or the weight is no tensor.
        ValueError: If the shapes do not fit, or "same" stands with steps.

    Examples:
        >>> mint.nn.functional.conv3d(mint.ones((1, 1, 2, 2, 2)), mint.ones((1, 1, 2, 2, 2))).tolist()
        [[[[[8.0]]]]]
    """
    return convolved(ops.conv3d, 3, input, weight, bias, stride, padding, dilation, groups)


def avg_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True) -> Any:
    """The mean in each window of sequences.

    Args:
        input: Sequences (N, C, L) or one (C, L).
        kernel_size: The length of the window.
        stride: Its step; None: its length.
        padding: Zeros at both ends.
        ceil_mode: Whether a window that ends behind the sequence counts.
        count_include_pad: Whether the zeros count in the mean.

    Returns:
        Sequences with as many channels.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it has other dimensions, or an extent is not positive.

    Examples:
        >>> mint.nn.functional.avg_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[2.0, 6.0]]]
    """
    return ops.avg_pool1d(input, _alone(kernel_size), _alone(kernel_size if stride is None else stride),
                          _alone(padding), ceil_mode, count_include_pad)


def _alone(value: Any) -> Any:
    """The number of a sequence of one."""
    return value[0] if isinstance(value, (tuple, list)) and len(value) == 1 else value


def _ends(padding: Any) -> Any:
    """Zeros for both sides of each axis, from those of each axis."""
    return tuple([p for p in padding for _ in range(2)]) if isinstance(padding, (tuple, list)) else padding


def _divisor(owner: str, value: Any) -> int:
    return 0 if value is None else check.positive_int(owner, "divisor_override", value)


def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int | None = None) -> Any:
    """The mean in each window of images.

    Args:
        input: Images (N, C, H, W) or one (C, H, W).
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        ceil_mode: Whether a window that ends behind the image counts.
        count_include_pad: Whether the zeros count in the mean.
        divisor_override: What sums are divided by instead of the number of elements.

    Returns:
        Images with as many channels.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it has other dimensions, or an extent or the divisor is not positive.

    Examples:
        >>> mint.nn.functional.avg_pool2d(mint.ones((1, 1, 2, 2)), 2, divisor_override=8).tolist()
        [[[[0.5]]]]
    """
    return ops.avg_pool2d(input, kernel_size, kernel_size if stride is None else stride, _ends(padding), ceil_mode,
                          count_include_pad, _divisor("avg_pool2d", divisor_override))


def avg_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int | None = None) -> Any:
    """The mean in each window of volumes.

    Args:
        input: Volumes (N, C, D, H, W) or one (C, D, H, W).
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: Zeros on both sides of each axis.
        ceil_mode: Whether a window that ends behind the volume counts.
        count_include_pad: Whether the zeros count in the mean.
        divisor_override: What sums are divided by instead of the number of elements.

    Returns:
        Volumes with as many channels.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it has other dimensions, or an extent or the divisor is not positive.

    Examples:
        >>> mint.nn.functional.avg_pool3d(mint.ones((1, 1, 2, 2, 2)), 2).tolist()
        [[[[[1.0]]]]]
    """
    return ops.avg_pool3d(input, kernel_size, kernel_size if stride is None else stride, _ends(padding), ceil_mode,
                          count_include_pad, _divisor("avg_pool3d", divisor_override))


def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest element in each window of images.

    Args:
        input: Images (N, C, H, W) or one (C, H, W).
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps; None: its extents.
        padding: How far windows reach beyond the image.
        dilation: The distance of the elements of a window.
        ceil_mode: Whether a window that ends behind the image counts.
        return_indices: Whether the places of the elements are wanted, too.

    Returns:
        Images with as many channels; with `return_indices` also the places in each flattened image, int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it has other dimensions, or an extent is not positive.

    Examples:
        >>> mint.nn.functional.max_pool2d(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]), 2).tolist()
        [[[[7.0]]]]
    """
    return ops.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def max_unpool2d(input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
                 output_size: Any = None) -> Any:
    """Images with the elements that `max_pool2d` chose at their places, elsewhere 0.

    Args:
        input: What `max_pool2d` gave.
        indices: Its places.
        kernel_size: Its windows.
        stride: Their steps; None: their extents.
        padding: How far they reached beyond the image.
        output_size: The extents of the image; None: the smallest.

    Returns:
        Images (N, C, H, W) or one (C, H, W).

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit, or a place lies outside of the image.

    Examples:
        >>> mint.nn.functional.max_unpool2d(Tensor([[[[7.0]]]]), Tensor([[[[3]]]]), 2).tolist()
        [[[[0.0, 0.0], [0.0, 7.0]]]]
    """
    return ops.max_unpool2d(input, indices, kernel_size, stride, padding, output_size)


def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """The largest element in each of some cells that cover sequences evenly.

    Args:
        input: Sequences (N, C, L) or one (C, L).
        output_size: The number of cells.
        return_indices: Whether the places of the elements are wanted, too.

    Returns:
        Sequences (N, C, output_size); with `return_indices` also the places, int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it has other dimensions, or the number is not positive.

    Examples:
        >>> mint.nn.functional.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[3.0, 7.0]]]
    """
    rank = tensor("adaptive_max_pool1d", "input", input).ndim
    if rank not in (2, 3):
        raise ValueError(f"For 'adaptive_max_pool1d', the 'input' must be (N, C, L) or (C, L), but has {rank} "
                         f"dimensions.")
    out = ops.adaptive_max_pool2d(ops.expand_dims(input, -2), (1, _alone(output_size)), True)
    values, places = [ops.squeeze(part, -2) for part in out]
    return (values, places) if check.boolean("adaptive_max_pool1d", "return_indices", return_indices) else values


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """The tensor with elements added at its borders.

    Args:
        input: A tensor.
        pad: (before, after) for the last dimension, then for the one before it, and so on; negative ones cut off.
        mode: "constant" adds `value`; "reflect" mirrors without the border, "replicate" repeats it, "circular"
            wraps round.
        value: What "constant" adds; None: 0.

    Returns:
        The dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the mode has another name, or the numbers do not fit.

    Examples:
        >>> mint.nn.functional.pad(Tensor([1, 2]), (1, 2), value=9).tolist()
        [9, 1, 2, 9, 9]
    """
    return ops.pad(input, pad, mode, value)


def interpolate(input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                align_corners: Any = None, recompute_scale_factor: Any = None) -> Any:
    """The input (N, C, *) resampled to the spatial extents `size`, or to `scale_factor` times its own, as torch does.

    Args:
        input: A floating-point tensor (N, C, *).
        size: The spatial extents, an int or a tuple of ints.
        scale_factor: Their factor, a number or a tuple of numbers; `size` or this is given.
        mode: "nearest", "nearest-exact", "linear" (3-D), "bilinear", "bicubic" (4-D), "trilinear" (5-D) or "area".
        align_corners: Whether the corner elements keep their places; for the linear and cubic modes.
        recompute_scale_factor: Whether places follow from the resulting size rather than from `scale_factor`.

    Returns:
        A tensor (N, C, *size).

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `mode` is another one or does not go with the dimensions.

    Examples:
        >>> mint.nn.functional.interpolate(Tensor([[[1.0, 2.0]]]), size=(4,)).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
    """
    return resampled(input, size, scale_factor, mode, align_corners, recompute_scale_factor, -0.75)


upsample = interpolate

__all__ = ["adaptive_max_pool1d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "conv1d", "conv3d", "interpolate",
           "max_pool2d", "max_unpool2d", "pad", "upsample"]
