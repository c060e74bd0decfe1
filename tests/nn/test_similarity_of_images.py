"""Measures of similarity of images with every option, beside their formula with SciPy's convolution."""
from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import convolve2d

from mindspore import Tensor, nn

RNG = np.random.default_rng(3)
ONE = RNG.uniform(0, 1, (2, 3, 13, 17)).astype(np.float32)
OTHER = (ONE * 0.8 + RNG.uniform(0, 0.3, ONE.shape)).astype(np.float32)


def compared(x, y, max_val=1.0, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """Mean similarity and contrast by image and channel."""
    places = np.arange(filter_size) - (filter_size - 1) / 2
    line = np.exp(-places**2 / (2 * filter_sigma**2))
    window = np.outer(line, line) / line.sum() ** 2
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2

    def blurred(a):
        return np.stack([[convolve2d(p, window, "valid") for p in image] for image in a])
    mx, my = blurred(x), blurred(y)
    vx, vy, vxy = blurred(x * x) - mx**2, blurred(y * y) - my**2, blurred(x * y) - mx * my
    contrast = (2 * vxy + c2) / (vx + vy + c2)
    return ((2 * mx * my + c1) / (mx**2 + my**2 + c1) * contrast).mean((2, 3)), contrast.mean((2, 3))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("options", [{}, {"max_val": 2.5}, {"filter_size": 5}, {"filter_size": 6, "filter_sigma": 0.7},
                                     {"k1": 0.2}, {"k2": 0.4}, {"filter_size": 13, "k1": 0.0, "k2": 0.1}])
def test_structural_similarity_with_each_option(options):
    found = nn.SSIM(**options)(Tensor(ONE), Tensor(OTHER)).asnumpy()
    np.testing.assert_allclose(found, compared(ONE, OTHER, **options)[0].mean(1), 2e-4, 1e-5)


@pytest.mark.parametrize("options", [{"filter_size": 3}, {"filter_size": 3, "max_val": 2.5},
                                     {"filter_size": 2, "filter_sigma": 0.7}, {"filter_size": 3, "k1": 0.2},
                                     {"filter_size": 3, "k2": 0.4}])
def test_similarity_at_several_scales_with_each_option(options):
    factors, x, y = (0.2, 0.3, 0.6), ONE[:, :, :12, :16], OTHER[:, :, :12, :16]
    total: np.ndarray | float = 1.0
    for n, factor in enumerate(factors):
        similarity, contrast = compared(x, y, **options)
        total = total * np.maximum(similarity if n == 2 else contrast, 0) ** factor
        if n < 2:
            x, y = (a.reshape(2, 3, a.shape[2] // 2, 2, a.shape[3] // 2, 2).mean((3, 5)) for a in (x, y))
    found = nn.MSSSIM(power_factors=factors, **options)(Tensor(ONE[:, :, :12, :16]), Tensor(OTHER[:, :, :12, :16]))
    np.testing.assert_allclose(found.asnumpy(), np.mean(total, 1), 3e-4, 1e-5)


@pytest.mark.parametrize("most", [1.0, 3.5])
def test_signal_to_noise(most):
    wanted = 10 * np.log10(most**2 / ((ONE - OTHER) ** 2).mean((1, 2, 3)))
    np.testing.assert_allclose(nn.PSNR(most)(Tensor(ONE), Tensor(OTHER)).asnumpy(), wanted, 2e-4)


@pytest.mark.parametrize(("options", "error"), [
    ({"max_val": "1"}, TypeError), ({"max_val": 0.0}, ValueError), ({"filter_size": 0}, ValueError),
    ({"filter_size": 2.5}, TypeError), ({"filter_sigma": -1.0}, ValueError), ({"filter_sigma": "x"}, TypeError),
    ({"k1": -0.1}, ValueError), ({"k1": "x"}, TypeError), ({"k2": -0.1}, ValueError), ({"k2": "x"}, TypeError)])
def test_options_are_checked(options, error):
    for kind in (nn.SSIM, nn.MSSSIM):
        with pytest.raises(error, match=f"For '{kind.__name__}'.*{next(iter(options))}"):
            kind(**options)


def test_images_are_checked():
    for kind in (nn.SSIM(), nn.MSSSIM(), nn.PSNR()):
        for pair, error in (((ONE[0], OTHER[0]), ValueError), ((ONE, OTHER[:1]), ValueError)):
            with pytest.raises(error):
                kind(*[Tensor(a) for a in pair])
    with pytest.raises(ValueError, match="filter_size"):
        nn.SSIM(filter_size=14)(Tensor(ONE), Tensor(OTHER))
