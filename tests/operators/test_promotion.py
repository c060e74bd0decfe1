"""Types that torch has few kernels for: unsigned integers, as NumPy computes them, and float16 of linear algebra."""
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

LARGE = np.array([2 ** 63 + 5, 3, 2 ** 64 - 1, 7], np.uint64)
OTHER = np.array([7, 2 ** 63 + 1, 2, 7], np.uint64)
BOTH = {"maximum": np.maximum, "minimum": np.minimum, "floor_div": np.floor_divide, "floor_mod": np.mod,
        "less": np.less, "ge": np.greater_equal,
        "mul": np.multiply, "add": np.add, "sub": np.subtract, "equal": np.equal}


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["pynative", "graph"])
@pytest.mark.parametrize("name", BOTH)
def test_integers_beyond_the_largest_signed_one(name, wrap):
    found = wrap(getattr(ops, name))(Tensor(LARGE), Tensor(OTHER)).asnumpy()
    expected = BOTH[name](LARGE, OTHER)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_their_extremes_and_quotients_by_numbers(wrap):
    x = Tensor(LARGE)
    assert int(wrap(ops.ReduceMax())(x).asnumpy()) == LARGE.max()
    assert int(wrap(ops.ReduceMin())(x).asnumpy()) == LARGE.min()
    assert int(wrap(ops.Argmax())(x)) == LARGE.argmax()
    np.testing.assert_array_equal(wrap(lambda x: x // 10)(x).asnumpy(), LARGE // np.uint64(10))
    np.testing.assert_array_equal(wrap(lambda x: x % 10)(x).asnumpy(), LARGE % np.uint64(10))
    np.testing.assert_array_equal(wrap(lambda x: x > 5)(x).asnumpy(), np.greater(LARGE, 5))
    np.testing.assert_array_equal(wrap(ops.TruncateDiv())(x, Tensor(OTHER)).asnumpy(), LARGE // OTHER)
    places = np.array([1, 0, 60, 63], np.uint64)
    np.testing.assert_array_equal(wrap(ops.RightShift())(x, Tensor(places)).asnumpy(), LARGE >> places)
    np.testing.assert_array_equal(wrap(ops.UnsortedSegmentMax())(x, Tensor([0, 1, 1, 0]), 2).asnumpy(),
                                  [2 ** 63 + 5, 2 ** 64 - 1])


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64])
def test_operators_over_unsigned_integers(dtype):
    x = np.array([[1, 9, 3], [4, 200, 6], [7, 8, 65535]], dtype)
    t, at, new = Tensor(x), Tensor([[0], [2]]), Tensor(x[:2])
    expected = {
        "tril": (ops.tril(t), np.tril(x)), "triu": (ops.triu(t), np.triu(x)), "flip": (ops.flip(t, (0,)), x[::-1]),
        "addn": (ops.addn([t, t, t]), x * 3), "invert": (ops.invert(t), ~x),
        "product": (ops.BatchMatMul()(t[None], t[None])[0], x @ x),
        "written": (ops.tensor_scatter_update(t, at, new), x[[0, 1, 1]]),
        "added": (ops.tensor_scatter_add(t, at, new), x + np.stack([x[0], 0 * x[0], x[1]])),
        "greater": (ops.tensor_scatter_max(t, at, new), np.maximum(x, np.stack([x[0], 0 * x[0], x[1]]))),
        "segments": (ops.unsorted_segment_sum(t, Tensor([1, 0, 1]), 2), np.stack([x[1], x[0] + x[2]])),
        "products of segments": (ops.unsorted_segment_prod(t, Tensor([1, 0, 1]), 2), np.stack([x[1], x[0] * x[2]]))}
    for name, (found, wanted) in expected.items():
        assert found.asnumpy().dtype == dtype, name
        np.testing.assert_array_equal(found.asnumpy(), wanted, name)


def test_linear_algebra_of_float16():
    x = np.array([[2.0, 1.0], [1.0, 4.0]], np.float16)
    found = ops.MatrixDeterminant()(Tensor(x))
    assert (found.dtype, float(found)) == (ms.float16, 7)
    solved = ops.MatrixSolve()(Tensor(x), Tensor(np.array([[3.0], [5.0]], np.float16)))
    np.testing.assert_allclose(solved.asnumpy(), [[1], [1]], rtol=1e-3)
    q, r = ops.Qr()(Tensor(x))
    np.testing.assert_allclose((q @ r).asnumpy(), x, atol=5e-3)
