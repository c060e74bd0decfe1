"""More primitives that compute derivatives of others, as `_gradient_primitives` makes them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore.ops as ops

from . import _gradient_primitives, primitives
from ._gradient_primitives import by_place, classes, numbers, of_shape, pull_back, zeros
from .sparse_matrices import keys

PULLED = """
CdistGrad(p=2.0)(dout, x, y, distances) = Cdist(p)(x*, y)
Dilation2DBackpropFilter(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, dout) = \
Dilation2D(stride, dilation, pad_mode, data_format)(x, filter*)
Dilation2DBackpropInput(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, dout) = \
Dilation2D(stride, dilation, pad_mode, data_format)(x*, filter)
PdistGrad(p=2.0)(dout, x, distances) = Pdist(p)(x*)
"""


def _batch_norm(g: Any) -> Any:
    """With the mean and variance of the batch, or, where they were not measured, with those that are given."""
    channels = (1, -1) + (1,) * (g.x.ndim - 2) if g.data_format == "NCHW" else (-1,)
    axes = tuple([n for n in range(g.x.ndim) if n != (1 if g.data_format == "NCHW" else g.x.ndim - 1)])
    mean, spread, scale = [v.reshape(channels) for v in (g.saved_mean, g.saved_variance, g.scale)]
    slope = 1 / ops.sqrt(spread + g.epsilon)
    normal = (g.x - mean) * slope
    dscale, dbias = (g.dout * normal).sum(axes), g.dout.sum(axes)
    dx = g.dout * scale * slope
    if g.is_training:
        count = g.x.size / g.scale.size
        dx = dx - (dbias.reshape(channels) + normal * dscale.reshape(channels)) * scale * slope / count
    return dx, dscale, dbias


def _cholesky(g: Any) -> Any:
    """Of the lower triangle.  Murray 2016."""
    inner = ops.tril(g.x.swapaxes(-1, -2) @ ops.tril(g.dout))
    inner = inner - ops.tril(ops.triu(inner)) / 2
    inverse = ops.inverse(g.x)
    found = inverse.swapaxes(-1, -2) @ inner @ inverse
    return (found + found.swapaxes(-1, -2)) / 2


def _einsum(g: Any) -> Any:
    return tuple(pull_back(lambda *xs: primitives.Einsum(g.equation)(xs), g.dout, *g.x))


def _layer_norm(g: Any) -> Any:
    """The derivatives of those of `LayerNorm` for its input, the cotangent and the scale."""
    axes = tuple(range(g.begin_norm_axis % g.x.ndim, g.x.ndim))

    def first(x: Any, dy: Any, gamma: Any) -> Any:
        def norm(x: Any, gamma: Any, beta: Any) -> Any:
            mean = x.mean(axes, keep_dims=True)
            return (x - mean) / ops.sqrt(((x - mean) ** 2).mean(axes, keep_dims=True)) * gamma + beta
        return tuple(pull_back(norm, dy, x, gamma, ops.zeros_like(gamma)))
    return tuple(pull_back(first, (g.d_dx, g.d_dg, g.d_db), g.x, g.dy, g.gamma))


def _taken(gradient: str) -> Callable[[Any], Any]:
    """What a pooling takes of a tensor where it takes the greatest elements of another one."""
    def formula(g: Any) -> Any:
        run = getattr(_gradient_primitives, gradient)(g.kernel_size, g.strides, g.pad_mode)
        return pull_back(lambda d: run(g.x, g.out, d), g.dout, ops.zeros_like(g.out))
    return formula


def _chosen(greater: bool) -> Callable[[Any], Any]:
    def formula(g: Any) -> Any:
        found = ops.where(g.x >= g.y if greater else g.x <= g.y, g.dx, g.dy)
        return ops.zeros_like(g.x), ops.zeros_like(g.y), found
    return formula


def _median(g: Any) -> Any:
    if g.global_median:
        marks = (g.x == g.y).astype(g.x.dtype)
        return g.dout * marks / marks.sum()
    places, douts = [v if g.keep_dims else v.expand_dims(g.axis) for v in (g.indices, g.dout)]
    return ops.tensor_scatter_elements(ops.zeros_like(g.x), places, douts, g.axis, "add")


def _pad(g: Any) -> Any:
    pads = numbers(g.paddings)
    pads = pads if isinstance(pads, (list, tuple)) else [pads]
    if not g.paddings_contiguous:
        half = len(pads) // 2
        pads = [n for pair in zip(pads[:half], pads[half:], strict=True) for n in pair]
    shape = list(g.x.shape)
    for n in range(len(pads) // 2):
        shape[-1 - n] -= pads[2 * n] + pads[2 * n + 1]
    return pull_back(lambda x: primitives.PadV3(g.mode, g.paddings_contiguous)(x, g.paddings), g.x, zeros(g.x, shape))


def _rms_norm(g: Any) -> Any:
    normal, weighted = g.x * g.rstd, g.dout * g.gamma
    last = tuple(range(-g.gamma.ndim, 0))
    dx = (weighted - normal * (weighted * normal).mean(last, keep_dims=True)) * g.rstd
    return dx, (g.dout * normal).sum(tuple(range(g.x.ndim - g.gamma.ndim)))


def _segments(power: float) -> Callable[[Any], Any]:
    """Rows of the cotangent, each divided by how many elements its segment has to a power, at their places."""
    def formula(g: Any) -> Any:
        rows = g.dout[g.segment_ids]
        if power:
            counts = ops.unsorted_segment_sum(ops.ones_like(g.segment_ids), g.segment_ids, g.dout.shape[0])
            weight = counts[g.segment_ids].astype(g.dout.dtype) ** -power
            rows = rows * weight.reshape((-1,) + (1,) * (g.dout.ndim - 1))
        return ops.unsorted_segment_sum(rows, g.indices, numbers(g.output_dim0))
    return formula


def _slice(g: Any) -> Any:
    moved = g.new_indices + g.start
    extents = tuple([int(n) + 1 for n in ops.amax(ops.cat((g.indices, moved)), 0).tolist()])
    same = keys(g.indices, extents).expand_dims(1) == keys(moved, extents)
    return (same.astype(g.dout.dtype) * g.dout).sum(1)


def _unpooled(g: Any) -> Any:
    """The elements at the places that the values went to."""
    flat = g.dout.reshape(*g.x.shape[:2], -1)
    return ops.gather_elements(flat, 2, g.argmax.reshape(*g.x.shape[:2], -1)).reshape(g.x.shape)


def _average_3d(g: Any) -> Any:
    sizes = [v[-3:] if isinstance(v, (tuple, list)) else v for v in (g.kernel_size, g.strides)]
    run = primitives.AvgPool3D(*sizes, g.pad_mode, g.pads, g.ceil_mode, g.count_include_pad, g.divisor_override,
                               g.data_format)
    return of_shape(g.origin_input_shape, run)(g)


FORMULAS: dict[str, Callable[[Any], Any]] = {
    "AdaptiveMaxPool3DGrad()(dout, x, argmax)": lambda g: by_place(g.x.ndim - 3)(g),
    "AffineGridGrad(align_corners=False)(dout, x_size)": lambda g: of_shape(
        (g.dout.shape[0], g.dout.ndim - 2, g.dout.ndim - 1),
        lambda x: primitives.AffineGrid(g.align_corners)(x, g.x_size))(g),
    "AvgPool3DGrad(kernel_size=1, strides=1, pads=0, ceil_mode=False, count_include_pad=True, divisor_override=0, "
    "data_format='NCDHW', pad_mode='pad')(origin_input_shape, dout)": _average_3d,
    "BatchNormGrad(is_training=False, epsilon=1e-05, data_format='NCHW')"
    "(dout, x, scale, saved_mean, saved_variance, reserve=None)": _batch_norm,
    "CholeskyGrad()(x, dout)": _cholesky,
    "EinsumGrad(equation)(x, dout)": _einsum,
    "FractionalMaxPool3DGradWithFixedKsize(data_format='NCDHW')(x, dout, argmax)": by_place(2),
    "FractionalMaxPoolGradWithFixedKsize(data_format='NCHW')(x, dout, argmax)": by_place(2),
    "LayerNormGradGrad(begin_norm_axis=1, begin_params_axis=1)(x, dy, variance, mean, gamma, d_dx, d_dg, d_db)":
        _layer_norm,
    "MaxPool3DGradWithArgmax(ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format='NCDHW')"
    "(x, dout, argmax)": by_place(2),
    "MaxPoolGradGrad(kernel_size=1, strides=1, pad_mode='VALID')(x, out, dout)": _taken("MaxPoolGrad"),
    "MaxPool3DGradGrad(kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode='VALID', data_format='NCDHW')"
    "(x, out, dout)": _taken("MaxPool3DGrad"),
    "MaxPoolGradWithArgmaxV2(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=None)"
    "(x, dout, argmax)": by_place(2),
    "MaxUnpool2DGrad(ksize, strides=0, pads=0, output_shape=(), data_format='NCHW')(x, dout, argmax)": _unpooled,
    "MaxUnpool3DGrad(ksize, strides=0, pads=0, output_shape=(), data_format='NCDHW')(x, dout, argmax)": _unpooled,
    "MaximumGradGrad(grad_x=True, grad_y=True)(x, y, dx, dy)": _chosen(True),
    "MinimumGradGrad()(x, y, dx, dy)": _chosen(False),
    "MedianGrad(global_median=False, axis=0, keep_dims=False)(dout, x, y, indices)": _median,
    "MultilabelMarginLossGrad(reduction='mean')(dout, x, target, is_target)": lambda g: pull_back(
        lambda x: primitives.MultilabelMarginLoss(g.reduction)(x, g.target)[0], g.dout, g.x),
    "PadV3Grad(mode='reflect', paddings_contiguous=True)(x, paddings)": _pad,
    "ResizeBicubicGrad(align_corners=False, half_pixel_centers=False)(dout, image)": lambda g: of_shape(
        g.image.shape, lambda x: primitives.ResizeBicubic(g.align_corners, g.half_pixel_centers)(
            x, g.dout.shape[-2:]))(g),
    "ResizeLinear1DGrad(coordinate_transformation_mode='align_corners')(dout, x)": lambda g: of_shape(
        g.x.shape, lambda x: primitives.ResizeLinear1D(g.coordinate_transformation_mode)(x, g.dout.shape[-1:]))(g),
    "ResizeNearestNeighborV2Grad(align_corners=False, half_pixel_centers=False)(dout, size)": lambda g: of_shape(
        (*g.dout.shape[:2], *numbers(g.size)), lambda x: primitives.ResizeNearestNeighborV2(
            g.align_corners, g.half_pixel_centers)(x, g.dout.shape[-2:]))(g),
    "RmsNormGrad()(dout, x, rstd, gamma)": _rms_norm,
    "SparseFillEmptyRowsGrad()(reverse_index_map, grad_values)": lambda g: (
        g.grad_values[g.reverse_index_map], g.grad_values.sum() - g.grad_values[g.reverse_index_map].sum()),
    "SparseSegmentMeanGrad()(dout, indices, segment_ids, output_dim0)": _segments(1.0),
    "SparseSegmentSqrtNGrad()(dout, indices, segment_ids, output_dim0)": _segments(0.5),
    "SparseSegmentSumGrad()(dout, indices, segment_ids, output_dim0)": _segments(0.0),
    "SparseSliceGrad()(dout, indices, start, new_indices)": _slice,
    "UpsampleNearest3DGrad()(dout, input_size, output_size=None, scales=None)": lambda g: of_shape(
        g.input_size, lambda x: primitives.UpsampleNearest3D()(x, g.output_size, g.scales))(g),
    "UpsampleTrilinear3DGrad(align_corners=False)(dout, input_size, output_size=None, scales=None)": lambda g: of_shape(
        g.input_size, lambda x: primitives.UpsampleTrilinear3D(g.align_corners)(x, g.output_size, g.scales))(g),
}
_MADE = {cls.__name__: cls for cls in classes(PULLED, FORMULAS)}
globals().update(_MADE)
__all__ = list(_MADE)
