"""Programs on views and changes in place, run by this package and by torch.

A program gets the library and y = 2 * x of shape (2, 3), and returns what is squared and summed.
"""
from __future__ import annotations

import numpy as np
import torch

import mindspore as ms
from mindspore import Tensor, ops

START = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3) / 4


class Torch:
    """What the programs use, by torch; parts that torch refuses to change as views of one call are indexed."""

    zeros = staticmethod(torch.zeros)
    stack = staticmethod(lambda xs: torch.stack(list(xs)))
    concat = staticmethod(lambda xs: torch.cat(list(xs)))
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
    unsqueeze = staticmethod(torch.unsqueeze)
    squeeze = staticmethod(torch.squeeze)
    flatten = staticmethod(torch.flatten)
    value = staticmethod(lambda x: x)
    chunk = staticmethod(lambda x, n: Torch.split(x, x.shape[0] // n))


class Ours:
    """The same, by this package."""

    zeros = staticmethod(lambda *shape: ops.zeros(shape))
    stack = staticmethod(lambda xs: ops.stack(list(xs)))
    concat = staticmethod(lambda xs: ops.concat(list(xs)))
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
    unsqueeze = staticmethod(ops.unsqueeze)
    squeeze = staticmethod(ops.squeeze)
    flatten = staticmethod(lambda x: x.flatten())
    value = staticmethod(lambda x: x.value())
    chunk = staticmethod(lambda x, n: ops.chunk(x, n))


def programs_of(names):
    """The programs among the names of a module."""
    return {n: f for n, f in names.items()
            if getattr(f, "__code__", None) and f.__code__.co_varnames[:2] == ("lib", "y")}


def in_torch(program):
    """Value and gradient; None for a gradient that torch refuses."""
    plain = program(Torch, torch.tensor(START) * 2.0)
    x = torch.tensor(START, requires_grad=True)
    try:
        out = program(Torch, x * 2.0)
        return (plain * plain).sum().item(), torch.autograd.grad((out * out).sum(), x)[0].numpy()
    except RuntimeError:
        return (plain * plain).sum().item(), None


def by_differences(program):
    """The gradient of what torch computes, in double precision by central differences."""
    found, step = np.zeros(START.shape), 1e-5
    for place in np.ndindex(*START.shape):
        values = []
        for sign in (1, -1):
            x = START.astype(np.float64)
            x[place] += sign * step
            out = program(Torch, torch.tensor(x) * 2.0)
            values.append((out * out).sum().item())
        found[place] = (values[0] - values[1]) / (2 * step)
    return found


def second_in_torch(program):
    """The gradient of the weighted sum of the gradient; None where torch refuses."""
    x = torch.tensor(START, requires_grad=True)
    try:
        out = program(Torch, x * 2.0)
        d = torch.autograd.grad((out * out).sum(), x, create_graph=True)[0]
        total = (d * torch.tensor(START)).sum()
        return torch.autograd.grad(total, x)[0].numpy() if total.requires_grad else np.zeros(START.shape)
    except RuntimeError:
        return None


def slices_in_torch(program):
    """The results for two values of y, one by one."""
    return np.stack([program(Torch, torch.tensor(START) * factor).detach().numpy() for factor in (2.0, 3.0)])


def ours(program):
    """The sum of the squares as a function of this package."""
    def loss(x):
        out = program(Ours, x * 2.0)
        return (out * out).sum()
    return loss


def second(loss):
    """The gradient of the weighted sum of the gradient."""
    return ms.grad(lambda x: (ms.grad(loss)(x) * Tensor(START)).sum())


VALUES = {
    "plain": lambda loss: loss(Tensor(START)),
    "vjp": lambda loss: ops.vjp(loss, Tensor(START))[0],
    "jit": lambda loss: ms.jit(loss)(Tensor(START)),
    "vjp of jit": lambda loss: ops.vjp(ms.jit(loss), Tensor(START))[0],
}
GRADIENTS = {
    "grad": lambda loss: ms.grad(loss)(Tensor(START)),
    "grad of jit": lambda loss: ms.grad(ms.jit(loss))(Tensor(START)),
    "jit of grad": lambda loss: ms.jit(ms.grad(loss))(Tensor(START)),
}


def check_value(program, way):
    """The value is that of torch, also where a gradient is taken or the program is a graph."""
    np.testing.assert_allclose(VALUES[way](ours(program)).asnumpy(), in_torch(program)[0], rtol=1e-5)


def check_gradient(program, way):
    """The gradient is that of torch; where torch refuses, it is refused here, too, or is that of what is computed."""
    _, expected = in_torch(program)
    if expected is not None:
        np.testing.assert_allclose(GRADIENTS[way](ours(program)).asnumpy(), expected, rtol=1e-5)
        return
    try:
        found = GRADIENTS[way](ours(program)).asnumpy()
    except RuntimeError as error:
        assert "changed in place" in str(error)       # noqa: PT017  # which programs are refused is not said
    else:
        np.testing.assert_allclose(found, by_differences(program), rtol=1e-5, atol=1e-5)


def check_second(program, compiled):
    """The second derivative, and the first one in a direction, are those of torch."""
    x, first, expected = Tensor(START), in_torch(program)[1], second_in_torch(program)
    found = second(ours(program))
    np.testing.assert_allclose((ms.jit(found) if compiled else found)(x).asnumpy(), expected, rtol=1e-5)
    along = ops.jvp(ours(program), x, x)[1]
    np.testing.assert_allclose(along.asnumpy(), (first * START).sum(), rtol=1e-5)


def check_slices(program, compiled):
    """`vmap` gives for each slice what torch gives."""
    def run(y):
        return program(Ours, y * 1.0)
    mapped = ms.vmap(run)
    found = (ms.jit(mapped) if compiled else mapped)(Tensor(np.stack([START * 2, START * 3])))
    np.testing.assert_allclose(found.asnumpy(), slices_in_torch(program), rtol=1e-5)
