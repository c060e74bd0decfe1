"""Hooks, derivatives of one's own, and the float type of cells."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


@pytest.fixture(autouse=True)
def _pynative():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


class Half(nn.Cell):
    """Multiplies with a parameter, an attribute and a fixed tensor."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(ones(2, 2), name="w")
        self.c = ones(2, 2)
        self.relu = nn.ReLU()

    def construct(self, x):
        island = ops.cast(x * 1, ms.float32)
        return x * self.w, x * self.c, self.relu(x), island * island


def test_pre_hooks_and_hooks_see_and_replace():
    seen = []
    relu = nn.ReLU()
    relu.register_forward_pre_hook(lambda cell, args: seen.append((type(cell), args)) or (args[0] * 2,))
    relu.register_forward_hook(lambda cell, args, out: out + 100)
    x = ones(2)
    assert relu(x).asnumpy().tolist() == [102, 102]
    assert seen[0][0] is nn.ReLU
    assert seen[0][1][0] is x


def test_a_removed_hook_is_not_called():
    relu, calls = nn.ReLU(), []
    handle = relu.register_forward_hook(lambda *_: calls.append(1))
    relu(ones(2))
    handle.remove()
    relu(ones(2))
    handle.remove()
    assert calls == [1]


@pytest.mark.usefixtures("both_modes")
def test_a_cell_that_ran_before_notices_hooks_that_come_and_go():
    relu = nn.ReLU()
    net, found = nn.SequentialCell(relu), []
    found.append(net(ones(1)))
    first = relu.register_forward_hook(lambda cell, args, out: out + 1)
    found.append(net(ones(1)))
    second = relu.register_forward_pre_hook(lambda cell, args: args[0] * 10)
    found.append(net(ones(1)))
    for handle in (first, second):
        handle.remove()
        found.append(net(ones(1)))
    assert [f.asnumpy().tolist() for f in found] == [[1], [2], [11], [10], [1]]


def test_hooks_may_stand_first_and_take_keywords():
    order, relu = [], nn.ReLU()
    relu.register_forward_hook(lambda *_: order.append("second"))
    relu.register_forward_hook(lambda *_: order.append("first"), prepend=True)
    relu.register_forward_hook(lambda cell, args, kwargs, out: order.append(list(kwargs)),
                               with_kwargs=True)
    relu(input=ones(2))
    assert order == ["first", "second", ["input"]]


def test_a_hook_can_be_called_after_a_failure():
    calls = []
    relu = nn.ReLU()
    relu.register_forward_hook(lambda *_: calls.append("always"), always_call=True)
    relu.register_forward_hook(lambda *_: calls.append("never"))
    with pytest.raises(TypeError):
        relu(ones(2), ones(2))
    assert calls == ["always"]


def test_what_is_no_function_is_no_hook():
    with pytest.raises(TypeError):
        nn.ReLU().register_backward_hook(3)


@pytest.mark.usefixtures("both_modes")
def test_backward_hooks_see_and_replace_gradients():
    seen = []

    def hook(cell, grad_input, grad_output):
        seen.append((len(grad_input), len(grad_output)))
        return (grad_input[0] * 10,)

    relu = nn.ReLU()
    relu.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] * 7)
    relu.register_backward_hook(hook)
    assert ms.grad(relu)(ones(2)).asnumpy().tolist() == [70, 70]
    assert seen == [(1, 1)]


@pytest.mark.usefixtures("both_modes")
def test_a_backward_hook_of_a_first_layer_gets_no_input_gradient():
    seen, net = [], nn.Dense(2, 2)
    net.register_backward_hook(lambda cell, grad_input, grad_output: seen.append(grad_input))
    ms.grad(net, None, net.trainable_params())(ones(1, 2))
    assert seen == [(None,)]


@pytest.mark.usefixtures("both_modes")
def test_a_backward_hook_must_return_a_gradient_per_input():
    relu = nn.ReLU()
    relu.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0],) * 2)
    with pytest.raises(TypeError, match="1 gradients"):
        ms.grad(relu)(ones(2))


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(2.0), name="w")

    def construct(self, x):
        return x * self.w

    def bprop(self, x, out, dout):
        return (dout * x * 100,)


@pytest.mark.usefixtures("both_modes")
def test_bprop_is_the_derivative():
    assert ms.grad(Scaled())(Tensor(3.0)).asnumpy() == 300
    assert ms.grad(ms.grad(Scaled()))(Tensor(3.0)).asnumpy() == 100


@pytest.mark.usefixtures("both_modes")
def test_a_jitted_function_with_a_bprop_inside_can_be_differentiated():
    net, seen = Scaled(), []

    class Counted(nn.Cell):
        def construct(self, x):
            return net(x)

        def bprop(self, x, out, dout):
            seen.append(1)
            return (dout * x,)

    cell = Counted()

    @ms.jit
    def loop(x):
        while x < 20:
            x = cell(x)
        return x

    assert float(ms.grad(ms.jit(lambda x: net(x) * 2))(Tensor(3.0))) == 600
    assert float(ms.grad(loop)(Tensor(3.0))) == 3 * 6 * 12
    assert seen == [1, 1, 1]


