"""A convolution or a dense layer with batch normalisation and activation."""
from __future__ import annotations

from typing import Any

from mindspore.core import check

from .activation import activation_of, get_activation
from .batch_norm import BatchNorm1d, BatchNorm2d
from .cell import Cell
from .convolution import Conv2d
from .linear import Dense
from .rectifiers import LeakyReLU


def _activation(owner: Cell, activation: Any, alpha: float) -> Any:
    if activation == "leakyrelu":
        return LeakyReLU(alpha)
    if isinstance(activation, str):
        return get_activation(activation)
    return activation_of(owner, activation)


class Conv2dBnAct(Cell):
    """`activation(batchnorm(conv(x)))`, where each of the last two may be absent.

    Args:
        in_channels, out_channels: Channels of the input, and of the output.
        kernel_size, stride, dilation: Extents, steps and distances of the window, as for `Conv2d`.
        pad_mode, padding: "same", "valid", or "pad" with so many zeros, as for `Conv2d`.
        group: Number of groups of channels that are convolved apart.
        has_bias: Whether the convolution has a bias.
        weight_init, bias_init: Initial weight and bias of the convolution.
        momentum, eps: Of the `BatchNorm2d`, if there is one.
        alpha: The slope left of zero, for "leakyrelu".
        has_bn: Whether to normalise; `momentum` and `eps` are those of `BatchNorm2d`.
        activation: A name, a cell or a primitive; `alpha` is the slope of "leakyrelu".
        after_fake: Note for quantisation-aware training: the result is to be quantised, too.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        (N, O, H', W').

    Examples:
        >>> net = nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu")
        >>> y = net(ops.ones((1, 3, 5, 5)))
        >>> y.shape, float(y.min()) >= 0
        ((1, 8, 5, 5), True)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1,
                 has_bias: bool = False, weight_init: Any = "normal", bias_init: Any = "zeros",
                 has_bn: bool = False, momentum: float = 0.997, eps: float = 1e-5,
                 activation: Any = None, alpha: float = 0.2, after_fake: bool = True):
        super().__init__()
        self.conv = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation,
                           group, has_bias, weight_init, bias_init)
        self.has_bn = check.boolean(self, "has_bn", has_bn)
        self.after_fake = check.boolean(self, "after_fake", after_fake)
        self.batchnorm = BatchNorm2d(out_channels, eps, momentum) if has_bn else None
        self.activation = _activation(self, activation, alpha)

    def construct(self, x):
        x = self.conv(x)
        if self.batchnorm is not None:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)


class DenseBnAct(Cell):
    """`activation(batchnorm(dense(x)))`, where each of the last two may be absent.

    Args:
        in_channels, out_channels: Length of the last axis of the input, and of the output.
        weight_init, bias_init: Initial weight and bias of the dense layer.
        has_bias: Whether the dense layer has a bias.
        momentum, eps: Of the `BatchNorm1d`, if there is one.
        alpha: The slope left of zero, for "leakyrelu".
        has_bn: Whether to normalise; `momentum` and `eps` are those of `BatchNorm1d`.
        activation: A name, a cell or a primitive; `alpha` is the slope of "leakyrelu".
        after_fake: Note for quantisation-aware training: the result is to be quantised, too.

    Inputs:
        x: (N, in_channels).

    Outputs:
        (N, out_channels).

    Examples:
        >>> net = nn.DenseBnAct(2, 1, "ones", activation="relu")
        >>> net(Tensor([[1.0, 2.0], [-1.0, -2.0]])).tolist()
        [[3.0], [0.0]]
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = "normal",
                 bias_init: Any = "zeros", has_bias: bool = True, has_bn: bool = False,
                 momentum: float = 0.9, eps: float = 1e-5, activation: Any = None, alpha: float = 0.2,
                 after_fake: bool = True):
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self.has_bn = check.boolean(self, "has_bn", has_bn)
        self.after_fake = check.boolean(self, "after_fake", after_fake)
        self.batchnorm = BatchNorm1d(out_channels, eps, momentum) if has_bn else None
        self.activation = _activation(self, activation, alpha)

    def construct(self, x):
        x = self.dense(x)
        if self.batchnorm is not None:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)
