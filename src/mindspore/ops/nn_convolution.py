"""Convolutions of `mindspore.ops`, as functions and as primitives."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.errors import ArgumentError, show
from mindspore.operators.convolution import convolution
from mindspore.operators.im2col_convolution import convolve
from mindspore.operators.structure import transpose

from .arguments import tensor
from .primitive import composed

# ---------------------------------------------------------------------- padding

def shortest(ends: Sequence[int]) -> tuple[int, ...]:
    """Padding as one number per axis if both ends of every axis agree, else (begin, end) per axis."""
    ends = tuple(ends)
    return ends[::2] if ends[::2] == ends[1::2] else ends


@functools.lru_cache(maxsize=4096)
def same_padding(extents: tuple[int, ...], window: tuple[int, ...], stride: tuple[int, ...],
                 dilation: tuple[int, ...]) -> tuple[int, ...]:
    """The padding with which a window visits ceil(extent / stride) places; the odd one at the end."""
    ends: list[int] = []
    for extent, k, s, d in zip(extents, window, stride, dilation, strict=True):
        total = max((-(-extent // s) - 1) * s + (k - 1) * d + 1 - extent, 0)
        ends += [total // 2, total - total // 2]
    return shortest(ends)


def per_axis(owner: str, name: str, value: Any, n: int, low: int = 1) -> tuple[int, ...]:
    """One int per spatial axis; the form (1, 1, ...) with the leading axes is taken, too."""
    if isinstance(value, (tuple, list)) and len(value) == n + 2 and tuple(value[:2]) == (1, 1):
        value = value[2:]
    return check.ints(owner, name, value, n, low)


def both_ends(owner: str, name: str, value: Any, n: int) -> list[int]:
    """(begin, end) per axis from one int, one per axis or two per axis."""
    if isinstance(value, (tuple, list)) and len(value) == 2 * n:
        return list(check.ints(owner, name, value, 2 * n, 0))
    return [p for p in check.ints(owner, name, value, n, 0) for _ in (0, 1)]


def mode_of(owner: str, pad_mode: Any) -> str:
    """'same', 'valid' or 'pad', in lower case."""
    if not isinstance(pad_mode, str):
        raise check.fail(TypeError, owner, "pad_mode", "a str", pad_mode)
    if pad_mode.lower() not in ("same", "valid", "pad"):
        raise check.fail(ValueError, owner, "pad_mode", "'same', 'valid' or 'pad'", pad_mode)
    return pad_mode.lower()


def fixed_padding(owner: str, pad_mode: Any, pad: Any, n: int) -> tuple[int, ...] | None:
    """The padding of the modes 'valid' and 'pad'; None for 'same', which depends on the input."""
    mode = mode_of(owner, pad_mode)
    ends = both_ends(owner, "pad", pad, n)
    if mode == "pad":
        return shortest(ends)
    if any(ends):
        raise ValueError(f"For '{owner}', the 'pad' must be 0 when 'pad_mode' is '{mode}', but got {pad}; "
                         "use pad_mode='pad'.")
    return None if mode == "same" else (0,) * n


# ---------------------------------------------------------------------- functions

def _convolved(owner: str, x: Any, w: Any, bias: Any, stride: Any, pad_mode: Any, padding: Any,
               dilation: Any, groups: Any, n: int) -> Any:
    tensor(owner, "input", x)
    tensor(owner, "weight", w)
    if x.ndim != n + 2 or w.ndim != n + 2:
        raise ValueError(f"For '{owner}', the input and the weight must have {n + 2} dimensions, but got "
                         f"{show(x)} and {show(w)}.")
    check.positive_int(owner, "groups", groups)
    if x.shape[1] % groups or w.shape[0] % groups or x.shape[1] != w.shape[1] * groups:
        raise ArgumentError(f"For '{owner}', the channels of the input {show(x)} must be 'groups' times "
                            f"those of the weight {show(w)}, and both channel counts multiples of "
                            f"'groups', but got {groups}.")
    if bias is not None and (tensor(owner, "bias", bias).ndim != 1 or bias.shape[0] != w.shape[0]):
        raise ValueError(f"For '{owner}', the 'bias' must have one dimension with {w.shape[0]} elements, "
                         f"but got {show(bias)}.")
    steps = per_axis(owner, "stride", stride, n)
    spread = per_axis(owner, "dilation", dilation, n)
    ends = fixed_padding(owner, pad_mode, padding, n)
    if ends is None:
        ends = same_padding(tuple(x.shape[2:]), tuple(w.shape[2:]), steps, spread)
    return convolve(x, w, bias, stride=steps, padding=ends, dilation=spread, groups=groups)


def conv1d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Any:
    """The cross-correlation of sequences (N, C, L) with `weight` (O, C / groups, L').

    Args:
        input: A floating-point tensor (N, C, L) or (C, L).
        weight: A tensor (O, C / groups, L').
        bias: A tensor (O,), or None.
        stride: The distance of two windows, an int.
        pad_mode: "valid" adds nothing, "same" zeros so that the extent is that of the input over the stride, "pad"
            `padding` zeros.
        padding: How many, an int, or a pair for both ends.
        dilation: The distance of the elements of a window.
        groups: The number of groups of channels.

    Returns:
        A tensor (N, O, *).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.conv1d(Tensor([[[1.0, 2.0, 3.0]]]), Tensor([[[1.0, 10.0]]])).tolist()
        [[[21.0, 32.0]]]
    """
    return _convolved("conv1d", input, weight, bias, stride, pad_mode, padding, dilation, groups, 1)


def conv2d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Any:
    """The cross-correlation of images (N, C, H, W) with `weight` (O, C / groups, H', W').

    Args:
        input: A floating-point tensor (N, C, H, W) or (C, H, W).
        weight: A tensor (O, C / groups, H', W').
        bias: A tensor (O,), or None.
        stride: The distance of two windows, an int or two.
        pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride,
            "pad" `padding` zeros.
        padding: How many, an int, or a tuple of two or four.
        dilation: The distance of the elements of a window.
        groups: The number of groups of channels.

    Returns:
        A tensor (N, O, *).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.conv2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[1.0, 10.0]]]])).tolist()
        [[[[21.0], [43.0]]]]
    """
    return _convolved("conv2d", input, weight, bias, stride, pad_mode, padding, dilation, groups, 2)


def conv3d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, pad_mode: str = "valid",
           padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Any:
    """The cross-correlation of volumes (N, C, D, H, W) with `weight` (O, C / groups, D', H', W').

    Args:
        input: A floating-point tensor (N, C, D, H, W) or (C, D, H, W).
        weight: A tensor (O, C / groups, D', H', W').
        bias: A tensor (O,), or None.
        stride: The distance of two windows, an int or three.
        pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride,
            "pad" `padding` zeros.
        padding: How many, an int, or a tuple of three or six.
        dilation: The distance of the elements of a window.
        groups: The number of groups of channels.

    Returns:
        A tensor (N, O, *).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.conv3d(Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), Tensor([[[[[1.0, 10.0]]]]])).tolist()
        [[[[[21.0], [43.0]]]]]
    """
    return _convolved("conv3d", input, weight, bias, stride, pad_mode, padding, dilation, groups, 3)


def conv_transpose2d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
                     output_padding: Any = 0, groups: int = 1, dilation: Any = 1) -> Any:
    """The transposed convolution of images (N, C, H, W) with `weight` (C, O / groups, H', W').

    Args:
        input: A floating-point tensor (N, C, H, W) or (C, H, W).
        weight: A tensor (C, O / groups, H', W').
        bias: A tensor (O,), or None.
        stride: The distance of two windows, an int or two.
        padding: What is cut off at the borders.
        output_padding: What is added at the end.
        groups: The number of groups of channels.
        dilation: The distance of the elements of a window.

    Returns:
        A tensor (N, O, *).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.conv_transpose2d(Tensor([[[[1.0, 2.0]]]]), Tensor([[[[1.0, 10.0]]]])).tolist()
        [[[[1.0, 12.0, 20.0]]]]
    """
    owner = "conv_transpose2d"
    check.positive_int(owner, "groups", groups)
    return convolution(
        tensor(owner, "input", input), tensor(owner, "weight", weight), bias,
        stride=per_axis(owner, "stride", stride, 2),
        padding=shortest(both_ends(owner, "padding", padding, 2)),
        dilation=per_axis(owner, "dilation", dilation, 2), transposed=True,
        output_padding=per_axis(owner, "output_padding", output_padding, 2, low=0), groups=groups)


def conv3d_transpose(inputs: Any, weight: Any, pad_mode: str = "valid", padding: Any = 0, stride: Any = 1,
                     dilation: Any = 1, group: int = 1, output_padding: Any = 0) -> Any:
    """The transposed convolution of volumes (N, C, D, H, W) with `weight` (C, O / group, *).

    Args:
        inputs: A floating-point tensor (N, C, D, H, W).
        weight: A tensor (C, O / group, D', H', W').
        pad_mode: "valid" cuts nothing off, "same" so much that the extents are those of the input times the stride,
            "pad" `padding`.
        padding: How much, an int or six.
        stride: The distance of two windows, an int or three.
        dilation: The distance of the elements of a window.
        group: The number of groups of channels.
        output_padding: What is added at the end.

    Returns:
        A tensor (N, O, *).

    Examples:
        >>> ops.conv3d_transpose(Tensor([[[[[1.0, 2.0]]]]]), Tensor([[[[[1.0, 10.0]]]]])).tolist()
        [[[[[1.0, 12.0, 20.0]]]]]
    """
    return _conv3d_transpose(inputs, weight, in_channel=weight.shape[0],
                             out_channel=weight.shape[1] * group, kernel_size=tuple(weight.shape[2:]),
                             pad_mode=pad_mode, pad=padding, stride=stride, dilation=dilation, group=group,
                             output_padding=output_padding)


# ---------------------------------------------------------------------- primitives

def _channels_last(owner: str, data_format: Any, n: int = 2) -> bool:
    allowed = ("NCHW", "NHWC") if n == 2 else ("NCDHW",)
    return check.option(owner, "data_format", data_format, allowed) == "NHWC"


def _window(owner: str, w: Any, kernel_size: Any, first: int, given: str, n: int) -> tuple[int, ...]:
    """The window, checked against the weight that is given at the call."""
    window = per_axis(owner, "kernel_size", kernel_size, n)
    if w.ndim != n + 2 or tuple(w.shape[2:]) != window or w.shape[0] != first:
        raise ArgumentError(f"For '{owner}', the weight must have {first} {given} and the window {window}, "
                            f"but got {show(w)}.")
    return window


def _checked(owner: str, mode: Any, group: Any, **channels: Any) -> None:
    if mode != 1:
        raise check.fail(ValueError, owner, "mode", "1, a cross-correlation", mode)
    check.positive_int(owner, "group", group)
    for key, value in channels.items():
        check.positive_int(owner, key, value)


def _forward(owner: str, x: Any, w: Any, out_channel: Any, kernel_size: Any, mode: Any, pad_mode: Any,
             pad: Any, stride: Any, dilation: Any, group: Any, n: int) -> Any:
    _checked(owner, mode, group, out_channel=out_channel)
    per_axis(owner, "kernel_size", kernel_size, n)
    steps, spread = per_axis(owner, "stride", stride, n), per_axis(owner, "dilation", dilation, n)
    ends = fixed_padding(owner, pad_mode, pad, n)
    window = _window(owner, w, kernel_size, out_channel, "output channels", n)
    if ends is None:
        ends = same_padding(tuple(x.shape[2:]), window, steps, spread)
    return convolve(x, w, stride=steps, padding=ends, dilation=spread, groups=group)


_FORWARD = ("(out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, dilation=1, group=1, "
            "data_format={!r})(x, weight)")


@composed("Conv2D" + _FORWARD.format("NCHW"))
def _conv2d(x: Any, weight: Any, *, out_channel: Any, kernel_size: Any, mode: Any = 1,
            pad_mode: Any = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1, group: Any = 1,
            data_format: Any = "NCHW") -> Any:
    """The cross-correlation of images `x` (N, C, H, W) with `weight` (O, C / group, H', W')."""
    last = _channels_last("Conv2D", data_format)
    if last:
        x, weight = transpose(x, perm=(0, 3, 1, 2)), transpose(weight, perm=(0, 3, 1, 2))
    y = _forward("Conv2D", x, weight, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation,
                 group, 2)
    return transpose(y, perm=(0, 2, 3, 1)) if last else y


@composed("Conv3D" + _FORWARD.format("NCDHW"))
def _conv3d(x: Any, weight: Any, *, out_channel: Any, kernel_size: Any, mode: Any = 1,
            pad_mode: Any = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1, group: Any = 1,
            data_format: Any = "NCDHW") -> Any:
    """The cross-correlation of volumes `x` (N, C, D, H, W) with `weight` (O, C / group, *)."""
    _channels_last("Conv3D", data_format, 3)
    return _forward("Conv3D", x, weight, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation,
                    group, 3)


def _backprop_input(owner: str, dout: Any, weight: Any, input_size: Any, out_channel: Any,
                    kernel_size: Any, pad_mode: Any, pad: Any, pad_list: Any, mode: Any, stride: Any,
                    dilation: Any, group: Any, data_format: Any) -> Any:
    _checked(owner, mode, group, out_channel=out_channel)
    last = _channels_last(owner, data_format)
    sizes = check.ints(owner, "input_size", tuple(input_size), 4, 1)
    if last:
        dout, weight = transpose(dout, perm=(0, 3, 1, 2)), transpose(weight, perm=(0, 3, 1, 2))
        sizes = (sizes[0], sizes[3], sizes[1], sizes[2])
    window = _window(owner, weight, kernel_size, out_channel, "input channels", 2)
    steps, spread = per_axis(owner, "stride", stride, 2), per_axis(owner, "dilation", dilation, 2)
    pad = pad_list if pad_list is not None and mode_of(owner, pad_mode) == "pad" else pad
    ends = fixed_padding(owner, pad_mode, pad, 2) or same_padding(sizes[2:], window, steps, spread)
    missing = _missing(owner, tuple(dout.shape[2:]), sizes[2:], window, steps, spread, ends)
    y = convolution(dout, weight, stride=steps, padding=ends, dilation=spread, transposed=True,
                    output_padding=missing, groups=group)
    return transpose(y, perm=(0, 2, 3, 1)) if last else y


def _missing(owner: str, given: tuple[int, ...], wanted: tuple[int, ...], window: tuple[int, ...],
             stride: tuple[int, ...], dilation: tuple[int, ...], padding: tuple[int, ...]
             ) -> tuple[int, ...]:
    """How much a transposed convolution falls short of the wanted extents, less than one stride."""
    ends = padding if len(padding) == 4 else [p for p in padding for _ in (0, 1)]
    short = tuple([wanted[i] + ends[2 * i] + ends[2 * i + 1] - (given[i] - 1) * stride[i]
                   - dilation[i] * (window[i] - 1) - 1 for i in (0, 1)])
    if min(short) < 0 or any(m >= s for m, s in zip(short, stride, strict=True)):
        raise ValueError(f"For '{owner}', a convolution of an input of size {wanted} with the window "
                         f"{window}, stride {stride} and padding {padding} does not give {given}.")
    return short


_BACKPROP = ("(out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=None, mode=1, stride=1, "
             "dilation=1, group=1, data_format='NCHW')")


@composed(f"Conv2DTranspose{_BACKPROP}(dout, weight, input_size)")
def _conv2d_transpose(dout: Any, weight: Any, *, input_size: Any, out_channel: Any, kernel_size: Any,
                      pad_mode: Any = "valid", pad: Any = 0, pad_list: Any = None, mode: Any = 1,
                      stride: Any = 1, dilation: Any = 1, group: Any = 1,
                      data_format: Any = "NCHW") -> Any:
    """The transpose of `Conv2D`: what it maps `dout` to among inputs of shape `input_size`."""
    return _backprop_input("Conv2DTranspose", dout, weight, input_size, out_channel, kernel_size, pad_mode,
                           pad, pad_list, mode, stride, dilation, group, data_format)


@composed(f"Conv2DBackpropInput{_BACKPROP}(out_backprop, filter, input_sizes)")
def _conv2d_backprop_input(dout: Any, weight: Any, *, input_sizes: Any, out_channel: Any, kernel_size: Any,
                           pad_mode: Any = "valid", pad: Any = 0, pad_list: Any = None, mode: Any = 1,
                           stride: Any = 1, dilation: Any = 1, group: Any = 1,
                           data_format: Any = "NCHW") -> Any:
    """The cotangent of the input of `Conv2D`."""
    return _backprop_input("Conv2DBackpropInput", dout, weight, input_sizes, out_channel, kernel_size,
                           pad_mode, pad, pad_list, mode, stride, dilation, group, data_format)


@composed("Conv3DTranspose(in_channel, out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=1, "
          "dilation=1, group=1, output_padding=0, data_format='NCDHW')(dout, weight)")
def _conv3d_transpose(dout: Any, weight: Any, *, in_channel: Any, out_channel: Any, kernel_size: Any,
                      mode: Any = 1, pad_mode: Any = "valid", pad: Any = 0, stride: Any = 1,
                      dilation: Any = 1, group: Any = 1, output_padding: Any = 0,
                      data_format: Any = "NCDHW") -> Any:
    """The transposed convolution of volumes `dout` (N, C, D, H, W) with `weight` (C, O / group, *)."""
    owner = "Conv3DTranspose"
    _checked(owner, mode, group, in_channel=in_channel, out_channel=out_channel)
    _channels_last(owner, data_format, 3)
    window = _window(owner, weight, kernel_size, in_channel, "input channels", 3)
    steps, spread = per_axis(owner, "stride", stride, 3), per_axis(owner, "dilation", dilation, 3)
    extra = per_axis(owner, "output_padding", output_padding, 3, low=0)
    ends = fixed_padding(owner, pad_mode, pad, 3)
    if ends is None:
        extents = tuple([e * s for e, s in zip(dout.shape[2:], steps, strict=True)])
        ends = same_padding(extents, window, steps, spread)
    return convolution(dout, weight, stride=steps, padding=ends, dilation=spread, transposed=True,
                       output_padding=extra, groups=group)


__all__ = ["conv1d", "conv2d", "conv3d", "conv3d_transpose", "conv_transpose2d"]
