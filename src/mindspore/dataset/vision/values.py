"""Transforms of the values and the layout of images: scale, normalise, convert."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from PIL import Image

from mindspore.core.dtype import float32
from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.transforms.base import TensorOperation, to_array
from mindspore.dataset.transforms.common import TypeCast, numpy_type
from mindspore.dataset.vision.image import (
    ImageOperation,
    check_image,
    is_pil,
    number,
    pixels,
    to_pil,
)
from mindspore.dataset.vision.levels import chain


class Rescale(TensorOperation):
    """value * rescale + shift, as float32.

    Args:
        rescale: The factor.
        shift: What is added.

    Inputs:
        An image of numbers, any shape.

    Outputs:
        float32, the same shape.

    Raises:
        TypeError: If an argument is no number.

    Examples:
        >>> vision.Rescale(1 / 255, 0.0)(np.full((1, 1, 3), 255, np.uint8)).tolist()
        [[[1.0, 1.0, 1.0]]]
    """

    by_level = True

    def joined(self, following: list[Any]) -> tuple[TensorOperation, int]:
        return chain(self, following)

    def __init__(self, rescale: float, shift: float):
        self.rescale = number(self, "rescale", rescale)
        self.shift = number(self, "shift", shift)

    def checked(self, value: Any) -> np.ndarray:
        return pixels(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        result = np.multiply(value, np.float32(self.rescale), dtype=np.float32)
        if self.shift:
            result += np.float32(self.shift)
        return result

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)


class _PerChannel(TensorOperation):
    """(value - mean) / std, with a mean and a deviation for each channel or one for all."""

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True):
        for name, value in (("mean", mean), ("std", std)):
            check.instance(self, name, value, (list, tuple))
        if len(mean) != len(std):
            raise check.fail(ValueError, self, "std", f"as long as 'mean', {len(mean)}", std)
        self.mean = _statistics(self, "mean", mean, 0.0)
        self.std = _statistics(self, "std", std, None)
        self.is_hwc = check.boolean(self, "is_hwc", is_hwc)

    def _scaled(self, images: np.ndarray) -> np.ndarray:
        """Images (..., H, W), (..., H, W, C) or (..., C, H, W) with their channels normalised, as float32."""
        scale = (1.0 / np.array(self.std)).astype(np.float32)
        shift = (np.array(self.mean) / np.array(self.std)).astype(np.float32)
        if len(scale) == 1:
            result = np.multiply(images, scale[0], dtype=np.float32)
            result -= shift[0]
            return result
        if not self.is_hwc:
            result = np.multiply(images, scale[:, None, None], dtype=np.float32)
            result -= shift[:, None, None]
            return result
        width = images.shape[
            -2
        ]  # a whole line at once: over three channels NumPy's inner loop would be short
        lines = images.reshape(*images.shape[:-2], width * images.shape[-1])
        result = np.multiply(lines, np.tile(scale, width), dtype=np.float32)
        result -= np.tile(shift, width)
        return result.reshape(images.shape)

    def _check_channels(self, shape: tuple[int, ...]) -> None:
        channels = 1 if len(shape) == 2 else shape[-1] if self.is_hwc else shape[-3]
        if len(self.mean) not in (1, channels):
            raise PipelineError(
                f"For '{type(self).__name__}', the image must have as many channels as 'mean' has values, "
                f"{len(self.mean)}, but has shape {shape} with is_hwc={self.is_hwc}."
            )


def _statistics(owner: Any, name: str, value: Any, low: float | None) -> tuple[float, ...]:
    if not value:
        raise check.fail(ValueError, owner, name, "not empty", value)
    if low is None:
        return tuple(check.number(owner, name, v, 0.0, 255.0, open_low=True) for v in value)
    return tuple(check.number(owner, name, v, low, 255.0) for v in value)


class Normalize(_PerChannel):
    """(value - mean) / std for every channel, as float32.

    Args:
        mean: One number per channel, in [0, 255].
        std: One number per channel, in (0, 255].
        is_hwc: Whether channels are the last axis, else the first of three.

    Inputs:
        (H, W, C), (C, H, W) without `is_hwc`, or (H, W).

    Raises:
        ValueError: If a number is out of range, or the lengths differ.
        PipelineError: If the image has less than two axes, or another number of channels.

    Examples:
        >>> vision.Normalize([100.0], [50.0])(np.array([[[0], [200]]], np.uint8)).tolist()
        [[[-2.0], [2.0]]]
    """

    by_level = True

    def joined(self, following: list[Any]) -> tuple[TensorOperation, int]:
        return chain(self, following)

    def checked(self, value: Any) -> np.ndarray:
        return pixels(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if value.ndim < 2:
            raise PipelineError(
                f"For 'Normalize', the image must have two axes or more, but has shape {value.shape}."
            )
        self._check_channels(value.shape)
        return self._scaled(value)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim < 3:
            return None
        self._check_channels(stack.shape[1:])
        return self._scaled(stack)


class NormalizePad(_PerChannel):
    """As Normalize for three channels, with a fourth of zeros.

    Args:
        mean, std: One number for each of the three channels.
        dtype: 'float32' or 'float16'.
        is_hwc: The images are (..., H, W, C), else (..., C, H, W).

    Examples:
        >>> image = np.array([[[10, 20, 30]]], np.uint8)
        >>> vision.NormalizePad([0.0, 10.0, 10.0], [1.0, 10.0, 10.0])(image).tolist()
        [[[10.0, 1.0, 2.0, 0.0]]]
    """

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True):
        super().__init__(mean, std, is_hwc)
        self.dtype = check.option(
            self, "dtype", check.string(self, "dtype", dtype), ["float32", "float16"]
        )

    def checked(self, value: Any) -> np.ndarray:
        return pixels(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if value.ndim != 3 or value.shape[-1 if self.is_hwc else 0] != 3:
            raise PipelineError(
                f"For 'NormalizePad', the image must have three channels, but has shape {value.shape} with "
                f"is_hwc={self.is_hwc}."
            )
        axis = -1 if self.is_hwc else 0
        padding = [(0, 0)] * 3
        padding[axis] = (0, 1)
        return np.pad(self._scaled(value).astype(self.dtype), padding)


class HWC2CHW(TensorOperation):
    """An image (H, W, C) as (C, H, W).

    Inputs:
        (H, W, C), or (H, W), which is returned unchanged.

    Outputs:
        (C, H, W), the same dtype.

    Raises:
        PipelineError: If the image has other axes.

    Examples:
        >>> vision.HWC2CHW()(np.zeros((4, 5, 3), np.uint8)).shape
        (3, 4, 5)
    """

    by_level = True

    def checked(self, value: Any) -> np.ndarray:
        return pixels(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if value.ndim == 2:
            return value
        check_image(self, value, (3,))
        return _channels_first(value)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return _channels_first(stack) if stack.ndim == 4 else None


def _channels_first(images: np.ndarray) -> np.ndarray:
    """(..., H, W, C) as (..., C, H, W)."""
    *leading, height, width, channels = images.shape
    if channels == 1:
        return images.reshape(*leading, 1, height, width)
    return np.ascontiguousarray(np.moveaxis(images, -1, -3))


class ToTensor(TensorOperation):
    """An image (H, W), (H, W, C) or PIL with levels 0 to 255 as (C, H, W) with values 0 to 1.

    Args:
        output_type: Type of the values, of MindSpore or NumPy.

    Raises:
        TypeError: If `output_type` is no type of numbers.
        PipelineError: If the image has other axes.

    Examples:
        >>> vision.ToTensor()(np.array([[0, 255]], np.uint8)).tolist()
        [[[0.0, 1.0]]]
    """

    by_level = True

    def joined(self, following: list[Any]) -> tuple[TensorOperation, int]:
        return chain(self, following)

    def __init__(self, output_type: Any = float32):
        self.output_type = output_type
        self._dtype = numpy_type(self, "output_type", output_type)
        if self._dtype.kind in "US":
            raise InputError("For 'ToTensor', the 'output_type' must be a type of numbers.")

    def checked(self, value: Any) -> np.ndarray:
        return pixels(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        check_image(self, value)
        return self._converted(value[..., None] if value.ndim == 2 else value)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim not in (3, 4):
            return None
        return self._converted(stack[..., None] if stack.ndim == 3 else stack)

    def _converted(self, images: np.ndarray) -> np.ndarray:
        result = np.multiply(_channels_first(images), np.float32(1 / 255), dtype=np.float32)
        return result.astype(self._dtype, copy=False)


class ToType(TypeCast):
    """The image converted to another type.

    Args:
        data_type: A type of MindSpore or NumPy.

    Examples:
        >>> vision.ToType(np.float32)(np.zeros((2, 2), np.uint8)).dtype
        dtype('float32')
    """

    def __init__(self, data_type: Any):
        with contextlib.suppress(TypeError):        # what is no name of a type is told with all else
            data_type = np.dtype(data_type) if isinstance(data_type, str) else data_type
        super().__init__(data_type)

    def checked(self, value: Any) -> np.ndarray:
        return np.asarray(value) if is_pil(value) else to_array(self, value)


class ToPIL(TensorOperation):
    """An array (H, W) or (H, W, C) as a PIL image.

    Examples:
        >>> vision.ToPIL()(np.zeros((4, 6, 3), np.uint8)).size
        (6, 4)
    """

    def checked(self, value: Any) -> Any:
        if is_pil(value):
            return value
        return check.instance(self, "image", value, np.ndarray)

    def apply(self, value: Any) -> Image.Image:
        if is_pil(value):
            return value
        if value.ndim not in (2, 3) or (value.ndim == 3 and value.shape[-1] > 4):
            raise check.fail(
                ValueError,
                self,
                "image",
                "of shape (H, W) or (H, W, C) with C up to 4",
                value.shape,
            )
        return to_pil(self, value)


class ToNumpy(TensorOperation):
    """A PIL image as an array (H, W, C) or (H, W).

    Inputs:
        A PIL image, an array, or a list of numbers or arrays of one shape.

    Examples:
        >>> from PIL import Image
        >>> vision.ToNumpy()(Image.new("RGB", (6, 4))).shape
        (4, 6, 3)
    """

    def checked(self, value: Any) -> Any:
        if not is_pil(value) and not isinstance(value, (np.ndarray, list, tuple)):
            raise check.fail(TypeError, self, "image", "a PIL image, an array or a list", value)
        return value

    def apply(self, value: Any) -> np.ndarray:
        return value if isinstance(value, np.ndarray) else np.array(value)


class LinearTransformation(ImageOperation):
    """The flattened image less `mean_vector`, times the square `transformation_matrix`; whitening, for example.

    Args:
        transformation_matrix: (n, n), with n the number of elements of an image.
        mean_vector: (n,).

    Examples:
        >>> vision.LinearTransformation(2 * np.eye(4), np.ones(4))(np.full((1, 2, 2), 3.0)).tolist()
        [[[4.0, 4.0], [4.0, 4.0]]]
    """

    def __init__(self, transformation_matrix: Any, mean_vector: Any):
        matrix = check.instance(self, "transformation_matrix", transformation_matrix, np.ndarray)
        vector = check.instance(self, "mean_vector", mean_vector, np.ndarray)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise check.fail(ValueError, self, "transformation_matrix", "square", matrix.shape)
        if vector.shape != matrix.shape[:1]:
            raise check.fail(
                ValueError,
                self,
                "mean_vector",
                f"of length {matrix.shape[0]}, as the matrix",
                vector.shape,
            )
        self.transformation_matrix, self.mean_vector = matrix, vector

    def checked(self, value: Any) -> np.ndarray:
        return check.instance(self, "image", value, np.ndarray)

    def apply(self, value: np.ndarray) -> np.ndarray:
        image = value
        if image.size != len(self.mean_vector):
            raise PipelineError(
                f"For 'LinearTransformation', the image must have {len(self.mean_vector)} values, as the "
                f"matrix has rows, but has shape {image.shape}."
            )
        flat = image.reshape(1, -1) - self.mean_vector
        return (flat @ self.transformation_matrix).reshape(image.shape)
