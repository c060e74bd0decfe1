"""Gradients that the `bprop` of a cell gives: shape, dtype, what it is given, what belongs to parameters."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ALL = ops.GradOperation(get_all=True)


class Sum(nn.Cell):
    """`x + y`, whose gradients are what it was made with."""

    def __init__(self, *gradients):
        super().__init__()
        self.gradients = gradients

    def construct(self, x, y):
        return x + y

    def bprop(self, x, y, out, dout):
        return self.gradients


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("dtype", [ms.float32, ms.int64, ms.float16])
def test_a_gradient_is_summed_and_cast_to_what_it_belongs_to(dtype):
    wide = Tensor([[1, 2, 3], [4, 5, 6]], dtype)
    dx, dy = ALL(Sum(wide, wide))(Tensor([1.0, 1.0, 1.0]), Tensor(np.ones((2, 1), np.float32)))
    assert dx.dtype is dy.dtype is ms.float32
    assert dx.tolist() == [5.0, 7.0, 9.0]
    assert dy.tolist() == [[6.0], [15.0]]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("shape", [(), (1,), (2,), (4,), (2, 2)])
def test_a_gradient_of_no_fitting_shape_is_refused(shape):
    x = Tensor([1.0, 1.0, 1.0])
    with pytest.raises(RuntimeError, match="grad tensor should be broadcast to"):
        ALL(Sum(Tensor(np.ones(shape, np.float32)), x))(x, x)


def test_a_gradient_that_is_no_tensor_is_refused():
    x = Tensor([1.0])
    with pytest.raises(RuntimeError, match="'bprop' must give a tensor or None for each input, but gave 3"):
        ALL(Sum(3, x))(x, x)


class Squares(nn.Cell):
    used_bprop_inputs = (0,)

    def construct(self, x, y):
        return x * x, y * y

    def bprop(self, x, y, out, dout):
        assert y is None
        assert out is None
        return 2 * x * dout[0], dout[1]


@pytest.mark.usefixtures("both_modes")
def test_a_derivative_gets_what_it_says_that_it_uses():
    dx, dy = ALL(Squares())(Tensor([3.0]), Tensor([5.0]))
    assert dx.tolist() == [6.0]
    assert dy.tolist() == [1.0]


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")
        self.v = Parameter(Tensor([5.0]), name="v")
        self.internal_params = [self.w, self.v]

    def construct(self, x):
        return self.w * x

    def bprop(self, x, out, dout):
        return (self.w * dout,), {self.w: 10 * x * dout}


@pytest.mark.usefixtures("both_modes")
def test_a_derivative_gives_gradients_of_parameters():
    net = Scaled()
    (dx,), (dw, dv) = ops.GradOperation(get_all=True, get_by_list=True)(net, [net.w, net.v])(Tensor([7.0]))
    assert dx.tolist() == [3.0]
    assert dw.tolist() == [70.0]
    assert dv.tolist() == [0.0]


def test_the_result_of_a_cell_with_a_derivative_is_not_its_input():
    class Same(nn.Cell):
        def construct(self, x):
            return x, 1

        def bprop(self, x, out, dout):
            return dout[0] * 4

    x = Tensor([1.0])
    out, one = Same()(x)
    assert out is not x
    assert (out.tolist(), one) == ([1.0], 1)
    assert ms.grad(lambda x: Same()(x)[0])(x).tolist() == [4.0]
