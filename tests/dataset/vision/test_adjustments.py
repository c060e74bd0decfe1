from __future__ import annotations

import colorsys

import numpy as np
import pytest

from mindspore.dataset import vision


def test_brightness_multiplies_levels(image, close):
    close(vision.AdjustBrightness(0.5)(image), image * 0.5)
    close(vision.AdjustBrightness(2.0)(image), np.clip(image * 2.0, 0, 255))


def test_contrast_and_saturation_of_zero_are_grey(image, close):
    grey = image @ [0.299, 0.587, 0.114]
    close(vision.AdjustContrast(0.0)(image), np.full(image.shape, grey.mean()))
    close(vision.AdjustSaturation(0.0)(image), np.repeat(grey[..., None], 3, -1))


@pytest.mark.parametrize("name", ["AdjustBrightness", "AdjustContrast", "AdjustSaturation"])
def test_arrays_and_pictures_agree(name, image, picture, close):
    transform = getattr(vision, name)(1.6)
    close(transform(image), transform(picture))


@pytest.mark.parametrize("factor", [-0.3, 0.0, 0.25])
def test_hues_turn_around(factor, image):
    turned = vision.AdjustHue(factor)(image)
    for pixel, result in zip(image.reshape(-1, 3)[:40], turned.reshape(-1, 3), strict=False):
        hue, saturation, value = colorsys.rgb_to_hsv(*(pixel / 255))
        wanted = np.array(colorsys.hsv_to_rgb((hue + factor) % 1, saturation, value)) * 255
        # a hue has 256 levels, of six colour levels each: half of one is lost in rounding it, one in the factor
        assert np.abs(result - wanted).max() <= 1.5 * 6 + 1


def test_the_gain_of_floats_goes_into_the_power_and_wide_integers_are_levels(close):
    values = np.array([[0.1, 0.25, 0.5]])
    bright = vision.AdjustGamma(0.7, 1.2)(values)  # observed: MindSpore 2.10
    assert bright.dtype == np.float32
    np.testing.assert_allclose(bright, (values * 1.2) ** 0.7, rtol=1e-6)
    levels = np.array([[50, 128]], np.int32)
    wanted = np.rint((levels / 255) ** 0.7 * 1.2 * 255)
    assert (vision.AdjustGamma(0.7, 1.2)(levels) == wanted).all()


def test_integers_are_rounded_and_cut_to_their_range():
    levels = np.array([[[1, 3, 255], [256, -300, 30000]]], np.int16)
    wanted = [[[1, 4, 357], [358, -420, 32767]]]  # observed: MindSpore 2.10
    assert vision.AdjustBrightness(1.4)(levels).tolist() == wanted


def test_levels_are_rounded_as_single_precision_rounds_them():
    level = np.full((1, 1, 3), 95, np.uint8)  # 95 * 1.3 is 123.5, in single precision a little less
    assert vision.AdjustBrightness(1.3)(level).max() == 123  # observed: MindSpore 2.10
    assert vision.AdjustBrightness(0.3)(level).max() == 29
    assert vision.AdjustGamma(0.8)(np.full((1, 1), 6, np.uint8)) == 12  # floor(255.999 * 0.0498)
