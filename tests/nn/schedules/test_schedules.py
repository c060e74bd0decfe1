"""Learning-rate schedules against their formulas, as cells and as lists."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mindspore import Tensor, int32, nn

STEPS = [0, 1, 2, 3, 5, 8, 20]


def values(cell):
    return [float(cell(Tensor(s, int32)).asnumpy()) for s in STEPS]


CELLS = [
    (nn.ExponentialDecayLR(0.1, 0.9, 4), lambda s: 0.1 * 0.9 ** (s / 4)),
    (nn.ExponentialDecayLR(0.1, 0.9, 4, True), lambda s: 0.1 * 0.9 ** (s // 4)),
    (nn.NaturalExpDecayLR(0.1, 0.9, 4), lambda s: 0.1 * math.exp(-0.9 * s)),
    (nn.NaturalExpDecayLR(0.1, 0.9, 4, True), lambda s: 0.1 * math.exp(-0.9 * (s // 4 * 4))),
    (nn.InverseDecayLR(0.1, 0.5, 2), lambda s: 0.1 / (1 + 0.5 * s / 2)),
    (nn.InverseDecayLR(0.1, 0.5, 2, True), lambda s: 0.1 / (1 + 0.5 * (s // 2))),
    (nn.CosineDecayLR(0.01, 0.1, 4), lambda s: 0.01 + 0.045 * (1 + math.cos(math.pi * min(s, 4) / 4))),
    (nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), lambda s: 0.09 * (1 - min(s, 4) / 4) ** 0.5 + 0.01),
    (
        nn.PolynomialDecayLR(0.1, 0.01, 4, 2.0, True),
        lambda s: 0.09 * (1 - s / (4 * math.ceil(max(s, 1) / 4))) ** 2 + 0.01,
    ),
    (nn.WarmUpLR(0.1, 4), lambda s: 0.1 * min(s, 4) / 4),
]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("cell", "formula"), CELLS, ids=[type(c).__name__ for c, _ in CELLS])
def test_cells_follow_their_formulas(cell, formula):
    assert values(cell) == pytest.approx([formula(s) for s in STEPS], rel=1e-4, abs=1e-7)


def test_a_schedule_has_the_shape_of_the_step_and_is_float32():
    out = nn.WarmUpLR(0.1, 4)(Tensor([3], int32))
    assert out.shape == (1,)
    assert out.asnumpy().dtype == np.float32


def test_a_schedule_of_a_user_needs_a_construct():
    with pytest.raises(NotImplementedError, match="construct"):
        nn.LearningRateSchedule()(Tensor(1))


LISTS = [
    (nn.exponential_decay_lr(0.1, 0.9, 7, 2, 2), lambda e: 0.1 * 0.9 ** (e / 2)),
    (nn.exponential_decay_lr(0.1, 0.9, 7, 2, 2, True), lambda e: 0.1 * 0.9 ** (e // 2)),
    (nn.natural_exp_decay_lr(0.1, 0.9, 7, 2, 2), lambda e: 0.1 * math.exp(-0.9 * e)),
    (nn.natural_exp_decay_lr(0.1, 0.9, 7, 2, 2, True), lambda e: 0.1 * math.exp(-0.9 * (e // 2 * 2))),
    (nn.inverse_decay_lr(0.1, 0.9, 7, 2, 2), lambda e: 0.1 / (1 + 0.9 * e / 2)),
    (nn.cosine_decay_lr(0.01, 0.1, 7, 2, 3), lambda e: 0.01 + 0.045 * (1 + math.cos(math.pi * min(e, 3) / 3))),
    (nn.polynomial_decay_lr(0.1, 0.01, 7, 2, 2, 0.5), lambda e: 0.09 * (1 - min(e, 2) / 2) ** 0.5 + 0.01),
    (
        nn.polynomial_decay_lr(0.1, 0.01, 7, 2, 2, 1.0, True),
        lambda e: 0.09 * (1 - e / (2 * math.ceil(max(e, 1) / 2))) + 0.01,
    ),
    (nn.warmup_lr(0.1, 7, 2, 2), lambda e: 0.1 * min(e, 2) / 2),
]


@pytest.mark.parametrize(("rates", "formula"), LISTS)
def test_lists_change_from_epoch_to_epoch(rates, formula):
    assert rates == pytest.approx([formula(step // 2) for step in range(7)])


def test_piecewise_rates_hold_until_their_milestones():
    assert nn.piecewise_constant_lr([2, 5], [0.1, 0.05]) == [0.1, 0.1, 0.05, 0.05, 0.05]


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: nn.piecewise_constant_lr([5, 2], [0.1, 0.2])),
        (ValueError, lambda: nn.piecewise_constant_lr([0, 2], [0.1, 0.2])),
        (ValueError, lambda: nn.piecewise_constant_lr([2], [0.1, 0.2])),
        (TypeError, lambda: nn.piecewise_constant_lr([2], 0.1)),
        (TypeError, lambda: nn.piecewise_constant_lr([True], [0.1])),
        (TypeError, lambda: nn.piecewise_constant_lr([2], [1])),
        (TypeError, lambda: nn.exponential_decay_lr(1, 0.9, 3, 1, 1)),
        (ValueError, lambda: nn.exponential_decay_lr(0.1, 0.0, 3, 1, 1)),
        (ValueError, lambda: nn.cosine_decay_lr(0.1, 0.01, 3, 1, 1)),
        (ValueError, lambda: nn.warmup_lr(0.1, 3, 1, 0)),
        (ValueError, lambda: nn.polynomial_decay_lr(0.1, -0.1, 3, 1, 1, 1.0)),
        (TypeError, lambda: nn.polynomial_decay_lr(0.1, 0.1, 3, 1, 1, 1)),
        (ValueError, lambda: nn.ExponentialDecayLR(0.1, -1.0, 2)),
        (TypeError, lambda: nn.ExponentialDecayLR(0.1, 0.5, 2.0)),
        (ValueError, lambda: nn.CosineDecayLR(0.1, 0.1, 2)),
        (ValueError, lambda: nn.WarmUpLR(0.1, 0)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error):
        make()
