"""A part of an image that is drawn at random so that it shows enough of what is marked."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32, int8, int16, int32, int64, uint8
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor
from mindspore.operators import random

from .arguments import tensor
from .extremes import amax
from .indexing import where
from .joining import cat, stack
from .primitive import composed

_OWNER = "SampleDistortedBoundingBoxV2"


def _range(name: str, given: Any, highest: float) -> tuple[float, float]:
    """Two increasing positive numbers."""
    check.instance(_OWNER, name, given, (list, tuple))
    if len(given) != 2:
        raise ValueError(f"For '{_OWNER}', the '{name}' must have 2 elements, but got {len(given)}.")
    low, high = [check.number(_OWNER, name, v, 0.0, highest, open_low=True) for v in given]
    if low > high:
        raise ValueError(f"For '{_OWNER}', the '{name}' must be increasing, but got {given}.")
    return low, high


def _boxes(bounding_boxes: Any, use_image: bool) -> Any:
    """The marked boxes (boxes, 4); the image where none is marked and that is allowed."""
    if bounding_boxes.ndim != 3 or bounding_boxes.shape[-1] != 4:
        raise ValueError(f"For '{_OWNER}', the 'bounding_boxes' must be (batch, N, 4), but got {show(bounding_boxes)}.")
    if 0 not in bounding_boxes.shape:
        return bounding_boxes.reshape(-1, 4)
    if not use_image:
        raise ValueError(f"For '{_OWNER}', the 'bounding_boxes' hold no box; set 'use_image_if_no_bounding_boxes' to "
                         f"True to take the whole image for one.")
    return Tensor([[0.0, 0.0, 1.0, 1.0]], float32)


def _candidates(height: Any, width: Any, unit: Any, ratios: tuple[float, float],
                areas: tuple[float, float]) -> tuple[Any, Any, Any]:
    """Corners and extents of parts in pixels (attempts, 2), and which of them lie in the range of areas."""
    ratio = ratios[0] + unit[:, 0] * (ratios[1] - ratios[0])
    whole = height * width
    highest = (whole * areas[1] / ratio).sqrt().minimum(height).minimum(width / ratio)
    lowest = (whole * areas[0] / ratio).sqrt().minimum(highest)
    tall = (lowest + unit[:, 1] * (highest - lowest)).round().clamp(1.0)
    wide = (tall * ratio).round().minimum(width).clamp(1.0)
    extents = stack((tall, wide), -1)
    free = stack((height, width), -1) - extents
    corners = (unit[:, 2:] * (free + 1)).floor().minimum(free)
    area = tall * wide
    # Rounding to pixels may leave the range by a part of one row.
    return corners, extents, (area >= areas[0] * whole - wide).logical_and(area <= areas[1] * whole + wide)


@composed(f"{_OWNER}(seed=0, seed2=0, aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 1.0), max_attempts=100, "
          "use_image_if_no_bounding_boxes=False)(image_size, bounding_boxes, min_object_covered)")
def _distorted_box(image_size: Any, bounding_boxes: Any, min_object_covered: Any, *, seed: int = 0, seed2: int = 0,
                   aspect_ratio_range: Sequence[float] = (0.75, 1.33), area_range: Sequence[float] = (0.05, 1.0),
                   max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> Any:
    """A random part of an image that covers enough of one of its boxes; the whole image where no attempt does.

    Args:
        seed: A non-negative int.
        seed2: A non-negative int.
        aspect_ratio_range: Two positive floats: the width of the part over its height lies between them.
        area_range: Two floats in (0, 1]: its area over that of the image, up to whole pixels.
        max_attempts: How many parts are tried; the first that is good is taken.
        use_image_if_no_bounding_boxes: Whether the image is the box where there is none.

    Inputs:
        image_size: Three integers: height, width, channels.
        bounding_boxes: float32 (batch, N, 4), each (top, left, bottom, right) as fractions of the image.
        min_object_covered: float32 (1,): the fraction of a box that the part must cover.

    Outputs:
        Where the part begins and how large it is (row, column, channel; -1 are all channels), in the dtype of
        `image_size`; and the part as a box, float32 (1, 1, 4).

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a shape or a range is none of these, or there is no box.

    Examples:
        >>> size, box = Tensor([40, 30, 3], mindspore.int32), Tensor([[[0.2, 0.2, 0.6, 0.6]]])
        >>> begin, extent, part = ops.SampleDistortedBoundingBoxV2(seed=1)(size, box, Tensor([0.5]))
        >>> begin.shape, extent[2].item(), part.shape
        ((3,), -1, (1, 1, 4))
    """
    ratios, areas = (_range("aspect_ratio_range", aspect_ratio_range, float("inf")),
                     _range("area_range", area_range, 1.0))
    attempts = check.positive_int(_OWNER, "max_attempts", max_attempts)
    check.boolean(_OWNER, "use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes)
    dtype = tensor(_OWNER, "image_size", image_size).dtype
    if dtype not in (uint8, int8, int16, int32, int64) or image_size.shape != (3,):
        raise (TypeError if image_size.shape == (3,) else ValueError)(
            f"For '{_OWNER}', the 'image_size' must hold 3 integers (height, width, channels), but got "
            f"{show(image_size)}.")
    if tensor(_OWNER, "min_object_covered", min_object_covered).shape != (1,):
        raise ValueError(f"For '{_OWNER}', the 'min_object_covered' must be of shape (1,), but got "
                         f"{show(min_object_covered)}.")
    boxes = _boxes(tensor(_OWNER, "bounding_boxes", bounding_boxes), use_image_if_no_bounding_boxes)
    size = image_size[:2].astype(float32)
    unit = random.uniform_real(shape=(attempts, 4), seed=check.non_negative_int(_OWNER, "seed", seed),
                               seed2=check.non_negative_int(_OWNER, "seed2", seed2), dtype=float32)
    corners, extents, fit = _candidates(size[0], size[1], unit, ratios, areas)
    boxes = boxes * cat((size, size), 0)
    ends = corners + extents
    shared = (ends[:, None].minimum(boxes[None, :, 2:]) - corners[:, None].maximum(boxes[None, :, :2])).clamp(0.0)
    covered = shared.prod(-1) >= min_object_covered * (boxes[:, 2:] - boxes[:, :2]).prod(-1)
    good = fit.logical_and(amax(covered.astype(float32), -1) > 0)
    chosen = good.astype(float32).argmax(0)                          # the first that is good
    found = good.any()
    begin = where(found, corners[chosen], size * 0)
    extent = where(found, extents[chosen], size)
    return (cat((begin, size[:1] * 0), 0).astype(dtype), cat((extent, size[:1] * 0 - 1), 0).astype(dtype),
            (cat((begin, begin + extent), 0) / cat((size, size), 0)).reshape(1, 1, 4))
