"""Cross entropies against torch, and what they do with labels that are ignored, improbable or out of range."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore
from mindspore import Tensor, ops
from mindspore.operators.registry import REGISTRY

LABELS = np.array([2, 0, 3, 1, 2], np.int64)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("options", [{}, {"ignore_index": 2}, {"label_smoothing": 0.2},
                                     {"label_smoothing": 0.2, "ignore_index": 2}])
def test_cross_entropy_agrees_with_torch(agrees_with_torch, draw, reduction, options):
    agrees_with_torch(lambda x, y: ops.cross_entropy(x, y, reduction=reduction, **options),
                      lambda x, y: F.cross_entropy(x, y, reduction=reduction, **options), draw(5, 4), LABELS)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_weighted_cross_entropy_of_images_agrees_with_torch(agrees_with_torch, draw, reduction):
    weight, labels = np.abs(draw(4)) + 0.1, np.random.default_rng(1).integers(0, 4, (2, 3, 3))
    agrees_with_torch(
        lambda x, y: ops.cross_entropy(x, y, Tensor(weight), ignore_index=1, reduction=reduction),
        lambda x, y: F.cross_entropy(x, y, torch.tensor(weight), ignore_index=1, reduction=reduction),
        draw(2, 4, 3, 3), labels)


@pytest.mark.parametrize("shape", [(5, 4), (2, 4, 3)])
def test_cross_entropy_with_probabilities_agrees_with_torch(agrees_with_torch, draw, shape):
    p = np.abs(draw(*shape))
    agrees_with_torch(lambda x, y: ops.cross_entropy(x, y / y.sum(1, keepdims=True), label_smoothing=0.1),
                      lambda x, y: F.cross_entropy(x, y / y.sum(1, True), label_smoothing=0.1),
                      draw(*shape), p)


def test_nll_loss_agrees_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x, y: ops.nll_loss(x, y, ignore_index=2),
                      lambda x, y: F.nll_loss(x, y, ignore_index=2), draw(5, 4), LABELS)


def test_labels_of_probability_zero_give_a_finite_loss():
    x = Tensor(np.array([[0, 200], [0, 0]], np.float32))
    loss = ops.SparseSoftmaxCrossEntropyWithLogits()(x, Tensor(np.array([0, 1], np.int32)))
    np.testing.assert_allclose(float(loss), (200 + np.log(2)) / 2, rtol=1e-6)


def test_labels_out_of_range_are_an_error(draw):
    with pytest.raises(ValueError, match="out of bounds"):
        ops.SparseSoftmaxCrossEntropyWithLogits()(Tensor(draw(2, 3)), Tensor(np.array([0, 3], np.int32)))


def test_the_primitive_returns_losses_and_their_gradient(draw):
    x, y = draw(3, 4), np.eye(4, dtype=np.float32)[[1, 0, 3]]
    loss, d = ops.SoftmaxCrossEntropyWithLogits()(Tensor(x), Tensor(y))
    p = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    np.testing.assert_allclose(loss.asnumpy(), -np.log(p[[0, 1, 2], [1, 0, 3]]), rtol=1e-5)
    np.testing.assert_allclose(d.asnumpy(), p - y, rtol=1e-5, atol=1e-6)
    found = mindspore.grad(lambda v: ops.SoftmaxCrossEntropyWithLogits()(v, Tensor(y))[0].sum())(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), p - y, rtol=1e-5, atol=1e-6)


def test_is_grad_asks_for_the_gradient(draw):
    x, y = Tensor(draw(5, 4)), Tensor(LABELS)
    wanted = mindspore.grad(lambda v: ops.SparseSoftmaxCrossEntropyWithLogits()(v, y))(x)
    np.testing.assert_allclose(ops.SparseSoftmaxCrossEntropyWithLogits(True)(x, y).asnumpy(), wanted.asnumpy())


@pytest.mark.parametrize("function", [
    lambda x: ops.cross_entropy(x, Tensor(LABELS)), lambda x: ops.nll_loss(ops.log_softmax(x, 1), Tensor(LABELS)),
    lambda x: ops.SoftmaxCrossEntropyWithLogits()(x, Tensor(np.eye(4, dtype=np.float32)[LABELS]))[0].mean()])
def test_the_second_derivative_of_cross_entropy_is_that_of_the_softmax(draw, function):
    x = draw(5, 4)
    second = mindspore.grad(lambda v: (mindspore.grad(function)(v) ** 2).sum())(Tensor(x)).asnumpy()
    t = torch.tensor(x, requires_grad=True)
    d, = torch.autograd.grad(F.cross_entropy(t, torch.tensor(LABELS)), t, create_graph=True)
    wanted, = torch.autograd.grad((d ** 2).sum(), t)
    np.testing.assert_allclose(second, wanted.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_binary_cross_entropies_agree_with_torch(agrees_with_torch, draw, reduction):
    p, y, w = [1 / (1 + np.exp(-draw(3, 4))) for _ in range(3)]
    agrees_with_torch(lambda a, b: ops.binary_cross_entropy(a, b, Tensor(w), reduction),
                      lambda a, b: F.binary_cross_entropy(a, b, torch.tensor(w), reduction=reduction), p, y)
    positive = np.abs(draw(4)) + 0.5
    agrees_with_torch(
        lambda a, b: ops.binary_cross_entropy_with_logits(a, b, Tensor(w), Tensor(positive), reduction),
        lambda a, b: F.binary_cross_entropy_with_logits(a, b, torch.tensor(w), reduction=reduction,
                                                        pos_weight=torch.tensor(positive)), draw(3, 4), y)


def test_labels_that_do_not_fit_are_named(draw):
    with pytest.raises(ValueError, match="without C"):
        ops.cross_entropy(Tensor(draw(3, 4)), Tensor(np.array([0, 1])))


@pytest.mark.parametrize("shape", [(5, 4), (2, 4, 3)])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_the_sum_of_weights_is_that_of_the_labels_that_count(shape, reduction):
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 4, (shape[0], *shape[2:]))
    labels[0] = 1
    weight = np.array([1.0, 2.0, 0.5, 4.0], np.float32)
    logp = rng.normal(size=shape).astype(np.float32)
    loss, total = REGISTRY["NllLoss"](Tensor(logp), Tensor(labels.astype(np.int32)), Tensor(weight),
                                      reduction=reduction, ignore_index=1)
    each = np.where(labels == 1, 0, -weight[labels] * np.take_along_axis(logp, labels[:, None], 1)[:, 0])
    weights = weight[labels[labels != 1]].sum()
    wanted = {"none": each, "sum": each.sum(), "mean": each.sum() / weights}[reduction]
    np.testing.assert_allclose(loss.asnumpy(), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(float(total), weights, rtol=1e-6)
