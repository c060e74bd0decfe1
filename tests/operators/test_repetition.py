"""Repeated elements: what every one of them gets of the gradient."""
from __future__ import annotations

import pytest
import torch

from mindspore import ops


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_repetitions_of_an_element_are_added_up(agrees_with_torch, draw, repeats, axis):
    agrees_with_torch(lambda x: ops.repeat_interleave(x, repeats, axis),
                      lambda x: torch.repeat_interleave(x, repeats, axis), draw(2, 3, 4))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_every_element_may_be_repeated_another_time(agrees_with_torch, draw, axis):
    x = draw(2, 3, 4)
    counts = [3, 0, 1, 2][:x.shape[axis]]
    agrees_with_torch(lambda x: ops.repeat_interleave(x, counts, axis),
                      lambda x: torch.repeat_interleave(x, torch.tensor(counts), axis), x)
