"""Layers along one and along three axes have the gradients of torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from mindspore import nn, ops


class Mixed(nn.Cell):
    """Layers along one and three axes, with the normalisations that need no batch."""

    def __init__(self):
        super().__init__()
        self.line = nn.Conv1d(2, 4, 3, pad_mode="pad", padding=1, has_bias=True)
        self.group, self.back = nn.GroupNorm(2, 4), nn.Conv1dTranspose(4, 4, 2, 2, pad_mode="valid",
                                                                       has_bias=True)
        self.space = nn.Conv3d(1, 2, (1, 2, 3), pad_mode="valid", has_bias=True)
        self.slope, self.head = nn.PReLU(2, 0.25), nn.Dense(2, 2)

    def construct(self, x):
        x = self.back(ops.silu(self.group(self.line(x))))
        x = self.slope(self.space(x.expand_dims(1).expand_dims(1)))
        return self.head(x.mean((2, 3, 4)))


class TorchMixed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        t = torch.nn
        self.line, self.group = t.Conv1d(2, 4, 3, padding=1), t.GroupNorm(2, 4)
        self.back, self.space = t.ConvTranspose1d(4, 4, 2, 2), t.Conv3d(1, 2, (1, 2, 3))
        self.slope, self.head = t.PReLU(2), t.Linear(2, 2)

    def forward(self, x):
        x = self.back(F.silu(self.group(self.line(x))))
        x = self.slope(self.space(x[:, None, None]))
        return self.head(x.mean((2, 3, 4)))


@pytest.mark.nets
@pytest.mark.usefixtures("both_modes")
def test_layers_along_one_and_three_axes(twins):
    net, model = Mixed(), TorchMixed()
    twins.copy_weights(model, net)
    x, labels = np.random.standard_normal((3, 2, 6)).astype(np.float32), np.array([0, 1, 1])
    expected = twins.torch_gradients(model, torch.nn.CrossEntropyLoss(), [x], labels)
    found = twins.cell_gradients(net, nn.CrossEntropyLoss(), [x], labels.astype(np.int32))
    twins.assert_same(found, expected)
