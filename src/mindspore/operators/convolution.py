"""Convolution and its transpose in one to three dimensions, with any padding."""
from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from . import torch_private
from .exported import Exported
from .labels import mirrored
from .loops import Element
from .registry import operator
from .rules import once
from .stages import Correlation, correlation
from .structure import broadcast_to, reshape
from .torch_private import nn
from .traits import CONVOLUTION
from .values import Ints, Value

aten = torch.ops.aten
_pad = nn.pad

# `padding` holds one number per spatial axis for both of its ends, or two (begin, end) per axis.


def _dims(x: Any, w: Any, b: Any = None, *, groups: int = 1, transposed: bool = False, stride: Ints = (1, 1, 1),
          padding: Ints = (0, 0, 0), **_: Any) -> str:
    sizes = getattr(w, "shape", w)
    rank = len(sizes)
    points = [k == 1 == s for k, s in zip(sizes[2:], stride, strict=False)]         # along these each place is alone
    spatial = " ".join([f"s{i}" if p and not transposed and not any(padding) else f"s{i}!"
                        for i, p in enumerate(points)])
    window = " ".join(f"k{i}!" for i in range(rank - 2))
    c = "c" if b is None else "c!"         # a bias may be added only once
    if groups == 1:
        channels = f"{c} o" if transposed else f"o {c}"
        return f"n {c} {spatial}, {channels} {window}, o -> n o {spatial}"
    left = "(g c!) o!" if transposed else "(g o!) c!"
    return f"n (g={groups} c!) {spatial}, {left} {window}, (g o!); groups=g -> n (g o!) {spatial}"


def _laid_out(x: torch.Tensor) -> torch.Tensor:
    """Images (N, C, H, W) as oneDNN works fastest on them: in a CPU's memory with the channels innermost.

    torch's kernels give their results in the layout of their operands, so that of the convolutions of
    a network only the first converts anything.
    """
    if x.dim() != 4 or not x.is_cpu or x.dtype is torch.float64:
        return x
    if x.shape[1] == 1:          # both layouts are one; only the strides tell the kernels which is meant
        h, w = x.shape[2:]
        return x.contiguous().as_strided(x.shape, (h * w, 1, w, 1))
    return x.contiguous(memory_format=torch.channels_last)


def _split(padding: tuple[int, ...], n: int) -> tuple[tuple[int, ...], list[int]]:
    """The padding common to both ends of each axis, and the rest in the order of torch's `pad`."""
    common = tuple([min(padding[2 * i], padding[2 * i + 1]) for i in range(n)])
    rest: list[int] = []
    for i in reversed(range(n)):
        rest += [padding[2 * i] - common[i], padding[2 * i + 1] - common[i]]
    return common, rest


def _negative(rest: list[int]) -> list[int]:
    return [-r for r in rest]


@operator(hidden=True, dims=_dims,
          samples=[((2, 4, 6, 5), (3, 4, 3, 2), (3,)),
                   ((2, 4, 6, 6), (6, 2, 3, 3), {"stride": (2, 2), "padding": (1, 1), "groups": 2}),
                   ((2, 4, 6, 6), (3, 4, 3, 3), {"stride": (2, 2), "padding": (0, 1, 0, 1)}),
                   ((2, 4, 5, 4), (4, 3, 3, 3), (3,),
                    {"transposed": True, "stride": (2, 2), "output_padding": (1, 1)}),
                   ((2, 4, 5), (3, 4, 3), {"dilation": (2,), "padding": (2,)}),
                   ((1, 2, 4, 4, 4), (3, 2, 2, 2, 2))], traits={CONVOLUTION})
def convolution(x: Tensor, w: Tensor, b: Tensor | None = None, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
                dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0),
                groups: int = 1):
    """The cross-correlation of `x` (N, C, *) with `w` (O, C / groups, *), or its transpose, plus `b`."""
    n, x = x.dim() - 2, _laid_out(x)
    if len(padding) != 2 * n:
        return torch.convolution(x, w, b, stride[:n], padding[:n], dilation[:n], transposed,
                                 output_padding[:n], groups)
    common, rest = _split(padding, n)
    if transposed:
        y = torch.convolution(x, w, b, stride[:n], common, dilation[:n], True, output_padding[:n], groups)
        return _pad(y, _negative(rest))
    return torch.convolution(_pad(x, rest), w, b, stride[:n], common, dilation[:n], False, output_padding[:n],
                             groups)


