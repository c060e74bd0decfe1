"""What is computed from real numbers refuses complex ones, and does not drop their imaginary parts."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.numpy as mnp
from mindspore import Tensor, ops

X = Tensor(np.array([1 + 2j, 0.5j], np.complex64))
CALLS = {
    "hardsigmoid": ops.hardsigmoid, "hardswish": ops.hardswish, "population_count": ops.population_count,
    "polygamma": lambda x: ops.polygamma(1, x), "bucketize": lambda x: ops.bucketize(x, [0.0, 1.0]),
    "clip_by_norm": lambda x: ops.clip_by_norm(x, 1.0), "clip_by_global_norm": lambda x: ops.clip_by_global_norm([x]),
    "linspace": lambda x: ops.linspace(x[0], 2.0, 3), "numpy.linspace": lambda x: mnp.linspace(x, 2),
    "numpy.geomspace": lambda x: mnp.geomspace(1, x, 3), "numpy.float_power": lambda x: mnp.float_power(x, 2),
    "numpy.argmin": mnp.argmin,
}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("name", CALLS)
def test_complex_numbers_are_refused(name):
    with pytest.raises((TypeError, ValueError), match=r"real numbers|[cC]omplex|integers"):
        CALLS[name](X)


def test_bits_are_counted_of_integers_only():
    with pytest.raises(TypeError, match="integers"):
        ops.population_count(Tensor([1.5]))


@pytest.mark.parametrize(("numbers", "dtype"), [([2**24 + 1, 2**24], np.int32), ([2**53 + 1, 2**53], np.int64),
                                                ([1 + 1e-12, 1.0], np.float64), ([True, False], np.bool_)])
def test_the_least_element_is_found_among_numbers_that_float32_does_not_tell_apart(numbers, dtype):
    assert mnp.argmin(Tensor(np.array(numbers, dtype))).asnumpy() == np.argmin(np.array(numbers, dtype)) == 1
