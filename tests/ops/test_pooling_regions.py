"""Pooling in regions of uneven extents, against loops over the regions."""
from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")
IMAGES = np.random.RandomState(0).permutation(2 * 10 * 13 * 3).reshape(2, 10, 13, 3).astype(np.float32)
RATIOS = [1.0, 1.4, 1.7, 1.0]


def by_loops(x, rows, columns, overlapping, reduce):
    out = np.zeros((x.shape[0], len(rows) - 1, len(columns) - 1, x.shape[3]))
    more = int(overlapping)
    for i in range(len(rows) - 1):
        for j in range(len(columns) - 1):
            part = x[:, rows[i]:rows[i + 1] + more, columns[j]:columns[j + 1] + more]
            out[:, i, j] = reduce(part.astype(np.float64), axis=(1, 2))
    return out


@pytest.mark.parametrize("pseudo_random", [False, True])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize(("pool", "reduce"), [(ops.FractionalMaxPool, np.max), (ops.FractionalAvgPool, np.mean)])
def test_each_region_is_pooled(pool, reduce, pseudo_random, overlapping):
    ms.set_seed(1)
    seen = set()
    for _ in range(4):
        y, rows, columns = pool(RATIOS, pseudo_random, overlapping)(Tensor(IMAGES))
        assert (rows.dtype, columns.dtype, y.shape) == (ms.int64, ms.int64, (2, 7, 7, 3))
        rows, columns = rows.tolist(), columns.tolist()
        assert (rows[0], rows[-1], columns[0], columns[-1]) == (0, 10, 0, 13)
        assert set(np.diff(rows)) == {1, 2}
        assert set(np.diff(columns)) == {1, 2}
        np.testing.assert_allclose(y.asnumpy(), by_loops(IMAGES, rows, columns, overlapping, reduce), rtol=1e-5)
        seen.add((*rows, *columns))
    assert len(seen) > 1


@pytest.mark.parametrize("extent", range(5, 40, 3))
@pytest.mark.parametrize("ratio", [1.0, 1.1, 1.5, 2.0, 2.7, 4.9])
def test_regions_differ_by_one_row_at_most(extent, ratio):
    for pseudo_random in (False, True):
        for seed in range(3):
            pool = ops.FractionalMaxPool([1.0, ratio, 1.0, 1.0], pseudo_random, deterministic=True, seed=seed)
            rows = pool(Tensor(np.zeros((1, extent, 1, 1), np.float32)))[1].tolist()
            assert (rows[0], rows[-1], len(rows)) == (0, extent, int(extent / ratio) + 1)
            steps = np.diff(rows)
            assert steps.min() >= extent // int(extent / ratio)
            assert steps.max() <= extent // int(extent / ratio) + 1


def test_fixed_regions_are_those_of_the_seeds():
    def rows(**seeds):
        return tuple(ops.FractionalMaxPool(RATIOS, deterministic=True, **seeds)(Tensor(IMAGES))[1].tolist())
    assert rows(seed=3) == rows(seed=3)
    assert len({rows(seed=n) for n in range(6)} | {rows(seed2=n) for n in range(6)}) > 3


def test_the_gradient_of_a_maximum_goes_to_the_first_and_of_a_mean_to_all():
    x = Tensor(np.array([5, 5, 1, 5, 5, 2, 3], np.float32).reshape(1, 1, 7, 1))
    options = {"pooling_ratio": [1.0, 1.0, 7 / 3, 1.0], "deterministic": True, "seed": 1}
    columns = ops.FractionalMaxPool(**options)(x)[2].tolist()
    found = ms.grad(lambda a: ops.FractionalMaxPool(**options)(a)[0].sum())(x).asnumpy().ravel()
    want = np.zeros(7)
    for a, b in pairwise(columns):
        want[a + int(x.asnumpy().ravel()[a:b].argmax())] += 1
    assert found.tolist() == want.tolist()
    found = ms.grad(lambda a: ops.FractionalAvgPool(**options)(a)[0].sum())(x).asnumpy().ravel()
    want = np.concatenate([np.full(b - a, 1 / (b - a)) for a, b in pairwise(columns)])
    np.testing.assert_allclose(found, want, rtol=1e-6)


def test_means_of_integers_are_cut_off_and_not_finite_neighbours_stay_outside():
    y = ops.FractionalAvgPool([1.0, 1.0, 2.0, 1.0])(Tensor(np.array([-3, 0, 2, 3]).reshape(1, 1, 4, 1)))[0]
    assert y.asnumpy().ravel().tolist() == [-1, 2]
    x = np.array([np.inf, 1, 2, -np.inf, np.nan, 7, 8], np.float32).reshape(1, 1, 7, 1)
    y, _, columns = ops.FractionalAvgPool([1.0, 1.0, 7 / 3, 1.0])(Tensor(x))
    np.testing.assert_allclose(y.asnumpy(), by_loops(x, [0, 1], columns.tolist(), False, np.mean), rtol=1e-6)


@pytest.mark.parametrize(("ratio", "shape", "error"), [
    ([1.0, 0.5, 1.0, 1.0], (1, 4, 4, 1), ValueError), ([2.0, 1.5, 1.5, 1.0], (1, 4, 4, 1), ValueError),
    ([1.0, 2, 2.0, 1.0], (1, 4, 4, 1), TypeError), ([1.0, 2.0, 1.0], (1, 4, 4, 1), ValueError),
    ("a", (1, 4, 4, 1), TypeError), ([1.0, 5.0, 1.0, 1.0], (1, 4, 4, 1), ValueError),
    ([1.0, 2.0, 2.0, 1.0], (4, 4, 1), ValueError), ([1.0, float("inf"), 2.0, 1.0], (1, 4, 4, 1), ValueError)])
def test_what_is_no_ratio_of_images_is_refused(ratio, shape, error):
    with pytest.raises(error, match="For 'FractionalMaxPool'"):
        ops.FractionalMaxPool(ratio)(Tensor(np.ones(shape, np.float32)))
