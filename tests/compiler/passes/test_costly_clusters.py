"""Functions of very many elements become generated kernels at O1, too."""
import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.kernels import available, kernel
from mindspore.compiler.passes import clusters

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")


@pytest.mark.parametrize(("least", "count"), [(60, 2), (61, 0)])
def test_it_takes_functions_and_many_elements(monkeypatch, choosing, least, count):
    made, whole = [], clusters.generated
    choosing(costly_least=least)
    monkeypatch.setattr(clusters, "generated", lambda elements: made.append(elements) or whole(elements))
    x, w = np.random.default_rng(1).standard_normal((2, 6, 10)).astype(np.float32)
    y, plain, dx = ms.jit(lambda x, w: (ops.gelu(x, approximate="tanh") + w, x * w - x,
                                        ms.grad(lambda v: ops.gelu(v, approximate="tanh").sum())(x + w)))(
        Tensor(x), Tensor(w))
    t = torch.tensor(x + w, requires_grad=True)
    torch.nn.functional.gelu(t, approximate="tanh").sum().backward()
    np.testing.assert_allclose(dx.asnumpy(), t.grad, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(y.asnumpy(), torch.nn.functional.gelu(torch.tensor(x), approximate="tanh").numpy() + w,
                               rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(plain.asnumpy(), x * w - x, rtol=1e-6, atol=1e-6)
    assert len(made) == count


def test_a_fault_of_the_compiler_is_raised_where_the_kernel_is_called():
    broken = kernel.Loading("this is no module")
    with pytest.raises(RuntimeError, match="expected"):
        broken.code()
    with pytest.raises(RuntimeError, match="expected"):
        broken.code()


def test_it_takes_reverses_of_normalisations_with_what_is_added_to_them(monkeypatch, choosing):
    made, whole = [], clusters.generated
    choosing(costly_least=60)
    monkeypatch.setattr(clusters, "generated", lambda elements: made.append(elements) or whole(elements))
    x, w, g = np.random.default_rng(2).standard_normal((3, 6, 10)).astype(np.float32)
    gamma, beta = np.linspace(0.5, 1.5, 10, dtype=np.float32), np.zeros(10, np.float32)
    norm = ms.ops.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1, epsilon=1e-5)

    def loss(x, gamma, beta):
        return ((x + norm(x, gamma, beta)[0] * w) * g).sum()
    w, g = Tensor(w), Tensor(g)
    got = ms.jit(ms.grad(loss, (0, 1, 2)))(Tensor(x), Tensor(gamma), Tensor(beta))
    exact = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (x, gamma, beta)]
    tw, tg = [torch.tensor(a.asnumpy(), dtype=torch.float64) for a in (w, g)]
    ((exact[0] + torch.nn.functional.layer_norm(exact[0], (10,), *exact[1:], 1e-5) * tw) * tg).sum().backward()
    for mine, theirs in zip(got, exact, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.grad.numpy(), rtol=1e-4, atol=1e-5)
    assert any(len(results) == 3 for results in made)             # the reverse, and the sum with the residual, in one


def test_sums_of_rows_alone_stay_with_torch(monkeypatch, choosing):
    made, whole = [], clusters.generated
    choosing(costly_least=60)
    monkeypatch.setattr(clusters, "generated", lambda elements: made.append(elements) or whole(elements))
    x = np.random.default_rng(3).standard_normal((6, 10)).astype(np.float32)
    got = ms.jit(lambda x: (x * 2 + 1).sum(-1))(Tensor(x))
    np.testing.assert_allclose(got.asnumpy(), (x * 2 + 1).sum(-1), rtol=1e-5, atol=1e-5)
    assert not made
