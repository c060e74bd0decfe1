"""Execution without a gradient: the fast path of infix operators does what the general one does."""
import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.ir.runtime import Interpreter, pushed

OPERANDS = {
    "floats": Tensor([1.5, -2.0]), "ints": Tensor([3, 2]), "bools": Tensor([True, False]),
    "half": Tensor([0.5, 4.0], ms.float16), "scalar": Tensor(2.0), "parameter": Parameter(Tensor([2.0, 3.0])),
    "float": 2.5, "int": 2, "bool": True, "complex": 1j, "list": [1.0, 2.0], "array": np.array([1.0, 2.0], np.float32),
}


class Aside(Interpreter):
    """Takes part, and changes nothing."""

    def apply(self, op, inputs, attrs):
        return self.below.apply(op, inputs, attrs)


def outcome(function):
    try:
        found = function()
    except Exception as error:  # which is compared
        return type(error), str(error)
    return found.dtype, found.shape, repr(found.asnumpy().tolist())      # as text NaN is NaN


@pytest.mark.parametrize("right", OPERANDS)
@pytest.mark.parametrize("left", ["floats", "ints", "bools", "half", "parameter"])
@pytest.mark.parametrize("apply", [lambda x, y: x + y, lambda x, y: x / y, lambda x, y: x // y, lambda x, y: x < y,
                                   lambda x, y: x ** y, lambda x, y: x & y, lambda x, y: x @ y],
                         ids=["add", "div", "floordiv", "less", "pow", "and", "matmul"])
def test_with_another_interpreter_the_outcome_is_the_same(apply, left, right):
    x, y = OPERANDS[left], OPERANDS[right]
    quick = outcome(lambda: apply(x, y))
    with pushed(Aside()):
        assert outcome(lambda: apply(x, y)) == quick


def test_results_are_those_of_torch():
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
    a, b = Tensor([1.0, 2.0]), Tensor([3.0, 5.0])
    np.testing.assert_array_equal(((a * b - 1.0) / b).asnumpy(), ((x * y - 1.0) / y).numpy())


def test_an_error_names_the_operator():
    with pytest.raises(ValueError, match="Add"):
        Tensor([1.0, 2.0]) + Tensor([1.0, 2.0, 3.0])


def test_an_infix_operator_is_recorded():
    x = Tensor([2.0, 3.0])
    assert ms.grad(lambda x: (x * x + x).sum())(x).asnumpy().tolist() == [5.0, 7.0]
    assert ops.relu(x * 2).asnumpy().tolist() == [4.0, 6.0]
