"""Views and changes in place: values and gradients as in torch, whether or not a gradient is being taken."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

START = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3) / 4


class Torch:
    """What the programs use, by torch; parts that torch refuses to change as views of one call are indexed."""

    zeros = staticmethod(torch.zeros)
    stack = staticmethod(lambda xs: torch.stack(list(xs)))
    rows = staticmethod(lambda x: [x[i] for i in range(x.shape[0])])
    split = staticmethod(lambda x, n: [x[i:i + n] for i in range(0, x.shape[0], n)])
    unbind = rows
    number = staticmethod(lambda x: x.item())
    diagonal = staticmethod(torch.diagonal)
    transpose = staticmethod(torch.permute)
    detach = staticmethod(torch.detach)
    expand = staticmethod(lambda x, shape: x.expand(shape))
    tanh = staticmethod(torch.tanh)
    narrow = staticmethod(torch.narrow)


class Ours:
    """The same, by this package."""

    zeros = staticmethod(lambda *shape: ops.zeros(shape))
    stack = staticmethod(lambda xs: ops.stack(list(xs)))
    rows = staticmethod(list)
    number = staticmethod(float)
    split = staticmethod(lambda x, n: ops.split(x, n))
    unbind = staticmethod(ops.unbind)
    diagonal = staticmethod(ops.diagonal)
    transpose = staticmethod(ops.transpose)
    detach = staticmethod(ops.stop_gradient)
    expand = staticmethod(ops.broadcast_to)
    tanh = staticmethod(ops.tanh)
    narrow = staticmethod(ops.narrow)


# Each program gets the library and y = 2 * x of shape (2, 3), and returns what is squared and summed.

def base_after_view(lib, y):
    v = y.reshape((3, 2))
    y.add_(1.0)
    return v


def base_through_view(lib, y):
    y.reshape((3, 2)).mul_(3.0)
    return y


def base_by_row(lib, y):
    y[0].mul_(3.0)
    return y


def base_by_column(lib, y):
    y[:, 1].add_(2.0)
    return y


def row_after_base(lib, y):
    v = y[1]
    y.mul_(2.0)
    return v


def row_after_item(lib, y):
    v = y[1]
    y[1] = 7.0
    y[0] = v
    return y * v


def item_of_itself(lib, y):
    y[0] = y[1] * 2.0
    return y


def item_shift(lib, y):
    y[:, 1:] = y[:, :2] * 1.0
    return y


def steps(lib, y):
    v = y[:, ::2]
    v.mul_(y[:, 1:2] * 1.0)
    return y


def chained(lib, y):
    v = y.reshape((6,))[1:5].reshape((2, 2))
    v[1].mul_(5.0)
    return y


def chained_base(lib, y):
    v = y.reshape((6,))[1:5]
    w = v.reshape((2, 2))[:, 1]
    y.mul_(3.0)
    return w * v[::2]


def siblings(lib, y):
    a, b = y[0], y.reshape((6,))[1:4]
    a.mul_(3.0)
    return b * 1.0 + a


def transposed(lib, y):
    t = lib.transpose(y, (1, 0))
    t[0].add_(5.0)
    return y


def transposed_after(lib, y):
    t = lib.transpose(y, (1, 0))
    y.mul_(y * 1.0)
    return t


def transposed_then_copied(lib, y):
    c = lib.transpose(y, (1, 0)).reshape((6,))
    y.add_(100.0)
    return c


def change_of_a_copy(lib, y):
    c = lib.transpose(y, (1, 0)).reshape((6,))
    c.mul_(2.0)
    return c[:3] * y[0] + c[3:]


def diagonals(lib, y):
    d = lib.diagonal(y)
    y.mul_(4.0)
    return d


def diagonal_changed(lib, y):
    d = y[:, :2].reshape((2, 2))
    lib.diagonal(y).add_(10.0)
    return y * d[0, 0]


def rows_in_a_list(lib, y):
    rows = [y[i] for i in range(2)]
    for i, row in enumerate(rows):
        row.mul_(i + 2.0)
    return y


def rows_of_a_loop(lib, y):
    total = y[0] * 0.0
    for row in lib.rows(y):
        row.add_(1.0)
        total = total + row
    return total * y[1]


def rows_kept(lib, y):
    rows = lib.rows(y)
    y.mul_(2.0)
    return rows[0] + rows[1]


def rows_in_a_dict(lib, y):
    parts = {"first": y[0], "last": y[1]}
    parts["first"].mul_(parts["last"])
    return y + parts["first"]


def into_zeros(lib, y):
    out = lib.zeros(3, 3)
    for i in range(2):
        out[i] = y[i] * 2.0
    return out


def into_zeros_by_view(lib, y):
    out = lib.zeros(2, 3)
    v = out[1]
    v.copy_(y[0])
    out[0] = v
    return out * y


def view_of_zeros_after(lib, y):
    out = lib.zeros(2, 3)
    v = out.reshape((6,))
    out.copy_(y)
    return v


def overwritten(lib, y):
    v = y[0]
    y.fill_(3.0)
    return v


def partly_overwritten(lib, y):
    v = y.reshape((6,))
    y[0].zero_()
    return v


def detached_value(lib, y):
    d = lib.detach(y)
    y.mul_(2.0)
    return d * y


def detached_changed(lib, y):
    lib.detach(y).mul_(2.0)
    return y


def detached_view(lib, y):
    d = lib.detach(y[0])
    y.add_(1.0)
    return y[1] * d


def detached_source(lib, y):
    y[0].copy_(lib.detach(y[1]))
    return y


def expanded_after(lib, y):
    e = lib.expand(y[:, :1], (2, 3))
    y.mul_(3.0)
    return e


def expanded_of_row(lib, y):
    e = lib.expand(y[0], (4, 3))
    y[0].mul_(y[1])
    return e


def narrowed(lib, y):
    lib.narrow(y, 1, 1, 2).mul_(3.0)
    return y


def split_after(lib, y):
    a, b = lib.split(y, 1)
    y.mul_(3.0)
    return a * b


def unbound_after(lib, y):
    a, b = lib.unbind(y)
    y.mul_(3.0)
    return a * b


def twice(lib, y):
    v = y[0]
    v.mul_(2.0)
    y.add_(1.0)
    v.mul_(y[1])
    return y + v


def many_times(lib, y):
    v = y.reshape((6,))
    for i in range(4):
        v[i:i + 2].mul_(float(i + 1))
    return y


def by_variable(lib, y):
    scale = y[1] * 1.0
    y[0].mul_(scale)
    return y


def saved_before(lib, y):
    z = y * y
    v = y[0]
    v.mul_(2.0)
    return z + y


def saved_result_before(lib, y):
    z = lib.tanh(y)
    v = z[0]
    v.mul_(2.0)
    return z


def saved_but_not_needed(lib, y):
    z = y + y
    v = y[0]
    v.mul_(2.0)
    return z * y


def saved_view_before(lib, y):
    z = y[0] * y[1]
    y.add_(1.0)
    return z


def saved_after(lib, y):
    v = y[0]
    v.mul_(2.0)
    return v * y * y[1]


def previous_row(lib, y):
    for i in range(1, 2):
        y[i] = y[i - 1] * y[i]
    return y


def previous_row_copied(lib, y):
    out = lib.zeros(3, 3)
    row = y[0] * 1.0
    for i in range(3):
        row = lib.tanh(row * y[1])
        out[i] = row
    return out


def masked(lib, y):
    v = y.reshape((6,))
    y.masked_fill_(y > 1.2, 0.5)
    return v


def clamped(lib, y):
    v = y[1]
    y.clamp_(1.0, 2.0)
    return v * y[0]


def copied_from_other(lib, y):
    other = y * 3.0
    v = y[1]
    y.copy_(other)
    return v * other[0]


def alone(lib, y):
    y.add_(1.0)
    y.mul_(2.0)
    return y


def new_dimension(lib, y):
    v = y[None, :, None]
    y[1].mul_(5.0)
    return v


def subtracted(lib, y):
    a = y[:, 0]
    b = y[:, 1]
    a.sub_(b)
    b.sub_(a)
    return y


def divided(lib, y):
    y[1].div_(y[0] * 1.0)
    return y


def nested_rows(lib, y):
    grid = [[y[i][j:j + 1] for j in range(3)] for i in range(2)]
    grid[1][2].mul_(4.0)
    y[0].add_(1.0)
    return lib.stack([grid[1][2], grid[0][0], grid[0][1]])


def behind_a_condition(lib, y):
    v = y[0]
    if lib.number(y[0, 0]) < 1.0:
        v.mul_(3.0)
    return y


PROGRAMS = {f.__name__: f for f in list(globals().values())
            if callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:2] == ("lib", "y")}


def in_torch(program):
    """Value and gradient; None for a gradient that torch refuses."""
    plain = program(Torch, torch.tensor(START) * 2.0)
    x = torch.tensor(START, requires_grad=True)
    try:
        out = program(Torch, x * 2.0)
        return (plain * plain).sum().item(), torch.autograd.grad((out * out).sum(), x)[0].numpy()
    except RuntimeError:
        return (plain * plain).sum().item(), None


def ours(program):
    def loss(x):
        out = program(Ours, x * 2.0)
        return (out * out).sum()
    return loss


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_do_not_depend_on_a_gradient(name):
    expected, _ = in_torch(PROGRAMS[name])
    loss = ours(PROGRAMS[name])
    np.testing.assert_allclose(loss(Tensor(START)).asnumpy(), expected, rtol=1e-5)
    out, _ = ops.vjp(loss, Tensor(START))
    np.testing.assert_allclose(out.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_torch_or_refused(name):
    _, expected = in_torch(PROGRAMS[name])
    if expected is None:
        with pytest.raises(RuntimeError, match="changed in place"):
            ms.grad(ours(PROGRAMS[name]))(Tensor(START))
    else:
        np.testing.assert_allclose(ms.grad(ours(PROGRAMS[name]))(Tensor(START)).asnumpy(), expected, rtol=1e-5)


def test_what_is_given_is_changed_as_outside():
    def f(x):
        x.mul_(3.0)
        return (x * x).sum()
    x = Tensor([1.0, 2.0])
    d = ms.grad(f)(x)
    np.testing.assert_allclose(d.asnumpy(), [18.0, 36.0])        # of 9 x x
    np.testing.assert_allclose(x.asnumpy(), [3.0, 6.0])


def test_what_was_computed_before_keeps_its_derivative():
    def f(x):
        total = (x * x * x).sum()
        x.mul_(3.0)
        return total + (x * x).sum()
    for run, expected in ((ms.grad(f), [3 + 18.0, 12 + 36.0]),
                          (ms.grad(lambda x: ms.grad(f)(x * 1.0).sum()), [6 + 18.0, 12 + 18.0])):
        np.testing.assert_allclose(run(Tensor([1.0, 2.0])).asnumpy(), expected)


def test_a_view_from_outside_changes_what_a_gradient_is_taken_of():
    x = Tensor([1.0, 2.0])
    row = x[:1]

    def f(z, c):
        row.copy_(c)
        return (z * z).sum()
    dz, dc = ms.grad(f, (0, 1))(x, Tensor([5.0]))
    np.testing.assert_allclose(dz.asnumpy(), [0.0, 4.0])
    np.testing.assert_allclose(dc.asnumpy(), [10.0])


def test_second_derivatives_through_views():
    def f(x):
        y = x * x
        v = y.reshape((2, 2))
        v[0].mul_(y[2:] * 1.0)
        return (y * y).sum()

    def g(x):
        y = x * x
        v = y.reshape(2, 2)
        v[0].mul_(y[2:] * 1.0)
        return (y * y).sum()
    start = np.array([1.0, 2.0, 3.0, 0.5], np.float32)
    expected = torch.autograd.functional.hessian(g, torch.tensor(start)).sum(0)
    found = ms.grad(lambda x: ms.grad(f)(x).sum())(Tensor(start))
    np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-5)


def test_a_gradient_inside_changes_what_the_one_outside_follows():
    def inner(z):
        z[0].mul_(3.0)
        return (z * z).sum()

    def f(x):
        y = x * 2.0
        d = ms.grad(inner)(y)
        return (d * y).sum()            # with y = (6 a, 2 b): d = (18 * 2 a, 2 * 2 b)
    x = Tensor([[1.0], [2.0]])
    np.testing.assert_allclose(f(x).asnumpy(), 36 * 6 + 8 * 4)
    np.testing.assert_allclose(ms.grad(f)(x).asnumpy(), [[2 * 36 * 6], [2 * 8 * 2]])


def test_the_tape_leaves_nothing_behind():
    kept = []

    def f(x):
        y = x * 2.0
        v = y[0]
        v.add_(1.0)
        kept.extend([y, v])
        return (y * v).sum()
    ms.grad(f)(Tensor(START))
    assert all(not hasattr(t._data, "_changed") for t in kept)
