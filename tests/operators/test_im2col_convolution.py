"""Convolution as a product of the weight with windows, and pooling, with the samples innermost in memory."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.operators import im2col_convolution, normalisation, pooling

PADDINGS = [(0, 0), (1, 2), (1, 0, 2, 1)]


def images(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(4))


def inner(x):
    """The same images with the samples innermost in memory."""
    return x.permute(1, 2, 3, 0).contiguous().permute(3, 0, 1, 2)


def judged(x, w, b, dout, padding):
    """torch's convolution in double precision and its cotangents of input, weight and bias."""
    leaves = [t.double().requires_grad_() for t in (x, w, b)]
    top, bottom, left, right = padding if len(padding) == 4 else (padding[0], padding[0], padding[1], padding[1])
    y = F.conv2d(F.pad(leaves[0], (left, right, top, bottom)), *leaves[1:])
    return [t.float() for t in (y.detach(), *torch.autograd.grad(y, leaves, dout.double()))]


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last, None])
@pytest.mark.parametrize("padding", PADDINGS)
def test_windows_give_the_convolution_and_all_cotangents(padding, layout):
    lay = inner if layout is None else lambda t: t.contiguous(memory_format=layout)
    x, w, b = images(5, 3, 7, 6), images(2, 3, 3, 2), images(2)
    dout = images(5, 2, *F.conv2d(F.pad(x, _four(padding)), w).shape[2:])
    y, dx, dw, db = judged(x, w, b, dout, padding)
    x, dout = lay(x), lay(dout)
    windows = im2col_convolution.sample_windows.kernel(x, window=(3, 2), padding=padding)
    found = im2col_convolution.convolve_windows.kernel(windows, x, w, b, padding=padding)
    assert im2col_convolution.samples_innermost(found)
    torch.testing.assert_close(found, y)
    torch.testing.assert_close(im2col_convolution.windows_weight_grad.kernel(dout, windows, x, w, padding=padding), dw)
    both = im2col_convolution.windows_affine_grad.kernel(dout, windows, x, w, padding=padding)
    torch.testing.assert_close(both, (dw, db))
    back = im2col_convolution.windows_input_grad.kernel(dout, x, w, padding=padding)
    assert im2col_convolution.samples_innermost(back)
    torch.testing.assert_close(back, dx)


def _four(padding):
    top, bottom, left, right = padding if len(padding) == 4 else (padding[0], padding[0], padding[1], padding[1])
    return left, right, top, bottom


def test_the_cotangent_of_a_weight_lies_as_the_weight():
    w = images(2, 3, 3, 2).contiguous(memory_format=torch.channels_last)
    x = images(5, 3, 7, 6)
    windows = im2col_convolution.sample_windows.kernel(x, window=(3, 2), padding=(0, 0))
    grad = im2col_convolution.windows_weight_grad.kernel(images(5, 2, 5, 5), windows, x, w, padding=(0, 0))
    assert grad.stride() == w.stride()


def test_pooling_takes_samples_innermost_as_it_takes_rows():
    x = images(9, 3, 6, 7).round()                 # rounded, so that many are equal
    for attrs in ({"window": (2, 2), "stride": (2, 2)}, {"window": (3, 3), "stride": (2, 2), "padding": (1, 1)}):
        y, indices = pooling.max_pool.kernel(x, **attrs)
        found, places = pooling.max_pool.kernel(inner(x), **attrs)
        assert im2col_convolution.samples_innermost(found)
        assert torch.equal(found, y)
        assert torch.equal(places, indices)
        dout = images(*y.shape)
        wanted = pooling.max_pool_grad.kernel(dout, indices, shape=tuple(x.shape), **attrs)
        for given in (dout, inner(dout)):
            dx = pooling.max_pool_grad.kernel(given, places, shape=tuple(x.shape), **attrs)
            assert im2col_convolution.samples_innermost(dx)
            assert torch.equal(dx, wanted)
        torch.testing.assert_close(pooling.avg_pool.kernel(inner(x), **attrs), pooling.avg_pool.kernel(x, **attrs))
        torch.testing.assert_close(
            pooling.avg_pool_grad.kernel(inner(dout), shape=tuple(x.shape), **attrs),
            pooling.avg_pool_grad.kernel(dout, shape=tuple(x.shape), **attrs))


