"""Sums of gradients begin when their last gradient is there, and end where the program wants them."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, communication, nn
from mindspore.compiler import program
from mindspore.distributed import together
from mindspore.nn.wrap.reducer import DistributedGradReducer
from mindspore.ops.gradients import GradOperation


@pytest.fixture
def order(monkeypatch):
    """The operators of the last program that ran, in their order."""
    seen = []
    inner = program.assembled

    def assembled(given):
        made = inner(given)
        seen[:] = [n.op.name for n in given.graph.nodes if n.op.name != "item"]
        return made
    monkeypatch.setattr(program, "assembled", assembled)
    return seen


@pytest.fixture
def joined():
    communication.init()
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=mode)
    communication.release()


class Step(nn.Cell):
    """A training step that asks for the sums of two processes, though it is alone: each is its own value."""

    def __init__(self):
        super().__init__()
        self.net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Dense(72, 40, activation="tanh"),
                                     nn.Dense(40, 3))
        self.loss = nn.WithLossCell(self.net, nn.MSELoss())
        self.optimizer = nn.SGD(self.net.trainable_params(), 0.1)
        self.reducer = DistributedGradReducer(self.optimizer.parameters, mean=False)
        self.reducer.processes = 2
        self.grad = GradOperation(get_by_list=True)

    def construct(self, x, y):
        grads = self.reducer(self.grad(self.loss, self.optimizer.parameters)(x, y))
        self.optimizer(grads)
        return grads


X, Y = np.random.RandomState(0).randn(4, 1, 6, 6).astype(np.float32), np.zeros((4, 3), np.float32)


@pytest.mark.parametrize("messages", [1, 2])
def test_a_message_is_sent_before_the_rest_of_the_reverse_pass(joined, order, monkeypatch, messages):
    monkeypatch.setattr("mindspore.nn.wrap.reducer.MESSAGE", 600 if messages == 2 else 1 << 20)
    ms.set_seed(3)
    alone = Step()
    alone.reducer.processes = 1
    ms.set_seed(3)
    step = Step()
    wanted, got = alone(Tensor(X), Tensor(Y)), step(Tensor(X), Tensor(Y))
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert "AllReduceTogether" not in order
    assert order.count("BeginSum") == order.count("EndSum") >= messages
    reverse = order.index("ConvolutionWeightGrad")
    assert (order.index("BeginSum") < reverse) == (messages == 2)
    assert order.index("EndSum") > reverse


def test_tensors_of_four_dimensions_travel_in_one_order_whatever_their_memory():
    x = torch.arange(120.0).reshape(2, 3, 4, 5)
    inner = x.contiguous(memory_format=torch.channels_last)
    assert torch.equal(together._flat(x), together._flat(inner))
    assert torch.equal(together._shaped(together._flat(inner), x.shape), x)
    assert together._flat(inner).data_ptr() == inner.data_ptr()          # nothing is turned around for it
