"""Operations on images of unequal sides: what is copied, where rectangles lie, which way things move."""
from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from mindspore.dataset import config, vision
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.vision import warp

RNG = np.random.default_rng(2)
IMAGE = RNG.integers(0, 256, (12, 16, 3), np.uint8)
STACKS = [IMAGE[None], np.stack([IMAGE, IMAGE[::-1]]), np.stack([IMAGE, IMAGE[:, ::-1]])[..., 0],
          RNG.random((3, 5, 7, 1)).astype(np.float32)]


def test_an_image_of_the_size_that_is_wanted_is_a_copy():
    out = vision.Resize((12, 16))(IMAGE)
    assert np.array_equal(out, IMAGE)
    assert not np.shares_memory(out, IMAGE)


@pytest.mark.parametrize("stack", STACKS, ids=[str(s.shape) for s in STACKS])
@pytest.mark.parametrize("operation", [
    vision.Resize((12, 20)), vision.Resize((9, 16)), vision.Resize(4), vision.CenterCrop((5, 4)),
    vision.CenterCrop((13, 4)), vision.HorizontalFlip(), vision.VerticalFlip()],
    ids=["wider", "lower", "short", "middle", "padded", "mirrored", "turned"])
def test_stacks_of_images_are_images_one_by_one(operation, stack):
    found = operation.apply_stack(stack)
    if found is None:
        pytest.skip("this one takes images one by one")
    wanted = np.stack([operation(one) for one in stack])
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("size", [(13, 4), (4, 17), (13, 17)])
def test_parts_are_no_larger_than_pictures_in_either_direction(size):
    for kind in (vision.FiveCrop, vision.TenCrop):
        with pytest.raises(PipelineError, match="must not be larger"):
            kind(size)(Image.fromarray(IMAGE))
    parts = vision.FiveCrop((5, 3))(Image.fromarray(IMAGE))
    corners = [IMAGE[:5, :3], IMAGE[:5, -3:], IMAGE[-5:, :3], IMAGE[-5:, -3:]]
    for part, corner in zip(parts, corners, strict=False):
        assert np.array_equal(np.asarray(part), corner)


@pytest.mark.parametrize("patches", [(13, 2), (2, 17)])
def test_there_are_no_more_patches_than_pixels(patches):
    with pytest.raises(PipelineError, match="more patches than pixels"):
        vision.SlicePatches(*patches)(IMAGE)
    found = vision.SlicePatches(2, 3)(IMAGE)
    padded = np.pad(IMAGE, ((0, 0), (0, 2), (0, 0)))
    for k, patch in enumerate(found):
        i, j = divmod(k, 3)
        assert np.array_equal(patch, padded[6 * i:6 * i + 6, 6 * j:6 * j + 6])


# ------------------------------------------------------------------ moves

def test_pictures_move_where_arrays_move():
    owner = vision.Affine(0.0, (0.0, 0.0), 1.0, 0.0)
    for shift in ((3, 0), (0, 2), (-2, 1)):
        wanted = np.zeros_like(IMAGE)
        x, y = shift
        wanted[max(y, 0):12 + min(y, 0), max(x, 0):16 + min(x, 0)] = IMAGE[
            max(-y, 0):12 + min(-y, 0), max(-x, 0):16 + min(-x, 0)]
        assert np.array_equal(warp.moved(owner, IMAGE, 0.0, shift, 1.0, (0.0, 0.0)), wanted)
        picture = warp.moved(owner, Image.fromarray(IMAGE), 0.0, shift, 1.0, (0.0, 0.0))
        assert np.array_equal(np.asarray(picture), wanted)


def test_pictures_move_in_both_directions():
    config.set_seed(5)
    dot = np.zeros((21, 21, 3), np.uint8)
    dot[10, 10] = 255
    move, seen = vision.RandomAffine(0, (0.2, 0.3)), []
    for _ in range(40):
        y, x, _ = np.argwhere(np.asarray(move(Image.fromarray(dot))))[0]
        seen.append((x - 10, y - 10))
    x, y = np.array(seen).T
    assert x.min() < -2 < 2 < x.max() <= 4
    assert y.min() < -3 < 3 < y.max() <= 6


def test_ranges_of_one_direction_are_nought_in_the_other():
    assert vision.RandomAffine(0, shear=10).shear == (-10, 10, 0.0, 0.0)
    assert vision.RandomAffine(0, shear=(1, 3)).shear == (1, 3, 0.0, 0.0)
    assert vision.RandomAffine(0, (0.1, 0.2)).translate == (0.1, 0.2, 0.0, 0.0)
    vision.RandomAffine(0, scale=(0.0, 1.0))
    with pytest.raises(ValueError, match="scale"):
        vision.RandomAffine(0, scale=(0.0, 0.0))