def test_maxima_with_the_channels_innermost_hand_back_a_cotangent_in_rows():
    x = images(2, 20, 6, 6).round().contiguous(memory_format=torch.channels_last)
    attrs = {"window": (2, 2), "stride": (2, 2)}
    y, indices = pooling.max_pool.kernel(x, **attrs)
    dout = images(*y.shape)
    got = pooling.max_pool_grad.kernel(dout, indices, shape=tuple(x.shape), **attrs)
    leaf = x.clone().requires_grad_()
    (wanted,) = torch.autograd.grad(F.max_pool2d(leaf, 2), leaf, dout)
    assert torch.equal(got, wanted)


# ---------------------------------------------------------------------- the choice

@pytest.fixture
def chosen(monkeypatch):
    """The shapes of the images whose windows were taken, call by call, in either mode."""
    seen = []
    for name in ("sample_windows", "convolve_samples"):
        op = getattr(im2col_convolution, name)

        def spy(x, *rest, inner=op, **attrs):
            seen.append(tuple(x.shape))
            return inner(x, *rest, **attrs)
        monkeypatch.setattr(im2col_convolution, name, spy)
    monkeypatch.setattr(im2col_convolution, "alone", lambda: True)
    return seen


def tensors(*shapes, dtype=np.float32):
    random = np.random.default_rng(3)
    return [Tensor(random.standard_normal(shape).astype(dtype)) for shape in shapes]


FORMS = {
    "layer, same": lambda: nn.Conv2d(3, 5, 3, has_bias=True),
    "layer, valid": lambda: nn.Conv2d(3, 5, (3, 2), pad_mode="valid"),
    "layer, four numbers": lambda: nn.Conv2d(3, 5, 3, pad_mode="pad", padding=(1, 0, 2, 1), has_bias=True),
    "layer, channels last": lambda: nn.Conv2d(3, 5, 3, data_format="NHWC", has_bias=True),
    "function": lambda: lambda x: ops.conv2d(x, tensors((5, 3, 2, 3))[0], tensors((5,))[0], pad_mode="same"),
    "primitive": lambda: lambda x: ops.Conv2D(5, 3)(x, tensors((5, 3, 3, 3))[0]),
}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("form", FORMS)
def test_small_convolutions_of_few_channels_are_products_in_both_modes(chosen, form):
    net = FORMS[form]()
    shape = (16, 8, 9, 3) if "last" in form else (16, 3, 8, 9)
    run = net if isinstance(net, nn.Cell) else ms.jit(net)
    run(*tensors(shape))
    assert chosen == [(16, 3, 8, 9)]


OTHERS = {
    "few samples": ((15, 3, 9, 9), (5, 3, 3, 3), {}),
    "much to compute": ((600, 1, 28, 28), (6, 1, 5, 5), {}),
    "stride": ((16, 3, 9, 9), (5, 3, 3, 3), {"stride": 2}),
    "dilation": ((16, 3, 9, 9), (5, 3, 3, 3), {"dilation": (1, 2)}),
    "groups": ((16, 4, 9, 9), (6, 2, 3, 3), {"groups": 2}),
    "a window along one axis": ((16, 3, 9, 9), (5, 3, 1, 3), {}),
    "channels that fill vectors": ((16, 8, 9, 9), (16, 8, 3, 3), {}),
    "one channel to many that fill vectors": ((16, 1, 9, 9), (8, 1, 3, 3), {}),
    "colours to many that fill vectors": ((16, 3, 9, 9), (16, 3, 3, 3), {}),
}


@pytest.mark.parametrize("case", OTHERS)
def test_others_are_left_to_the_general_operator(chosen, case):
    x, w, attrs = OTHERS[case]
    ops.conv2d(*tensors(x, w), **attrs)
    assert chosen == []


def test_other_dtypes_devices_threads_and_unknown_sizes_are_left_to_the_general_operator(chosen, monkeypatch):
    shapes = (16, 3, 9, 9), (5, 3, 3, 3)
    ops.conv2d(*tensors(*shapes, dtype=np.float16))
    ops.conv2d(*tensors(*shapes, dtype=np.float64))
    sizes = [Tensor(shape=(None, *shape[1:]), dtype=ms.float32) for shape in shapes]
    ms.jit(ops.conv2d, input_signature=tuple(sizes))(*tensors(*shapes))
    with monkeypatch.context() as patch:
        patch.setattr(im2col_convolution, "torch_device", lambda: torch.device("cuda"))
        ops.conv2d(*tensors(*shapes))
    monkeypatch.setattr(im2col_convolution, "alone", lambda: False)                     # several threads that spin
    ops.conv2d(*tensors(*shapes))
    assert chosen == []


