"""What a scaled step gives back, takes as its scale, and computes in 16 bits."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, float16, nn

X = Tensor(np.float32([[1.0, 2.0]]))


class Loss(nn.Cell):
    """w x, with a weight in 16 bits whose gradient is too small for them without a scale."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 1.0], float16), name="w")

    def construct(self, x):
        return (self.w * x.astype(float16) * 1e-6).sum()


def test_a_step_gives_the_scale_that_it_used():
    net = Loss()
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 1.0), nn.DynamicLossScaleUpdateCell(
        2.0**12, 2, 2))
    given = [step(X) for _ in range(4)]
    assert [float(scale) for _, _, scale in given] == [4096, 4096, 8192, 8192]
    assert float(step.scale_sense) == 16384
    assert not any(bool(overflow) for _, overflow, _ in given)


def test_gradients_in_16_bits_stay_in_16_bits():
    seen = []

    class Noting(nn.Optimizer):
        def construct(self, gradients):
            seen.extend(g.dtype for g in gradients)
            return True

    net = Loss()
    nn.TrainOneStepWithLossScaleCell(net, Noting(0.1, net.trainable_params()), Tensor([1024.0]))(X)
    assert set(seen) == {float16}


def test_the_scale_is_set_and_named_as_before():
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_sense=Tensor(8.0))
    step.set_sense_scale(Tensor(32.0))
    assert float(step.scale_sense) == float(step(X, Tensor([[1.0]]))[2]) == 32.0
    with pytest.raises(TypeError):
        step.set_sense_scale(8.0)
    named = nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_update_cell=nn.FixedLossScaleUpdateCell(64.0))
    assert float(named(X, Tensor([[1.0]]))[2]) == 64.0