def test_the_point_that_stays_may_lie_outside():
    turned = vision.Rotate(90, center=(-1, 3))(IMAGE)
    wanted = np.zeros_like(IMAGE)
    for y in range(12):
        for x in range(16):                      # a quarter turn around (-1, 3), against the clock
            u, v = -1 - (y - 3), 3 + (x + 1)
            if 0 <= u < 16 and 0 <= v < 12:
                wanted[y, x] = IMAGE[v, u]
    assert np.array_equal(turned, wanted)


# ------------------------------------------------------------------ rectangles

@pytest.mark.parametrize(("ratio", "tall", "wide"), [((2.0, 2.0), 15, 8), ((0.5, 0.5), 8, 15), ((1.0, 1.0), 11, 11)])
def test_rectangles_have_the_area_and_the_ratio_of_height_to_width(ratio, tall, wide):
    config.set_seed(3)
    erase, corners = vision.RandomErasing(1.0, (0.2, 0.2), ratio, 7), set()
    image = np.zeros((3, 20, 30), np.uint8)
    for _ in range(120):
        found = erase(image)
        rows, columns = np.flatnonzero(found.any((0, 2))), np.flatnonzero(found.any((0, 1)))
        assert (len(rows), len(columns)) == (tall, wide)
        assert (found[:, rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1] == 7).all()
        corners.add((int(rows[0]), int(columns[0])))
    assert not image.any()
    tops = {top for top, _ in corners}
    assert (min(tops), max(tops)) == (0, 20 - tall)


def test_what_is_erased_in_place_is_the_array_that_was_given():
    image = np.zeros((3, 20, 30), np.float32)
    assert vision.RandomErasing(1.0, (0.2, 0.2), (1.0, 1.0), 7, inplace=True)(image) is image
    assert image.any()
    picture = IMAGE.copy()
    vision.Erase(2, 3, 4, 5, 9)(picture)
    assert np.array_equal(picture, IMAGE)
    vision.Erase(2, 3, 4, 5, (9, 8, 7), inplace=True)(picture)
    wanted = IMAGE.copy()
    wanted[2:6, 3:8] = (9, 8, 7)
    assert np.array_equal(picture, wanted)
    for at in ((12, 0, 1, 1), (0, 16, 1, 1), (0, 0, 12, 16)):            # the last place at which one may begin
        vision.Erase(*at)(IMAGE)
    for at in ((13, 0, 1, 1), (0, 17, 1, 1), (0, 0, 13, 1), (0, 0, 1, 17)):
        with pytest.raises(PipelineError, match="must begin within"):
            vision.Erase(*at)(IMAGE)


def test_a_rectangle_that_is_as_wide_as_the_image_is_drawn_again():
    image = np.zeros((3, 20, 4), np.uint8)
    assert not vision.RandomErasing(1.0, (0.5, 0.5), (0.1, 0.1), 7)(image).any()


# ------------------------------------------------------------------ sizes and limits

def test_an_image_at_an_offset_fits():
    assert np.array_equal(vision.PadToSize((14, 20), (2, 4))(IMAGE)[2:, 4:], IMAGE)
    assert np.array_equal(vision.PadToSize((15, 19))(IMAGE)[1:13, 1:17], IMAGE)
    for offset in ((3, 0), (0, 5), (3, 5)):
        with pytest.raises(PipelineError, match="must fit"):
            vision.PadToSize((14, 20), offset)(IMAGE)


@pytest.mark.parametrize("make", [lambda: vision.GaussianBlur((3, 4)), lambda: vision.GaussianBlur((4, 3)),
                                  lambda: vision.AutoContrast(50.0), lambda: vision.AutoContrast(-0.1)])
def test_numbers_beyond_the_limits_are_refused(make):
    with pytest.raises(ValueError, match=r"For '\w+', the '(kernel_size|cutoff)' must be"):
        make()


def test_sharpness_mixes_with_the_mean_of_nine_of_which_the_middle_counts_five_times():
    image = np.zeros((5, 6, 3), np.uint8)
    image[2, 3] = 130
    smooth = vision.AdjustSharpness(0.0)(image)[..., 0]
    assert smooth[2, 3] == 50
    assert smooth[1, 2] == smooth[3, 4] == 10
    assert smooth.sum() == 130
