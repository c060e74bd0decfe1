"""Primitives of MindIR files that are derivatives of others: most are computed as the derivatives of these."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.ops import primitives as classes

Compute = Callable[..., Any]
Make = Callable[[dict[str, Any]], Compute]
_PAD_MODES = {0: "pad", 1: "same", 2: "valid"}


def reverse(function: Compute, inputs: tuple[Any, ...], dout: Any) -> Any:
    """The cotangents of the inputs of a function for that of its result, a tuple if there are several."""
    found = ops.vjp(function, *inputs)[1](dout)
    return found[0] if len(inputs) == 1 and isinstance(found, tuple) else found


def _backward(forward: Compute) -> Compute:
    """Of an operator of one tensor, from its cotangent and its input."""
    return lambda dout, x, *_: reverse(forward, (x,), dout)


# ---------------------------------------------------------------------- images

def pooling(make: Make, attrs: dict[str, Any]) -> Compute:
    """Of images whose maxima or means are taken, from images, results and cotangent."""
    forward = make(attrs)
    return lambda x, _, dout: reverse(forward, (x,), dout)


def of_images(make: Make, attrs: dict[str, Any]) -> Compute:
    """The cotangent of the images of a convolution, from that of the results, the weight and the images' shape."""
    forward = make(attrs)
    return lambda dout, w, shape: reverse(lambda x: forward(x, w), (ops.zeros(tuple(shape), dout.dtype),), dout)


def of_weights(make: Make, attrs: dict[str, Any]) -> Compute:
    """The cotangent of the weight of a convolution, from that of the results, the images and the weight's shape."""
    forward = make(attrs)
    return lambda dout, x, shape: reverse(lambda w: forward(x, w), (ops.zeros(tuple(shape), dout.dtype),), dout)


def _avg_pool_grad(x: Any, _: Any, dout: Any, window: Any, stride: Any, mode: Any, *_more: Any) -> Any:
    sizes = [tuple(v) if isinstance(v, (list, tuple)) else v for v in (window, stride)]
    return reverse(classes.AvgPool(*sizes, _PAD_MODES.get(mode, mode)), (x,), dout)


def _adaptive_avg_pool_grad(dout: Any, shape: Any) -> Any:
    size = tuple(dout.shape[-2:])
    shape = tuple([int(n) for n in shape])
    return reverse(lambda x: ops.adaptive_avg_pool2d(x, size), (ops.zeros(shape, dout.dtype),), dout)


# ---------------------------------------------------------------------- norms

def _batch_norm_grad(dout: Any, x: Any, gamma: Any, mean: Any, variance: Any, _: Any, training: Any, epsilon: Any,
                     *_more: Any) -> Any:
    """By the statistics of the batch, or by given ones."""
    axes, row = tuple([k for k in range(x.ndim) if k != 1]), (1, -1, *[1] * (x.ndim - 2))
    scale = ops.rsqrt(variance + epsilon)
    normal = (x - mean.reshape(row)) * scale.reshape(row)
    dgamma, dbeta = ops.sum(dout * normal, axes), ops.sum(dout, axes)
    if training:
        dout = dout - (dbeta.reshape(row) + normal * dgamma.reshape(row)) * (x.shape[1] / x.size)
    return dout * (gamma * scale).reshape(row), dgamma, dbeta


def layer_norm_grad(attrs: dict[str, Any]) -> Compute:
    """Of normalisation over trailing axes."""
    epsilon = float(attrs.get("epsilon", 1e-7))

    def run(x: Any, dout: Any, variance: Any, mean: Any, gamma: Any, first: Any, *_: Any) -> Any:
        axes = tuple(range(int(first) % x.ndim, x.ndim))
        scale = ops.rsqrt(variance + epsilon)
        normal = (x - mean) * scale
        lead = tuple(range(x.ndim - gamma.ndim))
        dgamma, dbeta = (ops.sum(v, lead) if lead else v for v in (dout * normal, dout))
        share = dout * gamma
        shift = ops.mean(share, axes, True) + normal * ops.mean(share * normal, axes, True)
        return (share - shift) * scale, dgamma, dbeta
    return run


def group_norm(x: Any, groups: Any, gamma: Any, beta: Any, epsilon: Any) -> Any:
    """Normalisation over groups of channels; also the means and 1 / sqrt(variance + epsilon) of the groups."""
    rows = x.reshape(x.shape[0], groups, -1)
    mean = ops.mean(rows, 2, True)
    scale = ops.rsqrt(ops.mean(ops.square(rows - mean), 2, True) + epsilon)
    row = (1, -1, *[1] * (x.ndim - 2))
    y = ((rows - mean) * scale).reshape(x.shape) * gamma.reshape(row) + beta.reshape(row)
    return y, mean.squeeze(2), scale.squeeze(2)


