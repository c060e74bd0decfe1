"""What all metrics have in common."""
from __future__ import annotations

import numpy as np

from mindspore import nn


def test_indexes_choose_inputs_in_the_order_that_they_say():
    scores, labels = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([0, 1, 1])
    metric = nn.Accuracy().set_indexes([2, 0])
    metric.update(labels, np.zeros(5), scores)
    assert metric.eval() == 2 / 3


def test_the_loss_of_a_narrow_type_keeps_it():
    import mindspore as ms
    from mindspore import Tensor
    x, y = Tensor(np.array([1.0, 2.0, 4.0]), ms.float16), Tensor(np.zeros(3), ms.float16)
    for loss in (nn.L1Loss(), nn.MSELoss("sum"), nn.L1Loss("none")):
        assert loss(x, y).dtype is ms.float16


def test_the_brevity_of_a_text_is_told_by_the_reference_that_is_nearest_in_length():
    metric = nn.BleuScore(n_gram=1)
    words = ["a", "b", "c", "d"]
    metric.update([words], [[["a", "b", "c", "d", "e", "f", "g", "h", "i"], ["a", "b", "c", "d", "e"], ["a", "b"]]])
    assert abs(metric.eval() - np.exp(1 - 5 / 4)) < 1e-6             # the nearest has five words
