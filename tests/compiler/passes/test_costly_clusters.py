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