@convolution.shape
def _(x: Aval, w: Aval, b: Aval | None = None, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
      dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0), groups: int = 1) -> Aval:
    rank = len(x.shape)
    n = rank - 2
    if n < 1 or len(w.shape) != rank:
        raise ArgumentError(f"For 'Convolution', the input and the weight must have 3, 4 or 5 dimensions, "
                            f"both the same number, but got {show(x)} and {show(w)}.")
    if x.dtype is not w.dtype:
        raise TypeError(f"For 'Convolution', the input and the weight must have the same dtype, but got "
                        f"{show(x)} and {show(w)}.")
    inner = w.shape[0] if transposed else w.shape[1] * groups
    if x.shape[1] != inner:
        raise ArgumentError(f"For 'Convolution', the channels of the input must be {inner} to fit the "
                            f"weight {show(w)} in {groups} groups, but got {show(x)}.")
    ends = padding if len(padding) == 2 * n else [p for p in padding[:n] for _ in (0, 1)]
    spatial: list[int] = []
    for i in range(n):
        reach = dilation[i] * (w.shape[2 + i] - 1) + 1
        margin = ends[2 * i] + ends[2 * i + 1]
        if transposed:
            extent = (x.shape[2 + i] - 1) * stride[i] - margin + reach + output_padding[i]
        else:
            extent = (x.shape[2 + i] + margin - reach) // stride[i] + 1
        if extent < 1:
            raise ArgumentError(f"For 'Convolution', the window {w.shape[2:]} does not fit the input "
                                f"{show(x)} with padding {padding} and dilation {dilation}.")
        spatial.append(extent)
    channels = w.shape[1] * groups if transposed else w.shape[0]
    if channels % groups or (b is not None and b.shape != (channels,)):
        raise ArgumentError(f"For 'Convolution', the weight {show(w)} gives {channels} channels, which "
                            f"must be a multiple of the {groups} groups and the length of the bias, "
                            f"but got {show(b)}.")
    return Aval((x.shape[0], channels, *spatial), x.dtype)


@convolution.cost
def _(x: Aval, w: Aval, b: Aval | None = None, *, transposed: bool = False, **attrs: Any) -> int:
    places = x if transposed else convolution.infer(x, w, b, **attrs)
    return 2 * prod(w.shape) * prod(places.shape) // places.shape[1]


def _reverse_cost(dout: Aval, x: Aval, w: Aval, *, transposed: bool = False, **_: Any) -> int:
    places = x if transposed else dout
    return 2 * prod(w.shape) * prod(places.shape) // places.shape[1]


def _stage(of: str, operands: tuple[int, ...], x: Element, *, stride: Ints, padding: Ints, dilation: Ints,
           transposed: bool, groups: int, **_: Any) -> Correlation | None:
    """What native programs compute: planes, steps of 1, one group."""
    if len(x.shape) != 4 or transposed or groups != 1 or {*stride[:2], *dilation[:2]} != {1}:
        return None
    return correlation(of, operands, padding)


@convolution.stage
def _(x: Element, w: Element, b: Element | None = None, **attrs: Any) -> Correlation | None:
    return _stage("result", (0, 1, 2)[:2 + (b is not None)], x, **attrs)


@convolution.onnx
def _(g: Exported, x: str, w: str, b: str | None = None, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
      dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0), groups: int = 1):
    n = len(g.avals[x].shape) - 2
    pads = [*padding[::2], *padding[1::2]] if len(padding) == 2 * n else padding[:n] * 2
    settings: dict[str, Any] = {"strides": stride[:n], "pads": pads, "dilations": dilation[:n], "group": groups}
    if transposed:
        return g.add("ConvTranspose", x, w, b, output_padding=output_padding[:n], **settings)
    return g.add("Conv", x, w, b, **settings)


@convolution.grad(needs="x w b")
def _(x: Value, w: Value, b: Value | None, dout: Value, **attrs: Any):
    def dx():
        return convolution_input_grad(dout, x, w, **attrs)
    if b is None:
        return dx, lambda: convolution_weight_grad(dout, x, w, **attrs), None
    both = once(lambda: convolution_affine_grad(dout, x, w, **attrs))
    return dx, lambda: both()[0], lambda: both()[1]


