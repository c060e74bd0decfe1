"""Generated attention, against torch in double precision."""
import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import Attention, AttentionReverse
from mindspore.compiler.passes import products
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SHAPES = [(1, 1, 1, 1, 1, 1), (2, 3, 7, 9, 5, 6), (1, 2, 33, 50, 20, 17), (2, 1, 70, 37, 32, 40)]


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def masks(n, h, t, s):
    high = torch.triu(torch.full((t, s), -1e9), 1)
    return [None, drawn(t, s), drawn(n, 1, 1, s), drawn(1, h, t, 1), drawn(n, h, t, s), high]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_attention_and_its_reverse_are_those_of_double_precision(shape, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    n, h, t, s, d, v = shape
    sizes = ((n, h, t, d), (n, h, s, d), (n, h, s, v), (n, h, t, v), (n, h, t, s))
    avals = [Aval(z, float32) for z in sizes]
    ways, back = Attention(shape, 0.3, tuple(avals[3:])), AttentionReverse(shape, 0.3, tuple(avals[:3]))
    ways.shared = back.shared = True
    for mask in masks(n, h, t, s):
        given = [drawn(z[0], z[2], z[1], z[3]).transpose(1, 2) for z in sizes[:3]]
        dout = drawn(*sizes[3])
        y, weights = ways(*given, *([] if mask is None else [mask]))
        exact = [g.double().requires_grad_() for g in given]
        scores = exact[0] @ exact[1].mT * 0.3 + (0 if mask is None else mask)
        wanted = torch.softmax(scores, -1) @ exact[2]
        wanted.backward(dout.double())
        torch.testing.assert_close(y.double(), wanted.detach(), rtol=0, atol=1e-5)
        for got, of in zip(back(dout, *given, weights), exact, strict=True):
            torch.testing.assert_close(got.double(), of.grad, rtol=0, atol=2e-5)
    torch.set_num_threads(before)


def test_what_is_not_a_number_spoils_its_row_as_in_torch():
    q, k, v = [drawn(1, 1, 6, 4) for _ in range(3)]
    q[0, 0, 2, 1] = float("nan")
    mask = torch.zeros(6, 6)
    mask[4] = float("-inf")
    made = Attention((1, 1, 6, 6, 4, 4), 0.5, (Aval((1, 1, 6, 4), float32), Aval((1, 1, 6, 6), float32)))
    y, weights = made(q, k, v, mask)
    wanted = torch.softmax(q @ k.mT * 0.5 + mask, -1)
    torch.testing.assert_close(weights, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    torch.testing.assert_close(y, wanted @ v, rtol=1e-5, atol=1e-5, equal_nan=True)


def test_a_compiled_function_uses_them_with_the_gradients_of_torch(monkeypatch, choosing):
    choosing(attention_least=1)
    made = []
    for name, kind in (("Attention", Attention), ("AttentionReverse", AttentionReverse)):
        monkeypatch.setattr(products, name, lambda *args, kind=kind: made.append(kind) or kind(*args))
    mask = np.triu(np.full((12, 12), -1e9, np.float32), 1)

    def attended(x, w):
        q, k, v = ops.matmul(x, w).reshape(2, 12, 3, 2, 8).transpose(2, 0, 3, 1, 4)
        weights = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.35 + Tensor(mask), -1)
        return (ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(2, 12, 16) ** 2).sum()
    x, w = drawn(2, 12, 16).numpy(), drawn(16, 48).numpy()
    got = mindspore.jit(mindspore.grad(attended, (0, 1)))(Tensor(x), Tensor(w))
    tx, tw = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (x, w)]
    q, k, v = (tx @ tw).reshape(2, 12, 3, 2, 8).permute(2, 0, 3, 1, 4)
    y = torch.softmax(q @ k.mT * 0.35 + torch.tensor(mask), -1) @ v
    (y.transpose(1, 2).reshape(2, 12, 16) ** 2).sum().backward()
    for mine, theirs in zip(got, (tx, tw), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.grad.numpy(), rtol=1e-4, atol=1e-3)
    assert set(made) == {Attention, AttentionReverse}
    assert len(made) == 2
