"""Indices and numbers of elements: what is refused."""
from __future__ import annotations

import pytest

import mindspore.numpy as mnp


@pytest.mark.parametrize("order", ["K", "c", None])
def test_an_order_of_axes_that_there_is_not_is_refused(order):
    with pytest.raises(ValueError, match="For 'unravel_index', the 'order' must be 'C' or 'F'"):
        mnp.unravel_index([1, 5], (2, 3), order=order)
    with pytest.raises(ValueError, match="For 'ravel_multi_index', the 'order' must be 'C' or 'F'"):
        mnp.ravel_multi_index(([0, 1], [1, 2]), (2, 3), order=order)
