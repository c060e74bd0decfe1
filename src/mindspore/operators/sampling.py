"""Patches of images, and samples of images at computed places."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import rank_of
from .registry import operator
from .rules import floating
from .samples import between
from .traits import STRICT
from .values import Ints, Value

aten = torch.ops.aten
INTERPOLATIONS = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")


def blocks(extent: int, window: int, dilation: int, padding: int, stride: int) -> int:
    """How many patches lie along an axis."""
    return (extent + 2 * padding - dilation * (window - 1) - 1) // stride + 1


def _gridded(axes: int) -> str:
    """Labels of images and a grid: every place is sampled by itself."""
    x, out = [" ".join([f"{name}{i}{mark}" for i in range(axes)]) for name, mark in (("s", "!"), ("o", ""))]
    return f"n c {x}, n {out} axes! -> n c {out}"


@operator(hidden=True, samples=[((2, 3, 4, 5), {"window": (2, 2)}),
                                ((2, 3, 4, 5), {"window": (2, 3), "padding": (1, 0), "stride": (2, 1)})],
          traits=(STRICT,),             # torch's kernel counts windows beyond 64 bits as none
          dims=lambda x, window, dilation, padding, stride: f"n c h! w! -> n (c k={window[0] * window[1]}!) p!")
def image_to_columns(x: Tensor, *, window: Ints, dilation: Ints = (1, 1), padding: Ints = (0, 0),
                     stride: Ints = (1, 1)):
    """The patches of images (N, C, H, W) as columns (N, C * window, places)."""
    if x.is_floating_point() or x.is_complex():
        return aten.im2col.default(x, window, dilation, padding, stride)
    x = torch.nn.functional.pad(x, (padding[1], padding[1], padding[0], padding[0]))
    h, w = [blocks(n, k, d, 0, s) for n, k, d, s in zip(x.shape[2:], window, dilation, stride, strict=True)]
    patches = [x[:, :, i * dilation[0]:, j * dilation[1]:][:, :, ::stride[0], ::stride[1]][:, :, :h, :w]
               for i in range(window[0]) for j in range(window[1])]
    return torch.stack(patches, 2).reshape(x.shape[0], -1, h * w)


@image_to_columns.shape
def _(x: Aval, *, window: Ints, dilation: Ints = (1, 1), padding: Ints = (0, 0), stride: Ints = (1, 1)) -> Aval:
    if len(x.shape) != 4:
        raise ValueError(f"For 'unfold', the input must be (N, C, H, W), but got {show(x)}.")
    places = [blocks(*v) for v in zip(x.shape[2:], window, dilation, padding, stride, strict=True)]
    if min(places) < 1:
        raise ValueError(f"For 'unfold', the window {window} does not fit the input {show(x)}.")
    return Aval((x.shape[0], x.shape[1] * window[0] * window[1], places[0] * places[1]), x.dtype)


@image_to_columns.grad(needs="x.aval")
def _(x: Aval, dout: Value, **attrs: Any):
    return columns_to_image(dout, size=tuple(x.shape[2:]), **attrs),


@operator(hidden=True, samples=[((2, 12, 12), {"size": (4, 5), "window": (2, 2)})],
          dims=lambda x, size, window, dilation, padding, stride: f"n (c k={window[0] * window[1]}!) p! -> n c h! w!")
def columns_to_image(x: Tensor, *, size: Ints, window: Ints, dilation: Ints = (1, 1), padding: Ints = (0, 0),
                     stride: Ints = (1, 1)):
    """The sum of the patches in columns (N, C * window, places), each at its place in an image."""
    return aten.col2im.default(x, size, window, dilation, padding, stride)


@columns_to_image.shape
def _(x: Aval, *, size: Ints, window: Ints, dilation: Ints = (1, 1), padding: Ints = (0, 0),
      stride: Ints = (1, 1)) -> Aval:
    area = window[0] * window[1]
    places = [blocks(*v) for v in zip(size, window, dilation, padding, stride, strict=True)]
    if len(x.shape) != 3 or x.shape[1] % area or x.shape[2] != places[0] * places[1]:
        raise ValueError(f"For 'fold', the input must be (N, C * {area}, {places[0] * places[1]}) for an "
                         f"image of size {tuple(size)}, but got {show(x)}.")
    return Aval((x.shape[0], x.shape[1] // area, *size), x.dtype)


@columns_to_image.grad(needs="")
def _(dout: Value, *, size: Ints, **attrs: Any):
    return image_to_columns(dout, **attrs),


@operator(hidden=True, grad="torch",
          samples=[((2, 3, 4, 5), between(-0.9, 0.9, 2, 3, 3, 2)),
                   ((1, 2, 3, 3, 3), between(-0.9, 0.9, 1, 2, 2, 2, 3), {"padding": "border"})],
          dims=lambda x, grid, mode="", padding="", align_corners=False: _gridded(rank_of(x) - 2))
def grid_sample(x: Tensor, grid: Tensor, *, mode: str = "bilinear", padding: str = "zeros",
                align_corners: bool = False):
    """`x` (N, C, *) at the places of a grid (N, *, axes) with coordinates from -1 to 1, last axis first.

    Jaderberg et al. 2015.
    """
    sampler = torch.grid_sampler_2d if x.dim() == 4 else torch.grid_sampler_3d
    numbers = {"bilinear": 0, "nearest": 1, "bicubic": 2}, {"zeros": 0, "border": 1, "reflection": 2}
    return sampler(x, grid, numbers[0][mode], numbers[1][padding], align_corners)


@grid_sample.shape
def _(x: Aval, grid: Aval, *, mode: str = "bilinear", padding: str = "zeros", align_corners: bool = False) -> Aval:
    floating("grid_sample")(x)
    rank = len(x.shape)
    if rank not in (4, 5) or len(grid.shape) != rank or grid.shape[-1] != rank - 2 or (
            grid.shape[0] != x.shape[0]):
        raise ValueError(f"For 'grid_sample', the input must be (N, C, *) with two or three axes * and the "
                         f"grid (N, *, number of axes), but got {show(x)} and {show(grid)}.")
    return Aval((*x.shape[:2], *grid.shape[1:-1]), x.dtype)


@operator(hidden=True, grad="torch", samples=[((2, 2, 3), {"size": (2, 1, 3, 4)})],
          dims="n a! b!; size=n c! ...! -> n ...! a!")
def affine_grid(theta: Tensor, *, size: Ints, align_corners: bool = False):
    """The grid at which `theta` (N, axes, axes + 1) places the elements of a tensor of that size."""
    if not theta.is_floating_point():
        raise TypeError(f"For 'affine_grid', 'theta' must be a floating-point tensor, but got {theta.dtype}.")
    return torch.nn.functional.affine_grid(theta, list(size), align_corners)


@affine_grid.shape
def _(theta: Aval, *, size: Ints, align_corners: bool = False) -> Aval:
    floating("affine_grid")(theta)
    axes = len(size) - 2
    if theta.shape != (size[0], axes, axes + 1):
        raise ValueError(f"For 'affine_grid', 'theta' must be ({size[0]}, {axes}, {axes + 1}) for the size "
                         f"{tuple(size)}, but got {show(theta)}.")
    return Aval((size[0], *size[2:], axes), theta.dtype)


# ---------------------------------------------------------------------- regions

def _bilinear(images: torch.Tensor, y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Images (R, C, H, W) at places y (R, P) and x (R, Q) inside them: (R, C, P, Q)."""
    h, w = images.shape[2:]
    rows = torch.zeros((*y.shape, h), dtype=images.dtype, device=images.device)
    columns = torch.zeros((*x.shape, w), dtype=images.dtype, device=images.device)
    for matrix, at, extent in ((rows, y, h), (columns, x, w)):
        low = at.floor().clamp(0, extent - 1)
        part = (at - low).clamp(0, 1).to(images.dtype)
        matrix.scatter_add_(2, low.long()[..., None], (1 - part)[..., None])
        matrix.scatter_add_(2, (low + 1).clamp(max=extent - 1).long()[..., None], part[..., None])
    return torch.einsum("rph,rchw,rqw->rcpq", rows, images, columns)


