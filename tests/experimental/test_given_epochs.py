"""`step(epoch)` of schedulers: the rates that an epoch has from the initial ones."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler

CASES = {
    "StepLR": (2, 0.5), "MultiStepLR": ([2, 4], 0.1), "ConstantLR": (0.5, 3), "LinearLR": (0.5, 1.0, 4),
    "ExponentialLR": (0.5,), "PolynomialLR": (5, 2.0), "CosineAnnealingLR": (5,),
}


@pytest.mark.parametrize("name", CASES)
def test_as_torch(name):
    here = optim.SGD([ms.Parameter(Tensor([1.0]), name="w")], lr=0.8)
    there = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.8)
    mine = getattr(lr_scheduler, name)(here, *CASES[name])
    judge = getattr(torch.optim.lr_scheduler, name)(there, *CASES[name])
    for epoch in (None, 3, 5, 1):
        mine.step(Tensor(epoch) if epoch == 5 else epoch)
        if epoch is not None:
            judge.last_epoch = epoch
            wanted = judge._get_closed_form_lr()
            np.testing.assert_allclose(float(here.param_groups[0]["lr"]), wanted[0], rtol=1e-5, atol=1e-7)
            assert mine.last_epoch.value() == epoch


def test_the_steps_after_it_go_on_from_there():
    optimizer = optim.SGD([ms.Parameter(Tensor([1.0]), name="w")], lr=1.0)
    scheduler = lr_scheduler.ExponentialLR(optimizer, 0.5)
    scheduler.step(3)
    scheduler.step()
    np.testing.assert_allclose(float(optimizer.param_groups[0]["lr"]), 0.5**4)
