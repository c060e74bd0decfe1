"""Resampling with the original's rules for places, against torch where the rules agree."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from mindspore import Tensor, ops

IMAGE = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)


@pytest.mark.parametrize(("shape", "size", "mode", "corners"), [
    ((2, 3, 5), 8, "linear", True), ((2, 3, 5), 8, "linear", False), ((2, 3, 4, 5), (7, 3), "bilinear", True),
    ((2, 3, 4, 5), (7, 3), "bilinear", False), ((2, 3, 4, 5), (2, 7), "area", None),
    ((1, 2, 3, 4, 3), (5, 2, 4), "trilinear", False), ((2, 3, 4, 5), (7, 3), "nearest", None),
    ((2, 3, 4, 5), (7, 3), "nearest-exact", None)])
def test_interpolation_agrees_with_torch(agrees_with_torch, draw, shape, size, mode, corners):
    agrees_with_torch(lambda x: ops.interpolate(x, size, mode=mode, align_corners=corners),
                      lambda x: F.interpolate(x, size, mode=mode, align_corners=corners), draw(*shape))


def test_factors_that_do_not_divide_place_samples_by_themselves_unless_recomputed(draw):
    x = draw(1, 1, 5, 5)
    for recompute in (False, True):
        y = ops.interpolate(Tensor(x), scale_factor=1.5, mode="bilinear", recompute_scale_factor=recompute)
        wanted = F.interpolate(torch.tensor(x), scale_factor=1.5, mode="bilinear",
                               recompute_scale_factor=recompute)
        np.testing.assert_allclose(y.asnumpy(), wanted.numpy(), rtol=1e-5, atol=1e-5)


def test_cubic_interpolation_leaves_out_what_lies_outside():
    # observed: MindSpore 2.10, CPU
    y = ops.interpolate(Tensor(IMAGE), (2, 2), mode="bicubic").asnumpy()[0, 0]
    np.testing.assert_allclose(y, [[2.0588238, 4.2352943], [10.764707, 12.941177]], rtol=1e-6)


@pytest.mark.parametrize(("corners", "half", "first_rows"), [
    # observed: MindSpore 2.10, CPU
    (True, False, [[0, 1.5, 3], [2.4, 3.9, 5.4]]),
    (False, False, [[0, 1.3333334, 2.6666667], [2.6666667, 4, 5.3333335]]),
    (False, True, [[0.16666669, 1.5, 2.8333335], [2.1666665, 3.5, 4.8333335]])])
def test_the_primitive_has_three_grids_of_samples(corners, half, first_rows):
    y = ops.ResizeBilinearV2(corners, half)(Tensor(IMAGE), (6, 3)).asnumpy()[0, 0]
    np.testing.assert_allclose(y[:2], first_rows, rtol=1e-5)


def test_the_nearest_element_is_chosen_by_rounding_when_corners_are_aligned():
    # observed: MindSpore 2.10, CPU
    y = ops.ResizeNearestNeighbor((6, 6), True)(Tensor(IMAGE)).asnumpy()[0, 0]
    np.testing.assert_array_equal(y[0], [0, 1, 1, 2, 2, 3])
    np.testing.assert_array_equal(y[:, 0], [0, 4, 4, 8, 8, 12])


@pytest.mark.parametrize(("corners", "first"), [(False, [0.25, 1.5, 2.75]), (True, [0.3333333, 1.6666665, 3])])
def test_areas_are_averaged(corners, first):
    # observed: MindSpore 2.10, CPU
    y = ops.ResizeArea(corners)(Tensor(IMAGE.transpose(0, 2, 3, 1)), (6, 3)).asnumpy()
    np.testing.assert_allclose(y[0, 0, :, 0], first, rtol=1e-5)


@pytest.mark.parametrize(("options", "said"), [
    ({}, "one of them"), ({"size": 3, "scale_factor": 2.0}, "only one of them"),
    ({"size": 3, "mode": "cube"}, "'mode'"),
    ({"size": 3, "align_corners": True}, "must be None for the mode 'nearest'"),
    ({"size": 3, "mode": "linear"}, "3"), ({"size": (3, 0)}, "'size'")])
def test_wrong_options_are_named(options, said):
    with pytest.raises(ValueError, match=said):
        ops.interpolate(Tensor(IMAGE), **options)


def test_corners_and_half_pixels_exclude_each_other():
    with pytest.raises(ValueError, match="cannot both be True"):
        ops.ResizeBilinearV2(True, True)(Tensor(IMAGE), (2, 2))
