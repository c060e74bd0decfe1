"""Convolution as a product of the weight with windows, and pooling, with the samples innermost in memory."""
from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from mindspore.operators import narrow, pooling

PADDINGS = [(0, 0), (1, 2), (1, 0, 2, 1)]


def images(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(4))


def inner(x):
    """The same images with the samples innermost in memory."""
    return x.permute(1, 2, 3, 0).contiguous().permute(3, 0, 1, 2)


def judged(x, w, b, dout, padding):
    """torch's convolution in double precision and its cotangents of input, weight and bias."""
    leaves = [t.double().requires_grad_() for t in (x, w, b)]
    top, bottom, left, right = padding if len(padding) == 4 else (padding[0], padding[0], padding[1], padding[1])
    y = F.conv2d(F.pad(leaves[0], (left, right, top, bottom)), *leaves[1:])
    return [t.float() for t in (y.detach(), *torch.autograd.grad(y, leaves, dout.double()))]


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last, None])
@pytest.mark.parametrize("padding", PADDINGS)
def test_windows_give_the_convolution_and_all_cotangents(padding, layout):
    lay = inner if layout is None else lambda t: t.contiguous(memory_format=layout)
    x, w, b = images(5, 3, 7, 6), images(2, 3, 3, 2), images(2)
    dout = images(5, 2, *F.conv2d(F.pad(x, _four(padding)), w).shape[2:])
    y, dx, dw, db = judged(x, w, b, dout, padding)
    x, dout = lay(x), lay(dout)
    windows = narrow.sample_windows.kernel(x, window=(3, 2), padding=padding)
    found = narrow.convolve_windows.kernel(windows, w, b, shape=tuple(y.shape))
    assert narrow.samples_innermost(found)
    torch.testing.assert_close(found, y)
    torch.testing.assert_close(narrow.windows_weight_grad.kernel(dout, windows, w), dw)
    both = narrow.windows_affine_grad.kernel(dout, windows, w)
    torch.testing.assert_close(both, (dw, db))
    back = narrow.windows_input_grad.kernel(dout, w, shape=tuple(x.shape), padding=padding)
    assert narrow.samples_innermost(back)
    torch.testing.assert_close(back, dx)


def _four(padding):
    top, bottom, left, right = padding if len(padding) == 4 else (padding[0], padding[0], padding[1], padding[1])
    return left, right, top, bottom


def test_the_cotangent_of_a_weight_lies_as_the_weight():
    w = images(2, 3, 3, 2).contiguous(memory_format=torch.channels_last)
    windows = narrow.sample_windows.kernel(images(5, 3, 7, 6), window=(3, 2), padding=(0, 0))
    assert narrow.windows_weight_grad.kernel(images(5, 2, 5, 5), windows, w).stride() == w.stride()


def test_pooling_takes_samples_innermost_as_it_takes_rows():
    x = images(9, 3, 6, 7).round()                 # rounded, so that many are equal
    for attrs in ({"window": (2, 2), "stride": (2, 2)}, {"window": (3, 3), "stride": (2, 2), "padding": (1, 1)}):
        y, indices = pooling.max_pool.kernel(x, **attrs)
        found, places = pooling.max_pool.kernel(inner(x), **attrs)
        assert narrow.samples_innermost(found)
        assert torch.equal(found, y)
        assert torch.equal(places, indices)
        dout = images(*y.shape)
        wanted = pooling.max_pool_grad.kernel(dout, indices, shape=tuple(x.shape), **attrs)
        for given in (dout, inner(dout)):
            dx = pooling.max_pool_grad.kernel(given, places, shape=tuple(x.shape), **attrs)
            assert narrow.samples_innermost(dx)
            assert torch.equal(dx, wanted)
        torch.testing.assert_close(pooling.avg_pool.kernel(inner(x), **attrs), pooling.avg_pool.kernel(x, **attrs))
        torch.testing.assert_close(
            pooling.avg_pool_grad.kernel(inner(dout), shape=tuple(x.shape), **attrs),
            pooling.avg_pool_grad.kernel(dout, shape=tuple(x.shape), **attrs))


def test_maxima_with_the_channels_innermost_hand_back_a_cotangent_in_rows():
    x = images(2, 20, 6, 6).round().contiguous(memory_format=torch.channels_last)
    attrs = {"window": (2, 2), "stride": (2, 2)}
    y, indices = pooling.max_pool.kernel(x, **attrs)
    dout = images(*y.shape)
    got = pooling.max_pool_grad.kernel(dout, indices, shape=tuple(x.shape), **attrs)
    leaf = x.clone().requires_grad_()
    (wanted,) = torch.autograd.grad(F.max_pool2d(leaf, 2), leaf, dout)
    assert torch.equal(got, wanted)
