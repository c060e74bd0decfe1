"""Normalisation over the batch, over layers, groups, channels and roots of mean squares."""
from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, float32
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import loops
from .exported import Exported
from .im2col_convolution import planes, samples_innermost
from .labels import mirrored, rank_of
from .loops import Element
from .registry import aval_of, operator
from .rules import floating, in_one_type
from .structure import cast
from .torch_private import batch_norm_backward, linalg, nn
from .torch_reverse import tracked
from .traits import STRICT
from .values import Value

aten = torch.ops.aten
_ALL = [True, True, True]

# ---------------------------------------------------------------------- over the batch


def _channels(name: str, x: Aval, *vectors: Aval) -> None:
    floating(name)(x)
    if len(x.shape) < 2:
        raise ValueError(f"For '{name}', the input must have at least 2 dimensions (N, C, *), but got {show(x)}.")
    for v in vectors:
        if v.shape != (x.shape[1],):
            raise ValueError(f"For '{name}', scale, shift, mean and variance must have the shape "
                             f"({x.shape[1]},) for the input {show(x)}, but got {show(v)}.")


def _matching(x: torch.Tensor, *vectors: torch.Tensor) -> None:
    """What torch's kernels, called below their checks, must not be given."""
    channels = x.shape[1:2]
    for v in vectors:
        if v.shape != channels:
            raise ValueError(f"For 'BatchNorm', scale, shift, mean and variance must have the shape "
                             f"{tuple(channels)} for the input {tuple(x.shape)}, but got {tuple(v.shape)}.")


_LARGE = 1 << 17           # elements from which the statistics are computed by vector kernels


def _last(count: int, text: str) -> str:
    """Labels: {0} of the last dimensions, which stay whole, {1} of their extents 1 in a moment."""
    return text.format(" ".join([f"g{i}!" for i in range(count)]), " ".join(["1"] * count))


@operator(hidden=True, samples=[], dims="n! c ...!, c, c, c, c -> n! c ...!, c, c, c, c", traits={STRICT})
@in_one_type(0, 1, 1, 3, 4)
def batch_norm_train(x: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, variance: Tensor, *, momentum: float = 0.1,
                     epsilon: float = 1e-5):
    """`x` (N, C, *) normalised per channel by its own statistics, then gamma * x + beta.

    Also returns the mean and 1 / sqrt(variance + epsilon) that were used, and the moving mean and
    (unbiased) variance: (1 - momentum) * old + momentum * new.  Ioffe, Szegedy 2015.
    """
    _matching(x, gamma, beta, mean, variance)
    if x.numel() == x.shape[1]:
        raise ValueError(f"For 'BatchNorm', training needs more than one element per channel, but got {tuple(x.shape)}")
    if samples_innermost(x):
        given = _one_image(x), gamma, beta, mean, variance
        y, *others = batch_norm_train.kernel(*given, momentum=momentum, epsilon=epsilon)
        return _images(y, x), *others
    if x.numel() >= _LARGE and x.device.type == "cpu" and x.dtype is torch.float32 and x.dim() > 2:
        found = _by_moments(x, gamma, beta, mean, variance, momentum, epsilon)
        if found is not None:
            return found
    mean, variance = mean.clone(), variance.clone()
    y, saved_mean, saved_scale = torch.native_batch_norm(x, gamma, beta, mean, variance, True, momentum, epsilon)
    return y, saved_mean, saved_scale, mean, variance


def _one_image(x: torch.Tensor) -> torch.Tensor:
    """Images (N, C, H, W) with the samples innermost as one of shape (C, H * W * N): the statistics are the same."""
    return planes(x).view(1, x.shape[1], -1)


