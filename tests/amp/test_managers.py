"""Loss scales by hand: what an overflow and a row of steps without make of them."""
from __future__ import annotations

from mindspore.amp import DynamicLossScaleManager


def test_a_scale_does_not_fall_below_one():
    manager = DynamicLossScaleManager(3.0, scale_factor=2, scale_window=3)
    found = []
    for overflow in (True, True, True, False, False, False, False):
        manager.update_loss_scale(overflow)
        found.append(manager.get_loss_scale())
    assert found == [1.5, 1, 1, 1, 1, 2, 2]
