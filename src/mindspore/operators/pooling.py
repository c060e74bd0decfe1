"""Pooling over windows and over adaptive cells, in two and three dimensions.

`padding` holds one number per spatial axis; a window may start in it but not behind the input.
"""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int32, int64
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from .exported import Exported
from .im2col_convolution import planes, samples_innermost
from .loops import Element
from .registry import operator
from .rules import floating, in_single, moving
from .stages import MaxPool
from .torch_private import nn
from .traits import ORDERED, STREAMING, STREAMING_INNERMOST, WIDEN_HALF, WIDEN_UNSIGNED
from .values import Ints, Value

aten = torch.ops.aten
_MANY = 16        # channels from which the kernel that is vectorised over them wins, with both copies


def _dims(x: Any, **_: Any) -> str:
    rank = len(getattr(x, "shape", x))
    spatial = " ".join(f"s{i}!" for i in range(rank - 2))
    return f"n c {spatial} -> n c {spatial}"


def _dims_of_two(x: Any, **_: Any) -> str:
    """The same for an operator with two results."""
    labels = _dims(x)
    return f"{labels}, {labels.split('-> ')[1]}"


def _turned(x: torch.Tensor) -> torch.Tensor:
    """Images with the samples innermost as the kernels for channels innermost take them, and back."""
    return x.transpose(0, 1)


def places(extent: int, window: int, stride: int, padding: int, dilation: int = 1,
           ceil_mode: bool = False) -> int:
    """How many places a window takes along an axis of that extent."""
    room = extent + 2 * padding - dilation * (window - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    n = -(-room // stride) + 1
    return n - 1 if (n - 1) * stride >= extent + padding else n


def _pooled(name: str, x: Aval, window: Any, stride: Any, padding: Any, dilation: Any,
            ceil_mode: bool) -> tuple[int, ...]:
    n = len(window)
    if len(x.shape) not in (n + 1, n + 2):
        raise ArgumentError(f"For '{name}', the input must have {n + 2} dimensions, but got {show(x)}.")
    lead = x.shape[:-n]
    extents = tuple([places(e, window[i], stride[i], padding[i], dilation[i], ceil_mode)
                     for i, e in enumerate(x.shape[-n:])])
    if any([e < 1 for e in extents]) or any(2 * p > d * (k - 1) + 1
                               for p, k, d in zip(padding, window, dilation, strict=False)):
        raise ArgumentError(f"For '{name}', the window {tuple(window)} does not fit the input {show(x)} "
                            f"with padding {tuple(padding)}: it must not be smaller than twice the "
                            "padding nor larger than the padded input.")
    return (*lead, *extents)


# ---------------------------------------------------------------------- maximum

@operator(hidden=True, dims=_dims_of_two,
          samples=[((2, 3, 6, 6), {"window": (2, 2), "stride": (2, 2)}),
                   ((2, 3, 5, 6), {"window": (3, 3), "stride": (2, 2), "padding": (1, 1)}),
                   ((2, 3, 5, 5), {"window": (2, 2), "stride": (2, 2), "ceil_mode": True}),
                   ((2, 3, 4, 4, 4), {"window": (2, 2, 2), "stride": (2, 2, 2)})],
          traits={STREAMING_INNERMOST, ORDERED, WIDEN_UNSIGNED})
def max_pool(x: Tensor, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1),
             ceil_mode: bool = False):
    """The maximum in each window, and its index in the flattened spatial axes."""
    n = len(window)
    if n == 3:
        return nn.max_pool3d_with_indices(x, window, stride, padding[:3], dilation[:3], ceil_mode)
    if samples_innermost(x):
        y, indices = nn.max_pool2d_with_indices(_turned(x), window, stride, padding[:2], dilation[:2], ceil_mode)
        return _turned(y), _turned(indices)
    if x.device.type == "cpu" and x.dim() == 4 and x.shape[1] >= _MANY and x.is_contiguous():
        x = x.contiguous(memory_format=torch.channels_last)
        y, indices = nn.max_pool2d_with_indices(x, window, stride, padding[:2], dilation[:2], ceil_mode)
        return y.contiguous(), indices.contiguous()
    return nn.max_pool2d_with_indices(x, window, stride, padding[:2], dilation[:2], ceil_mode)


def _stage(shape: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool,
           reverse: bool) -> MaxPool | None:
    """What native programs compute: planes of samples, without padding or gaps."""
    if len(shape) != 4 or len(window) != 2 or any(padding[:2]) or {*dilation[:2]} != {1} or ceil_mode:
        return None
    return MaxPool((window[0], window[1]), (stride[0], stride[1]), reverse)


@max_pool.stage
def _(x: Element, **attrs: Any) -> MaxPool | None:
    return _stage(x.shape, reverse=False, **attrs)


@max_pool.shape
def _(x: Aval, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1),
      ceil_mode: bool = False):
    shape = _pooled("MaxPool", x, window, stride, padding, dilation, ceil_mode)
    return Aval(shape, x.dtype), Aval(shape, int64)


