"""Joining and splitting: gradients where only some of the parts are used."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")
USED = [used for count in (1, 2, 3) for used in itertools.combinations(range(3), count)]


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("sizes", [2, [1, 3, 2]])
def test_parts_that_are_not_used_have_no_share_in_the_gradient(used, sizes):
    x, w = np.random.randn(2, 6).astype(np.float32), np.random.randn(3, 2, 1).astype(np.float32)

    def loss(x):
        parts = ops.split(x, sizes, 1)
        return sum([(parts[k] * parts[k] * Tensor(w[k])).sum() for k in used])
    t = torch.tensor(x, requires_grad=True)
    parts = torch.split(t, sizes, 1)
    sum([(parts[k] ** 2 * torch.tensor(w[k])).sum() for k in used]).backward()
    np.testing.assert_allclose(ms.grad(loss)(Tensor(x)).asnumpy(), t.grad.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("join", [ops.concat, ops.stack, ops.Concat(), ops.Stack()],
                         ids=["concat", "stack", "Concat", "Stack"])
def test_a_number_in_place_of_a_tensor_is_refused(join):
    with pytest.raises(TypeError, match="every element must be a tensor, but got 0"):
        join([0])
    with pytest.raises(TypeError, match="every element must be a tensor, but got 0"):
        ms.jit(lambda: join([0]))()
