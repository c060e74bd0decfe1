"""Generated normalisation over the batch, and its reverse, against torch in double precision."""
import math

import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.normalisation import BatchNorm, BatchNormReverse
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SHAPES = [(2, 1, 3, 3), (4, 16, 8, 8), (3, 24, 7, 5), (2, 130, 6, 6), (8, 33, 20, 20), (1, 5, 1, 2), (2, 64, 9, 9)]
LIMITS = [(None, None), ((0.0, math.inf), (0.0, math.nan)), ((0.0, 6.0), (0.0, 6.0000005))]


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def aval(x):
    return Aval(tuple(x.shape), float32)


def case(shape, offset=0.0):
    x, gamma, beta, mean, variance = drawn(*shape) * 3 + offset, *drawn(4, shape[1])
    return x, gamma, beta, mean, variance.abs()


def kernels(x, limits=(None, None), momentum=0.1, epsilon=1e-5):
    one = Aval((x.shape[1],), float32)
    made = (BatchNorm(aval(x), limits[0], (aval(x), one, one, one, one), momentum, epsilon),
            BatchNormReverse(aval(x), limits[1], (aval(x), one, one)))
    for kernel in made:
        kernel.shared = True
    return made


def exact(x, gamma, beta, limits, dout, epsilon=1e-5):
    """Result, mean, variance and the cotangents of the first three operands, in double precision."""
    leaves = [t.double().requires_grad_() for t in (x, gamma, beta)]
    x, gamma, beta = leaves[0], *[v.view(1, -1, 1, 1) for v in leaves[1:]]
    mean, variance = x.mean((0, 2, 3), keepdim=True), x.var((0, 2, 3), unbiased=False, keepdim=True)
    y = (x - mean) / (variance + epsilon).sqrt() * gamma + beta
    y = y.clamp(*limits) if limits else y
    return y.detach(), mean.detach(), variance.detach(), torch.autograd.grad(y, leaves, dout.double())


@pytest.fixture(params=[1, 2, 7])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("limits", LIMITS, ids=["none", "relu", "relu6"])
def test_values_statistics_and_cotangents_are_those_of_double_precision(threads, limits):
    for shape in SHAPES:
        x, gamma, beta, mean, variance = case(shape)
        dout = drawn(*shape) + 0.5
        forward, reverse = kernels(x, limits)
        y, own_mean, scale, new_mean, new_variance = forward(x, gamma, beta, mean, variance)
        wanted, exact_mean, exact_variance, cotangents = exact(x, gamma, beta, limits[0], dout)
        n = x.numel() / shape[1]
        spread = exact_variance.flatten()
        for got, right in ((y, wanted), (own_mean, exact_mean.flatten()), (scale, (spread + 1e-5).rsqrt()),
                           (new_mean, 0.9 * mean + 0.1 * exact_mean.flatten()),
                           (new_variance, 0.9 * variance + 0.1 * spread * n / (n - 1))):
            torch.testing.assert_close(got.double(), right.double(), rtol=1e-5, atol=1e-5)
        for got, right in zip(reverse(dout, x, gamma, beta, own_mean, scale), cotangents, strict=True):
            torch.testing.assert_close(got.double(), right, rtol=1e-4, atol=2e-5 * n**0.5)


def test_a_mean_far_from_zero_costs_no_digits(threads):
    x, gamma, beta, mean, variance = case((8, 33, 20, 20), 1000.0)
    scale = kernels(x)[0](x, gamma, beta, mean, variance)[2]
    torch.testing.assert_close(scale.double(), (x.double().var((0, 2, 3), unbiased=False) + 1e-5).rsqrt(), rtol=2e-6,
                               atol=0)


def test_elements_may_lie_anywhere_and_the_order_of_sums_is_fixed(threads):
    x, *vectors = case((3, 24, 7, 5))
    forward, reverse = kernels(x, LIMITS[2])
    found = forward(x, *vectors)
    for other in (x.contiguous(memory_format=torch.channels_last), torch.stack((x, x), -1)[..., 0], x.clone()):
        again = forward(other, *[torch.stack((v, v), 1)[:, 0] for v in vectors])
        assert all(map(torch.equal, found, again))
        assert again[0].is_contiguous(memory_format=torch.channels_last)
        assert all(map(torch.equal, reverse(x, x, *vectors[:2], *found[1:3]),
                       reverse(other, other, *vectors[:2], *found[1:3])))


def test_what_is_no_number_stays_so():
    x, *vectors = case((2, 20, 4, 4))
    x[1, 3, 2, 2] = math.nan
    forward, reverse = kernels(x, LIMITS[1])
    y, mean, scale, *_ = forward(x, *vectors)
    dx, *_ = reverse(torch.ones_like(x), x, *vectors[:2], mean, scale)
    for found in (y, dx):
        assert found[:, 3].isnan().all()
        assert found[:, [c for c in range(20) if c != 3]].isfinite().all()
