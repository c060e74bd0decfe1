"""Functions under the names of NumPy and SciPy give what was observed in the original: values, types, gradients."""
from __future__ import annotations

import observed
import pytest

import mindspore as ms
import mindspore.numpy as mnp

TABLES = {f"{table}.{name}": calls for table in ("numpy",)
          for name, calls in observed.by_name(f"observed_{table}.txt").items()}


@pytest.mark.parametrize("name", TABLES)
def test_a_function_gives_what_was_observed(name):
    assert observed.differences(TABLES[name]) == {}


@pytest.mark.parametrize(("function", "arguments", "options", "named"), [
    (mnp.diff, ([[1, 2], [3, 5]],), {"axis": (0, 1)}, "axis"),
    (mnp.diff, ([[1, 2], [3, 5]],), {"axis": None}, "axis"),
    (mnp.array_equal, ([1], [1]), {"equal_nan": "no"}, "equal_nan"),
    (mnp.around, ([1.5],), {"decimals": 1.0}, "decimals"),
    (mnp.around, ([1.5],), {"decimals": None}, "decimals"),
])
def test_what_is_no_such_argument_is_refused(function, arguments, options, named):
    with pytest.raises(TypeError, match=named):
        function(*arguments, **options)


def test_a_trace_adds_numbers_of_its_type():
    assert mnp.trace([[1.7, 0.0], [0.0, 1.8]], dtype=ms.int32).asnumpy() == 2


def test_what_stands_before_is_broadcast_along_the_other_axes():
    found = mnp.diff([[1, 2, 4], [8, 16, 32]], axis=0, prepend=[[5]])
    assert found.asnumpy().tolist() == [[-4, -3, -1], [7, 14, 28]]
