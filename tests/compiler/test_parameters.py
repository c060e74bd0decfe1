"""Parameters among the arguments of compiled cells."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Store(nn.Cell):
    def construct(self, p, x):
        ops.assign(p, x)
        return p + 1.0


@pytest.mark.usefixtures("both_modes")
def test_a_parameter_given_as_an_argument_can_be_assigned():
    store = Store()
    first, second = Parameter(Tensor([1.0]), name="first"), Parameter(Tensor([2.0]), name="second")
    assert store(first, Tensor([5.0])).asnumpy().tolist() == [6.0]
    assert store(second, Tensor([7.0])).asnumpy().tolist() == [8.0]
    assert (first.asnumpy().tolist(), second.asnumpy().tolist()) == ([5.0], [7.0])


def test_a_parameter_among_the_arguments_is_assigned_as_the_object_that_it_is():
    @ms.jit(fullgraph=True)
    def moved(p, x):
        ops.assign(p, p + x)
        return p * 2
    first, second = Parameter(Tensor([1.0, 2.0]), name="p"), Parameter(Tensor([5.0, 6.0]), name="q")
    x = Tensor([1.0, 1.0])
    assert [moved(p, x).tolist() for p in (first, second, first)] == [[4.0, 6.0], [12.0, 14.0], [6.0, 8.0]]
    assert (first.asnumpy().tolist(), second.asnumpy().tolist()) == ([3.0, 4.0], [6.0, 7.0])
