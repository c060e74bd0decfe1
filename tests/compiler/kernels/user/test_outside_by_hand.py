"""Indices of every kind: what is just inside is computed, one further is an error, and never read."""
from __future__ import annotations

import numpy as np
import outside_kernels as outside
import pytest

from mindspore import Tensor
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.user.errors import KernelCallError

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")

# for 8 elements: the least size of `y` that is enough
ENOUGH = {"next_one": 9, "difference": 9, "downwards": 9, "folded": 8, "halved": 9, "least": 8, "most": 8,
          "on_one_side": 7, "on_the_other_side": 8, "twice": 8}


@pytest.mark.parametrize("name", ENOUGH)
def test_the_last_element_is_read_and_the_one_behind_it_is_an_error(name):
    kernel, x = getattr(outside, name), np.arange(8.0)
    for size in (ENOUGH[name], ENOUGH[name] + 3):
        y = np.arange(float(size)) + 100
        np.testing.assert_array_equal(kernel(Tensor(x), Tensor(y)).asnumpy(), kernel(x, y))
    y = np.arange(float(ENOUGH[name] - 1)) + 100
    with pytest.raises(KernelCallError, match="looked outside of 'y'"):
        kernel(Tensor(x), Tensor(y))
