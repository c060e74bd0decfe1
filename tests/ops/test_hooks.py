"""Hooks of tensors: what they see, what they replace, in which order; torch is the judge."""
from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.core.errors import GraphValueError

V = [1.0, 2.0]
pytestmark = pytest.mark.usefixtures("both_modes")


def double(gradient):
    return gradient * 2


def square(gradient):
    return gradient * gradient


def next_one(gradient):
    return gradient + 1


def look(gradient):
    gradient * 2


def one(x):
    y = x * 2
    y.register_hook(double)
    return y * 3


def none_returned(x):
    y = x * 2
    y.register_hook(look)
    return y * 3


def in_order(x):
    y = x * 2
    y.register_hook(double)
    y.register_hook(next_one)
    y.register_hook(square)
    return y * 3


def removed(x):
    y = x * 2
    handle = y.register_hook(double)
    y.register_hook(next_one)
    z = y * 3
    handle.remove()
    handle.remove()
    return z


def after_use(x):
    y = x * 2
    z = y * y + y
    y.register_hook(square)
    return z


def of_the_result(x):
    y = x * x
    y.register_hook(double)
    return y


def of_one_part(x):
    a, b = x[0] * 1, x[1] * 1
    a.register_hook(double)
    b.register_hook(square)
    return a * 3 + b * a


def through_a_view(x):
    y = x * 2
    v = y.reshape(2, 1)
    v.register_hook(square)
    y.register_hook(double)
    return v * 3


def of_a_changed_tensor(x):
    y = x * 2
    y.register_hook(double)
    y = y + 1
    y.register_hook(square)
    return y * y


def by_condition(x):
    def clipped(gradient):
        if gradient.sum() > 5:
            return gradient * 0.5
        return gradient * 100

    y = x * x
    y.register_hook(clipped)
    return y * x


def not_reached(x):
    y = x * 2
    y.register_hook(double)
    return x * 3


PROGRAMS = [one, none_returned, in_order, removed, after_use, of_the_result, of_one_part, through_a_view,
            of_a_changed_tensor, by_condition, not_reached]


def by_torch(program, order):
    x = torch.tensor(V, requires_grad=True)
    found = program(x).sum()
    for k in range(order):
        found, = torch.autograd.grad(found.sum(), x, create_graph=k + 1 < order, allow_unused=True)
        if found is None or (k + 1 < order and not found.requires_grad):
            return np.zeros(2)
    return found.detach().numpy()


def by_us(program, order):
    for _ in range(order):
        program = ms.grad(program)
    return program(Tensor(V)).asnumpy()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("order", [1, 2])
def test_gradients_pass_hooks_as_in_torch(program, order):
    np.testing.assert_allclose(by_us(program, order), by_torch(program, order), rtol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_jitted_function_inside_of_a_gradient_has_hooks_too(program):
    np.testing.assert_allclose(by_us(ms.jit(program), 1), by_torch(program, 1), rtol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_the_programs_are_compiled(program):
    compiled = ms.jit(lambda x: ms.grad(program)(x), fullgraph=True)
    np.testing.assert_allclose(compiled(Tensor(V)).asnumpy(), by_torch(program, 1), rtol=1e-6)


def test_what_a_hook_keeps_are_tensors_of_each_run():
    seen = []

    def net(x):
        y = x * 2
        y.register_hook(lambda gradient: seen.append(gradient * 10))
        return y * x

    gradient = ms.grad(net)
    gradient(Tensor(V)), gradient(Tensor([3.0, 4.0]))
    assert [s.asnumpy().tolist() for s in seen] == [[10, 20], [30, 40]]


def test_hooks_are_called_from_the_result_to_the_inputs():
    order = []

    def net(x):
        y = x * 2
        y.register_hook(lambda _: order.append("y"))
        z = y * 3
        z.register_hook(lambda _: order.append("z"))
        return z

    ms.grad(net)(Tensor(V))
    assert order == ["z", "y"]


def test_a_hook_inside_of_a_loop_on_a_tensor_is_called_in_every_pass():
    seen = []

    def net(x):
        while x.sum() < 50:
            x = x * 3
            x.register_hook(double)
        return x

    def counting(x):
        while x.sum() < 50:
            x = x * 3
            x.register_hook(lambda _: seen.append(1))
        return x

    assert ms.grad(net)(Tensor(V)).asnumpy().tolist() == [216, 216]
    ms.grad(counting)(Tensor(V))
    assert len(seen) == 3


def test_a_hook_of_an_argument_stays_with_the_tensor():
    x = Tensor(V)
    handle = x.register_hook(double)
    gradient = ms.grad(lambda x: x * 3)
    assert gradient(x).asnumpy().tolist() == [6, 6]
    assert gradient(Tensor(V)).asnumpy().tolist() == [3, 3]
    handle.remove()
    assert gradient(x).asnumpy().tolist() == [3, 3]


def test_a_hook_that_a_function_gives_its_argument_stays_there():
    handles = []

    def net(x):
        handles.append(x.register_hook(double))
        return x * 3

    x = Tensor(V)
    assert ms.grad(net)(x).asnumpy().tolist() == [6, 6]
    assert ms.grad(net)(x).asnumpy().tolist() == [12, 12]
    handles[0].remove()
    assert ms.grad(lambda x: x * 3)(x).asnumpy().tolist() == [6, 6]


class Affine(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]), name="w")

    def construct(self, x):
        return x * self.w + self.w


