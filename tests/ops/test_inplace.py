"""Methods that change a tensor itself."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, grad, jit

CASES = {
    "add_": (lambda x: x.add_(Tensor([1.0, 1.0, 1.0])), [2, 3, 4]), "mul_": (lambda x: x.mul_(2.0), [2, 4, 6]),
    "sub_": (lambda x: x.sub_(1.0), [0, 1, 2]), "div_": (lambda x: x.div_(2.0), [0.5, 1, 1.5]),
    "fill_": (lambda x: x.fill_(7), [7, 7, 7]), "zero_": (lambda x: x.zero_(), [0, 0, 0]),
    "copy_": (lambda x: x.copy_(Tensor([5])), [5, 5, 5]),
    "masked_fill_": (lambda x: x.masked_fill_(Tensor([True, False, True]), 9.0), [9, 2, 9]),
    "index_fill_": (lambda x: x.index_fill_(0, Tensor([1]), 9.0), [1, 9, 3]),
    "index_add_": (lambda x: x.index_add_(0, Tensor([1, 1]), Tensor([1.0, 2.0]), alpha=2), [1, 8, 3]),
    "index_copy_": (lambda x: x.index_copy_(0, Tensor([2]), Tensor([8.0])), [1, 2, 8]),
    "index_put_": (lambda x: x.index_put_((Tensor([0, 0]),), Tensor([1.0, 2.0]), True), [4, 2, 3]),
    "scatter_": (lambda x: x.scatter_(0, Tensor([2, 0]), Tensor([8.0, 9.0])), [9, 2, 8]),
    "scatter_ number": (lambda x: x.scatter_(0, Tensor([2]), value=4.0, reduce="multiply"), [1, 2, 12]),
    "scatter_add_": (lambda x: x.scatter_add_(0, Tensor([1, 1]), Tensor([1.0, 1.0])), [1, 4, 3]),
    "put_": (lambda x: x.put_(Tensor([0]), Tensor([6.0]), accumulate=True), [7, 2, 3]),
    "clamp_": (lambda x: x.clamp_(2, 2.5), [2, 2, 2.5]),
}


@pytest.mark.parametrize(("change", "wanted"), CASES.values(), ids=CASES)
def test_the_tensor_and_its_views_hold_the_new_elements(change, wanted):
    x = Tensor([1.0, 2.0, 3.0])
    view = x.reshape(3, 1)
    assert change(x) is x
    np.testing.assert_array_equal(x.asnumpy(), wanted)
    np.testing.assert_array_equal(view.asnumpy()[:, 0], wanted)


@pytest.mark.parametrize(("change", "wanted"), CASES.values(), ids=CASES)
def test_a_parameter_keeps_its_name_and_takes_the_elements(change, wanted):
    p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")
    change(p)
    np.testing.assert_array_equal(p.asnumpy(), wanted)
    assert p.name == "p"


def test_a_gradient_sees_the_new_value():
    def function(x):
        y = x * 2
        y.mul_(y)
        return y.sum()

    np.testing.assert_array_equal(grad(function)(Tensor([1.0, 3.0])).asnumpy(), [8, 24])


def test_another_shape_is_refused():
    with pytest.raises(RuntimeError, match="broadcast"):
        Tensor([1.0, 2.0]).copy_(Tensor([1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match="in place"):
        Tensor([1.0]).add_(Tensor([1.0, 2.0]))


def test_a_compiled_graph_changes_its_argument():
    x = Tensor([2.0])
    view = x.reshape(1, 1)
    jit(lambda x: x.fill_(1.0), fullgraph=True)(x)
    assert float(x) == float(view) == 1


def test_one_tensor_given_twice_is_changed_once_for_both():
    def program(x, y):
        x.add_(1.0)
        y.mul_(2.0)
        return x + y

    x = Tensor([2.0])
    assert float(jit(program)(x, x)) == 12
    assert float(x) == 6


def test_a_compiled_graph_changes_its_own_tensors():
    def program(x):
        y = x * 2.0
        z = y
        y.add_(1.0)
        return z
    assert jit(program)(Tensor([1.0])).asnumpy().tolist() == [3.0]
