"""Values of a summary as event files hold them: numbers, tensors, histograms, pictures."""
from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np

from mindspore.formats.events import EVENTS, NUMBERS

COLUMNS = 8             # images of a batch that stand side by side
_MOST_BUCKETS = 90
_BUCKETS = ((0, 0), (5, 2), (10, 3))      # up to so many values: so many buckets
_TENTHS = 880                             # up to so many values: one for ten, and one


class Sampled(NamedTuple):
    """A value under its name, as it was when it was recorded.

    Attributes:
        plugin: "scalar", "tensor", "histogram" or "image".
        tag: The name.
        array: The elements.
        type: Name of the element type that the tensor had, which NumPy may not have.
    """

    plugin: str
    tag: str
    array: np.ndarray
    type: str

    def message(self) -> Any:
        """The `Value` of an event."""
        made = EVENTS.Value(tag=self.tag)
        if self.plugin == "scalar":
            made.scalar_value = single(self.array)
        elif self.plugin == "tensor":
            made.tensor.dims.extend(self.array.shape)
            made.tensor.data_type = NUMBERS[self.type]
            made.tensor.float_data.extend(_in_float32(self.array).ravel().tolist())
        elif self.plugin == "histogram":
            made.histogram.CopyFrom(histogram(self.array))
        else:
            canvas = tiled(self.array)
            height, width, _ = canvas.shape
            made.image.CopyFrom(EVENTS.Image(height=height, width=width, colorspace=3,
                                             encoded_image=png(scaled(canvas))))
        return made


def single(array: np.ndarray) -> float:
    """The one element, in float32: too large a number is infinite."""
    return float(_in_float32(array).item())


def _in_float32(array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return array.astype(np.float32)


def histogram(array: np.ndarray) -> Any:
    """How the elements are distributed: buckets of one width from the least to the largest finite element."""
    real = array.dtype.kind == "f"
    finite = array[np.isfinite(array)] if real else array.ravel()
    made = EVENTS.Histogram(
        nan_count=int(np.isnan(array).sum()) if real else 0,
        pos_inf_count=int(np.isposinf(array).sum()) if real else 0,
        neg_inf_count=int(np.isneginf(array).sum()) if real else 0,
        count=array.size)
    if finite.size:
        finite = finite.astype(np.uint8) if finite.dtype == bool else finite
        made.min, made.max = float(finite.min()), float(finite.max())
        made.sum = float(finite.sum(dtype=np.float64))
        edges = _edges(finite)
        counts = np.histogram(finite, edges)[0]
        for left, width, count in zip(edges[:-1].tolist(), _widths(edges), counts.tolist(), strict=True):
            made.buckets.add(left=left, width=width, count=count)
    return made


def _edges(finite: np.ndarray) -> np.ndarray:
    """Where the buckets begin and end: numbers of the values' type, or whole numbers in double precision."""
    size = finite.size
    number = next((count for most, count in _BUCKETS if size <= most), None)
    if number is None:
        number = size // 10 + 1 if size <= _TENTHS else _MOST_BUCKETS
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    if np.isfinite(high - low):
        edges = np.linspace(low, high, number + 1)
    else:                                     # the extent is beyond double precision
        edges = np.linspace(low / 2, high / 2, number + 1) * 2
    return edges.astype(finite.dtype) if finite.dtype.kind == "f" else np.floor(edges)


def _widths(edges: np.ndarray) -> list[float]:
    """The differences in the type of the edges, or in double precision where that type cannot hold them."""
    with np.errstate(over="ignore"):
        widths = np.diff(edges).astype(np.float64)
    return np.where(np.isfinite(widths), widths, np.diff(edges.astype(np.float64))).tolist()


def is_image(array: Any) -> bool:
    """Whether elements are a batch of pictures: (N, C, H, W) with one channel or three, and nothing of length 0."""
    return array.ndim == 4 and array.shape[1] in (1, 3) and array.size > 0


def tiled(array: np.ndarray) -> np.ndarray:
    """The pictures of a batch as one of as many channels, side by side and below one another."""
    number, channels, height, width = array.shape
    columns = min(number, COLUMNS)
    canvas = np.zeros((-(-number // columns) * height, columns * width, channels))
    for i, image in enumerate(array):
        top, left = i // columns * height, i % columns * width
        canvas[top:top + height, left:left + width] = image.transpose(1, 2, 0)
    return canvas


def scaled(canvas: np.ndarray) -> np.ndarray:
    """Brightness from 0 to 255: of [0, 1] by its unit, of another range by its extent. What is no number is black."""
    finite = canvas[np.isfinite(canvas)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    canvas = np.nan_to_num(canvas, nan=low, posinf=high, neginf=low)
    factor, shift = (255.0, 0.0) if high <= 1 and low >= 0 else (255.0 / (high - low + 1), low)
    return ((canvas - shift) * factor).astype(np.uint8)


def png(pixels: np.ndarray) -> bytes:
    """The picture (height, width, 1 or 3) in the format PNG, in three channels."""
    from PIL import Image  # loaded by need: most summaries hold numbers

    stream = io.BytesIO()
    Image.fromarray(pixels if pixels.shape[2] == 3 else np.repeat(pixels, 3, 2)).save(stream, format="PNG")
    return stream.getvalue()
