"""Samples of images at places that are moved by offsets, and means of regions that depend on the position."""
from __future__ import annotations

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .rules import floating
from .samples import between
from .sampling import blocks
from .values import Ints


def _bilinear(images: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """Images (B, C, H, W) at places y and x (B, P): (B, C, P); zeros outside."""
    h, w = images.shape[2:]
    lines = images.flatten(2)
    total = images.new_zeros((*images.shape[:2], y.shape[1]))
    top, left = y.floor(), x.floor()
    for rows in (top, top + 1):
        for columns in (left, left + 1):
            inside = (rows >= 0) & (rows < h) & (columns >= 0) & (columns < w)
            share = (1 - (y - rows).abs()) * (1 - (x - columns).abs()) * inside
            at = (rows.clamp(0, h - 1) * w + columns.clamp(0, w - 1)).long()
            found = lines.gather(2, at[:, None].expand(-1, lines.shape[1], -1))
            total = total + found * share[:, None]
    return total


def _steps(like: Tensor, count: int) -> Tensor:
    return torch.arange(count, dtype=like.dtype, device=like.device)


@operator(hidden=True, grad="torch", dims=whole("places depend on offsets"),
          samples=[((2, 2, 4, 4), between(-0.4, 0.4, 2, 12, 3, 3), {"window": (2, 2)}),
                   ((1, 4, 4, 5), between(-0.4, 0.4, 1, 12, 2, 5), {"window": (2, 1), "groups": 2, "stride": (2, 1),
                                                                    "padding": (0, 1, 0, 0)})])
def deformable_samples(x: Tensor, offsets: Tensor, *, window: Ints, stride: Ints = (1, 1),
                       padding: Ints = (0, 0, 0, 0), dilation: Ints = (1, 1), groups: int = 1, modulated: bool = True):
    """The elements of the windows of images (N, C, H, W), each moved by its offset: (N, C, h * kh, w * kw).

    `offsets` are (N, 3 * groups * kh * kw, h, w): along x, along y, and factors; 2 * ... without factors. Dai et al.
    2017, Zhu et al. 2019.
    """
    n, c = x.shape[:2]
    kh, kw = window
    h, w = offsets.shape[2:]
    parts = offsets.reshape(n, 3 if modulated else 2, groups, kh, kw, h, w)
    i, j = [_steps(offsets, k) * d for k, d in zip(window, dilation, strict=True)]
    rows, columns = [_steps(offsets, m) * s - p
                     for m, s, p in zip((h, w), stride, (padding[0], padding[2]), strict=True)]
    y = parts[:, 1] + rows[:, None] + i[:, None, None, None]
    at = parts[:, 0] + columns + j[:, None, None]
    flat = n * groups
    found = _bilinear(x.reshape(flat, c // groups, *x.shape[2:]), y.reshape(flat, -1), at.reshape(flat, -1))
    found = found.reshape(n, groups, c // groups, kh, kw, h, w)
    if modulated:
        found = found * parts[:, 2, :, None]
    return found.reshape(n, c, kh, kw, h, w).permute(0, 1, 4, 2, 5, 3).reshape(n, c, h * kh, w * kw)


@deformable_samples.shape
def _(x: Aval, offsets: Aval, *, window: Ints, stride: Ints = (1, 1), padding: Ints = (0, 0, 0, 0),
      dilation: Ints = (1, 1), groups: int = 1, modulated: bool = True) -> Aval:
    name = "DeformableOffsets"
    floating(name)(x)
    if len(x.shape) != 4 or len(offsets.shape) != 4 or x.shape[1] % groups:
        raise ValueError(f"For '{name}', the input must be (N, C, H, W) with a multiple of {groups} channels and the "
                         f"offsets (N, *, h, w), but got {show(x)} and {show(offsets)}.")
    ends = (padding[0] + padding[1], padding[2] + padding[3])
    places = tuple([blocks(e + p, k, d, 0, s) for e, p, k, d, s
                    in zip(x.shape[2:], ends, window, dilation, stride, strict=True)])
    wanted = (x.shape[0], (3 if modulated else 2) * groups * window[0] * window[1], *places)
    if offsets.shape != wanted:
        raise ValueError(f"For '{name}', the offsets must be {wanted}, but got {show(offsets)}.")
    return Aval((*x.shape[:2], places[0] * window[0], places[1] * window[1]), x.dtype)


@operator(hidden=True, grad="torch", samples=[], dims=whole("regions may lie anywhere"))
def ps_roi_pool(x: Tensor, rois: Tensor, *, pooled: Ints, scale: float, channels: int, groups: int):
    """The means of the cells of regions (image, x1, y1, x2, y2), each of channels of its own; Dai et al. 2016.

    Cell (i, j) of channel c is of input channel (c * groups + gi) * groups + gj with gi = i * groups // height.
    """
    h, w = x.shape[2:]
    out: list[Tensor] = []
    for roi in rois:
        image = int(roi[0])
        x1, y1 = [float(torch.floor(v + 0.5)) * scale for v in roi[1:3]]
        x2, y2 = [float(torch.floor(v + 1.5)) * scale for v in roi[3:5]]
        high, wide = max(y2 - y1, 0.1) / pooled[0], max(x2 - x1, 0.1) / pooled[1]
        cells: list[Tensor] = []
        for i in range(pooled[0]):
            top, bottom = _span(y1, high, i, h)
            for j in range(pooled[1]):
                left, right = _span(x1, wide, j, w)
                row, column = i * groups // pooled[0], j * groups // pooled[1]
                mine = x[image, row * groups + column::groups * groups][:channels, top:bottom, left:right]
                cells.append(mine.mean((1, 2)) if mine.numel() else x.new_zeros(channels))
        out.append(torch.stack(cells, 1).reshape(channels, *pooled))
    return torch.stack(out) if out else x.new_zeros((0, channels, *pooled))


def _span(begin: float, step: float, i: int, extent: int) -> tuple[int, int]:
    """Where a cell begins and ends, within the image."""
    low = torch.tensor(begin + i * step, dtype=torch.float32).floor()
    high = torch.tensor(begin + (i + 1) * step, dtype=torch.float32).ceil()
    return int(low.clamp(0, extent)), int(high.clamp(0, extent))


@ps_roi_pool.shape
def _(x: Aval, rois: Aval, *, pooled: Ints, scale: float, channels: int, groups: int) -> Aval:
    if len(x.shape) != 4 or x.shape[1] != channels * groups * groups or len(rois.shape) != 2 or rois.shape[1] != 5:
        raise ValueError(f"For 'PsROIPooling', the input must be (N, {channels * groups * groups}, H, W) and the "
                         f"regions (R, 5), but got {show(x)} and {show(rois)}.")
    return Aval((rois.shape[0], channels, *pooled), x.dtype)