@max_pool.onnx
def _(g: Exported, x: str, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), dilation: Ints = (1, 1, 1),
      ceil_mode: bool = False):
    """ONNX counts the places of maxima through the whole tensor, not in each plane."""
    n = len(window)
    pads = _pads(g.avals[x].shape[2:], g.results[0].shape[2:], window, stride, padding, dilation, ceil_mode)
    y, places = g.add("MaxPool", x, kernel_shape=window, strides=stride[:n], pads=pads, dilations=dilation[:n],
                      results=2)
    extents = g.integers(g.avals[x].shape[2:])
    return y, g.add("Mod", places, g.add("ReduceProd", extents, keepdims=0))


@max_pool.grad(needs="x.aval out")
def _(x: Aval, out: tuple[Value, ...], dout: tuple[Value | None, ...], **attrs: Any):
    return max_pool_grad(dout[0], out[1], shape=x.shape, **attrs),


@operator(hidden=True, grad="torch", samples=[], dims="n c ...!, n c ...!; shape=n c ...! -> n c ...!",
          traits={STREAMING})
def max_pool_grad(dout: Tensor, indices: Tensor, *, shape: Ints, window: Ints, stride: Ints, padding: Ints = (0, 0, 0),
                  dilation: Ints = (1, 1, 1), ceil_mode: bool = False):
    """`dout` at the places of the maxima, else 0."""
    n = len(window)
    if samples_innermost(indices):
        return _turned(max_pool_grad.kernel(
            planes(dout).permute(0, 3, 1, 2), _turned(indices), shape=(shape[1], shape[0], *shape[2:]),
            window=window, stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode))
    rows = len(shape) != 4 or indices.is_contiguous()
    layout = torch.contiguous_format if rows else torch.channels_last
    x = torch.empty(shape, dtype=dout.dtype, device=dout.device,       # of it only shape and layout count
                    memory_format=layout)
    reverse = (aten.max_pool2d_with_indices_backward if n == 2
               else aten.max_pool3d_with_indices_backward).default
    dout = dout.contiguous(memory_format=layout)        # else torch copies the larger result, twice
    return reverse(dout, x, window, stride, padding[:n], dilation[:n], ceil_mode, indices)


@max_pool_grad.stage
def _(dout: Element, indices: Element, *, shape: Ints, **attrs: Any) -> MaxPool | None:
    return _stage(shape, reverse=True, **attrs)


