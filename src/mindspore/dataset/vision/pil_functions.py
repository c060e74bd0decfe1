"""Functions of PIL images that programs of 1.x import from `py_transforms_util`."""
from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from . import adjustments, crops, warp
from .enums import Border, Inter

augment_error_message = ("The image must be a PIL image, but got {}; put 'Decode' in front for encoded images, "
                         "'ToPIL' for arrays.")


def is_pil(img: Any) -> bool:
    """Whether an object is a PIL image."""
    return isinstance(img, Image.Image)


def is_numpy(img: Any) -> bool:
    """Whether an object is an array of NumPy."""
    return isinstance(img, np.ndarray)


def hwc_to_chw(img: Any) -> np.ndarray:
    """An array (H, W, C) as (C, H, W); one of (H, W) unchanged.  TypeError for another object or rank."""
    if not is_numpy(img):
        raise TypeError(f"For 'hwc_to_chw', the 'img' must be a numpy.ndarray, but got {type(img).__name__}.")
    if img.ndim not in (2, 3):
        raise TypeError(f"For 'hwc_to_chw', the 'img' must have 2 or 3 dimensions, but got the shape {img.shape}.")
    return img if img.ndim == 2 else img.transpose(2, 0, 1).copy()


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """The image with its brightness times a factor.  TypeError if it is no PIL image."""
    return adjustments.AdjustBrightness(brightness_factor)(_pil(img))


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """The image with its contrast times a factor.  TypeError if it is no PIL image."""
    return adjustments.AdjustContrast(contrast_factor)(_pil(img))


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """The image with its saturation times a factor.  TypeError if it is no PIL image."""
    return adjustments.AdjustSaturation(saturation_factor)(_pil(img))


def rotate(img: Any, angle: float, resample: Any = Inter.NEAREST, expand: bool = False, center: Any = None,
           fill_value: Any = 0) -> Any:
    """The image turned anticlockwise by `angle` degrees.  TypeError if it is no PIL image."""
    return warp.Rotate(angle, resample, expand, center, fill_value)(_pil(img))


def random_crop(img: Any, size: Any, padding: Any = None, pad_if_needed: bool = False, fill_value: Any = 0,
                padding_mode: Any = Border.CONSTANT) -> Any:
    """A part of the image at a random place, of `size`, one int or (height, width)."""
    return crops.RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)(_pil(img))


def _pil(img: Any) -> Any:
    if not is_pil(img):
        raise TypeError(augment_error_message.format(type(img).__name__))
    return img


__all__ = ["adjust_brightness", "adjust_contrast", "adjust_saturation", "augment_error_message", "hwc_to_chw",
           "is_numpy", "is_pil", "random_crop", "rotate"]
