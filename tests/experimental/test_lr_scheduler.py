"""Schedulers of the rates of groups: in sequence, against PyTorch's, and within compiled functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler as theirs

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.core.errors import GraphSyntaxError
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


def together(module, optimizer, names, change):
    schedulers = [made(module, name, optimizer) for name in names]
    found = [rate(optimizer)]
    for step in range(9):
        if step == 2:
            change(optimizer)
        getattr(optimizer, "step", lambda: None)()     # torch warns without
        for scheduler in schedulers:
            scheduler.step()
        found.append(rate(optimizer))
    return found


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", KINDS)
def test_two_schedulers_of_one_optimizer_and_rates_that_the_program_assigns(first, second):
    def mine(optimizer):
        ms.ops.assign(optimizer.param_groups[0]["lr"], Tensor(0.3, ms.float32))

    def other(optimizer):
        optimizer.param_groups[0]["lr"] = 0.3

    found = together(ours, optim.SGD([Parameter(Tensor([1.0]))], 0.05), (first, second), mine)
    expected = together(theirs, torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], 0.05), (first, second), other)
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_rates_without_a_formula_go_on_in_a_sequence():  # observed: MindSpore 2.10, CPU
    found = sequence(ours, optim.SGD([Parameter(Tensor([1.0]))], 0.05), ("LinearLR", "MultiplicativeLR"))
    assert found == pytest.approx([0.025, 0.03125, 0.0375, 0.0375, 0.03375, 0.030375, 0.0273375, 0.0246038], rel=1e-5)


@pytest.mark.parametrize("name", [*KINDS, "ReduceLROnPlateau", "SequentialLR"])
@pytest.mark.parametrize("jit", [ms.jit, ms.jit(fullgraph=True)])
def test_a_compiled_function_with_a_scheduler_does_what_python_does(name, jit):
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

    (rates, weights), (other_rates, other_weights) = run(jit), run(lambda function: function)
    assert rates == other_rates
    assert weights == pytest.approx(other_weights, rel=3e-7)      # products and sums may be rounded once


def test_a_graph_reads_what_its_steps_assigned():
    groups = [{"params": [Parameter(Tensor([1.0]), name=name)], "lr": lr} for name, lr in (("a", 0.5), ("b", 2.0))]
    optimizer = optim.SGD(groups, 0.1)
    scheduler = ours.StepLR(optimizer, 2, 0.5)

    @ms.jit(fullgraph=True)
    def twice(x):
        scheduler.step()
        between = x * optimizer.param_groups[0]["lr"]
        if x > 0:
            scheduler.step()
        return between, scheduler.last_epoch + 0, scheduler.get_last_lr()[1]

    assert [v.item() for v in twice(Tensor(1.0))] == [0.5, 2, 1.0]
    assert [v.item() for v in twice(Tensor(-1.0))] == [-0.25, 3, 1.0]
    assert [v.item() for v in twice(Tensor(1.0))] == [0.125, 5, 0.5]
    assert int(scheduler.last_epoch) == 5
    assert [rate.item() for rate in scheduler.get_last_lr()] == [0.125, 0.5]


def test_a_graph_reads_no_counter_that_steps_change():
    scheduler = ours.CosineAnnealingWarmRestarts(optim.SGD([Parameter(Tensor([1.0]))], 0.5), 3)
    with pytest.raises(GraphSyntaxError, match="T_cur"):
        ms.jit(lambda x: x + scheduler.T_cur, fullgraph=True)(Tensor(1.0))
    read = ms.jit(lambda x: x + scheduler.T_cur)                # runs in Python
    assert read(Tensor(1.0)).item() == 1
    scheduler.step()
    assert read(Tensor(1.0)).item() == 2


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit(fullgraph=True)])
def test_a_scheduler_of_a_program_reads_rates_and_epoch(wrap):   # observed: MindSpore 2.10, CPU
    class Halving(ours.LRScheduler):
        def __init__(self, optimizer, factor):
            self.factor = factor
            super().__init__(optimizer)

        def get_lr(self):
            if self.last_epoch == 0:
                return [lr.value() for lr in self._last_lr]
            return [lr * self.factor for lr in self._last_lr]

    optimizer = optim.SGD([Parameter(Tensor([1.0]))], 0.1)
    scheduler = Halving(optimizer, 0.5)
    assert rate(optimizer) == pytest.approx(0.1)
    step = wrap(lambda: scheduler.step())
    step()
    step()
    assert rate(optimizer) == pytest.approx(0.025)
    assert scheduler.last_epoch == 2


def test_a_graph_sees_settings_of_a_scheduler_that_change():
    scheduler = ours.StepLR(optim.SGD([Parameter(Tensor([1.0]))], 0.5), 3)
    read = ms.jit(lambda x: x + scheduler.step_size, fullgraph=True)
    assert read(Tensor(1.0)).item() == 4
    scheduler.step_size = 7
    assert read(Tensor(1.0)).item() == 8
