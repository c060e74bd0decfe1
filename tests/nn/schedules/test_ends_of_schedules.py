"""Rates before, at and behind the ends of their schedules, by their formulas; the lists and the cells alike."""
from __future__ import annotations

import math

import numpy as np
import pytest

from mindspore import Tensor, int32, nn

STEPS = range(14)
# of a step, or of an epoch for the lists: name, arguments of the list, the cell, the formula
CASES = {
    "exponential": ((0.3, 0.7), nn.ExponentialDecayLR, lambda t, n, stair: 0.3 * 0.7 ** (t // n if stair else t / n)),
    "natural_exp": ((0.3, 0.7), nn.NaturalExpDecayLR,
                    lambda t, n, stair: 0.3 * math.exp(-0.7 * (t // n * n if stair else t))),
    "inverse": ((0.3, 0.7), nn.InverseDecayLR, lambda t, n, stair: 0.3 / (1 + 0.7 * (t // n if stair else t / n))),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stair", [False, True])
@pytest.mark.parametrize("length", [1, 3, 5])
def test_decays(name, stair, length):
    numbers, cell, formula = CASES[name]
    found = [float(cell(*numbers, length, stair)(Tensor(t, int32))) for t in STEPS]
    assert found == pytest.approx([formula(t, length, stair) for t in STEPS], rel=1e-5)
    for per_epoch in (1, 3):
        listed = getattr(nn, f"{name}_decay_lr")(*numbers, len(STEPS), per_epoch, length, stair)
        assert listed == pytest.approx([formula(t // per_epoch, length, stair) for t in STEPS])


@pytest.mark.parametrize("length", [1, 3, 5])
@pytest.mark.parametrize("per_epoch", [1, 3])
def test_curves_with_an_end(length, per_epoch):
    def cosine(t):
        return 0.02 + 0.5 * 0.28 * (1 + math.cos(math.pi * min(t, length) / length))

    def polynomial(t, on):
        period = length * max(math.ceil(t / length), 1) if on else length
        return 0.28 * (1 - min(t, period) / period) ** 1.5 + 0.02

    def warm(t):
        return 0.3 * min(t, length) / length

    epochs = [t // per_epoch for t in STEPS]
    assert nn.cosine_decay_lr(0.02, 0.3, 14, per_epoch, length) == pytest.approx([cosine(t) for t in epochs])
    assert nn.warmup_lr(0.3, 14, per_epoch, length) == pytest.approx([warm(t) for t in epochs])
    for on in (False, True):
        listed = nn.polynomial_decay_lr(0.3, 0.02, 14, per_epoch, length, 1.5, on)
        assert listed == pytest.approx([polynomial(t, on) for t in epochs])
    if per_epoch == 1:
        at = [Tensor(t, int32) for t in STEPS]
        cells = [(nn.CosineDecayLR(0.02, 0.3, length), cosine), (nn.WarmUpLR(0.3, length), warm),
                 (nn.PolynomialDecayLR(0.3, 0.02, length, 1.5), lambda t: polynomial(t, False)),
                 (nn.PolynomialDecayLR(0.3, 0.02, length, 1.5, True), lambda t: polynomial(t, True))]
        for cell, formula in cells:
            np.testing.assert_allclose([float(cell(t)) for t in at], [formula(t) for t in STEPS], rtol=1e-5, atol=1e-7)


def test_what_no_schedule_is():
    for make in (lambda: nn.cosine_decay_lr(0.3, 0.3, 3, 1, 2), lambda: nn.CosineDecayLR(0.3, 0.3, 2),
                 lambda: nn.cosine_decay_lr(0.3, 0.2, 3, 1, 2), lambda: nn.piecewise_constant_lr([3, 2], [0.1, 0.2])):
        with pytest.raises(ValueError, match=r"_lr|LR"):
            make()
    assert nn.piecewise_constant_lr([2, 2, 5], [0.5, 0.75, 0.25]) == [0.5, 0.5, 0.25, 0.25, 0.25]
