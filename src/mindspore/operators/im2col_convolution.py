"""Small convolutions of few channels as products of matrices, with the samples innermost in memory.

oneDNN fills its vectors with channels.  Where those are few, as in LeNet with 1, 6 and 16 of them, most
of a vector stays empty: the cotangent of an input of 6 channels takes twice as long as here, and what
follows, pooling above all, suffers likewise.  So here a vector holds samples.  Images (N, C, H, W) lie as
(C, H, W, N).  What a weight's element (c, i, j) meets in all windows is a row of a matrix that copies in
runs of rows of images, and the convolution is the product of the weight (O, C * kh * kw) with that matrix
(Chellapilla, Puri and Simard, High performance convolutional neural networks for document processing, 2006).
The reverse takes the same matrix again.

`convolve` chooses, by shapes, dtype and threads: so both modes run the same kernels and give the same numbers.
Where several threads spin between kernels, oneDNN makes better use of them.
"""
from __future__ import annotations

import functools
from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.context import torch_device
from mindspore.core.dtype import float32
from mindspore.ir import Aval, symbolic
from mindspore.ir.runtime import runtime

from .convolution import convolution, convolution_input_grad, convolution_weight_grad
from .cpu_threads.number import alone
from .registry import operator
from .rules import once
from .stages import correlation
from .structure import broadcast_to, reshape
from .torch_private import is_of_slices, nn
from .traits import STREAMING
from .values import Ints, Value

_pad = nn.pad
_VECTOR = 8                  # floats
_SMALL = 16_000_000          # operations up to which threads of oneDNN do not help it
_COLOURS = 3                 # channels of images that a network is given, which need no cotangent

# Strides and dilations are 1.  `padding` holds one number per spatial axis, or two (begin, end) per axis.


# ---------------------------------------------------------------------- the choice

def convolve(x: Any, w: Any, b: Any = None, *, padding: Any, stride: Any = (1, 1), dilation: Any = (1, 1),
             groups: int = 1) -> Any:
    """The cross-correlation of `x` (N, C, *) with `w` (O, C / groups, *), plus `b`, by the faster kernels."""
    shapes = _shapes(x, w, b) if groups == 1 and runtime.casting is None and alone() else None
    if shapes and _narrow(*shapes, tuple(padding), tuple(stride), tuple(dilation)):
        if runtime.building is None:
            return convolve_samples(x, w, b, padding=tuple(padding))
        windows = sample_windows(x, window=shapes[1][2:], padding=tuple(padding))
        return convolve_windows(windows, x, w, b, padding=tuple(padding))
    return convolution(x, w, b, stride=stride, padding=padding, dilation=dilation, groups=groups)


def _shapes(x: Any, w: Any, b: Any) -> tuple[Any, Any] | None:
    """The shapes of images and weight, if they are known and such tensors may be multiplied on a CPU."""
    for t in (x, w) if b is None else (x, w, b):
        if getattr(t, "dtype", None) is not float32:
            return None
    images, weight = x.shape, w.shape
    if len(images) != 4 or len(weight) != 4 or symbolic((images, weight)) or torch_device().type != "cpu":
        return None
    return (images, weight) if b is None or b.shape == weight[:1] else None


