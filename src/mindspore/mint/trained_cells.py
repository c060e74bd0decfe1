"""Cells with parameters: convolutions, codes, slopes."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.initializer import HeUniform, Normal, Uniform
from mindspore.eager.tensor import Tensor
from mindspore.nn.cell import Cell

from .products import conv2d
from .windows import conv1d, conv3d, pad

_BORDERS = {"zeros": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular"}


def _each(owner: Any, name: str, value: Any, n: int, low: int) -> tuple[int, ...]:
    """One int per axis."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    values = values * n if len(values) == 1 else values
    if len(values) != n:
        raise ValueError(f"For '{type(owner).__name__}', the '{name}' must be an int or hold {n}, but got {value!r}.")
    return tuple([check.integer(owner, name, v, low) for v in values])


class _Convolution(Cell):
    """Windows and what is added: what the convolutions share.  Weights as He et al. 2015 (uniform, slope sqrt(5))."""

    axes = 0
    transposed = False

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any,
                 dilation: Any, groups: int, bias: bool, padding_mode: str, dtype: Any):
        super().__init__()
        n = self.axes
        self.in_channels = check.positive_int(self, "in_channels", in_channels)
        self.out_channels = check.positive_int(self, "out_channels", out_channels)
        self.groups = check.positive_int(self, "groups", groups)
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"For '{type(self).__name__}', 'in_channels' and 'out_channels' must be multiples of "
                             f"'groups', but got {in_channels}, {out_channels} and {groups}.")
        self.kernel_size = _each(self, "kernel_size", kernel_size, n, 1)
        self.stride = _each(self, "stride", stride, n, 1)
        self.dilation = _each(self, "dilation", dilation, n, 1)
        self.padding = padding if isinstance(padding, str) else _each(self, "padding", padding, n, 0)
        borders = ("zeros",) if self.transposed else _BORDERS
        self.padding_mode = check.option(self, "padding_mode", padding_mode, borders)
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (first, second // groups, *self.kernel_size)
        dtype = float32 if dtype is None else dtype
        self.weight = self.parameter("weight", shape, HeUniform(sqrt(5)), dtype)
        self.bias = None
        if check.boolean(self, "bias", bias):
            self.bias = self.parameter("bias", (out_channels,), Uniform(1 / sqrt(prod(shape[1:]))), dtype)

    def _bordered(self, input: Any) -> tuple[Any, Any]:
        """The input with its borders, and how many zeros are still to be added."""
        if self.padding_mode == "zeros":
            return input, self.padding
        ends = self.padding
        if isinstance(ends, str):
            total = [d * (k - 1) * (ends == "same") for d, k in zip(self.dilation, self.kernel_size, strict=True)]
            pairs = [(t // 2, t - t // 2) for t in total]
        else:
            pairs = [(e, e) for e in ends]
        flat = tuple([e for pair in reversed(pairs) for e in pair])
        alone = input.ndim == self.axes + 1
        x = pad(ops.expand_dims(input, 0) if alone else input, flat, _BORDERS[self.padding_mode])
        return (ops.squeeze(x, 0) if alone else x), 0

    def extend_repr(self) -> str:
        return (f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}, "
                f"padding={self.padding}, dilation={self.dilation}, groups={self.groups}, "
                f"bias={self.bias is not None}, padding_mode={self.padding_mode}")


class Conv1d(_Convolution):
    """The cross-correlation of sequences (N, C, L) with trained windows.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the result.
        kernel_size: The length of the window.
        stride: Its step.
        padding: Elements at both ends, or "valid" (none) or "same" (as many as keep the length).
        dilation: The distance of the elements of a window.
        groups: Into how many groups the channels are divided.
        bias: Whether a number is added to each channel.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, in_channels, L) or (in_channels, L).

    Examples:
        >>> mint.nn.Conv1d(2, 3, 3)(mint.ones((1, 2, 5))).shape
        (1, 3, 3)
    """

    axes = 1

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
                 dtype: Any = None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
                         padding_mode, dtype)

    def construct(self, input: Any) -> Any:
        x, ends = self._bordered(input)
        return conv1d(x, self.weight, self.bias, self.stride, ends, self.dilation, self.groups)


class Conv2d(_Convolution):
    """The cross-correlation of images (N, C, H, W) with trained windows.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the result.
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps, likewise.
        padding: Elements at both ends of the axes, likewise, or "valid" (none) or "same" (as many as keep the extents).
        dilation: The distances of the elements of a window, an int or one per axis.
        groups: Into how many groups the channels are divided.
        bias: Whether a number is added to each channel.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, in_channels, H, W) or (in_channels, H, W).

    Examples:
        >>> mint.nn.Conv2d(2, 3, 3, padding=1)(mint.ones((1, 2, 5, 5))).shape
        (1, 3, 5, 5)
    """

    axes = 2

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
                 dtype: Any = None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
                         padding_mode, dtype)

    def construct(self, input: Any) -> Any:
        x, ends = self._bordered(input)
        return conv2d(x, self.weight, self.bias, self.stride, ends, self.dilation, self.groups)


