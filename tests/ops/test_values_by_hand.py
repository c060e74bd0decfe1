"""Primitives and methods that torch has not, by NumPy or by hand, with options that are not their defaults."""
from __future__ import annotations

import numpy as np

from mindspore import Tensor, ops

RNG = np.random.default_rng(4)
X, Y = RNG.standard_normal((2, 2, 3, 5))
M = RNG.standard_normal((4, 3))
IMAGES = RNG.standard_normal((2, 3, 5, 8)).astype(np.float32)


def same(got, wanted):
    np.testing.assert_allclose(got.asnumpy(), wanted, 1e-6, 1e-9)


def test_a_tensor_of_another_size_is_filled_up_at_the_end():
    assert Tensor([1.0, 2.0, 3.0]).resize(2, 3).tolist() == [[1, 2, 3], [0, 0, 0]]
    assert Tensor([1.0, 2.0, 3.0]).resize((2,)).tolist() == [1, 2]


def test_borders_are_given_by_axis_or_by_end():
    same(ops.PadV3()(Tensor(M), (1, 2, 0, 3), 7.0), np.pad(M, ((0, 3), (1, 2)), constant_values=7))
    same(ops.PadV3(paddings_contiguous=False)(Tensor(M), (1, 0, 2, 3), 7.0),
         np.pad(M, ((0, 3), (1, 2)), constant_values=7))
    same(ops.PadV3("edge")(Tensor(X), (1, 2)), np.pad(X, ((0, 0), (0, 0), (1, 2)), "edge"))


def test_places_of_what_is_not_zero():
    x = np.array([[0, 3, 0], [-1, 0, 2]])
    for mine, other in zip(ops.nonzero(Tensor(x), as_tuple=True), np.nonzero(x), strict=True):
        same(mine, other)
    same(ops.nonzero(Tensor(x)), np.argwhere(x))


def test_rows_are_added_subtracted_and_replaced():
    v = RNG.standard_normal((2, 3))
    for name, change in (("InplaceAdd", M[[3, 1]] + v), ("InplaceSub", M[[3, 1]] - v), ("InplaceUpdate", v)):
        wanted = M.copy()
        wanted[[3, 1]] = change
        same(getattr(ops, name)((3, 1))(Tensor(M), Tensor(v)), wanted)


def test_methods_take_the_axis_by_both_names():
    x = Tensor(X)
    same(x.argsort(dim=1), np.argsort(X, 1))
    same(x.sort(dim=0, descending=True)[0], -np.sort(-X, 0))
    assert [p.shape for p in x.chunk(2, dim=1)] == [p.shape for p in x.chunk(2, axis=1)] == [(2, 2, 5), (2, 1, 5)]
    same(x.repeat_interleave(2, dim=1), X.repeat(2, 1))
    same(x.repeat_interleave(2, axis=1), X.repeat(2, 1))
    assert [p.shape for p in x.split(2, dim=2)] == [(2, 3, 2), (2, 3, 2), (2, 3, 1)]


def test_slices_are_added_with_a_factor():
    wanted = X.copy()
    for k, row in enumerate((2, 0, 2)):
        wanted[:, row] += -3 * Y[:, k]
    same(Tensor(X).index_add(1, Tensor(np.array([2, 0, 2])), Tensor(Y), alpha=-3), wanted)


def test_places_named_twice_hold_the_sum():
    at = (np.array([1, 0, 1]), np.array([2, 2, 2]))
    wanted, values = X.copy(), RNG.standard_normal((3, 5))
    np.add.at(wanted, at, values)
    same(Tensor(X).index_put(tuple(map(Tensor, at)), Tensor(values), accumulate=True), wanted)


def test_a_matrix_of_three_diagonals():
    up, main, down = RNG.standard_normal((3, 4))
    dense = np.diag(main) + np.diag(up[:-1], 1) + np.diag(down[1:], -1)
    same(ops.TridiagonalMatMul()(*[Tensor(d[None]) for d in (up, main, down)], Tensor(M)), dense @ M)


def test_complex_tensors_are_turned_and_conjugated():
    z = (X[0] + 1j * Y[0]).astype(np.complex64)
    same(ops.ConjugateTranspose()(Tensor(z), (1, 0)), z.T.conj())


def test_least_squares_with_a_penalty():
    b = RNG.standard_normal((4, 2))
    wanted = np.linalg.solve(M.T @ M + 0.7 * np.eye(3), M.T @ b)
    same(ops.MatrixSolveLs()(Tensor(M), Tensor(b), Tensor(0.7)), wanted)


def test_clipping_by_all_norms_leaves_what_is_small():
    small, large = [Tensor([0.3, -0.4])], [Tensor([3.0]), Tensor([[-4.0]])]
    same(ops.clip_by_global_norm(small, 2.0)[0], np.float32([0.3, -0.4]))
    assert [g.tolist() for g in ops.clip_by_global_norm(large, 2.5)] == [[1.5], [[-2.0]]]


def test_windows_by_four_numbers_in_both_orders_of_axes():
    last = Tensor(IMAGES.transpose(0, 2, 3, 1))
    for pool in (ops.MaxPool, ops.AvgPool):
        wanted = pool((2, 3), (1, 2))(Tensor(IMAGES)).asnumpy()
        same(pool((1, 1, 2, 3), (1, 1, 1, 2))(Tensor(IMAGES)), wanted)
        same(pool((1, 2, 3, 1), (1, 1, 2, 1), data_format="NHWC")(last), wanted.transpose(0, 2, 3, 1))


def test_the_places_of_maxima_count_through_all_channels():
    values, places = ops.MaxPoolWithArgmax((2, 3), (1, 2))(Tensor(IMAGES))
    for image, found, at in zip(IMAGES, values.asnumpy(), places.asnumpy(), strict=True):
        np.testing.assert_array_equal(image.ravel()[at], found)
