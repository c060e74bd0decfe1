"""Indices that repeat, count from the end or lie outside, on unequal extents: values and derivatives beside loops."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, float32, grad, ops

RNG = np.random.default_rng(12)
X = RNG.standard_normal((3, 4, 5)).astype(np.float32)
WEIGHTS = RNG.standard_normal(400).astype(np.float32)


def weighted(function):
    """The sum of a result, each element weighted by another number."""
    def total(*given):
        found = function(*given).reshape(-1)
        return (found * Tensor(WEIGHTS[:found.shape[0]])).sum()
    return total


def by_torch(function, *given):
    """The result, and the derivatives of its weighted sum by what is real."""
    made = [torch.tensor(x) if x.dtype != np.float32 else torch.tensor(x, requires_grad=True) for x in given]
    out = function(*made)
    (out.reshape(-1) * torch.tensor(WEIGHTS[:out.numel()])).sum().backward()
    return out.detach().numpy(), [x.grad.numpy() for x in made if x.requires_grad]


def compare(ours, theirs, *given, twice=True):
    tensors = [Tensor(x.astype(np.int32) if x.dtype == np.int64 else x) for x in given]
    real = tuple(i for i, x in enumerate(given) if x.dtype == np.float32)
    want, slopes = by_torch(theirs, *given)
    found = ours(*tensors)
    assert found.shape == want.shape
    np.testing.assert_allclose(found.asnumpy(), want, rtol=1e-5, atol=1e-6)
    own = grad(weighted(ours), real)(*tensors)
    for a, b in zip(own if isinstance(own, tuple) else (own,), slopes, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-4, atol=1e-5)
    if twice:                                 # the derivative of the squares of the slopes by the first input
        def again(x):
            slope = grad(weighted(lambda v: ours(v, *tensors[1:]) ** 3), 0)(x)
            return (slope * slope).sum()
        first = torch.tensor(given[0], requires_grad=True)
        out = theirs(first, *map(torch.tensor, given[1:])) ** 3
        (slope,) = torch.autograd.grad((out.reshape(-1) * torch.tensor(WEIGHTS[:out.numel()])).sum(), first,
                                       create_graph=True)
        (want,) = torch.autograd.grad((slope * slope).sum(), first)
        np.testing.assert_allclose(grad(again)(tensors[0]).asnumpy(), want, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("shape", [(6,), (2, 3), ()])
def test_slices_are_gathered(axis, shape):
    n = X.shape[axis]
    index = RNG.integers(0, n, shape)
    compare(lambda x: ops.gather(x, Tensor(index.astype(np.int32)), axis),
            lambda x: torch.stack([x.select(axis, int(i)) for i in index.reshape(-1)], axis).reshape(
                *X.shape[:axis % 3], *shape, *X.shape[axis % 3 + 1:]), X)
    from_end = Tensor((index - n).astype(np.int32))
    np.testing.assert_array_equal(ops.gather(Tensor(X), from_end, axis).asnumpy(), np.take(X, index, axis))


@pytest.mark.parametrize("axis", [1, 2, -1])
def test_slices_of_each_row_are_gathered(axis):
    index = RNG.integers(0, X.shape[axis], (3, 2))
    index[:, 1] = index[:, 0]

    def theirs(x):
        rows = [torch.stack([row.select(axis % 3 - 1, int(i)) for i in line], axis % 3 - 1)
                for row, line in zip(x, index, strict=True)]
        return torch.stack(rows)

    compare(lambda x: ops.gather(x, Tensor(index.astype(np.int32)), axis, 1), theirs, X)


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_elements_are_gathered_and_scattered(dim):
    shape = [2, 3, 4]
    shape[dim] = 7
    index = RNG.integers(0, X.shape[dim], shape)
    compare(lambda x, i: ops.gather_elements(x, dim, i), lambda x, i: torch.gather(x, dim, i), X, index)
    from_end = Tensor((index - X.shape[dim]).astype(np.int32))
    np.testing.assert_array_equal(ops.gather_elements(Tensor(X), dim, from_end).asnumpy(),
                                  torch.gather(torch.tensor(X), dim, torch.tensor(index)))
    slope = grad(weighted(lambda x: ops.gather_elements(x, dim, from_end)))(Tensor(X)).asnumpy()
    np.testing.assert_allclose(slope, by_torch(lambda x: torch.gather(x, dim, torch.tensor(index)), X)[1][0], rtol=1e-5)
    for name, plain in (("none", "scatter"), ("add", "scatter_add"), ("mul", "multiply")):
        places = np.stack([RNG.permutation(X.shape[dim])[:2] for _ in range(6)]).reshape(3, 2, 2)
        places = np.moveaxis(places.reshape(2, 3, 2), -1, dim) if name == "none" else np.moveaxis(
            RNG.integers(0, X.shape[dim], (2, 3, 2)), -1, dim)
        new = (np.abs(RNG.standard_normal(places.shape)) + 0.5).astype(np.float32)

        def theirs(x, i, v, plain=plain):
            if plain == "multiply":
                return x.scatter_reduce(dim, i, v, "prod")
            return getattr(x, plain)(dim, i, v)

        compare(lambda x, i, v, name=name: ops.tensor_scatter_elements(x, i, v, dim, name), theirs, X, places, new,
                twice=name != "mul")
        for back in (0, X.shape[dim]):
            at = Tensor((places - back).astype(np.int32))
            found = ops.tensor_scatter_elements(Tensor(X), at, Tensor(new), dim, name)
            np.testing.assert_allclose(found.asnumpy(), theirs(*map(torch.tensor, (X, places, new))), rtol=1e-5)


KINDS = {"update": None, "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum,
         "min": np.minimum}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_slices_are_scattered_where_coordinates_say(kind, depth):
    shape = X.shape[:depth]
    # the last of equal places would win; derivatives of products and quotients are the original's, each place once
    once = kind in ("update", "mul", "div")
    rng = np.random.default_rng([5, depth, [*KINDS].index(kind)])        # whatever was drawn before
    flat = rng.permutation(np.prod(shape))[:2] if once else rng.integers(0, np.prod(shape), 6)
    index = np.stack(np.unravel_index(flat, shape), -1)
    new = (np.abs(rng.standard_normal((len(flat), *X.shape[depth:]))) + 0.5).astype(np.float32)
    want = X.astype(np.float64).copy()
    for place, value in zip(index, new, strict=True):
        at = tuple(place)
        want[at] = value if kind == "update" else KINDS[kind](want[at], value)
    given = Tensor(X), Tensor(index.astype(np.int32)), Tensor(new)
    ours = getattr(ops, f"tensor_scatter_{kind}") if kind != "update" else ops.TensorScatterUpdate()
    np.testing.assert_allclose(ours(*given).asnumpy(), want, rtol=1e-4)
    of_x, of_new = grad(weighted(lambda x, v: ours(x, given[1], v)), (0, 1))(given[0], given[2])
    step = 1e-3

    def total(x, v):
        return float(weighted(lambda a, b: ours(a, given[1], b))(Tensor(x), Tensor(v)))

    for slopes, values, at in ((of_x, X, 0), (of_new, new, 1)):
        for k in rng.permutation(values.size)[:5]:
            sides = []
            for sign in (1, -1):
                near = values.copy()
                near.flat[k] += sign * step
                sides.append(total(near, new) if at == 0 else total(X, near))
            assert slopes.asnumpy().flat[k] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=0.05, abs=0.03)
    if kind == "div":
        whole = ops.tensor_scatter_div(Tensor(np.int32([-7, 7, -8])), Tensor(np.int32([[0], [1], [2]])),
                                       Tensor(np.int32([2, -2, 3])))
        assert whole.tolist() == [-3, -3, -2]                        # towards zero


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_rows_are_added_from_the_end_and_twice(axis):
    n = X.shape[axis]
    index = np.array([n - 1, 0, n - 1])
    shape = list(X.shape)
    shape[axis] = 3
    new = RNG.standard_normal(shape).astype(np.float32)
    want = torch.tensor(X).index_add(axis, torch.tensor(index), torch.tensor(new)).numpy()
    for back in (0, n):
        found = ops.index_add(ops.stop_gradient(Tensor(X)), Tensor((index - back).astype(np.int32)), Tensor(new), axis)
        np.testing.assert_allclose(found.asnumpy(), want, rtol=1e-5)


def test_what_lies_outside_of_segments_counts_nothing():
    x, ids = RNG.standard_normal((7, 2)).astype(np.float32), np.int32([0, 2, -1, 2, 5, 0, 3])
    for name, join, empty in (("sum", np.sum, 0.0), ("max", np.max, None), ("min", np.min, None),
                              ("prod", np.prod, 1.0)):
        function = getattr(ops, f"unsorted_segment_{name}")
        found = function(Tensor(x), Tensor(ids), 4).asnumpy()
        for s in (0, 2, 3):
            np.testing.assert_allclose(found[s], join(x[ids == s], 0), rtol=1e-6)
        limit = {"max": np.finfo(np.float32).min, "min": np.finfo(np.float32).max}.get(name, empty)
        assert found[1].tolist() == [limit] * 2
        slope = grad(lambda v, f=function: f(v, Tensor(ids), 4)[0].sum())(Tensor(x)).asnumpy()
        assert not slope[[1, 2, 3, 4, 6]].any()
    zeros = np.float32([[0.0], [2.0], [0.0], [3.0], [0.0]])
    slope = grad(lambda v: ops.unsorted_segment_prod(v, Tensor(np.int32([0, 0, 1, 1, 1])), 2).sum())(Tensor(zeros))
    assert slope.asnumpy().ravel().tolist() == [2.0, 0.0, 0.0, 0.0, 0.0]
    ties = np.float32([2.0, 2.0, 1.0, 5.0])
    slope = grad(lambda v: ops.unsorted_segment_max(v, Tensor(np.int32([0, 0, 0, 1])), 2).sum())(Tensor(ties))
    assert slope.tolist() == [0.5, 0.5, 0.0, 1.0]


def test_rows_of_a_table_with_an_offset():
    table, ids = RNG.standard_normal((4, 3)).astype(np.float32), np.int32([[2, 5], [6, 1]])
    rows = ops.EmbeddingLookup()(Tensor(table), Tensor(ids), 2).asnumpy()
    np.testing.assert_array_equal(rows, np.stack([[table[0], table[3]], [np.zeros(3), np.zeros(3)]]))
    slope = grad(lambda t: ops.EmbeddingLookup()(t, Tensor(ids), 2).sum())(Tensor(table)).asnumpy()
    assert slope.sum(1).tolist() == [3.0, 0.0, 0.0, 3.0]


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_running_sums_and_products_forth_and_back(exclusive, reverse, axis):
    x = np.abs(X) + 0.5

    def along(step, first):
        turned = np.flip(x, axis) if reverse else x
        lines = np.moveaxis(turned, axis, 0)
        out, total = [], np.full_like(lines[0], first)
        for line in lines:
            before = total
            total = step(total, line)
            out.append(before if exclusive else total)
        out = np.moveaxis(np.stack(out), 0, axis)
        return np.flip(out, axis) if reverse else out

    for kind, step, first in ((ops.CumSum, np.add, 0.0), (ops.CumProd, np.multiply, 1.0)):
        made = kind(exclusive, reverse)
        np.testing.assert_allclose(made(Tensor(x), axis).asnumpy(), along(step, first), rtol=1e-5)
        slope = grad(weighted(lambda v, made=made: made(v, axis)))(Tensor(x)).asnumpy()
        for k in (0, 7, 33, 59):
            sides = []
            for sign in (1, -1):
                near = x.copy()
                near.flat[k] += sign * 1e-2
                sides.append(float(weighted(lambda v, made=made: made(v, axis))(Tensor(near))))
            assert slope.flat[k] == pytest.approx((sides[0] - sides[1]) / 2e-2, rel=0.02, abs=0.02)
    narrow = ops.CumSum(exclusive, reverse)(Tensor(np.int8([[100, 100, 100]])), 1)
    assert narrow.dtype != float32
    assert narrow.asnumpy().dtype == np.int8
