"""Small networks of all kinds have torch's gradients, and train alike in both modes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from twin_networks import TWINS, mlp, torch_mlp

import mindspore as ms
from mindspore import Tensor, nn

pytestmark = pytest.mark.nets
every_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)


def train(net, twin, steps, optimizer=None):
    """The losses of the first steps on the same batch."""
    inputs, labels = twin.data()
    kind = optimizer or twin.optimizer
    momentum = {"momentum": 0.9} if kind is nn.Momentum else {}
    optimizer = kind(net.trainable_params(), learning_rate=0.02, **momentum)
    loss, target = nn.CrossEntropyLoss(), Tensor(labels.astype(np.int32))

    class WithLoss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, *inputs):
            return loss(self.net(*inputs), target)

    step = nn.TrainOneStepCell(WithLoss(), optimizer).set_train()
    inputs = [Tensor(x) for x in inputs]
    return [float(step(*inputs).asnumpy()) for _ in range(steps)]


@every_twin
@pytest.mark.usefixtures("both_modes")
def test_a_network_has_the_gradients_of_torch(twin, twins):
    module, (inputs, labels) = twin.module(), twin.data()
    net = twin.net(twins, module)
    expected = twins.torch_gradients(module, torch.nn.CrossEntropyLoss(), inputs, labels)
    found = twins.cell_gradients(net, nn.CrossEntropyLoss(), inputs, labels.astype(np.int32))
    twins.assert_same(found, expected)


@pytest.mark.usefixtures("both_modes")
def test_a_network_in_double_precision_has_the_gradients_of_torch(twins):
    module, net = torch_mlp().double(), mlp(ms.float64)
    twins.copy_weights(module, net)
    inputs = [np.random.standard_normal((5, 6))]
    labels = np.array([0, 1, 2, 3, 0])
    expected = twins.torch_gradients(module, torch.nn.CrossEntropyLoss(), inputs, labels)
    found = twins.cell_gradients(net, nn.CrossEntropyLoss(), inputs, labels.astype(np.int32))
    twins.assert_same(found, expected)


@every_twin
@pytest.mark.usefixtures("both_modes")
def test_training_leads_to_the_parameters_and_statistics_of_torch(twin, twins):
    module, (inputs, labels) = twin.module(), twin.data()
    net = twin.net(twins, module)
    train(net, twin, 2, nn.Momentum)
    optimizer = torch.optim.SGD(module.parameters(), 0.02, 0.9)
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.cross_entropy(module(*map(torch.tensor, inputs)), torch.tensor(labels))
        loss.backward()
        optimizer.step()
    twins.assert_same_weights(net, module)


@every_twin
def test_a_training_step_gives_the_same_parameters_in_both_modes(twin, twins, in_mode):
    nets = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        with in_mode(mode):
            net = twin.net(twins)
            train(net, twin, 1)
        nets.append({name: p.asnumpy() for name, p in net.parameters_and_names()})
    eager, graph = nets
    for name, value in eager.items():
        np.testing.assert_allclose(graph[name], value, rtol=1e-5, atol=1e-7, err_msg=name)


@every_twin
@pytest.mark.usefixtures("both_modes")
def test_the_loss_falls_within_a_few_steps(twin, twins):
    losses = train(twin.net(twins), twin, 6)
    assert losses[-1] < losses[0]
