"""Training steps as programs of the model zoo write them."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.common.dtype as mstype
import mindspore.nn as nn
from mindspore import Parameter, Tensor, context
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.nn.wrap.loss_scale import grad_scale
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

X = np.random.default_rng(0).standard_normal((8, 3)).astype(np.float32)
Y = (X @ np.array([[1.0], [-2.0], [0.5]])).astype(np.float32)

clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Tensor")
def _clip_grad(limit, grad):
    return C.clip_by_value(grad, F.cast(F.tuple_to_array((-limit,)), F.dtype(grad)),
                           F.cast(F.tuple_to_array((limit,)), F.dtype(grad)))


class ScaledStep(nn.TrainOneStepWithLossScaleCell):
    """The training step of the BERT script of 1.x."""

    def __init__(self, network, optimizer, scale_update_cell=None):
        super().__init__(network, optimizer, scale_update_cell)
        self.cast = P.Cast()
        self.degree = 1
        if self.reducer_flag:
            self.grad_reducer = DistributedGradReducer(optimizer.parameters, False, self.degree)
        self.loss_scale = None
        self.loss_scaling_manager = scale_update_cell
        if scale_update_cell:
            self.loss_scale = Parameter(Tensor(scale_update_cell.get_loss_scale(), dtype=mstype.float32))

    def construct(self, x, y, sens=None):
        weights = self.weights
        loss = self.network(x, y)
        scaling_sens = self.loss_scale if sens is None else sens
        status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        grads = self.grad(self.network, weights)(x, y, self.cast(scaling_sens, mstype.float32))
        grads = self.grad_reducer(grads)
        grads = self.hyper_map(F.partial(grad_scale, scaling_sens * self.degree), grads)
        grads = self.hyper_map(F.partial(clip_grad, 1.0), grads)
        cond = self.get_overflow_status(status, grads)
        overflow = cond
        if sens is None:
            overflow = self.loss_scaling_manager(self.loss_scale, cond)
        if not overflow:
            self.optimizer(grads)
        return loss, cond, scaling_sens


class OwnStep(nn.Cell):
    """A training step without the base class."""

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(x, y, sens)
        return F.depend(loss, self.optimizer(grads))


def network():
    net = nn.Dense(3, 1)
    net.weight.set_data(Tensor(np.zeros((1, 3), np.float32)))
    net.bias.set_data(Tensor(np.zeros(1, np.float32)))
    return net


def weight_after(steps):
    """The weight after gradient descent with clipped gradients."""
    w, b = np.zeros((1, 3)), np.zeros(1)
    for _ in range(steps):
        error = X @ w.T + b - Y
        w = w - 0.1 * np.clip(2 * error.T @ X / error.size, -1, 1)
        b = b - 0.1 * np.clip(2 * error.sum(0) / error.size, -1, 1)
    return w


@pytest.mark.usefixtures("both_modes")
def test_the_scaled_step_of_the_bert_script_trains():
    net = network()
    step = ScaledStep(
        nn.WithLossCell(net, nn.MSELoss()),
        nn.SGD(net.trainable_params(), 0.1),
        nn.DynamicLossScaleUpdateCell(2**10, 2, 3),
    )
    scales = []
    for k in range(4):
        x = X * 1e38 if k == 1 else X
        _, overflow, _ = step(Tensor(x), Tensor(Y))
        assert bool(overflow.asnumpy()) is (k == 1)
        scales.append(float(step.loss_scale.asnumpy()))
    assert scales == [1024, 512, 512, 512]
    np.testing.assert_allclose(net.weight.asnumpy(), weight_after(3), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_a_step_of_ones_own_trains():
    net = network()
    step = OwnStep(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(30)]
    assert losses[-1] < 0.1 * losses[0]
    assert context.get_context("mode") in (context.GRAPH_MODE, context.PYNATIVE_MODE)