@operator(hidden=True, grad="torch", samples=[], dims="n! h! w! c, b four!, b -> b y! x! c")
def crop_and_resize(image: Tensor, boxes: Tensor, box_indices: Tensor, *, size: Ints, method: str = "bilinear",
                    extrapolation: float = 0.0):
    """Regions of images (N, H, W, C), each resized to `size`: (boxes, *size, C).

    A box is (y1, x1, y2, x2) in units of the image; places outside it have the extrapolation value.
    """
    _, h, w, _ = image.shape
    chosen = image.permute(0, 3, 1, 2)[box_indices.long()]
    if chosen.dtype not in (torch.float32, torch.float64):
        chosen = chosen.float()
    ys = _spaced(boxes[:, 0], boxes[:, 2], h, size[0])
    xs = _spaced(boxes[:, 1], boxes[:, 3], w, size[1])
    inside = ((ys >= 0) & (ys <= h - 1))[:, :, None] & ((xs >= 0) & (xs <= w - 1))[:, None, :]
    if method == "nearest":
        ys, xs = (ys + 0.5).floor(), (xs + 0.5).floor()
    crops = _bilinear(chosen, ys.clamp(0, h - 1), xs.clamp(0, w - 1)).permute(0, 2, 3, 1)
    return torch.where(inside[..., None], crops.float(), extrapolation)


