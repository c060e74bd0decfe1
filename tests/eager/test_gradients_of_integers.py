"""Derivatives pass through integers and bools, cut off where a value is whole (observed: MindSpore 2.10)."""
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

W = Tensor(np.array([1, 2, -3], np.int32))
F = Tensor(np.array([1.5, 2.0, -3.0], np.float32))
TRUTHS = Tensor(np.array([True, False, True]))


def as_floats(x):
    return x.astype(ms.float32) * 2.5


def chosen(x):
    return x * 2 if x.sum() > -1 else x * 3


def repeated(x):
    y, i = x.astype(ms.float32), Tensor(0)
    while i < 3:
        y, i = y * x, i + 1
    return y


def grown(x):
    while x.sum() < 40 and x.sum() > -40:
        x = x * 2 + 1
    return x


def written(x):
    y = x + 1
    y[0] = x[1] * 2
    return y


CASES = [(as_floats, W, [2, 2, 2], ms.int32), (lambda x: x * 2.5, W, [2, 2, 2], ms.int32),
         (lambda x: x * F, W, [1, 2, -3], ms.int32), (lambda x: x / 2, W, [0.5, 0.5, 0.5], ms.float32),
         (lambda x: x / Tensor([2, 1, 1]), W, [0, 1, 1], ms.int32),
         (lambda x: x.astype(ms.int64) * 2, W, [2, 2, 2], ms.int32),
         (lambda x: x.mean(), W, [1 / 3, 1 / 3, 1 / 3], ms.float32), (ops.mean, W, [0, 0, 0], ms.int32),
         (ops.norm, 4 * W, [14 ** -0.5, 2 * 14 ** -0.5, -3 * 14 ** -0.5], ms.float32),
         (nn.Norm(), W, [14 ** -0.5, 2 * 14 ** -0.5, -3 * 14 ** -0.5], ms.float32),
         (lambda x: x.sum(), W, [1, 1, 1], ms.int32), (lambda x: x.prod(), W, [-6, -3, 2], ms.int32),
         (lambda x: ops.cumprod(x, 0), W, [-3, -2, 2], ms.int32), (lambda x: x.max(), W, [0, 1, 0], ms.int32),
         (lambda x: ops.minimum(x, 2), W, [1, 0, 1], ms.int32),
         (lambda x: ops.where(x > 1, x * 3, x), W, [1, 3, 1], ms.int32),
         (chosen, W, [2, 2, 2], ms.int32), (chosen, W - 9, [3, 3, 3], ms.int32), (repeated, W, [4, 32, -108], ms.int32),
         (grown, W * 0 + 1, [8, 8, 8], ms.int32), (written, W, [0, 3, 1], ms.int32),
         (as_floats, TRUTHS, [1, 1, 1], ms.bool_), (lambda x: x[1] * 3.0, TRUTHS, [0, 1, 0], ms.bool_),
         (lambda x: x.astype(ms.int32).astype(ms.float32) * 2.5, F, [2, 2, 2], ms.float32),
         (lambda x: (x > 0).astype(ms.float32) * x, F, [1, 1, 0], ms.float32),
         (lambda x: x.astype(ms.int32) * x, F, [2, 4, -6], ms.float32)]


@pytest.mark.parametrize("mode", ["tape", "graph", "graph on the tape"])
@pytest.mark.parametrize(("fn", "x", "slope", "dtype"), CASES)
def test_slopes_of_whole_numbers(fn, x, slope, dtype, mode):
    take = {"tape": lambda: ms.grad(fn)(x), "graph": lambda: ms.jit(ms.grad(fn))(x),
            "graph on the tape": lambda: ms.grad(ms.jit(fn))(x)}[mode]
    found = take()
    assert found.dtype is dtype
    np.testing.assert_allclose(found.asnumpy().astype(np.float64), slope)


def test_a_compiled_function_answers_for_integers_that_are_watched_later():
    fn = ms.jit(lambda x, y: x.astype(ms.float32) * y)
    np.testing.assert_array_equal(ops.grad(fn, 1)(W, F).asnumpy(), [1, 2, -3])
    both = ops.grad(fn, (0, 1))(W, F * 2)
    np.testing.assert_array_equal(both[0].asnumpy(), [3, 4, -6])
    np.testing.assert_array_equal(both[1].asnumpy(), [1, 2, -3])


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.array([2, 3, 4], np.int32)), name="w")

    def construct(self, x):
        ops.assign(self.w, x * 2)
        return self.w * x


@pytest.mark.usefixtures("both_modes")
def test_parameters_of_integers():
    net = Counter()
    slopes = ops.GradOperation(get_by_list=True)(net, ms.ParameterTuple([net.w]))(W)
    np.testing.assert_array_equal(slopes[0].asnumpy(), [1, 2, -3])
    np.testing.assert_array_equal(ops.grad(net)(W).asnumpy(), [2, 4, -6])


def test_a_call_without_arguments_has_no_gradients_of_any():
    w = Parameter(Tensor([2.0]), name="w")
    assert ops.grad(lambda: w * 3)() == ()
    value, slopes = ops.value_and_grad(lambda: w * 3)()
    assert (value.tolist(), slopes) == ([6.0], ())
    assert ops.GradOperation()(lambda: w * 3)() == ()
    with pytest.raises(ValueError, match="out of range"):
        ops.grad(lambda x: x, 1)(F)