@functools.lru_cache(maxsize=4096)
def _narrow(x: tuple[int, ...], w: tuple[int, ...], padding: tuple[int, ...], stride: tuple[int, ...],
            dilation: tuple[int, ...]) -> bool:
    """Whether products with windows are faster for images and a weight of those shapes."""
    o, c, kh, kw = w
    if x[1] != c or x[0] < 2 * _VECTOR or {*stride, *dilation} != {1} or min(padding) < 0 or min(kh, kw) == 1:
        return False
    shape = _convolved(x, w, padding)
    return min(shape) > 0 and bool(o % _VECTOR or (c % _VECTOR and c > _COLOURS)) and (
        2 * prod(w) * prod(shape) // o <= _SMALL)


def _ends(padding: Any) -> list[int]:
    """Top, bottom, left, right."""
    return list(padding) if len(padding) == 4 else [padding[0], padding[0], padding[1], padding[1]]


def _convolved(x: Any, w: Any, padding: Any) -> tuple[int, ...]:
    """The shape (N, O, oh, ow) of a result, from the shapes of images and weight."""
    top, bottom, left, right = _ends(padding)
    return x[0], w[0], x[2] + top + bottom - w[2] + 1, x[3] + left + right - w[3] + 1


# ---------------------------------------------------------------------- layout

def samples_innermost(x: torch.Tensor) -> bool:
    """Whether images (N, C, H, W) lie as (C, H, W, N)."""
    return x.dim() == 4 and x.stride(0) == 1 and x.shape[0] > 1 and x.permute(1, 2, 3, 0).is_contiguous()


def planes(x: torch.Tensor) -> torch.Tensor:
    """Images (N, C, H, W) as contiguous (C, H, W, N)."""
    if samples_innermost(x):
        return x.permute(1, 2, 3, 0)
    n, c, h, w = x.shape
    if x.stride(1) == 1 and c > 1:                                   # the channels innermost
        turned = x.permute(0, 2, 3, 1).reshape(n, -1).t().contiguous()
        return turned.view(h, w, c, n).permute(2, 0, 1, 3).contiguous()
    return x.reshape(n, -1).t().contiguous().view(c, h, w, n)        # torch's copy of two axes is blocked


# ---------------------------------------------------------------------- operators

def _dims(c: str, text: str) -> str:
    """Labels: {0} of windows, {1} of images, {2} of a weight, {3} of its convolution; `c` are the channels."""
    return text.format(f"({c} k!) (p! n)", f"n {c} h! w!", f"o {c} a! b!", "n o y! z!")


@operator(hidden=True, samples=[],
          dims=lambda x, window, padding: f"n c h! w! -> (c k={window[0] * window[1]}!) (p! n)",
          traits={STREAMING})
def sample_windows(x: Tensor, *, window: Ints, padding: Ints):
    """The windows of padded images (N, C, H, W) as a matrix (C * kh * kw, oh * ow * N)."""
    return _matrix(x, window, padding)


def _matrix(x: torch.Tensor, window: Any, padding: Any) -> torch.Tensor:
    x = planes(x)
    if any(padding):
        top, bottom, left, right = _ends(padding)
        x = _pad(x, [0, 0, left, right, top, bottom])
    (c, h, w, _), (kh, kw) = x.shape, window
    view = x.unfold(1, h - kh + 1, 1).unfold(2, w - kw + 1, 1)              # (c, kh, kw, n, oh, ow)
    return view.permute(0, 1, 2, 4, 5, 3).reshape(c * kh * kw, -1)


@sample_windows.shape
def _(x: Aval, *, window: Ints, padding: Ints) -> Aval:
    n, c, oh, ow = _convolved(x.shape, (x.shape[1], x.shape[1], *window), padding)
    return Aval((c * window[0] * window[1], oh * ow * n), x.dtype)


@sample_windows.grad(needs="")
def _(dout: Value, **_: Any):
    return None,             # what reaches the images comes from `convolve_windows`, which takes them, too


@operator(hidden=True, samples=[],
          dims=lambda windows, x, w, b=None, padding=(): _dims("c" if b is None else "c!", "{0}, {1}, {2}, o -> {3}"))
def convolve_windows(windows: Tensor, x: Tensor, w: Tensor, b: Tensor | None = None, *, padding: Ints):
    """The convolution of images `x`, of which only the shape matters, that are given as `windows`."""
    n, o, oh, ow = _convolved(x.shape, w.shape, padding)
    y = torch.mm(w.reshape(o, -1), windows)
    if b is not None:
        y = y + b.view(-1, 1) if _of_slices(b) else y.add_(b.view(-1, 1))
    return y.view(o, oh, ow, n).permute(3, 0, 1, 2)


def _of_slices(*tensors: torch.Tensor) -> bool:
    """Whether some tensor holds all slices of `vmap`; kernels that write into their own buffers cannot take it."""
    return any([is_of_slices(t) for t in tensors])


@convolve_windows.shape
def _(windows: Aval, x: Aval, w: Aval, b: Aval | None = None, *, padding: Ints) -> Aval:
    return Aval(_convolved(x.shape, w.shape, padding), x.dtype)


def _cost(windows: Aval, w: Aval) -> int:
    return 2 * w.shape[0] * windows.shape[0] * windows.shape[1]


convolve_windows.stage(lambda windows, x, w, b=None, padding=(): correlation(
    "result", (1, 2, 3)[:2 + (b is not None)], padding))


@convolve_windows.cost
def _(windows: Aval, x: Aval, w: Aval, b: Aval | None = None, *, padding: Ints) -> int:
    return _cost(windows, w)


@convolve_windows.grad(needs="windows x w b")
def _(windows: Value, x: Value, w: Value, b: Value | None, dout: Value, *, padding: Ints):
    def dx():
        return windows_input_grad(dout, x, w, padding=padding)
    if b is None:
        return None, dx, lambda: windows_weight_grad(dout, windows, x, w, padding=padding), None
    both = once(lambda: windows_affine_grad(dout, windows, x, w, padding=padding))
    return None, dx, lambda: both()[0], lambda: both()[1]


@operator(hidden=True, samples=[],
          dims=lambda x, w, b=None, padding=(): _dims("c" if b is None else "c!", "{1}, {2}, o -> {3}"))
def convolve_samples(x: Tensor, w: Tensor, b: Tensor | None = None, *, padding: Ints):
    """The convolution of images (PyNative mode), whose windows are not kept: often generated code does it without."""
    windows = _matrix(x, w.shape[2:], padding)
    return convolve_windows.kernel(windows, x, w, b, padding=padding)


@convolve_samples.shape
def _(x: Aval, w: Aval, b: Aval | None = None, *, padding: Ints) -> Aval:
    return Aval(_convolved(x.shape, w.shape, padding), x.dtype)


@convolve_samples.cost
def _(x: Aval, w: Aval, b: Aval | None = None, *, padding: Ints) -> int:
    return 2 * prod(w.shape[1:]) * prod(_convolved(x.shape, w.shape, padding))


convolve_samples.stage(lambda x, w, b=None, padding=(): correlation("result", (0, 1, 2)[:2 + (b is not None)], padding))


@convolve_samples.grad(needs="x w b")
def _(x: Value, w: Value, b: Value | None, dout: Value, *, padding: Ints):
    windows = once(lambda: sample_windows(x, window=tuple(w.shape[2:]), padding=padding))

    def dx():
        return windows_input_grad(dout, x, w, padding=padding)
    if b is None:
        return dx, lambda: windows_weight_grad(dout, windows(), x, w, padding=padding), None
    both = once(lambda: windows_affine_grad(dout, windows(), x, w, padding=padding))
    return dx, lambda: both()[0], lambda: both()[1]


@operator(hidden=True, samples=[],
          dims=lambda dout, windows, x, w, padding: _dims("c", "{3}, {0}, {1}, {2} -> {2}"))
def windows_weight_grad(dout: Tensor, windows: Tensor, x: Tensor, w: Tensor, *, padding: Ints):
    """The cotangent of the weight `w`, of which only shape and layout matter; `x` only takes part in the derivative."""
    dw = torch.mm(planes(dout).view(w.shape[0], -1), windows.t()).view(w.shape)
    return dw if _of_slices(dw, w) or w.is_contiguous() else torch.empty_like(w).copy_(dw)


@windows_weight_grad.shape
def _(dout: Aval, windows: Aval, x: Aval, w: Aval, *, padding: Ints) -> Aval:
    return w


windows_weight_grad.stage(lambda dout, windows, x, w, padding: correlation("weight", (0, 2), padding))


@windows_weight_grad.cost
def _(dout: Aval, windows: Aval, x: Aval, w: Aval, *, padding: Ints) -> int:
    return _cost(windows, w)


@windows_weight_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: Value, *, padding: Ints):
    return (lambda: convolve(x, d, padding=padding), None,
            lambda: convolution_input_grad(dout, x, d, padding=padding), None)


