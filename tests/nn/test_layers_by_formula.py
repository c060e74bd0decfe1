"""Cells that no other test makes, beside torch, NumPy or a formula, in training and in evaluation."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import special

import mindspore
from mindspore import Tensor, nn

T, F = torch.nn, torch.nn.functional
RNG = np.random.default_rng(13)
LINES = RNG.standard_normal((2, 3, 8)).astype(np.float32)
IMAGES = RNG.standard_normal((2, 4, 6, 8)).astype(np.float32)
VOLUMES = RNG.standard_normal((2, 3, 4, 2, 5)).astype(np.float32)
POSITIVE = RNG.uniform(0.2, 3.0, (2, 3)).astype(np.float32)
SQUARES = RNG.standard_normal((2, 3, 3)).astype(np.float32)
TARGETS = np.array([[3, 0, -1, 1], [2, -1, 0, 1]], np.int32)
SCORES = RNG.standard_normal((2, 4)).astype(np.float32)
POOLED, PLACES = F.max_pool1d(torch.tensor(LINES), 2, return_indices=True)

CASES = [
    (lambda: nn.Pad(((0, 0), (1, 2), (0, 3))), (LINES,), np.pad(LINES, [(0, 0), (1, 2), (0, 3)])),
    (lambda: nn.Pad(((0, 0), (1, 0), (2, 3)), "REFLECT"), (LINES,), np.pad(LINES, [(0, 0), (1, 0), (2, 3)], "reflect")),
    (lambda: nn.InstanceNorm1d(3), (LINES,), F.instance_norm(torch.tensor(LINES))),
    (lambda: nn.InstanceNorm3d(3), (VOLUMES,), F.instance_norm(torch.tensor(VOLUMES))),
    (lambda: nn.LPPool1d(3.0, 2, 3), (np.abs(LINES),), F.lp_pool1d(torch.tensor(np.abs(LINES)), 3.0, 2, 3)),
    (lambda: nn.LPPool2d(2.0, (2, 3), (1, 2)), (np.abs(IMAGES),),
     F.lp_pool2d(torch.tensor(np.abs(IMAGES)), 2.0, (2, 3), (1, 2))),
    (lambda: nn.PixelUnshuffle(2), (IMAGES,), F.pixel_unshuffle(torch.tensor(IMAGES), 2)),
    (lambda: nn.ChannelShuffle(2), (IMAGES,), F.channel_shuffle(torch.tensor(IMAGES), 2)),
    (lambda: nn.MaxUnpool1d(2), (POOLED.numpy(), PLACES.numpy()), F.max_unpool1d(POOLED, PLACES, 2)),
    (lambda: nn.Softmax2d(), (IMAGES,), F.softmax(torch.tensor(IMAGES), 1)),
    (lambda: nn.Unflatten(1, (2, 2)), (IMAGES,), IMAGES.reshape(2, 2, 2, 6, 8)),
    (lambda: nn.Tril(), (SQUARES, -1), np.tril(SQUARES, -1)),
    (lambda: nn.Triu(), (SQUARES, 1), np.triu(SQUARES, 1)),
    (lambda: nn.LGamma(), (POSITIVE,), special.gammaln(POSITIVE)),
    (lambda: nn.DiGamma(), (POSITIVE,), special.digamma(POSITIVE)),
    (lambda: nn.IGamma(), (POSITIVE, POSITIVE[::-1].copy()), special.gammainc(POSITIVE, POSITIVE[::-1])),
    (lambda: nn.LBeta(), (POSITIVE, POSITIVE[::-1].copy()), special.betaln(POSITIVE, POSITIVE[::-1])),
    (lambda: nn.ReduceLogSumExp(1), (LINES,), special.logsumexp(LINES, 1)),
    (lambda: nn.ReduceLogSumExp((0, -1), True), (LINES,), special.logsumexp(LINES, (0, 2), keepdims=True)),
    (lambda: nn.LogSoftmaxExt(1), (LINES,), F.log_softmax(torch.tensor(LINES), 1)),
    (lambda: nn.AdaptiveMaxPool3d((2, 1, 3)), (VOLUMES,), F.adaptive_max_pool3d(torch.tensor(VOLUMES), (2, 1, 3))),
    (lambda: nn.MultilabelMarginLoss(reduction="sum"), (SCORES, TARGETS),
     F.multilabel_margin_loss(torch.tensor(SCORES), torch.tensor(TARGETS).long(), reduction="sum")),
    (lambda: nn.FastGelu(), (SCORES,), SCORES / (1 + np.exp(-1.702 * np.abs(SCORES)))
     * np.exp(0.851 * (SCORES - np.abs(SCORES)))),
    (lambda: nn.Range(2, 11, 4), (), np.arange(2, 11, 4)),
    (lambda: nn.LinSpace(1.0, 4.0, 5), (), np.linspace(1.0, 4.0, 5)),
]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("make", "given", "wanted"), CASES, ids=range(len(CASES)))
def test_a_cell_computes_its_formula_and_again(make, given, wanted):
    net, wanted = make(), np.asarray(wanted)
    for _ in range(2):
        found = net(*[Tensor(value) if isinstance(value, np.ndarray) else value for value in given])
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=2e-4, atol=2e-5)


def test_a_slope_at_random_stays_between_its_bounds():
    x = Tensor(-np.ones((40, 5), np.float32))
    slopes = -nn.RReLU(0.2, 0.4).set_train(True)(x).asnumpy()
    assert slopes.min() >= 0.2
    assert slopes.max() <= 0.4
    assert slopes.std() > 0.03
    assert (nn.RReLU(0.2, 0.4).set_train(True)(-x).asnumpy() == 1).all()


def test_similarities_of_images_compare_both():
    one = np.abs(IMAGES[:, :1]).repeat(4, 2).repeat(4, 3)
    other = one[:, :, ::-1].copy()
    pair = [Tensor(one, mindspore.float32), Tensor(other, mindspore.float32)]
    for kind in (lambda: nn.SSIM(max_val=3.0), lambda: nn.MSSSIM(max_val=3.0, power_factors=(0.4, 0.6))):
        there, back, same = (kind()(a, b).asnumpy() for a, b in (pair, pair[::-1], pair[:1] * 2))
        np.testing.assert_allclose(there, back, rtol=1e-4)
        np.testing.assert_allclose(same, 1, rtol=1e-4)
        assert (there < 0.95).all()
    np.testing.assert_allclose(nn.SSIM(max_val=3.0)(Tensor(one.astype(np.float16)), pair[1].astype(mindspore.float16))
                               .asnumpy(), nn.SSIM(max_val=3.0)(*pair).asnumpy(), rtol=2e-2)
