"""Tensors made from numbers."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, grad, jit, ops


@pytest.mark.parametrize(("found", "dtype", "wanted"), [
    (lambda: ops.zeros((2, 3)), "float32", np.zeros((2, 3))),
    (lambda: ops.ones(3, mindspore.int32), "int32", np.ones(3)),
    (lambda: ops.full((2,), 3), "int64", [3, 3]), (lambda: ops.full((2,), 1.5), "float32", [1.5, 1.5]),
    (lambda: ops.full((2,), True), "bool_", [True, True]),
    (lambda: ops.full((2,), Tensor(2.0, mindspore.float16)), "float16", [2, 2]),
    (lambda: ops.fill(mindspore.int32, (2,), 1.7), "int32", [1, 1]),
    (lambda: ops.full_like(Tensor([1.0]), 7), "float32", [7]),
    (lambda: ops.zeros_like(Tensor([1]), dtype=mindspore.float16), "float16", [0]),
    (lambda: ops.arange(5), "int64", np.arange(5)), (lambda: ops.arange(9, 0, -2), "int64", [9, 7, 5, 3, 1]),
    (lambda: ops.arange(0, 1, 0.25), "float32", [0, 0.25, 0.5, 0.75]),
    (lambda: ops.arange(Tensor(3)), "int64", [0, 1, 2]), (lambda: ops.range(0, 5, 2), "int64", [0, 2, 4]),
    (lambda: ops.linspace(0, 10, 5), "float32", [0, 2.5, 5, 7.5, 10]),
    (lambda: ops.linspace(1.0, 2.0, 1), "float32", [1]),
    (lambda: ops.logspace(Tensor(0.0), Tensor(2.0), 3), "float32", [1, 10, 100]),
    (lambda: ops.eye(2, 3, mindspore.bool_), "bool_", np.eye(2, 3) > 0),
    (lambda: ops.tril_indices(3, 4, 1), "int64", np.tril_indices(3, 1, 4)),
    (lambda: ops.triu_indices(3, 3), "int64", np.triu_indices(3)),
    (lambda: ops.vander(Tensor([1.0, 2.0]), 3), "float32", [[1, 1, 1], [4, 2, 1]]),
    (lambda: ops.sequence_mask(Tensor([1, 3]), 4), "bool_", [[1, 0, 0, 0], [1, 1, 1, 0]]),
    (lambda: Tensor([1, 2]).new_zeros((2, 1)), "int64", [[0], [0]]),
    (lambda: Tensor([1, 2]).fill(4), "int64", [4, 4]),
], ids=lambda v: getattr(v, "__name__", None) or "x")
def test_the_elements_and_their_type_are_those_expected(found, dtype, wanted):
    tensor = found()
    assert tensor.dtype.name == dtype
    np.testing.assert_allclose(tensor.asnumpy(), np.asarray(wanted, float), rtol=1e-6)


def test_creation_works_while_a_graph_is_compiled():
    def make(x):
        return ops.zeros((2,)) + ops.ones_like(x) + ops.arange(2) + ops.linspace(0, 1, 2) + ops.eye(2)

    np.testing.assert_array_equal(jit(make)(Tensor([5.0, 5.0])).asnumpy(), [[2, 3], [1, 4]])


def test_the_gradient_of_linspace_goes_to_its_ends():
    low, high = grad(lambda a, b: ops.linspace(a, b, 3).sum(), (0, 1))(Tensor(0.0), Tensor(1.0))
    assert (float(low), float(high)) == (1.5, 1.5)


@pytest.mark.parametrize(("call", "error"), [
    (lambda: ops.zeros("a"), TypeError), (lambda: ops.zeros((-1, 2)), ValueError),
    (lambda: ops.ones((2.0, 3)), TypeError), (lambda: ops.full(2, 3), TypeError),
    (lambda: ops.full((2,), "a"), TypeError), (lambda: ops.arange(0, 5, 0), ValueError),
    (lambda: ops.arange(0, 5, -1), ValueError), (lambda: ops.linspace(0, 1, 2.5), TypeError),
    (lambda: ops.linspace(0, 1, 0), ValueError), (lambda: ops.eye(-1), ValueError),
    (lambda: ops.sequence_mask(3.5, 4), TypeError), (lambda: Tensor([1]).fill("a"), TypeError),
], ids=lambda v: getattr(v, "__name__", "x"))
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_a_graph_is_made_for_the_length_that_an_integer_argument_names():
    counted = jit(lambda n: ops.arange(n))
    assert counted(Tensor(3)).asnumpy().tolist() == [0, 1, 2]
    assert counted(Tensor(2)).asnumpy().tolist() == [0, 1]


def test_a_range_of_a_length_computed_in_the_graph_is_refused():
    with pytest.raises(ValueError, match="length"):
        jit(lambda x: ops.arange(x.sum()), fullgraph=True)(Tensor([1.0, 2.0]))
