"""Convolutions in one, two and three dimensions."""
from __future__ import annotations

from math import prod, sqrt
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.core.errors import kind
from mindspore.eager.initializer import HeUniform, Uniform
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.convolution import convolution
from mindspore.operators.im2col_convolution import convolve

from .cell import Cell

_FORMATS = ("NCHW", "NHWC", "NCDHW")


class _Conv(Cell):
    """What all convolutions share: checks, parameters, padding, text.

    `n` is the number of spatial axes of the input.  One-dimensional weights are stored with an
    additional axis of extent 1, as checkpoints have them.
    """

    n = 2
    transposed = False
    format = "NCHW"

    def _prepare(self, channels: tuple[int, int], windows: tuple[Any, Any, Any], padding: Any, pad_mode: str,
                 group: int, has_bias: bool) -> None:
        self.in_channels = check.positive_int(self, "in_channels", channels[0])
        self.out_channels = check.positive_int(self, "out_channels", channels[1])
        for name, value in zip(("kernel_size", "stride", "dilation"), windows, strict=True):
            setattr(self, name, self._extents(name, value))
        check.instance(self, "pad_mode", pad_mode, str)
        self.pad_mode = check.option(self, "pad_mode", pad_mode, ("valid", "same", "pad"))
        self.padding = self._ends(padding)
        self.group = check.positive_int(self, "group", group)
        if channels[0] % group or channels[1] % group:
            raise ValueError("The argument 'group' should be divisible by 'in_channels' and "
                             f"'out_channels', but got group:{group}, in_channels:{channels[0]}, "
                             f"out_channels:{channels[1]}.")
        self.has_bias = check.boolean(self, "has_bias", has_bias)

    def _extents(self, name: str, value: Any) -> tuple[int, ...]:
        if self.n == 1:
            value = (check.integer(self, name, value),)
        elif isinstance(value, tuple) and len(value) == self.n:
            pass
        elif isinstance(value, int) and not isinstance(value, bool):
            value = (value,) * self.n
        else:
            raise TypeError(f"For '{self.cls_name}', the '{name}' must be an int or a tuple of "
                            f"{self.n} ints, but got {value!r}.")
        return tuple([check.positive_int(self, f"{name} item", v) for v in value])

    def _ends(self, padding: Any) -> Any:
        """The padding as given, checked: one int, or two ints (begin, end) per spatial axis."""
        if self.n == 1 or not isinstance(padding, tuple):
            check.non_negative_int(self, "padding", padding)
        else:
            if len(padding) != 2 * self.n:
                raise ValueError(f"For '{self.cls_name}', the 'padding' must be an int or a tuple of "
                                 f"{2 * self.n} ints, but got {padding}.")
            for end in padding:
                check.non_negative_int(self, "padding item", end)
        if self.pad_mode != "pad" and padding not in (0, (0,) * (2 * self.n)):
            raise ValueError(f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not "
                             f"'pad', but got 'padding': {padding} and 'pad_mode': {self.pad_mode}.")
        return padding

    def _parameters(self, weight_init: Any, bias_init: Any, dtype: DType) -> None:
        first, second = self.out_channels, self.in_channels // self.group
        if self.transposed:
            first, second = self.in_channels, self.out_channels // self.group
        window = self.kernel_size
        shape = self._stored(first, second, (1, *window) if self.n == 1 else window)
        self.weight_init = HeUniform(sqrt(5)) if weight_init is None else weight_init
        if self.n == 1 and isinstance(weight_init, Tensor):
            if weight_init.ndim != 3:
                raise ValueError(f"For '{self.cls_name}', the 'weight_init_shape' must be 3, but got "
                                 f"{weight_init.ndim}.")
            weight_init = self.weight_init = weight_init.reshape((*weight_init.shape[:2], 1, -1))
        self.weight = self.parameter("weight", shape, self.weight_init, dtype)
        self.bias_init, self.bias = bias_init, None
        if self.has_bias:
            if bias_init is None:
                self.bias_init = Uniform(1 / sqrt(second * prod(window)))
            self.bias = self.parameter("bias", (self.out_channels,), self.bias_init, dtype)
        self._attrs = {"stride": self.stride, "dilation": self.dilation, "groups": self.group}
        if self.transposed:
            self._attrs["transposed"] = True
        fixed = self.pad_mode == "valid" or (self.pad_mode == "pad" and not self.transposed)
        self._fixed = self._spread(self.padding) if fixed else None

    def _stored(self, first: int, second: int, window: tuple[int, ...]) -> tuple[int, ...]:
        return (first, second, *window)

    def _spread(self, padding: Any) -> tuple[int, ...]:
        """One int per axis where both ends agree, else (begin, end) for each."""
        if not isinstance(padding, tuple):
            return (padding,) * self.n
        begins, ends = padding[::2], padding[1::2]
        return begins if begins == ends else padding

    def _same(self, extents: tuple[int, ...]) -> tuple[int, ...]:
        """The padding that makes ceil(extent / stride) results, the odd one at the end."""
        ends: list[int] = []
        for extent, k, s, d in zip(extents, self.kernel_size, self.stride, self.dilation, strict=True):
            total = max((-(-extent // s) - 1) * s + d * (k - 1) + 1 - extent, 0)
            ends += [total // 2, total - total // 2]
        return self._spread(tuple(ends))

    def _check_rank(self, x: Any) -> None:
        if not is_tensor(x):
            raise TypeError(f"For '{type(self).__name__}', the 'x' must be a Tensor, but got {kind(x)}.")
        if x.ndim != self.n + 2:
            raise ValueError(f"For '{type(self).__name__}', the 'x' must have {self.n + 2} dimensions, batch and "
                             f"channels before those of the window, but got the shape {tuple(x.shape)}.")

    def construct(self, x):
        w = self.weight
        if self.n == 1:
            w = w.reshape((w.shape[0], w.shape[1], w.shape[3]))
        self._check_rank(x)
        padding = self._fixed
        if padding is None:
            padding = self._same(tuple(x.shape[2:]))
        return convolution(x, w, self.bias, padding=padding, **self._attrs)

    def extend_repr(self) -> str:
        def shown(extents: tuple[int, ...]) -> tuple[int, ...]:
            return (1, *extents) if self.n == 1 else extents

        padding = (0, 0, self.padding, self.padding) if self.n == 1 else self.padding
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={shown(self.kernel_size)}, stride={shown(self.stride)}, "
                f"pad_mode={self.pad_mode}, padding={padding}, dilation={shown(self.dilation)}, "
                f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
                f"bias_init={self.bias_init}, format={self.format}")


class Conv1d(_Conv):
    """Cross-correlation along one axis, plus a bias.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the output.
        kernel_size: Length of the window.
        stride: Step of the window.
        pad_mode: "same" (ceil(L / stride) results), "valid" (no padding) or "pad" (`padding`).
        padding: Zeros at both ends, for "pad".
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether there is a bias.
        weight_init: Initial weight, stored as (O, C / group, 1, kernel_size). Default:
            HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt(C / group * kernel_size).
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, L).

    Outputs:
        (N, O, L').

    Examples:
        >>> nn.Conv1d(3, 8, 4, stride=2)(ops.ones((1, 3, 9))).shape
        (1, 8, 5)
        >>> nn.Conv1d(1, 1, 2, pad_mode="valid", weight_init="ones")(Tensor([[[1.0, 2.0, 4.0]]])).tolist()
        [[[3.0, 6.0]]]
    """

    n = 1

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int = 1,
                 pad_mode: str = "same", padding: int = 0, dilation: int = 1, group: int = 1,
                 has_bias: bool = False, weight_init: Any = None, bias_init: Any = None,
                 dtype: DType = float32):
        super().__init__()
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)


class Conv2d(_Conv):
    """Cross-correlation over two axes, plus a bias.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the output.
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (no padding) or "pad" (`padding`).
        padding: Zeros at the borders, for "pad": one int or (top, bottom, left, right).
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether there is a bias.
        weight_init: Initial weight (O, C / group, height, width). Default: HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt(C / group * height * width).
        data_format: "NCHW", or "NHWC" for channels last in input, output and weight.
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        (N, O, H', W').

    Examples:
        >>> nn.Conv2d(3, 8, 3, stride=2)(ops.ones((1, 3, 9, 9))).shape
        (1, 8, 5, 5)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1,
                 has_bias: bool = False, weight_init: Any = None, bias_init: Any = None,
                 data_format: str = "NCHW", dtype: DType = float32):
        super().__init__()
        self.format = self.data_format = check.option(self, "format", data_format, _FORMATS[:2])
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)

    def _stored(self, first: int, second: int, window: tuple[int, ...]) -> tuple[int, ...]:
        return (first, *window, second) if self.format == "NHWC" else (first, second, *window)

    def construct(self, x):
        self._check_rank(x)
        if self.format == "NCHW":
            padding = self._fixed
            if padding is None:
                padding = self._same(tuple(x.shape[2:]))
            return convolve(x, self.weight, self.bias, padding=padding, **self._attrs)
        padding = self._fixed or self._same(tuple(x.shape[1:3]))
        y = convolve(x.transpose(0, 3, 1, 2), self.weight.transpose(0, 3, 1, 2), self.bias,
                     padding=padding, **self._attrs)
        return y.transpose(0, 2, 3, 1)


class Conv3d(_Conv):
    """Cross-correlation over three axes, plus a bias.

    Args:
        in_channels, out_channels: Channels of the input, and of the output.
        kernel_size: Extents of the window, one int or (depth, height, width).
        stride: Steps of the window.
        pad_mode: "same" (ceil(extent / stride) results), "valid" (no padding) or "pad" (`padding`).
        padding: Zeros at the borders, for "pad": one int or (head, tail, top, bottom, left, right).
        dilation: Distance of the window's elements.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether there is a bias.
        weight_init: Initial weight (O, C / group, depth, height, width). Default: HeUniform(sqrt(5)).
        bias_init: Initial bias. Default: uniform within 1 / sqrt of the elements that a result sums.
        data_format: Only "NCDHW".
        dtype: Element type of the parameters.

    Inputs:
        x: (N, C, D, H, W).

    Outputs:
        (N, O, D', H', W').

    Examples:
        >>> nn.Conv3d(3, 8, (2, 3, 3), stride=2)(ops.ones((1, 3, 4, 9, 9))).shape
        (1, 8, 2, 5, 5)
    """

    n = 3
    format = "NCDHW"

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1,
                 has_bias: bool = False, weight_init: Any = None, bias_init: Any = None,
                 data_format: str = "NCDHW", dtype: DType = float32):
        super().__init__()
        self.data_format = check.option(self, "data_format", data_format, ("NCDHW",))
        self._prepare((in_channels, out_channels), (kernel_size, stride, dilation), padding, pad_mode, group, has_bias)
        self._parameters(weight_init, bias_init, dtype)


def _three_dimensional(input_shape: Any, prim_name: str | None = None) -> None:
    if len(input_shape) != 3:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} dimension of the input must be 3d, but got {len(input_shape)}.")


def check_input_3d(*args: Any, **kwargs: Any) -> None:
    """ValueError if the shape, the first argument, has not three dimensions; the second names who asks.

    A check that the original's file offers, with the signature that it has there.
    """
    _three_dimensional(*args, **kwargs)
