"""torch's core operators in ONNX: what kernels are written as, run by ONNX Runtime on inputs that tell them apart."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from onnx_models import run_message, written

from mindspore.core.dtype import from_torch
from mindspore.ir import Aval

pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")

F = torch.nn.functional
X = torch.tensor([[-2.5, -1.0, -0.3], [0.0, 0.4, 3.7]])
Y = torch.tensor([[1.5, -2.0, 0.7], [-0.6, 2.0, 1.1]])
BLOCK = torch.arange(24.0).reshape(2, 3, 4) - 7
NAN = torch.tensor([[float("nan"), 1.0, -1.0], [2.0, float("nan"), 0.0]])
M, N = torch.tensor([[-7, -3, 0], [5, 8, -8]]), torch.tensor([[2, -2, 3], [-3, 3, 4]])
A = torch.tensor([[True, True, False], [False, True, False]])
B = torch.tensor([[True, False, True], [False, True, True]])

CASES = {
    "not equal": (torch.ne, M, M.flip(0)), "not equal flags": (torch.ne, A, B), "equal": (torch.eq, X, X.flip(1)),
    "less": (torch.lt, X, Y), "less or equal": (torch.le, M, N), "greater": (torch.gt, X, Y),
    "mixed kinds": (lambda x, i: x >= i, X, M),
    "product of flags": (torch.mul, A, B), "minimum of flags": (torch.minimum, A, B),
    "maximum of flags": (torch.maximum, A, B),
    "and": (torch.logical_and, A, B), "or of bits": (torch.bitwise_or, M, N), "xor of bits": (torch.bitwise_xor, M, N),
    "xor": (torch.logical_xor, A, B), "not of bits": (torch.bitwise_not, M), "not": (torch.logical_not, A),
    "scaled sum": (lambda x, y: torch.add(x, y, alpha=2.5), X, Y),
    "scaled difference": (lambda x, y: torch.sub(x, y, alpha=-3), M, N),
    "fmax": (torch.fmax, NAN, X), "fmin": (torch.fmin, X, NAN), "fmax of integers": (torch.fmax, M, N),
    "round": (torch.round, X), "round to places": (lambda x: torch.round(x, decimals=2), X / 3),
    "trunc": (torch.trunc, X), "floor": (torch.floor, X), "sign": (torch.sign, X),
    "exp2": (torch.exp2, X), "erfc": (torch.erfc, X), "hypot": (torch.hypot, X, Y), "rsqrt": (torch.rsqrt, X.abs() + 1),
    "log1p": (torch.log1p, X.abs()), "expm1": (torch.expm1, X), "log2": (torch.log2, X.abs() + 1),
    "log10": (torch.log10, X.abs() + 1),
    "quotient": (torch.div, X, Y), "quotient of integers": (torch.div, M, N),
    "whole quotient": (lambda x, y: torch.div(x, y, rounding_mode="floor"), X, Y),
    "cut quotient": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), X, Y),
    "whole quotient of integers": (lambda x, y: torch.div(x, y, rounding_mode="floor"), M, N),
    "cut quotient of integers": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), M, N),
    "remainder": (torch.remainder, X, Y), "remainder of integers": (torch.remainder, M, N),
    "fmod": (torch.fmod, X, Y),
    "where": (torch.where, A, X, Y), "clamp": (lambda x: torch.clamp(x, -1, 2), X),
    "clamp below": (lambda x: torch.clamp(x, min=0.2), X), "clamp above": (lambda x: torch.clamp(x, max=0.2), X),
    "hardtanh": (lambda x: F.hardtanh(x, -0.5, 2.0), X), "leaky_relu": (lambda x: F.leaky_relu(x, 0.3), X),
    "gelu": (F.gelu, X), "gelu by tanh": (lambda x: F.gelu(x, approximate="tanh"), X),
    "elu": (lambda x: F.elu(x, 1.7), X), "selu": (F.selu, X), "celu": (lambda x: F.celu(x, 0.6), X),
    "to integers": (lambda x: x.to(torch.int32), X), "to flags": (lambda i: i.to(torch.bool), M),
    "reshape": (lambda x: x.reshape(4, 6), BLOCK), "expand": (lambda x: x[:, None].expand(2, 4, 3), X),
    "permute": (lambda x: x.permute(1, 2, 0), BLOCK), "permute back": (lambda x: x.permute(-1, 0, 1), BLOCK),
    "slice": (lambda x: x[:, 1:3, ::2], BLOCK), "slice to the end": (lambda x: x[..., 2:], BLOCK),
    "slice without the end": (lambda x: x[:, :-1, :-2], BLOCK), "select": (lambda x: x[:, -1], BLOCK),
    "cat": (lambda x, y: torch.cat([x, y, x], 1), X, Y), "cat with nothing": (
        lambda x: torch.cat([x[0], torch.zeros(0), x[1]]), X),
    "split": (lambda x: torch.split(x, [1, 3], 2), BLOCK), "chunks": (lambda x: torch.chunk(x, 3, 1), BLOCK),
    "pad": (lambda x: F.pad(x, (1, 2, 0, 3), value=5.0), X), "pad less": (lambda x: F.pad(x, (-1, 1)), X),
    "flip": (lambda x: x.flip(0, 2), BLOCK), "roll": (lambda x: x.roll(2, 2), BLOCK),
    "sum": (lambda x: x.sum(1), BLOCK), "sum of flags": (lambda a: a.sum(0), A),
    "mean": (lambda x: x.mean((0, 2)), BLOCK),
    "product": (lambda x: x.prod(1), X), "greatest": (lambda x: x.amax(2), BLOCK),
    "argmin": (lambda x: x.argmin(1), X),
    "any": (lambda a: a.any(0), A), "all": (lambda a: a.all(1), A), "cumsum": (lambda x: x.cumsum(1), BLOCK),
    "variance": (lambda x: x.var(1), BLOCK), "deviation": (lambda x: x.std(2, correction=0), BLOCK),
    "gather": (lambda x, i: x.gather(1, i % 3), X, M), "matmul": (lambda x, y: x @ y.T, X, Y),
    "softmax": (lambda x: x.softmax(1), BLOCK), "log_softmax": (lambda x: x.log_softmax(-1), X),
    "topk": (lambda x: torch.topk(x, 2, 1), X), "sort": (lambda x: torch.sort(x, 1, descending=True), Y),
    "triangle": (lambda x: x.tril(1), BLOCK), "repeat": (lambda x: x.repeat(2, 1, 3), X),
}


@pytest.mark.parametrize("name", CASES)
def test_a_function_of_torch_is_the_same_in_onnx_runtime(name):
    function, *inputs = CASES[name]
    wanted = function(*inputs)
    wanted = (wanted,) if isinstance(wanted, torch.Tensor) else tuple(wanted)
    avals = [Aval(tuple(w.shape), from_torch(w.dtype)) for w in wanted]
    kernel = SimpleNamespace(name="Kernel", effect=None, onnx_rule=None, view=False, kernel=function,
                             infer=lambda *_: avals[0] if len(avals) == 1 else tuple(avals))
    for mine, theirs in zip(run_message(*written(kernel, inputs, {})), wanted, strict=True):
        assert mine.dtype == theirs.numpy().dtype
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-5, atol=1e-6)
