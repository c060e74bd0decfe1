"""Samples at places that offsets move, against a loop over windows; layouts observed: MindSpore 2.10, CPU."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

RNG = np.random.default_rng(0)


def bilinear(image, y, x):
    """One plane at a place; zeros outside."""
    h, w = image.shape
    total = 0.0
    for r in (int(np.floor(y)), int(np.floor(y)) + 1):
        for c in (int(np.floor(x)), int(np.floor(x)) + 1):
            if 0 <= r < h and 0 <= c < w:
                total += image[r, c] * (1 - abs(y - r)) * (1 - abs(x - c))
    return total


def sampled(x, offsets, stride, pads, window, dilation, groups):
    n, c = x.shape[:2]
    h, w = offsets.shape[2:]
    o = offsets.reshape(n, 3, groups, *window, h, w)
    out = np.zeros((n, c, h * window[0], w * window[1]))
    for b, ch, i, j, k, m in np.ndindex(n, c, h, w, *window):
        g = ch * groups // c
        y = i * stride[0] - pads[0] + k * dilation[0] + o[b, 1, g, k, m, i, j]
        at = j * stride[1] - pads[2] + m * dilation[1] + o[b, 0, g, k, m, i, j]
        out[b, ch, i * window[0] + k, j * window[1] + m] = bilinear(x[b, ch], y, at) * o[b, 2, g, k, m, i, j]
    return out


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("stride", "pads", "window", "dilation", "groups", "places"), [
    ((1, 1), (0, 0, 0, 0), (2, 2), (1, 1), 1, (3, 4)), ((2, 1), (1, 1, 0, 2), (2, 3), (1, 2), 2, (3, 3))])
def test_windows_are_sampled_where_offsets_say(stride, pads, window, dilation, groups, places):
    x = RNG.normal(size=(2, 4, 4, 5)).astype(np.float32)
    offsets = RNG.normal(size=(2, 3 * groups * window[0] * window[1], *places)).astype(np.float32)
    op = ops.DeformableOffsets((1, 1, *stride), pads, window, (1, 1, *dilation), "NCHW", groups)
    np.testing.assert_allclose(op(Tensor(x), Tensor(offsets)).asnumpy(),
                               sampled(x, offsets, stride, pads, window, dilation, groups), atol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_without_offsets_it_is_a_convolution_with_its_derivatives():
    x, w = [RNG.normal(size=s).astype(np.float32) for s in ((2, 4, 6, 5), (6, 2, 3, 2))]
    offsets = np.concatenate([np.zeros((2, 12, 6, 6)), np.ones((2, 6, 6, 6))], 1).astype(np.float32)

    def f(x, w):
        return ops.deformable_conv2d(x, w, Tensor(offsets), (3, 2), (1, 1, 1, 1), (1, 1, 1, 1), groups=2)

    tx, tw = [torch.tensor(a, requires_grad=True) for a in (x, w)]
    want = torch.nn.functional.conv2d(tx, tw, padding=1, groups=2)
    (want ** 2).sum().backward()
    np.testing.assert_allclose(f(Tensor(x), Tensor(w)).asnumpy(), want.detach().numpy(), atol=1e-4)
    found = ms.grad(lambda x, w: (f(x, w) ** 2).sum(), (0, 1))(Tensor(x), Tensor(w))
    for a, b in zip(found, (tx.grad, tw.grad), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.numpy(), rtol=1e-4, atol=1e-3)


def test_offsets_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="the offsets must be"):
        ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(ops.ones((1, 1, 3, 3)), ops.ones((1, 8, 2, 2)))


@pytest.mark.usefixtures("both_modes")
def test_cells_of_regions_are_means_of_channels_of_their_own():
    x = np.arange(64, dtype=np.float32).reshape(1, 4, 4, 4)
    op = ops.operations._inner_ops.PsROIPooling(2, 2, 1, 1.0, 1, 2)
    y = op(Tensor(x), Tensor([[0, 0.0, 0, 3, 3]]))
    parts = [x[0, 2 * i + j, 2 * i:2 * i + 2, 2 * j:2 * j + 2].mean() for i in range(2) for j in range(2)]
    np.testing.assert_allclose(y.asnumpy().ravel(), parts)
