"""NumPy's operators and functions with tensors on either side; NumPy on arrays is the oracle."""
import operator

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
B = np.array([[3.0, 2.0, 5.0], [1.0, 7.0, 2.0]], np.float32)
INFIX = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
         operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
WHOLE = [operator.and_, operator.or_, operator.xor]
FUNCTIONS = [np.mean, np.sum, np.max, np.min, np.std, np.var, np.any, np.all, np.prod, np.argmax, np.sort, np.cumsum,
             np.median, np.transpose, np.squeeze, np.exp, np.abs, np.round, np.isnan, np.shape, np.ptp, np.unique,
             np.linalg.norm, lambda x: np.mean(x, axis=0), lambda x: np.sum(x, 1, keepdims=True),
             lambda x: np.concatenate([x, x]), lambda x: np.where(x > 2, x, 0), lambda x: np.maximum(x, B),
             lambda x: np.clip(x, 2, 4), lambda x: np.add.reduce(x), lambda x: np.allclose(x, x)]


def same(found, expected):
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("op", INFIX, ids=lambda f: f.__name__)
def test_an_array_beside_a_tensor_gives_what_two_arrays_give(op):
    same(op(A, Tensor(B)), op(A, B))
    found = op(Tensor(A), B)
    assert type(found) is Tensor
    np.testing.assert_allclose(found.asnumpy(), op(A, B), rtol=1e-6)


@pytest.mark.parametrize("op", WHOLE, ids=lambda f: f.__name__)
def test_arrays_of_integers_and_bools_beside_tensors(op):
    for x, y in ((A.astype(np.int32), B.astype(np.int32)), (A > 2, B > 2)):
        same(op(x, Tensor(y)), op(x, y))


def test_products_of_matrices_and_changes_in_place():
    same(A @ Tensor(B.T), A @ B.T)
    array = A.copy()
    array += Tensor(B)
    same(array, A + B)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("kind", [Tensor, lambda a: Parameter(Tensor(a), name="w")], ids=["tensor", "parameter"])
def test_functions_of_numpy_take_tensors_as_arrays(function, kind):
    same(function(kind(A)), function(A))


def test_accuracy_as_programs_write_it():
    labels = np.array([0, 2, 1, 1])
    assert np.mean(labels == Tensor([0, 2, 2, 1])) == 0.75
    assert np.mean([Tensor(1.0), Tensor(3.0)]) == 2


def test_numbers_of_numpy_give_tensors():
    for found in (np.float32(2) * Tensor(A), np.int64(2) * Tensor(A), np.float32(2) * Parameter(Tensor(A), name="w")):
        assert type(found) is Tensor
        np.testing.assert_array_equal(found.asnumpy(), 2 * A)


def of_array(x):
    return (A * x).sum() + (x - np.float32(3)).sum() + (np.float64(2) ** x).sum()


@pytest.mark.parametrize("fn", [of_array, ms.jit(of_array)], ids=["pynative", "graph"])
def test_a_gradient_passes_through_operators_with_arrays(fn):
    np.testing.assert_allclose(ms.grad(fn)(Tensor(B)).asnumpy(), A + 1 + np.log(2.0) * 2.0 ** B, rtol=1e-5)


def test_a_gradient_of_a_parameter_passes_through_operators_with_arrays():
    net = nn.Dense(3, 1, weight_init="ones", has_bias=False)
    slopes = ms.grad(lambda: (np.ones((1, 3), np.float32) * 2 * net.weight).sum(), None, net.weight)()
    np.testing.assert_array_equal(slopes.asnumpy(), [[2, 2, 2]])


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_comparisons_in_both_modes_and_on_both_sides(wrap):
    for op in (operator.eq, operator.ne, operator.lt, operator.ge):
        np.testing.assert_array_equal(np.asarray(wrap(lambda x, op=op: op(B, x))(Tensor(A))), op(B, A))
        np.testing.assert_array_equal(np.asarray(wrap(lambda x, op=op: op(x, B))(Tensor(A))), op(A, B))