def _images(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """One such image as the images that it was made of, which have the shape of `x`."""
    n, c, h, w = x.shape
    return y.view(c, h, w, n).permute(3, 0, 1, 2)


def _by_moments(x: torch.Tensor, gamma: Any, beta: Any, mean: torch.Tensor, variance: torch.Tensor,
                momentum: float, epsilon: float) -> Any:
    """The same from sums and sums of squares, which torch vectorises; None if they would cancel."""
    rows = x.flatten(2)
    n = rows.shape[0] * rows.shape[2]
    if rows.shape[2] < 16 or not rows.is_contiguous():
        return None
    own = rows.sum(2).sum(0).div_(n)
    square = own * own
    spread = linalg.vector_norm(rows, 2, 2).square_().sum(0).div_(n).sub_(square)
    if not bool((square <= spread * 16.0).all()):
        return None
    y = torch.native_batch_norm(x, gamma, beta, own, spread, False, 0.0, epsilon)[0]
    return (y, own, (spread + epsilon).rsqrt_(), torch.lerp(mean, own, momentum),
            torch.lerp(variance, spread.mul_(n / (n - 1)), momentum))


@batch_norm_train.shape
def _(x: Aval, gamma: Aval, beta: Aval, mean: Aval, variance: Aval, *, momentum: float = 0.1, epsilon: float = 1e-5):
    _channels("BatchNorm", x, gamma, beta, mean, variance)
    if prod(x.shape) == x.shape[1]:
        raise ValueError(f"For 'BatchNorm', training needs more than one element per channel, but got {show(x)}.")
    return x, gamma, gamma, mean, variance


@batch_norm_train.grad(needs="x gamma out")
def _(x: Value, gamma: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, momentum: float = 0.1,
      epsilon: float = 1e-5):
    """The statistics are not differentiated."""
    if dout[0] is None:
        return None, None, None, None, None
    dx, dgamma, dbeta = batch_norm_grad(dout[0], x, gamma, out[1], out[2], epsilon=epsilon)
    return dx, dgamma, dbeta, None, None


@operator(hidden=True, grad="torch", samples=[], dims="n! c ...!, n! c ...!, c, c, c -> n! c ...!, c, c")
@in_one_type(1, 2, 2)
def batch_norm_grad(dout: Tensor, x: Tensor, gamma: Tensor, mean: Tensor, scale: Tensor, *, epsilon: float = 1e-5):
    """The cotangents of input, scale and shift of batch normalisation by its own statistics.

    Its own derivative, which is torch's, takes them as functions of the input.
    """
    if samples_innermost(x):
        dx, *others = batch_norm_grad.kernel(_one_image(dout), _one_image(x), gamma, mean, scale, epsilon=epsilon)
        return _images(dx, x), *others
    own = mean.detach(), scale.detach()
    return batch_norm_backward(dout, x, gamma, None, None, *own, True, epsilon, _ALL)


@batch_norm_grad.shape
def _(dout: Aval, x: Aval, gamma: Aval, mean: Aval, scale: Aval, *, epsilon: float = 1e-5):
    return x, gamma, gamma


@operator(hidden=True, samples=[], dims="n c ..., c, c, c, c -> n c ...", traits={STRICT})
@in_one_type(0)
def batch_norm_infer(x: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, variance: Tensor, *, epsilon: float = 1e-5):
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta per channel of `x` (N, C, *)."""
    _matching(x, gamma, beta, mean, variance)
    if samples_innermost(x):
        return _images(batch_norm_infer.kernel(_one_image(x), gamma, beta, mean, variance, epsilon=epsilon), x)
    return torch.native_batch_norm(x, gamma, beta, mean, variance, False, 0.0, epsilon)[0]


@batch_norm_infer.shape
def _(x: Aval, gamma: Aval, beta: Aval, mean: Aval, variance: Aval, *, epsilon: float = 1e-5) -> Aval:
    _channels("BatchNorm", x, gamma, beta, mean, variance)
    return x


@batch_norm_infer.onnx
def _(g: Exported, x: str, gamma: str, beta: str, mean: str, variance: str, *, epsilon: float = 1e-5):
    return g.add("BatchNormalization", x, gamma, beta, mean, variance, epsilon=epsilon)


@batch_norm_infer.grad(needs="x gamma mean variance")
def _(x: Value, gamma: Value, mean: Value, variance: Value, dout: Value, *, epsilon: float = 1e-5):
    return batch_norm_infer_grad(dout, x, gamma, mean, variance, epsilon=epsilon)


@operator(hidden=True, grad="torch", samples=[], dims="n c ..., n c ..., c, c, c -> n c ..., c, c, c, c")
@in_one_type(1, 2, 2, 3, 4)
def batch_norm_infer_grad(dout: Tensor, x: Tensor, gamma: Tensor, mean: Tensor, variance: Tensor, *,
                          epsilon: float = 1e-5):
    """The cotangents of the five operands of batch normalisation by given statistics."""
    empty = mean.new_empty(0)
    given = dout, x, gamma, mean, variance, empty, empty
    dx, dgamma, dbeta = batch_norm_backward(*given, False, epsilon, _ALL)
    scale = (variance + epsilon).rsqrt()
    return dx, dgamma, dbeta, -dbeta * gamma * scale, dgamma * gamma * scale * scale * -0.5


@batch_norm_infer_grad.shape
def _(dout: Aval, x: Aval, gamma: Aval, mean: Aval, variance: Aval, *, epsilon: float = 1e-5):
    return x, gamma, gamma, mean, variance


# ---------------------------------------------------------------------- over trailing axes

def _wide(dtype: DType) -> DType:
    return dtype if dtype.itemsize > 2 else float32


@operator(hidden=True, samples=[],
          dims=lambda x, gamma, beta, epsilon=1e-5: (
              _last(rank_of(gamma), "... {0}, {0}, {0} -> ... {0}, ... {1}, ... {1}")))
def layer_norm(x: Tensor, gamma: Tensor, beta: Tensor, *, epsilon: float = 1e-5):
    """`x` normalised over its trailing axes, those of `gamma`, then gamma * x + beta.

    Also returns the mean and 1 / sqrt(variance + epsilon).  Ba, Kiros, Hinton 2016.
    """
    return torch.native_layer_norm(x, gamma.shape, gamma, beta, epsilon)


@layer_norm.shape
def _(x: Aval, gamma: Aval, beta: Aval, *, epsilon: float = 1e-5):
    floating("LayerNorm")(x)
    n = len(gamma.shape)
    if not n or x.shape[-n:] != gamma.shape or beta.shape != gamma.shape:
        raise ValueError(f"For 'LayerNorm', 'gamma' and 'beta' must have the trailing extents of the "
                         f"input {show(x)}, but got {show(gamma)} and {show(beta)}.")
    if gamma.dtype is not x.dtype and x.dtype.itemsize > 2:
        raise TypeError(f"For 'LayerNorm', the input and 'gamma' must have the same dtype, but got "
                        f"{show(x)} and {show(gamma)}.")
    moment = Aval((*x.shape[:-n], *[1] * n), x.dtype if gamma.dtype is x.dtype else gamma.dtype)
    return x, moment, moment


@layer_norm.loop
def _(x: Element, gamma: Element, beta: Element, *, epsilon: float):
    axes = range(-len(gamma.shape), 0)
    mean = loops.mean(x, axes)
    centred = x - mean
    scale = loops.rsqrt(loops.mean(centred * centred, axes) + epsilon)
    return centred * scale * gamma + beta, mean, scale



@layer_norm.onnx
def _(g: Exported, x: str, gamma: str, beta: str, *, epsilon: float = 1e-5):
    return g.add("LayerNormalization", x, gamma, beta, axis=-len(g.avals[gamma].shape), epsilon=epsilon, results=3)


@layer_norm.grad(needs="x gamma beta out")
def _(x: Value, gamma: Value, beta: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *,
      epsilon: float = 1e-5):
    """The statistics are not differentiated."""
    if dout[0] is None:
        return None, None, None
    return layer_norm_grad(dout[0], x, gamma, beta, out[1], out[2])


@operator(hidden=True, grad="torch", samples=[],
          dims=mirrored(layer_norm, "out0 x gamma beta out1 out2 -> x gamma beta"))
def layer_norm_grad(dout: Tensor, x: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, scale: Tensor):
    """The cotangents of input, scale and shift of `LayerNorm`; see `batch_norm_grad`."""
    mean, scale = mean.detach().contiguous(), scale.detach().contiguous()      # of others torch reads wrong rows
    return aten.native_layer_norm_backward.default(dout, x, gamma.shape, mean, scale,
                                                   gamma, beta, _ALL)


@layer_norm_grad.shape
def _(dout: Aval, x: Aval, gamma: Aval, beta: Aval, mean: Aval, scale: Aval):
    return x, gamma, beta


@layer_norm_grad.loop
def _(dout: Element, x: Element, gamma: Element, beta: Element, mean: Element, scale: Element):
    axes, lead = range(-len(gamma.shape), 0), range(len(x.shape) - len(gamma.shape))
    normal, d = (x - mean) * scale, dout * gamma
    dx = (d - loops.mean(d, axes) - normal * loops.mean(d * normal, axes)) * scale
    return (dx, loops.shaped(loops.total(dout * normal, lead), gamma.shape),
            loops.shaped(loops.total(dout, lead), beta.shape))



def _need_gamma(x: Aval, gamma: Aval) -> None:
    floating("RmsNorm")(x)
    if not gamma.shape or x.shape[-len(gamma.shape):] != gamma.shape:
        raise ValueError(f"For 'RmsNorm', 'gamma' must have the trailing extents of the input {show(x)}, "
                         f"but got {show(gamma)}.")


@operator(primitive="RmsNorm(epsilon=1e-6)(x, gamma)", samples=[((4, 3, 6), (6,))],
          dims=lambda x, gamma, epsilon=1e-6: _last(rank_of(gamma), "... {0}, {0} -> ... {0}, ... {1}"))
def rms_norm(x: Tensor, gamma: Tensor, *, epsilon: float = 1e-6):
    """`x` over the root of its mean square along the last axes, times gamma; and 1 / that root.

    Zhang, Sennrich 2019.
    """
    if not gamma.dim() or not x.is_floating_point():
        _need_gamma(aval_of(x), aval_of(gamma))
    axes = tuple(range(-gamma.dim(), 0))
    wide = x if x.dtype.itemsize > 2 else x.float()
    scale = (wide.square().mean(axes, keepdim=True) + epsilon).rsqrt()
    return (wide * scale * gamma).to(x.dtype), scale


@rms_norm.shape
def _(x: Aval, gamma: Aval, *, epsilon: float = 1e-6):
    _need_gamma(x, gamma)
    n = len(gamma.shape)
    return x, Aval((*x.shape[:-n], *[1] * n), _wide(x.dtype))


@rms_norm.grad(needs="x gamma out")
def _(x: Value, gamma: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, epsilon: float = 1e-6):
    dy, dscale = dout
    dx, dgamma = (None, None) if dy is None else rms_norm_grad(dy, x, gamma, out[1])
    if dscale is not None:
        scale = out[1]
        through = cast(x * (dscale * scale * scale * scale * (-1.0 / prod(gamma.shape))), dtype=x.dtype)
        dx = through if dx is None else dx + through
    return dx, dgamma


@operator(hidden=True, samples=[], grad="torch", dims=mirrored(rms_norm, "out0 x gamma out1 -> x gamma"))
def rms_norm_grad(dout: Tensor, x: Tensor, gamma: Tensor, scale: Tensor):
    """The cotangents of input and gamma of `RmsNorm`."""
    axes = tuple(range(-gamma.dim(), 0))
    lead = tuple(range(x.dim() - gamma.dim()))
    unit = x * scale
    d = dout * gamma
    dx = (d - unit * (d * unit).mean(axes, keepdim=True)) * scale
    dgamma = dout * unit
    return dx.to(x.dtype), (dgamma.sum(lead) if lead else dgamma).to(gamma.dtype)


@rms_norm_grad.shape
def _(dout: Aval, x: Aval, gamma: Aval, scale: Aval):
    return x, gamma


# ---------------------------------------------------------------------- over groups of channels

@operator(hidden=True, samples=[],
          dims="n (g c!) ...!, (g c!), (g c!); groups=g -> n (g c!) ...!, n g, n g")
def group_norm(x: Tensor, gamma: Tensor, beta: Tensor, *, groups: int, epsilon: float = 1e-5):
    """`x` (N, C, *) normalised over groups of channels, then gamma * x + beta per channel.

    Also returns mean and 1 / sqrt(variance + epsilon), shape (N, groups).  Wu, He 2018.
    """
    n, c = x.shape[:2]
    return torch.native_group_norm(x.contiguous(), gamma, beta, n, c, prod(x.shape[2:]), groups, epsilon)


@group_norm.shape
def _(x: Aval, gamma: Aval, beta: Aval, *, groups: int, epsilon: float = 1e-5):
    _channels("GroupNorm", x, gamma, beta)
    if x.shape[1] % groups:
        raise ValueError(f"For 'GroupNorm', the channels must be a multiple of the {groups} groups, but "
                         f"got {show(x)}.")
    moment = Aval((x.shape[0], groups), x.dtype if gamma.dtype is x.dtype else gamma.dtype)
    return x, moment, moment


@group_norm.grad(needs="x gamma out")
def _(x: Value, gamma: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, groups: int,
      epsilon: float = 1e-5):
    """The statistics are not differentiated."""
    if dout[0] is None:
        return None, None, None
    return group_norm_grad(dout[0], x, gamma, out[1], out[2], groups=groups, epsilon=epsilon)


@operator(hidden=True, grad="torch", samples=[],
          dims=mirrored(group_norm, "out0 x gamma out1 out2 -> x gamma beta"))
def group_norm_grad(dout: Tensor, x: Tensor, gamma: Tensor, mean: Tensor, scale: Tensor, *, groups: int,
                    epsilon: float = 1e-5):
    """The cotangents of input, scale and shift of `GroupNorm`."""
    n, c = x.shape[:2]
    if tracked(dout, x, gamma):             # torch's kernel has no derivative, its composition has
        leaves = [v if v.requires_grad else v.detach().requires_grad_() for v in (x, gamma)]
        beta = torch.zeros_like(gamma).requires_grad_()
        y = torch.nn.functional.group_norm(leaves[0], groups, leaves[1], beta, epsilon)
        return torch.autograd.grad(y, (*leaves, beta), dout, create_graph=True)
    return aten.native_group_norm_backward.default(dout.contiguous(), x.contiguous(), mean, scale, gamma,
                                                   n, c, prod(x.shape[2:]), groups, _ALL)


@group_norm_grad.shape
def _(dout: Aval, x: Aval, gamma: Aval, mean: Aval, scale: Aval, *, groups: int, epsilon: float = 1e-5):
    return x, gamma, gamma


@operator(hidden=True, samples=[((2, 5, 3), {"radius": 1}), ((2, 4, 2, 2), {"radius": 2})],
          dims="n c! ... -> n c! ...", traits={STRICT})
def channel_sum(x: Tensor, *, radius: int):
    """The sum over each channel of `x` (N, C, *) and its neighbours up to `radius` away."""
    n, c = x.shape[:2]
    rows = x.reshape(n, 1, c, -1)
    pool = nn.avg_pool2d
    summed = pool(rows, [2 * radius + 1, 1], [1, 1], [radius, 0], False, True, 1)
    return summed.reshape(x.shape)


@channel_sum.shape
def _(x: Aval, *, radius: int) -> Aval:
    _channels("LRN", x)
    return x


@channel_sum.grad(needs="")
def _(dout: Value, *, radius: int):
    return channel_sum(dout, radius=radius),
