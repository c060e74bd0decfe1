"""The reverse of attention that a program wrote out is one operator in compiled sweeps, and gives torch's gradients."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.compiler import replay
from mindspore.compiler.kernels import available
from mindspore.eager import steady
from mindspore.operators.choices import choices, using

pytestmark = pytest.mark.skipif(not available(), reason="kernels cannot be generated here")
N, H, T, S, D, V = 2, 3, 12, 20, 16, 8
STEPS = steady._USED + 1


@pytest.fixture(autouse=True)
def _small_ones():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with using(choices()._replace(attention_least=0)):
        yield


@pytest.fixture
def graphs(monkeypatch):
    """What the programs that did sweeps compute, by the operators' names."""
    found = []
    plain = replay.Program.__call__

    def call(self, tensors):
        found.append([n.attrs["of"][0] if "of" in n.attrs else getattr(n.op, "name", "") for n in self.graph.nodes])
        return plain(self, tensors)
    monkeypatch.setattr(replay.Program, "__call__", call)
    return found


def keys_exchanged(ops, q, k, v, mask):
    return ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.25 + mask, -1), v)


def keys_turned(ops, q, k, v, mask):
    product = ms.ops.BatchMatMul(transpose_b=True)(q, k) if ops is ms.ops else torch.matmul(q, k.swapaxes(-1, -2))
    return ops.matmul(ops.softmax(product / 4.0 + mask, -1), v)


def keys_given(ops, q, k, v, mask):
    return ops.matmul(ops.softmax(ops.matmul(q, k) + mask, 3), v)


def tensors():
    rng = np.random.default_rng(2)
    shapes = {"q": (N, H, T, D), "k": (N, H, S, D), "v": (N, H, S, V), "mask": (T, S)}
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def compared(form, trained):
    """The gradients of the last step beside torch's."""
    given = tensors()
    if form is keys_given:
        given["k"] = np.ascontiguousarray(given["k"].swapaxes(2, 3))
    weights = {n: Parameter(Tensor(given[n]), name=n) for n in trained}
    ours = [weights.get(n, Tensor(x)) for n, x in given.items()]
    theirs = {n: torch.tensor(x, requires_grad=n in trained) for n, x in given.items()}
    for _ in range(STEPS):
        _, found = ms.value_and_grad(lambda: (ops.tanh(form(ops, *ours)) ** 2).sum(), None, list(weights.values()))()
    (torch.tanh(form(torch, *theirs.values())) ** 2).sum().backward()
    for n, d in zip(trained, found, strict=True):
        np.testing.assert_allclose(d.asnumpy(), theirs[n].grad.numpy(), rtol=1e-4, atol=1e-5, err_msg=n)


@pytest.mark.parametrize("form", [keys_exchanged, keys_turned, keys_given])
def test_the_gradients_of_queries_keys_and_values_are_those_of_torch(graphs, form):
    compared(form, ["q", "k", "v"])
    assert "AttentionGrad" in graphs[-1]
    assert "SoftmaxGrad" not in graphs[-1]


def test_it_stays_written_out_where_the_mask_has_a_gradient(graphs):
    compared(keys_exchanged, ["q", "k", "v", "mask"])
    assert "SoftmaxGrad" in graphs[-1]


@pytest.mark.parametrize("trained", [["q"], ["k", "v"], ["v"]])
def test_it_stays_written_out_where_a_gradient_is_not_asked_for(graphs, trained):
    compared(keys_exchanged, trained)
    assert "AttentionGrad" not in graphs[-1]


def test_weights_that_are_used_elsewhere_keep_their_gradient(graphs):
    given = tensors()
    q = Parameter(Tensor(given["q"]), name="q")
    k, v = [Parameter(Tensor(given[n]), name=n) for n in "kv"]
    a, b, c = [torch.tensor(given[n], requires_grad=True) for n in "qkv"]

    def both(ops, q, k, v):
        weights = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.25, -1)
        return (ops.matmul(weights, v) ** 2).sum() + (weights ** 3).sum()
    for _ in range(STEPS):
        _, found = ms.value_and_grad(lambda: both(ops, q, k, v), None, [q, k, v])()
    both(torch, a, b, c).backward()
    for d, t in zip(found, (a, b, c), strict=True):
        np.testing.assert_allclose(d.asnumpy(), t.grad.numpy(), rtol=1e-4, atol=1e-5)
    assert graphs
