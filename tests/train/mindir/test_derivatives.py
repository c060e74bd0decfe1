"""Primitives that are derivatives compute what torch's reverse gives."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from mindspore import Tensor
from mindspore.formats.mindir import Primitive
from mindspore.train.mindir.primitives import compute


def drawn(*shape, seed=0):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape).astype(np.float32)).requires_grad_()


def ours(name, *inputs, **attrs):
    given = [Tensor(x.detach().numpy()) if isinstance(x, torch.Tensor) else x for x in inputs]
    found = compute(Primitive(name, attrs, not attrs))(*given)
    return found if isinstance(found, tuple) else (found,)


def same(found, wanted):
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.detach().numpy(), rtol=1e-4, atol=1e-5)


X = drawn(3, 4)
POSITIVE = (drawn(3, 4).detach().abs() / 4 + 0.1).requires_grad_()
# the function, its input, and what the primitive is given, of input, result and cotangent
ELEMENTS = {
    "TanhGrad": (torch.tanh, X, "y d"), "SigmoidGrad": (torch.sigmoid, X, "y d"), "ReluGrad": (torch.relu, X, "d y"),
    "EluGrad": (F.elu, X, "d y"), "SiLUGrad": (F.silu, X, "d x"), "ReLU6Grad": (F.relu6, X, "d x"),
    "HSwishGrad": (F.hardswish, X, "d x"), "HSigmoidGrad": (F.hardsigmoid, X, "d x"),
    "SoftplusGrad": (F.softplus, X, "d x"), "AtanGrad": (torch.atan, X, "x d"), "AbsGrad": (torch.abs, X, "x d"),
    "GeLUGrad": (lambda x: F.gelu(x, approximate="tanh"), X, "d x y"), "SqrtGrad": (torch.sqrt, POSITIVE, "y d"),
    "RsqrtGrad": (torch.rsqrt, POSITIVE, "y d"), "ReciprocalGrad": (torch.reciprocal, POSITIVE, "y d"),
    "AsinGrad": (torch.asin, POSITIVE, "x d"), "ACosGrad": (torch.acos, POSITIVE, "x d"),
    "SoftmaxBackward": (lambda x: torch.softmax(x, -1), X, "d y"),
    "LogSoftmaxGrad": (lambda x: torch.log_softmax(x, -1), X, "y d"),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_derivatives_of_functions_of_one_tensor(name):
    function, x, given = ELEMENTS[name]
    y = function(x)
    values = {"x": x, "y": y, "d": drawn(3, 4, seed=1)}
    same(ours(name, *[values[one] for one in given.split()]), torch.autograd.grad(y, x, values["d"]))


CONVOLUTION = {"out_channel": 5, "kernel_size": (3, 3), "pad_mode": "PAD", "pad": (1, 1, 1, 1),
               "stride": (1, 1, 2, 2), "dilation": (1, 1, 1, 1), "group": 1}


def test_derivatives_of_convolutions():
    x, w = drawn(2, 3, 6, 6), drawn(5, 3, 3, 3, seed=1)
    y = F.conv2d(x, w, None, 2, 1)
    d = drawn(*y.shape, seed=2)
    dx, dw = torch.autograd.grad(y, (x, w), d)
    same(ours("Conv2DBackpropInput", d, w, tuple(x.shape), **CONVOLUTION), [dx])
    same(ours("Conv2DBackpropFilter", d, x, tuple(w.shape), **CONVOLUTION), [dw])


def test_derivatives_of_windows():
    x = drawn(2, 3, 6, 6)
    y = F.max_pool2d(x, 2, 2)
    d = drawn(*y.shape, seed=2)
    windows = {"kernel_size": (1, 1, 2, 2), "strides": (1, 1, 2, 2), "pad_mode": "VALID"}
    same(ours("MaxPoolGrad", x, y, d, **windows), torch.autograd.grad(y, x, d))
    same(ours("AvgPoolGrad", x, y, d, (2, 2), (2, 2), 2, 0), torch.autograd.grad(F.avg_pool2d(x, 2, 2), x, d))
    d = drawn(2, 3, 2, 3, seed=2)
    wanted = torch.autograd.grad(F.adaptive_avg_pool2d(x, (2, 3)), x, d)
    same(ours("AdaptiveAvgPool2DGrad", d, tuple(x.shape)), wanted)


@pytest.mark.parametrize("training", [True, False])
def test_derivatives_of_norms_over_the_batch(training):
    x, gamma, beta = drawn(4, 3, 2, 2), drawn(3, seed=1), drawn(3, seed=2)
    mean, variance = torch.tensor([0.1, 0.2, 0.3]), torch.tensor([1.0, 2.0, 3.0])
    d = drawn(4, 3, 2, 2, seed=3)
    y = F.batch_norm(x, mean.clone(), variance.clone(), gamma, beta, training, 0.1, 1e-5)
    if training:
        mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
    found = ours("BatchNormGrad", d, x, gamma, mean, variance, None, training, 1e-5, 0)
    same(found, torch.autograd.grad(y, (x, gamma, beta), d))


def test_derivatives_of_norms_over_layers_and_groups():
    x, gamma, beta = drawn(3, 4), drawn(4, seed=1), drawn(4, seed=2)
    d, variance = drawn(3, 4, seed=3), X.var(1, unbiased=False, keepdim=True)
    wanted = torch.autograd.grad(F.layer_norm(x, (4,), gamma, beta, 1e-5), (x, gamma, beta), d)
    same(ours("LayerNormGrad", x, d, variance, x.mean(1, keepdim=True), gamma, 1, 1, epsilon=1e-5), wanted)
    x, d = drawn(2, 4, 3, 3), drawn(2, 4, 3, 3, seed=3)
    y, mean, scale = torch.native_group_norm(x, gamma, beta, 2, 4, 9, 2, 1e-5)
    same(ours("GroupNorm", x, 2, gamma, beta, 1e-5), [y, mean, scale])
    wanted = torch.autograd.grad(y, (x, gamma, beta), d)
    same(ours("GroupNormGrad", d, x, mean, scale, gamma, 2, True, True, True), wanted)


def test_derivatives_of_indices():
    x, d = drawn(3, 4), drawn(2, 2, seed=1)
    zeros = torch.zeros(3, 4)
    zeros[1:3, 0:4:2] = d
    same(ours("StridedSliceGrad", d, (3, 4), (1, 0), (3, 4), (1, 2), begin_mask=0), [zeros])
    index = torch.tensor([[0, 2], [1, 1], [3, 0]])
    d = drawn(3, 2, seed=2)
    same(ours("GatherDGradV2", x, 1, index, d), torch.autograd.grad(x.gather(1, index), x, d))


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_the_derivative_of_a_cross_entropy_is_scaled(factor):
    x, labels = drawn(3, 4), torch.tensor([0, 3, 1])
    wanted = torch.autograd.grad(F.cross_entropy(x, labels), x)[0] * factor
    same(ours("SparseSoftmaxCrossEntropyWithLogits", x, labels.int(), is_grad=True, sens=factor), [wanted])
