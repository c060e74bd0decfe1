"""Each loss with each of its options beside torch, gradients included; samples of unequal weights and classes."""
from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from mindspore import Tensor, nn, ops

RNG = np.random.default_rng(4)


def real(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


A, B, C = real(5, 4), real(5, 4), real(5, 4)
CLASSES, SIGNS = np.int32([0, 3, 1, 1, 2]), np.where(RNG.random(5) > 0.5, 1, -1).astype(np.float32)
LISTS = np.int32([[2, 0, -1, 3], [-1, 1, 2, 0], [1, 3, 2, 0], [3, -1, -1, -1], [0, 2, 1, -1]])
W, V = np.float32([0.5, 2.0, 1.25, 0.25]), np.float32([1.5, 0.25, 3.0, 1.0])
SHARES = np.exp(A) / np.exp(A).sum(1, keepdims=True)
INSIDE = 1 / (1 + np.exp(-A))
BITS = (B > 0).astype(np.float32)
POSITIVE = np.abs(B) + 0.2
WIDE, PLACES = real(2, 4, 3), np.int32([[0, 3, -7], [1, -7, 2]])
tensor = torch.tensor


def option(values):
    return {k: tensor(v) if isinstance(v, np.ndarray) else v for k, v in values.items()}


# cell, its options, inputs, torch's form of the inputs and the options
CASES = {
    "cosine": (nn.CosineEmbeddingLoss, [{}, {"margin": 0.4}, {"margin": -0.5}], (A, B, SIGNS), F.cosine_embedding_loss),
    "hinge": (nn.HingeEmbeddingLoss, [{}, {"margin": 0.25}], (A, np.where(B > 0, 1, -1).astype(np.float32)),
              F.hinge_embedding_loss),
    "ranking": (nn.MarginRankingLoss, [{}, {"margin": 0.75}], (A[:, 0], B[:, 0], SIGNS), F.margin_ranking_loss),
    "multi margin": (nn.MultiMarginLoss, [{}, {"p": 2}, {"margin": 0.25}, {"weight": W, "p": 2}], (A, CLASSES),
                     F.multi_margin_loss),
    "several classes": (nn.MultilabelMarginLoss, [{}], (A, LISTS), F.multilabel_margin_loss),
    "soft classes": (nn.MultiLabelSoftMarginLoss, [{}, {"weight": W}], (A, BITS), F.multilabel_soft_margin_loss),
    "soft margin": (nn.SoftMarginLoss, [{}], (A, np.where(B > 0, 1, -1).astype(np.float32)), F.soft_margin_loss),
    "triplet": (nn.TripletMarginLoss, [{}, {"p": 1}, {"swap": True, "margin": 3.0}, {"eps": 0.5}], (A, B, C),
                F.triplet_margin_loss),
    "distances": (nn.TripletMarginWithDistanceLoss, [{}, {"swap": True, "margin": 3.0}], (A, B, C),
                  F.triplet_margin_with_distance_loss),
    "classes": (nn.CrossEntropyLoss, [{}, {"weight": W}, {"ignore_index": 1}, {"weight": W, "ignore_index": 1},
                                      {"label_smoothing": 0.3},
                                      {"weight": W, "ignore_index": 1, "label_smoothing": 0.3}],
                (A, CLASSES), F.cross_entropy),
    "places": (nn.CrossEntropyLoss, [{"ignore_index": -7}, {"weight": W, "ignore_index": -7}], (WIDE, PLACES),
               F.cross_entropy),
    "shares": (nn.CrossEntropyLoss, [{}, {"weight": W}, {"label_smoothing": 0.2}], (B, SHARES), F.cross_entropy),
    "likelihood": (nn.NLLLoss, [{}, {"weight": W}, {"ignore_index": 1}, {"weight": W, "ignore_index": 3}],
                   (np.log(SHARES), CLASSES), F.nll_loss),
    "binary": (nn.BCELoss, [{}, {"weight": W}], (INSIDE, BITS), F.binary_cross_entropy),
    "binary of logits": (nn.BCEWithLogitsLoss, [{}, {"weight": W}, {"pos_weight": V}, {"weight": W, "pos_weight": V}],
                         (A, BITS), F.binary_cross_entropy_with_logits),
    "divergence": (nn.KLDivLoss, [{}], (np.log(SHARES), np.roll(SHARES, 1, 1)), F.kl_div),
    "poisson": (nn.PoissonNLLLoss, [{}, {"full": True}, {"log_input": False, "eps": 0.125}], (POSITIVE, np.round(
        POSITIVE * 3)), F.poisson_nll_loss),
    "gauss": (nn.GaussianNLLLoss, [{}, {"full": True}, {"eps": 0.5}], (A, B, POSITIVE), F.gaussian_nll_loss),
    "square": (nn.MSELoss, [{}], (A, B), F.mse_loss),
    "distance": (nn.L1Loss, [{}], (A, B), F.l1_loss),
    "smooth": (nn.SmoothL1Loss, [{}, {"beta": 0.25}], (A, B), F.smooth_l1_loss),
    "huber": (nn.HuberLoss, [{}, {"delta": 0.25}], (A, B), F.huber_loss),
}


@pytest.mark.filterwarnings("ignore:reduction:UserWarning")
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name, reduction):
    kind, choices, given, plain = CASES[name]
    for options in choices:
        own = {k: Tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
        cell = kind(reduction=reduction, **own)
        inputs = [tensor(x) if x.dtype == np.float32 else tensor(x).long() for x in given]
        inputs[0].requires_grad_()
        want = plain(*inputs, reduction=reduction, **option(options))
        weights = torch.cos(torch.arange(want.numel())).reshape(want.shape) + 0.2
        (want * weights).sum().backward()

        def total(*values, cell=cell, weights=weights):
            return (cell(*values) * Tensor(weights.numpy())).sum()

        found = cell(*map(Tensor, given))
        np.testing.assert_allclose(found.asnumpy(), want.detach(), rtol=2e-5, atol=2e-6, err_msg=str(options))
        first = ops.grad(total)(*map(Tensor, given))
        np.testing.assert_allclose(first.asnumpy(), inputs[0].grad, rtol=2e-4, atol=2e-6, err_msg=f"by x, {options}")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("blank", [0, 2])
def test_sequences_of_unequal_lengths(reduction, blank):
    logs = torch.log_softmax(tensor(real(6, 3, 5)), 2)
    targets = np.int32([[1, 3, 3], [4, 1, 1], [3, 4, 4]])
    lengths, given = np.int32([6, 4, 5]), np.int32([3, 1, 2])
    want = F.ctc_loss(logs, tensor(targets), tensor(lengths), tensor(given), blank, reduction)
    found = nn.CTCLoss(blank, reduction)(Tensor(logs.numpy()), *map(Tensor, (targets, lengths, given)))
    np.testing.assert_allclose(found.asnumpy(), want, rtol=1e-5)
    short = np.int32([2, 4, 5])                       # too short for three labels of which two are equal
    found = nn.CTCLoss(blank, "none", True)(Tensor(logs.numpy()), *map(Tensor, (targets, short, given)))
    want = F.ctc_loss(logs, tensor(targets), tensor(short), tensor(given), blank, "none", True)
    np.testing.assert_allclose(found.asnumpy(), want, rtol=1e-5)
    assert found.asnumpy()[0] == 0


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_sampled_classes_with_two_true_ones(removed, reduction):
    weights, biases, x = real(7, 3), real(7), real(4, 3)
    labels = np.int32([[1, 5], [0, 2], [6, 3], [5, 1]])
    chosen, true_counts, counts = np.int32([3, 1, 4]), np.abs(real(4, 2)) + 0.1, np.abs(real(3)) + 0.1
    sampled = tuple(map(Tensor, (chosen, true_counts, counts)))
    loss = nn.SampledSoftmaxLoss(3, 7, 2, sampled, removed, reduction=reduction)
    found = loss(*map(Tensor, (weights, biases, labels, x))).asnumpy()
    rows = []
    for row, own, n in zip(x, labels, true_counts, strict=True):
        scores = [row @ weights[c] + biases[c] - np.log(q) for c, q in zip(own, n, strict=True)]
        scores += [-1e30 if removed and c in own else row @ weights[c] + biases[c] - np.log(q)
                   for c, q in zip(chosen, counts, strict=True)]
        scores = np.array(scores) - np.max(scores)
        rows.append(-(scores[:2] - np.log(np.exp(scores).sum())).mean())
    want = {"mean": np.mean, "sum": np.sum, "none": np.array}[reduction](rows)
    np.testing.assert_allclose(found, want, rtol=1e-5)


@pytest.mark.parametrize("extents", [(), (3,), (3, 2)])
@pytest.mark.parametrize("weighted", [False, True])
def test_focal_losses_of_places_and_of_shares(extents, weighted):
    x = real(4, 3, *extents)
    labels = RNG.integers(0, 3, (4, 1, *extents))
    logp = torch.log_softmax(tensor(x), 1)
    w = np.float32([0.5, 2.0, 1.25])
    cell = nn.FocalLoss(Tensor(w) if weighted else None, 1.5, "none")
    column = tensor(w if weighted else np.ones(3)).reshape(1, 3, *[1] * len(extents))
    by_class = -(1 - logp.exp()) ** 1.5 * logp * column
    want = by_class.gather(1, tensor(labels)).reshape(4, -1).mean(1)
    np.testing.assert_allclose(cell(Tensor(x), Tensor(labels.astype(np.int32))).asnumpy(), want, rtol=1e-5)
    shares = np.abs(real(4, 3, *extents))
    want = (by_class * tensor(shares)).reshape(4, 3, -1).mean(2)
    np.testing.assert_allclose(cell(Tensor(x), Tensor(shares)).asnumpy(), want, rtol=1e-5)


def test_distances_are_taken_along_the_second_axis_or_by_a_function():
    a, b, c = (real(2, 3, 4) for _ in range(3))
    d = [np.sqrt(((a - other + 1e-6) ** 2).sum(1)) for other in (b, c)]
    found = nn.TripletMarginWithDistanceLoss(reduction="none")(*map(Tensor, (a, b, c)))
    np.testing.assert_allclose(found.asnumpy(), np.maximum(d[0] - d[1] + 1, 0), rtol=1e-5, atol=1e-6)
    own = nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).sum(-1), reduction="none")
    d = [np.abs(a - other).sum(-1) for other in (b, c)]
    found = own(*map(Tensor, (a, b, c))).asnumpy()
    np.testing.assert_allclose(found, np.maximum(d[0] - d[1] + 1, 0), rtol=1e-5, atol=1e-6)
