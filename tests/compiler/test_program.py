"""Programs: walked at once, assembled and run at calls."""
from __future__ import annotations

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.compiler.program import Program

X = Tensor([1.0, 2.0])


def cube(x):
    return x * x * x


def test_the_source_is_written_at_the_first_run():
    program = Program("cube", cube, (X,), {})
    assert program.current is None
    np.testing.assert_array_equal(program([X]).asnumpy(), [1, 8])
    first = program.current
    program([X])
    assert program.current is first


def test_inside_a_gradient_a_pair_of_sources_takes_over():
    program = Program("cube", cube, (X,), {})
    assert not program.differentiated
    found = ms.grad(lambda x: program([x]).sum())(X)
    np.testing.assert_array_equal(found.asnumpy(), [3, 12])
    assert program.differentiated
    np.testing.assert_array_equal(program([X]).asnumpy(), [1, 8])


def test_an_array_of_a_parameter_is_not_changed_by_an_update():
    w = Parameter(Tensor([1.0, 1.0]), name="w")

    def step(x):
        ops.assign(w, w + x)
        return w * 2

    program = Program("step", step, (X,), {})
    before = w.asnumpy()
    program([X])
    np.testing.assert_array_equal(before, [1, 1])
    np.testing.assert_array_equal(w.asnumpy(), [2, 3])