class Conv3d(_Convolution):
    """The cross-correlation of volumes (N, C, D, H, W) with trained windows.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the result.
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps, likewise.
        padding: Elements at both ends of the axes, likewise, or "valid" (none) or "same" (as many as keep the extents).
        dilation: The distances of the elements of a window, an int or one per axis.
        groups: Into how many groups the channels are divided.
        bias: Whether a number is added to each channel.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, in_channels, D, H, W) or (in_channels, D, H, W).

    Examples:
        >>> mint.nn.Conv3d(2, 3, 3)(mint.ones((1, 2, 5, 5, 5))).shape
        (1, 3, 3, 3, 3)
    """

    axes = 3

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
                 dtype: Any = None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
                         padding_mode, dtype)

    def construct(self, input: Any) -> Any:
        x, ends = self._bordered(input)
        return conv3d(x, self.weight, self.bias, self.stride, ends, self.dilation, self.groups)


class ConvTranspose2d(_Convolution):
    """The transposed cross-correlation of images (N, C, H, W) with trained windows.  Zeiler et al. 2010.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the result.
        kernel_size: The extents of the window: an int, or one per axis.
        stride: Its steps, likewise.
        padding: What is cut off at each side of the axes, likewise.
        output_padding: What is added to the extents of the result, likewise.
        groups: Into how many groups the channels are divided.
        bias: Whether a number is added to each channel.
        dilation: The distances of the elements of a window, an int or one per axis.
        padding_mode: "zeros".
        dtype: Element type of the parameters; None: float32.

    Inputs:
        input: (N, in_channels, H, W) or (in_channels, H, W).

    Examples:
        >>> mint.nn.ConvTranspose2d(2, 3, 2, stride=2)(mint.ones((1, 2, 5, 5))).shape
        (1, 3, 10, 10)
    """

    axes = 2
    transposed = True

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
                 padding_mode: str = "zeros", dtype: Any = None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
                         padding_mode, dtype)
        self.output_padding = _each(self, "output_padding", output_padding, 2, 0)

    def construct(self, input: Any, output_size: Any = None) -> Any:
        more = self.output_padding
        if output_size is not None:
            least = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in
                     zip(input.shape[-2:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True)]
            more = tuple([wanted - n for wanted, n in zip(output_size[-2:], least, strict=True)])
        alone = input.ndim == 3
        x = ops.expand_dims(input, 0) if alone else input
        ends = tuple([p for p in self.padding for _ in range(2)])
        out = ops.conv_transpose2d(x, self.weight, self.bias, self.stride, ends, more, self.groups, self.dilation)
        return ops.squeeze(out, 0) if alone else out


class Embedding(Cell):
    """Trained rows, one per number.

    Args:
        num_embeddings: How many rows there are.
        embedding_dim: Their length.
        padding_idx: A row that starts as zeros and is not trained, or None.
        max_norm: The greatest norm of a row: those that are read and longer are shortened to it; None for any.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether derivatives are divided by how often the number of their row occurs.
        sparse: False; derivatives are dense.
        _weight: Initial rows, or None for the normal distribution.
        _freeze: Whether the rows are not trained.
        dtype: Element type of the rows; None: float32.

    Inputs:
        input: Integers (*).

    Examples:
        >>> mint.nn.Embedding(5, 3)(Tensor([1, 4])).shape
        (2, 3)
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None,
                 max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False,
                 sparse: bool = False, _weight: Any = None, _freeze: bool = False, dtype: Any = None):
        super().__init__()
        if sparse:
            raise ValueError("For 'Embedding', 'sparse' is not offered; derivatives are dense.")
        self.max_norm = max_norm if max_norm is None else check.number(self, "max_norm", max_norm)
        self.scale_grad_by_freq = check.boolean(self, "scale_grad_by_freq", scale_grad_by_freq)
        self.norm_type = check.number(self, "norm_type", norm_type)
        shape = (check.positive_int(self, "num_embeddings", num_embeddings),
                 check.positive_int(self, "embedding_dim", embedding_dim))
        self.padding_idx = padding_idx
        rows = self.parameter("weight", shape, Normal(1.0) if _weight is None else _weight,
                              float32 if dtype is None else dtype, not check.boolean(self, "_freeze", _freeze))
        if padding_idx is not None:
            at = check.integer(self, "padding_idx", padding_idx, -num_embeddings, num_embeddings - 1)
            if _weight is None:
                values = rows.asnumpy().copy()
                values[at] = 0
                rows.set_data(Tensor(values))
        self.weight = rows

    def construct(self, input: Any) -> Any:
        return ops.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                             self.scale_grad_by_freq)


class PReLU(Cell):
    """The input where it is positive, else a trained slope times it.  He et al. 2015.

    Args:
        num_parameters: One slope for all channels, or one for each.
        init: Their initial value.
        dtype: Their element type; None: float32.

    Inputs:
        input: (N, C, *), floating-point numbers.

    Examples:
        >>> mint.nn.PReLU()(Tensor([[-4.0, 2.0]])).tolist()
        [[-1.0, 2.0]]
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None):
        super().__init__()
        self.weight = self.parameter("weight", (check.positive_int(self, "num_parameters", num_parameters),), init,
                                     float32 if dtype is None else dtype)

    def construct(self, input: Any) -> Any:
        return ops.prelu(input, self.weight)


__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "Embedding", "PReLU"]
