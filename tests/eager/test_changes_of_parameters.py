"""A change of a parameter is seen by views of it, not by arrays, values and copies."""
from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from view_programs import START

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -2.0]], np.float32)


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
def mode(request):
    """Both modes."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


def changes():
    """Ways to change a parameter of shape (2, 3) to other elements."""
    new = Tensor(np.full((2, 3), 9.0, np.float32))
    return {
        "set_data": lambda p: p.set_data(new), "data": lambda p: setattr(p, "data", new),
        "assign": lambda p: ops.assign(p, new), "Assign": lambda p: ops.Assign()(p, new),
        "assign_add": lambda p: ops.assign_add(p, new), "copy_": lambda p: p.copy_(new), "row": set_row,
    }


def set_row(p):
    """Assign one row."""
    p[0] = 9.0


OPTIMIZERS = {
    "SGD": lambda ps: nn.SGD(ps, 0.5), "Momentum": lambda ps: nn.Momentum(ps, 0.5, 0.9),
    "Adam": lambda ps: nn.Adam(ps, 0.5), "AdamWeightDecay": lambda ps: nn.AdamWeightDecay(ps, 0.5),
    "RMSProp": lambda ps: nn.RMSProp(ps, 0.5),
}


@pytest.mark.parametrize("of", ["nothing", "parameter", "input"])
@pytest.mark.parametrize("name", [*changes(), *OPTIMIZERS])
def test_a_view_sees_every_change(name, of, mode):
    p = Parameter(Tensor(START), name="p")
    optimizer = OPTIMIZERS[name]([p]) if name in OPTIMIZERS else None

    def run(x):
        row = p[0]
        optimizer((Tensor(X),)) if optimizer else changes()[name](p)
        return (row * x).sum() + (p[0] * 0).sum(), row
    x = Tensor(X[0])
    if of == "nothing":
        _, row = run(x)
    else:
        taken = ms.value_and_grad(run, None if of == "parameter" else 0, [p] if of == "parameter" else None,
                                  has_aux=True)
        (_, row), _ = taken(x)
    np.testing.assert_array_equal(row.asnumpy(), p.asnumpy()[0])
    assert not np.array_equal(row.asnumpy(), START[0])


def changed_by(name, p):
    """Change a parameter by an optimizer or otherwise."""
    if name in OPTIMIZERS:
        OPTIMIZERS[name]([p])((Tensor(X),))
    else:
        changes()[name](p)


@pytest.mark.parametrize("name", [*changes(), *OPTIMIZERS])
def test_arrays_and_values_keep_what_they_hold(name, mode):
    p = Parameter(Tensor(START), name="p")
    row = p[0]
    kept = [p.asnumpy(), p.numpy(), np.asarray(p), p.value(), copy.deepcopy(p), p.clone()]
    changed_by(name, p)
    for one in kept:
        np.testing.assert_array_equal(np.asarray(one), START)
    np.testing.assert_array_equal(row.asnumpy(), p.asnumpy()[0])


def test_an_array_of_a_parameter_is_a_copy():
    p = Parameter(Tensor(START), name="p")
    p.asnumpy()[:] = 0.0
    np.testing.assert_array_equal(p.asnumpy(), START)


def test_a_copy_shares_the_elements_whether_or_not_a_gradient_is_taken():
    def run(x):
        ops.assign(p, p + 1.0)
        return (twin * x).sum()
    for taken in (run, ms.grad(run)):
        p = Parameter(Tensor(START), name="p")
        twin = copy.copy(p)
        taken(Tensor(X))
        np.testing.assert_array_equal(twin.asnumpy(), START + 1.0)


def test_a_view_from_outside_of_a_compiled_function(mode):
    p = Parameter(Tensor(START), name="p")
    row = p[0]

    @ms.jit
    def f(x):
        ops.assign(p, p + x)
        return row * 1.0
    np.testing.assert_array_equal(f(Tensor(X)).asnumpy(), START[0] + X[0])
    np.testing.assert_array_equal(row.asnumpy(), START[0] + X[0])

    @ms.jit
    def g(x, v):
        before = v * 1.0
        ops.assign(p, x)
        return before + v
    np.testing.assert_array_equal(g(Tensor(X), row).asnumpy(), START[0] + 2 * X[0])
    np.testing.assert_array_equal(row.asnumpy(), X[0])


def test_a_compiled_function_that_assigns_is_differentiated(mode):
    p = Parameter(Tensor(START), name="p")
    scaled = ms.jit(lambda x: ops.assign(p, p * x).sum())

    def loss(x):
        return scaled(x) * 0 + (p * p).sum()
    found = ms.grad(loss, 0, [p])(Tensor(X))
    np.testing.assert_array_equal(found[0].asnumpy(), 0 * X)
    np.testing.assert_allclose(found[1][0].asnumpy(), 2 * START * X, rtol=1e-6)


def test_two_cells_with_one_parameter(mode):
    class Shifted(nn.Cell):
        def __init__(self, w):
            super().__init__()
            self.w = w

        def construct(self, x):
            ops.assign_add(self.w, x)
            return self.w * x

    class Both(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(START), name="w")
            self.first, self.second = Shifted(self.w), Shifted(self.w)

        def construct(self, x):
            return (self.first(x) + self.second(x) + self.w[0]).sum()
    value, of_x = ms.value_and_grad(Both())(Tensor(X))
    x, w = torch.tensor(X, requires_grad=True), torch.tensor(START)
    held = [w + x.detach(), w + 2 * x.detach()]
    out = (held[0] * x + held[1] * x + held[1][0]).sum()
    np.testing.assert_allclose(value.asnumpy(), out.item(), rtol=1e-6)
    np.testing.assert_allclose(of_x.asnumpy(), torch.autograd.grad(out, x)[0].numpy(), rtol=1e-6)


def test_data_of_another_shape_is_other_memory():
    new = np.ones((3, 3), np.float32)
    p = Parameter(Tensor(START), name="p")

    def run(x):
        row = p[0]
        p.set_data(x * 2.0, slice_shape=True)
        return (row * row).sum() + (p * p).sum()
    value, d = ms.value_and_grad(run)(Tensor(new))
    np.testing.assert_allclose(value.asnumpy(), (START[0] ** 2).sum() + 36.0)
    np.testing.assert_array_equal(d.asnumpy(), 0.0 * new)
    assert p.shape == (3, 3)


@pytest.mark.parametrize("name", changes())
def test_a_change_between_the_function_and_its_way_back_is_refused(name, mode):
    p = Parameter(Tensor(START), name="p")
    _, pull = ops.vjp(lambda x: (x * p * p).sum(), Tensor(X), weights=[p])
    changes()[name](p)
    with pytest.raises(RuntimeError, match=r"'Mul' needs, of shape \(2, 3\), was changed in place \(.*:\d+\)"):
        pull(Tensor(1.0))


def test_a_parameter_that_is_assigned_its_own_transpose():
    square = np.arange(9.0, dtype=np.float32).reshape(3, 3)

    def run(x):
        ops.assign(p, p.T)
        return (p * x).sum()
    for taken in (run, ms.grad(run), ms.jit(run)):
        p = Parameter(Tensor(square), name="p")
        taken(Tensor(square))
        np.testing.assert_array_equal(p.asnumpy(), square.T)
