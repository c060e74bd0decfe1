"""Functions along an axis on unequal extents, ties, no elements and every integer type, beside NumPy and torch."""
from __future__ import annotations

import nasty_inputs as nasty
import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

ALONG = {
    "cumsum": (lambda x, a: ops.cumsum(x, a), lambda x, a: np.cumsum(x, a, dtype=x.dtype)),
    "cumprod": (lambda x, a: ops.cumprod(x, a), lambda x, a: np.cumprod(x, a, dtype=x.dtype)),
    "flip": (lambda x, a: ops.flip(x, (a,)), np.flip),
    "sort": (lambda x, a: ops.sort(x, a)[0], np.sort),
    "places of sort": (lambda x, a: ops.sort(x, a)[1], lambda x, a: np.argsort(x, a, kind="stable")),
    "roll": (lambda x, a: ops.roll(x, 2, a), lambda x, a: np.roll(x, 2, a)),
}
REDUCED = {
    "max": (lambda x, a: ops.amax(x, a), np.max), "min": (lambda x, a: ops.amin(x, a), np.min),
    "argmax": (lambda x, a: ops.argmax(x, a), np.argmax), "argmin": (lambda x, a: ops.argmin(x, a), np.argmin),
}


@pytest.mark.parametrize("name", ALONG)
def test_functions_along_an_axis(name):
    ours, theirs = ALONG[name]
    for x in [*nasty.arrays(), *nasty.integers()]:
        for axis in nasty.axes(x):
            np.testing.assert_allclose(ours(Tensor(x), axis).asnumpy(), theirs(x, axis), rtol=1e-5, atol=1e-6,
                                       err_msg=f"{name} of {x.dtype} {x.shape} along {axis}")


@pytest.mark.parametrize("name", REDUCED)
def test_reductions_of_one_axis(name):
    ours, theirs = REDUCED[name]
    for x in [*nasty.arrays(empty=False), *nasty.integers()]:
        for axis in nasty.axes(x):
            np.testing.assert_allclose(ours(Tensor(x), axis).asnumpy(), theirs(x, axis),
                                       err_msg=f"{name} of {x.dtype} {x.shape} along {axis}")


DIFFERENTIATED = {
    "mean": (lambda x, a: ops.mean(x, a), torch.mean),
    "var": (lambda x, a: ops.var(x, a), lambda x, a: torch.var(x, a, correction=0)),
    "var of a sample": (lambda x, a: ops.var(x, a, 1), torch.var),
    "max with ties": (lambda x, a: ops.amax(x, a), torch.amax),
    "min with ties": (lambda x, a: ops.amin(x, a), torch.amin),
    "logsumexp": (ops.logsumexp, torch.logsumexp),
    "cumsum": (ops.cumsum, torch.cumsum),
    "cumprod": (ops.cumprod, torch.cumprod),
    "cummax": (lambda x, a: ops.cummax(x, a)[0], lambda x, a: torch.cummax(x, a)[0]),
    "sort": (lambda x, a: ops.sort(x, a)[0], lambda x, a: torch.sort(x, dim=a, stable=True)[0]),
    "softmax": (ops.softmax, torch.softmax),
    "roll": (lambda x, a: ops.roll(x, 2, a), lambda x, a: torch.roll(x, 2, a)),
}


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_gradients_along_an_axis(name):
    ours, theirs = DIFFERENTIATED[name]
    for x in nasty.arrays(empty=False):
        for axis in nasty.axes(x):
            if name == "var of a sample" and x.shape[axis] < 2:
                continue                       # NaN in both, with a warning of torch's
            leaf = torch.tensor(x, requires_grad=True)
            out = theirs(leaf, axis)
            weight = np.arange(1, out.numel() + 1, dtype=np.float32).reshape(out.shape)
            (out * torch.tensor(weight)).sum().backward()
            w = Tensor(weight)
            found = ms.grad(lambda t, a=axis, w=w: (ours(t, a) * w).sum())(Tensor(x))
            np.testing.assert_allclose(found.asnumpy(), leaf.grad, rtol=2e-4, atol=1e-5,
                                       err_msg=f"{name} of {x.shape} along {axis}")


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("made", "step", "first"), [(ops.CumSum, np.add, 0), (ops.CumProd, np.multiply, 1)])
def test_running_results_with_and_without_the_element_itself(made, step, first, exclusive, reverse):
    x = np.array([[2.0, -3.0, 5.0], [7.0, 0.5, -1.0]], np.float32)
    rows = []
    for row in x:
        total, line = first, []
        for value in row[::-1] if reverse else row:
            before, total = total, step(total, value)
            line.append(before if exclusive else total)
        rows.append(line[::-1] if reverse else line)
    np.testing.assert_allclose(made(exclusive, reverse)(Tensor(x), 1).asnumpy(), rows)


@pytest.mark.parametrize("perm", [(1, 2, 0), (2, 0, 1), (-1, 0, -2)])
def test_a_permutation_is_not_its_inverse(perm):
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    weight = np.arange(24, dtype=np.float32).reshape(np.transpose(x, perm).shape) ** 2
    found = ms.grad(lambda t: (ops.transpose(t, perm) * Tensor(weight)).sum())(Tensor(x))
    np.testing.assert_array_equal(ops.transpose(Tensor(x), perm).asnumpy(), np.transpose(x, perm))
    np.testing.assert_array_equal(found.asnumpy(), np.transpose(weight, np.argsort([p % 3 for p in perm])))
    twice = ms.jit(lambda t: ops.transpose(ops.transpose(t, perm), (1, 0, 2)))(Tensor(x))
    np.testing.assert_array_equal(twice.asnumpy(), np.transpose(np.transpose(x, perm), (1, 0, 2)))


@pytest.mark.parametrize("extents", [(1, 2, 3), (3, 1, 2), (2, 3)])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_joined_parts_of_unequal_length_get_their_own_gradients(extents, axis):
    shapes = [tuple(n if a == axis % 2 else 4 for a in range(2)) for n in extents]
    parts = [np.full(shape, i, np.float32) for i, shape in enumerate(shapes)]
    weight = np.arange(4 * sum(extents), dtype=np.float32).reshape(np.concatenate(parts, axis).shape)
    found = ms.grad(lambda *xs: (ops.cat(xs, axis) * Tensor(weight)).sum(),
                    tuple(range(len(parts))))(*[Tensor(p) for p in parts])
    for mine, wanted in zip(found, np.split(weight, np.cumsum(extents)[:-1], axis), strict=True):
        np.testing.assert_array_equal(mine.asnumpy(), wanted)


@pytest.mark.parametrize("diagonal", [-2, -1, 1, 2])
def test_triangles_off_the_diagonal_and_their_gradients(diagonal):
    x = np.arange(15, dtype=np.float32).reshape(3, 5) + 1
    for ours, theirs in ((ops.tril, np.tril), (ops.triu, np.triu)):
        np.testing.assert_array_equal(ours(Tensor(x), diagonal).asnumpy(), theirs(x, diagonal))
        found = ms.grad(lambda t, f=ours: (f(t, diagonal) * Tensor(x)).sum())(Tensor(x))
        np.testing.assert_array_equal(found.asnumpy(), theirs(x, diagonal))


def test_cells_that_an_index_names_twice_get_both_gradients():
    x, places = np.arange(6, dtype=np.float32), np.array([4, -2, 0, 4])
    found = ms.grad(lambda t: (t[Tensor(places)] * Tensor([1.0, 2.0, 3.0, 4.0])).sum())(Tensor(x))
    np.testing.assert_array_equal(found.asnumpy(), [3, 0, 0, 0, 7, 0])
