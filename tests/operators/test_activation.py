"""What the generic tests cannot tell about smooth activations: limits, random slopes, reverse operators."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.operators import softmaxes


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_agrees_with_torch(agrees_with_torch, draw, approximate):
    agrees_with_torch(lambda x: ops.gelu(x, approximate),
                      lambda x: torch.nn.functional.gelu(x, approximate=approximate), draw(4, 5))


def test_large_inputs_have_the_same_gelu(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.gelu(x, "tanh"),
                      lambda x: torch.nn.functional.gelu(x, approximate="tanh"), draw(200, 200) * 4)


def test_the_primitive_of_gelu_is_the_tanh_approximation(draw):
    x = draw(7)
    wanted = torch.nn.functional.gelu(torch.tensor(x), approximate="tanh").numpy()
    np.testing.assert_allclose(ops.GeLU()(Tensor(x)).asnumpy(), wanted, rtol=1e-5, atol=1e-6)


def test_the_second_derivative_of_tanh_follows_the_formula():
    x = Tensor(np.array([0.3, -1.2], np.float32))
    second = mindspore.grad(lambda v: mindspore.grad(lambda u: ops.tanh(u).sum())(v).sum())(x)
    t = np.tanh(x.asnumpy())
    np.testing.assert_allclose(second.asnumpy(), -2 * t * (1 - t * t), rtol=1e-5)


def test_rrelu_draws_slopes_between_the_limits_and_differentiates_with_them():
    x = Tensor(-np.ones(1000, np.float32))
    y, factor = softmaxes.rrelu(x, lower=0.2, upper=0.4)
    assert 0.2 <= factor.asnumpy().min() < 0.21
    assert 0.39 < factor.asnumpy().max() <= 0.4
    np.testing.assert_array_equal(y.asnumpy(), -factor.asnumpy())
    d = mindspore.grad(lambda v: ops.rrelu(v, 0.25, 0.25).sum())(x)
    np.testing.assert_allclose(d.asnumpy(), 0.25)


def test_swiglu_gates_one_half_by_the_other(agrees_with_torch, draw):
    def formula(x):
        a, b = x.chunk(2, -1)
        return torch.nn.functional.silu(a) * b
    agrees_with_torch(ops.swiglu, formula, draw(3, 6))


def test_glu_needs_an_even_extent(draw):
    with pytest.raises(ValueError, match="must be even"):
        ops.glu(Tensor(draw(2, 3)))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("dtype", [mindspore.bool_, mindspore.complex64])
def test_selu_takes_real_numbers_only(dtype):           # observed: MindSpore 2.10, CPU
    with pytest.raises(TypeError, match="real numbers"):
        mindspore.jit(ops.selu)(Tensor([1, 0], dtype))