@max_pool_grad.shape
def _(dout: Aval, indices: Aval, *, shape: Ints, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


@operator(hidden=True, samples=[], dims="n c! ... -> n c! ...")
def sample_index(indices: Tensor, *, plane: int):
    """Indices in planes (N, C, *) of that many elements as indices in the flattened (C, *)."""
    start = torch.arange(indices.shape[1], device=indices.device, dtype=torch.int32) * plane
    return indices.to(torch.int32) + start.view(-1, *[1] * (indices.dim() - 2))


@sample_index.shape
def _(indices: Aval, *, plane: int) -> Aval:
    return Aval(indices.shape, int32)


@operator(hidden=True, dims=_dims_of_two,
          samples=[((2, 3, 5, 6), {"size": (2, 3)}), ((2, 3, 4, 5, 4), {"size": (2, 3, 2)})])
def adaptive_max_pool(x: Tensor, *, size: Ints):
    """The maximum in each of `size` cells that cover the spatial axes evenly, and its index."""
    return (nn.adaptive_max_pool2d if len(size) == 2 else nn.adaptive_max_pool3d)(x, size)


def _celled(name: str, x: Aval, size: Any) -> tuple[int, ...]:
    floating(name)(x)
    n = len(size)
    if len(x.shape) not in (n + 1, n + 2):
        raise ArgumentError(f"For '{name}', the input must have {n + 1} or {n + 2} dimensions, but got "
                            f"{show(x)}.")
    return (*x.shape[:-n], *size)


@adaptive_max_pool.shape
def _(x: Aval, *, size: Ints):
    shape = _celled("AdaptiveMaxPool", x, size)
    return Aval(shape, x.dtype), Aval(shape, int64)


@adaptive_max_pool.grad(needs="x.aval out")
def _(x: Aval, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, size: Ints):
    return adaptive_max_pool_grad(dout[0], out[1], shape=x.shape, size=size),


@operator(hidden=True, grad="torch", samples=[], dims="n c ...!, n c ...!; shape=n c ...! -> n c ...!")
def adaptive_max_pool_grad(dout: Tensor, indices: Tensor, *, shape: Ints, size: Ints):
    """`dout` at the places of the maxima, else 0; a place that several cells chose collects all."""
    reverse = (aten.adaptive_max_pool2d_backward if len(size) == 2
               else aten.adaptive_max_pool3d_backward).default
    return reverse(dout, dout.new_empty(shape), indices)


@adaptive_max_pool_grad.shape
def _(dout: Aval, indices: Aval, *, shape: Ints, size: Ints) -> Aval:
    return Aval(shape, dout.dtype)


@operator(hidden=True, grad="torch", samples=[],
          dims=lambda x, indices, size: (
              "... {0}, ... {0} -> ... {0}".format(" ".join([f"s{i}!" for i in range(len(size))]))))
@moving
def max_unpool(x: Tensor, indices: Tensor, *, size: Ints):
    """Zeros of the spatial extents `size` with the elements of `x` at the indices."""
    if not x.is_floating_point():                 # torch has no kernel
        count = len(size)
        flat = x.new_zeros((*x.shape[:-count], math.prod(size)))
        at = indices.long().flatten(-count)
        return flat.scatter(-1, at, x.flatten(-count)).reshape(*x.shape[:-count], *size)
    if len(size) == 2:
        return nn.max_unpool2d(x, indices.long(), size)
    return nn.max_unpool3d(x, indices.long(), size, [1, 1, 1], [0, 0, 0])


@max_unpool.shape
def _(x: Aval, indices: Aval, *, size: Ints) -> Aval:
    if x.shape != indices.shape:
        raise ValueError(f"For 'MaxUnpool', the indices must have the shape of the input, but got "
                         f"{show(indices)} and {show(x)}.")
    return Aval((*x.shape[:-len(size)], *size), x.dtype)


@operator(hidden=True, samples=[], dims="n c ...!, n c axes! -> n c ...!, n c ...!")
def fractional_max_pool(x: Tensor, samples: Tensor, *, window: Ints, size: Ints):
    """The maximum in windows whose steps vary at random between `samples` (N, C, axes), and its index."""
    pool = nn.fractional_max_pool2d if len(size) == 2 else nn.fractional_max_pool3d
    return pool(x, window, size, samples.to(x.dtype))


@fractional_max_pool.grad(needs="x.aval out")
def _(x: Aval, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, window: Ints, size: Ints):
    return adaptive_max_pool_grad(dout[0], out[1], shape=x.shape, size=size), None


# ---------------------------------------------------------------------- mean

_avg_pool3d = in_single(nn.avg_pool3d)         # torch has no kernel for half precision on a CPU


@operator(hidden=True, dims=_dims,
          samples=[((2, 3, 6, 6), {"window": (2, 2), "stride": (2, 2)}),
                   ((2, 3, 5, 6), {"window": (3, 3), "stride": (2, 2), "padding": (1, 1),
                                   "include_pad": False}),
                   ((2, 3, 5, 5), {"window": (2, 2), "stride": (2, 2), "ceil_mode": True, "divisor": 3}),
                   ((2, 3, 4, 4, 4), {"window": (2, 2, 2), "stride": (2, 2, 2)})])
def avg_pool(x: Tensor, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), ceil_mode: bool = False,
             include_pad: bool = True, divisor: Any = None):
    """The mean in each window, or its sum over `divisor`."""
    n = len(window)
    if not x.is_floating_point():
        raise TypeError(f"For 'AvgPool', the input must be a floating-point tensor, but got {x.dtype}.")
    if samples_innermost(x):
        return _turned(avg_pool.kernel(_turned(x), window=window, stride=stride, padding=padding,
                                       ceil_mode=ceil_mode, include_pad=include_pad, divisor=divisor))
    pool = nn.avg_pool2d if n == 2 else _avg_pool3d
    return pool(x, window, stride, padding[:n], ceil_mode, include_pad, divisor)


@avg_pool.shape
def _(x: Aval, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), ceil_mode: bool = False,
      include_pad: bool = True, divisor: Any = None) -> Aval:
    floating("AvgPool")(x)
    return Aval(_pooled("AvgPool", x, window, stride, padding, (1, 1, 1), ceil_mode), x.dtype)


@avg_pool.onnx
def _(g: Exported, x: str, *, window: Ints, stride: Ints, padding: Ints = (0, 0, 0), ceil_mode: bool = False,
      include_pad: bool = True, divisor: int | None = None):
    n = len(window)
    before = tuple(padding[:n])
    shape, out = g.avals[x].shape[2:], g.results[0].shape[2:]
    if include_pad and divisor is None and ceil_mode and any(before):        # of a cut window the part inside counts
        x = g.add("Pad", x, g.constant([0, 0, *before] * 2, int64), g.constant(0, g.results[0].dtype))
        shape, before, include_pad = tuple([m + 2 * p for m, p in zip(shape, before, strict=True)]), (0,) * n, False
    pads = _pads(shape, out, window, stride, before, (1, 1, 1), ceil_mode)
    y = g.add("AveragePool", x, kernel_shape=window, strides=stride[:n], pads=pads,
              count_include_pad=int(divisor is not None or (include_pad and not ceil_mode)))
    return y if divisor is None else g.add("Mul", y, g.constant(math.prod(window) / divisor, g.results[0].dtype))


