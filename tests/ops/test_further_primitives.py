"""Primitives that few programs use, against NumPy, torch and recorded results."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import operations as P

NOTHING = Tensor(np.zeros(1, np.float32))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("batch", [(), (2,)])
def test_systems_of_three_diagonals(batch):
    draw = np.random.RandomState(0)
    above, middle, below = draw.randn(3, *batch, 5)
    full = np.zeros((*batch, 5, 5))
    for i in range(5):
        full[..., i, i] = middle[..., i]
        if i:
            full[..., i - 1, i], full[..., i, i - 1] = above[..., i - 1], below[..., i]
    right = draw.randn(*batch, 5, 2)
    diagonals = Tensor(np.stack([above, middle, below], -2))
    found = ms.jit(lambda d, r: P.TridiagonalSolve()(d, r))(diagonals, Tensor(right))
    np.testing.assert_allclose(found.asnumpy(), np.linalg.solve(full, right), rtol=1e-8)
    slopes = ms.grad(lambda d, r: P.TridiagonalSolve()(d, r).sum(), (0, 1))(diagonals, Tensor(right))
    wanted = np.linalg.solve(full.swapaxes(-1, -2), np.ones_like(right))
    np.testing.assert_allclose(slopes[1].asnumpy(), wanted, rtol=1e-8)


def test_eigenvalues_and_triangles():
    x = np.random.RandomState(1).randn(4, 4).astype(np.float32)
    values, vectors = P.SelfAdjointEig()(Tensor(x + x.T))
    np.testing.assert_allclose((x + x.T) @ vectors.asnumpy(), vectors.asnumpy() * values.asnumpy(), atol=1e-5)
    packed, rows = P.Lu(ms.int64)(Tensor(x))
    lower, upper = np.tril(packed.asnumpy(), -1) + np.eye(4), np.triu(packed.asnumpy())
    np.testing.assert_allclose((lower @ upper), x[rows.asnumpy()], atol=1e-5)
    assert rows.dtype == ms.int64


def test_rows_and_images_are_resized():
    line = Tensor(np.arange(1, 5, dtype=np.float32).reshape(1, 1, 1, 4))
    sizes = Tensor([1, 1, 1, 9])
    assert P.ResizeV2()(line, NOTHING, NOTHING, sizes).reshape(-1).tolist() == [1, 1, 1, 2, 2, 3, 3, 4, 4]
    image = np.random.RandomState(2).rand(1, 2, 4, 4).astype(np.float32)
    for corners in (False, True):
        mode = "align_corners" if corners else "half_pixel"
        found = P.ResizeV2(mode, "cubic")(Tensor(image), NOTHING, NOTHING, Tensor([1, 2, 6, 7]))
        wanted = torch.nn.functional.interpolate(torch.tensor(image), (6, 7), mode="bicubic", align_corners=corners)
        np.testing.assert_allclose(found.asnumpy(), wanted, atol=1e-5)
        mint = ms.mint.nn.functional.interpolate(Tensor(image), (6, 7), mode="bicubic", align_corners=corners)
        np.testing.assert_allclose(mint.asnumpy(), wanted, atol=1e-5)
        found = P.ResizeV2(mode, "linear")(line, NOTHING, NOTHING, sizes)
        wanted = torch.nn.functional.interpolate(torch.arange(1.0, 5).reshape(1, 1, 4), 9, mode="linear",
                                                 align_corners=corners)
        np.testing.assert_allclose(found.asnumpy().ravel(), wanted.ravel(), atol=1e-5)


def test_channels_of_samples_are_normalised_and_means_run():
    x = np.random.RandomState(3).randn(2, 3, 4, 5).astype(np.float32)
    scale, shift, mean, variance = [ms.Parameter(Tensor(np.full(3, v, np.float32)), name=n)
                                    for n, v in (("scale", 2.0), ("shift", 1.0), ("mean", 0.5), ("variance", 3.0))]
    found = P.InstanceNorm(1e-5, 0.2)(Tensor(x), scale, shift, mean, variance)[0]
    wanted = torch.nn.functional.instance_norm(torch.tensor(x), weight=torch.full((3,), 2.0), bias=torch.ones(3))
    np.testing.assert_allclose(found.asnumpy(), wanted, atol=1e-5)
    np.testing.assert_allclose(mean.asnumpy(), 0.4 + 0.2 * x.mean((2, 3)).mean(0), rtol=1e-5)


@pytest.mark.parametrize(("scale", "region", "wanted"), [          # as MindSpore 2.10 gives them
    (0.5, [0, 1, 0, 7, 8], [4.5, 41.5, 88.5, 125.5]), (0.5, [0, 1.4, 2.6, 7.5, 8.5], [10.5, 47.5, 88.5, 125.5]),
    (1.0, [0, 0, 0, 0, 0], [0.0, 36.0, 72.0, 108.0]), (1.0, [0, -2, 1, 9, 3], [7.5, 45.5, 85.5, 123.5]),
    (0.3, [0, 3, 3, 9, 14], [10.0, 47.0, 88.0, 125.0]),
])
def test_bins_of_regions_have_channels_of_their_own(scale, region, wanted):
    features = Tensor(np.arange(144, dtype=np.float32).reshape(1, 4, 6, 6))
    found = P.PSROIPooling(scale, 2, 1)(features, Tensor(np.array(region, np.float32).reshape(1, 5, 1)))
    assert found.shape == (1, 1, 2, 2)
    assert found.reshape(-1).tolist() == wanted


def test_arguments_are_given_before():
    assert P.Partial is ops.Partial
    assert P.Partial()(P.Sub(), Tensor([5]))(Tensor([2])).tolist() == [3]
    with pytest.raises(ValueError, match="shapes must be equal"):
        ops.AddV2()(Tensor([1]), Tensor([1, 2]))
    with pytest.raises(NotImplementedError, match="BatchNorm"):
        P.FusedBatchNorm()
