"""Functions of PIL images of 1.x."""
from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from mindspore.dataset.vision import py_transforms_util as util


@pytest.fixture
def image():
    return Image.fromarray(np.random.default_rng(3).integers(0, 256, (8, 10, 3), np.uint8))


@pytest.mark.parametrize("name", ["brightness", "contrast"])
def test_an_adjustment_is_that_of_pillow(image, name):
    enhance = getattr(ImageEnhance, name.capitalize())(image)
    found = getattr(util, f"adjust_{name}")(image, 1.5)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(enhance.enhance(1.5)))


def test_saturation_is_the_colour_of_pillow(image):
    np.testing.assert_array_equal(np.asarray(util.adjust_saturation(image, 0.5)),
                                  np.asarray(ImageEnhance.Color(image).enhance(0.5)))


def test_a_quarter_turn_with_expansion_is_a_transposition(image):
    turned = util.rotate(image, 90, expand=True)
    np.testing.assert_array_equal(np.asarray(turned), np.rot90(np.asarray(image)))


def test_a_crop_is_a_part_of_the_image(image):
    part, whole = np.asarray(util.random_crop(image, (3, 4))), np.asarray(image)
    assert any(np.array_equal(part, whole[i:i + 3, j:j + 4]) for i in range(6) for j in range(7))


def test_what_is_no_pil_image_is_refused(image):
    assert util.is_pil(image)
    assert not util.is_pil(np.asarray(image))
    with pytest.raises(TypeError, match="must be a PIL image, but got ndarray"):
        util.rotate(np.asarray(image), 90)


def test_arrays_get_their_channels_in_front(image):
    array = np.asarray(image)
    assert util.is_numpy(array)
    assert not util.is_numpy(image)
    np.testing.assert_array_equal(util.hwc_to_chw(array), np.moveaxis(array, 2, 0))
    assert util.hwc_to_chw(array[..., 0]).shape == (8, 10)
    for other, said in ((image, "must be a numpy.ndarray, but got Image"), (array[0, 0], "2 or 3 dimensions")):
        with pytest.raises(TypeError, match=said):
            util.hwc_to_chw(other)
