"""Layers that compute with quantised weights, and quantised results of activations."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.quant_dtype import QuantDtype
from mindspore.nn.activation import activation_of
from mindspore.nn.cell import Cell
from mindspore.nn.convolution import Conv2d
from mindspore.nn.linear import Dense
from mindspore.nn.rectifiers import ReLU, ReLU6
from mindspore.operators.convolution import convolution
from mindspore.operators.matmul import dense

from .observers import DEFAULT, create_quant_config


def weight_observer(cell: Cell, quant_config: Any, channels: int, quant_dtype: QuantDtype, axis: int = 0) -> Cell:
    """The observer of a layer's weights."""
    return quant_config.weight(min_init=-6, max_init=6, ema=False, channel_axis=axis, num_channels=channels,
                               quant_dtype=check.instance(cell, "quant_dtype", quant_dtype, QuantDtype))


def act_observer(cell: Cell, quant_config: Any, quant_dtype: QuantDtype, ema: bool, ema_decay: float,
                 neg_trunc: bool = False) -> Cell:
    """The observer of a layer's results."""
    check.instance(cell, "quant_dtype", quant_dtype, QuantDtype)
    return quant_config.activation(min_init=-6, max_init=6, ema=ema, ema_decay=ema_decay, quant_dtype=quant_dtype,
                                   **({"neg_trunc": True} if neg_trunc else {}))


_EARLIER = {"per_channel": False, "num_bits": 8, "symmetric": False, "narrow_range": False, "quant_delay": 0}


def configured(cell: Cell, quant_config: Any, quant_dtype: QuantDtype, earlier: dict[str, Any]) -> Any:
    """The configuration and type, which 1.0 gave as `num_bits`, `per_channel` and further arguments.

    Raises:
        TypeError: If an argument is unknown.
    """
    unknown = earlier.keys() - _EARLIER.keys()
    if unknown:
        raise TypeError(f"{cell.cls_name}.__init__() got an unexpected keyword argument '{min(unknown)}'")
    if not earlier:
        return quant_config, quant_dtype
    found = _EARLIER | earlier
    made = QuantDtype[f"INT{check.integer(cell, 'num_bits', found.pop('num_bits'), 2, 16)}"]
    channels = found.pop("per_channel")
    return create_quant_config(quant_dtype=made, per_channel=(channels, False), **found), made


def learns(quant_config: Any) -> bool:
    """Whether the ranges of activations are learned."""
    keywords = getattr(getattr(quant_config.activation, "p", None), "keywords", {})
    return keywords.get("mode") == "LEARNED_SCALE"


def with_weights(made: Any, layer: Any) -> Any:
    """A layer with the weights and the bias of another one."""
    made.weight.set_data(layer.weight)
    if made.bias is not None:
        made.bias.set_data(layer.bias)
    return made


class WithWeights(Conv2d):
    """A convolution that is computed with weights made of its own ones."""

    def convolve(self, x: Any, weight: Any, bias: Any = None) -> Any:
        """The convolution with other weights.

        Args:
            x: The input (N, C, H, W).
            weight: Weights of the shape of its own.
            bias: What is added to the channels.
        """
        self._check_rank(x)
        padding = self._same(tuple(x.shape[2:])) if self._fixed is None else self._fixed
        return convolution(x, weight, bias, padding=padding, **self._attrs)


