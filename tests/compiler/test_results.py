"""What a program gives back, and what it changes."""
from __future__ import annotations

import numpy as np

from mindspore import Parameter, Tensor, nn, ops
from mindspore.compiler.program import Program

X = Tensor([1.0, 2.0])


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")
        self.v = Parameter(Tensor([0.0, 0.0]), name="v")
        self.last = None

    def construct(self, x):
        self.w = x
        self.v = self.v + x
        self.last = {"sum": x.sum(), "count": 2}
        return {"a": (x + 1, "text"), "b": [x * 2, None]}


def test_the_result_has_the_structure_that_the_function_returned():
    result = Program("net", Net(), (X,), {})([X])
    assert result["a"][1] == "text"
    assert result["b"][1] is None
    np.testing.assert_array_equal(result["a"][0].asnumpy(), [2, 3])
    np.testing.assert_array_equal(result["b"][0].asnumpy(), [2, 4])


def test_parameters_and_attributes_get_their_new_values_at_every_run():
    net = Net()
    program = Program("net", net, (X,), {})
    assert net.last is None
    program([X])
    program([Tensor([5.0, 5.0])])
    np.testing.assert_array_equal(net.v.asnumpy(), [6, 7])
    assert float(net.last["sum"]) == 10
    assert net.last["count"] == 2


def test_a_parameter_that_gets_an_input_has_a_storage_of_its_own():
    net, x = Net(), Tensor([1.0, 2.0])
    program = Program("net", net, (x,), {})
    program([x])
    assert program.executable.shared == [2]
    assert net.w._data.data_ptr() != x._data.data_ptr()


def test_a_value_that_is_returned_and_assigned_is_copied():
    def update(x):
        y = ops.exp(x)
        net.v = y
        return y

    net = Net()
    result = Program("update", update, (X,), {})([X])
    net.v.set_data(Tensor([0.0, 0.0]))
    np.testing.assert_allclose(result.asnumpy(), np.exp([1, 2]), rtol=1e-6)


def test_an_argument_that_is_changed_in_place_keeps_its_storage():
    def change(x):
        x[0] = 5
        return x * 2

    x = Tensor([1.0, 2.0])
    place = x._data.data_ptr()
    result = Program("change", change, (x,), {})([x])
    assert x._data.data_ptr() == place
    np.testing.assert_array_equal(x.asnumpy(), [5, 2])
    np.testing.assert_array_equal(result.asnumpy(), [10, 4])


def test_a_value_without_gradient_is_assigned_as_it_is_and_copied_only_if_it_has_another_use():
    net = Net()

    def keep(x):
        y = ops.exp(x)
        net.v = ops.stop_gradient(y)
        net.w = ops.stop_gradient(ops.sin(x))
        return y

    program = Program("keep", keep, (X,), {})
    result = program([X])
    assert [program.assigned[k - program.count].name for k in program.executable.shared] == ["v"]
    net.v.set_data(Tensor([0.0, 0.0]))
    np.testing.assert_allclose(result.asnumpy(), np.exp([1, 2]), rtol=1e-6)
