"""Kernels of users: values against NumPy's and the function as Python, derivatives against finite differences."""
from __future__ import annotations

import itertools

import limit_kernels as limits
import loop_kernels as k
import more_loop_kernels as more
import numpy as np
import pytest
import scipy.special as sp

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.kernels import available

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")

RNG = np.random.default_rng(11)
INDEX = np.array([3, 0, 6, 3, 3, 1, 0], np.int64)


def normal(*shape):
    return RNG.standard_normal(shape)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def normed(x, g, b):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * g + b


def gelu(h):
    return 0.5 * h * (1 + np.tanh(0.7978845608 * (h + 0.044715 * h ** 3)))


def heat(x):
    y = np.zeros_like(x)
    y[1:-1, 1:-1] = x[1:-1, 1:-1] + 0.1 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
                                          - 4 * x[1:-1, 1:-1])
    return y


def windows(x, w):
    return (np.lib.stride_tricks.sliding_window_view(x, w.shape) * w).sum((2, 3))


def clipped(x, w):
    full = np.pad(x, 1)
    return (full[:-2] * w[0] + full[1:-1] * w[1] + full[2:] * w[2]) * x


def interpolated(x):
    y = np.zeros(2 * len(x) - 1)
    y[::2], y[1::2] = x, np.hypot(x[:-1], x[1:])
    return y


def scattered(x, index, ufunc, values):
    y = np.zeros(8)
    ufunc.at(y, index, values)
    return y


def piecewise(x):
    return np.where(x > 0.5, x * x, np.where(x < -0.5, np.exp(x), np.sin(np.sin(np.sin(x)))))


def csr(values, columns, rows, x):
    return np.array([values[a:b] @ x[columns[a:b]] for a, b in itertools.pairwise(rows)])


def functions(v):
    p = abs(v) + 0.5
    return np.stack([
        np.exp(v) * np.expm1(v), np.log(p), np.sqrt(p / (p + 1)), np.tanh(v) + sp.expit(v), sp.erf(v),
        np.sin(2 * v) / 2, np.arctan(v), np.arctan2(v, p), p ** v, p ** -1.5,
        np.floor(v) + np.ceil(v) * v + np.trunc(v) + np.round(3 * v), abs(v) * v, np.mod(v, p),
        np.minimum(np.minimum(v, p), v * v), v * v, np.floor(v / 0.3) + v / p], 1)


LIMITS = {11: [limits.down_by_three, limits.down_between, limits.up_by_three, limits.folded, limits.mirrored,
               limits.in_pairs, limits.from_pair_to_pair, limits.from_second_to_second, limits.taken_away,
               limits.bounded, limits.edges, limits.counted, limits.stored_twice],
          6: [limits.upper_triangle, limits.begun_outside, limits.one_of_two]}

# kernel, arguments, the same in NumPy (None: the function itself as Python is the judge)
CASES = [
    (k.saxpy, (normal(1), normal(37), normal(37)), lambda a, x, y: a * x + y),
    (k.outer, (normal(5), normal(19)), np.outer),
    (k.product, (normal(4, 6), normal(6, 5)), np.matmul),
    (k.product_in_rows, (normal(3, 5), normal(5, 21)), np.matmul),
    (k.heat, (normal(6, 21),), heat),
    (k.heat_often, (normal(9),), None),
    (k.relaxed_in_place, (normal(7),), None),
    (k.running_sum, (normal(18),), np.cumsum),
    (k.running_product, (normal(8),), np.cumprod),
    (k.running_maximum, (normal(9),), np.maximum.accumulate),
    (k.backwards, (normal(7),), None),
    (k.every_third, (normal(11),), lambda x: np.cumprod(np.cos(x[::3]))),
    (k.layer_norm, (normal(3, 21), normal(21), normal(21)), normed),
    (k.layer_norm_gelu, (normal(3, 18), normal(18), normal(18)), lambda *a: gelu(normed(*a))),
    (k.rms_norm, (normal(3, 9), normal(9)),
     lambda x, g: x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6) * g),
    (k.softmax, (normal(3, 19),), softmax),
    (k.softmax_online, (normal(3, 7),), softmax),
    (k.cross_entropy, (normal(5, 4), np.array([1, 0, 3, 2, 1])),
     lambda x, y: -np.log(softmax(x)[np.arange(5), y])),
    (k.attention, (normal(3, 4), normal(5, 4), normal(5, 2)), lambda q, a, v: softmax(q @ a.T / 2) @ v),
    (more.convolution, (normal(6, 7), normal(3, 2)), windows),
    (more.convolution_padded, (normal(9), normal(3)), lambda x, w: np.convolve(x, w[::-1], "same")),
    (more.convolution_clipped, (normal(8), normal(3)), clipped),
    (more.maximum_pool, (normal(6, 8),), lambda x: x.reshape(3, 2, 4, 2).max((1, 3))),
    (more.average_pool, (normal(9),), lambda x: x.reshape(3, 3).mean(1)),
    (more.upsampled, (normal(3, 4),), lambda x: np.kron(x * x, np.ones((2, 2)))),
    (more.interpolated, (normal(6),), interpolated),
    (more.gathered, (normal(8), INDEX), lambda x, i: x[i] ** 2),
    (more.scattered, (normal(7), INDEX), lambda x, i: scattered(x, i, np.add, np.exp(x))),
    (more.scattered_maximum, (normal(7), INDEX), lambda x, i: scattered(x, i, np.maximum, x * x)),
    (more.histogram, (normal(50),), lambda x: np.histogram(np.clip(np.floor(2 * x), -2, 2), np.arange(-2, 4))[0]),
    (more.where_most, (normal(4, 6),), lambda x: (x.argmax(1), x.max(1) ** 2)),
    (more.sorted_rows, (normal(2, 5),), lambda x: np.sort(x * x, 1)),
    (more.recurrence, (normal(6, 3), normal(2)), None),
    (more.lstm, (normal(5, 2), normal(8)), None),
    (more.horner, (normal(9), normal(4)), lambda x, c: np.polyval(c, x)),
    (more.piecewise, (normal(20),), piecewise),
    (more.triangle, (normal(5, 5), normal(5)), lambda a, b: np.linalg.solve(np.tril(a) + 3 * np.eye(5), b)),
    (more.sparse_product, (normal(6), np.array([0, 2, 1, 3, 3, 0]), np.array([0, 2, 2, 5, 6]), normal(4)), csr),
    (more.distances, (normal(4, 3), normal(5, 3)),
     lambda x, y: np.sqrt(((x[:, None] - y) ** 2).sum(2) + 0.01)),
    (more.functions, (normal(9),), functions),
    (more.moments, (normal(4, 5),), lambda x: (x.mean().reshape(1), np.sqrt(x.var() + 1).reshape(1))),
    (more.transposed, (normal(3, 20),), lambda x: x.T ** 3),
    (more.edit_distance, (normal(4), normal(5)), None),
    *[(kernel, (normal(n),), None) for n, some in LIMITS.items() for kernel in some],
    (limits.inner_from_two, (normal(3, 6),), None),
]
NAMES = [case[0].__name__ for case in CASES]
CASES_BY_NAME = pytest.mark.parametrize(("kernel", "args", "reference"), CASES, ids=NAMES)


