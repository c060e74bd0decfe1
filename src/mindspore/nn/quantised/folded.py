"""Convolutions with quantised weights that batch normalisation is folded into, Jacob et al. 2018."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32, int32
from mindspore.core.quant_dtype import QuantDtype
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.nn.batch_norm import BatchNorm2d, moving, normalised
from mindspore.nn.combined import Conv2dBnAct
from mindspore.operators.powers import sqrt
from mindspore.ops.quantisation import along, corrected, folded, folding

from .layers import Conv2dQuant, WithWeights, configured, weight_observer, with_weights
from .observers import DEFAULT


class _Folded(WithWeights):
    """What folded convolutions share: the convolution, and the parameters of a normalisation beside its weights."""

    use_batch_statistics: bool | None = None

    def _normalise(self, eps: float, momentum: float, inits: tuple[Any, ...], fake: bool, quant_config: Any,
                   quant_dtype: QuantDtype, earlier: dict[str, Any]) -> None:
        """`inits` are those of beta, gamma, mean and variance."""
        quant_config, quant_dtype = configured(self, quant_config, quant_dtype, earlier)
        self.eps = check.number(self, "eps", eps)
        self.momentum = check.number(self, "momentum", momentum, 0.0, 1.0)
        self._rate = 1.0 - self.momentum
        self.fake = check.boolean(self, "fake", fake)
        beta, gamma, mean, variance = inits
        moving(self, self.out_channels, True, (gamma, beta, mean, variance), float32)
        if fake:
            self.fake_quant_weight = weight_observer(self, quant_config, self.out_channels, quant_dtype)

    def _quantised(self, weight: Any) -> Any:
        return self.fake_quant_weight(weight) if self.fake else weight

    def _from(self, convbn: Conv2dBnAct) -> Any:
        """Take over the parameters of a convolution with normalisation."""
        with_weights(self, convbn.conv)
        norm = convbn.batchnorm
        for name in ("gamma", "beta", "moving_mean", "moving_variance"):
            getattr(self, name).set_data(getattr(norm, name))
        return self

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, fake={self.fake}, eps={self.eps}, momentum={self.momentum}"


def _arguments(convbn: Conv2dBnAct) -> dict[str, Any]:
    """The arguments of a convolution with normalisation."""
    conv, norm = convbn.conv, convbn.batchnorm
    if norm is None:
        raise ValueError("A 'Conv2dBnAct' without normalisation becomes a 'Conv2dQuant'.")
    names = ("in_channels", "out_channels", "kernel_size", "stride", "pad_mode", "padding", "dilation", "group",
             "has_bias")
    return {**{name: getattr(conv, name) for name in names}, "eps": norm.eps, "momentum": norm.momentum}


class Conv2dBnFoldQuantOneConv(_Folded):
    """A convolution with quantised weights, and a batch normalisation whose scale they were multiplied by.

    y = normalise(conv(x, quantise(weight * s)) / s) with s = gamma / sqrt(moving_variance + eps).

    Args:
        eps: Added to the variance.
        momentum: The weight of the old moving statistics.
        beta_init, gamma_init, mean_init, var_init: The parameters of the normalisation at first.
        fake: Whether the weights are quantised.
        quant_config: What makes the observer of the weights, of `create_quant_config`.
        quant_dtype: The number of bits.

    The other arguments are those of `Conv2d`.

    Examples:
        >>> nn.Conv2dBnFoldQuantOneConv(1, 4, 3)(ops.ones((2, 1, 5, 5))).shape
        (2, 4, 5, 5)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1, eps: float = 1e-5,
                 momentum: float = 0.997, has_bias: bool = False, weight_init: Any = "normal",
                 bias_init: Any = "zeros", beta_init: Any = "zeros", gamma_init: Any = "ones",
                 mean_init: Any = "zeros", var_init: Any = "ones", fake: bool = True, quant_config: Any = DEFAULT,
                 quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init)
        self._normalise(eps, momentum, (beta_init, gamma_init, mean_init, var_init), fake, quant_config, quant_dtype,
                        earlier)

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: Any,
                   quant_dtype: QuantDtype = QuantDtype.INT8) -> Conv2dBnFoldQuantOneConv:
        """The layer with the arguments and parameters of a `Conv2dBnAct`.

        Args:
            convbn: The `Conv2dBnAct`.
            quant_config: What makes the observer.
            quant_dtype: The number of bits.
        """
        return cls(**_arguments(convbn), quant_config=quant_config, quant_dtype=quant_dtype)._from(convbn)

    def construct(self, x):
        scale = self.gamma / sqrt(self.moving_variance + self.eps)
        y = self.convolve(x, self._quantised(self.weight * along(self.weight, scale, 0)))
        y = y / along(y, scale, 1)
        return normalised(self, y if self.bias is None else y + along(y, self.bias, 1))


