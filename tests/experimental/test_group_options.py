"""Every option of every optimizer with options per group: one of a group is one of an optimizer of its own."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor
from mindspore.experimental import optim

GIVEN = {  # what a parameter is trained with where an option alone would do nothing, or in too few steps
    "SGD": {"lr": 0.1, "momentum": 0.5}, "Rprop": {"lr": 0.1, "step_sizes": (1e-3, 0.11)},
    "ASGD": {"lr": 0.1, "t0": 1.0}, "Adam": {"lr": 0.1, "betas": (0.5, 0.4)}, "AdamW": {"lr": 0.1, "betas": (0.5, 0.4)},
    "RAdam": {"lr": 0.1, "betas": (0.5, 0.9)}, "RMSprop": {"lr": 0.1, "alpha": 0.6}}
OTHER = {
    "lr": 0.3, "betas": (0.3, 0.4), "eps": 0.5, "weight_decay": 0.3, "amsgrad": True, "maximize": True,
    "momentum_decay": 0.7, "momentum": 0.8, "dampening": 0.4, "nesterov": True, "rho": 0.3, "lr_decay": 0.5,
    "initial_accumulator_value": 0.6, "alpha": 0.3, "centered": True, "etas": (0.3, 1.8), "step_sizes": (1e-3, 0.4),
    "lambd": 0.4, "t0": 2.0}
FIXED = {"grad_centralization", *(("Rprop", "weight_decay"),)}      # what `__init__` does not take
GRADS = np.float32([[3.0, -2.0, 1.0], [1.0, 0.5, -1.0], [0.25, 0.5, -0.5]])
OPTIMIZERS = [name for name in optim.__all__ if name not in ("Optimizer", "lr_scheduler")]


def trained(name, groups, **options):
    optimizer = getattr(optim, name)(groups, **options)
    for grad in [*GRADS] * (3 if name == "RAdam" else 1):           # which begins slowly
        optimizer(tuple([Tensor(grad)] * len(optimizer.parameters)))
    held = list(optimizer.get_parameters())
    return [[q.asnumpy().tolist() for q in held if q.name.split(".")[-1] == p.name] for p in optimizer.parameters]


def weight(name="w"):
    return Parameter(np.float32([1.0, -2.0, 0.5]), name=name)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_option_of_a_group_is_one_of_an_optimizer_of_its_own(name):
    common = GIVEN.get(name, {"lr": 0.1})
    usual, = trained(name, [weight()], **common)
    for option in getattr(optim, name)([weight()], **common).defaults:
        if option in FIXED or (name, option) in FIXED:
            continue
        other = {option: OTHER[option]}
        alone, = trained(name, [weight()], **{**common, **other})
        assert alone != usual, option
        groups = [{"params": [weight()]}, {"params": [weight("v")], **other}, {"params": [weight("u")]}]
        assert trained(name, groups, **common) == [usual, alone, usual], option
