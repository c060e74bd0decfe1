"""What a call of a loss is told counts more than what the loss was made with."""
from __future__ import annotations

import numpy as np
import torch

from mindspore import Tensor, nn

RNG = np.random.default_rng(3)


def test_the_margin_of_a_call():
    a, b, c = [RNG.standard_normal((4, 3)).astype(np.float32) for _ in range(3)]
    loss = nn.TripletMarginLoss(margin=0.5)
    for margin, found in ((0.5, loss(Tensor(a), Tensor(b), Tensor(c))),
                          (3.0, loss(Tensor(a), Tensor(b), Tensor(c), Tensor(3.0)))):
        want = torch.nn.functional.triplet_margin_loss(*map(torch.tensor, (a, b, c)), margin=margin)
        assert np.allclose(found.asnumpy(), want, rtol=1e-5)


def test_the_weight_of_a_call():
    x, target = RNG.standard_normal((4, 3)).astype(np.float32), np.array([0, 2, 1, 2])
    own, other = np.array([1.0, 2.0, 3.0], np.float32), np.array([0.5, 4.0, 1.5], np.float32)
    loss = nn.MultiMarginLoss(weight=Tensor(own))
    for weight, found in ((own, loss(Tensor(x), Tensor(target))),
                          (other, loss(Tensor(x), Tensor(target), Tensor(other)))):
        want = torch.nn.functional.multi_margin_loss(
            torch.tensor(x), torch.tensor(target), weight=torch.tensor(weight))
        assert np.allclose(found.asnumpy(), want, rtol=1e-5)
