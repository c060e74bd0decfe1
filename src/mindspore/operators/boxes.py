"""Boxes of detectors: (x0, y0, x1, y1) with both corners inside, so that a pixel has extent 1."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, int32
from mindspore.core.errors import show
from mindspore.ir import Aval

from .indexing import unknown_extent
from .labels import whole
from .registry import operator
from .rules import floating
from .torch_private import as_list
from .traits import STRICT
from .values import Ints

_NO_SHIFT, _NO_SCALE = (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)


def _boxes(name: str, *values: Any, width: int = 4) -> None:
    for x in values:
        if len(x.shape) != 2 or x.shape[1] != width:
            raise ValueError(f"For '{name}', boxes must have the shape (N, {width}), but got {show(x)}.")


def _size(boxes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return boxes[:, 2] - boxes[:, 0] + 1, boxes[:, 3] - boxes[:, 1] + 1


def _centre(boxes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2


@operator(primitive="IOU(mode='iou')(anchor_boxes, gt_boxes)", grad="torch", samples=[],
          function="iou(anchor_boxes, gt_boxes, mode='iou')", dims="a four!, t four! -> t a")
def iou(anchors: Tensor, truths: Tensor, *, mode: str = "iou"):
    """For every truth and anchor their common area over that of both ("iou") or of the truth ("iof")."""
    if mode not in ("iou", "iof"):
        raise ValueError(f"For 'IOU', the 'mode' must be 'iou' or 'iof', but got {mode!r}.")
    a, t = anchors.float().unsqueeze(0), truths.float().unsqueeze(1)
    wide = torch.minimum(a[..., 2], t[..., 2]) - torch.maximum(a[..., 0], t[..., 0]) + 1
    high = torch.minimum(a[..., 3], t[..., 3]) - torch.maximum(a[..., 1], t[..., 1]) + 1
    common = wide.clamp(min=0) * high.clamp(min=0)
    areas = [(b[..., 2] - b[..., 0] + 1) * (b[..., 3] - b[..., 1] + 1) for b in (a, t)]
    whole = areas[1] if mode == "iof" else areas[0] + areas[1] - common
    return (common / whole).to(anchors.dtype)


@iou.shape
def _(anchors: Aval, truths: Aval, *, mode: str = "iou") -> Aval:
    _boxes("IOU", anchors, truths)
    return Aval((truths.shape[0], anchors.shape[0]), anchors.dtype)


@operator(primitive="BoundingBoxEncode(means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0))"
                    "(anchor_box, groundtruth_box)", grad="torch", samples=[],
          function="bounding_box_encode(anchor_box, groundtruth_box, means=(0.0, 0.0, 0.0, 0.0), "
                   "stds=(1.0, 1.0, 1.0, 1.0))", dims="n four!, n four! -> n four!", traits={STRICT})
def bounding_box_encode(anchors: Tensor, truths: Tensor, *, means: tuple[float, ...] = _NO_SHIFT,
                        stds: tuple[float, ...] = _NO_SCALE):
    """Shift and logarithmic growth from anchors to truths, normalised by means and deviations."""
    (px, py), (pw, ph) = _centre(anchors), _size(anchors)
    (gx, gy), (gw, gh) = _centre(truths), _size(truths)
    deltas = torch.stack([(gx - px) / pw, (gy - py) / ph, torch.log(gw / pw), torch.log(gh / ph)], 1)
    return (deltas - deltas.new_tensor(means)) / deltas.new_tensor(stds)


@bounding_box_encode.shape
def _(anchors: Aval, truths: Aval, *, means: tuple[float, ...] = _NO_SHIFT,
      stds: tuple[float, ...] = _NO_SCALE) -> Aval:
    floating("BoundingBoxEncode")(anchors)
    _boxes("BoundingBoxEncode", anchors, truths)
    return anchors


@operator(primitive="BoundingBoxDecode(max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, "
                    "1.0), wh_ratio_clip=0.016)(anchor_box, deltas)", grad="torch", samples=[],
          function="bounding_box_decode(anchor_box, deltas, max_shape, means=(0.0, 0.0, 0.0, 0.0), "
                   "stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016)", dims="n four!, n four! -> n four!",
          traits={STRICT})
def bounding_box_decode(anchors: Tensor, deltas: Tensor, *, max_shape: Ints, means: tuple[float, ...] = _NO_SHIFT,
                        stds: tuple[float, ...] = _NO_SCALE, wh_ratio_clip: float = 0.016):
    """The boxes that the shifts and growths lead to, kept inside an image (height, width)."""
    if not wh_ratio_clip > 0:
        raise ValueError(f"For 'BoundingBoxDecode', the 'wh_ratio_clip' must be greater than 0, but got "
                         f"{wh_ratio_clip}.")
    most = abs(math.log(wh_ratio_clip))
    dx, dy, dw, dh = (deltas * deltas.new_tensor(stds) + deltas.new_tensor(means)).unbind(1)
    (px, py), (pw, ph) = _centre(anchors), _size(anchors)
    gx, gy = px + pw * dx, py + ph * dy
    gw, gh = pw * torch.exp(dw.clamp(-most, most)), ph * torch.exp(dh.clamp(-most, most))
    height, width = max_shape
    return torch.stack([(gx - gw / 2 + 0.5).clamp(0, width), (gy - gh / 2 + 0.5).clamp(0, height),
                        (gx + gw / 2 - 0.5).clamp(0, width), (gy + gh / 2 - 0.5).clamp(0, height)], 1)


@bounding_box_decode.shape
def _(anchors: Aval, deltas: Aval, *, max_shape: Ints, means: tuple[float, ...] = _NO_SHIFT,
      stds: tuple[float, ...] = _NO_SCALE, wh_ratio_clip: float = 0.016) -> Aval:
    floating("BoundingBoxDecode")(anchors)
    _boxes("BoundingBoxDecode", anchors, deltas)
    if len(max_shape) != 2:
        raise ValueError(f"For 'BoundingBoxDecode', the 'max_shape' must be (height, width), but got "
                         f"{max_shape}.")
    return deltas


@operator(primitive="NMSWithMask(iou_threshold=0.5)(bboxes)", samples=[],
          dims=whole("every box is compared with all others"))
def nms_with_mask(boxes: Tensor, *, iou_threshold: float = 0.5):
    """The boxes (x0, y0, x1, y1, score) by falling score, their places, and which are kept.

    A box is kept unless it overlaps a kept one with a higher score by more than the threshold.  Of
    equal scores the last comes first.
    """
    ordered = boxes[torch.argsort(boxes[:, 4], stable=True).flip(0)]
    low = torch.maximum(ordered[:, None, :2], ordered[None, :, :2])
    high = torch.minimum(ordered[:, None, 2:4], ordered[None, :, 2:4])
    common = (high - low).clamp(min=0).prod(-1)
    area = (ordered[:, 2] - ordered[:, 0]) * (ordered[:, 3] - ordered[:, 1])
    overlaps = (common / (area[:, None] + area[None, :] - common) > iou_threshold).cpu()
    kept = torch.ones(len(ordered), dtype=torch.bool)
    for i in range(len(ordered)):
        if kept[i]:
            kept[i + 1:] &= ~overlaps[i, i + 1:]
    places = torch.arange(len(ordered), dtype=torch.int32, device=boxes.device)
    return ordered, places, kept.to(boxes.device)


@nms_with_mask.shape
def _(boxes: Aval, *, iou_threshold: float = 0.5) -> tuple[Aval, Aval, Aval]:
    _boxes("NMSWithMask", boxes, width=5)
    n = boxes.shape[:1]
    return boxes, Aval(n, int32), Aval(n, bool_)


@operator(primitive="NonMaxSuppressionWithOverlaps()(overlaps, scores, max_output_size, overlap_threshold, "
                    "score_threshold)", samples=[], dims=whole("every box is compared with all others"))
def nms_with_overlaps(overlaps: Tensor, scores: Tensor, count: Tensor, overlap_threshold: Tensor,
                      score_threshold: Tensor):
    """The places of at most `count` boxes by falling score, int32, which overlap no other one too much."""
    if overlaps.is_meta:
        raise unknown_extent("NonMaxSuppressionWithOverlaps")
    kept: list[int] = []
    for i in as_list(scores.argsort(descending=True, stable=True)):
        enough = len(kept) >= int(count) or float(scores[i]) <= float(score_threshold)
        if not enough and not bool((overlaps[i, kept] > overlap_threshold).any()):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int32, device=scores.device)


@nms_with_overlaps.shape
def _(overlaps: Aval, scores: Aval, *_: Any) -> Aval:
    if len(scores.shape) != 1 or overlaps.shape != scores.shape * 2:
        raise ValueError(f"For 'NonMaxSuppressionWithOverlaps', the 'overlaps' must be a square with a row per score, "
                         f"but got {show(overlaps)} and {show(scores)}.")
    raise unknown_extent("NonMaxSuppressionWithOverlaps")


@nms_with_overlaps.dynamic_shape
def _(*_: Aval) -> list[tuple[str]]:
    return [("count",)]


@operator(primitive="CheckValid()(bboxes, img_metas)", function="check_valid(bboxes, img_metas)",
          samples=[], dims="n four!, three! -> n")
def check_valid(boxes: Tensor, metas: Tensor):
    """Whether boxes lie inside an image of size (height, width) * ratio; `metas` holds the three."""
    height, width, ratio = metas.unbind()
    inside = (boxes[:, 0] >= 0) & (boxes[:, 1] >= 0)
    return inside & (boxes[:, 2] <= width * ratio - 1) & (boxes[:, 3] <= height * ratio - 1)


@check_valid.shape
def _(boxes: Aval, metas: Aval) -> Aval:
    _boxes("CheckValid", boxes)
    return Aval(boxes.shape[:1], bool_)
