"""Pooling with every padding, adaptive cells, indices."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore
from mindspore import Tensor, ops


@pytest.mark.parametrize(("kernel", "stride", "extent"), [(3, 2, 6), (2, 1, 5), (2, 2, 5), (3, 3, 7), (4, 1, 6)])
def test_same_padding_pools_as_many_places_as_strides_fit(agrees_with_torch, draw, kernel, stride, extent):
    places = -(-extent // stride)
    total = max((places - 1) * stride + kernel - extent, 0)
    ends = (total // 2, total - total // 2) * 2

    def best(x):
        return F.max_pool2d(F.pad(x, ends, value=-np.inf), kernel, stride)

    def mean(x):
        count = F.avg_pool2d(F.pad(torch.ones_like(x), ends), kernel, stride, divisor_override=1)
        return F.avg_pool2d(F.pad(x, ends), kernel, stride, divisor_override=1) / count
    x = draw(2, 3, extent, extent)
    agrees_with_torch(ops.MaxPool(kernel, stride, "same"), best, x)
    agrees_with_torch(ops.AvgPool(kernel, stride, "same"), mean, x)


def test_max_pool_agrees_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.max_pool2d(x, 3, 2, 1, ceil_mode=True),
                      lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True), draw(2, 3, 7, 6))
    agrees_with_torch(lambda x: ops.max_pool3d(x, 2, 2), lambda x: F.max_pool3d(x, 2, 2),
                      draw(2, 3, 4, 4, 4))


def test_many_channels_have_the_same_maxima_and_the_first_of_equal_ones(draw):
    x = np.round(draw(2, 20, 6, 7))                 # rounded, so that many are equal
    y, indices = ops.max_pool2d(Tensor(x), 3, 2, 1, return_indices=True)
    wanted, places = F.max_pool2d(torch.tensor(x), 3, 2, 1, return_indices=True)
    np.testing.assert_array_equal(y.asnumpy(), wanted.numpy())
    np.testing.assert_array_equal(indices.asnumpy(), places.numpy())


@pytest.mark.parametrize("include", [True, False])
def test_avg_pool_agrees_with_torch(agrees_with_torch, draw, include):
    agrees_with_torch(lambda x: ops.avg_pool2d(x, 3, 2, 1, count_include_pad=include),
                      lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=include), draw(2, 3, 7, 6))
    agrees_with_torch(lambda x: ops.avg_pool1d(x, 3, 2, 1, count_include_pad=include),
                      lambda x: F.avg_pool1d(x, 3, 2, 1, count_include_pad=include), draw(2, 3, 7))


def test_avg_pool_divides_by_what_it_is_told(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.avg_pool2d(x, 2, 2, divisor_override=3),
                      lambda x: F.avg_pool2d(x, 2, 2, divisor_override=3), draw(2, 3, 4, 4))


@pytest.mark.parametrize(("ours", "theirs", "shape"), [
    (ops.adaptive_avg_pool1d, F.adaptive_avg_pool1d, (2, 3, 7)),
    (ops.adaptive_avg_pool2d, F.adaptive_avg_pool2d, (2, 3, 7, 5)),
    (ops.adaptive_avg_pool3d, F.adaptive_avg_pool3d, (2, 3, 5, 4, 6)),
    (ops.adaptive_max_pool1d, F.adaptive_max_pool1d, (2, 3, 7)),
    (ops.adaptive_max_pool2d, F.adaptive_max_pool2d, (2, 3, 7, 5)),
    (ops.adaptive_max_pool3d, F.adaptive_max_pool3d, (2, 3, 5, 4, 6))])
def test_adaptive_pools_agree_with_torch(agrees_with_torch, draw, ours, theirs, shape):
    agrees_with_torch(lambda x: ours(x, 3), lambda x: theirs(x, 3), draw(*shape))


def test_an_adaptive_size_of_none_keeps_the_extent(draw):
    assert ops.AdaptiveAvgPool2D((None, 2))(Tensor(draw(1, 2, 5, 6))).shape == (1, 2, 5, 2)


def test_indices_count_within_the_image_of_all_channels():
    # observed: MindSpore 2.10, CPU
    x = Tensor(np.arange(2 * 3 * 16, dtype=np.float32).reshape(2, 3, 4, 4))
    _, indices = ops.MaxPoolWithArgmax(2, 2)(x)
    np.testing.assert_array_equal(indices.asnumpy()[:, :, 0, 0], [[5, 21, 37]] * 2)


def test_unpooling_puts_the_maxima_back(draw):
    x = Tensor(draw(1, 2, 4, 4))
    y, indices = ops.max_pool2d(x, 2, return_indices=True)
    back = ops.max_unpool2d(y, indices, 2).asnumpy()
    kept = back != 0
    np.testing.assert_array_equal(back[kept], x.asnumpy()[kept])
    assert kept.sum() == 8


def test_the_power_pool_agrees_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.lp_pool2d(x, 2, 2), lambda x: F.lp_pool2d(x, 2, 2),
                      np.abs(draw(1, 2, 4, 4)) + 0.1)


def test_fractional_pooling_keeps_maxima_of_the_wanted_size(draw):
    x = Tensor(draw(1, 2, 8, 8))
    y, indices = ops.fractional_max_pool2d(x, 2, output_ratio=0.5, return_indices=True)
    flat = x.asnumpy().reshape(1, 2, 64)
    np.testing.assert_array_equal(np.take_along_axis(flat, indices.asnumpy().reshape(1, 2, 16), 2),
                                  y.asnumpy().reshape(1, 2, 16))


def test_the_second_derivative_of_a_mean_pool_of_squares_is_constant(draw):
    x = Tensor(draw(1, 1, 4, 4))
    twice = mindspore.grad(lambda v: mindspore.grad(lambda u: ops.avg_pool2d(u * u, 2, 2).sum())(v).sum())(x)
    np.testing.assert_allclose(twice.asnumpy(), 0.5, rtol=1e-6)


@pytest.mark.parametrize(("call", "said"), [
    (lambda x: ops.max_pool2d(x, 9), "window"), (lambda x: ops.max_pool2d(x, 2, padding=3), "twice the"),
    (lambda x: ops.MaxPool(2, 2, "pad")(x), "one of .'valid', 'same'"),
    (lambda x: ops.max_pool2d(x, -1), "kernel_size"),
    (lambda x: ops.avg_pool2d(x, 2, 1, -1), "padding"),
    (lambda x: ops.max_pool3d(x[0, 0], 2), "4 or 5 dimensions")])
def test_wrong_windows_are_named(draw, call, said):
    with pytest.raises(ValueError, match=said):
        call(Tensor(draw(1, 2, 4, 4)))