def _reverse(dout: Any, x: Any, w: Any, mask: list[bool], stride: Any, padding: Any, dilation: Any,
             transposed: bool, output_padding: Any, groups: int) -> Any:
    """torch's cotangents of (x, w, b), those in `mask`, for any padding."""
    n, dout = x.dim() - 2, _laid_out(dout)
    if mask[1]:                       # else only its shape matters
        x = _laid_out(x)
    rest: list[int] = []
    if len(padding) == 2 * n:
        padding, rest = _split(padding, n)
        if transposed:
            dout = _pad(dout, rest)
        else:
            x = _pad(x, rest)
    if mask[1] and n == 2 and tuple(w.shape[2:]) == (1, 1) and max(stride[:2]) > 1 and not transposed:
        # With few channels innermost, oneDNN writes past its buffers here; so take what is used first.
        top, left = padding[:2]
        x = _pad(x, (left, left, top, top)) if top or left else x
        x = x[:, :, ::stride[0], ::stride[1]]
        stride, padding = (1, 1), (0, 0)
    windows = _as_product(x, w, stride, dilation) if mask[1] and not transposed and groups == 1 else ""
    if windows:
        dx, db = None, dout.sum((0, 2, 3)) if mask[2] else None
        dw = _weight_product(windows, dout, x, w, stride, padding, dilation)
    else:
        bias = [w.shape[1] * groups if transposed else w.shape[0]]
        dx, dw, db = aten.convolution_backward.default(
            dout, x, w, bias, stride[:n], padding[:n], dilation[:n], transposed, output_padding[:n], groups, mask)
    if dx is not None and rest and not transposed:
        dx = _pad(dx, _negative(rest))
    if mask[1] and n == 2 and dw.stride() != w.stride() and w.is_contiguous():
        dw = dw.contiguous()          # an update of mixed layouts is slow
    return dx, dw, db


# ---------------------------------------------------------------------- cotangents of weights as products
#
# oneDNN's kernel for them is the slowest of the three of a convolution: half of the arithmetic per second of
# the others, and less for small images, steps of two and few outputs, on processors with AVX2.  A product of one
# operand's elements with the other's windows is faster there where it has many rows, that is channels of the former.
# With AVX-512 oneDNN's kernel is the faster one (a step of ResNet-18: 1.09 times, of U-Net 1.13 times).

_MANY = 192              # channels from which that is so, or
_STRIDED = 128           # where windows are two steps apart
_FEW = 16                # channels of a window, at least
_PART = 1 << 22          # elements of windows at a time


@functools.cache
def _vendor() -> bool:
    """Whether oneDNN computes all cotangents of weights."""
    return "AVX512" in torch.backends.cpu.get_cpu_capability()


def _as_product(x: torch.Tensor, w: torch.Tensor, stride: Any, dilation: Any) -> str:
    """Whose windows a product takes, "input" or "output"; "" if oneDNN computes the cotangent."""
    if (_vendor() or x.dim() != 4 or not x.is_cpu or x.dtype is not torch.float32 or not x.numel()
            or max(w.shape[2:]) == 1 or min(w.shape[:2]) < _FEW):
        return ""
    o, c = w.shape[:2]
    if {*stride[:2], *dilation[:2]} == {1} and (c >= 2 * o or (c > o and c >= _MANY)):
        return "output"
    return "input" if o >= (_MANY if max(stride[:2]) == 1 else _STRIDED) else ""


def _weight_product(windows: str, dout: torch.Tensor, x: torch.Tensor, w: torch.Tensor, stride: Any,
                    padding: Any, dilation: Any) -> torch.Tensor:
    """The cotangent of a weight (O, C, kh, kw) as a product with the windows of "input" or "output"."""
    kh, kw = window = w.shape[2:]
    if windows == "input":
        return _window_product(dout, x, window, stride, padding, dilation).permute(0, 3, 1, 2)
    # An element of the input meets the cotangent of the output in the opposite order of the weight's elements.
    back = (kh - 1 - padding[0], kw - 1 - padding[1])
    dw = _window_product(x, dout, window, (1, 1), back, (1, 1))
    return dw.flip(1, 2).permute(3, 0, 1, 2).contiguous(memory_format=torch.channels_last)


