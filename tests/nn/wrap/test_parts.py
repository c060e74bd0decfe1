"""Cells around networks: parts of a batch, evaluation in float32, scaled gradients."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Neighbours(nn.Cell):
    """The product of the first two rows, which tells parts that lie together from every second row."""

    def construct(self, x):
        return x[0] * x[1]


@pytest.mark.parametrize("cell", [nn.MicroBatchInterleaved, nn.GradAccumulationCell])
def test_parts_of_a_batch_are_rows_that_lie_together(cell):
    x = Tensor(np.array([[1.0], [2.0], [3.0], [4.0]], np.float32))
    assert cell(Neighbours(), 2)(x).tolist() == [1.0 * 2.0 + 3.0 * 4.0]


class Half(nn.Cell):
    def construct(self, x):
        return x.astype(ms.float16)


@pytest.mark.parametrize(("cast", "dtype"), [(True, ms.float32), (False, ms.float16)])
def test_an_evaluation_computes_the_loss_in_float32_on_request(cast, dtype):
    seen = []

    def loss(out, label):
        seen.append((out.dtype, label.dtype))
        return (out - label).abs().mean()
    x, label = Tensor(np.ones((3, 2), np.float32)), Tensor(np.zeros((3, 2), np.float16))
    found, out, y = nn.WithEvalCell(Half(), loss, add_cast_fp32=cast)(x, label)
    assert seen == [(dtype, dtype)]
    assert (found.dtype, out.dtype, y.dtype) == (dtype, dtype, dtype)


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        return (self.w * x).sum()


@pytest.mark.parametrize(("sens", "factor"), [(None, 1.0), (4.0, 4.0), (Tensor(0.5), 0.5)])
def test_gradients_are_multiplied_by_sens(sens, factor):
    (found,) = nn.WithGradCell(Scaled(), sens=sens)(Tensor([5.0, 7.0]))
    assert found.tolist() == [5.0 * factor, 7.0 * factor]


class Two(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        return self.w * x, self.w * self.w


@pytest.mark.parametrize(("get_all", "get_by_list"), [(False, False), (True, False), (False, True), (True, True)])
def test_what_is_differentiated_and_by_which_cotangents(get_all, get_by_list):
    net = Two()
    step = nn.ForwardValueAndGrad(net, net.trainable_params(), get_all, get_by_list, sens_param=True)
    x, d, e = Tensor([5.0, 7.0]), Tensor([1.0, 10.0]), Tensor([100.0, 0.5])
    _, found = step(x, (d, e))
    of_x = [2.0 * 1.0, 3.0 * 10.0]
    of_w = [5.0 * 1.0 + 2 * 2.0 * 100.0, 7.0 * 10.0 + 2 * 3.0 * 0.5]
    if get_all:
        inputs, weights = found if get_by_list else (found, ())
        assert [g.tolist() for g in inputs] == [of_x]
    else:
        weights = found if get_by_list else ()
        assert get_by_list or found.tolist() == of_x
    assert [g.tolist() for g in weights] == ([of_w] if get_by_list else [])


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_a_scale_without_dimensions_meets_a_loss_of_one_element(run):
    by_scale = ops.GradOperation(get_all=True, sens_param=True)
    rows, scalar = lambda x: ops.ReduceSum(True)(x * x), lambda x: (x * x).sum()
    for loss, scale in ((rows, 3.0), (scalar, [3.0])):
        assert run(by_scale(loss))(Tensor([1.0, 2.0]), Tensor(scale))[0].tolist() == [6.0, 12.0]
    with pytest.raises(ValueError, match="shape"):
        run(by_scale(rows))(Tensor([1.0, 2.0]), Tensor([[3.0]]))
