"""Optimizers of `mint.optim` and torch's train the same weights, with groups that have options of their own."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, mint, ops

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(8, 4)).astype("f4"), RNG.normal(size=(8, 2)).astype("f4")
OPTIONS = [
    ("SGD", {"lr": 0.1}, {"lr": 0.02}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}, {"weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True}, {"lr": 0.01}),
    ("Adam", {}, {"betas": (0.5, 0.9)}), ("Adam", {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True}, {"eps": 1e-3}),
    ("AdamW", {"lr": 0.1}, {"weight_decay": 0.3}),
    ("AdamW", {"lr": 0.1, "amsgrad": True, "maximize": True}, {"lr": 0.01}),
    ("FusedAdamW", {"lr": 0.1, "betas": (0.8, 0.95)}, {"weight_decay": 0.0}),
]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "options", "second"), OPTIONS)
def test_steps_are_those_of_torch(name, options, second):
    net, module = mint.nn.Linear(4, 2), torch.nn.Linear(4, 2)
    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(net.weight.asnumpy()))
        module.bias.copy_(torch.from_numpy(net.bias.asnumpy()))
    optimizer = getattr(mint.optim, name)([{"params": [net.weight]}, {"params": [net.bias], **second}], **options)
    theirs = getattr(torch.optim, name.removeprefix("Fused"))(
        [{"params": [module.weight]}, {"params": [module.bias], **second}], **options)
    gradients = ms.value_and_grad(lambda x, y: ops.square(net(x) - y).sum(), None, [net.weight, net.bias])
    for _ in range(4):
        optimizer(gradients(Tensor(X), Tensor(Y))[1])
        theirs.zero_grad()
        (module(torch.from_numpy(X)) - torch.from_numpy(Y)).square().sum().backward()
        theirs.step()
    np.testing.assert_allclose(net.weight.asnumpy(), module.weight.detach(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(net.bias.asnumpy(), module.bias.detach(), rtol=1e-4, atol=1e-5)
