"""Primitives that compute derivatives of others, `ReluGrad` and its kin, as programs find them in `_grad_ops`.

Most are a row that names the primitive they belong to: its cotangent is pulled back through it. Those that are given
the result in place of the input, or only a shape, have a formula.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import mindspore.ops as ops

from . import primitives
from .gradients import vjp
from .primitive import Primitive

# "name(settings)(inputs) = forward(settings)(inputs)": `dout` is the cotangent, and the inputs with a star are those
# whose derivatives are the result.
PULLED = """
ACosGrad()(x, dout) = ACos()(x*)
AbsGrad()(x, dout) = Abs()(x*)
AsinGrad()(x, dout) = Asin()(x*)
AtanGrad()(x, dout) = Atan()(x*)
AvgPoolGrad(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')(x, out, dout) = \
AvgPool(kernel_size, strides, pad_mode, data_format)(x*)
BinaryCrossEntropyGrad(reduction='mean')(input, target, dout, weight=None) = \
BinaryCrossEntropy(reduction)(input*, target, weight)
FastGeLUGrad()(dout, x) = FastGeLU()(x*)
GatherDGradV2()(x, dim, index, dout) = GatherD()(x*, dim, index)
GeLUGrad()(dout, x, out) = GeLU()(x*)
GridSampler2DGrad(interpolation_mode='bilinear', padding_mode='zeros', align_corners=False)(dout, input_x, grid) = \
GridSampler2D(interpolation_mode, padding_mode, align_corners)(input_x*, grid*)
GridSampler3DGrad(interpolation_mode='bilinear', padding_mode='zeros', align_corners=False)(dout, input_x, grid) = \
GridSampler3D(interpolation_mode, padding_mode, align_corners)(input_x*, grid*)
HShrinkGrad(lambd=0.5)(dout, features) = HShrink(lambd)(features*)
HSigmoidGrad()(dout, input_x) = HSigmoid()(input_x*)
HSwishGrad()(dout, x) = HSwish()(x*)
KLDivLossGrad(reduction='mean')(dout, x, target) = KLDivLoss(reduction)(x*, target)
L2NormalizeGrad(axis=0, epsilon=0.0001)(x, out, dout) = L2Normalize(axis, epsilon)(x*)
LRNGrad(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5)(dout, x, out) = LRN(depth_radius, bias, alpha, beta)(x*)
LogitGrad(eps=-1.0)(dout, input) = Logit(eps)(input*)
MaskedSelectGrad()(input, mask, dout) = MaskedSelect()(input*, mask)
MaxPool3DGrad(kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode='VALID', pad_list=0, \
data_format='NCDHW')(x, out, dout) = MaxPool3D(kernel_size, strides, pad_mode, pad_list, , data_format)(x*)
MaxPoolGrad(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')(x, out, dout) = \
MaxPool(kernel_size, strides, pad_mode, data_format)(x*)
MaximumGrad()(x, y, dout) = Maximum()(x*, y*)
MinimumGrad()(x1, x2, dout) = Minimum()(x1*, x2*)
MultiMarginLossGrad(p=1, margin=1.0, reduction='mean')(dout, x, target, weight=None) = \
MultiMarginLoss(p, margin, reduction)(x*, target, weight)
MvlgammaGrad(p)(dout, x) = Mvlgamma(p)(x*)
PReLUGrad()(dout, x, weight) = PReLU()(x*, weight*)
ReLU6Grad()(dout, x) = ReLU6()(x*)
ReluGrad()(dout, x) = ReLU()(x*)
SigmoidCrossEntropyWithLogitsGrad()(x, y, dout) = SigmoidCrossEntropyWithLogits()(x*, y)
SliceGrad()(dout, x, begin, size) = Slice()(x*, begin, size)
SmoothL1LossGrad(beta=1.0, reduction='none')(prediction, target, dout) = \
SmoothL1Loss(beta, reduction)(prediction*, target)
SoftMarginLossGrad(reduction='mean')(predict, label, dout) = SoftMarginLoss(reduction)(predict*, label)
SoftShrinkGrad(lambd=0.5)(dout, input_x) = SoftShrink(lambd)(input_x*)
SoftplusGrad()(dout, features) = Softplus()(features*)
"""

# ---------------------------------------------------------------------- of the result, or of a shape

def _softmax(g: Any) -> Any:
    products = g.dout * g.out
    return products - g.out * products.sum(-1, keepdims=True)


def _log_softmax(g: Any) -> Any:
    return g.dout - ops.exp(g.logits) * g.dout.sum(g.axis, keepdims=True)


def _layer_norm(g: Any) -> Any:
    """With the mean and the variance of the rows, which are not computed again."""
    rows = tuple(range(g.begin_norm_axis % g.x.ndim, g.x.ndim))
    columns = tuple(range(g.begin_params_axis % g.x.ndim))
    slope = 1 / ops.sqrt(g.variance + _TINY)
    normal, weighted = (g.x - g.mean) * slope, g.dout * g.gamma
    dx = weighted - weighted.mean(rows, keep_dims=True) - normal * (weighted * normal).mean(rows, keep_dims=True)
    return dx * slope, (g.dout * normal).sum(columns), g.dout.sum(columns)


_TINY = 1e-12        # what the original adds to the variance


def _nll_loss(g: Any) -> Any:
    mean = g.reduction == "mean"
    run = primitives.NLLLoss("sum" if mean else g.reduction, g.ignore_index)
    dout = g.dout / g.total_weight if mean else g.dout
    return pull_back(lambda logits: run(logits, g.labels, g.weight)[0], dout, g.logits)


def _convolution(g: Any) -> Any:
    run = primitives.Conv2D(g.out_channel, g.kernel_size, g.mode, g.pad_mode, g.pad, g.stride, g.dilation, g.group,
                            g.data_format)
    return pull_back(lambda weight: run(g.x, weight), g.dout, zeros(g.dout, g.filter_sizes))


def _convolution_3d(g: Any) -> Any:
    stride, dilation = [v[-3:] if isinstance(v, tuple) else v for v in (g.stride, g.dilation)]    # of all five axes
    run = primitives.Conv3D(g.out_channel, g.kernel_size, g.mode, g.pad_mode, g.pad, stride, dilation, g.group,
                            g.data_format)
    return pull_back(lambda weight: run(g.x, weight), g.dout, zeros(g.dout, g.filter_size))


def _bias(g: Any) -> Any:
    last = g.data_format == "NHWC" or g.dout.ndim == 2
    return g.dout.sum(tuple([n for n in range(g.dout.ndim) if n != (g.dout.ndim - 1 if last else 1)]))


def _strided_slice(g: Any) -> Any:
    run = primitives.StridedSlice(g.begin_mask, g.end_mask, g.ellipsis_mask, g.new_axis_mask, g.shrink_axis_mask)
    return of_shape(g.shapex, lambda x: run(x, g.begin, g.end, g.strides))(g)


def _mirror_pad(g: Any) -> Any:
    pads = [tuple(row) for row in numbers(g.paddings)]
    shape = [n - sum(pair) for n, pair in zip(g.dout.shape, pads, strict=True)]
    return of_shape(shape, lambda x: primitives.MirrorPad(g.mode)(x, g.paddings))(g)


def of_shape(shape: Any, forward: Callable[..., Any]) -> Callable[[Any], Any]:
    """The derivative of a linear function, for which the shape of its argument is enough."""
    return lambda g: pull_back(forward, g.dout, zeros(g.dout, shape))


def zeros(like: Any, shape: Any) -> Any:
    return ops.zeros(tuple(numbers(shape)), like.dtype)


def numbers(value: Any) -> Any:
    """Extents, given as a tensor or as a tuple."""
    return value.tolist() if ops.is_tensor(value) else value


def by_place(whole: int) -> Callable[[Any], Any]:
    """Each cotangent added where the index of the greatest element says, counted over all but the first dimensions."""
    def formula(g: Any) -> Any:
        flat, places = [v.reshape(*g.x.shape[:whole], -1) for v in (g.x, g.argmax)]
        douts = g.dout.reshape(places.shape)
        return ops.tensor_scatter_elements(ops.zeros_like(flat), places, douts, whole, "add").reshape(g.x.shape)
    return formula


FORMULAS: dict[str, Callable[[Any], Any]] = {
    "AcoshGrad()(out, dout)": lambda g: g.dout / ops.sinh(g.out),
    "AdaptiveAvgPool2DGrad()(dout, orig_input_shape)": lambda g: of_shape(
        g.orig_input_shape, lambda x: ops.adaptive_avg_pool2d(x, g.dout.shape[-2:]))(g),
    "AdaptiveAvgPool3DGrad()(dout, orig_input_shape)": lambda g: of_shape(
        g.orig_input_shape, lambda x: ops.adaptive_avg_pool3d(x, g.dout.shape[-3:]))(g),
    "AdaptiveMaxPool2DGrad()(dout, x, argmax)": by_place(2),
    "AsinhGrad()(out, dout)": lambda g: g.dout / ops.cosh(g.out),
    "BiasAddGrad(data_format='NCHW')(dout)": _bias,
    "Conv2DBackpropFilter(out_channel, kernel_size, pad_mode='valid', pad=0, pad_list=(0, 0, 0, 0), mode=1, "
    "stride=(1, 1), dilation=(1, 1, 1, 1), group=1, data_format='NCHW')(dout, x, filter_sizes)": _convolution,
    "Conv3DBackpropFilter(out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=(1, 1, 1, 1, 1), "
    "dilation=(1, 1, 1, 1, 1), group=1, data_format='NCDHW')(x, dout, filter_size)": _convolution_3d,
    "DropoutGrad(keep_prob=0.5)(dout, mask)": lambda g: g.dout * g.mask / g.keep_prob,
    "EluGrad()(dout, out)": lambda g: ops.where(g.out > 0, g.dout, g.dout * (g.out + 1)),
    "FlattenGrad()(dout, shape)": lambda g: g.dout.reshape(tuple(numbers(g.shape))),
    "GluGrad(axis)(dout, x)": lambda g: pull_back(lambda x: ops.glu(x, g.axis), g.dout, g.x),
    "InvGrad()(out, dout)": lambda g: -g.dout * g.out * g.out,
    "LayerNormGrad(begin_norm_axis=1, begin_params_axis=1)(x, dout, variance, mean, gamma)": _layer_norm,
    "LogSoftmaxGrad(axis=-1)(logits, dout)": _log_softmax,
    "MaxPoolGradWithArgmax(kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW')(x, dout, argmax)":
        by_place(1),
    "MirrorPadGrad(mode='REFLECT')(dout, paddings)": _mirror_pad,
    "NLLLossGrad(reduction='mean', ignore_index=-100)(logits, dout, labels, weight, total_weight)": _nll_loss,
    "ROIAlignGrad(pooled_height, pooled_width, spatial_scale, sample_num=2)(dout, rois, xdiff_shape)":
        lambda g: of_shape(g.xdiff_shape, lambda x: primitives.ROIAlign(
            g.pooled_height, g.pooled_width, g.spatial_scale, g.sample_num)(x, g.rois))(g),
    "ReciprocalGrad()(out, dout)": lambda g: -g.dout * g.out * g.out,
    "ResizeBilinearGrad(align_corners=False, half_pixel_centers=False)(dout, image)": lambda g: of_shape(
        g.image.shape, lambda x: primitives.ResizeBilinearV2(g.align_corners, g.half_pixel_centers)(
            x, g.dout.shape[-2:]))(g),
    "ResizeNearestNeighborGrad(align_corners=False)(dout, size)": lambda g: of_shape(
        (*g.dout.shape[:2], *numbers(g.size)),
        lambda x: primitives.ResizeNearestNeighbor(g.dout.shape[-2:], g.align_corners)(x))(g),
    "RsqrtGrad()(out, dout)": lambda g: -0.5 * g.dout * g.out**3,
    "SeluGrad()(dout, out)": lambda g: ops.where(g.out > 0, g.dout * _SELU[0], g.dout * (g.out + _SELU[0] * _SELU[1])),
    "SiLUGrad()(dout, x)": lambda g: pull_back(ops.silu, g.dout, g.x),
    "SigmoidGrad()(out, dout)": lambda g: g.dout * g.out * (1 - g.out),
    "SoftmaxGrad()(out, dout)": _softmax,
    "SqrtGrad()(out, dout)": lambda g: 0.5 * g.dout / g.out,
    "StridedSliceGrad(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)"
    "(dout, shapex, begin, end, strides)": _strided_slice,
    "TanhGrad()(out, dout)": lambda g: g.dout * (1 - g.out * g.out),
    "TraceGrad()(dout, x_shape)": lambda g: g.dout * ops.eye(*numbers(g.x_shape), g.dout.dtype),
}
_SELU = (1.0507009873554805, 1.6732632423543772)       # scale and alpha.  Klambauer et al. 2017


# ---------------------------------------------------------------------- classes

class GradientPrimitive(Primitive):
    """A primitive with a formula of its settings and inputs."""

    formula: Callable[[Any], Any]
    settings: inspect.Signature
    inputs: inspect.Signature

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(type(self).__name__)
        bound = self.settings.bind(*args, **kwargs)
        bound.apply_defaults()
        self.keep(**bound.arguments)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self.inputs.bind(*args, **kwargs)
        bound.apply_defaults()
        return type(self).formula(SimpleNamespace(**bound.arguments, **self.given))


def pull_back(forward: Callable[..., Any], dout: Any, *at: Any) -> Any:
    """The cotangents of the arguments of a function; a single one without a tuple."""
    found = vjp(forward, *at)[1](dout)
    return found[0] if len(found) == 1 else found


def _pulled(forward: str) -> Callable[[Any], Any]:
    """The formula of a row: what its right side, such as "GatherD()(x*, dim, index)", pulls back."""
    name, settings, inputs = [part.strip(")") for part in forward.split("(")]
    taken = inputs.split(", ")
    wanted = [n[:-1] for n in taken if n.endswith("*")]

    def formula(g: Any) -> Any:
        run = getattr(primitives, name)(*[vars(g)[s] if s else None for s in settings.split(", ") if settings])

        def at(*values: Any) -> Any:
            given = vars(g) | dict(zip(wanted, values, strict=True))
            return run(*[given[n.rstrip("*")] for n in taken])
        return pull_back(at, g.dout, *[vars(g)[n] for n in wanted])
    return formula


def classes(pulled: str, formulas: dict[str, Callable[[Any], Any]]) -> Iterator[type[GradientPrimitive]]:
    """The primitives of rows and of formulas."""
    rows = {spec: forward for spec, _, forward in (line.partition(" = ") for line in pulled.strip().splitlines())}
    for spec, formula in {**{s: _pulled(forward) for s, forward in rows.items()}, **formulas}.items():
        name, _, rest = spec.partition("(")
        settings, inputs = rest[:-1].split(")(")
        yield type(name, (GradientPrimitive,), {
            "__doc__": f"`{spec}`: the derivative of the primitive of that name, times `dout`.", "__module__": __name__,
            "formula": formula, "settings": _signature(settings), "inputs": _signature(inputs),
            "__signature__": _signature(settings)})


def _signature(parameters: str) -> inspect.Signature:
    return inspect.signature(eval(f"lambda {parameters}: None"))    # of the rows above


_MADE = {cls.__name__: cls for cls in classes(PULLED, FORMULAS)}
globals().update(_MADE)
__all__ = list(_MADE)
