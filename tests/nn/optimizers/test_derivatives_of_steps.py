"""Gradients where an optimizer steps: what a parameter holds after a step is a leaf; against the formulas in torch."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.operators.training import adam_step, momentum_step

FIRST, SECOND = np.array([[1.0, -2.0], [0.5, 3.0]]), np.array([2.0, -1.0, 0.25])
SCALE, RATE, STEPS = 0.75, 0.125, 3


def momentum(p, g, state, _, nesterov=False):
    state["m"] = 0.9 * state.get("m", 0.0) + g
    return p - RATE * (g + 0.9 * state["m"] if nesterov else state["m"])


def moments(g, state):
    state["m"] = 0.9 * state.get("m", 0.0) + 0.1 * g
    state["v"] = 0.99 * state.get("v", 0.0) + 0.01 * g * g
    return state["m"], state["v"].sqrt()


def adam(p, g, state, step):
    m, root = moments(g, state)
    return p - RATE * (1 - 0.99 ** step) ** 0.5 / (1 - 0.9 ** step) * m / (root + 1e-3)


def decayed(p, g, state, _):
    m, root = moments(g, state)
    return p - RATE * (m / (root + 1e-3) + 0.5 * p)


OPTIMIZERS = {
    "Momentum": (lambda ps: nn.Momentum(ps, RATE, 0.9), momentum),
    "nesterov": (lambda ps: nn.Momentum(ps, RATE, 0.9, use_nesterov=True),
                 lambda *given: momentum(*given, nesterov=True)),
    "SGD": (lambda ps: nn.SGD(ps, RATE), lambda p, g, *_: p - RATE * g),
    "Adam": (lambda ps: nn.Adam(ps, RATE, 0.9, 0.99, 1e-3), adam),
    "AdamWeightDecay": (lambda ps: nn.AdamWeightDecay(ps, RATE, 0.9, 0.99, 1e-3, weight_decay=0.5), decayed),
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_what_is_held_after_steps(name, compiled):
    make, formula = OPTIMIZERS[name]
    weights = [Parameter(Tensor(v, ms.float64), name=f"w{k}") for k, v in enumerate((FIRST, SECOND))]
    optimizer = make(weights)

    def learned(x):
        for _ in range(STEPS):
            optimizer(tuple([x * w * w for w in weights]))
        return sum([(w * w * w).sum() for w in weights])
    derivative = ms.value_and_grad(learned, 0, weights)
    value, (of_x, of_weights) = (ms.jit(derivative) if compiled else derivative)(Tensor(SCALE, ms.float64))

    now, states = [torch.tensor(v) for v in (FIRST, SECOND)], [{}, {}]
    for step in range(1, STEPS + 1):
        now = [formula(w, SCALE * w * w, state, step) for w, state in zip(now, states, strict=True)]
    leaves = [w.requires_grad_() for w in now]
    expected = sum([(w * w * w).sum() for w in leaves])
    np.testing.assert_allclose(value.asnumpy(), expected.item(), rtol=1e-5)
    np.testing.assert_array_equal(of_x.asnumpy(), 0.0)
    for found, d in zip(of_weights, torch.autograd.grad(expected, leaves), strict=True):
        np.testing.assert_allclose(found.asnumpy(), d.numpy(), rtol=1e-4)


NUMBERS = {
    "momentum": (momentum_step, {}, lambda lr, k, p, g, m: p - lr * (k * m + g)),
    "nesterov": (momentum_step, {"nesterov": True}, lambda lr, k, p, g, m: p - lr * (g + k * (k * m + g))),
    "adam": (adam_step, {"beta1": 0.5, "beta2": 0.25, "eps": 0.125, "decay": 0.5}, lambda lr, p, g, m, v:
             p * (1 - lr * 0.5) - lr * (0.5 * m + 0.5 * g) / ((0.25 * v + 0.75 * g * g).sqrt() + 0.125)),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_rates_and_every_tensor(name):
    op, attrs, formula = NUMBERS[name]
    count = len(op.inputs) - 1
    given = [np.array(0.25), np.array(0.75)][:count] + [np.abs(FIRST) * k for k in range(1, 6 - count)]
    leaves = [torch.tensor(v, requires_grad=True) for v in given]
    expected = formula(*leaves)
    wanted = torch.autograd.grad((expected * expected).sum(), leaves)

    def loss(*xs):
        new = op(*xs, **attrs)[0]
        return (new * new).sum()
    found = ms.grad(loss, tuple(range(len(given))))(*[Tensor(v) for v in given])
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.numpy(), rtol=1e-6)
