"""The same values as TensorBoard's event files hold them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore.formats.events import TENSORBOARD, TENSORBOARD_VERSION

from .event_values import Sampled

_FLOAT = 1          # the element type of tensors


def version(at: float) -> bytes:
    """The first record of a file."""
    return TENSORBOARD.Event(wall_time=at, file_version=TENSORBOARD_VERSION).SerializeToString()


def event(values: Sequence[Sampled], step: int, at: float) -> bytes:
    """The record of a step."""
    made = TENSORBOARD.Event(wall_time=at, step=step)
    for one in values:
        _enter(made.summary.value.add(tag=one.tag), one.message())
    return made.SerializeToString()


def _enter(out: Any, value: Any) -> None:
    """Enter what a value of ours holds."""
    kind = value.WhichOneof("value")
    if kind == "scalar_value":
        out.simple_value = value.scalar_value
    elif kind == "image":
        image = value.image
        out.image.CopyFrom(TENSORBOARD.Image(height=image.height, width=image.width, colorspace=image.colorspace,
                                             encoded_image_string=image.encoded_image))
    elif kind == "tensor":
        out.tensor.dtype = _FLOAT
        out.tensor.tensor_shape.SetInParent()
        for extent in value.tensor.dims:
            out.tensor.tensor_shape.dim.add(size=extent)
        out.tensor.float_val.extend(value.tensor.float_data)
    else:
        _distribution(out.histo, value.histogram)


def _distribution(out: Any, found: Any) -> None:
    """A histogram by the upper limits of its buckets. The sum of squares is that of the middles of buckets."""
    counts = [bucket.count for bucket in found.buckets]
    middles = np.array([bucket.left + bucket.width / 2 for bucket in found.buckets])
    out.min, out.max, out.sum = found.min, found.max, found.sum
    out.num = float(sum(counts))
    out.sum_squares = float(np.dot(middles * middles, counts)) if counts else 0.0
    out.bucket_limit.extend(bucket.left + bucket.width for bucket in found.buckets)
    out.bucket.extend(map(float, counts))
