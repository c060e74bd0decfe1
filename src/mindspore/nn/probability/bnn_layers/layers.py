"""Dense layers and convolutions with weights that are drawn at every call."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators.convolution import convolution
from mindspore.operators.matmul import dense

from ...activation import activation_of
from ...cell import Cell
from ...convolution import Conv2d
from .weights import NormalPrior, normal_post_fn


class Variational(Cell):
    """A layer whose weights and bias have a distribution before and one after the data."""

    has_bias: bool

    def _distributions(self, shapes: dict[str, tuple[int, ...]], priors: Any, posteriors: Any) -> None:
        for (key, shape), prior, posterior in zip(shapes.items(), priors, posteriors, strict=True):
            setattr(self, f"{key}_prior", self._cell(f"{key}_prior_fn", prior))
            setattr(self, f"{key}_posterior", self._cell(f"{key}_posterior_fn", posterior, name="", shape=shape))
        self._kinds = tuple(shapes)

    def _cell(self, name: str, given: Any, /, **options: Any) -> Cell:
        """The distribution that an argument gives: a cell, or a function that makes one."""
        if isinstance(given, Cell):
            return given
        check.callable_(self, name, given)
        return check.instance(self, name, given(**options), Cell)

    def _drawn(self) -> tuple[Any, Any]:
        """A weight and a bias; None for no bias."""
        return self.weight_posterior("sample"), self.bias_posterior("sample") if self.has_bias else None

    def apply_variational_bias(self, inputs: Any) -> Any:
        """`inputs` with a drawn bias added along axis 1."""
        bias = self.bias_posterior("sample")
        return inputs + bias.reshape((-1,) + (1,) * (inputs.ndim - 2))

    def compute_kl_loss(self) -> Any:
        """The sum of KL(after || before) over all weights and biases."""
        found = 0.0
        for key in self._kinds:
            prior, posterior = getattr(self, f"{key}_prior"), getattr(self, f"{key}_posterior")
            kind = prior("get_dist_type")
            found = found + posterior("kl_loss", kind, *prior("get_dist_args")).sum()
        return found


class DenseReparam(Variational):
    """A dense layer whose weights are drawn at every call: `activation(x @ w.T + b)`.

    The gradient flows through the draws (Blundell et al. 2015, Kingma and Welling 2014).

    Args:
        in_channels: Length of the last axis of the input.
        out_channels: Length of the last axis of the output.
        activation: Applied to the result: a name, a cell or a primitive.
        has_bias: Whether there is a bias.
        weight_prior_fn, bias_prior_fn: The distribution before the data: a cell, or a function of no arguments that
            makes one.
        weight_posterior_fn, bias_posterior_fn: The distribution after the data, which is trained: a cell, or a
            function of `name` and `shape` that makes one.

    Inputs:
        x: (*, in_channels).

    Outputs:
        (*, out_channels).

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a length is not positive.

    Examples:
        >>> from mindspore.nn.probability import bnn_layers
        >>> layer = bnn_layers.DenseReparam(3, 2)
        >>> layer(ops.ones((4, 3))).shape, layer.compute_kl_loss().shape
        ((4, 2), ())
    """

    def __init__(self, in_channels: int, out_channels: int, activation: Any = None, has_bias: bool = True,
                 weight_prior_fn: Any = NormalPrior, weight_posterior_fn: Any = normal_post_fn,
                 bias_prior_fn: Any = NormalPrior, bias_posterior_fn: Any = normal_post_fn):
        super().__init__()
        self.in_channels = check.positive_int(self, "in_channels", in_channels)
        self.out_channels = check.positive_int(self, "out_channels", out_channels)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        shapes = {"weight": (out_channels, in_channels)} | ({"bias": (out_channels,)} if has_bias else {})
        self._distributions(shapes, (weight_prior_fn, bias_prior_fn)[:len(shapes)],
                            (weight_posterior_fn, bias_posterior_fn)[:len(shapes)])
        self.activation = activation_of(self, activation)

    def construct(self, x):
        y = self._affine(x)
        return y if self.activation is None else self.activation(y)

    def _affine(self, x: Any) -> Any:
        weight, bias = self._drawn()
        return dense(x, weight, bias)

    def extend_repr(self) -> str:
        return f"in_channels={self.in_channels}, out_channels={self.out_channels}, has_bias={self.has_bias}"


class DenseLocalReparam(DenseReparam):
    """A dense layer whose outputs are drawn for every row: the same distribution as `DenseReparam`'s, with gradients
    that vary less (Kingma, Salimans and Welling 2015).

    The posterior of the weights must have the attributes of `NormalPosterior`. Arguments, inputs and outputs are
    those of `DenseReparam`.

    Examples:
        >>> from mindspore.nn.probability import bnn_layers
        >>> bnn_layers.DenseLocalReparam(3, 2)(ops.ones((4, 3))).shape
        (4, 2)
    """

    def _affine(self, x: Any) -> Any:
        weights = self.weight_posterior
        bias = self.bias_posterior("sample") if self.has_bias else None
        mean = dense(x, weights.mean, bias)
        std = weights.std()
        spread = ops.sqrt(dense(x * x, std * std, None))
        return mean + spread * ops.standard_normal(mean.shape)


class ConvReparam(Variational):
    """A two-dimensional convolution whose weights are drawn at every call.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias: As in
            `nn.Conv2d`.
        weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn: As in `DenseReparam`.

    Inputs:
        x: (N, in_channels, H, W).

    Outputs:
        (N, out_channels, H', W').

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument has a value that `nn.Conv2d` refuses.

    Examples:
        >>> from mindspore.nn.probability import bnn_layers
        >>> bnn_layers.ConvReparam(3, 2, 3)(ops.ones((1, 3, 8, 8))).shape
        (1, 2, 8, 8)
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
                 pad_mode: str = "same", padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 weight_prior_fn: Any = NormalPrior, weight_posterior_fn: Any = normal_post_fn,
                 bias_prior_fn: Any = NormalPrior, bias_posterior_fn: Any = normal_post_fn):
        super().__init__()
        like = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias)
        for name in ("in_channels", "out_channels", "kernel_size", "stride", "pad_mode", "padding", "dilation",
                     "group", "has_bias"):
            setattr(self, name, getattr(like, name))
        self.__dict__["_like"] = like             # beside the cell: its own weight is not trained
        shapes = {"weight": like.weight.shape} | ({"bias": (out_channels,)} if has_bias else {})
        self._distributions(shapes, (weight_prior_fn, bias_prior_fn)[:len(shapes)],
                            (weight_posterior_fn, bias_posterior_fn)[:len(shapes)])

    def construct(self, x):
        like = self._like
        weight, bias = self._drawn()
        padding = like._same(tuple(x.shape[2:])) if like._fixed is None else like._fixed
        return convolution(x, weight, bias, padding=padding, **like._attrs)

    def extend_repr(self) -> str:
        names = ("in_channels", "out_channels", "kernel_size", "stride", "pad_mode", "padding", "dilation", "group",
                 "has_bias")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)