def test_hooks_of_parameters_count_from_when_they_are_registered_until_they_are_removed():
    net = Affine()
    gradient = ms.grad(net, None, net.trainable_params())
    found = []
    first = net.w.register_hook(lambda g: g * 5)
    for change in (lambda: None, lambda: net.w.register_hook(next_one), first.remove):
        change()
        found.append(gradient(Tensor(V))[0].asnumpy().tolist())
    assert found == [[10, 15], [11, 16], [3, 4]]


def test_a_compiled_gradient_notices_hooks_that_come_and_go():
    net = Affine()
    gradient = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())
    before = gradient(Tensor(V))[1][0].asnumpy().tolist()
    handle = net.w.register_hook(double)
    of_inputs, (of_weight,) = gradient(Tensor(V))
    handle.remove()
    after = gradient(Tensor(V))[1][0].asnumpy().tolist()
    assert before == after == [2, 3]
    assert of_weight.asnumpy().tolist() == [4, 6]
    assert of_inputs[0].asnumpy().tolist() == [3, 4]


def test_a_training_step_uses_what_a_hook_returns():
    net = Affine()
    net.w.register_hook(lambda g: g * 0)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    step(Tensor(V))
    assert net.w.asnumpy().tolist() == [3, 4]


def test_copies_of_a_parameter_have_no_hooks():
    w = Parameter(Tensor(V), name="w")
    w.register_hook(hook_fn=double)
    for twin in (w.clone(), copy.deepcopy(w), copy.copy(w), pickle.loads(pickle.dumps(w))):
        found, = ms.grad(lambda x, w=twin: x * w, None, [twin])(Tensor(V))
        assert found.asnumpy().tolist() == V


def test_a_hook_may_return_another_element_type():
    def net(x):
        y = x * 2
        y.register_hook(lambda g: g.astype(ms.float16) * 2)
        return y

    found = ms.grad(net)(Tensor(V))
    assert found.dtype is ms.float32
    assert found.asnumpy().tolist() == [4, 4]


@pytest.mark.parametrize(("returned", "error", "text"), [
    (3, RuntimeError, "must return a Tensor or None"),
    (Tensor([1.0, 2.0, 3.0]), ValueError, r"must keep the gradient's shape \(2,\)"),
])
def test_a_wrong_result_of_a_hook_is_an_error(returned, error, text):
    def net(x):
        y = x * 2
        y.register_hook(lambda g: returned)
        return y

    with pytest.raises(error, match=text):
        ms.grad(net)(Tensor(V))


def test_what_is_no_function_is_no_hook():
    for tensor in (Tensor(V), Parameter(Tensor(V), name="w")):
        with pytest.raises(TypeError, match="callable hook function"):
            tensor.register_hook(3)


def test_a_hook_that_depends_on_a_condition_runs_in_python(both_modes, warned):
    def net(x):
        y = x * 2
        if x.sum() > 0:
            y.register_hook(double)
        return y

    assert ms.grad(net)(Tensor(V)).asnumpy().tolist() == [4, 4]
    assert ms.grad(net)(-Tensor(V)).asnumpy().tolist() == [2, 2]
    assert any("is not compiled" in text for text in warned) == (both_modes == "graph")
    with pytest.raises(GraphValueError, match="register a hook"):
        ms.jit(net, fullgraph=True)(Tensor(V))
