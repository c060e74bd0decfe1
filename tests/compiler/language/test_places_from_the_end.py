"""Elements that tensors choose, counted from both ends and beyond them."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, jit


@jit
def chosen(x, i):
    return (x, x * 2, x * 3)[i]


@jit
def listed(x, i):
    return [x, x * 2, x * 3][i]


@pytest.mark.parametrize("take", [chosen, listed])
@pytest.mark.parametrize("place", [0, 1, 2, -1, -2, -3])
def test_places_are_counted_from_both_ends(take, place):
    found = take(Tensor([1.0, -2.0]), Tensor(place))
    np.testing.assert_array_equal(found.asnumpy(), np.array([1.0, -2.0]) * (1, 2, 3)[place])


@pytest.mark.parametrize("take", [chosen, listed])
@pytest.mark.parametrize("place", [3, -4])
def test_places_beyond_the_ends_are_errors(take, place):
    with pytest.raises(IndexError):
        take(Tensor([1.0, -2.0]), Tensor(place))
