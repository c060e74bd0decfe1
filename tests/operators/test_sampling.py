"""Patches, grids and regions of images."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from mindspore import Tensor, ops


def test_patches_agree_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.unfold(x, (2, 3), padding=1, stride=2),
                      lambda x: F.unfold(x, (2, 3), padding=1, stride=2), draw(2, 3, 5, 6))
    agrees_with_torch(lambda x: ops.fold(x, (4, 5), 2), lambda x: F.fold(x, (4, 5), 2), draw(2, 12, 12))


def test_patches_as_primitives_keep_the_channels_apart(draw):
    x = Tensor(draw(2, 3, 4, 4))
    columns = ops.Im2Col(2)(x)
    assert columns.shape == (2, 3, 4, 9)
    count = ops.Col2Im(2)(ops.Im2Col(2)(x * 0 + 1), (4, 4))
    np.testing.assert_allclose((ops.Col2Im(2)(columns, (4, 4)) / count).asnumpy(), x.asnumpy(), rtol=1e-5)


def test_columns_that_fit_no_image_are_named(draw):
    with pytest.raises(ValueError, match="for an image of size"):
        ops.fold(Tensor(draw(1, 12, 10)), (4, 5), 2)


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_grid_samples_agree_with_torch(agrees_with_torch, draw, padding):
    agrees_with_torch(lambda x, g: ops.grid_sample(x, g, padding_mode=padding, align_corners=True),
                      lambda x, g: F.grid_sample(x, g, padding_mode=padding, align_corners=True),
                      draw(2, 3, 4, 5), draw(2, 3, 3, 2) * 0.9)


def test_affine_grids_agree_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda t: ops.affine_grid(t, (2, 3, 4, 5), True),
                      lambda t: F.affine_grid(t, (2, 3, 4, 5), True), draw(2, 2, 3))


def test_a_crop_of_the_whole_image_is_a_resize_with_aligned_corners(draw):
    x = draw(1, 5, 6, 2)
    y = ops.crop_and_resize(Tensor(x), Tensor(np.array([[0, 0, 1, 1]], np.float32)),
                            Tensor(np.array([0], np.int32)), (3, 7)).asnumpy()
    wanted = F.interpolate(torch.tensor(x).permute(0, 3, 1, 2), (3, 7), mode="bilinear", align_corners=True)
    np.testing.assert_allclose(y, wanted.permute(0, 2, 3, 1).numpy(), rtol=1e-5, atol=1e-5)


def test_places_outside_the_image_have_the_extrapolation_value(draw):
    y = ops.crop_and_resize(Tensor(draw(1, 4, 4, 1)), Tensor(np.array([[0, 0, 2, 1]], np.float32)),
                            Tensor(np.array([0], np.int32)), (3, 2), extrapolation_value=-5.0).asnumpy()
    np.testing.assert_array_equal(y[0, 2, :, 0], -5)
    assert (y[0, :2] != -5).all()


def test_a_region_without_sampling_noise_is_the_mean_of_a_linear_image():
    x = np.broadcast_to(np.arange(9, dtype=np.float32), (1, 1, 9, 9)).copy()
    y = ops.ROIAlign(1, 2, 1.0, 2, 0)(Tensor(x), Tensor(np.array([[0, 1, 1, 5, 7]], np.float32))).asnumpy()
    np.testing.assert_allclose(y[0, 0, 0], [2, 4], rtol=1e-6)      # means of [1, 3] and of [3, 5]


def test_regions_need_five_numbers(draw):
    with pytest.raises(ValueError, match="regions \\(R, 5\\)"):
        ops.ROIAlign(2, 2, 1.0)(Tensor(draw(1, 1, 4, 4)), Tensor(draw(2, 4)))