class Conv2dBnFoldQuant(_Folded):
    """A convolution with quantised weights that a batch normalisation is folded into, by a second convolution.

    The statistics of the batch are those of the convolution with plain weights. Before the step `freeze_bn` they
    normalise the batch; from then on the moving ones do.

    Args:
        eps: Added to the variance.
        momentum: The weight of the old moving statistics.
        beta_init, gamma_init, mean_init, var_init: The parameters of the normalisation at first.
        fake: Whether the weights are quantised.
        quant_config: What makes the observer of the weights, of `create_quant_config`.
        quant_dtype: The number of bits.
        freeze_bn: From which training step on the moving statistics stay as they are.

    The other arguments are those of `Conv2d`.

    Examples:
        >>> nn.Conv2dBnFoldQuant(1, 4, 3)(ops.ones((2, 1, 5, 5))).shape
        (2, 4, 5, 5)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1, eps: float = 1e-5,
                 momentum: float = 0.997, has_bias: bool = False, weight_init: Any = "normal",
                 bias_init: Any = "zeros", beta_init: Any = "zeros", gamma_init: Any = "ones",
                 mean_init: Any = "zeros", var_init: Any = "ones", fake: bool = True, quant_config: Any = DEFAULT,
                 quant_dtype: QuantDtype = QuantDtype.INT8, freeze_bn: int = 100000, **earlier: Any):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init)
        self._normalise(eps, momentum, (beta_init, gamma_init, mean_init, var_init), fake, quant_config, quant_dtype,
                        earlier)
        self.freeze_bn = check.non_negative_int(self, "freeze_bn", freeze_bn)
        self.step = Parameter(Tensor([0], int32), name="step", requires_grad=False)

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: Any, extra_args: dict[str, Any] | None = None,
                   ) -> Conv2dBnFoldQuant:
        """The layer with the arguments and parameters of a `Conv2dBnAct`.

        Args:
            convbn: The `Conv2dBnAct`.
            quant_config: What makes the observer.
            extra_args: Further arguments, such as `quant_dtype` and `freeze_bn`.
        """
        return cls(**_arguments(convbn), quant_config=quant_config, **(extra_args or {}))._from(convbn)

    def construct(self, x):
        before = self.convolve(x, self.weight, self.bias)
        batch_mean, batch_std, mean, std = folding(before, self.moving_mean, self.moving_variance, self.step,
                                                   momentum=self.momentum, epsilon=self.eps,
                                                   is_training=self.training, freeze_bn=self.freeze_bn)
        weight = self._quantised(corrected(self.weight, self.gamma, std))
        bias = None if self.bias is None else self.bias * (self.gamma / std)
        y = self.convolve(x, weight, bias)
        y = folded(y, self.beta, self.gamma, batch_std, batch_mean, std, mean, self.step,
                   freeze_bn=self.freeze_bn if self.training else 0)
        if self.training:
            assign(self.step, self.step + 1)
        return y


class Conv2dBnWithoutFoldQuant(Conv2dQuant):
    """A convolution with quantised weights, and a batch normalisation behind it.

    Args:
        eps: Added to the variance.
        momentum: The weight of the old moving statistics.
        quant_config: What makes the observer of the weights, of `create_quant_config`.
        quant_dtype: The number of bits.

    The other arguments are those of `Conv2d`.

    Examples:
        >>> nn.Conv2dBnWithoutFoldQuant(1, 4, 3)(ops.ones((2, 1, 5, 5))).shape
        (2, 4, 5, 5)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 eps: float = 1e-5, momentum: float = 0.997, weight_init: Any = "normal", bias_init: Any = "zeros",
                 quant_config: Any = DEFAULT, quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, quant_config, quant_dtype, **earlier)
        self.batchnorm = BatchNorm2d(out_channels, eps, momentum)

    @classmethod
    def from_float(cls, convbn: Conv2dBnAct, quant_config: Any,
                   quant_dtype: QuantDtype = QuantDtype.INT8) -> Conv2dBnWithoutFoldQuant:
        """The layer with the arguments and parameters of a `Conv2dBnAct`.

        Args:
            convbn: The `Conv2dBnAct`.
            quant_config: What makes the observer.
            quant_dtype: The number of bits.
        """
        made = cls(**_arguments(convbn), quant_config=quant_config, quant_dtype=quant_dtype)
        made.batchnorm = convbn.batchnorm
        return with_weights(made, convbn.conv)

    def construct(self, x):
        return self.batchnorm(super().construct(x))


__all__ = ["Conv2dBnFoldQuant", "Conv2dBnFoldQuantOneConv", "Conv2dBnWithoutFoldQuant"]
