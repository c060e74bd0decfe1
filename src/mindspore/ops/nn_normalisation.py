"""Normalisation functions and primitives of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter
from mindspore.eager.parameter import assign as set_parameter
from mindspore.operators import normalisation
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import axes_of
from mindspore.operators.structure import cast, full, transpose

from .arguments import tensor
from .primitive import composed


def _constant(shape: tuple[int, ...], value: float, like: Any) -> Any:
    return full(shape=shape, value=value, dtype=like.dtype)


def _variance(scale: Any, epsilon: float) -> Any:
    """The variance behind 1 / sqrt(variance + epsilon)."""
    return 1.0 / (scale * scale) - epsilon


# ---------------------------------------------------------------------- over the batch

def batch_norm(input_x: Any, running_mean: Any, running_var: Any, weight: Any, bias: Any,
               training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Any:
    """`input_x` (N, C, *) normalised per channel by the running or, in training, its own statistics.  Ioffe and
    Szegedy 2015.

    In training, running statistics that are parameters move by `momentum` towards those of the batch.

    Args:
        input_x: A floating-point tensor with two dimensions at least.
        running_mean, running_var: The running statistics (C,), tensors or parameters.
        weight, bias: The factors and summands of the channels (C,).
        training: Whether the statistics of the batch count.
        momentum: How far the running statistics move, in [0, 1].
        eps: What is added to variances.

    Returns:
        A tensor of the shape of `input_x`.

    Examples:
        >>> zeros, ones = ops.zeros((2,)), ops.ones((2,))
        >>> print(ops.batch_norm(Tensor([[1.0, 2.0]]), zeros, ones, ones, Tensor([5.0, 5.0])).asnumpy().round(3))
        [[6. 7.]]
    """
    return _batch_norm(input_x, weight, bias, running_mean, running_var, is_training=training,
                       epsilon=eps, momentum=momentum)[0]


@composed("BatchNorm(is_training=False, epsilon=1e-05, momentum=0.1, data_format='NCHW')"
          "(input_x, scale, bias, mean, variance)")
def _batch_norm(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, *, is_training: bool = False,
                epsilon: float = 1e-5, momentum: float = 0.1, data_format: str = "NCHW") -> Any:
    """`x` normalised per channel; and mean and variance that were used, twice."""
    owner = "BatchNorm"
    check.boolean(owner, "is_training", is_training)
    check.number(owner, "epsilon", epsilon, 0.0, 1.0, open_low=True)
    check.number(owner, "momentum", momentum, 0.0, 1.0)
    last = check.option(owner, "data_format", data_format, ("NCHW", "NHWC")) == "NHWC"
    if last:
        x = transpose(tensor(owner, "input_x", x), perm=(0, x.ndim - 1, *range(1, x.ndim - 1)))
    if is_training:
        y, own, factor, mean_now, variance_now = normalisation.batch_norm_train(
            x, scale, bias, mean, variance, momentum=momentum, epsilon=epsilon)
        _move(mean, mean_now)
        _move(variance, variance_now)
        used = (own, _variance(factor, epsilon))
    else:
        y = normalisation.batch_norm_infer(x, scale, bias, mean, variance, epsilon=epsilon)
        used = (mean * 1.0, variance * 1.0)
    if last:
        y = transpose(y, perm=(0, *range(2, x.ndim), 1))
    return y, *used, *used


def _move(statistic: Any, value: Any) -> None:
    if isinstance(statistic, Parameter):
        set_parameter(statistic, value)


# ---------------------------------------------------------------------- over trailing axes

def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None,
               eps: float = 1e-5) -> Any:
    """The input normalised over its trailing axes: (x - mean) / sqrt(variance + eps) * weight + bias.  Ba et al.
    2016.

    Args:
        input: A floating-point tensor.
        normalized_shape: The trailing extents, an int or a tuple of ints.
        weight, bias: Tensors of that shape. Default: ones and zeros.
        eps: What is added to the variance.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor, or the shape no ints.
        ValueError: If the shape does not fit.

    Examples:
        >>> print(ops.layer_norm(Tensor([[1.0, 3.0]]), (2,)).asnumpy().round(3))
        [[-1.  1.]]
    """
    owner = "layer_norm"
    x = tensor(owner, "input", input)
    if not isinstance(normalized_shape, (tuple, list, int)) or isinstance(normalized_shape, bool):
        raise check.fail(TypeError, owner, "normalized_shape", "an int or a tuple of ints", normalized_shape)
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if tuple(x.shape[-len(shape):]) != shape:
        raise ValueError(f"For '{owner}', the 'normalized_shape' must be trailing extents of the input "
                         f"{show(x)}, but got {shape}.")
    gamma = _constant(shape, 1.0, x) if weight is None else weight
    beta = _constant(shape, 0.0, x) if bias is None else bias
    return normalisation.layer_norm(x, gamma, beta, epsilon=eps)[0]


@composed("LayerNorm(begin_norm_axis=1, begin_params_axis=1, epsilon=1e-07)(input_x, gamma, beta)")
def _layer_norm(x: Any, gamma: Any, beta: Any, *, begin_norm_axis: int = 1, begin_params_axis: int = 1,
                epsilon: float = 1e-7) -> Any:
    """`x` normalised over its axes from `begin_norm_axis`; and mean and variance."""
    owner = "LayerNorm"
    check.number(owner, "epsilon", epsilon, 0.0, 1.0)
    rank = tensor(owner, "input_x", x).ndim
    first = check.integer(owner, "begin_norm_axis", begin_norm_axis, -1, rank - 1) % rank
    affine = check.integer(owner, "begin_params_axis", begin_params_axis, -1, rank - 1) % rank
    shape = tuple(x.shape[first:])
    if x.dtype.itemsize > 2:
        gamma, beta = [v if v.dtype is x.dtype else cast(v, dtype=x.dtype) for v in (gamma, beta)]
    if first == affine:
        y, mean, factor = normalisation.layer_norm(x, gamma, beta, epsilon=epsilon)
    else:
        y, mean, factor = normalisation.layer_norm(x, _constant(shape, 1.0, x), _constant(shape, 0.0, x),
                                                   epsilon=epsilon)
        if tuple(gamma.shape) != tuple(x.shape[affine:]) or tuple(beta.shape) != tuple(gamma.shape):
            raise ValueError(f"For '{owner}', 'gamma' and 'beta' must have the extents "
                             f"{tuple(x.shape[affine:])}, but got {show(gamma)} and {show(beta)}.")
        y = y * gamma + beta
    variance = _variance(factor, epsilon)
    if mean.dtype.kind == "f" and mean.dtype is not float32:
        mean, variance = cast(mean, dtype=float32), cast(variance, dtype=float32)
    return y, mean, variance


def rms_norm(x: Any, gamma: Any, epsilon: float = 1e-6) -> Any:
    """`x` over the root of its mean square along the axes of `gamma`, times gamma; and 1 / that root.

    Args:
        x: A floating-point tensor.
        gamma: A tensor whose shape is that of the trailing axes of `x`.
        epsilon: What is added to the mean square.

    Returns:
        The normalised tensor, and the reciprocal root with extents 1 along these axes.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> y, scale = ops.rms_norm(Tensor([[3.0, 4.0]]), ops.ones((2,)))
        >>> print(y.asnumpy().round(3), scale.shape)
        [[0.849 1.131]] (1, 1)
    """
    return normalisation.rms_norm(tensor("rms_norm", "x", x), gamma, epsilon=epsilon)


def add_rms_norm(x1: Any, x2: Any, gamma: Any, epsilon: float = 1e-6) -> Any:
    """`rms_norm` of x1 + x2, and the sum.

    Args:
        x1, x2: Floating-point tensors of one shape.
        gamma: A tensor whose shape is that of the trailing axes.
        epsilon: What is added to the mean square.

    Returns:
        The normalised sum, the reciprocal root, and the sum.

    Raises:
        TypeError: If `x1` is no tensor.

    Examples:
        >>> y, scale, total = ops.add_rms_norm(Tensor([[1.0, 4.0]]), Tensor([[2.0, 0.0]]), ops.ones((2,)))
        >>> total.tolist()
        [[3.0, 4.0]]
    """
    total = tensor("add_rms_norm", "x1", x1) + x2
    return *normalisation.rms_norm(total, gamma, epsilon=epsilon), total


def add_layer_norm(x1: Any, x2: Any, gamma: Any, beta: Any, epsilon: float = 1e-5,
                   additional_output: bool = False) -> Any:
    """Layer normalisation of x1 + x2; mean, 1 / sqrt(variance + epsilon), and the sum.

    The sum is returned with or without `additional_output`.

    Args:
        x1, x2: Floating-point tensors of one shape.
        gamma, beta: Tensors whose shape is that of the trailing axes.
        epsilon: What is added to the variance.
        additional_output: A bool; the sum is returned in either case.

    Returns:
        The normalised sum, the mean, the reciprocal root, and the sum.

    Raises:
        TypeError: If `x1` is no tensor, or the flag no bool.

    Examples:
        >>> x1, x2, ones = Tensor([[1.0, 4.0]]), Tensor([[2.0, 0.0]]), ops.ones((2,))
        >>> y, mean, scale, total = ops.add_layer_norm(x1, x2, ones, ones)
        >>> mean.tolist(), total.tolist()
        ([[3.5]], [[3.0, 4.0]])
    """
    total = tensor("add_layer_norm", "x1", x1) + x2
    check.boolean("add_layer_norm", "additional_output", additional_output)
    return *normalisation.layer_norm(total, gamma, beta, epsilon=epsilon), total


# ---------------------------------------------------------------------- over channels

def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """The input (N, C, *) normalised over each of `num_groups` groups of channels.  Wu and He 2018.

    Args:
        input: A floating-point tensor with two dimensions at least.
        num_groups: A positive int that divides C.
        weight, bias: Tensors (C,). Default: ones and zeros.
        eps: What is added to the variance.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has fewer dimensions.

    Examples:
        >>> print(ops.group_norm(Tensor([[1.0, 3.0, 2.0, 6.0]]), 2).asnumpy().round(3))
        [[-1.  1. -1.  1.]]
    """
    owner = "group_norm"
    x = tensor(owner, "input", input)
    check.positive_int(owner, "num_groups", num_groups)
    if x.ndim < 2:
        raise ValueError(f"For '{owner}', the input must have at least 2 dimensions, but got {show(x)}.")
    shape = (x.shape[1],)
    gamma = _constant(shape, 1.0, x) if weight is None else weight
    beta = _constant(shape, 0.0, x) if bias is None else bias
    return normalisation.group_norm(x, gamma, beta, groups=num_groups, epsilon=eps)[0]


def lrn(x: Any, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS") -> Any:
    """x / (bias + alpha * s)^beta, s the sum of squares over channels up to `depth_radius` away.

    Krizhevsky et al. 2012.

    Args:
        x: A floating-point tensor (N, C, H, W).
        depth_radius: How many channels on either side count.
        bias, alpha, beta: Numbers.
        norm_region: "ACROSS_CHANNELS".

    Returns:
        A tensor of the shape of `x`.

    Examples:
        >>> print(ops.lrn(Tensor([[[[1.0]], [[2.0]]]]), depth_radius=1, bias=0.0, beta=1.0).asnumpy().round(3))
        [[[[0.2]]
        <BLANKLINE>
          [[0.4]]]]
    """
    return _lrn(x, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, norm_region=norm_region)


@composed("LRN(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region='ACROSS_CHANNELS')(x)")
def _lrn(x: Any, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
         norm_region: str = "ACROSS_CHANNELS") -> Any:
    """x / (bias + alpha * s)^beta, s the sum of squares over neighbouring channels."""
    check.non_negative_int("LRN", "depth_radius", depth_radius)
    check.option("LRN", "norm_region", norm_region, ("ACROSS_CHANNELS",))
    for name, value in (("bias", bias), ("alpha", alpha), ("beta", beta)):
        check.number("LRN", name, value)
    if tensor("LRN", "x", x).ndim != 4:
        raise ValueError(f"For 'LRN', the input must be (N, C, H, W), but got {show(x)}.")
    near = normalisation.channel_sum(x * x, radius=depth_radius)
    return x * REGISTRY["Pow"](near * alpha + bias, -beta)


@composed("L2Normalize(axis=0, epsilon=0.0001)(input_x)")
def _l2_normalize(x: Any, *, axis: Any = 0, epsilon: float = 1e-4) -> Any:
    """x / sqrt(max(sum of squares along `axis`, epsilon))."""
    check.number("L2Normalize", "epsilon", epsilon)
    axes = axes_of(tuple(axis) if isinstance(axis, list) else axis,
                   tensor("L2Normalize", "input_x", x).ndim, "L2Normalize")
    total = REGISTRY["ReduceSum"](x * x, axis=axes, keep_dims=True)
    return x * REGISTRY["Rsqrt"](REGISTRY["Maximum"](total, epsilon))


__all__ = ["add_layer_norm", "add_rms_norm", "batch_norm", "group_norm", "layer_norm", "lrn", "rms_norm"]
