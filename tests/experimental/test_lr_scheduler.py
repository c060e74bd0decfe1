"""Schedulers of the rates of groups: in sequence, against PyTorch's, and within compiled functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler as theirs

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler as ours

KINDS = {
    "StepLR": (2, 0.5), "ExponentialLR": (0.9,), "LinearLR": (0.5, 1.0, 4), "ConstantLR": (0.5, 2),
    "PolynomialLR": (4, 2.0), "CosineAnnealingLR": (4,), "CosineAnnealingWarmRestarts": (2,),
    "CyclicLR": (0.01, 0.1, 2, 2), "LambdaLR": (lambda epoch: 0.9**epoch,), "MultiplicativeLR": (lambda epoch: 0.9,),
    "MultiStepLR": ([1, 3], 0.1),
}


def made(module, name, optimizer):
    more = {"cycle_momentum": False} if module is theirs and name == "CyclicLR" else {}
    return getattr(module, name)(optimizer, *KINDS[name], **more)


def rate(optimizer):
    return float(optimizer.param_groups[0]["lr"])


def sequence(module, optimizer, names):
    scheduler = module.SequentialLR(optimizer, [made(module, name, optimizer) for name in names], [3])
    found = [rate(optimizer)]
    for _ in range(7):
        getattr(optimizer, "step", lambda: None)()     # torch warns without
        scheduler.step()
        found.append(rate(optimizer))
    return found


@pytest.mark.parametrize("second", sorted(KINDS.keys() - {"MultiplicativeLR"}))
@pytest.mark.parametrize("first", ["LinearLR", "CyclicLR", "StepLR"])
def test_a_scheduler_of_a_sequence_begins_with_its_initial_rates(first, second):
    mine = sequence(ours, optim.SGD([Parameter(Tensor([1.0]))], 0.05), (first, second))
    other = sequence(theirs, torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], 0.05), (first, second))
    assert mine == pytest.approx(other, rel=1e-5)


def test_rates_without_a_formula_go_on_in_a_sequence():  # observed: MindSpore 2.10, CPU
    found = sequence(ours, optim.SGD([Parameter(Tensor([1.0]))], 0.05), ("LinearLR", "MultiplicativeLR"))
    assert found == pytest.approx([0.025, 0.03125, 0.0375, 0.0375, 0.03375, 0.030375, 0.0273375, 0.0246038], rel=1e-5)


@pytest.mark.parametrize("name", [*KINDS, "ReduceLROnPlateau", "SequentialLR"])
def test_a_compiled_function_with_a_scheduler_does_what_python_does(name):
    def run(wrap):
        weight = Parameter(np.ones(3, np.float32), name="w")
        optimizer = optim.SGD([weight], 0.05)
        if name == "ReduceLROnPlateau":
            scheduler, more = ours.ReduceLROnPlateau(optimizer, patience=0), (1.0,)
        elif name == "SequentialLR":
            both = [made(ours, kind, optimizer) for kind in ("ConstantLR", "ExponentialLR")]
            scheduler, more = ours.SequentialLR(optimizer, both, [2]), ()
        else:
            scheduler, more = made(ours, name, optimizer), ()

        def step(x):
            optimizer((x * weight,))
            scheduler.step(*more)
            return x

        step = wrap(step)
        rates = []
        for _ in range(5):
            step(Tensor([1.0, 2.0, 3.0]))
            rates.append(rate(optimizer))
        return rates, weight.asnumpy().tolist()

    assert run(ms.jit) == run(lambda function: function)