def _window_product(rows: torch.Tensor, x: torch.Tensor, window: Any, stride: Any, padding: Any,
                    dilation: Any) -> torch.Tensor:
    """The sums over images and places of `rows` (N, R, *) times windows of `x` (N, C, *): (R, kh, kw, C)."""
    (r, oh, ow), c, (kh, kw) = rows.shape[1:], x.shape[1], window
    if any(padding[:2]):
        x = _pad(x, (padding[1], padding[1], padding[0], padding[0]))
    parts = -(-len(x) * oh * ow * kh * kw * c // _PART)
    samples = -(-len(x) // parts)
    total: Any = None
    for images, row in zip(torch_private.split(x, samples), torch_private.split(rows, samples), strict=True):
        images = images.contiguous(memory_format=torch.channels_last)
        sample, _, line, column = images.stride()
        windows = images.as_strided(
            (len(images), oh, ow, kh, kw, c),
            (sample, line * stride[0], column * stride[1], line * dilation[0], column * dilation[1], 1),
            images.storage_offset()).reshape(-1, kh * kw * c)
        row = row.permute(0, 2, 3, 1).reshape(-1, r).t()
        total = torch.mm(row, windows) if total is None else total.addmm_(row, windows)
    return total.view(r, kh, kw, c)


_REVERSE_SAMPLE: list[Any] = [((2, 3, 4, 4), (2, 2, 6, 6), (3, 2, 3, 3)),
                              ((2, 3, 3, 3), (2, 2, 6, 6), (3, 2, 3, 3),
                               {"stride": (2, 2), "padding": (0, 1, 0, 1)})]


@operator(hidden=True, samples=_REVERSE_SAMPLE, dims=mirrored(convolution, "out0 x w -> x"),
          traits={CONVOLUTION})
def convolution_input_grad(dout: Tensor, x: Tensor, w: Tensor, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
                           dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0),
                           groups: int = 1):
    """The cotangent of the input of `Convolution`; of `x` only the shape matters."""
    return _reverse(dout, x, w, [True, False, False], stride, padding, dilation, transposed,
                    output_padding, groups)[0]


@convolution_input_grad.stage
def _(dout: Element, x: Element, w: Element, **attrs: Any) -> Correlation | None:
    return _stage("input", (0, 2), x, **attrs)


@convolution_input_grad.shape
def _(dout: Aval, x: Aval, w: Aval, **_: Any) -> Aval:
    return x


convolution_input_grad.cost(_reverse_cost)


@convolution_input_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: Value, **attrs: Any):
    return (lambda: convolution(d, w, **attrs), None,
            lambda: convolution_weight_grad(dout, d, w, **attrs))


@operator(hidden=True, samples=_REVERSE_SAMPLE, dims=mirrored(convolution, "out0 x w -> w"),
          traits={CONVOLUTION})
def convolution_weight_grad(dout: Tensor, x: Tensor, w: Tensor, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
                            dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0),
                            groups: int = 1):
    """The cotangent of the weight of `Convolution`; of `w` only the shape matters."""
    return _reverse(dout, x, w, [False, True, False], stride, padding, dilation, transposed,
                    output_padding, groups)[1]


@convolution_weight_grad.stage
def _(dout: Element, x: Element, w: Element, **attrs: Any) -> Correlation | None:
    return _stage("weight", (0, 1), x, **attrs)


@convolution_weight_grad.shape
def _(dout: Aval, x: Aval, w: Aval, **_: Any) -> Aval:
    return w


convolution_weight_grad.cost(_reverse_cost)


@convolution_weight_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: Value, **attrs: Any):
    return (lambda: convolution(x, d, **attrs),
            lambda: convolution_input_grad(dout, x, d, **attrs), None)


@operator(hidden=True, samples=_REVERSE_SAMPLE, dims=mirrored(convolution, "out0 x w -> w b"),
          traits={CONVOLUTION})
def convolution_affine_grad(dout: Tensor, x: Tensor, w: Tensor, *, stride: Ints = (1, 1, 1), padding: Ints = (0, 0, 0),
                            dilation: Ints = (1, 1, 1), transposed: bool = False, output_padding: Ints = (0, 0, 0),
                            groups: int = 1):
    """The cotangents of weight and bias of `Convolution` in one pass."""
    return _reverse(dout, x, w, [False, True, True], stride, padding, dilation, transposed,
                    output_padding, groups)[1:]


@convolution_affine_grad.stage
def _(dout: Element, x: Element, w: Element, **attrs: Any) -> Correlation | None:
    return _stage("affine", (0, 1), x, **attrs)


@convolution_affine_grad.shape
def _(dout: Aval, x: Aval, w: Aval, **_: Any):
    return w, Aval((dout.shape[1],), dout.dtype)


convolution_affine_grad.cost(_reverse_cost)


@convolution_affine_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: tuple[Value | None, ...], **attrs: Any):
    dw, db = d
    ddout: list[Callable[[], Any]] = []
    if dw is not None:
        ddout.append(lambda: convolution(x, dw, **attrs))
    if db is not None:
        shape = (1, -1, *[1] * (len(x.shape) - 2))
        ddout.append(lambda: broadcast_to(reshape(db, shape=shape), shape=tuple(dout.shape)))
    dx = None if dw is None else lambda: convolution_input_grad(dout, x, dw, **attrs)
    return (lambda: ddout[0]() + ddout[1]() if len(ddout) > 1 else ddout[0]()), dx, None
