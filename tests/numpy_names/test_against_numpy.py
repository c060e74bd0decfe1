"""Functions of `mindspore.numpy` against NumPy itself."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, ops

RNG = np.random.default_rng(0)
A, B = RNG.uniform(0.2, 0.9, (2, 3, 4)).astype("f4")
S = RNG.uniform(0.1, 1, (3, 3)).astype("f4")
K, J = RNG.integers(1, 9, (2, 3, 4)).astype("i4")
V, W = RNG.uniform(0, 1, (2, 7)).astype("f4")
UNEVEN = np.array([0, 0.3, 0.5, 1], "f4")       # edges of bins
T3 = RNG.normal(size=(2, 3, 4)).astype("f4")
L = A > 0.5
N = np.where(A[0, 1] == A, np.float32(np.nan), A)

ONE = [
    "abs",
    "absolute",
    "fabs",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "arccos",
    "ceil",
    "cos",
    "cosh",
    "deg2rad",
    "radians",
    "rad2deg",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "rint",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "reciprocal",
    "cbrt",
    "negative",
    "positive",
    "fix",
    "around",
    "isfinite",
    "isinf",
    "isnan",
    "signbit",
    "logical_not",
    "isneginf",
    "isposinf",
    "ravel",
    "transpose",
    "argmin",
    "argmax",
    "mean",
    "std",
    "var",
    "sum",
    "amax",
    "amin",
    "max",
    "min",
    "ptp",
    "count_nonzero",
    "flip",
    "fliplr",
    "flipud",
    "rot90",
    "diff",
    "ediff1d",
    "gradient",
    "unwrap",
    "nansum",
    "nanmean",
    "nanvar",
    "nanstd",
    "nanmax",
    "nanmin",
    "atleast_3d",
    "tril",
    "triu",
    "cumsum",
    "cumprod",
    "nancumsum",
    "corrcoef",
    "cov",
]
TWO = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "power",
    "float_power",
    "maximum",
    "minimum",
    "floor_divide",
    "mod",
    "remainder",
    "fmod",
    "arctan2",
    "hypot",
    "copysign",
    "logaddexp",
    "logaddexp2",
    "heaviside",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "outer",
    "inner",
    "array_equal",
    "isclose",
    "kron",
    "divmod",
]
INTS = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "floor_divide",
    "mod",
    "gcd",
    "lcm",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "power",
    "equal",
    "in1d",
    "isin",
    "setdiff1d",
    "intersect1d",
]
PADS = [
    "constant",
    "edge",
    "reflect",
    "symmetric",
    "wrap",
    "maximum",
    "minimum",
    "mean",
    "linear_ramp",
]
FFTS = [
    "fft",
    "ifft",
    "rfft",
    "irfft",
    "hfft",
    "ihfft",
    "fft2",
    "ifft2",
    "rfft2",
    "irfft2",
    "fftn",
    "ifftn",
    "rfftn",
    "irfftn",
    "fftshift",
    "ifftshift",
]
CASES = [
    *[(f, (A,), {}) for f in ONE],
    *[(f, (A, B), {}) for f in TWO],
    *[(f, (K, J), {}) for f in INTS],
    *[("pad", (A, ((1, 2), (2, 1)), mode), {}) for mode in PADS],
    *[("fft." + f, (A,), {}) for f in FFTS],
    ("invert", (K,), {}),
    ("arccosh", (A + 1,), {}),
    ("logical_and", (L, B > 0.5), {}),
    ("logical_xor", (L, B > 0.5), {}),
    ("dot", (A, B.T), {}),
    ("dot", (V, W), {}),
    ("dot", (T3, B.T), {}),
    ("matmul", (A, B.T), {}),
    ("tensordot", (A, B), {}),
    ("tensordot", (A, B.T, 1), {}),
    ("cross", (A[:, :3], B[:, :3]), {}),
    ("linalg.matrix_power", (S, 3), {}),
    ("linalg.multi_dot", ([A, B.T, S],), {}),
    ("linalg.norm", (A,), {}),
    ("linalg.norm", (A,), {"axis": 1}),
    ("linalg.norm", (V, 1), {}),
    ("nansum", (N, 1), {}),
    ("nanmean", (N, 0), {}),
    ("nanvar", (N, 1), {}),
    ("nanmax", (N, 1), {}),
    ("mean", (A, 1), {"keepdims": True}),
    ("sum", (A, (0, 1)), {}),
    ("var", (A, 0), {"ddof": 1}),
    ("std", (T3, (0, 2)), {}),
    ("amax", (A, 1), {}),
    ("clip", (A, 0.3, 0.6), {}),
    ("average", (A,), {"axis": 1, "weights": V[:4]}),
    ("average", (A,), {"weights": B}),
    ("trapz", (A,), {}),
    ("trapz", (V, np.sort(W)), {}),
    ("interp", (np.array([0.1, 0.5, 2.0], "f4"), np.sort(V), W), {}),
    ("convolve", (V, W[:3]), {}),
    ("convolve", (V, W[:3], "same"), {}),
    ("convolve", (V, W[:4], "same"), {}),
    ("convolve", (V[:3], W, "valid"), {}),
    ("correlate", (V, W[:3]), {}),
    ("correlate", (V, W[:3], "full"), {}),
    ("correlate", (V, W[:4], "same"), {}),
    ("correlate", (V[:3], W, "full"), {}),
    ("cov", (A,), {"bias": True}),
    ("cov", (A, B), {}),
    ("cov", (A,), {"rowvar": False}),
    ("cov", (A,), {"fweights": np.array([1, 2, 1, 3])}),
    ("cov", (A,), {"aweights": V[:4]}),
    ("gradient", (A, 2.0), {}),
    ("diff", (A, 2), {}),
    ("diff", (A,), {"axis": 0, "prepend": 0}),
    ("polyval", (V[:3], W), {}),
    ("polyadd", (V[:3], W), {}),
    ("polysub", (V[:3], W), {}),
    ("polymul", (V[:3], W), {}),
    ("polyder", (V, 2), {}),
    ("polyint", (V, 2), {}),
    ("digitize", (V, np.array([0.2, 0.5, 0.7], "f4")), {}),
    ("searchsorted", (np.sort(V), W), {}),
    ("bincount", (K.ravel(),), {}),
    ("histogram", (V, 4), {}),
    ("histogram", (V, 4, (0, 1)), {"density": True}),
    ("histogram2d", (V, W, 3), {}),
    ("histogramdd", (A, 2), {}),
    ("histogramdd", (A[:, :2], [UNEVEN, UNEVEN[[0, 3]]]), {"density": True}),
    ("histogram2d", (V, W, [UNEVEN, UNEVEN]), {"density": True, "weights": V}),
    ("histogram_bin_edges", (V, 3), {}),
    ("arange", (2, 9, 2), {}),
    ("arange", (0.5, 3.0), {}),
    ("linspace", (0, 1, 5), {}),
    ("linspace", (0, 1, 5), {"endpoint": False}),
    ("logspace", (0, 2, 4), {}),
    ("geomspace", (1, 100, 3), {}),
    ("eye", (3, 4, 1), {}),
    ("identity", (3,), {}),
    ("tri", (3, 4, -1), {}),
    ("tril", (A, 1), {}),
    ("triu", (A, -1), {}),
    ("tril_indices", (3,), {}),
    ("triu_indices", (3, 1, 4), {}),
    ("diag_indices", (3,), {}),
    ("diag", (V,), {}),
    ("diag", (V, 2), {}),
    ("diag", (V, -2), {}),
    ("diag", (A, 1), {}),
    ("diagflat", (A, 1), {}),
    ("diagonal", (T3, 0, 1, 2), {}),
    ("trace", (A,), {}),
    ("meshgrid", (V, W[:3]), {}),
    ("meshgrid", (V, W[:3], A[0]), {"indexing": "ij", "sparse": True}),
    ("indices", ((2, 3),), {}),
    ("ix_", ([0, 1], [2, 4]), {}),
    ("vander", (V, 3), {}),
    ("hamming", (6,), {}),
    ("hanning", (6,), {}),
    ("blackman", (6,), {}),
    ("bartlett", (6,), {}),
    ("full", ((2, 3), 7), {}),
    ("zeros", ((2, 3),), {}),
    ("full_like", (A, 2), {}),
    ("reshape", (A, (2, 6)), {}),
    ("transpose", (T3, (1, 0, 2)), {}),
    ("moveaxis", (T3, 0, 2), {}),
    ("rollaxis", (T3, 2), {}),
    ("rollaxis", (T3, 0, 3), {}),
    ("swapaxes", (T3, 0, 2), {}),
    ("expand_dims", (A, 1), {}),
    ("squeeze", (A[None],), {}),
    ("concatenate", ((A, B), 1), {}),
    ("concatenate", ((A, B), None), {}),
    ("append", (A, B), {}),
    ("append", (A, B, 0), {}),
    ("stack", ((A, B), 1), {}),
    ("hstack", ((A, B),), {}),
    ("hstack", ((V, W),), {}),
    ("vstack", ((V, W),), {}),
    ("dstack", ((A, B),), {}),
    ("column_stack", ((V, W),), {}),
    ("split", (A, 2, 1), {}),
    ("split", (A, [1, 3], 1), {}),
    ("array_split", (V, 3), {}),
    ("hsplit", (A, 2), {}),
    ("vsplit", (A, 3), {}),
    ("tile", (A, (2, 1, 2)), {}),
    ("repeat", (A, 2), {}),
    ("repeat", (A, [1, 2, 3], 0), {}),
    ("broadcast_to", (V, (2, 7)), {}),
    ("broadcast_arrays", (V, A[:, :1]), {}),
    ("roll", (A, 2), {}),
    ("roll", (A, (1, 2), (0, 1)), {}),
    ("rot90", (A, 3), {}),
    ("where", (L, A, B), {}),
    ("where", (L,), {}),
    ("select", ([L, B > 0.5], [A, B], 0.0), {}),
    ("choose", (np.array([0, 1, 0]), [np.array([1, 2, 3]), np.array([4, 5, 6])]), {}),
    ("take", (A, [0, 2], 1), {}),
    ("take", (A, [[0, 5], [2, 3]]), {}),
    ("take_along_axis", (A, np.argsort(A, 1), 1), {}),
    ("argwhere", (L,), {}),
    ("unravel_index", (np.array([3, 7]), (3, 4)), {}),
    ("ravel_multi_index", ((np.array([1, 2]), np.array([3, 0])), (3, 4)), {}),
    ("intersect1d", (np.array([1, 3, 2, 5]), np.array([5, 2, 9])), {"return_indices": True}),
    ("piecewise", (A, [A < 0.4, A > 0.6], [-1, 1]), {}),
    ("apply_along_axis", (lambda v: v[0] + v[-1], 1, A), {}),
    ("apply_over_axes", (lambda a, x: a.sum(x), T3, (0, 2)), {}),
]
EARLIER = {"trapz": "trapezoid", "in1d": "isin"}  # names that NumPy has changed


def tensors(value):
    if isinstance(value, (list, tuple)):
        return type(value)(tensors(v) for v in value)
    return Tensor(value) if isinstance(value, np.ndarray) else value


def arrays(value):
    if isinstance(value, (list, tuple)):
        return [arrays(v) for v in value]
    return value.asnumpy() if isinstance(value, Tensor) else value


def function(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def assert_same(got, wanted):
    if isinstance(wanted, (list, tuple)):
        assert len(got) == len(wanted)
        for pair in zip(got, wanted, strict=True):
            assert_same(*pair)
    else:
        assert np.shape(got) == np.shape(wanted)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def expected(name, args, options):
    result = function(np, ".".join(EARLIER.get(part, part) for part in name.split(".")))(
        *args, **options
    )
    return result.ravel() if name == "in1d" else result


def title(case):
    return case[0]


@pytest.mark.parametrize("case", CASES, ids=title)
def test_results_are_those_of_numpy(case):
    name, args, options = case
    got = function(mnp, name.removeprefix("linalg."))(
        *tensors(args), **{k: tensors(v) for k, v in options.items()}
    )
    assert_same(arrays(got), expected(*case))


@pytest.mark.parametrize(
    "case", [c for c in CASES[::4] if c[0] not in ("histogram", "bincount")], ids=title
)
def test_compiled_functions_give_the_same(case):
    name, args, options = case
    options_of = {k: tensors(v) for k, v in options.items()}
    of_library = function(mnp, name.removeprefix("linalg."))
    compiled = ms.jit(lambda *values: of_library(*values, **options_of))
    assert_same(arrays(compiled(*tensors(args))), expected(*case))


def test_a_diagonal_in_a_compiled_function_leaves_its_matrix_alone():
    @ms.jit
    def scaled(x):
        x = x * 2
        return x / ops.sqrt(ops.diagonal(x))

    x = np.full((3, 3), 8, np.float32)
    np.testing.assert_array_equal(scaled(Tensor(x)).asnumpy(), np.full((3, 3), 4))


def test_gradients_flow_through_compositions():
    x = Tensor(A)
    got = ms.grad(lambda v: mnp.sum(mnp.sqrt(mnp.var(v, 1))))(x).asnumpy()
    distance = A - A.mean(1, keepdims=True)
    np.testing.assert_allclose(got, distance / 4 / A.std(1, keepdims=True), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda: mnp.array([1, 2]), ms.int32),
        (lambda: mnp.array([1, 2.5]), ms.float32),
        (lambda: mnp.full((2, 2), 7), ms.int32),
        (lambda: mnp.arange(3), ms.int32),
        (lambda: mnp.add(Tensor([1], ms.int32), 0.5), ms.float32),
        (lambda: mnp.true_divide(Tensor([1], ms.int32), 2), ms.float32),
        (lambda: mnp.mean(Tensor([1, 2], ms.int32)), ms.int32),
        (lambda: mnp.sum(Tensor([True, True])), ms.int64),
        (lambda: mnp.cumsum(Tensor([1, 2], ms.int8)), ms.int32),
        (lambda: mnp.add(Tensor([1.0]), 1, dtype=mnp.float16), ms.float16),
    ],
)
def test_types_of_results(make, dtype):
    assert make().dtype == dtype  # observed: MindSpore 2.10, CPU


def test_unique_keeps_the_order_of_first_occurrence():
    values, inverse = mnp.unique(Tensor([[5, 2], [5, 1]], ms.int32), True)
    assert values.asnumpy().tolist() == [5, 2, 1]
    assert inverse.asnumpy().tolist() == [[0, 1], [0, 2]]


def test_grids_are_indexed_by_slices():
    np.testing.assert_array_equal(mnp.mgrid[0:2, 1:4].asnumpy(), np.mgrid[0:2, 1:4])
    rows, columns = mnp.ogrid[0:2, 0:1:3j]
    assert rows.shape == (2, 1)
    assert columns.asnumpy().tolist() == [[0, 0.5, 1]]


def test_random_numbers_have_their_shape_and_range():
    assert mnp.rand(2, 3).shape == (2, 3)
    assert mnp.randn((2, 3)).shape == (2, 3)
    drawn = mnp.randint(2, 5, (100,)).asnumpy()
    assert set(drawn.tolist()) == {2, 3, 4}


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: mnp.clip(Tensor(A), None, None), ValueError),
        (lambda: mnp.split(Tensor(A), 3, 1), ValueError),
        (lambda: mnp.sum(Tensor(A), 2), ValueError),
        (lambda: mnp.sum(Tensor(A), 1.5), TypeError),
        (lambda: mnp.convolve(Tensor(V), Tensor(W), "all"), ValueError),
        (lambda: mnp.pad(Tensor(A), 1, "none"), ValueError),
        (lambda: mnp.meshgrid(Tensor(V), indexing="x"), ValueError),
    ],
)
def test_wrong_arguments_are_refused(make, error):
    with pytest.raises(error, match=r"^For '"):
        make()