def _pads(shape: Ints, out: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints,
          ceil_mode: bool) -> list[int]:
    """The padding before and behind each axis, as ONNX takes it; for `ceil_mode` up to the end of the last window."""
    n = len(window)
    if len(shape) != n:
        raise NotImplementedError("ONNX pools images of a batch only.")
    after = list(padding[:n])
    if ceil_mode:
        after = [(m - 1) * s + d * (k - 1) + 1 - e - p for m, s, d, k, e, p in
                 zip(out, stride, dilation, window, shape, padding, strict=False)]
    return [*padding[:n], *[max(int(p), 0) for p in after]]


@avg_pool.grad(needs="x.aval")
def _(x: Aval, dout: Value, **attrs: Any):
    return avg_pool_grad(dout, shape=x.shape, **attrs),


@operator(hidden=True, samples=[((2, 3, 3, 3), {"shape": (2, 3, 6, 6), "window": (2, 2), "stride": (2, 2)})],
          dims="n c ...!; shape=n c ...! -> n c ...!", traits={WIDEN_HALF})
def avg_pool_grad(dout: Tensor, *, shape: Ints, window: Ints, stride: Ints, padding: Ints = (0, 0, 0),
                  ceil_mode: bool = False, include_pad: bool = True, divisor: Any = None):
    """The cotangent of the input of `AvgPool`."""
    n = len(window)
    if samples_innermost(dout):
        return _turned(avg_pool_grad.kernel(
            _turned(dout), shape=(shape[1], shape[0], *shape[2:]), window=window, stride=stride, padding=padding,
            ceil_mode=ceil_mode, include_pad=include_pad, divisor=divisor))
    reverse = (aten.avg_pool2d_backward if n == 2 else aten.avg_pool3d_backward).default
    return reverse(dout, dout.new_empty(shape), window, stride, padding[:n], ceil_mode, include_pad, divisor)


@avg_pool_grad.shape
def _(dout: Aval, *, shape: Ints, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


@avg_pool_grad.grad(needs="")
def _(d: Value, *, shape: Ints, **attrs: Any):
    return avg_pool(d, **attrs),


@operator(hidden=True, dims=_dims,
          samples=[((2, 3, 5, 6), {"size": (2, 3)}), ((2, 3, 4, 5, 4), {"size": (2, 3, 2)}),
                   ((2, 3, 5, 6), {"size": (1, 1)})])
def adaptive_avg_pool(x: Tensor, *, size: Ints):
    """The mean in each of `size` cells that cover the spatial axes evenly."""
    return (nn.adaptive_avg_pool2d if len(size) == 2 else nn.adaptive_avg_pool3d)(x, size)


@adaptive_avg_pool.shape
def _(x: Aval, *, size: Ints) -> Aval:
    return Aval(_celled("AdaptiveAvgPool", x, size), x.dtype)


@adaptive_avg_pool.onnx
def _(g: Exported, x: str, *, size: Ints):
    rank = len(g.avals[x].shape)
    if set(size) == {1}:
        return g.add("ReduceMean", x, g.integers(range(rank - len(size), rank)), keepdims=1)
    extents = g.avals[x].shape[rank - len(size):]
    if rank != len(size) + 2 or any([type(e) is not int or e % n for e, n in zip(extents, size, strict=True)]):
        raise NotImplementedError("ONNX has no cells of different extents.")
    window = [e // n for e, n in zip(extents, size, strict=True)]
    return g.add("AveragePool", x, kernel_shape=window, strides=window)


@adaptive_avg_pool.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, size: Ints):
    return adaptive_avg_pool_grad(dout, shape=x.shape, size=size),


@operator(hidden=True, samples=[((2, 3, 2, 3), {"shape": (2, 3, 5, 6), "size": (2, 3)})],
          dims="n c ...!; shape=n c ...! -> n c ...!")
def adaptive_avg_pool_grad(dout: Tensor, *, shape: Ints, size: Ints):
    """The cotangent of the input of `AdaptiveAvgPool`."""
    reverse = (aten._adaptive_avg_pool2d_backward if len(size) == 2
               else aten._adaptive_avg_pool3d_backward).default
    return reverse(dout, dout.new_empty(shape))


@adaptive_avg_pool_grad.shape
def _(dout: Aval, *, shape: Ints, size: Ints) -> Aval:
    return Aval(shape, dout.dtype)


@adaptive_avg_pool_grad.grad(needs="")
def _(d: Value, *, shape: Ints, size: Ints):
    return adaptive_avg_pool(d, size=size),
