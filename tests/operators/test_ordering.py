"""Order among elements: ties, numbers that are none, places beyond the classes."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, ops


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_target_is_among_the_greatest_if_fewer_than_k_are_greater(k):
    x = np.array([[1, 3, 3, 2], [0, 0, 0, 0], [4, 1, 2, 3], [np.inf, 1, np.nan, 0], [5, 6, 7, 8]], np.float32)
    for target in range(4):
        places = np.full(5, target, np.int32)
        wanted = [bool(np.isfinite(row[target]) and (row > row[target]).sum() < k) for row in x]
        assert ops.intopk(Tensor(x), Tensor(places), k).tolist() == wanted
    assert ops.intopk(Tensor(x), Tensor(np.array([4, -1, 9, 4, -5], np.int32)), k).tolist() == [False] * 5
