"""Parameters that are changed while views of them are held: as in torch, whether or not a gradient is taken."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_parameters import Held, by_differences
from view_programs import START

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -2.0]], np.float32)


class Torch:
    """What the programs use, by torch."""

    assign = staticmethod(lambda p, v: p.copy_(v))
    assign_add = staticmethod(lambda p, v: p.add_(v))
    assign_sub = staticmethod(lambda p, v: p.sub_(v))
    value = staticmethod(lambda p: p.clone())
    stack = staticmethod(lambda xs: torch.stack(list(xs)))
    detach = staticmethod(torch.detach)


class Ours:
    """The same, by this package."""

    assign = staticmethod(ops.assign)
    assign_add = staticmethod(ops.assign_add)
    assign_sub = staticmethod(ops.assign_sub)
    value = staticmethod(lambda p: p.value())
    stack = staticmethod(lambda xs: ops.stack(list(xs)))
    detach = staticmethod(ops.stop_gradient)


# Each program gets the library, a parameter and an input of shape (2, 3), and returns what is squared and summed.

def assigned_then_a_view(lib, w, x):
    lib.assign(w, w * x)
    return w[0] * w[1]


def view_then_assigned(lib, w, x):
    v = w[0]
    lib.assign(w, x)
    return v * w[1]


def view_then_added(lib, w, x):
    v = w[0]
    w.add_(x)
    return v * w


def view_then_a_row(lib, w, x):
    v = w[0]
    w[0] = x[1]
    return v * w


def row_from_another_row(lib, w, x):
    w[1] = w[0] * x[0]
    return w


def row_of_itself(lib, w, x):
    w[0] = w[1]
    return w * x


def rows_in_a_loop(lib, w, x):
    for i in range(2):
        w[i] = x[i] * w[i]
    return w


def elements(lib, w, x):
    w[0, 1] = 5.0
    w[:, 2] = x[:, 0]
    return w * x


def augmented_rows(lib, w, x):
    w[0] += x[0]
    w[1] *= w[0]
    return w


def used_before(lib, w, x):
    y = w * x
    lib.assign(w, x * 3)
    return y + w


def needed_before(lib, w, x):
    y = x * w * w
    w.mul_(2.0)
    return y


def needed_before_with_a_view(lib, w, x):
    v = w[0]
    y = x * w * w
    w.mul_(2.0)
    return y * v


def view_is_changed(lib, w, x):
    v = w[0]
    v.mul_(x[0])
    return w


def view_is_changed_then_assigned(lib, w, x):
    v = w[0]
    v.mul_(x[0])
    lib.assign(w, w * 2.0)
    return v * w


def value_then_assigned(lib, w, x):
    v = lib.value(w)
    lib.assign(w, x)
    return v * w


def value_after_a_view(lib, w, x):
    v = w[0]
    v.mul_(3.0)
    return lib.value(w) * x


def value_is_changed(lib, w, x):
    v = lib.value(w)
    v.mul_(x)
    return v * w


def detached_then_multiplied(lib, w, x):
    v = lib.detach(w)
    w.mul_(2.0)
    return v * x + w


def reshaped_then_added(lib, w, x):
    v = w.reshape((6,))
    w.add_(x)
    return v


def in_a_list(lib, w, x):
    ps = [w]
    rows = [p[0] for p in ps]
    for p in ps:
        p.add_(1.0)
    return rows[0] * x


def rows_then_assigned(lib, w, x):
    rows = [w[i] for i in range(2)]
    lib.assign(w, w * x)
    return lib.stack(rows)


def added_and_subtracted(lib, w, x):
    v = w[:, 1]
    lib.assign_add(w, x)
    lib.assign_sub(w, x * 0.5)
    return w * v.reshape((2, 1))


def assigned_twice(lib, w, x):
    lib.assign(w, w * 2.0)
    a = w[0]
    lib.assign(w, w + x)
    return a * w


def assigned_its_rows(lib, w, x):
    lib.assign(w, lib.stack([w[1], w[0]]))
    return w * x


def by_a_condition(lib, w, x):
    v = w[0]
    if x.sum() > 0:
        w.mul_(3.0)
    return v * w


def row_by_a_condition(lib, w, x):
    if x.sum() > 0:
        w[0] = x[0]
    else:
        w[1] = x[1]
    return w


def view_by_a_condition(lib, w, x):
    v = w[0] if x.sum() > 0 else w[1]
    w.mul_(x)
    return v


def by_a_loop(lib, w, x):
    k = x.sum() * 0
    while k < 3:
        w.mul_(1.5)
        k = k + 1
    return w * x


def row_by_a_loop(lib, w, x):
    k = x.sum() * 0
    while k < 3:
        w[0] = w[0] * 1.5
        k = k + 1
    return w * x


def by_a_function(lib, w, x):
    def change(p):
        p[0] = p[1] * 2.0
        return p
    return change(w) * w


def view_in_a_closure(lib, w, x):
    v = w[1]

    def read():
        return v * x[0]
    w.mul_(2.0)
    return read()


def view_in_a_dict(lib, w, x):
    held = {"v": w[1], "w": w}
    held["w"].mul_(x)
    return held["v"]


def filled(lib, w, x):
    v = w[0]
    w.fill_(2.0)
    return v * x


def zeroed(lib, w, x):
    v, y = w.reshape((6,)), w * x
    w.zero_()
    return y + v.reshape((2, 3))


def copied_to(lib, w, x):
    v = w[0]
    w.copy_(x)
    return v * w


PROGRAMS = {n: f for n, f in list(globals().items())
            if getattr(f, "__code__", None) and f.__code__.co_varnames[:3] == ("lib", "w", "x")}


class Net(nn.Cell):
    """The sum of the squares of a program, which has a parameter of this cell."""

    def __init__(self, program):
        super().__init__()
        self.w, self.program = Parameter(Tensor(START), name="w"), program

    def construct(self, x):
        """The sum."""
        out = self.program(Ours, self.w, x)
        return (out * out).sum()


def loss(program):
    """The sum of the squares, by torch."""
    def run(w, x):
        out = program(Torch, w, x)
        return (out * out).sum()
    return run


def in_torch(program):
    """The value, what the parameter holds then, and the gradients, None where torch refuses them."""
    leaves = [torch.tensor(v, requires_grad=True) for v in (START, X)]
    changed = Held(leaves[0] * 1)
    value = loss(program)(changed, leaves[1])
    held = changed.detach().numpy().copy()
    try:
        found = torch.autograd.grad(value, leaves, allow_unused=True)
    except RuntimeError:
        return value.item(), held, None
    return value.item(), held, [np.zeros(START.shape) if d is None else d.numpy() for d in found]


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    """Both modes."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


