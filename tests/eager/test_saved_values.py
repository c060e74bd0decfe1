"""Values that a gradient needs and that were changed in place: refused as by torch, or not needed and right."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X, C = [1.0, 2.0], [3.0, 4.0]

USES = {                         # what is computed of a variable and a constant, in both libraries
    "mul": lambda lib, x, c: x * c,
    "div": lambda lib, x, c: x / c,
    "matmul": lambda lib, x, c: lib.matmul(x, c),
    "pow": lambda lib, x, c: x ** c,
    "add": lambda lib, x, c: x + c,
    "maximum": lambda lib, x, c: lib.maximum(x, c),
    "where": lambda lib, x, c: lib.where(c > 3.5, x, c),
    "slice": lambda lib, x, c: x * c[:1],
    "reshaped": lambda lib, x, c: x.reshape((2, 1)) * c.reshape((2, 1)),
}
CHANGES = {
    "add_": lambda c: c.add_(1.0),
    "item": lambda c: c.__setitem__(0, 5.0),
    "row": lambda c: c[1:].mul_(2.0),
    "fill_": lambda c: c.fill_(2.0),
}


def torch_answer(use, change):
    """The gradient of the sum, or None where torch refuses."""
    x, c = torch.tensor(X, requires_grad=True), torch.tensor(C)
    out = use(torch, x, c).sum()
    change(c)
    try:
        return torch.autograd.grad(out, x)[0].numpy()
    except RuntimeError:
        return None


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("use", USES)
def test_as_torch_between_a_function_and_its_reverse(use, change, compiled):
    c = Tensor(C)

    def used(x):
        return USES[use](ops, x, c).sum()
    _, pull = ops.vjp(ms.jit(used) if compiled else used, Tensor(X))
    CHANGES[change](c)
    expected = torch_answer(USES[use], CHANGES[change])
    if expected is None:
        with pytest.raises(RuntimeError, match=r"changed in place \(.*test_saved_values\.py:\d+\)"):
            pull(Tensor(1.0))
    else:
        np.testing.assert_allclose(pull(Tensor(1.0))[0].asnumpy(), expected, rtol=1e-6)


class Squares(nn.Cell):
    """The sum of w * w * x."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")

    def construct(self, x):
        """The sum."""
        return (self.w * self.w * x).sum()


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("make", [
    lambda ps: nn.SGD(ps, 1.0), lambda ps: nn.Momentum(ps, 1.0, 0.9), lambda ps: nn.Momentum(ps, 1.0, 0.0),
    lambda ps: nn.Adam(ps, 0.1), lambda ps: nn.AdamWeightDecay(ps, 0.1), lambda ps: nn.RMSProp(ps, 0.1)])
def test_an_optimizer_between_two_reverse_passes(make, compiled):
    net = Squares()
    optimizer = make(net.trainable_params())
    _, pull = ops.vjp(ms.jit(net) if compiled else net, Tensor([1.0, 3.0]), weights=optimizer.parameters)
    grads = pull(Tensor(1.0))[1]
    np.testing.assert_allclose(grads[0].asnumpy(), [2.0, 12.0])
    optimizer(grads)
    name = "Squares" if compiled else "Mul"
    with pytest.raises(RuntimeError, match=rf"'{name}.*' needs, of shape \(2,\), was changed in place \(.*py:\d+\)"):
        pull(Tensor(1.0))


def test_the_usual_training_steps_are_none_of_it():
    net = Squares()
    optimizer = nn.SGD(net.trainable_params(), 0.125)
    step = ms.value_and_grad(net, None, optimizer.parameters)
    for _ in range(2):
        _, grads = step(Tensor([1.0, 3.0]))
        optimizer(grads)
    np.testing.assert_allclose(net.w.asnumpy(), [0.5625, 0.125])       # w - 0.25 * x * w, twice


def test_a_compiled_function_that_assigns_while_a_gradient_is_taken():
    w = Parameter(Tensor([2.0, 3.0]), name="w")

    @ms.jit
    def scaled(v):
        ops.assign(w, w * 10)
        return v

    def loss(x):
        y = x * w
        scaled(Tensor([1.0, 1.0]))
        return y.sum()
    np.testing.assert_allclose(ms.grad(loss)(Tensor([1.0, 1.0])).asnumpy(), [2.0, 3.0])
    np.testing.assert_allclose(w.asnumpy(), [20.0, 30.0])


def test_a_compiled_function_and_its_reverse():
    c = Tensor(C)
    _, pull = ops.vjp(ms.jit(lambda x: (x * c).sum()), Tensor(X))
    c.add_(1.0)
    with pytest.raises(RuntimeError, match="changed in place"):
        pull(Tensor(1.0))


@pytest.mark.parametrize("changes_input", [False, True])
def test_a_cell_with_a_derivative_of_its_own(changes_input):
    class Scaled(nn.Cell):
        def construct(self, x, c):
            return x * c

        def bprop(self, x, c, out, dout):
            return dout * c, dout * x
    c, cell = Tensor(C), Scaled()
    _, pull = ops.vjp(lambda x: cell(x, c).sum(), Tensor(X))
    if changes_input:
        c.add_(1.0)
        with pytest.raises(RuntimeError, match="gradient of 'Scaled' needs"):
            pull(Tensor(1.0))
    else:
        np.testing.assert_allclose(pull(Tensor(1.0))[0].asnumpy(), C)


def test_what_torch_derives_itself():
    x = Tensor(C)
    _, pull = ops.vjp(lambda x: ops.cumprod(x, 0).sum(), x)
    x[0] = 1.0
    with pytest.raises(RuntimeError, match="gradient of 'CumProd' needs"):
        pull(Tensor(1.0))


def test_a_view_that_was_changed_before_its_memory_changes_again_stays_refused():
    c = Parameter(Tensor([[3.0, 4.0], [5.0, 6.0]]), name="c")
    _, pull = ops.vjp(lambda x: (x * c[0]).sum(), Tensor(X))
    c[0] = Tensor([7.0, 8.0])
    ops.assign(c, c * 2)
    with pytest.raises(RuntimeError, match="changed in place"):
        pull(Tensor(1.0))
