"""Connectionist temporal classification against torch, and its greedy decoder."""
from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

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