RUNS = {
    "plain": lambda net, x: (net(x), None),
    "weights": lambda net, x: ms.value_and_grad(net, 0, [net.w])(x),
    "input": lambda net, x: ms.value_and_grad(net, 0)(x),
    "compiled": lambda net, x: ms.jit(ms.value_and_grad(net, 0, [net.w]))(x),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_torch(name, run, mode):
    program = PROGRAMS[name]
    expected, held, grads = in_torch(program)
    net = Net(program)
    try:
        value, found = RUNS[run](net, Tensor(X))
    except RuntimeError as error:
        if grads is not None or run == "plain" or "changed in place" not in str(error):
            raise
        return
    np.testing.assert_allclose(value.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(net.w.asnumpy(), held, rtol=1e-6)
    if found is not None:
        of_w, of_x = (found[1][0], found[0]) if run != "input" else (None, found)
        grads = by_differences(loss(program), START, X) if grads is None else grads
        np.testing.assert_allclose(of_x.asnumpy(), grads[1], rtol=1e-5, atol=1e-5)
        if of_w is not None:
            np.testing.assert_allclose(of_w.asnumpy(), grads[0], rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_the_data_of_a_parameter_is_a_tensor_on_its_memory_without_gradient():
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0, 2.0]), name="w")

        def construct(self, x):
            return (self.w.data * x).sum()

    net, x = Scaled(), Tensor([3.0, 4.0])
    assert type(net.w.data) is Tensor
    net.w.data[0] = 5.0
    assert net.w.asnumpy().tolist() == [5, 2]
    assert float(net(x)) == 23
    net.w.set_data(Tensor([10.0, 20.0]))
    assert float(net(x)) == 110
    assert ms.grad(net, None, net.w)(x).asnumpy().tolist() == [0, 0]
