"""The convolution of each channel by itself, as a primitive."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import ArgumentError, show
from mindspore.operators.convolution import convolution
from mindspore.operators.structure import reshape, transpose

from .nn_convolution import _window, fixed_padding, per_axis, same_padding
from .primitive import composed


@composed("DepthwiseConv2dNative(channel_multiplier, kernel_size, mode=3, pad_mode='valid', pad=0, stride=1, "
          "dilation=1, group=1)(x, weight)")
def _depthwise(x: Any, weight: Any, *, channel_multiplier: Any, kernel_size: Any, mode: Any = 3,
               pad_mode: Any = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1,
               group: Any = 1) -> Any:
    """Every channel of `x` (N, C, H, W) correlated with its `channel_multiplier` windows."""
    owner = "DepthwiseConv2dNative"
    check.option(owner, "mode", mode, (3,))
    check.option(owner, "group", group, (1, x.shape[1]))
    window = _window(owner, weight, kernel_size, channel_multiplier, "windows per channel", 2)
    if weight.shape[1] != x.shape[1]:
        raise ArgumentError(f"For '{owner}', the second extent of the weight must be the {x.shape[1]} "
                            f"channels of the input, but got {show(weight)}.")
    steps, spread = per_axis(owner, "stride", stride, 2), per_axis(owner, "dilation", dilation, 2)
    ends = fixed_padding(owner, pad_mode, pad, 2)
    if ends is None:
        ends = same_padding(tuple(x.shape[2:]), window, steps, spread)
    filters = reshape(transpose(weight, perm=(1, 0, 2, 3)),
                      shape=(x.shape[1] * channel_multiplier, 1, *window))
    return convolution(x, filters, stride=steps, padding=ends, dilation=spread, groups=x.shape[1])
