"""Sparse matrices: places and values, compressed rows, whole rows."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import COOTensor, CSRTensor, RowTensor, Tensor, nn, ops

DENSE = np.array([[0, 3, 0, -1], [4, 0, 0, 0], [0, 0, 0, 2]], np.float32)
OTHER = np.array([[0, -3, 5, 0], [0, 0, 0, 0], [1, 0, 0, 2]], np.float32)


def coo(x=DENSE):
    return ops.dense_to_sparse_coo(Tensor(x))


def csr(x=DENSE):
    return ops.dense_to_sparse_csr(Tensor(x))


def same(x, wanted):
    np.testing.assert_allclose(x.asnumpy(), wanted, rtol=1e-6)


def test_elements_that_are_not_zero_are_held():
    assert coo().indices.asnumpy().tolist() == [[0, 1], [0, 3], [1, 0], [2, 3]]
    assert csr().indptr.asnumpy().tolist() == [0, 2, 3, 4]
    assert csr().indices.asnumpy().tolist() == [1, 3, 0, 3]
    assert csr().values.asnumpy().tolist() == [3, -1, 4, 2]


@pytest.mark.parametrize("make", [coo, csr])
def test_layouts_become_dense_again(make):
    x = make()
    same(x.to_dense(), DENSE)
    assert (x.shape, x.ndim, x.size, x.itemsize, x.dtype) == ((3, 4), 2, 4, 4, ms.float32)
    assert type(x)(*x.to_tuple()).to_dense().asnumpy().tolist() == DENSE.tolist()


def test_layouts_become_each_other():
    same(coo().to_csr().to_dense(), DENSE)
    same(csr().to_coo().to_dense(), DENSE)
    same(Tensor(DENSE).to_csr().to_dense(), DENSE)


def test_sums_of_layouts():
    same((coo() + coo(OTHER)).to_dense(), DENSE + OTHER)
    same((csr() + csr(OTHER)).to_dense(), DENSE + OTHER)
    same(csr().add(csr(OTHER), 2.0, -0.5).to_dense(), 2 * DENSE - 0.5 * OTHER)


def test_small_sums_are_left_out_on_request():
    assert coo().add(coo(OTHER), Tensor(1.5)).values.asnumpy().tolist() == [5, -1, 4, 1, 4]   # observed


def test_places_that_occur_twice_are_added():
    x = COOTensor(Tensor([[1, 2], [0, 1], [1, 2]]), Tensor([5.0, -6.0, -2.0]), (3, 4)).coalesce()
    assert x.indices.asnumpy().tolist() == [[0, 1], [1, 2]]
    assert x.values.asnumpy().tolist() == [-6, 3]


def test_products():
    m = np.random.RandomState(1).randn(4, 2).astype(np.float32)
    same(csr().mm(Tensor(m)), DENSE @ m)
    same(csr().mv(Tensor(m[:, :1])), DENSE @ m[:, :1])
    same(ops.csr_mm(csr(), csr(OTHER), trans_b=True).to_dense(), DENSE @ OTHER.T)
    same((csr() * Tensor(np.full((3, 4), 2.0, np.float32))).values, [6, -2, 8, 4])
    same(csr().sum(1), DENSE.sum(1, keepdims=True))


@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_cells_multiply_sparse_and_dense_matrices(flags):
    left = DENSE.T if flags[0] else DENSE
    right = np.random.RandomState(2).randn(left.shape[1], 2).astype(np.float32)
    x = coo()
    got = nn.SparseTensorDenseMatmul(*flags)(x.indices, x.values, x.shape, Tensor(right.T if flags[1] else right))
    np.testing.assert_allclose(got.asnumpy(), left @ right, rtol=1e-5)


def test_functions_of_elements_apply_to_the_values():
    same(ops.coo_square(coo()).values, [9, 1, 16, 4])
    same(ops.csr_neg(csr()).to_dense(), -DENSE)
    same(ops.csr_inv(csr()).values, [1 / 3, -1, 0.25, 0.5])
    assert ops.coo_isnan(coo()).dtype is ms.bool_


def test_rows_become_probabilities():
    x = ops.csr_softmax(csr(), ms.float32).to_dense().asnumpy()
    np.testing.assert_allclose(x.sum(1), [1, 1, 1], rtol=1e-6)
    np.testing.assert_allclose(x[0, 3] / x[0, 1], np.exp(-4), rtol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_values_have_gradients_in_both_modes():
    x = csr()

    def total(values, vector):
        return CSRTensor(x.indptr, x.indices, values, x.shape).mv(vector).sum()
    vector = np.array([[1.0], [2.0], [3.0], [4.0]], np.float32)
    same(ms.grad(total)(x.values, Tensor(vector)), [2, 4, 1, 4])


@pytest.mark.parametrize(("arguments", "error"), [
    (([[0, 1]], Tensor([1.0]), (3, 4)), TypeError), ((Tensor([[0.0, 1.0]]), Tensor([1.0]), (3, 4)), TypeError),
    ((Tensor([[0, 1]]), Tensor([1.0]), [3, 4]), TypeError), ((Tensor([[0, 1]]), Tensor([1.0]), (3,)), ValueError),
    ((Tensor([[0, 1]]), Tensor([1.0, 2.0]), (3, 4)), ValueError),
    ((Tensor([[0, 1]]), Tensor([1.0]), (3, -4)), ValueError)])
def test_what_does_not_fit_is_refused(arguments, error):
    with pytest.raises(error, match="For 'COOTensor'"):
        COOTensor(*arguments)


def test_printing_is_that_of_the_original():
    # observed: MindSpore 2.10, CPU
    x = COOTensor(Tensor(np.array([[0, 1], [1, 2]], np.int32)), Tensor([1.0, 2.0]), (3, 4))
    assert repr(x) == ("COOTensor(shape=[3, 4], dtype=Float32, indices=Tensor(shape=[2, 2], dtype=Int32, value="
                       "\n[[0 1]\n [1 2]]), values=Tensor(shape=[2], dtype=Float32, value="
                       "[ 1.00000000e+00  2.00000000e+00]))")


def test_rows_keep_the_shape_of_the_whole():
    x = RowTensor(Tensor([0]), Tensor([[1.0, 2.0]]), (3, 2))
    assert x.dense_shape == (3, 2)
    assert x.indices.asnumpy().tolist() == [0]
