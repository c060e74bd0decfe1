"""Images that are scaled and moved by weights, glimpses of images, and the boxes that remain of many of each class."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.ir import Aval

from .indexing import unknown_extent
from .labels import whole
from .registry import operator
from .torch_private import as_list
from .values import Ints


def _lanczos(radius: float) -> tuple[float, Callable[[Tensor], Tensor]]:
    def kernel(x: Tensor) -> Tensor:
        return torch.where(x.abs() > radius, 0.0, torch.sinc(x) * torch.sinc(x / radius))
    return radius, kernel


def _cubic(near: Callable[[Tensor], Tensor], far: Callable[[Tensor], Tensor]) -> tuple[float, Any]:
    def kernel(x: Tensor) -> Tensor:
        return torch.where(x < 1, near(x), torch.where(x < 2, far(x), 0.0))
    return 2.0, kernel


# the reach of a kernel and its values at distances that are not negative
KERNELS: dict[str, tuple[float, Callable[[Tensor], Tensor]]] = {
    "lanczos1": _lanczos(1.0), "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0),
    "gaussian": (1.5, lambda x: torch.where(x >= 1.5, 0.0, torch.exp(x * x * -2.0))),
    "box": (1.0, lambda x: torch.where(x < 0.5, 1.0, torch.where(x == 0.5, 0.5, 0.0))),
    "triangle": (1.0, lambda x: (1 - x).clamp(min=0)),
    "keyscubic": _cubic(lambda x: (1.5 * x - 2.5) * x * x + 1, lambda x: ((-0.5 * x + 2.5) * x - 4) * x + 2),
    "mitchellcubic": _cubic(lambda x: (7 / 6 * x - 2) * x * x + 8 / 9,
                            lambda x: ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9),
}


def _weights(extent: int, size: int, scale: Tensor, shift: Tensor, kind: str, antialias: bool) -> Tensor:
    """The weight of each of `extent` elements in each of `size` samples."""
    radius, kernel = KERNELS[kind]
    one = torch.ones((), device=scale.device)
    step = 1 / scale
    wide = torch.maximum(step, one) if antialias else one
    at = (torch.arange(size, device=scale.device) + 0.5) * step - shift * step
    places = torch.arange(extent, device=scale.device) + 0.5
    away = (places - at[:, None]).abs() * (1 / wide)
    weights = torch.where(away <= radius, kernel(away), 0.0)
    weights = torch.where(((at < 0) | (at > extent))[:, None], 0.0, weights)
    total = weights.sum(1, keepdim=True)
    return torch.where(total.abs() > 1000 * torch.finfo(torch.float32).tiny, weights / total, weights)


@operator(hidden=True, grad="torch", samples=[], dims=whole("any sample may lie anywhere in the images"))
def scale_translate(images: Tensor, scale: Tensor, translation: Tensor, *, size: Ints, kind: str = "lanczos3",
                    antialias: bool = True):
    """Images (N, H, W, C) sampled at `size` places, scaled and then moved; float32."""
    x = images.float()
    scale, translation = scale.detach().float(), translation.detach().float()
    for axis in (0, 1):
        weights = _weights(x.shape[axis + 1], size[axis], scale[axis], translation[axis], kind, antialias)
        x = torch.movedim(torch.movedim(x, axis + 1, -1) @ weights.T, -1, axis + 1)
    return x


@scale_translate.shape
def _(images: Aval, scale: Aval, translation: Aval, *, size: Ints, kind: str = "lanczos3",
      antialias: bool = True) -> Aval:
    if len(images.shape) != 4 or images.dtype.kind not in "iuf":
        raise ValueError(f"For 'ScaleAndTranslate', the 'images' must be numbers (N, H, W, C), but got {show(images)}.")
    for name, x in (("scale", scale), ("translation", translation)):
        if x.shape != (2,):
            raise ValueError(f"For 'ScaleAndTranslate', the '{name}' must have two elements, but got {show(x)}.")
    return Aval((images.shape[0], *size, images.shape[3]), float32)


@operator(hidden=True, grad="torch", samples=[], dims=whole("a glimpse may lie anywhere in its image"))
def glimpses(x: Tensor, offsets: Tensor, noise: Tensor, *, centered: bool = True, normalized: bool = True):
    """The part of each image (N, H, W, C) at its offset that has the size of `noise`, which is beside the image."""
    n, height, width, _ = x.shape
    lines: list[Tensor] = []
    inside: list[Tensor] = []
    for axis, (extent, count) in enumerate(((height, noise.shape[1]), (width, noise.shape[2]))):
        offset = offsets[:, axis].detach()
        if normalized:
            offset = offset * extent
        if centered:
            offset = (offset + extent) / 2
        first = (offset - count / 2).long()
        line = first[:, None] + torch.arange(count, device=x.device)
        inside.append((line >= 0) & (line < extent))
        lines.append(line.clamp(0, extent - 1))
    rows = torch.arange(n, device=x.device)[:, None, None]
    found = x[rows, lines[0][:, :, None], lines[1][:, None, :]]
    return torch.where((inside[0][:, :, None] & inside[1][:, None, :])[..., None], found, noise)


@glimpses.shape
def _(x: Aval, offsets: Aval, noise: Aval, **_: Any) -> Aval:
    if len(x.shape) != 4:
        raise ValueError(f"For 'ExtractGlimpse', the 'x' must be images (N, H, W, C), but got {show(x)}.")
    if offsets.shape != (x.shape[0], 2):
        raise ValueError(f"For 'ExtractGlimpse', the 'offsets' must have the shape ({x.shape[0]}, 2), but got "
                         f"{show(offsets)}.")
    return noise


@operator(primitive="CombinedNonMaxSuppression(pad_per_class=False, clip_boxes=True)(boxes, scores, "
                    "max_output_size_per_class, max_total_size, iou_threshold, score_threshold)",
          samples=[], dims=whole("every box is compared with all others"))
def combined_nms(boxes: Tensor, scores: Tensor, per_class: Tensor, total: Tensor, iou_threshold: Tensor,
                 score_threshold: Tensor, *, pad_per_class: bool = False, clip_boxes: bool = True):
    """Boxes (y1, x1, y2, x2), scores and classes that remain when each class drops those that overlap a better one.

    Also how many of each sample are no padding.  `boxes` is (N, boxes, 1 or classes, 4), `scores` (N, boxes, classes).
    """
    for name, x in (("max_output_size_per_class", per_class), ("max_total_size", total)):
        if int(x) < 0:
            raise ValueError(f"For 'CombinedNonMaxSuppression', the '{name}' must not be negative, but got {int(x)}.")
    if not 0 <= float(iou_threshold) <= 1:
        raise ValueError(f"For 'CombinedNonMaxSuppression', the 'iou_threshold' must be in [0, 1], but got "
                         f"{float(iou_threshold)}.")
    rows, classes, most = scores.shape[0], scores.shape[2], int(total)
    if pad_per_class:
        most = min(most, int(per_class) * classes)
    found = boxes.new_zeros(rows, most, 4), scores.new_zeros(rows, most), scores.new_zeros(rows, most)
    counts = torch.zeros(rows, dtype=torch.int32, device=boxes.device)
    for row in range(rows):
        kept = [(float(scores[row, i, c]), c, i) for c in range(classes)
                for i in _kept(boxes[row, :, min(c, boxes.shape[2] - 1)], scores[row, :, c], int(per_class),
                               float(iou_threshold), float(score_threshold))]
        kept = sorted(kept, key=lambda one: -one[0])[:most]
        counts[row] = len(kept)
        for place, (score, c, i) in enumerate(kept):
            box = boxes[row, i, min(c, boxes.shape[2] - 1)]
            found[0][row, place] = box.clamp(0, 1) if clip_boxes else box
            found[1][row, place], found[2][row, place] = score, c
    return *found, counts


def _kept(boxes: Tensor, scores: Tensor, most: int, iou_threshold: float, score_threshold: float) -> list[int]:
    """The places of boxes by falling score that overlap no better one too much."""
    low, high = torch.minimum(boxes[:, :2], boxes[:, 2:]), torch.maximum(boxes[:, :2], boxes[:, 2:])
    area = (high - low).prod(-1)
    common = (torch.minimum(high[:, None], high) - torch.maximum(low[:, None], low)).clamp(min=0).prod(-1)
    both = area[:, None] + area - common
    overlap = torch.where(both > 0, common / both, 0.0)
    kept: list[int] = []
    for i in as_list(scores.argsort(descending=True, stable=True)):
        if len(kept) < most and float(scores[i]) > score_threshold and (
                not kept or float(overlap[i, kept].max()) <= iou_threshold):
            kept.append(i)
    return kept


@combined_nms.shape
def _(boxes: Aval, scores: Aval, *_: Any, **__: Any) -> Any:
    fits = len(boxes.shape) == 4 and len(scores.shape) == 3 and boxes.shape[:2] == scores.shape[:2]
    if not fits or boxes.shape[3] != 4 or boxes.shape[2] not in (1, scores.shape[2]):
        raise ValueError(f"For 'CombinedNonMaxSuppression', the 'boxes' must be (N, boxes, 1 or classes, 4) and the "
                         f"'scores' (N, boxes, classes), but got {show(boxes)} and {show(scores)}.")
    raise unknown_extent("CombinedNonMaxSuppression")


@combined_nms.dynamic_shape
def _(boxes: Aval, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
    n = boxes.shape[0]
    return [(n, "boxes", 4), (n, "boxes"), (n, "boxes"), (n,)]
