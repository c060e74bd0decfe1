"""Parameters among the results of compiled programs: what leaves is the parameter itself."""
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, jit, nn, ops


class Net(nn.Cell):
    def __init__(self, program):
        super().__init__()
        self.a = Parameter(Tensor([1.0]), name="a")
        self.b = Parameter(Tensor([2.0]), name="b")
        self.c = Parameter(Tensor([3.0]), name="c")
        self.program = program

    @jit(fullgraph=True)
    def construct(self, x):
        return self.program(self, x)


def itself(net, x):
    return net.a


def assigned(net, x):
    net.a = net.a + x
    return net.a, [net.b, {"c": net.c}]


def chosen(net, x):
    return net.a if x > 0 else net.b


def returned_early(net, x):
    if x > 0:
        return net.a, x * 2
    return net.b, x * 3


def among_three(net, x):
    if x > 0:
        p = net.a
        if x > 1:
            p = net.b
    else:
        p = net.c
    return [p, p * 2]


def of_equals(net, x):
    p = net.a if x > 0 else net.c
    return p, (net.a if x > 0 else net.c)


def chosen_then_assigned(net, x):
    p = net.a if x > 0 else net.b
    net.a = net.a * 10
    return p


def listed(net, x):
    return net.trainable_params()


PROGRAMS = [itself, assigned, chosen, returned_early, among_three, of_equals, chosen_then_assigned, listed]


def described(net, value):
    """Which parameters of a net a result holds, and what."""
    if isinstance(value, (tuple, list)):
        return [described(net, v) for v in value]
    if isinstance(value, dict):
        return {k: described(net, v) for k, v in value.items()}
    name = next((p.name for p in net.get_parameters() if p is value), type(value).__name__)
    return name, value.asnumpy().tolist()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_leaves_is_the_parameter(function):
    for x in (2.0, 0.5, -1.0):
        compiled, plain = Net(function), Net(function)
        found, wanted = compiled(Tensor(x)), function(plain, Tensor(x))
        assert described(compiled, found) == described(plain, wanted)
        assert described(compiled, list(compiled.get_parameters())) == described(plain, list(plain.get_parameters()))


def test_one_program_serves_both_branches():
    net = Net(chosen)
    assert [net(Tensor(x)) is p for x, p in ((1.0, net.a), (-1.0, net.b), (2.0, net.a))] == [True] * 3


def test_a_gradient_goes_through_a_parameter_that_left():
    def loss(x):
        return (net(x) * x * 3).sum()

    net = Net(chosen)
    for x, wanted in ((2.0, [6, 0, 0]), (-2.0, [0, -6, 0])):
        gradients = ms.grad(loss, None, net.trainable_params())(Tensor(x))
        np.testing.assert_allclose([float(g) for g in gradients], wanted)


def test_the_value_of_a_parameter_is_another_tensor():
    def values(net, x):
        p = net.a if x > 0 else net.b
        return p.value(), p + 0, ops.stop_gradient(p)

    assert not any(isinstance(v, Parameter) for v in Net(values)(Tensor(1.0)))


def test_a_parameter_in_one_branch_and_a_tensor_in_the_other_leave_as_a_tensor():
    found = Net(lambda net, x: net.a if x > 0 else x * net.b)(Tensor(1.0))
    assert (type(found), found.asnumpy().tolist()) == (Tensor, [1])


def test_what_leaves_a_program_from_the_disk_is_the_parameter(tmp_path):
    class Plain(Net):
        def construct(self, x):
            return self.a, x * self.b

    ms.set_context(mode=ms.GRAPH_MODE, enable_compile_cache=True, compile_cache_path=str(tmp_path))
    try:
        for stored in ("stored", "loaded"):
            net = Plain(None)
            assert net(Tensor(1.0))[0] is net.a
            assert stored in str(ms.graph.explain(net))
    finally:
        ms.context.reset_context()
