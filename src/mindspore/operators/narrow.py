"""Small convolutions of few channels as products of matrices, with the samples innermost in memory.

oneDNN fills its vectors with channels.  Where those are few, as in LeNet with 1, 6 and 16 of them, most
of a vector stays empty: the cotangent of an input of 6 channels takes twice as long as here, and what
follows, pooling above all, suffers likewise.  So here a vector holds samples.  Images (N, C, H, W) lie as
(C, H, W, N).  What a weight's element (c, i, j) meets in all windows is a row of a matrix that copies in
runs of rows of images, and the convolution is the product of the weight (O, C * kh * kw) with that matrix
(Chellapilla, Puri and Simard, High performance convolutional neural networks for document processing, 2006).
The pass `narrow_convolutions` puts these operators in place of the general ones.

Strides and dilations are 1.  `padding` holds one number per spatial axis, or two (begin, end) per axis.
"""
from __future__ import annotations

from typing import Any

import torch
from torch._C import _nn  # pyright: ignore[reportAttributeAccessIssue]  # kept private

from mindspore.compiler.ir import Aval

from .registry import operator

_pad = _nn.pad


def samples_innermost(x: torch.Tensor) -> bool:
    """Whether images (N, C, H, W) lie as (C, H, W, N)."""
    return x.dim() == 4 and x.stride(0) == 1 and x.shape[0] > 1 and x.permute(1, 2, 3, 0).is_contiguous()


def planes(x: torch.Tensor) -> torch.Tensor:
    """Images (N, C, H, W) as contiguous (C, H, W, N)."""
    if samples_innermost(x):
        return x.permute(1, 2, 3, 0)
    n, c, h, w = x.shape
    return x.reshape(n, -1).t().contiguous().view(c, h, w, n)        # torch's copy of two axes is blocked


def _ends(padding: Any) -> list[int]:
    """Top, bottom, left, right."""
    return list(padding) if len(padding) == 4 else [padding[0], padding[0], padding[1], padding[1]]


@operator(hidden=True, samples=[((16, 2, 5, 4), {"window": (3, 2), "padding": (1, 0, 2, 1)})])
def sample_windows(x, *, window, padding):
    """The windows of padded images (N, C, H, W) as a matrix (C * kh * kw, oh * ow * N)."""
    x = planes(x)
    if any(padding):
        top, bottom, left, right = _ends(padding)
        x = _pad(x, [0, 0, left, right, top, bottom])
    (c, h, w, n), (kh, kw) = x.shape, window
    plane, line = x.stride()[:2]
    run = (w - kw + 1) * n
    view = x.as_strided((c, kh, kw, h - kh + 1, run), (plane, line, n, line, 1))
    return view.contiguous().view(c * kh * kw, -1)


@sample_windows.shape
def _(x: Aval, *, window, padding) -> Aval:
    top, bottom, left, right = _ends(padding)
    n, c, h, w = x.shape
    places = (h + top + bottom - window[0] + 1) * (w + left + right - window[1] + 1)
    return Aval((c * window[0] * window[1], places * n), x.dtype)


def _cost(windows: Aval, outputs: int) -> int:
    return 2 * outputs * windows.shape[0] * windows.shape[1]


@operator(hidden=True, samples=[((12, 60), (3, 2, 3, 2), (3,), {"shape": (5, 3, 4, 3)})])
def convolve_windows(windows, w, b=None, *, shape):
    """The convolution of images that are given as `windows`; its result (N, O, oh, ow) has that shape."""
    n, o, oh, ow = shape
    y = torch.mm(w.reshape(o, -1), windows)
    if b is not None:
        y += b.view(-1, 1)
    return y.view(o, oh, ow, n).permute(3, 0, 1, 2)


@convolve_windows.shape
def _(windows: Aval, w: Aval, b: Aval | None = None, *, shape) -> Aval:
    return Aval(shape, windows.dtype)


@convolve_windows.cost
def _(windows: Aval, w: Aval, b: Aval | None = None, *, shape) -> int:
    return _cost(windows, w.shape[0])


@operator(hidden=True, samples=[((5, 3, 4, 3), (12, 60), (3, 2, 3, 2))])
def windows_weight_grad(dout, windows, w):
    """The cotangent of the weight `w`, of which only shape and layout matter."""
    dw = torch.mm(planes(dout).view(w.shape[0], -1), windows.t()).view(w.shape)
    return dw if w.is_contiguous() else torch.empty_like(w).copy_(dw)


@windows_weight_grad.shape
def _(dout: Aval, windows: Aval, w: Aval) -> Aval:
    return w


@windows_weight_grad.cost
def _(dout: Aval, windows: Aval, w: Aval) -> int:
    return _cost(windows, w.shape[0])


@operator(hidden=True, samples=[((5, 3, 4, 3), (12, 60), (3, 2, 3, 2))])
def windows_affine_grad(dout, windows, w):
    """The cotangents of weight and bias."""
    return windows_weight_grad.kernel(dout, windows, w), planes(dout).view(w.shape[0], -1).sum(1)


@windows_affine_grad.shape
def _(dout: Aval, windows: Aval, w: Aval):
    return w, Aval((w.shape[0],), w.dtype)


@windows_affine_grad.cost
def _(dout: Aval, windows: Aval, w: Aval) -> int:
    return _cost(windows, w.shape[0])


@operator(hidden=True, samples=[((5, 3, 4, 3), (3, 2, 3, 2), {"shape": (5, 2, 5, 1), "padding": (1, 0, 2, 1)})])
def windows_input_grad(dout, w, *, shape, padding):
    """The cotangent of the input of a convolution, which has that shape.

    One product per row of the weight adds what windows hand back to the rows of the images; then the
    columns of the windows are added where they came from.
    """
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
def _(dout: Aval, w: Aval, *, shape, padding) -> Aval:
    return Aval(shape, dout.dtype)


@windows_input_grad.cost
def _(dout: Aval, w: Aval, *, shape, padding) -> int:
    n, o, oh, ow = dout.shape
    return 2 * n * oh * ow * o * w.shape[1] * w.shape[2] * w.shape[3]
