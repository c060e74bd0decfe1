"""Normalisation against torch and against its formulas, with the statistics that it returns."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore
from mindspore import Parameter, Tensor, ops
from mindspore.operators import normalisation
from mindspore.operators.im2col_convolution import samples_innermost


def vectors(draw, n):
    return [draw(n) for _ in range(3)] + [np.abs(draw(n)) + 0.5]


@pytest.mark.parametrize("shape", [(6, 3), (4, 3, 5), (4, 3, 5, 2), (2, 3, 2, 2, 2)])
def test_training_normalises_by_the_batch(agrees_with_torch, draw, shape):
    gamma, beta, mean, variance = vectors(draw, 3)
    m, v = Tensor(mean), Tensor(variance)
    agrees_with_torch(lambda x, g, b: normalisation.batch_norm_train(x, g, b, m, v)[0],
                      lambda x, g, b: F.batch_norm(x, None, None, g, b, True), draw(*shape), gamma, beta)


def test_inference_normalises_by_what_is_given_and_differentiates_all_of_it(agrees_with_torch, draw):
    def formula(x, g, b, m, v):
        return (x - m[:, None, None]) / torch.sqrt(v[:, None, None] + 1e-5) * g[:, None, None] + b[:, None, None]
    agrees_with_torch(normalisation.batch_norm_infer, formula, draw(4, 3, 2, 2), *vectors(draw, 3))


@pytest.mark.parametrize("shape", [(4, 3, 5, 2), (8, 4, 64, 64)])     # torch's kernel, and ours for large inputs
def test_the_moving_statistics_follow_the_batch(draw, shape):
    x, c = draw(*shape) + 1.5, shape[1]
    gamma, beta, mean, variance = vectors(draw, c)
    y, own, scale, m, v = [t.asnumpy() for t in normalisation.batch_norm_train(
        *[Tensor(a) for a in (x, gamma, beta, mean, variance)], momentum=0.2)]
    axes = (0, 2, 3)
    np.testing.assert_allclose(own, x.mean(axes), rtol=1e-4)
    np.testing.assert_allclose(scale, 1 / np.sqrt(x.var(axes) + 1e-5), rtol=1e-4)
    np.testing.assert_allclose(m, 0.8 * mean + 0.2 * x.mean(axes), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(v, 0.8 * variance + 0.2 * x.var(axes, ddof=1), rtol=1e-4)
    wanted = F.batch_norm(*[torch.tensor(a) for a in (x, mean, variance, gamma, beta)], True).numpy()
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4)


def test_images_may_lie_with_the_samples_innermost(draw):
    x = torch.tensor(draw(3, 5, 2, 4)).permute(3, 0, 1, 2)               # (4, 3, 5, 2) of another memory
    ones, zeros = torch.ones(3), torch.zeros(3)
    y = normalisation.batch_norm_train.kernel(x, ones, zeros, zeros, ones, momentum=0.1, epsilon=1e-5)[0]
    assert samples_innermost(x)
    np.testing.assert_allclose(y, F.batch_norm(x, None, None, ones, zeros, True), rtol=1e-4, atol=1e-5)


def test_the_variance_is_that_of_a_sample_for_few_elements_of_many_channels(draw):
    x = draw(2, 4100, 4, 4)                         # 32 elements of each channel, by the kernel for large inputs
    zeros, ones = Tensor(np.zeros(4100, np.float32)), Tensor(np.ones(4100, np.float32))
    moved = normalisation.batch_norm_train(Tensor(x), ones, zeros, zeros, ones, momentum=1.0)[4].asnumpy()
    np.testing.assert_allclose(moved, x.var((0, 2, 3), ddof=1), rtol=1e-4)


def test_large_inputs_far_from_zero_keep_their_variance(draw):
    x = draw(8, 4, 64, 64) + np.float32(1000)
    ones, zeros = Tensor(np.ones(4, np.float32)), Tensor(np.zeros(4, np.float32))
    y = normalisation.batch_norm_train(Tensor(x), ones, zeros, zeros, ones)[0].asnumpy()
    assert abs(y.mean()) < 1e-3
    assert abs(y.std() - 1) < 1e-3


def test_the_primitive_moves_parameters_in_training_only(draw):
    x, gamma, beta, mean, variance = draw(8, 3), *vectors(draw, 3)
    m, v = Parameter(Tensor(mean), name="m"), Parameter(Tensor(variance), name="v")
    ops.BatchNorm(is_training=False)(Tensor(x), Tensor(gamma), Tensor(beta), m, v)
    np.testing.assert_array_equal(m.asnumpy(), mean)
    ops.BatchNorm(is_training=True, momentum=0.1)(Tensor(x), Tensor(gamma), Tensor(beta), m, v)
    np.testing.assert_allclose(m.asnumpy(), 0.9 * mean + 0.1 * x.mean(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(v.asnumpy(), 0.9 * variance + 0.1 * x.var(0, ddof=1), rtol=1e-5)


def batch(x, g, b):
    return normalisation.batch_norm_train(x, g, b, g * 0.0, g * 0.0 + 1.0)[0]


@pytest.mark.parametrize(("ours", "theirs", "shape", "channels"), [
    (batch, lambda x, g, b: F.batch_norm(x, None, None, g, b, True), (5, 3), 3),
    (lambda x, g, b: ops.layer_norm(x, (3,), g, b), lambda x, g, b: F.layer_norm(x, (3,), g, b), (5, 3), 3),
    (lambda x, g, b: ops.rms_norm(x, g)[0] + b, lambda x, g, b: F.rms_norm(x, (3,), g, 1e-6) + b, (5, 3), 3),
    (lambda x, g, b: ops.group_norm(x, 2, g, b), lambda x, g, b: F.group_norm(x, 2, g, b), (2, 4, 3), 4)])
def test_second_derivatives_agree_with_torch(draw, ours, theirs, shape, channels):
    xs, gamma, beta = draw(*shape), draw(channels), draw(channels)

    def squared_slope(x):
        d = mindspore.grad(lambda u: (ours(u, Tensor(gamma), Tensor(beta)) ** 3).sum())(x)
        return (d * d).sum()
    x = torch.tensor(xs, dtype=torch.float64, requires_grad=True)
    y = theirs(x, torch.tensor(gamma, dtype=torch.float64), torch.tensor(beta, dtype=torch.float64))
    d, = torch.autograd.grad((y ** 3).sum(), x, create_graph=True)
    wanted, = torch.autograd.grad((d * d).sum(), x)
    scale = float(wanted.abs().max())
    np.testing.assert_allclose(mindspore.grad(squared_slope)(Tensor(xs)).asnumpy() / scale,
                               wanted.numpy() / scale, atol=1e-4)


def test_one_element_per_channel_cannot_be_normalised_in_training(draw):
    with pytest.raises(ValueError, match="more than one element per channel"):
        normalisation.batch_norm_train(*[Tensor(draw(*s)) for s in ((1, 3), (3,), (3,), (3,), (3,))])


def test_channels_that_do_not_fit_are_named(draw):
    with pytest.raises(ValueError, match="shape \\(4,\\)"):
        ops.batch_norm(Tensor(draw(2, 4, 2, 2)), *[Tensor(draw(3)) for _ in range(4)])


@pytest.mark.parametrize("shape", [(6,), (3, 6)])
def test_layer_norm_agrees_with_torch(agrees_with_torch, draw, shape):
    agrees_with_torch(lambda x, g, b: ops.layer_norm(x, shape, g, b),
                      lambda x, g, b: F.layer_norm(x, shape, g, b), draw(4, 3, 6), draw(*shape), draw(*shape))


def test_the_primitive_of_layer_norm_returns_mean_and_variance(draw):
    x = draw(2, 3, 4)
    y, mean, variance = ops.LayerNorm(1, 2)(Tensor(x), Tensor(np.full(4, 2, np.float32)),
                                            Tensor(np.ones(4, np.float32)))
    np.testing.assert_allclose(mean.asnumpy(), x.mean((1, 2), keepdims=True), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(variance.asnumpy(), x.var((1, 2), keepdims=True), rtol=1e-4)
    unit = (x - x.mean((1, 2), keepdims=True)) / x.std((1, 2), keepdims=True)
    np.testing.assert_allclose(y.asnumpy(), 2 * unit + 1, rtol=1e-4, atol=1e-4)


def test_layer_norm_refuses_a_shape_that_is_not_trailing(draw):
    with pytest.raises(ValueError, match="trailing extents"):
        ops.layer_norm(Tensor(draw(2, 3)), (2,))


def test_rms_norm_agrees_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x, g: ops.rms_norm(x, g, 1e-6)[0],
                      lambda x, g: F.rms_norm(x, (6,), g, 1e-6), draw(4, 3, 6), draw(6))


def test_the_sum_before_a_norm_is_returned_too(draw):
    a, b, g = draw(2, 4), draw(2, 4), np.ones(4, np.float32)
    y, _, total = ops.add_rms_norm(Tensor(a), Tensor(b), Tensor(g))
    np.testing.assert_allclose(total.asnumpy(), a + b)
    np.testing.assert_allclose(y.asnumpy(), ops.rms_norm(total, Tensor(g))[0].asnumpy())


def test_group_norm_agrees_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x, g, b: ops.group_norm(x, 2, g, b), lambda x, g, b: F.group_norm(x, 2, g, b),
                      draw(3, 4, 5, 2), draw(4), draw(4))


def test_groups_must_divide_the_channels(draw):
    with pytest.raises(ValueError, match="multiple of the 3 groups"):
        ops.group_norm(Tensor(draw(2, 4, 3)), 3)


def test_local_response_normalisation_follows_the_formula(agrees_with_torch, draw):
    def formula(x):
        near = torch.stack([(x[:, max(0, c - 2):c + 3] ** 2).sum(1) for c in range(x.shape[1])], 1)
        return x / (1.5 + 0.3 * near) ** 0.75
    agrees_with_torch(lambda x: ops.lrn(x, 2, 1.5, 0.3, 0.75), formula, draw(2, 6, 2, 3))


def test_l2_normalisation_follows_the_formula(agrees_with_torch, draw):
    agrees_with_torch(ops.L2Normalize(axis=1), lambda x: x / (x * x).sum(1, True).clamp(min=1e-4).sqrt(),
                      draw(3, 4))


@pytest.mark.parametrize("dtype", [mindspore.float16, mindspore.bfloat16])
@pytest.mark.parametrize("kernel", [
    lambda x, *p: normalisation.batch_norm_train(x, *p)[0], normalisation.batch_norm_infer,
    lambda x, *p: normalisation.layer_norm(x.reshape(4, 2, 3), *p[:2])[0],
    lambda x, *p: normalisation.group_norm(x, *p[:2], groups=3)[0]])
def test_half_precision_inputs_take_single_precision_parameters(draw, kernel, dtype):
    x, given = draw(4, 3, 2), [Tensor(v) for v in vectors(draw, 3)]
    half = Tensor(x).astype(dtype)
    y = kernel(half, *given)
    d = mindspore.grad(lambda u: (kernel(u, *given) * 2).sum())(half)
    assert (y.dtype, d.dtype) == (dtype, dtype)
    wanted = kernel(Tensor(x), *given).asnumpy()
    np.testing.assert_allclose(y.astype(mindspore.float32).asnumpy(), wanted, rtol=0.05, atol=0.05)
