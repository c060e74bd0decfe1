from __future__ import annotations

import colorsys

import numpy as np

from mindspore.dataset import vision


def test_hsv_and_back_is_the_identity_and_agrees_with_colorsys(image, close):
    values = image / 255.0
    hsv = vision.RgbToHsv(True)(values)
    np.testing.assert_allclose(hsv[0, 0], colorsys.rgb_to_hsv(*values[0, 0]), atol=1e-12)
    np.testing.assert_allclose(vision.HsvToRgb(True)(hsv), values, atol=1e-12)
