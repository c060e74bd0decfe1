"""What options of losses change: shapes with more axes than two, classes that differ in weight, values at limits."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn

RNG = np.random.default_rng(3)
F = torch.nn.functional


def draw(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("sparse_labels", [False, True])
@pytest.mark.parametrize("gamma", [0.0, 2.0, 3.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_focal_loss_is_the_mean_over_all_places(sparse_labels, gamma, weighted):
    logits, classes = draw(2, 3, 4, 5), RNG.integers(0, 3, (2, 4, 5))
    one_hot = np.eye(3, dtype=np.float32)[classes].transpose(0, 3, 1, 2)
    weight = np.array([0.2, 0.5, 1.5], np.float32)
    share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    mine = (share * one_hot).sum(1)
    wanted = (-((1 - mine) ** gamma) * np.log(mine) * (weight[classes] if weighted else 1)).mean()
    loss = nn.FocalLoss(Tensor(weight) if weighted else None, gamma)
    labels = classes[:, None].astype(np.int32) if sparse_labels else one_hot
    if not sparse_labels:
        wanted /= 3             # the mean is over the classes, too; observed: MindSpore 2.10
    np.testing.assert_allclose(loss(Tensor(logits), Tensor(labels)).asnumpy(), wanted, rtol=1e-5)


def test_sampled_losses_correct_by_the_counts_and_average_over_the_true_classes():
    weights, biases, logits = draw(7, 4), draw(7), draw(3, 4)
    labels, chosen = np.array([[0, 2], [1, 3], [5, 6]], np.int32), np.array([2, 4, 5], np.int32)
    true_counts, counts = 0.5 + RNG.random((3, 2)).astype(np.float32), np.array([0.3, 0.6, 0.9], np.float32)
    for removes in (False, True):
        loss = nn.SampledSoftmaxLoss(3, 7, 2, (Tensor(chosen), Tensor(true_counts), Tensor(counts)), removes)
        rows = []
        for n in range(3):
            true = weights[labels[n]] @ logits[n] + biases[labels[n]] - np.log(true_counts[n])
            other = weights[chosen] @ logits[n] + biases[chosen] - np.log(counts)
            other = other[[not removes or c not in labels[n] for c in chosen]]
            both = np.concatenate([true, other])
            rows.append(-(true - np.log(np.exp(both).sum())).mean())
        found = loss(Tensor(weights), Tensor(biases), Tensor(labels), Tensor(logits))
        np.testing.assert_allclose(found.asnumpy(), rows, rtol=1e-4)


def test_ctc_losses_without_a_path_are_zero_on_request():
    log_probs = F.log_softmax(torch.tensor(draw(3, 2, 4)), -1)
    targets, lengths, wanted = np.array([[1, 1, 2], [3, 0, 0]], np.int32), [3, 3], [3, 1]   # the first needs 4 steps
    for zero in (False, True):
        expected = F.ctc_loss(log_probs, torch.tensor(targets), torch.tensor(lengths), torch.tensor(wanted),
                              reduction="none", zero_infinity=zero)
        found = nn.CTCLoss(reduction="none", zero_infinity=zero)(
            Tensor(log_probs.numpy()), Tensor(targets), Tensor(np.array(lengths, np.int32)),
            Tensor(np.array(wanted, np.int32)))
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("log_input", [False, True])
@pytest.mark.parametrize("full", [False, True])
def test_poisson_losses_at_zero_and_one(log_input, full):
    x, y = np.array([[0.0, 0.5, 2.0]], np.float32), np.array([[0.0, 1.0, 3.0]], np.float32)
    expected = F.poisson_nll_loss(torch.tensor(x), torch.tensor(y), log_input, full, reduction="none")
    if full:      # Stirling's terms have the eps in their logarithms
        expected = np.array([F.poisson_nll_loss(torch.tensor(x), torch.tensor(y), log_input, reduction="none")[0]])
        expected += np.where(y > 1, y * np.log(y + 1e-8) - y + np.log(2 * np.pi * y + 1e-8) / 2, 0)
    found = nn.PoissonNLLLoss(log_input, full, reduction="none")(Tensor(x), Tensor(y))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-7)


def test_three_classes_of_unequal_weight_and_one_left_out():
    guess, truth = RNG.random((2, 3, 4)).astype(np.float32), RNG.random((2, 3, 4)).astype(np.float32)
    weights = np.array([[0.2], [0.5], [1.5]], np.float32)
    parts = [1 - 2 * (guess[:, i] * truth[:, i]).sum() / ((guess[:, i] ** 2).sum() + (truth[:, i] ** 2).sum() + 1e-5)
             for i in range(3)]
    loss = nn.MultiClassDiceLoss(Tensor(weights), 1, None)(Tensor(guess), Tensor(truth))
    wanted = (parts[0] * weights[0] + parts[2] * weights[2]) / 3
    np.testing.assert_allclose(loss.asnumpy().reshape(-1), wanted, rtol=1e-5)


@pytest.mark.parametrize("classes", [3, 5])
def test_smoothing_shares_what_it_takes_among_the_other_classes(classes):
    logits, labels = draw(4, classes), RNG.integers(0, classes, 4).astype(np.int32)
    loss = nn.SoftmaxCrossEntropyWithLogits(True, "none", smooth_factor=0.3, num_classes=classes)
    target = np.full((4, classes), 0.3 / (classes - 1), np.float32)
    target[np.arange(4), labels] = 0.7
    wanted = -(target * F.log_softmax(torch.tensor(logits), 1).numpy()).sum(1)
    np.testing.assert_allclose(loss(Tensor(logits), Tensor(labels)).asnumpy(), wanted, rtol=1e-5)


@pytest.mark.parametrize("swap", [False, True])
def test_triplets_swap_to_the_nearer_of_both(swap):
    x, near, far = draw(5, 4), draw(5, 4), draw(5, 4)
    distance = torch.nn.PairwiseDistance(eps=1e-6)
    wanted = F.triplet_margin_with_distance_loss(
        *map(torch.tensor, (x, near, far)), distance_function=distance, swap=swap, reduction="none")
    found = nn.TripletMarginWithDistanceLoss(swap=swap, reduction="none")(Tensor(x), Tensor(near), Tensor(far))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)
    assert swap is False or not np.allclose(wanted, F.triplet_margin_with_distance_loss(
        *map(torch.tensor, (x, near, far)), distance_function=distance, reduction="none"))


@pytest.mark.parametrize("reduction", ["mean", "batchmean", "sum", "none"])
def test_divergences_are_reduced_as_asked(reduction):
    logits, labels = F.log_softmax(torch.tensor(draw(3, 2, 5)), 1), torch.softmax(torch.tensor(draw(3, 2, 5)), 1)
    wanted = F.kl_div(logits, labels, reduction="none" if reduction == "none" else "sum").numpy()
    wanted = wanted / {"mean": 30, "batchmean": 3}.get(reduction, 1)
    found = nn.KLDivLoss(reduction)(Tensor(logits.numpy()), Tensor(labels.numpy()))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-7)


def test_distances_that_are_zero_have_a_gradient():
    x = draw(2, 3)
    found = ms.grad(lambda a: nn.TripletMarginLoss(margin=0.5)(a, Tensor(x), Tensor(x + 0.1), Tensor(0.5)))(Tensor(x))
    a = torch.tensor(x, requires_grad=True)
    F.triplet_margin_loss(a, torch.tensor(x), torch.tensor(x + 0.1), margin=0.5).backward()
    np.testing.assert_allclose(found.asnumpy(), a.grad.numpy(), rtol=1e-4, atol=1e-6)


def test_the_distance_that_triplets_have_without_a_function_has_a_gradient_at_zero():
    x, other = draw(2, 3), draw(2, 3)
    found = ms.grad(lambda a: nn.TripletMarginWithDistanceLoss(margin=0.5)(a, Tensor(x), Tensor(other)))(Tensor(x))
    a = torch.tensor(x, requires_grad=True)
    F.triplet_margin_with_distance_loss(a, torch.tensor(x), torch.tensor(other), margin=0.5).backward()
    np.testing.assert_allclose(found.asnumpy(), a.grad.numpy(), rtol=1e-4, atol=1e-6)


def test_a_focal_loss_of_one_class_is_zero_whatever_the_labels():
    """The share of the only class is 1; its labels are numbers of classes, no shares."""
    logits, labels = draw(3, 1, 4), np.zeros((3, 1, 4), np.int32)
    assert (nn.FocalLoss(gamma=0.0)(Tensor(logits), Tensor(labels)).asnumpy() == 0).all()
    weighted = nn.FocalLoss(Tensor(np.array([2.0], np.float32)), 0.0, "none")
    assert weighted(Tensor(logits), Tensor(labels)).asnumpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_narrow_losses_are_weighted_and_summed_in_float32(reduction):
    """Twice 60000 is infinite in float16, where its sum with its negative would be no number."""
    class Plain(nn.LossBase):
        def construct(self, logits, labels):
            return self.get_loss(logits + labels, 2.0)

    x = np.array([60000, -60000, 3], np.float16)
    found = Plain(reduction)(Tensor(x), Tensor(np.zeros(3, np.float16))).asnumpy()
    assert found.dtype == np.float16
    assert found == np.float16({"mean": 2.0, "sum": 6.0}[reduction])