@operator(hidden=True, samples=[],
          dims=lambda dout, windows, x, w, padding: _dims("c!", "{3}, {0}, {1}, {2} -> {2}, o"))
def windows_affine_grad(dout: Tensor, windows: Tensor, x: Tensor, w: Tensor, *, padding: Ints):
    """The cotangents of weight and bias."""
    return (windows_weight_grad.kernel(dout, windows, x, w, padding=padding),
            planes(dout).view(w.shape[0], -1).sum(1))


@windows_affine_grad.shape
def _(dout: Aval, windows: Aval, x: Aval, w: Aval, *, padding: Ints):
    return w, Aval((w.shape[0],), w.dtype)


windows_affine_grad.stage(lambda dout, windows, x, w, padding: correlation("affine", (0, 2), padding))


@windows_affine_grad.cost
def _(dout: Aval, windows: Aval, x: Aval, w: Aval, *, padding: Ints) -> int:
    return _cost(windows, w)


@windows_affine_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: tuple[Value | None, ...], *, padding: Ints):
    dw, db = d

    def ddout():
        spread = None if db is None else broadcast_to(reshape(db, shape=(1, -1, 1, 1)), shape=tuple(dout.shape))
        if dw is None:
            return spread
        y = convolve(x, dw, padding=padding)
        return y if spread is None else y + spread
    return ddout, None, None if dw is None else lambda: convolution_input_grad(dout, x, dw, padding=padding), None


