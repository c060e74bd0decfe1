"""Primitives of sparse tensors in parts, against NumPy and SciPy."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import mindspore as ms
from mindspore import Tensor
from mindspore.ops.operations import sparse_ops

RNG_SEED = 3


def dense(seed, shape=(4, 5)):
    draw = np.random.RandomState(RNG_SEED + seed)
    return (draw.randint(-3, 4, shape) * (draw.rand(*shape) > 0.5)).astype(np.float32)


def places(x):
    found = np.argwhere(x)
    return Tensor(found), Tensor(x[tuple(found.T)]), Tensor(np.array(x.shape))


def rows(x):
    found = np.argwhere(x).astype(np.int32)
    return sparse_ops.DenseToCSRSparseMatrix()(Tensor(x), Tensor(found))


def whole(parts):
    return sparse_ops.CSRSparseMatrixToDense()(*parts).asnumpy()


def of_places(indices, values, shape):
    found = np.zeros(shape.tolist(), np.float32)
    np.add.at(found, tuple(indices.asnumpy().T), values.asnumpy())
    return found


def test_rows_are_compressed_as_scipy_does():
    x = dense(0)
    wanted = scipy.sparse.csr_matrix(x)
    _, batches, ends, columns, values = rows(x)
    np.testing.assert_array_equal(ends.asnumpy(), wanted.indptr)
    np.testing.assert_array_equal(columns.asnumpy(), wanted.indices)
    np.testing.assert_array_equal(values.asnumpy(), wanted.data)
    assert batches.tolist() == [0, wanted.nnz]


@pytest.mark.parametrize("shape", [(4, 5), (2, 4, 5)])
def test_matrices_in_rows(shape):
    x, y = dense(1, shape), dense(2, shape)
    right = dense(3, (*shape[:-2], 5, 3))
    np.testing.assert_array_equal(whole(rows(x)), x)
    assert sparse_ops.SparseMatrixNNZ()(*rows(x)).tolist() == np.count_nonzero(x.reshape(-1, 20), axis=1).tolist()
    np.testing.assert_array_equal(whole(sparse_ops.SparseMatrixTranspose()(*rows(x))), x.swapaxes(-1, -2))
    np.testing.assert_array_equal(whole(sparse_ops.SparseMatrixAdd()(*rows(x), *rows(y), Tensor(2.0), Tensor(-1.0))),
                                  2 * x - y)
    product = sparse_ops.SparseMatrixMatMul()
    np.testing.assert_array_equal(product(*rows(x), Tensor(right)).asnumpy(), x @ right)
    turned = sparse_ops.SparseMatrixMatMul(transpose_x1=True, transpose_output=True)
    np.testing.assert_array_equal(turned(*rows(x), Tensor(y)).asnumpy(), (x.swapaxes(-1, -2) @ y).swapaxes(-1, -2))
    both = sparse_ops.SparseMatrixSparseMatMul(transpose_b=True)
    np.testing.assert_array_equal(whole(both(*rows(x), *rows(y))), x @ y.swapaxes(-1, -2))
    back = sparse_ops.CSRSparseMatrixToSparseTensor()(*rows(x))
    np.testing.assert_array_equal(of_places(*back), x)
    softmax = whole(sparse_ops.SparseMatrixSoftmax(ms.float32)(*rows(x)))
    powers = np.where(x != 0, np.exp(x), 0)
    np.testing.assert_allclose(softmax, powers / np.maximum(powers.sum(-1, keepdims=True), 1e-30), rtol=1e-5)


def test_sums_products_and_other_forms():
    x, y = dense(4), dense(5)
    right, more = dense(6, (5, 3)), dense(7, (4, 3))
    np.testing.assert_array_equal(of_places(*sparse_ops.SparseAdd()(*places(x), *places(y), Tensor(0.0))), x + y)
    np.testing.assert_array_equal(
        sparse_ops.SparseAddmm()(*places(x), Tensor(right), Tensor(more), Tensor([2.0]), Tensor([3.0])).asnumpy(),
        2 * x @ right + 3 * more)
    for axis in (0, 1, -1):
        found = sparse_ops.SparseConcat(axis)(*zip(places(x), places(y), strict=True))
        np.testing.assert_array_equal(of_places(*found), np.concatenate([x, y], axis))
    for axis, cuts in ((0, 3), (1, 2)):
        pieces = zip(*sparse_ops.SparseSplit(cuts)(Tensor(axis), *places(x)), strict=True)
        for here, there in zip(pieces, np.array_split(x, cuts, axis), strict=True):
            np.testing.assert_array_equal(of_places(*here), there)
    moved, shape = sparse_ops.SparseReshape()(places(x)[0], places(x)[2], Tensor([2, -1]))
    np.testing.assert_array_equal(of_places(moved, places(x)[1], shape), x.reshape(2, 10))
    line = dense(8, (5,)) + 10
    for name, run in (("Add", np.add), ("Mul", np.multiply), ("Div", np.divide)):
        found = getattr(sparse_ops, f"SparseDenseCwise{name}")()(*places(x), Tensor(line))
        np.testing.assert_allclose(found.asnumpy(), run(x, line)[x != 0], rtol=1e-6)
    filled = sparse_ops.SparseToDenseV2()(places(x)[0], places(x)[2], places(x)[1], Tensor(9.0))
    np.testing.assert_array_equal(filled.asnumpy(), np.where(x == 0, 9, x))
    indices, values, shape = places(x)
    order = np.random.RandomState(1).permutation(len(values))
    again = sparse_ops.SparseReorder()(Tensor(indices.asnumpy()[order]), Tensor(values.asnumpy()[order]), shape)
    np.testing.assert_array_equal(again[0].asnumpy(), indices.asnumpy())
    np.testing.assert_array_equal(again[1].asnumpy(), values.asnumpy())


def test_a_single_value_is_kept_whatever_the_threshold():
    first, second = Tensor([[0, 1], [1, 0]]), Tensor([[0, 1], [1, 1]])
    shape = Tensor([2, 2])
    found = sparse_ops.SparseAdd()(first, Tensor([1.0, 2.0]), shape, second, Tensor([1.0, -0.5]), shape, Tensor(2.5))
    assert (found[0].tolist(), found[1].tolist()) == ([[1, 0], [1, 1]], [2, -0.5])


def test_sets_counts_and_rows_of_any_length():
    one, two = Tensor([[1, 2, 2, 3], [4, 5, 6, 6]]), Tensor([[2, 9], [4, 4]])
    for kind, members, longest in (("a-b", [1, 3, 5, 6], 2), ("b-a", [9], 1), ("intersection", [2, 4], 1),
                                   ("union", [1, 2, 3, 9, 4, 5, 6], 4)):
        found = sparse_ops.DenseToDenseSetOperation(kind)(one, two)
        assert (found[1].tolist(), found[2].tolist()) == (members, [2, longest])
    second = Tensor([[0, 0], [1, 0]]), Tensor([2, 9]), Tensor([2, 1])
    assert sparse_ops.DenseToSparseSetOperation("a-b")(one, *second)[1].tolist() == [1, 3, 4, 5, 6]
    size = sparse_ops.SetSize()(Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([5, 5, 7]), Tensor([3, 2]))
    assert size.tolist() == [1, 1, 0]
    where = Tensor([[0, 0], [0, 1], [1, 0], [1, 1]])
    for options, weights, counted in (({}, [], [2, 1, 1]), ({}, [5, 6, 7, 8], [11, 7, 8]),
                                      ({"binary_output": True}, [], [1, 1, 1]), ({"maxlength": 2}, [], [2])):
        count = sparse_ops.SparseCountSparseOutput(**options)
        found = count(where, Tensor([1, 1, 2, 3]), Tensor([2, 2]), Tensor(weights, ms.int64))
        assert found[1].tolist() == counted
    splits = Tensor([0, 2, 3]), Tensor([0, 1, 1, 3])
    indices, values, shape = sparse_ops.RaggedTensorToSparse(ms.int64)(splits, Tensor([1.0, 2.0, 3.0]))
    assert (indices.tolist(), shape.tolist()) == ([[0, 0, 0], [1, 0, 0], [1, 0, 1]], [2, 2, 2])
    for types, given in ((["ROW_SPLITS"], (Tensor([0, 2, 2, 3]),)),
                         (["FIRST_DIM_SIZE", "VALUE_ROWIDS"], (Tensor(3), Tensor([0, 0, 2])))):
        run = sparse_ops.RaggedTensorToTensor(types)
        assert run(Tensor([3, -1]), values, Tensor(9.0), given).tolist() == [[1, 2], [9, 9], [3, 9]]
        assert run(Tensor([2, 1]), values, Tensor(9.0), given).tolist() == [[1], [9]]


def test_empty_rows_are_filled():
    indices = Tensor([[0, 1], [3, 0], [3, 2]])
    found = sparse_ops.SparseFillEmptyRows()(indices, Tensor([1.0, 2.0, 3.0]), Tensor([4, 3]), Tensor(9.0))
    assert [y.tolist() for y in found] == [[[0, 1], [1, 0], [2, 0], [3, 0], [3, 2]], [1, 9, 9, 2, 3],
                                           [False, True, True, False], [0, 3, 4]]


def test_gradients_reach_the_values():
    x, right = dense(9), dense(10, (5, 3))
    parts = rows(x)
    slopes = ms.grad(lambda v: sparse_ops.SparseMatrixMatMul()(*parts[:-1], v, Tensor(right)).sum())(parts[-1])
    np.testing.assert_allclose(slopes.asnumpy(), right.sum(1)[np.argwhere(x)[:, 1]])
    indices, values, shape = places(x)
    weight = Tensor(np.arange(len(values), dtype=np.float32))
    slopes = ms.grad(lambda v: (sparse_ops.SparseSoftmax()(indices, v, shape) * weight).sum())(values)
    assert abs(slopes.asnumpy().sum()) < 1e-4


@pytest.mark.parametrize(("run", "error"), [
    (lambda: sparse_ops.SparseConcat(2)((Tensor([[0, 1]]),), (Tensor([1.0]),), (Tensor([2, 2]),)), ValueError),
    (lambda: sparse_ops.SparseReshape()(Tensor([[0, 1]]), Tensor([2, 3]), Tensor([4, -1])), ValueError),
    (lambda: sparse_ops.SparseToDenseV2()(Tensor([1, 0]), Tensor([2]), Tensor([1.0, 2.0]), Tensor(0.0)), ValueError),
    (lambda: sparse_ops.DenseToDenseSetOperation("xor")(Tensor([[1]]), Tensor([[1]])), ValueError),
])
def test_what_does_not_fit_is_told(run, error):
    with pytest.raises(error, match=r"For '\w+'"):
        run()
