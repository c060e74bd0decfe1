"""Schedules that fall in stairs, against their formulas."""
from __future__ import annotations

import math

import pytest

from mindspore import nn

FORMULAS = {
    "exponential_decay_lr": lambda epoch, quotient, last: 0.1 * 0.9 ** quotient,
    "inverse_decay_lr": lambda epoch, quotient, last: 0.1 / (1 + 0.9 * quotient),
    "natural_exp_decay_lr": lambda epoch, quotient, last: 0.1 * math.exp(-0.9 * last),
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("stair", [False, True])
def test_every_epoch(name, stair):
    found = getattr(nn, name)(0.1, 0.9, 14, 2, 3, stair)
    for step, rate in enumerate(found):
        epoch = step // 2
        quotient, last = (epoch // 3, epoch // 3 * 3) if stair else (epoch / 3, epoch)
        assert rate == pytest.approx(FORMULAS[name](epoch, quotient, last))
    assert len(found) == 14
