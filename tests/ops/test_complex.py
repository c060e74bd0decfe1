"""Gradients through complex numbers: those of a real result, as torch has them."""
from __future__ import annotations

import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

X = torch.tensor([1 + 2j, -0.5 + 0.3j], dtype=torch.complex128)
C = torch.tensor([0.7 - 0.2j, 0.4 + 0.9j], dtype=torch.complex128)
CASES = {
    "mul": (lambda a, b: a * b, torch.mul), "div": (lambda a, b: a / b, torch.div),
    "sub": (lambda a, b: a - b, torch.sub), "add": (lambda a, b: a + b * 2j, lambda a, b: a + b * 2j),
    "exp": (lambda a, b: ops.exp(a) * b, lambda a, b: a.exp() * b),
    "log": (lambda a, b: ops.log(a) * b, lambda a, b: a.log() * b),
    "sin": (lambda a, b: ops.sin(a) * b, lambda a, b: a.sin() * b),
    "sqrt": (lambda a, b: ops.sqrt(a) * b, lambda a, b: a.sqrt() * b),
    "square": (lambda a, b: ops.square(a) / b, lambda a, b: a.square() / b),
    "reciprocal": (lambda a, b: ops.reciprocal(a) * b, lambda a, b: a.reciprocal() * b),
    "conj": (lambda a, b: ops.conj(a) * b, lambda a, b: a.conj() * b),
    "abs": (lambda a, b: ops.abs(a) * b, lambda a, b: a.abs() * b),
    "matmul": (lambda a, b: a.reshape((1, 2)) @ b.reshape((2, 1)), lambda a, b: a[None] @ b[:, None]),
    "sum": (lambda a, b: (a * b).sum() * a, lambda a, b: (a * b).sum() * a),
    "mean": (lambda a, b: ops.mean(a) * b, lambda a, b: a.mean() * b),
    "complex": (lambda a, b: ops.Complex()(ops.real(a), ops.imag(b)) * b,
                lambda a, b: torch.complex(a.real, b.imag) * b),
    "square of abs": (lambda a, b: ops.real(a * ops.conj(a)) * ops.imag(b), lambda a, b: (a * a.conj()).real * b.imag),
}


def torch_gradients(function):
    a, b = X.clone().requires_grad_(), C.clone().requires_grad_()
    out = function(a, b)
    (out.real if out.is_complex() else out).sum().backward()
    return a.grad, b.grad


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_the_gradient_of_a_real_result(name, mode):
    mine, theirs = CASES[name]

    def loss(a, b):
        return ops.real(mine(a, b)).sum()

    slope = ms.grad(loss, (0, 1))
    found = (ms.jit(slope) if mode == "graph" else slope)(Tensor(X.numpy()), Tensor(C.numpy()))
    for got, wanted in zip(found, torch_gradients(theirs), strict=True):
        torch.testing.assert_close(got._data, torch.zeros_like(X) if wanted is None else wanted)
