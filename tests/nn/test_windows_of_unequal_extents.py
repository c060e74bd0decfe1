"""Pooling and convolution with unequal windows, steps, ends and groups in one to three dimensions, beside torch."""
from __future__ import annotations

from math import prod, sqrt

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from mindspore import Tensor, nn, set_seed

RNG = np.random.default_rng(8)
EXTENTS, KERNEL, STEP = (7, 6, 9), (3, 2, 4), (2, 1, 3)
POOLS = {1: (F.max_pool1d, F.avg_pool1d, nn.MaxPool1d, nn.AvgPool1d), 2: (F.max_pool2d, F.avg_pool2d, nn.MaxPool2d,
         nn.AvgPool2d), 3: (F.max_pool3d, F.avg_pool3d, nn.MaxPool3d, nn.AvgPool3d)}


def one(values):
    return values[0] if len(values) == 1 else values


def ends_of(extents, kernel, step, dilation):
    """The ends of "same", the greater one behind, as torch wants them: the last axis first."""
    found = []
    for n, k, s, d in zip(extents, kernel, step, dilation, strict=True):
        total = max((-(-n // s) - 1) * s + d * (k - 1) + 1 - n, 0)
        found = [total // 2, total - total // 2, *found]
    return found


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("mode", ["same", "valid", "whole"])
def test_pools_of_every_rank(n, mode):
    greatest, mean, most, average = POOLS[n]
    x = RNG.standard_normal((2, 3, *EXTENTS[:n])).astype(np.float32)
    kernel, step = (EXTENTS[:n], (1,) * n) if mode == "whole" else (KERNEL[:n], STEP[:n])
    given, pad = torch.tensor(x), "valid" if mode == "whole" else mode
    want_most, want_mean = greatest(given, kernel, step), mean(given, kernel, step)
    if mode == "same":
        ends = ends_of(EXTENTS[:n], kernel, step, (1,) * n)
        want_most = greatest(F.pad(given, ends, value=-np.inf), kernel, step)
        weights = mean(F.pad(torch.ones_like(given), ends), kernel, step)
        want_mean = mean(F.pad(given, ends), kernel, step) / weights
    found = most(one(kernel), one(step), pad)(Tensor(x))
    assert found.shape == tuple(want_most.shape)
    np.testing.assert_allclose(found.asnumpy(), want_most, rtol=1e-6)
    options = {"count_include_pad": False} if n == 3 else {}
    found = average(one(kernel), one(step), pad, **options)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, want_mean, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("ceil", [False, True])
def test_pools_with_ends_of_their_own(n, ceil):
    greatest, mean, most, average = POOLS[n]
    x = RNG.standard_normal((2, 3, *EXTENTS[:n])).astype(np.float32)
    kernel, step, ends = KERNEL[:n], STEP[:n], (1, 1, 2)[:n]
    given = torch.tensor(x)
    values, places = greatest(given, kernel, step, ends, (2, 1, 2)[:n], ceil, True)
    found, where = most(one(kernel), one(step), "pad", one(ends), one((2, 1, 2)[:n]), True, ceil)(Tensor(x))
    np.testing.assert_array_equal(found.asnumpy(), values)
    np.testing.assert_array_equal(where.asnumpy(), places)
    for counted in (False, True):
        made = average(one(kernel), one(step), "pad", one(ends), ceil, counted)
        np.testing.assert_allclose(made(Tensor(x)).asnumpy(), mean(given, kernel, step, ends, ceil, counted), rtol=1e-5,
                                   atol=1e-6)
    if n > 1:
        made = average(kernel, step, "pad", ends, ceil, True, 5)
        np.testing.assert_allclose(made(Tensor(x)).asnumpy(), mean(given, kernel, step, ends, ceil, True, 5), rtol=1e-5,
                                   atol=1e-6)


@pytest.mark.parametrize("mode", ["same", "valid", "pad"])
def test_pools_of_images_with_channels_last(mode):
    x = RNG.standard_normal((2, 7, 6, 3)).astype(np.float32)
    ends = {"padding": (1, 1)} if mode == "pad" else {}
    turned = Tensor(x.transpose(0, 3, 1, 2))
    for kind in (nn.MaxPool2d, nn.AvgPool2d):
        first, last = (kind((3, 2), (2, 1), mode, **ends, data_format=f) for f in ("NCHW", "NHWC"))
        np.testing.assert_array_equal(last(Tensor(x)).asnumpy(), first(turned).asnumpy().transpose(0, 2, 3, 1))
    if mode == "pad":
        first, last = (nn.MaxPool2d((3, 2), (2, 1), mode, **ends, return_indices=True, data_format=f)
                       for f in ("NCHW", "NHWC"))
        for a, b in zip(first(turned), last(Tensor(x)), strict=True):
            np.testing.assert_array_equal(b.asnumpy(), a.asnumpy().transpose(0, 2, 3, 1))
    else:
        by = nn.AvgPool2d((3, 2), (2, 1), mode, divisor_override=4)(turned).asnumpy()
        ends_ = ends_of((7, 6), (3, 2), (2, 1), (1, 1)) if mode == "same" else [0, 0]
        given = F.pad(torch.tensor(turned.asnumpy()), ends_)
        np.testing.assert_allclose(by, F.avg_pool2d(given, (3, 2), (2, 1), divisor_override=4), rtol=1e-5, atol=1e-6)


CONVS = {1: (F.conv1d, nn.Conv1d, F.conv_transpose1d, nn.Conv1dTranspose), 2: (F.conv2d, nn.Conv2d, F.conv_transpose2d,
         nn.Conv2dTranspose), 3: (F.conv3d, nn.Conv3d, F.conv_transpose3d, nn.Conv3dTranspose)}


def filled(layer):
    for p in layer.get_parameters():
        p.set_data(Tensor(RNG.standard_normal(p.shape).astype(np.float32)))
    weight = torch.tensor(layer.weight.asnumpy())
    return (weight.squeeze(2) if weight.dim() == 4 and layer.n == 1 else weight), torch.tensor(layer.bias.asnumpy())


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("mode", ["same", "valid", "pad"])
@pytest.mark.parametrize("group", [1, 2])
def test_convolutions_of_every_rank(n, mode, group):
    plain, kind, *_ = CONVS[n]
    kernel, step, dilation, ends = KERNEL[:n], STEP[:n], (2, 3, 1)[:n], (1, 2, 0, 1, 3, 0)[:2 * n]
    options = {"padding": 2 if n == 1 else ends} if mode == "pad" else {}
    layer = kind(4, 6, one(kernel), one(step), mode, **options, dilation=one(dilation), group=group, has_bias=True)
    weight, bias = filled(layer)
    x = RNG.standard_normal((2, 4, *EXTENTS[:n])).astype(np.float32)
    own = [e for pair in list(zip(ends[::2], ends[1::2], strict=True))[::-1] for e in pair]
    before = {"same": ends_of(EXTENTS[:n], kernel, step, dilation), "valid": [0] * (2 * n),
              "pad": [2, 2] if n == 1 else own}
    want = plain(F.pad(torch.tensor(x), before[mode]), weight, bias, step, 0, dilation, group)
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), want, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("mode", ["same", "valid", "pad"])
@pytest.mark.parametrize("group", [1, 2])
def test_transposed_convolutions_of_every_rank(n, mode, group):
    *_, plain, kind = CONVS[n]
    kernel, step, dilation = KERNEL[:n], (3, 4, 2)[:n], (2, 1, 1)[:n]
    options = {"padding": 1 if n == 1 else (1,) * (2 * n)} if mode == "pad" else {}
    extra = (2, 1, 0)[:n] if mode == "pad" and n > 1 else (0,) * n
    options |= {} if n == 1 else {"output_padding": extra}
    layer = kind(4, 6, one(kernel), one(step), mode, **options, dilation=one(dilation), group=group, has_bias=True)
    weight, bias = filled(layer)
    x = RNG.standard_normal((2, 4, *(3, 4, 2)[:n])).astype(np.float32)
    found = layer(Tensor(x)).asnumpy()
    if mode == "pad":
        want = plain(torch.tensor(x), weight, bias, step, 1, extra, group, dilation).numpy()
    else:
        reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
        wide = plain(torch.tensor(x), weight, bias, step, 0, [max(s - r, 0) for s, r in zip(step, reach, strict=True)],
                     group, dilation).numpy()
        cut = [max(r - s, 0) if mode == "same" else 0 for s, r in zip(step, reach, strict=True)]
        want = wide[(..., *[slice(c // 2, m - (c - c // 2)) for c, m in zip(cut, wide.shape[2:], strict=True)])]
        if mode == "same":
            assert found.shape[2:] == tuple([s * m for s, m in zip(step, x.shape[2:], strict=True)])
    np.testing.assert_allclose(found, want, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("mode", ["same", "valid", "pad"])
def test_convolutions_with_channels_last(mode):
    ends = {"padding": (1, 0, 2, 1)} if mode == "pad" else {}
    x = RNG.standard_normal((2, 5, 8, 4)).astype(np.float32)
    first, last = (nn.Conv2d(4, 6, (3, 2), (2, 1), mode, **ends, dilation=(1, 2), has_bias=True, data_format=f)
                   for f in ("NCHW", "NHWC"))
    filled(first)
    last.weight.set_data(Tensor(first.weight.asnumpy().transpose(0, 2, 3, 1)))
    last.bias.set_data(first.bias)
    want = first(Tensor(x.transpose(0, 3, 1, 2))).asnumpy().transpose(0, 2, 3, 1)
    np.testing.assert_allclose(last(Tensor(x)).asnumpy(), want, rtol=1e-4, atol=1e-5)


def test_channels_are_multiples_of_the_groups():
    for channels in ((4, 5), (5, 4)):
        with pytest.raises(ValueError, match="group"):
            nn.Conv2d(*channels, 3, group=2)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_first_weights_and_biases_lie_within_the_root_of_what_they_take(n):
    set_seed(1)
    *_, kind, _, turned = CONVS[n]
    for made, taken in ((kind(8, 20, one(KERNEL[:n]), group=4, has_bias=True), 2),
                        (turned(8, 20, one(KERNEL[:n]), group=4, has_bias=True), 5)):
        bound = 1 / sqrt(taken * prod(KERNEL[:n]))
        bias, weight = np.abs(made.bias.asnumpy()), np.abs(made.weight.asnumpy())
        assert 0.75 * bound < bias.max() <= bound
        assert 0.75 * bound < weight.max() <= bound
    given = RNG.standard_normal((3, 2, 4)).astype(np.float32)
    layer = nn.Conv1d(2, 3, 4, weight_init=Tensor(given))
    assert layer.weight.shape == (3, 2, 1, 4)
    np.testing.assert_array_equal(layer.weight.asnumpy()[:, :, 0], given)
