"""Resampling of sequences, images and volumes."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from . import torch_private
from .registry import operator
from .values import Ints, Value

_MODES = {"nearest": (3, 4, 5), "nearest-exact": (3, 4, 5), "linear": (3,), "bilinear": (4,),
          "bicubic": (4,), "trilinear": (5,), "area": (3, 4, 5)}


@operator(hidden=True, grad="torch",
          samples=[((2, 3, 4, 5), {"size": (8, 10), "mode": "bilinear"}),
                   ((2, 3, 4, 5), {"size": (7, 6), "mode": "nearest"}),
                   ((2, 3, 4, 5), {"size": (7, 6), "mode": "bicubic", "align_corners": True}),
                   ((2, 3, 4, 5), {"size": (2, 2), "mode": "area"}),
                   ((1, 2, 3, 4, 5), {"size": (5, 6, 7), "mode": "trilinear"}),
                   ((1, 2, 5), {"size": (9,), "mode": "linear"})], dims="n c ...! -> n c ...!")
def resample(x: Tensor, *, size: Ints, mode: str, align_corners: bool = False, scales: Any = None):
    """`x` (N, C, *) resampled to the spatial extents `size`.

    Coordinates are scaled by the ratio of the extents, or by `scales` if given.
    """
    corners = bool(align_corners) if mode in ("linear", "bilinear", "bicubic", "trilinear") else None
    if scales is not None:
        return torch.nn.functional.interpolate(x, scale_factor=list(scales), mode=mode,
                                               align_corners=corners, recompute_scale_factor=False)
    return torch.nn.functional.interpolate(x, size, mode=mode, align_corners=corners)


@resample.shape
def _(x: Aval, *, size: Ints, mode: str, align_corners: bool = False, scales: Any = None) -> Aval:
    ranks = _MODES.get(mode)
    if ranks is None or len(x.shape) not in ranks:
        raise ValueError(f"For 'Resize', the mode must be one of {list(_MODES)} and fit the rank of the "
                         f"input {show(x)}, but got {mode!r}.")
    if len(size) != len(x.shape) - 2 or any([n < 1 for n in size]):
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
                                ((2, 3, 4, 5), {"size": (3, 7), "align_corners": True})],
          dims="n c ...! -> n c ...!")
def sample_nearest(x: Tensor, *, size: Ints, align_corners: bool = False, half_pixel: bool = False):
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
    if len(x.shape) != 4 or len(size) != 2 or any([n < 1 for n in size]):
        raise ValueError(f"For 'Resize', the input must be (N, C, H, W) and the size two positive ints, "
                         f"but got {show(x)} and {tuple(size)}.")
    return Aval((*x.shape[:2], *size), x.dtype)


@sample_nearest.shape
def _(x: Aval, *, size: Ints, align_corners: bool = False, half_pixel: bool = False) -> Aval:
    return _sized(x, size)


@sample_nearest.grad(needs="x.aval")
def _(x: Aval, dout: Value, **attrs: Any):
    return sample_nearest_grad(dout, shape=x.shape, **attrs),


@operator(hidden=True, samples=[], dims="n c ...!; shape=n c ...! -> n c ...!")
def sample_nearest_grad(dout: Tensor, *, shape: Ints, size: Ints, align_corners: bool = False,
                        half_pixel: bool = False):
    """The sum of `dout` over the samples of each element."""
    rows, columns = [_nearest(e, s, align_corners, half_pixel, dout.device)
                     for e, s in zip(shape[2:], size, strict=True)]
    flat = (rows[:, None] * shape[3] + columns).reshape(-1)
    dx = dout.new_zeros((*shape[:2], shape[2] * shape[3]))
    return dx.index_add_(2, flat, dout.flatten(2)).reshape(shape)


@sample_nearest_grad.shape
def _(dout: Aval, *, shape: Ints, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


@sample_nearest_grad.grad(needs="")
def _(d: Value, *, shape: Ints, **attrs: Any):
    return sample_nearest(d, **attrs),


# ---------------------------------------------------------------------- weights per axis

def _matrix(kind: str, extent: int, size: int, align_corners: bool, half_pixel: bool,
            like: torch.Tensor) -> torch.Tensor:
    """The matrix (size, extent) whose rows make the samples of an axis from its elements."""
    if kind == "area":
        return _area_matrix(extent, size, align_corners, like)
    at = _places(extent, size, align_corners, half_pixel, like.device)
    low = at.floor()
    if kind == "linear":
        part = at.clamp(0, extent - 1) - low.clamp(0, extent - 1)
        taps = [(0, 1 - part), (1, part)]
    else:
        taps = _cubic_taps(at, low, extent, half_pixel)
    rows = torch.arange(size, device=like.device)
    matrix = torch.zeros((size, extent), dtype=torch.float32, device=like.device)
    for step, weight in taps:
        matrix.index_put_((rows, (low + step).clamp(0, extent - 1).long()), weight, accumulate=True)
    return matrix.to(like.dtype)


def _cubic_taps(at: torch.Tensor, low: torch.Tensor, extent: int,
                half_pixel: bool) -> list[tuple[int, torch.Tensor]]:
    """Keys' kernel, 1981, with distances in steps of 1 / 1024.

    Sharpness -1/2 and no weight outside the image for samples between pixels, else -3/4.
    """
    a = -0.5 if half_pixel else -0.75
    part = ((at - low) * 1024).round() / 1024
    taps: list[tuple[int, Tensor]] = []
    for step in (-1, 0, 1, 2):
        d = (part - step).abs()
        near = ((a + 2) * d - (a + 3)) * d * d + 1
        far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        taps.append((step, torch.where(d <= 1, near, far)))
    if half_pixel:
        inside = [(s, torch.where((low + s >= 0) & (low + s < extent), w, 0)) for s, w in taps]
        total = sum(w for _, w in inside)
        taps = [(s, w / total) for s, w in inside]
    return taps


def _area_matrix(extent: int, size: int, align_corners: bool, like: torch.Tensor) -> torch.Tensor:
    """Each sample is the mean over the part of the axis that it covers."""
    scale = (extent - 1) / (size - 1) if align_corners and size > 1 else extent / size
    matrix = torch.zeros((size, extent), dtype=torch.float32)
    for i in range(size):
        begin, end = i * scale, (i + 1) * scale
        for j in range(int(begin), -int(-end // 1)):
            overlap = min(end, j + 1) - max(begin, j)
            matrix[i, min(j, extent - 1)] += max(overlap, 0.0) / scale
    return matrix.to(device=like.device, dtype=like.dtype)


@operator(hidden=True, samples=[((2, 3, 4, 5), {"size": (8, 7)}),
                                ((2, 3, 4, 5), {"size": (3, 7), "align_corners": True}),
                                ((2, 3, 4, 5), {"size": (3, 7), "kind": "cubic", "half_pixel": True}),
                                ((2, 3, 4, 5), {"size": (3, 7), "kind": "area"})],
          dims="n c ...! -> n c ...!")
def sample_separable(x: Tensor, *, size: Ints, kind: str = "linear", align_corners: bool = False,
                     half_pixel: bool = False):
    """Images `x` (N, C, H, W) sampled at `size` places, by weights per row and per column."""
    for axis, extent in ((2, size[0]), (3, size[1])):
        matrix = _matrix(kind, x.shape[axis], extent, align_corners, half_pixel, x)
        x = _weighted(x, matrix, axis, 1)
    return x


@sample_separable.shape
def _(x: Aval, *, size: Ints, kind: str = "linear", align_corners: bool = False, half_pixel: bool = False) -> Aval:
    return _sized(x, size)


@sample_separable.grad(needs="x.aval")
def _(x: Aval, dout: Value, **attrs: Any):
    return sample_separable_grad(dout, shape=x.shape, **attrs),


@operator(hidden=True, samples=[], dims="n c ...!; shape=n c ...! -> n c ...!")
def sample_separable_grad(dout: Tensor, *, shape: Ints, size: Ints, kind: str = "linear", align_corners: bool = False,
                          half_pixel: bool = False):
    """The cotangent of the images."""
    for axis, extent in ((2, size[0]), (3, size[1])):
        matrix = _matrix(kind, shape[axis], extent, align_corners, half_pixel, dout)
        dout = _weighted(dout, matrix, axis, 0)
    return dout


def _weighted(x: Tensor, matrix: Tensor, axis: int, side: int):
    """Sums of `x` along an axis, weighted by `matrix` along its axis `side`."""
    found = torch_private.tensordot(x, matrix, dims=([axis], [side]))
    return torch.movedim(found, -1, axis)


@sample_separable_grad.shape
def _(dout: Aval, *, shape: Ints, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


@sample_separable_grad.grad(needs="")
def _(d: Value, *, shape: Ints, **attrs: Any):
    return sample_separable(d, **attrs),
