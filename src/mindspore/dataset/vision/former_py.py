"""Image transforms of 1.x for PIL images and arrays (C, H, W), where they differ: `vision.py_transforms`."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset.transforms.base import TensorOperation, to_array
from mindspore.dataset.transforms.compose import Compose
from mindspore.dataset.vision import codecs, erasing, values
from mindspore.dataset.vision.image import PIL_FILTERS, is_pil

__all__ = [
    "ComposeOp",
    "Cutout",
    "DE_PY_INTER_MODE",
    "Decode",
    "Normalize",
    "NormalizePad",
    "RgbToBgr",
    "ToType",
    "is_pil",
]

DE_PY_INTER_MODE = dict(PIL_FILTERS)  # the filter of Pillow for each interpolation


class ComposeOp(Compose):
    """Compose as in 0.x: called without an image it gives what `map` takes."""

    def __call__(self, *inputs: Any) -> Any:
        return super().__call__(*inputs) if inputs else self


class Cutout(erasing.CutOut):
    """An array (C, H, W) with square holes at random places."""

    def __init__(self, length: int, num_patches: int = 1):
        super().__init__(length, num_patches, is_hwc=False)


class Decode(codecs.Decode):
    """Encoded bytes as a PIL image."""

    def __init__(self) -> None:
        super().__init__(to_pil=True)


class Normalize(values.Normalize):
    """(value - mean) / std of every channel of an array (C, H, W), such as ToTensor gives."""

    def __init__(self, mean: Any, std: Any):
        super().__init__(mean, std, is_hwc=False)


class NormalizePad(values.NormalizePad):
    """As Normalize for three channels, with a fourth of zeros."""

    def __init__(self, mean: Any, std: Any, dtype: str = "float32"):
        super().__init__(mean, std, dtype, is_hwc=False)


class RgbToBgr(TensorOperation):
    """An array (C, H, W), or (H, W, C) with `is_hwc`, with the channels reversed."""

    def __init__(self, is_hwc: bool = False):
        self.is_hwc = is_hwc

    def apply(self, value: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(np.flip(to_array(self, value), -1 if self.is_hwc else -3))


class ToType(values.ToType):
    """The image converted to another type."""

    def __init__(self, output_type: Any):
        super().__init__(output_type)