@pytest.mark.usefixtures("both_modes")
def test_bprop_may_return_what_is_for_parameters_too():
    class Net(Scaled):
        def bprop(self, x, out, dout):
            return (dout * 7,), {"w": dout}

    net = Net()
    assert ms.grad(net)(Tensor(3.0)).asnumpy() == 7
    found = ms.grad(net, 0, net.trainable_params())(Tensor(3.0))
    assert (found[0].asnumpy(), found[1][0].asnumpy()) == (7, 0)      # observed: MindSpore 2.10, CPU


@pytest.mark.usefixtures("both_modes")
def test_bprop_gets_arguments_by_place_however_they_are_given():
    class Net(nn.Cell):
        def construct(self, x, y, scale=1.0):
            return x * y * scale

        def bprop(self, x, y, out, dout):
            return dout * 7, dout * 9

    net = Net()
    for call in (net, lambda x, y: net(x, y=y), lambda x, y: net(y=y, x=x)):
        found = ms.grad(call, (0, 1))(Tensor(1.0), Tensor(2.0))
        assert [d.asnumpy() for d in found] == [7, 9]


def test_bprop_takes_and_gives_containers_of_any_kind():
    class Pair(NamedTuple):
        a: Tensor
        b: Tensor

    class Net(nn.Cell):
        def construct(self, named, pair):
            return Pair(pair.a * pair.b, named["k"] * 2)

        def bprop(self, named, pair, out, dout):
            return {"k": dout.b * 30}, Pair(dout.a * 10, dout.b * 0)

    def total(a, b, k):
        out = Net()({"k": k}, Pair(a, b))
        return out.a.sum() + out.b.sum()

    found = ms.grad(total, (0, 1, 2))(ones(2), ones(2), ones(2))
    assert [d.asnumpy().tolist() for d in found] == [[10, 10], [0, 0], [30, 30]]


def test_bprop_hides_the_parameters():
    net = Scaled()
    found, = ms.grad(net, None, net.trainable_params())(Tensor(3.0))
    assert float(found) == 0.0


@pytest.mark.usefixtures("both_modes")
def test_a_cell_computes_in_its_float_type_and_keeps_its_parameters():
    net = Half().to_float(ms.float16)
    by_weight, by_constant, relu, island = net(ones(2, 2))
    assert by_weight.dtype is ms.float16
    assert by_constant.dtype is ms.float16
    assert relu.dtype is ms.float16
    assert island.dtype is ms.float32            # cast explicitly inside the cell
    assert net.w.dtype is ms.float32


@pytest.mark.usefixtures("both_modes")
def test_an_inner_cell_may_have_another_float_type():
    net = Half().to_float(ms.float16)
    net.relu.to_float(ms.float32)
    assert net(ones(2, 2))[2].dtype is ms.float32
    outer = Half()
    outer.relu.to_float(ms.float16)
    results = outer(ones(2, 2))
    assert [r.dtype for r in results[:3]] == [ms.float32, ms.float32, ms.float16]


@pytest.mark.usefixtures("both_modes")
def test_gradients_of_parameters_stay_in_full_precision():
    net = nn.Dense(3, 2).to_float(ms.float16)
    x = ones(4, 3)
    found = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(x)
    assert [g.dtype for g in found] == [ms.float32, ms.float32]
    np.testing.assert_allclose(found[0].asnumpy(), np.full((2, 3), 4.0))


@pytest.mark.usefixtures("both_modes")
def test_batch_normalisation_keeps_its_moving_statistics_precise():
    net = nn.BatchNorm2d(2).to_float(ms.float16).set_train()
    x = Tensor(np.random.randn(8, 2, 3, 3).astype(np.float32))
    assert net(x).dtype is ms.float16
    expected = 0.1 * x.asnumpy().astype(np.float16).astype(np.float32).mean((0, 2, 3))
    np.testing.assert_allclose(net.moving_mean.asnumpy(), expected, rtol=1e-4, atol=1e-6)


def test_only_float_types_are_taken():
    for wrong in (ms.int32, ms.float64):
        with pytest.raises(ValueError, match="to_float"):
            nn.ReLU().to_float(wrong)


@pytest.mark.usefixtures("both_modes")
def test_forward_hooks_have_their_effects_at_every_run():
    seen = []
    cell = nn.ReLU()

    def before(cell, inputs):
        seen.append("before")
        return (inputs[0] * len(seen),)

    def after(cell, inputs, output):
        seen.append("after")
        return output + len(seen)

    cell.register_forward_pre_hook(before)
    cell.register_forward_hook(after)
    assert [float(cell(Tensor(1.0))) for _ in range(3)] == [3, 7, 11]
    assert seen == ["before", "after"] * 3


def test_backward_hooks_enclose_the_forward_hooks():
    """The gradients that a backward hook sees are those of what the forward hooks made of the result."""
    double, seen = nn.ReLU(), []
    double.register_forward_hook(lambda cell, args, out: out * 10 + args[0])
    double.register_backward_pre_hook(lambda cell, douts: seen.append(douts[0].tolist()))
    double.register_backward_hook(lambda cell, dins, douts: seen.append(dins[0].tolist()))
    assert ms.grad(double)(Tensor([2.0])).tolist() == [11.0]
    assert seen == [[1.0], [11.0]]
