"""Colour spaces."""
from __future__ import annotations

import colorsys

import numpy as np
import pytest

from mindspore import Tensor, ops

RGB = np.array([[[0.2, 0.5, 0.8], [0.9, 0.1, 0.4]], [[0.3, 0.3, 0.3], [0.0, 1.0, 0.5]]])
HSV = np.array([[colorsys.rgb_to_hsv(*p) for p in row] for row in RGB])


def rgb(hsv):
    return np.array([[colorsys.hsv_to_rgb(*p) for p in row] for row in hsv])


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, atol=1e-12)


def test_colours_change_their_space_as_in_pythons_library():
    close(ops.RGBToHSV()(Tensor(RGB)), HSV)
    close(ops.HSVToRGB()(Tensor(HSV[None])), RGB[None])


@pytest.mark.parametrize("delta", [0.3, -0.3])
def test_the_hue_is_a_circle(delta):
    moved = HSV.copy()
    moved[..., 0] = (moved[..., 0] + delta) % 1
    close(ops.AdjustHue()(Tensor(RGB), Tensor(np.array(delta))), rgb(moved))


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_the_saturation_is_limited(scale):
    scaled = HSV.copy()
    scaled[..., 1] = np.minimum(scaled[..., 1] * scale, 1)
    close(ops.AdjustSaturation()(Tensor(RGB), Tensor(np.array(scale))), rgb(scaled))


def test_three_channels_are_needed():
    with pytest.raises(ValueError, match="4 dimensions"):
        ops.HSVToRGB()(Tensor([0.5, 0.5, 0.5]))
