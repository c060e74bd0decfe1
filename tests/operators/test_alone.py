"""Single operators by generated kernels: which sizes get one, that modes agree, and what keeps torch's."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.kernels import available
from mindspore.operators import alone
from mindspore.operators.choices import choices, using
from mindspore.operators.gelus import gelu, gelu_grad

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
RNG = np.random.default_rng(4)
X, DOUT = [RNG.standard_normal((50, 41)).astype(np.float32) * 3 for _ in range(2)]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Some thousand elements are many; no kernel was made before."""
    monkeypatch.setattr(alone, "_kernels", {})
    with using(choices()._replace(costly_least=2000.0)):
        yield


def kernels():
    return sorted((name, count) for (name, *_), held in alone._kernels.items() for count in held)


@pytest.mark.parametrize("approximate", ["tanh", "none"])
def test_values_and_derivatives_are_those_of_float64(approximate):
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    wanted = torch.nn.functional.gelu(x, approximate=approximate)
    wanted.backward(torch.tensor(DOUT, dtype=torch.float64))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        found = ops.gelu(Tensor(X), approximate=approximate)
        grad = ms.grad(lambda v: (ops.gelu(v, approximate=approximate) * Tensor(DOUT)).sum())(Tensor(X))
        np.testing.assert_allclose(found.asnumpy(), wanted.detach(), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(grad.asnumpy(), x.grad, rtol=2e-6, atol=4e-6)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert kernels() == [("GeLU", X.size), ("GeluGrad", X.size)]


def test_o0_computes_what_pynative_mode_computes():
    plain = ops.gelu(Tensor(X))
    graph = ms.jit(lambda x: ops.gelu(x), jit_level="O0")(Tensor(X))
    np.testing.assert_array_equal(plain.asnumpy(), graph.asnumpy())


def test_second_derivatives_and_slices_of_vmap_are_torch_s():
    def first(x):
        return ms.grad(lambda v: ops.gelu(v).sum())(x)
    second = ms.grad(lambda v: (first(v) * Tensor(DOUT)).sum())(Tensor(X))
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    (grad,) = torch.autograd.grad(torch.nn.functional.gelu(x).sum(), x, create_graph=True)
    (wanted,) = torch.autograd.grad((grad * torch.tensor(DOUT)).sum(), x)
    np.testing.assert_allclose(second.asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ops.vmap(ops.gelu)(Tensor(X)).asnumpy(), ops.gelu(Tensor(X)).asnumpy(), atol=1e-6)


def test_what_gets_no_kernel():
    big = torch.tensor(X)
    for x in (big[:10], big.double(), big.half(), big.t(), big[::2].expand(25, 41), big.to("meta")):
        assert alone.computed(gelu, x, approximate="tanh") is None
    assert alone.computed(gelu_grad, big, big[:1].expand(50, 41), approximate="tanh") is None
    assert alone.computed(gelu, big.requires_grad_(), approximate="tanh") is None
    assert not kernels()


def test_few_sizes_get_kernels():
    for rows in range(50, 58):
        gelu.kernel(torch.zeros(rows, 41), approximate="tanh")
    assert kernels() == [("GeLU", 41 * rows) for rows in range(50, 54)]