def listed(x):
    return list(x) if isinstance(x, tuple) else [x]


def tensors(args, dtype=None):
    return [Tensor(a.astype(dtype) if dtype and a.dtype == float else a) for a in args]


def test_there_are_forty_kernels():
    assert len(CASES) >= 40


@CASES_BY_NAME
def test_values_are_those_of_numpy_and_of_python(kernel, args, reference):
    found = [t.asnumpy() for t in listed(kernel(*tensors(args)))]
    plain = listed(kernel(*args))
    for one, other in zip(found, plain, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)
    if reference is not None:
        for one, other in zip(found, listed(reference(*args)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def scalar(kernel, weights):
    """A sum over the results that has second derivatives."""
    def loss(*xs):
        outs = [o for o in listed(kernel(*xs)) if o.dtype == ms.float64]
        return sum([(w * o * (1 + o)).sum() for w, o in zip(weights, outs, strict=True)])
    return loss


@CASES_BY_NAME
def test_first_and_second_derivatives_are_those_of_finite_differences(kernel, args, reference):
    outs = [o for o in listed(kernel(*args)) if o.dtype == float]
    if not outs:
        pytest.skip("the results are whole numbers")
    draws = np.random.default_rng(3)
    places = tuple([k for k, a in enumerate(args) if a.dtype == float])
    loss = scalar(kernel, [Tensor(draws.standard_normal(o.shape)) for o in outs])
    along, across = [[draws.standard_normal(args[k].shape) for k in places] for _ in range(2)]

    def moved(t):
        xs = list(args)
        for at, d in zip(places, along, strict=True):
            xs[at] = xs[at] + t * d
        return tensors(xs)

    def slope(*xs):
        found = ms.grad(loss, places)(*xs)
        return sum([(Tensor(d) * g).sum() for d, g in zip(across, listed(found), strict=True)])

    first = [g.asnumpy() for g in listed(ms.grad(loss, places)(*tensors(args)))]
    second = [g.asnumpy() for g in listed(ms.grad(slope, places)(*tensors(args)))]
    step = 1e-5
    for gradient, function in ((first, loss), (second, slope)):
        wanted = (float(function(*moved(step))) - float(function(*moved(-step)))) / (2 * step)
        found = sum([(d * g).sum() for d, g in zip(along, gradient, strict=True)])
        np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=2e-6)


@CASES_BY_NAME
def test_graph_mode_in_float32_gives_the_same(kernel, args, reference):
    wanted = [o for o in listed(kernel(*args))]
    found = listed(ms.jit(lambda *xs: kernel(*xs))(*tensors(args, np.float32)))
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == (ms.float32 if other.dtype == float else one.dtype)
        np.testing.assert_allclose(one.asnumpy(), other, rtol=3e-4, atol=3e-5)
