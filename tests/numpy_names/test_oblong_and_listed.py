"""Functions under NumPy's names with oblong shapes, lists of one, axes in any order and ranks from nought on."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore.numpy as mnp
from mindspore import Tensor

X = np.random.default_rng(2).standard_normal((2, 3, 4)).astype(np.float32)


def same(found, want):
    if isinstance(want, (list, tuple)):
        assert len(found) == len(want)
        for a, b in zip(found, want, strict=True):
            same(a, b)
        return
    a = found.asnumpy() if hasattr(found, "asnumpy") else np.asarray(found)
    assert a.shape == np.shape(want)
    np.testing.assert_allclose(a, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4), (1, 3)])
@pytest.mark.parametrize("k", [-2, -1, 0, 1, 2])
def test_triangles_and_diagonals(shape, k):
    a = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
    for name in ("tril", "triu", "diag", "tril_indices_from", "triu_indices_from", "diagonal", "trace"):
        same(getattr(mnp, name)(Tensor(a), k), getattr(np, name)(a, k))
    for name in ("tril_indices", "triu_indices"):
        same(getattr(mnp, name)(shape[0], k, shape[1]), getattr(np, name)(shape[0], k, shape[1]))
        same(getattr(mnp, name)(shape[0], k), getattr(np, name)(shape[0], k))
    for name in ("eye", "tri"):
        same(getattr(mnp, name)(*shape, k), getattr(np, name)(*shape, k))
    same(mnp.diag(Tensor(a[0]), k), np.diag(a[0], k))
    same(mnp.diagflat(Tensor(a), k), np.diagflat(a, k))


@pytest.mark.parametrize("offset", [-1, 0, 1])
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0), (-1, 1)])
def test_diagonals_between_any_two_axes(offset, axes):
    same(mnp.diagonal(Tensor(X), offset, *axes), np.diagonal(X, offset, *axes))
    same(mnp.trace(Tensor(X), offset, *axes), np.trace(X, offset, *axes))


@pytest.mark.parametrize("rank", [0, 1, 2, 3, 4])
def test_ranks_from_nought_on(rank):
    a = np.arange(2.0**rank, dtype=np.float32).reshape((2,) * rank)
    for name in ("atleast_1d", "atleast_2d", "atleast_3d", "ravel", "transpose"):
        same(getattr(mnp, name)(Tensor(a)), getattr(np, name)(a))
    same(mnp.array(Tensor(a), ndmin=3), np.array(a, ndmin=3))
    same(mnp.tile(Tensor(a), (3, 1, 2)), np.tile(a, (3, 1, 2)))
    same(mnp.tile(Tensor(a), 2), np.tile(a, 2))
    if rank == 1:
        same(mnp.atleast_3d(Tensor(a), Tensor(X)), [np.atleast_3d(a), X])


def test_polynomials_rise_and_fall():
    x = np.float32([2.0, -1.0, 0.5])
    for count in (None, 1, 4):
        for rising in (False, True):
            same(mnp.vander(Tensor(x), count, rising), np.vander(x, count, rising))


@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1])
def test_repeats_sizes_and_rolls(axis):
    n = X.size if axis is None else X.shape[axis]
    for repeats in (2, [3], (0,), list(np.arange(n) % 3)):
        same(mnp.repeat(Tensor(X), repeats, axis), np.repeat(X, repeats, axis))
    assert mnp.size(Tensor(X), axis) == np.size(X, axis)
    for shift in (1, -2, 7):
        same(mnp.roll(Tensor(X), shift, axis), np.roll(X, shift, axis))
    same(mnp.roll(Tensor(X), (1, 2), (0, 2)), np.roll(X, (1, 2), (0, 2)))
    same(mnp.roll(Tensor(X), 1, (0, 2)), np.roll(X, 1, (0, 2)))


@pytest.mark.parametrize("axes", [(0, 2), (2, 0), (-1, 0), (1, -1), (3, 1)])
def test_new_axes_in_any_order(axes):
    a = X[0]
    same(mnp.expand_dims(Tensor(a), axes), np.expand_dims(a, axes))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("start", [0, 1, 2, 3, -1, -2])
def test_axes_are_rolled_before_others(axis, start):
    same(mnp.rollaxis(Tensor(X), axis, start), np.rollaxis(X, axis, start))


@pytest.mark.parametrize(("source", "target"), [((0, 1), (2, 0)), ((2, 0), (0, 1)), (1, -1), ((-1, 0), (0, -1))])
def test_axes_go_where_they_are_sent_and_not_where_they_come_from(source, target):
    same(mnp.moveaxis(Tensor(X), source, target), np.moveaxis(X, source, target))
    order = (1, 2, 0)
    same(mnp.transpose(Tensor(X), order), np.transpose(X, order))


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2, 3, 6])
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0), (-1, -2)])
def test_quarters_of_a_turn(k, axes):
    same(mnp.rot90(Tensor(X), k, axes), np.rot90(X, k, axes))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_grids_of_unequal_lengths(sparse, indexing, count):
    given = [np.arange(n, dtype=np.float32) for n in (2, 3, 4)[:count]]
    same(mnp.meshgrid(*map(Tensor, given), sparse=sparse, indexing=indexing),
         list(np.meshgrid(*given, sparse=sparse, indexing=indexing)))
    same(mnp.ix_(*map(Tensor, given)), np.ix_(*[g.astype(int) for g in given]))
    same(mnp.indices((2, 3, 4)[:count], sparse=sparse), list(np.indices((2, 3, 4)[:count], sparse=sparse)))


def test_grids_by_slices_and_by_counts():
    same(mnp.mgrid[0:3, 1:9:2], np.mgrid[0:3, 1:9:2])
    same(mnp.ogrid[0:3, 1:9:2], list(np.ogrid[0:3, 1:9:2]))
    same(mnp.mgrid[0:1:5j, 2:4:3j], np.mgrid[0:1:5j, 2:4:3j])
    same(mnp.mgrid[-1:1:0.3], np.mgrid[-1:1:0.3])


@pytest.mark.parametrize(("start", "stop", "step"), [(5, None, None), (2, 9, 3), (9, 2, -3), (0.5, 2.0, 0.4), (3, 3, 1),
                                                     (5, 1, 1), (0, 10, 3), (1.0, -1.0, -0.5)])
def test_ranges_end_before_their_end(start, stop, step):
    given = [v for v in (start, stop, step) if v is not None]
    same(mnp.arange(*given), np.arange(*given))


def test_likenesses_keep_the_type_unless_told_otherwise():
    a = np.arange(6, dtype=np.int16).reshape(2, 3)
    for name in ("zeros_like", "ones_like", "full_like"):
        more = (2.7,) if name == "full_like" else ()
        found = getattr(mnp, name)(Tensor(a), *more)
        want = getattr(np, name)(a, *more)
        same(found, want)
        assert found.asnumpy().dtype == want.dtype
        found = getattr(mnp, name)(Tensor(a), *more, dtype="float32", shape=(4,))
        same(found, getattr(np, name)(a, *more, dtype=np.float32, shape=(4,)))
    x = Tensor(a)
    twin = mnp.array(x)
    twin[0, 0] = 9
    assert x[0, 0] == 0
    assert mnp.array(x, copy=False) is x