@crop_and_resize.shape
def _(image: Aval, boxes: Aval, box_indices: Aval, *, size: Ints, method: str = "bilinear",
      extrapolation: float = 0.0) -> Aval:
    if len(image.shape) != 4 or len(boxes.shape) != 2 or boxes.shape[1] != 4 or (
            box_indices.shape != boxes.shape[:1]):
        raise ValueError(f"For 'CropAndResize', the images must be (N, H, W, C), the boxes (B, 4) and their "
                         f"indices (B,), but got {show(image)}, {show(boxes)} and {show(box_indices)}.")
    return Aval((boxes.shape[0], *size, image.shape[3]), float32)


def _spaced(begin: torch.Tensor, end: torch.Tensor, extent: int, count: int) -> torch.Tensor:
    if count == 1:
        return (0.5 * (begin + end) * (extent - 1))[:, None]
    step = (end - begin) * (extent - 1) / (count - 1)
    return begin[:, None] * (extent - 1) + torch.arange(count, device=begin.device) * step[:, None]


@operator(hidden=True, grad="torch", samples=[], dims="n! c h! w!, r five! -> r c y! x!")
def roi_align(features: Tensor, rois: Tensor, *, pooled: Ints, scale: float, samples: int = 2, end_mode: int = 1):
    """The mean of bilinear samples in the cells of regions (image, x1, y1, x2, y2); He et al. 2017."""
    outputs: list[Tensor] = []
    for roi in rois.detach():          # the derivative is that of the features alone, as in the original
        x1, y1, x2, y2 = [float(v) * scale for v in roi[1:]]
        if end_mode == 1:               # the last pixel belongs to the region, which may be of any size
            high, wide = y2 - y1 + scale, x2 - x1 + scale
        else:
            high, wide = max(y2 - y1, 1.0), max(x2 - x1, 1.0)
        image = features[int(roi[0])][None]
        ys, ny = _cell_places(y1, high, pooled[0], samples)
        xs, nx = _cell_places(x1, wide, pooled[1], samples)
        values = _at(image, ys, xs)[0]
        cells = values.reshape(-1, pooled[0], ny, pooled[1], nx).mean((2, 4))
        outputs.append(cells)
    return torch.stack(outputs) if outputs else features.new_zeros((0, features.shape[1], *pooled))


def _cell_places(begin: float, length: float, cells: int, samples: int) -> tuple[torch.Tensor, int]:
    """Where the samples of the cells lie, and how many there are per cell."""
    count = samples if samples > 0 else max(1, int(length / cells))
    step = length / cells
    within = (torch.arange(count) + 0.5) / count
    return (begin + (torch.arange(cells)[:, None] + within) * step).reshape(-1), count


def _at(image: torch.Tensor, y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    h, w = image.shape[2:]
    y, x = y.to(image.device), x.to(image.device)
    inside = ((y >= -1) & (y <= h))[:, None] & ((x >= -1) & (x <= w))
    values = _bilinear(image, y.clamp(0, h - 1)[None], x.clamp(0, w - 1)[None])
    return values * inside.to(image.dtype)


@roi_align.shape
def _(features: Aval, rois: Aval, *, pooled: Ints, scale: float, samples: int = 2, end_mode: int = 1) -> Aval:
    if len(features.shape) != 4 or len(rois.shape) != 2 or rois.shape[1] != 5:
        raise ValueError(f"For 'ROIAlign', the features must be (N, C, H, W) and the regions (R, 5), but "
                         f"got {show(features)} and {show(rois)}.")
    return Aval((rois.shape[0], features.shape[1], *pooled), features.dtype)
