"""New programs: what is tried, in order."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, ops
from mindspore.compiler.specialise import fresh, general
from mindspore.core.errors import GraphValueError

X = Tensor(np.arange(6, dtype=np.float32))


def test_values_of_small_integers_become_constants_where_they_are_needed():
    def shaped(x, shape):
        return x.reshape(tuple(shape.asnumpy().tolist()))

    program = fresh("shaped", shaped, (X, Tensor([2, 3])), {}, "")
    assert program.constants == [[2, 3]]
    assert program([X]).shape == (2, 3)


def test_they_stay_inputs_where_they_are_not():
    program = fresh("gather", lambda x, i: ops.gather(x, i, 0), (X, Tensor([2, 3])), {}, "")
    assert program.constants is None


def test_an_error_that_values_do_not_mend_is_that_of_the_first_attempt():
    def looks(x, i):
        return x if float(x.asnumpy().sum()) else i

    with pytest.raises(GraphValueError, match="NumPy array"):
        fresh("looks", looks, (X, Tensor([1])), {}, "")


def test_one_program_for_all_extents():
    program = general("double", [{0}], lambda x: x * 2, (X,), {}, "")
    assert [s.text for s in program.sizes.inputs] == ["s0"]
    assert program([Tensor([4.0])]).asnumpy().tolist() == [8]


def test_there_is_none_where_a_size_is_tested():
    def special(x):
        return x.reshape(2, 3)

    program = general("special", [{0}], special, (X,), {}, "")
    assert program is None or not program.shapes_fit([(8,)])
