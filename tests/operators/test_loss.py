"""Losses of distances and margins against torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore
from mindspore import Tensor, ops

LABELS = np.array([2, 0, 3, 1, 2], np.int64)


@pytest.mark.parametrize(("ours", "theirs"), [
    (ops.mse_loss, F.mse_loss), (ops.l1_loss, F.l1_loss),
    (ops.soft_margin_loss, lambda x, y: torch.log1p(torch.exp(-x * y)).mean()),
    (lambda x, y: ops.huber_loss(x, y, delta=0.7), lambda x, y: F.huber_loss(x, y, delta=0.7)),
    (lambda x, y: ops.smooth_l1_loss(x, y, 0.5, "sum"),
     lambda x, y: F.smooth_l1_loss(x, y, beta=0.5, reduction="sum"))])
def test_distances_agree_with_torch(agrees_with_torch, draw, ours, theirs):
    agrees_with_torch(ours, theirs, draw(3, 4), draw(3, 4))


def test_distances_broadcast(agrees_with_torch, draw):
    agrees_with_torch(ops.mse_loss, lambda x, y: ((x - y) ** 2).mean(), draw(3, 4), draw(4))


def test_triplet_and_margin_losses_agree_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda a, p, n: ops.triplet_margin_loss(a, p, n, swap=True),
                      lambda a, p, n: F.triplet_margin_loss(a, p, n, swap=True), *[draw(3, 4) for _ in range(3)])
    agrees_with_torch(lambda x, y: ops.multi_margin_loss(x, y, 2, 0.8),
                      lambda x, y: F.multi_margin_loss(x, y, 2, 0.8), draw(5, 4), LABELS)
    sets = np.array([[1, 2, -1, 0], [3, -1, 0, 0]])
    agrees_with_torch(ops.multilabel_margin_loss, F.multilabel_margin_loss, draw(2, 4), sets)
    signs = np.array([1, -1, 1], np.int64)
    agrees_with_torch(lambda a, b, y: ops.cosine_embedding_loss(a, b, y, 0.2),
                      lambda a, b, y: F.cosine_embedding_loss(a, b, y, 0.2), draw(3, 4), draw(3, 4), signs)


def test_labels_of_a_divergence_get_no_gradient(draw):
    # observed: MindSpore 2.10, CPU
    x, y = Tensor(draw(2, 3)), Tensor(np.abs(draw(2, 3)))
    _, d = mindspore.grad(lambda a, b: ops.kl_div(a, b, "sum"), (0, 1))(x, y)
    np.testing.assert_array_equal(d.asnumpy(), 0)


@pytest.mark.parametrize("call", [
    lambda x, y: ops.mse_loss(x, y, "avg"), lambda x, y: ops.cross_entropy(x, y, reduction="avg"),
    lambda x, y: ops.kl_div(x, y, "avg"), lambda x, y: ops.BCEWithLogitsLoss("avg")(x, y)])
def test_unknown_reductions_are_named(draw, call):
    with pytest.raises(ValueError, match="'reduction' must be one of"):
        call(Tensor(draw(2, 3)), Tensor(draw(2, 3)))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("loss", [
    ops.KLDivLoss(), ops.SigmoidCrossEntropyWithLogits(), ops.BinaryCrossEntropy(), ops.SmoothL1Loss(),
    lambda x, y: ops.binary_cross_entropy_with_logits(x, y, pos_weight=Tensor(2.0))])
@pytest.mark.parametrize(("labels", "error"), [([1, 0], TypeError), ([0.5], ValueError), ([[0.5, 0.5]], ValueError)])
def test_labels_of_another_kind_or_shape_are_errors(loss, labels, error):     # observed: MindSpore 2.10, CPU
    with pytest.raises(error, match="both tensors must"):
        mindspore.jit(lambda x, y: loss(x, y))(Tensor([0.1, 0.2]), Tensor(labels))
