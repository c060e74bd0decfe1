"""Gradients, crops and similarity of images."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor, is_tensor

from .cell import Cell
from .container import CellList
from .convolution import Conv2d


def _need_images(owner: Cell, *images: Any) -> None:
    for i, image in enumerate(images, 1):
        if not is_tensor(image):
            raise TypeError(f"For '{owner.cls_name}', the 'img{i}' must be a Tensor, but got "
                            f"{type(image).__name__}.")
        if image.ndim != 4:
            raise ValueError(f"For '{owner.cls_name}', the dimension of 'img{i}' must be 4d, but got "
                             f"{image.ndim}.")
    if len(images) == 2 and images[0].shape != images[1].shape:
        raise ValueError(f"For '{owner.cls_name}', both images must have the same shape, but got "
                         f"{images[0].shape} and {images[1].shape}.")


class ImageGradients(Cell):
    """The differences of neighbouring pixels along height and width, zero at the end.

    Inputs:
        images: (N, C, H, W).

    Outputs:
        dy and dx, in the shape of the images.

    Examples:
        >>> dy, dx = nn.ImageGradients()(Tensor([[[[1.0, 2.0], [4.0, 8.0]]]]))
        >>> dy.tolist(), dx.tolist()
        ([[[[3.0, 6.0], [0.0, 0.0]]]], [[[[1.0, 0.0], [4.0, 0.0]]]])
    """

    def construct(self, images):
        if images.ndim != 4:
            raise ValueError(f"For 'ImageGradients', the dimension of 'images' must be 4d, but got "
                             f"{images.ndim}.")
        n, c, height, width = images.shape
        dy = images[:, :, 1:, :] - images[:, :, :height - 1, :]
        dx = images[:, :, :, 1:] - images[:, :, :, :width - 1]
        return (ops.concat((dy, ops.zeros((n, c, 1, width), images.dtype)), 2),
                ops.concat((dx, ops.zeros((n, c, height, 1), images.dtype)), 3))


class CentralCrop(Cell):
    """The middle part of images (C, H, W) or (N, C, H, W), `central_fraction` of each extent.

    Args:
        central_fraction: The part, in (0, 1].

    Inputs:
        image: (C, H, W) or (N, C, H, W).

    Examples:
        >>> nn.CentralCrop(0.5)(Tensor(np.arange(16, dtype=np.float32).reshape(1, 4, 4))).tolist()
        [[[5.0, 6.0], [9.0, 10.0]]]
    """

    def __init__(self, central_fraction: float):
        super().__init__()
        self.central_fraction = check.floating(self, "central_fraction", central_fraction, 0.0, 1.0,
                                               open_low=True)

    def construct(self, image):
        if image.ndim not in (3, 4):
            raise ValueError(f"CentralCrop image must be 3d or 4d, but got shape {tuple(image.shape)}")
        height, width = image.shape[-2:]
        top = int((height - height * self.central_fraction) / 2)
        left = int((width - width * self.central_fraction) / 2)
        return image[..., top:height - top, left:width - left]


def _check_max(owner: Cell, max_val: Any) -> Any:
    if isinstance(max_val, bool) or not isinstance(max_val, (int, float)):
        raise TypeError(f"For '{owner.cls_name}', the 'max_val' must be a number, but got {max_val!r}.")
    if max_val <= 0:
        raise ValueError(f"For '{owner.cls_name}', the argument 'max_val' must > 0.0, but got {max_val}.")
    return max_val


class PSNR(Cell):
    """The peak signal-to-noise ratio 10 * log10(max_val ** 2 / mean squared error) per image, in dB.

    Args:
        max_val: Largest value of a pixel.

    Inputs:
        img1: (N, C, H, W).
        img2: The same shape.

    Outputs:
        (N,).

    Examples:
        >>> nn.PSNR()(ops.zeros((1, 1, 2, 2)), ops.full((1, 1, 2, 2), 0.1)).numpy().round(4).tolist()
        [20.0]
    """

    def __init__(self, max_val: float = 1.0):
        super().__init__()
        self.max_val = _check_max(self, max_val)

    def construct(self, img1, img2):
        _need_images(self, img1, img2)
        d = (img1 - img2).astype(float32)
        mse = (d * d).mean((1, 2, 3))
        return ops.log(self.max_val ** 2 / mse) * (10.0 / math.log(10.0))


def _window(size: int, sigma: float) -> np.ndarray:
    """A normalised Gaussian window (1, 1, size, size)."""
    places = np.arange(size, dtype=np.float64) - (size - 1) / 2
    square = places ** 2
    weights = np.exp(-(square[:, None] + square[None, :]) / (2.0 * sigma ** 2))
    return (weights / weights.sum()).reshape((1, 1, size, size)).astype(np.float32)


def _filter(size: int, sigma: float) -> Conv2d:
    """The convolution with the Gaussian window; its weight is not trained."""
    conv = Conv2d(1, 1, size, pad_mode="valid", weight_init=Tensor(_window(size, sigma)))
    conv.weight.requires_grad = False
    return conv


class _Similarity(Cell):
    """What the measures of structural similarity share."""

    def _prepare(self, max_val: float, filter_size: int, filter_sigma: float, k1: float,
                 k2: float) -> None:
        self.max_val = _check_max(self, max_val)
        self.filter_size = check.positive_int(self, "filter_size", filter_size)
        self.filter_sigma = check.positive_float(self, "filter_sigma", filter_sigma)
        self.k1 = check.number(self, "k1", k1, 0.0)
        self.k2 = check.number(self, "k2", k2, 0.0)

    def _check_pair(self, img1: Any, img2: Any) -> None:
        _need_images(self, img1, img2)
        for axis in (2, 3):
            if img1.shape[axis] < self.filter_size:
                raise ValueError(f"For '{self.cls_name}', the img1 shape[{axis}] should be >= filter_size: "
                                 f"{self.filter_size}, but got {img1.shape[axis]}.")

    def _compare(self, conv: Cell, x: Any, y: Any) -> tuple[Any, Any]:
        """Mean similarity and mean contrast of (N, C, H, W), each (N, C)."""
        n, c, height, width = x.shape
        c1, c2 = (self.k1 * self.max_val) ** 2, (self.k2 * self.max_val) ** 2
        x, y = x.reshape((n * c, 1, height, width)), y.reshape((n * c, 1, height, width))
        mean_x, mean_y = conv(x), conv(y)
        square = mean_x * mean_x + mean_y * mean_y
        product = mean_x * mean_y
        luminance = (2.0 * product + c1) / (square + c1)
        contrast = (2.0 * (conv(x * y) - product) + c2) / (conv(x * x + y * y) - square + c2)
        similarity = luminance * contrast
        return similarity.mean((1, 2, 3)).reshape((n, c)), contrast.mean((1, 2, 3)).reshape((n, c))


class SSIM(_Similarity):
    """The structural similarity of two images, Wang et al. 2004.

    Args:
        max_val: Largest value of a pixel.
        filter_size: Extent of the Gaussian window.
        filter_sigma: Its standard deviation.
        k1: Constant of the luminance.
        k2: Constant of the contrast.

    Inputs:
        img1: (N, C, H, W).
        img2: The same shape.

    Outputs:
        (N,).

    Examples:
        >>> image = ops.ones((1, 1, 16, 16))
        >>> round(float(nn.SSIM()(image, image)[0]), 4)
        1.0
    """

    def __init__(self, max_val: float = 1.0, filter_size: int = 11, filter_sigma: float = 1.5,
                 k1: float = 0.01, k2: float = 0.03):
        super().__init__()
        self._prepare(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = _filter(filter_size, filter_sigma)

    def construct(self, img1, img2):
        self._check_pair(img1, img2)
        similarity, _ = self._compare(self.conv, img1.astype(float32), img2.astype(float32))
        return similarity.mean(-1)


_POWERS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


class MSSSIM(_Similarity):
    """The structural similarity over several scales, Wang et al. 2003.

    Args:
        max_val: Largest value of a pixel.
        power_factors: Exponent of every scale; the images are halved from one to the next.
        filter_size, filter_sigma, k1, k2: As for `SSIM`.

    Inputs and outputs are those of `SSIM`.

    Examples:
        >>> image = ops.ones((1, 1, 16, 16))
        >>> round(float(nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=5)(image, image)[0]), 4)
        1.0
    """

    def __init__(self, max_val: float = 1.0, power_factors: Any = _POWERS, filter_size: int = 11,
                 filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03):
        super().__init__()
        self._prepare(max_val, filter_size, filter_sigma, k1, k2)
        self.power_factors = check.instance(self, "power_factors", power_factors, (tuple, list))
        if not power_factors:
            raise ValueError("For 'MSSSIM', the 'power_factors' must hold a number per scale, but they are empty.")
        self.level = len(power_factors)
        self.multi_convs_list = CellList([_filter(filter_size, filter_sigma) for _ in power_factors])

    def construct(self, img1, img2):
        self._check_pair(img1, img2)
        x, y = img1.astype(float32), img2.astype(float32)
        total: Any = 1.0
        for i, power in enumerate(self.power_factors):
            if i:
                x, y = (ops.avg_pool2d(image, 2, 2) for image in (x, y))
            similarity, contrast = self._compare(self.multi_convs_list[i], x, y)
            last = i == self.level - 1
            total = total * ops.relu(similarity if last else contrast) ** power
        return total.mean(-1)
