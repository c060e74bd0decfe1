"""Optimizers with options per group against PyTorch's, and the schedulers of their rates."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Parameter, Tensor
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler

RNG = np.random.default_rng(5)
WEIGHT = RNG.standard_normal((3, 4)).astype(np.float32)
GRADS = [RNG.standard_normal((3, 4)).astype(np.float32) for _ in range(8)]

CASES = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.1}),
    ("Adam", {"lr": 0.1, "amsgrad": True, "betas": (0.8, 0.5)}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.2}),
    ("Adamax", {"lr": 0.1}),
    ("NAdam", {"lr": 0.1, "momentum_decay": 0.01}),
    ("RAdam", {"lr": 0.1, "betas": (0.9, 0.9)}),
    ("RAdam", {"lr": 0.1, "betas": (0.3, 0.4)}),
    ("Adadelta", {"lr": 0.5, "rho": 0.8, "eps": 1e-4}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.1}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.9, "momentum": 0.5, "centered": True, "eps": 1e-3}),
    ("Rprop", {"lr": 0.1, "etas": (0.4, 1.3), "step_sizes": (1e-3, 0.15)}),
    ("ASGD", {"lr": 0.1, "lambd": 0.01, "t0": 2.0, "weight_decay": 0.1}),
]


def ours(name, **options):
    weight = Parameter(WEIGHT, name="w")
    optimizer = getattr(optim, name)([weight], **options)
    for g in GRADS:
        optimizer((Tensor(g),))
    return weight.asnumpy()


def theirs(name, **options):
    weight = torch.tensor(WEIGHT, requires_grad=True)
    optimizer = getattr(torch.optim, name)([weight], **options)
    for g in GRADS:
        weight.grad = torch.tensor(g)
        optimizer.step()
    return weight.detach().numpy()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "options"), CASES)
def test_optimizers_do_what_those_of_torch_do(name, options):
    np.testing.assert_allclose(ours(name, **options), theirs(name, **options), rtol=3e-5, atol=3e-6)


def pair():
    w = Parameter(WEIGHT, name="w")
    b = Parameter(WEIGHT[0], name="b")
    return w, b


def test_groups_have_their_own_options():
    w, b = pair()
    optimizer = optim.SGD([{"params": [w], "lr": 0.5}, {"params": [b], "weight_decay": 0.1}], lr=0.1)
    optimizer((Tensor(GRADS[0]), Tensor(GRADS[0][0])))
    np.testing.assert_allclose(w.asnumpy(), WEIGHT - 0.5 * GRADS[0], rtol=1e-5, atol=1e-6)
    want = WEIGHT[0] - 0.1 * (GRADS[0][0] + 0.1 * WEIGHT[0])
    np.testing.assert_allclose(b.asnumpy(), want, rtol=1e-5, atol=1e-6)


def test_a_group_may_be_added():
    w, b = pair()
    optimizer = optim.Adam([w], lr=0.1)
    optimizer.add_param_group({"params": [b], "lr": 0.3})
    assert [p.name for p in optimizer.parameters] == ["w", "b"]
    optimizer((Tensor(GRADS[0]), Tensor(GRADS[0][0])))
    np.testing.assert_allclose(b.asnumpy(), WEIGHT[0] - 0.3 * np.sign(GRADS[0][0]), rtol=1e-4)


def test_the_state_has_the_names_of_checkpoints():
    w, b = pair()
    names = [p.name for p in optim.Adagrad([w, b]).get_parameters()]
    assert names == ["w", "b", "step_t", "accum.w", "accum.b"]


def test_the_text_shows_the_groups():
    shown = str(optim.SGD(list(pair()), lr=0.5))
    assert shown.startswith("SGD (\nParameter Group 0\n    dampening: 0.0\n")
    assert "    lr: 0.5\n" in shown


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: optim.SGD([], lr=0.1)),
        (TypeError, lambda: optim.SGD(3, lr=0.1)),
        (TypeError, lambda: optim.SGD([1], lr=0.1)),
        (ValueError, lambda: optim.SGD(list(pair()), lr=-0.1)),
        (TypeError, lambda: optim.SGD(list(pair()), lr="x")),
        (ValueError, lambda: optim.SGD(list(pair()), lr=0.1, nesterov=True)),
        (TypeError, lambda: optim.SGD(list(pair()), lr=0.1, maximize=1)),
        (KeyError, lambda: optim.SGD([{"lr": 0.1}], lr=0.1)),
        (TypeError, lambda: optim.SGD([{"params": set(pair())}], lr=0.1)),
        (ValueError, lambda: optim.Adam(list(pair()), betas=(1.0, 0.9))),
        (ValueError, lambda: optim.Adam(list(pair()), eps=-1.0)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error):
        make()


# ---------------------------------------------------------------------- schedulers

SCHEDULES = [
    ("StepLR", {"step_size": 3, "gamma": 0.5}),
    ("MultiStepLR", {"milestones": [2, 5], "gamma": 0.1}),
    ("ConstantLR", {"factor": 0.5, "total_iters": 4}),
    ("LinearLR", {"start_factor": 0.25, "total_iters": 5}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("PolynomialLR", {"total_iters": 6, "power": 2.0}),
    ("CosineAnnealingLR", {"T_max": 4, "eta_min": 0.01}),
    ("CosineAnnealingWarmRestarts", {"T_0": 3, "T_mult": 2, "eta_min": 0.001}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "step_size_down": 3, "mode": "triangular2"}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "mode": "exp_range", "gamma": 0.9}),
    ("LambdaLR", {"lr_lambda": lambda epoch: 1 / (1 + epoch)}),
    ("MultiplicativeLR", {"lr_lambda": lambda epoch: 0.5 + epoch / 10}),
]


@pytest.mark.filterwarnings("ignore:Detected call of:UserWarning")
@pytest.mark.parametrize(("name", "options"), SCHEDULES, ids=[n for n, _ in SCHEDULES])
def test_schedulers_do_what_those_of_torch_do(name, options):
    optimizer = optim.SGD(list(pair()), lr=0.1)
    scheduler = getattr(lr_scheduler, name)(optimizer, **options)
    reference = torch.optim.SGD([torch.zeros(1)], lr=0.1)
    more = {"cycle_momentum": False} if name == "CyclicLR" else {}
    expected = getattr(torch.optim.lr_scheduler, name)(reference, **options, **more)
    got, want = [], []
    for _ in range(10):
        got.append(float(optimizer.param_groups[0]["lr"].asnumpy()))
        want.append(reference.param_groups[0]["lr"])
        scheduler.step()
        expected.step()
    assert got == pytest.approx(want, rel=1e-4, abs=1e-8)
    assert float(scheduler.get_last_lr()[0].asnumpy()) == pytest.approx(expected.get_last_lr()[0], rel=1e-4)


@pytest.mark.parametrize("mode", ["min", "max"])
def test_rates_fall_where_nothing_improves(mode):
    options = {"mode": mode, "factor": 0.5, "patience": 1, "cooldown": 1, "min_lr": 0.02}
    optimizer = optim.SGD(list(pair()), lr=0.1)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, **options)
    reference = torch.optim.SGD([torch.zeros(1)], lr=0.1)
    expected = torch.optim.lr_scheduler.ReduceLROnPlateau(reference, **options)
    for value in (1.0, 1.2, 1.1, 1.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        scheduler.step(Tensor(value))
        expected.step(value)
        got = float(optimizer.param_groups[0]["lr"].asnumpy())
        assert got == pytest.approx(reference.param_groups[0]["lr"], rel=1e-5)


def test_schedulers_follow_one_another():
    optimizer = optim.SGD(list(pair()), lr=0.1)
    first = lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2)
    second = lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    scheduler = lr_scheduler.SequentialLR(optimizer, [first, second], [3])
    seen = []
    for _ in range(6):
        seen.append(float(optimizer.param_groups[0]["lr"].asnumpy()))
        scheduler.step()
    assert seen == pytest.approx([0.01, 0.01, 0.1, 0.1, 0.09, 0.081], rel=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_the_optimizer_uses_the_rate_of_the_scheduler():
    weight = Parameter(WEIGHT, name="w")
    optimizer = optim.SGD([weight], lr=0.1)
    scheduler = lr_scheduler.StepLR(optimizer, 1, 0.5)
    optimizer((Tensor(GRADS[0]),))
    scheduler.step()
    optimizer((Tensor(GRADS[1]),))
    want = WEIGHT - 0.1 * GRADS[0] - 0.05 * GRADS[1]
    np.testing.assert_allclose(weight.asnumpy(), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (TypeError, lambda o: lr_scheduler.StepLR(3, 2)),
        (TypeError, lambda o: lr_scheduler.StepLR(o, "x")),
        (TypeError, lambda o: lr_scheduler.StepLR(o, 2, 1)),
        (ValueError, lambda o: lr_scheduler.LambdaLR(o, [abs, abs])),
        (TypeError, lambda o: lr_scheduler.MultiStepLR(o, 3)),
        (ValueError, lambda o: lr_scheduler.ConstantLR(o, 2.0)),
        (ValueError, lambda o: lr_scheduler.LinearLR(o, 0.0)),
        (ValueError, lambda o: lr_scheduler.CyclicLR(o, 0.1, 0.2, mode="x")),
        (ValueError, lambda o: lr_scheduler.ReduceLROnPlateau(o, factor=1.0)),
        (ValueError, lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o)], [2])),
        (KeyError, lambda o: lr_scheduler.StepLR(o, 2, last_epoch=3)),
    ],
)
def test_wrong_arguments_of_schedulers_are_refused(error, make):
    with pytest.raises(error):
        make(optim.SGD(list(pair()), lr=0.1))


def test_groups_know_where_their_gradients_begin():
    # observed: MindSpore 2.10
    a, b, c, d = [Parameter(Tensor([1.0]), name=n) for n in "abcd"]
    optimizer = optim.SGD([{"params": [a, b]}, {"params": [c], "lr": 0.2}], 0.1)
    assert optimizer.group_start_id == [0, 2, 3]
    optimizer.add_param_group({"params": [d]})
    assert optimizer.group_start_id == [0, 2, 3, 4]


def test_the_power_of_a_polynomial_is_not_negative():          # refused by MindSpore 2.10, too
    optimizer = optim.SGD([Parameter(np.ones(2, np.float32), name="w")], lr=0.1)
    for power in (-1.0, -1e-3):
        with pytest.raises(ValueError, match=r"For 'PolynomialLR', the 'power' must be a number in \[0"):
            lr_scheduler.PolynomialLR(optimizer, 4, power)