def test_what_does_not_fit_is_said_as_elsewhere(chosen):
    x, w = tensors((16, 3, 9, 9), (5, 3, 11, 3))
    with pytest.raises(ValueError, match="the window"):
        ops.conv2d(x, w)
    assert chosen == []


def first_and_second(x, w, b):
    """Loss, gradients and the gradients of a sum of squares of them."""
    def loss(x, w, b):
        return (ops.conv2d(x, w, b, pad_mode="pad", padding=(1, 0, 2, 1)) ** 3).sum()

    def slopes(x, w, b):
        return sum([(d ** 2).sum() for d in ms.grad(loss, (0, 1, 2))(x, w, b)])
    return loss(x, w, b), ms.grad(loss, (0, 1, 2))(x, w, b), ms.grad(slopes, (0, 1, 2))(x, w, b)


@pytest.mark.parametrize("wrap", [lambda fn: fn, ms.jit], ids=["pynative", "graph"])
def test_first_and_second_derivatives_are_those_of_torch(chosen, wrap):
    given = [0.3 * t for t in tensors((16, 2, 5, 4), (3, 2, 3, 2), (3,))]
    value, first, second = wrap(first_and_second)(*given)
    assert chosen
    leaves = [torch.from_numpy(t.asnumpy()).double().requires_grad_() for t in given]
    true = (F.conv2d(F.pad(leaves[0], (2, 1, 1, 0)), *leaves[1:]) ** 3).sum()
    slopes = torch.autograd.grad(true, leaves, create_graph=True)
    steeper = torch.autograd.grad(sum([(d ** 2).sum() for d in slopes]), leaves)
    for got, wanted in zip((value, *first, *second), (true, *slopes, *steeper), strict=True):
        wanted = wanted.detach().numpy()
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-4, atol=2e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("wrap", [lambda fn: fn, ms.jit], ids=["pynative", "graph"])
def test_over_slices_a_convolution_and_its_gradients_are_those_of_each_slice(chosen, wrap):
    x, w, b = tensors((2, 16, 2, 6, 5), (2, 3, 2, 3, 2), (2, 3))

    def slopes(x, w, b):
        return ms.grad(lambda *args: (ops.conv2d(*args) ** 2).sum(), (0, 1, 2))(x, w, b)
    found = wrap(ops.vmap(slopes))(x, w, b)
    assert chosen
    for i in range(2):
        for got, wanted in zip(found, slopes(x[i], w[i], b[i]), strict=True):
            np.testing.assert_allclose(got[i].asnumpy(), wanted.asnumpy(), rtol=1e-3, atol=1e-3)


def test_weights_and_bias_over_slices_meet_images_that_all_share():
    x, w, b = tensors((16, 2, 6, 5), (2, 3, 2, 3, 2), (2, 3))
    found = ops.vmap(lambda w, b: ops.conv2d(x, w, b))(w, b)
    shared = ops.vmap(lambda b: ops.conv2d(x, w[0], b))(b)
    for i in range(2):
        np.testing.assert_allclose(found[i].asnumpy(), ops.conv2d(x, w[i], b[i]).asnumpy(), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(shared[i].asnumpy(), ops.conv2d(x, w[0], b[i]).asnumpy(), rtol=1e-4, atol=1e-4)


def test_normalisation_takes_samples_innermost_as_it_takes_rows():
    x, dout = images(40, 3, 6, 7), images(40, 3, 6, 7)
    gamma, beta, mean, variance = images(4, 3).abs()
    for n in (40, 1 << 12):                        # the latter by sums and sums of squares
        x, dout = x[:1].expand(n, 3, 6, 7) + images(n, 1, 1, 1), images(n, 3, 6, 7)
        wanted = normalisation.batch_norm_train.kernel(x, gamma, beta, mean, variance)
        found = normalisation.batch_norm_train.kernel(inner(x), gamma, beta, mean, variance)
        assert im2col_convolution.samples_innermost(found[0])
        torch.testing.assert_close(found, wanted)
        wanted = normalisation.batch_norm_grad.kernel(dout, x, gamma, *wanted[1:3])
        for given in (dout, inner(dout)):
            dx = normalisation.batch_norm_grad.kernel(given, inner(x), gamma, *found[1:3])
            assert im2col_convolution.samples_innermost(dx[0])
            torch.testing.assert_close(dx, wanted, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(normalisation.batch_norm_infer.kernel(inner(x), gamma, beta, mean, variance),
                                   normalisation.batch_norm_infer.kernel(x, gamma, beta, mean, variance))