def _group_norm_grad(dout: Any, x: Any, mean: Any, scale: Any, gamma: Any, groups: Any, *_: Any) -> Any:
    axes, row = tuple([k for k in range(x.ndim) if k != 1]), (1, -1, *[1] * (x.ndim - 2))
    shape = (x.shape[0], groups, -1)
    normal = (x.reshape(shape) - mean.expand_dims(2)) * scale.expand_dims(2)
    share = (dout * gamma.reshape(row)).reshape(shape)
    shift = ops.mean(share, 2, True) + normal * ops.mean(share * normal, 2, True)
    dx = ((share - shift) * scale.expand_dims(2)).reshape(x.shape)
    return dx, ops.sum(dout * normal.reshape(x.shape), axes), ops.sum(dout, axes)


# ---------------------------------------------------------------------- elements

def _bias_grad(dout: Any, *_: Any) -> Any:
    """Of a bias along the second axis."""
    return ops.sum(dout, tuple([k for k in range(dout.ndim) if k != 1]))


def _elu_grad(dout: Any, y: Any, *_: Any) -> Any:
    """From the result: it is exp(x) - 1 where it is negative."""
    return ops.select(y > 0, dout, dout * (y + 1))


def _softmax_grad(dout: Any, y: Any, axis: Any = -1) -> Any:
    return y * (dout - ops.sum(dout * y, axis, True))


def _log_softmax_grad(y: Any, dout: Any, axis: Any = -1) -> Any:
    return dout - ops.exp(y) * ops.sum(dout, axis, True)


def strided_slice_grad(attrs: dict[str, Any]) -> Compute:
    """Of a slice: zeros of the shape that was sliced, with the cotangent in its place."""
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    slicing = classes.StridedSlice(*[int(attrs.get(name, 0)) for name in masks])

    def run(dout: Any, shape: Any, begin: Any, end: Any, strides: Any) -> Any:
        places = [tuple(v) for v in (begin, end, strides)]
        return reverse(lambda x: slicing(x, *places), (ops.zeros(tuple(shape), dout.dtype),), dout)
    return run


def _split_with_size(x: Any, sizes: Any, axis: Any = 0) -> Any:
    return ops.split(x, list(sizes), axis)


def _gather_d_grad(x: Any, axis: Any, index: Any, dout: Any) -> Any:
    return reverse(lambda v: ops.gather_elements(v, axis, index), (x,), dout)


def _prelu_grad(dout: Any, x: Any, weight: Any) -> Any:
    return reverse(ops.prelu, (x, weight), dout)


def _relu_grad(dy: Any, y: Any) -> Any:
    return ops.select(y > 0, dy, ops.zeros_like(dy))


def _gelu_grad(dout: Any, x: Any, *_: Any) -> Any:
    return reverse(functools.partial(ops.gelu, approximate="tanh"), (x,), dout)


FUNCTIONS: dict[str, Compute] = {
    "AvgPoolGrad": _avg_pool_grad, "AdaptiveAvgPool2DGrad": _adaptive_avg_pool_grad,
    "BatchNormGrad": _batch_norm_grad, "GroupNorm": group_norm, "GroupNormGrad": _group_norm_grad,
    "BiasAddGrad": _bias_grad, "EluGrad": _elu_grad, "ReluGrad": _relu_grad, "ReLUGrad": _relu_grad,
    "TanhGrad": lambda y, dy: dy * (1 - y * y), "SigmoidGrad": lambda y, dy: dy * y * (1 - y),
    "SoftmaxBackward": _softmax_grad, "LogSoftmaxGrad": _log_softmax_grad,
    "SplitWithSize": _split_with_size, "GatherDGradV2": _gather_d_grad, "PReLUGrad": _prelu_grad,
    "ZerosLikeExt": lambda x, *_: ops.zeros_like(x), "OnesLikeExt": lambda x, *_: ops.ones_like(x),
    "GeLUGrad": _gelu_grad, "SiLUGrad": _backward(ops.silu), "ReLU6Grad": _backward(ops.relu6),
    "HSwishGrad": _backward(ops.hardswish), "HSigmoidGrad": _backward(ops.hardsigmoid),
    "SoftplusGrad": lambda dout, x: dout * ops.sigmoid(x), "AtanGrad": lambda x, dout: dout / (1 + x * x),
    "SqrtGrad": lambda y, dout: dout * 0.5 / y, "RsqrtGrad": lambda y, dout: dout * -0.5 * y * y * y,
    "AsinGrad": lambda x, dout: dout * ops.rsqrt(1 - x * x), "ACosGrad": lambda x, dout: -dout * ops.rsqrt(1 - x * x),
    "ReciprocalGrad": lambda y, dout: -dout * y * y, "AbsGrad": lambda x, dout: dout * ops.sign(x),
}
