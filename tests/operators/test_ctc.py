"""Connectionist temporal classification against torch, and its greedy decoder."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore as ms
from mindspore import Tensor, ops


def test_ctc_loss_agrees_with_torch(agrees_with_torch, draw):
    labels, lengths, counts = np.array([[1, 2], [2, 0]]), np.array([5, 4]), np.array([2, 1])
    given = [Tensor(a) for a in (labels, lengths, counts)]
    agrees_with_torch(lambda x: ops.ctc_loss(ops.log_softmax(x, 2), *given)[0],
                      lambda x: F.ctc_loss(x.log_softmax(2), *[torch.tensor(a) for a in (labels, lengths, counts)]),
                      draw(5, 2, 4))


def test_the_ctc_primitive_takes_sparse_labels_and_returns_its_gradient(draw):
    x = draw(5, 2, 4)
    indices, values, lengths = [Tensor(np.array(a)) for a in ([[0, 0], [0, 1], [1, 0]], [1, 2, 0], [5, 5])]
    loss, d = ops.CTCLoss()(Tensor(x), indices, values, lengths)
    t = torch.tensor(x, requires_grad=True)
    wanted = F.ctc_loss(t.log_softmax(2), torch.tensor([[1, 2], [0, 0]]), (5, 5), (2, 1), blank=3, reduction="none")
    np.testing.assert_allclose(loss.asnumpy(), wanted.detach().numpy(), rtol=1e-5)
    slope, = torch.autograd.grad(wanted.sum(), t)
    np.testing.assert_allclose(d.asnumpy(), slope.numpy(), rtol=1e-4, atol=1e-6)


def test_greedy_decoding_drops_repetitions_and_blanks():
    chosen = [0, 0, 2, 0, 1]                      # 2 is the blank
    x = np.full((5, 1, 3), -1, np.float32)
    x[np.arange(5), 0, chosen] = 1
    indices, values, shape, score = ops.ctc_greedy_decoder(Tensor(x), Tensor(np.array([5], np.int32)))
    np.testing.assert_array_equal(values.asnumpy(), [0, 0, 1])
    np.testing.assert_array_equal(indices.asnumpy(), [[0, 0], [0, 1], [0, 2]])
    np.testing.assert_array_equal(shape.asnumpy(), [1, 3])
    np.testing.assert_allclose(score.asnumpy(), [[-5]])


def test_labels_without_a_path_count_nothing_on_request(agrees_with_torch, draw):
    labels, lengths, counts = np.array([[1, 1, 2], [2, 0, 0]]), np.array([3, 3]), np.array([3, 1])
    given = [Tensor(a) for a in (labels, lengths, counts)]      # the first needs four steps
    x = draw(3, 2, 4)
    agrees_with_torch(lambda x: ops.ctc_loss(ops.log_softmax(x, 2), *given, zero_infinity=True)[0],
                      lambda x: F.ctc_loss(x.log_softmax(2), *[torch.tensor(a) for a in (labels, lengths, counts)],
                                           zero_infinity=True), x)
    indices, values = Tensor(np.array([[0, 0], [0, 1], [0, 2], [1, 0]])), Tensor(np.array([1, 1, 2, 2]))
    loss, d = ops.CTCLoss(ignore_longer_outputs_than_inputs=True)(Tensor(x), indices, values, Tensor(lengths))
    assert loss.asnumpy()[0] == 0
    assert loss.asnumpy()[1] > 0
    np.testing.assert_array_equal(d.asnumpy()[:, 0], 0)


PLACES = Tensor(np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]))
VALUES = Tensor(np.array([2, 2, 1, 1, 0], np.int32))
LENGTHS = Tensor(np.array([5, 3], np.int32))


def probability(scores, labels):
    """The sum over all sequences of classes that are the labels when blanks, the last class, are left out."""
    p = np.exp(scores - np.logaddexp.reduce(scores, 1, keepdims=True))
    blank = scores.shape[1] - 1
    return sum(np.prod(p[range(len(p)), path]) for path in itertools.product(range(blank + 1), repeat=len(p))
               if [c for c in path if c != blank] == labels)


@pytest.mark.parametrize(("collapse", "first"), [(False, [2, 2, 1]), (True, [2, 1])])
def test_labels_that_are_not_merged_are_said_once_each(both_modes, draw, collapse, first):
    x = draw(5, 2, 4)
    loss, d = ops.CTCLoss(collapse, False)(Tensor(x), PLACES, VALUES, LENGTHS)

    def total(x):
        return [-np.log(probability(x[:5, 0], first)), -np.log(probability(x[:3, 1], [1, 0]))]

    wide = x.astype(np.float64)
    np.testing.assert_allclose(loss.asnumpy(), total(wide), rtol=1e-5)
    for place in [(0, 0, 2), (3, 0, 1), (4, 0, 3), (2, 1, 0), (4, 1, 1)]:
        step = np.zeros_like(wide)
        step[place] = 1e-6
        slope = (sum(total(wide + step)) - sum(total(wide - step))) / 2e-6
        np.testing.assert_allclose(d.asnumpy()[place], slope, rtol=1e-3, atol=1e-5)


def test_labels_that_are_collapsed_are_those_without_repetitions(both_modes, draw):
    x = Tensor(draw(5, 2, 4))
    kept = Tensor(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    short = Tensor(np.array([2, 1, 1, 0], np.int32))
    for merge in (True, False):
        got = ops.CTCLoss(True, merge)(x, PLACES, VALUES, LENGTHS)
        for a, b in zip(got, ops.CTCLoss(False, merge)(x, kept, short, LENGTHS), strict=True):
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_the_derivative_of_labels_that_are_not_merged_is_what_is_given_beside(both_modes, draw):
    x = Tensor(draw(5, 2, 4))
    criterion = ops.CTCLoss(ctc_merge_repeated=False)

    def total(x):
        return criterion(x, PLACES, VALUES, LENGTHS)[0].sum()

    beside = criterion(x, PLACES, VALUES, LENGTHS)[1]
    np.testing.assert_allclose(ms.grad(total)(x).asnumpy(), beside.asnumpy(), rtol=1e-5, atol=1e-6)


def test_labels_that_are_too_many_count_nothing_where_they_are_not_merged(both_modes, draw):
    few = Tensor(np.array([2, 3], np.int32))
    loss, d = ops.CTCLoss(False, False, True)(Tensor(draw(5, 2, 4)), PLACES, VALUES, few)
    assert loss.asnumpy()[0] == 0
    assert loss.asnumpy()[1] > 0
    np.testing.assert_array_equal(d.asnumpy()[:, 0], 0)
    assert np.isfinite(d.asnumpy()).all()