class Conv2dQuant(WithWeights):
    """A convolution with quantised weights.

    Args:
        quant_config: What makes the observer of the weights, of `create_quant_config`.
        quant_dtype: The number of bits.
        earlier: `num_bits`, `per_channel`, `symmetric`, `narrow_range` and `quant_delay` of 1.0.

    The other arguments are those of `Conv2d`.

    Examples:
        >>> nn.Conv2dQuant(1, 4, 3)(ops.ones((2, 1, 5, 5))).shape
        (2, 4, 5, 5)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 weight_init: Any = "normal", bias_init: Any = "zeros", quant_config: Any = DEFAULT,
                 quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init)
        config, dtype = configured(self, quant_config, quant_dtype, earlier)
        self.fake_quant_weight = weight_observer(self, config, out_channels, dtype)

    @classmethod
    def from_float(cls, conv: Conv2d, quant_config: Any, quant_dtype: QuantDtype = QuantDtype.INT8) -> Conv2dQuant:
        """The layer with the arguments and weights of a `Conv2d`.

        Args:
            conv: The `Conv2d`.
            quant_config: What makes the observer.
            quant_dtype: The number of bits.
        """
        made = cls(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.pad_mode, conv.padding,
                   conv.dilation, conv.group, conv.has_bias, quant_config=quant_config, quant_dtype=quant_dtype)
        return with_weights(made, conv)

    def construct(self, x):
        return self.convolve(x, self.fake_quant_weight(self.weight), self.bias)

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, quant_delay={self.fake_quant_weight.quant_delay}"


class DenseQuant(Dense):
    """An affine map with quantised weights.

    Args:
        quant_config: What makes the observer of the weights, of `create_quant_config`.
        quant_dtype: The number of bits.
        earlier: `num_bits`, `per_channel`, `symmetric`, `narrow_range` and `quant_delay` of 1.0.

    The other arguments are those of `Dense`.

    Examples:
        >>> nn.DenseQuant(3, 4)(ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
                 has_bias: bool = True, activation: Any = None, quant_config: Any = DEFAULT,
                 quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        config, dtype = configured(self, quant_config, quant_dtype, earlier)
        self.fake_quant_weight = weight_observer(self, config, out_channels, dtype)

    @classmethod
    def from_float(cls, dense: Dense, quant_config: Any, quant_dtype: QuantDtype = QuantDtype.INT8) -> DenseQuant:
        """The layer with the arguments and weights of a `Dense`.

        Args:
            dense: The `Dense`.
            quant_config: What makes the observer.
            quant_dtype: The number of bits.
        """
        made = cls(dense.in_channels, dense.out_channels, has_bias=dense.has_bias, activation=dense.activation,
                   quant_config=quant_config, quant_dtype=quant_dtype)
        return with_weights(made, dense)

    def construct(self, x):
        y = dense(x, self.fake_quant_weight(self.weight), self.bias)
        return y if self.activation is None else self.activation(y)


class _QuantActivation(Cell):
    """What layers that quantise an activation share."""

    def get_origin(self) -> Any:
        """The activation itself."""
        raise NotImplementedError(f"'{self.cls_name}' must override 'get_origin'.")


class ActQuant(_QuantActivation):
    """An activation whose result is quantised.

    Args:
        activation: A name, a cell or a primitive.
        ema: Whether the range is a moving mean.
        ema_decay: The weight of the old range in it.
        fake_before: Whether the input is quantised, too.
        quant_config: What makes the observers, of `create_quant_config`.
        quant_dtype: The number of bits.
        earlier: `num_bits`, `per_channel`, `symmetric`, `narrow_range` and `quant_delay` of 1.0.

    Examples:
        >>> act = nn.ActQuant(nn.ReLU())
        >>> act(Tensor([-1.0, 3.0])).tolist()[0], type(act.get_origin()).__name__
        (0.0, 'ReLU')
    """

    def __init__(self, activation: Any, ema: bool = False, ema_decay: float = 0.999, fake_before: bool = False,
                 quant_config: Any = DEFAULT, quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__()
        quant_config, quant_dtype = configured(self, quant_config, quant_dtype, earlier)
        self.act = activation_of(self, activation)
        neg_trunc = isinstance(self.act, (ReLU, ReLU6))
        self.fake_before = check.boolean(self, "fake_before", fake_before)
        if fake_before:
            self.fake_quant_act_before = act_observer(self, quant_config, quant_dtype, ema, ema_decay)
        self.fake_quant_act = act_observer(self, quant_config, quant_dtype, ema, ema_decay, neg_trunc)

    def construct(self, x):
        if self.fake_before:
            x = self.fake_quant_act_before(x)
        return self.fake_quant_act(self.act(x))

    def get_origin(self) -> Any:
        """The activation itself."""
        return self.act


class _Combined(Cell):
    """A quantised result of two inputs."""

    def __init__(self, ema_decay: float = 0.999, quant_config: Any = DEFAULT,
                 quant_dtype: QuantDtype = QuantDtype.INT8, **earlier: Any):
        super().__init__()
        quant_config, quant_dtype = configured(self, quant_config, quant_dtype, earlier)
        self.fake_quant_act = act_observer(self, quant_config, quant_dtype, not learns(quant_config), ema_decay)


class TensorAddQuant(_Combined):
    """A quantised sum.

    Args:
        ema_decay: The weight of the old range in the moving mean.
        quant_config: What makes the observer, of `create_quant_config`.
        quant_dtype: The number of bits.
        earlier: `num_bits`, `per_channel`, `symmetric`, `narrow_range` and `quant_delay` of 1.0.

    Examples:
        >>> nn.TensorAddQuant()(Tensor([6.0]), Tensor([-6.0])).tolist()
        [0.0]
    """

    def construct(self, x1, x2):
        return self.fake_quant_act(x1 + x2)


class MulQuant(_Combined):
    """A quantised product.

    Args:
        ema_decay: The weight of the old range in the moving mean.
        quant_config: What makes the observer, of `create_quant_config`.
        quant_dtype: The number of bits.
        earlier: `num_bits`, `per_channel`, `symmetric`, `narrow_range` and `quant_delay` of 1.0.

    Examples:
        >>> nn.MulQuant()(Tensor([6.0]), Tensor([0.0])).tolist()
        [0.0]
    """

    def construct(self, x1, x2):
        return self.fake_quant_act(x1 * x2)


class QuantisedResult(Cell):
    """A function or cell whose result is quantised."""

    def __init__(self, inner: Any, quant_config: Any, quant_dtype: QuantDtype):
        super().__init__()
        self.inner = inner
        self.fake_quant_act = act_observer(self, quant_config, quant_dtype, not learns(quant_config), 0.9)

    def construct(self, *inputs):
        return self.fake_quant_act(self.inner(*inputs))


__all__ = ["ActQuant", "Conv2dQuant", "DenseQuant", "MulQuant", "TensorAddQuant"]
