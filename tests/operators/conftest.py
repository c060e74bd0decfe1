"""What the tests of operators share: comparing a function and its gradient with torch's."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor


@pytest.fixture
def agrees_with_torch():
    """`check(ours, theirs, *arrays, rtol=, atol=)`: equal results and gradients of all float arrays."""
    return check


def check(ours, theirs, *arrays, rtol=1e-4, atol=1e-5):
    leaves = [torch.tensor(a, requires_grad=np.issubdtype(a.dtype, np.floating)) for a in arrays]
    expected = theirs(*leaves)
    weight = torch.randn(expected.shape, generator=torch.Generator().manual_seed(3))
    places = [i for i, x in enumerate(leaves) if x.requires_grad]
    slopes = torch.autograd.grad((expected * weight).sum(), [leaves[i] for i in places],
                                 allow_unused=True)
    tensors = [Tensor(a) for a in arrays]
    np.testing.assert_allclose(ours(*tensors).asnumpy(), expected.detach().numpy(), rtol=rtol, atol=atol)
    w = Tensor(weight.numpy())
    found = mindspore.grad(lambda *xs: (ours(*xs) * w).sum(), tuple(places))(*tensors)
    for mine, wanted in zip(found if isinstance(found, tuple) else (found,), slopes, strict=True):
        wanted = np.zeros(mine.shape) if wanted is None else wanted.numpy()
        np.testing.assert_allclose(mine.asnumpy(), wanted, rtol=rtol, atol=atol)


@pytest.fixture
def draw():
    """`draw(*shape)`: standard normal float32, the same in every run."""
    rng = np.random.default_rng(5)
    return lambda *shape: rng.standard_normal(shape).astype(np.float32)
