"""Transposed convolutions in one, two and three dimensions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32

from .convolution import _Conv


class _ConvTranspose(_Conv):
    """What the transposed convolutions share: the padding is that of the convolution they reverse."""

    transposed = True

    def _arrange(self, output_padding: Any = 0) -> None:
        """Padding and output padding of the operator, from the layer's arguments."""
        n = self.n
        extra = [output_padding] * n if isinstance(output_padding, int) else list(output_padding)
        ends: list[int] = []
        reach = [d * (k - 1) + 1 for k, d in zip(self.kernel_size, self.dilation, strict=True)]
        for i, s in enumerate(self.stride):
            total = max(reach[i] - s, 0) if self.pad_mode == "same" else 0
            ends += [total // 2, total - total // 2]
            if self.pad_mode != "pad":
                extra[i] = max(s - reach[i], 0)
        padding = self.padding if self.pad_mode == "pad" else tuple(ends)
        self._fixed = self._spread(padding)
        self._attrs["output_padding"] = tuple(extra)

    def _output_padding(self, value: Any) -> Any:
        for item in value if isinstance(value, tuple) else (value,):
            check.non_negative_int(self, "output_padding", item)
        if self.pad_mode != "pad" and value not in (0, (0,) * self.n):
            raise ValueError(f"For '{self.cls_name}', the 'output_padding' must be zero when 'pad_mode' "
                             f"is not 'pad', but got 'output_padding': {value} and 'pad_mode': "
                             f"{self.pad_mode}.")
        return value


class Conv1dTranspose(_ConvTranspose):
    """The gradient of a one-dimensional convolution with respect to its input, plus a bias.

    Args:
        in_channels, out_channels: Channels of the input, and of the output.
        kernel_size: Length of the window.
        stride: Step of the window.
        pad_mode: "same" (L * stride results), "valid" (no padding) or "pad" (`padding`).
        padding: How many results are cut off at both ends, for "pad".
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether there is a bias.
        weight_init: Initial weight, stored as (C, O / group, 1, kernel_size). Default: HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt(O / group * kernel_size).
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, L).

    Outputs:
        (N, O, L').

    Examples:
        >>> nn.Conv1dTranspose(3, 8, 4, stride=2)(ops.ones((1, 3, 5))).shape
        (1, 8, 10)
        >>> net = nn.Conv1dTranspose(1, 1, 2, pad_mode="valid", weight_init="ones")
        >>> net(Tensor([[[1.0, 2.0, 4.0]]])).tolist()
        [[[1.0, 3.0, 6.0, 4.0]]]
    """

    n = 1

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int = 1,
                 pad_mode: str = "same", padding: int = 0, dilation: int = 1, group: int = 1,
                 has_bias: bool = False, weight_init: Any = None, bias_init: Any = None,
                 dtype: DType = float32):
        super().__init__()
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)
        self._arrange()


class Conv2dTranspose(_ConvTranspose):
    """The gradient of a two-dimensional convolution with respect to its input, plus a bias.

    Args:
        in_channels, out_channels: Channels of the input, and of the output.
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window.
        pad_mode: "same" (extent * stride results), "valid" (no padding) or "pad" (`padding`).
        padding: How many results are cut off at the borders, for "pad": one int or (top, bottom, left, right).
        output_padding: Rows and columns added at the end, for "pad".
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether there is a bias.
        weight_init: Initial weight (C, O / group, height, width). Default: HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt(O / group * height * width).
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        (N, O, H', W').

    Examples:
        >>> nn.Conv2dTranspose(3, 8, 4, stride=2)(ops.ones((1, 3, 5, 5))).shape
        (1, 8, 10, 10)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, output_padding: Any = 0, dilation: Any = 1,
                 group: int = 1, has_bias: bool = False, weight_init: Any = None,
                 bias_init: Any = None, dtype: DType = float32):
        super().__init__()
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)
        self.output_padding = self._output_padding(output_padding)
        self._arrange(output_padding)


class Conv3dTranspose(_ConvTranspose):
    """The gradient of a three-dimensional convolution with respect to its input, plus a bias.

    Args:
        in_channels, out_channels: Channels of the input, and of the output.
        kernel_size: Extents of the window, one int or (depth, height, width).
        stride: Steps of the window.
        pad_mode: "same" (extent * stride results), "valid" (no padding) or "pad" (`padding`).
        padding: How many results are cut off at the borders, for "pad": one int, or the six of `Conv3d`.
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        output_padding: Elements added at the ends, for "pad".
        has_bias: Whether there is a bias.
        weight_init: Initial weight (C, O / group, depth, height, width). Default: HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt(O / group * depth * height * width).
        data_format: Only "NCDHW".
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, D, H, W).

    Outputs:
        (N, O, D', H', W').

    Examples:
        >>> nn.Conv3dTranspose(3, 8, 2, stride=2)(ops.ones((1, 3, 2, 3, 4))).shape
        (1, 8, 4, 6, 8)
    """

    n = 3
    format = "NCDHW"

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1,
                 output_padding: Any = 0, has_bias: bool = False, weight_init: Any = None,
                 bias_init: Any = None, data_format: str = "NCDHW", dtype: DType = float32):
        super().__init__()
        self.data_format = check.option(self, "data_format", data_format, ("NCDHW",))
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)
        self.output_padding = self._output_padding(output_padding)
        self._arrange(output_padding)
