"""Resampling of sequences, images and volumes."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.errors import show

from .registry import operator

_MODES = {"nearest": (3, 4, 5), "nearest-exact": (3, 4, 5), "linear": (3,), "bilinear": (4,),
          "bicubic": (4,), "trilinear": (5,), "area": (3, 4, 5)}


@operator(hidden=True, grad="torch", onnx="Resize",
          samples=[((2, 3, 4, 5), {"size": (8, 10), "mode": "bilinear"}),
                   ((2, 3, 4, 5), {"size": (7, 6), "mode": "nearest"}),
                   ((2, 3, 4, 5), {"size": (7, 6), "mode": "bicubic", "align_corners": True}),
                   ((2, 3, 4, 5), {"size": (2, 2), "mode": "area"}),
                   ((1, 2, 3, 4, 5), {"size": (5, 6, 7), "mode": "trilinear"}),
                   ((1, 2, 5), {"size": (9,), "mode": "linear"})])
def resample(x, *, size, mode, align_corners=False, scales=None):
    """`x` (N, C, *) resampled to the spatial extents `size`.

    Coordinates are scaled by the ratio of the extents, or by `scales` if given.
    """
    corners = bool(align_corners) if mode in ("linear", "bilinear", "bicubic", "trilinear") else None
    if scales is not None:
        return torch.nn.functional.interpolate(x, scale_factor=list(scales), mode=mode,
                                               align_corners=corners, recompute_scale_factor=False)
    return torch.nn.functional.interpolate(x, size, mode=mode, align_corners=corners)


@resample.shape
def _(x: Aval, *, size, mode, align_corners=False, scales=None) -> Aval:
    ranks = _MODES.get(mode)
    if ranks is None or len(x.shape) not in ranks:
        raise ValueError(f"For 'Resize', the mode must be one of {list(_MODES)} and fit the rank of the "
                         f"input {show(x)}, but got {mode!r}.")
    if len(size) != len(x.shape) - 2 or min(size) < 1:
        raise ValueError(f"For 'Resize', the size must hold a positive int per spatial axis of the input "
                         f"{show(x)}, but got {tuple(size)}.")
    return Aval((*x.shape[:2], *size), x.dtype)


def _places(extent: int, size: int, align_corners: bool, half_pixel: bool,
            device: torch.device) -> torch.Tensor:
    """Where the samples of an axis lie in the input, as float coordinates."""
    at = torch.arange(size, dtype=torch.float32, device=device)
    if align_corners and size > 1:
        return at * ((extent - 1) / (size - 1))
    scale = extent / size
    return (at + 0.5) * scale - 0.5 if half_pixel else at * scale


@operator(hidden=True, samples=[((2, 3, 4, 5), {"size": (8, 7)}),
                                ((2, 3, 4, 5), {"size": (3, 7), "align_corners": True})])
def sample_nearest(x, *, size, align_corners=False, half_pixel=False):
    """The elements of images `x` (N, C, H, W) that are nearest to the places of `size` samples."""
    rows, columns = [_nearest(e, s, align_corners, half_pixel, x.device)
                     for e, s in zip(x.shape[2:], size, strict=True)]
    return x[:, :, rows[:, None], columns]


def _nearest(extent: int, size: int, align_corners: bool, half_pixel: bool,
             device: torch.device) -> torch.Tensor:
    at = _places(extent, size, align_corners, False, device)
    if half_pixel:
        at = (torch.arange(size, dtype=torch.float32, device=device) + 0.5) * (extent / size)
    chosen = (at + 0.5).floor() if align_corners else at.floor()
    return chosen.long().clamp_(0, extent - 1)


def _sized(x: Aval, size: Any) -> Aval:
    if len(x.shape) != 4 or len(size) != 2 or min(size) < 1:
        raise ValueError(f"For 'Resize', the input must be (N, C, H, W) and the size two positive ints, "
                         f"but got {show(x)} and {tuple(size)}.")
    return Aval((*x.shape[:2], *size), x.dtype)


@sample_nearest.shape
def _(x: Aval, *, size, align_corners=False, half_pixel=False) -> Aval:
    return _sized(x, size)


@sample_nearest.grad(needs="x")
def _(x, dout, **attrs):
    return sample_nearest_grad(dout, x, **attrs),


@operator(hidden=True, samples=[])
def sample_nearest_grad(dout, x, *, size, align_corners=False, half_pixel=False):
    """The sum of `dout` over the samples of each element; of `x` only the shape matters."""
    rows, columns = [_nearest(e, s, align_corners, half_pixel, x.device)
                     for e, s in zip(x.shape[2:], size, strict=True)]
    flat = (rows[:, None] * x.shape[3] + columns).reshape(-1)
    dx = dout.new_zeros((*x.shape[:2], x.shape[2] * x.shape[3]))
    return dx.index_add_(2, flat, dout.flatten(2)).reshape(x.shape)


@sample_nearest_grad.shape
def _(dout: Aval, x: Aval, **_: Any) -> Aval:
    return x


@sample_nearest_grad.grad(needs="")
def _(d, **attrs):
    return sample_nearest(d, **attrs), None


@operator(hidden=True, samples=[((2, 3, 4, 5), {"size": (8, 7)}),
                                ((2, 3, 4, 5), {"size": (3, 7), "align_corners": True}),
                                ((2, 3, 4, 5), {"size": (3, 7), "half_pixel": True})])
def sample_bilinear(x, *, size, align_corners=False, half_pixel=False):
    """Images `x` (N, C, H, W) interpolated linearly at the places of `size` samples."""
    for axis, extent in ((2, size[0]), (3, size[1])):
        x = torch.movedim(torch.tensordot(x, _weights(x, axis, extent, align_corners, half_pixel),
                                          dims=([axis], [1])), -1, axis)
    return x


def _weights(x: torch.Tensor, axis: int, size: int, align_corners: bool,
             half_pixel: bool) -> torch.Tensor:
    """The matrix (size, extent) whose rows interpolate between two neighbours."""
    extent = x.shape[axis]
    at = _places(extent, size, align_corners, half_pixel, x.device).clamp_(0, extent - 1)
    low = at.floor().long()
    high = (low + 1).clamp_(max=extent - 1)
    part = (at - low).to(x.dtype)
    rows = torch.arange(size, device=x.device)
    matrix = torch.zeros((size, extent), dtype=x.dtype, device=x.device)
    matrix.index_put_((rows, low), 1 - part, accumulate=True)
    return matrix.index_put_((rows, high), part, accumulate=True)


@sample_bilinear.shape
def _(x: Aval, *, size, align_corners=False, half_pixel=False) -> Aval:
    return _sized(x, size)


@sample_bilinear.grad(needs="x")
def _(x, dout, **attrs):
    return sample_bilinear_grad(dout, x, **attrs),


@operator(hidden=True, samples=[])
def sample_bilinear_grad(dout, x, *, size, align_corners=False, half_pixel=False):
    """The cotangent of the images; of `x` only the shape matters."""
    for axis, extent in ((2, size[0]), (3, size[1])):
        matrix = _weights(x, axis, extent, align_corners, half_pixel).to(dout.dtype)
        dout = torch.movedim(torch.tensordot(dout, matrix, dims=([axis], [0])), -1, axis)
    return dout


@sample_bilinear_grad.shape
def _(dout: Aval, x: Aval, **_: Any) -> Aval:
    return x


@sample_bilinear_grad.grad(needs="")
def _(d, **attrs):
    return sample_bilinear(d, **attrs), None