@operator(hidden=True, samples=[], dims=lambda dout, x, w, padding: _dims("c", "{3}, {1}, {2} -> {1}"))
def windows_input_grad(dout: Tensor, x: Tensor, w: Tensor, *, padding: Ints):
    """The cotangent of the input `x` of a convolution, of which only the shape matters.

    One product per row of the weight adds what windows hand back to the rows of the images; then the
    columns of the windows are added where they came from.
    """
    if _of_slices(dout, w):
        return convolution_input_grad.kernel(dout, x, w, padding=padding)
    dy = planes(dout)
    (o, c, kh, kw), (_, oh, ow, n) = w.shape, dy.shape
    h, wide, run = oh + kh - 1, ow + kw - 1, ow * n
    dy, taps = dy.view(o, -1), w.permute(2, 1, 3, 0).reshape(kh, c * kw, o).unbind()
    columns = torch.empty((c * kw, h * run), dtype=dy.dtype)
    torch.mm(taps[0], dy, out=columns.narrow(1, 0, oh * run))
    columns.narrow(1, oh * run, (kh - 1) * run).zero_()
    for i in range(1, kh):
        columns.narrow(1, i * run, oh * run).addmm_(taps[i], dy)
    columns = columns.view(c, kw, h, run)
    dx = torch.zeros((c, h, wide * n), dtype=dy.dtype)
    for j in range(kw):
        dx.narrow(2, j * n, run).add_(columns.select(1, j))
    top, bottom, left, right = _ends(padding)
    return dx.view(c, h, wide, n)[:, top:h - bottom, left:wide - right].contiguous().permute(3, 0, 1, 2)


@windows_input_grad.shape
def _(dout: Aval, x: Aval, w: Aval, *, padding: Ints) -> Aval:
    return x


windows_input_grad.stage(lambda dout, x, w, padding: correlation("input", (0, 2), padding))


@windows_input_grad.cost
def _(dout: Aval, x: Aval, w: Aval, *, padding: Ints) -> int:
    return 2 * prod(w.shape) * prod(dout.shape) // dout.shape[1]


@windows_input_grad.grad(needs="dout x w")
def _(dout: Value, x: Value, w: Value, d: Value, *, padding: Ints):
    return (lambda: convolve(d, w, padding=padding), None,
            lambda: convolution_weight_grad(dout, d, w, padding=padding))
