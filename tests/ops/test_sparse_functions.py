"""Every function of sparse matrices: of their values beside torch, of whole matrices beside dense ones."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import COOTensor, CSRTensor, RowTensor, Tensor, ops

DENSE = np.array([[0, 0.3, 0, -0.6], [0.9, 0, 0, 0], [0, 0, 0, 0.5]], np.float32)
OTHER = np.array([[0, -0.3, 5, 0], [0, 0, 0, 0], [1, 0, 0, 2]], np.float32)
ALL = np.arange(12, dtype=np.float32).reshape(3, 4) + 2
VALUES = {"acosh": [1.5, 1.0, 7.0, 2.5], "log": [0.3, 2.0, 1.0, 9.0], "sqrt": [0.3, 2.0, 0.0, 9.0],
          "log1p": [0.3, -0.5, 0.0, 9.0], "relu6": [-1.0, 3.5, 5.9, 8.0], "isinf": [np.inf, -np.inf, np.nan, 1.0],
          "isnan": [np.inf, -np.inf, np.nan, 1.0], "isfinite": [np.inf, -np.inf, np.nan, 1.0],
          "round": [-1.5, 0.5, 2.5, 2.51], "ceil": [-1.5, 0.5, 2.0, 2.51], "floor": [-1.5, 0.5, 2.0, 2.51]}
SAME = ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "expm1", "floor",
        "isfinite", "isinf", "isnan", "log", "log1p", "neg", "relu", "round", "sigmoid", "sin", "sinh", "sqrt",
        "square", "tan", "tanh"]
FUNCTIONS = {**{name: getattr(torch, name) for name in SAME}, "inv": torch.reciprocal,
             "relu6": torch.nn.functional.relu6, "softsign": torch.nn.functional.softsign}


def coo(x=DENSE):
    return ops.dense_to_sparse_coo(Tensor(x))


def csr(x=DENSE):
    return ops.dense_to_sparse_csr(Tensor(x))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_values_keeps_the_places(name):
    given = np.array(VALUES.get(name, [0.3, -0.6, 0.9, 0.5]), np.float32)
    leaf = torch.tensor(given, requires_grad=True)
    wanted = FUNCTIONS[name](leaf)
    weight = np.array([1.0, -2.0, 3.0, 0.5], np.float32)
    for prefix, x in (("coo", coo()), ("csr", csr())):
        function = getattr(ops, f"{prefix}_{name}")
        found = function(x.with_values(Tensor(given)))
        assert (type(found), found.shape) == (type(x), (3, 4))
        np.testing.assert_array_equal(found.indices.asnumpy(), x.indices.asnumpy())
        np.testing.assert_allclose(found.values.asnumpy(), wanted.detach(), 2e-6)
        if wanted.dtype is torch.float32:
            (slopes,) = torch.autograd.grad(wanted, leaf, torch.tensor(weight), retain_graph=True)
            mine = ms.grad(lambda v, f=function, x=x: (f(x.with_values(v)).values * Tensor(weight)).sum())
            np.testing.assert_allclose(mine(Tensor(given)).asnumpy(), slopes, 2e-5)
        with pytest.raises(TypeError, match=rf"For '{prefix}_{name}'.*(COO|CSR)Tensor"):
            function((csr if prefix == "coo" else coo)())


def test_sums_and_what_is_left_out():
    for limit, values in ((0.0, [0.0, 5.0, -0.6, 0.9, 1.0, 2.5]), (0.7, [5.0, -0.6, 0.9, 1.0, 2.5])):
        found = ops.coo_add(coo(), coo(OTHER), Tensor(limit))
        np.testing.assert_allclose(found.values.asnumpy(), values, 1e-6)
        wanted = DENSE + OTHER
        small = (abs(wanted) < limit) & (DENSE != 0) & (OTHER != 0)         # values that stand alone are kept
        np.testing.assert_allclose(found.to_dense().asnumpy(), np.where(small, 0, wanted), 1e-6)
    found = ops.csr_add(csr(), csr(OTHER), Tensor(2.0), Tensor(-3.0))
    np.testing.assert_allclose(found.to_dense().asnumpy(), 2 * DENSE - 3 * OTHER, 1e-6)
    assert found.values.size == 6


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_three_matrices_one_after_the_other(axis):
    parts = [DENSE, OTHER[:, :2] if axis % 2 else OTHER[:1], DENSE[:, 1:] if axis % 2 else DENSE[1:]]
    found = ops.coo_concat([coo(p) for p in parts], axis)
    wanted = np.concatenate(parts, axis)
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found.to_dense().asnumpy(), wanted)
    np.testing.assert_array_equal(found.indices.asnumpy(), np.argwhere(wanted))


def test_matrices_upon_each_other():
    found = ops.coo_concat((coo(), coo(OTHER)), None)
    np.testing.assert_array_equal(found.indices.asnumpy(), np.concatenate([np.argwhere(DENSE), np.argwhere(OTHER)]))
    assert found.shape == (3, 4)
    assert ops.coo_concat((coo(), coo(DENSE[1:]))).shape == (5, 4)
    with pytest.raises(TypeError, match="For 'coo_concat'"):
        ops.coo_concat((coo(), csr()))


def test_products_quotients_and_sums_of_rows():
    held = DENSE != 0
    np.testing.assert_allclose(ops.csr_mul(csr(), Tensor(ALL)).values.asnumpy(), (DENSE * ALL)[held], 1e-6)
    np.testing.assert_allclose(ops.csr_div(csr(), Tensor(ALL)).values.asnumpy(), (DENSE / ALL)[held], 1e-6)
    np.testing.assert_allclose(ops.csr_gather(csr().indptr, csr().indices, Tensor(ALL), (3, 4)).asnumpy(), ALL[held])
    np.testing.assert_allclose(ops.csr_mv(csr(), Tensor(ALL[:1].T.copy())).asnumpy(), DENSE @ ALL[:1].T, 1e-6)
    for axis in (1, -1):
        np.testing.assert_allclose(ops.csr_reduce_sum(csr(), axis).asnumpy(), DENSE.sum(1, keepdims=True), 1e-6)
    with pytest.raises(ValueError, match="axis"):
        ops.csr_reduce_sum(csr(), 0)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_places_and_values_meet_ordinary_tensors(mode):
    def program(x):
        found = coo()
        return ((found * x).to_dense(), (x * found).to_dense(), (found / x).to_dense(), found + x, x + found,
                found - x, x - found, (found - coo(OTHER)).to_dense())

    held = DENSE != 0
    wanted = [DENSE * ALL, DENSE * ALL, np.where(held, DENSE / ALL, 0), DENSE + ALL, DENSE + ALL, DENSE - ALL,
              ALL - DENSE, DENSE - OTHER]
    for got, want in zip((ms.jit(program) if mode == ms.GRAPH_MODE else program)(Tensor(ALL)), wanted, strict=True):
        np.testing.assert_allclose(got.asnumpy(), want, 1e-6)
    for wrong, error in ((lambda: coo() * 3, TypeError), (lambda: coo() / coo(), TypeError),
                         (lambda: coo() * Tensor(ALL[:1]), ValueError), (lambda: coo() + Tensor(ALL[:1]), ValueError)):
        with pytest.raises(error, match="COOTensor"):
            wrong()


def test_rows_times_a_number_are_values_as_in_the_original():
    np.testing.assert_allclose((csr() * 3).asnumpy(), DENSE[DENSE != 0] * 3)
    np.testing.assert_allclose((csr() / 2.0).asnumpy(), DENSE[DENSE != 0] / 2)
    np.testing.assert_allclose((csr() * Tensor(ALL[:1])).to_dense().asnumpy(), DENSE * ALL[:1], 1e-6)


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_two_sparse_matrices(flags):
    a = DENSE.T.copy() if flags[0] else DENSE
    b = (OTHER if flags[1] else OTHER.T.copy())
    for names in (("trans_a", "trans_b"), ("adjoint_a", "adjoint_b")):
        found = ops.csr_mm(csr(a), csr(b), **dict(zip(names, flags, strict=True)))
        np.testing.assert_allclose(found.to_dense().asnumpy(), DENSE @ OTHER.T, 1e-6)


def test_adjoint_matrices_are_conjugated():
    a = np.array([[1 + 2j, 0, 3], [0, 4 - 1j, 0]], np.complex64)
    for options, wanted in (({"adjoint_b": True}, a @ a.conj().T), ({"adjoint_a": True}, a.conj().T @ a),
                            ({"trans_b": True}, a @ a.T)):
        np.testing.assert_allclose(ops.csr_mm(csr(a), csr(a), **options).to_dense().asnumpy(), wanted, 1e-6)


def test_layouts_become_each_other_and_dense():
    x = ops.csr_to_coo(csr())
    assert isinstance(x, COOTensor)
    np.testing.assert_array_equal(x.indices.asnumpy(), np.argwhere(DENSE))
    np.testing.assert_array_equal(ops.csr_to_dense(csr()).asnumpy(), DENSE)
    with pytest.raises(TypeError, match="For 'csr_to_dense'"):
        ops.csr_to_dense(coo())


def test_parts_are_taken_out():
    x, y = coo(), csr()
    z = ops.make_row_tensor(Tensor([2, 0]), Tensor(ALL[:2]), (5, 4))
    assert isinstance(z, RowTensor)
    made = ops.make_sparse_tensor(x.indices, x.values, (3, 4))
    np.testing.assert_array_equal(made.to_dense().asnumpy(), DENSE)
    assert ops.coo_tensor_get_indices(x).tolist() == np.argwhere(DENSE).tolist()
    assert ops.csr_tensor_get_indices(y).tolist() == [1, 3, 0, 3]
    assert ops.csr_tensor_get_indptr(y).tolist() == [0, 2, 3, 4]
    assert ops.row_tensor_get_indices(z).tolist() == [2, 0]
    for found, wanted in ((ops.coo_tensor_get_values(x), DENSE[DENSE != 0]),
                          (ops.csr_tensor_get_values(y), DENSE[DENSE != 0]), (ops.row_tensor_get_values(z), ALL[:2])):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
    assert ops.coo_tensor_get_dense_shape(x) == ops.csr_tensor_get_dense_shape(y) == (3, 4)
    assert ops.row_tensor_get_dense_shape(z) == (5, 4)
    for take in (ops.coo_tensor_get_values, ops.row_tensor_get_indices):
        with pytest.raises(TypeError, match=r"must be a (COO|Row)Tensor"):
            take(y)


@pytest.mark.parametrize("make", [coo, csr])
def test_absolute_values_and_types(make):
    x = make()
    np.testing.assert_allclose(x.abs().to_dense().asnumpy(), abs(DENSE))
    half = x.astype(ms.float16)
    assert (half.dtype, half.values.dtype, half.itemsize) == (ms.float16, ms.float16, 2)
    assert isinstance(half, (COOTensor, CSRTensor))
    np.testing.assert_allclose(half.to_dense().asnumpy(), DENSE.astype(np.float16))
