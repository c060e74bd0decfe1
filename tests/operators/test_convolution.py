"""Convolution with every padding, its primitives, and its second derivative."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore
from mindspore import Tensor, ops
from mindspore.core.dtype import float32
from mindspore.ir import Aval
from mindspore.operators import convolution as family
from mindspore.operators.convolution import (
    convolution,
    convolution_affine_grad,
    convolution_weight_grad,
)


def test_same_padding_puts_the_odd_element_at_the_end(agrees_with_torch, draw):
    def theirs(x, w):
        return F.conv2d(F.pad(x, (0, 1, 0, 1)), w, stride=2)
    agrees_with_torch(lambda x, w: ops.conv2d(x, w, stride=2, pad_mode="same"), theirs,
                      draw(2, 3, 6, 6), draw(4, 3, 3, 3))


def test_padding_differs_on_all_four_sides(agrees_with_torch, draw):
    conv = ops.Conv2D(4, (3, 2), pad_mode="pad", pad=(1, 2, 0, 1))
    agrees_with_torch(conv, lambda x, w: F.conv2d(F.pad(x, (0, 1, 1, 2)), w), draw(2, 3, 5, 5),
                      draw(4, 3, 3, 2))


def test_bias_groups_stride_and_dilation_agree_with_torch(agrees_with_torch, draw):
    agrees_with_torch(
        lambda x, w, b: ops.conv2d(x, w, b, stride=(2, 1), pad_mode="pad", padding=2, dilation=2, groups=2),
        lambda x, w, b: F.conv2d(x, w, b, (2, 1), 2, 2, 2), draw(2, 4, 7, 7), draw(6, 2, 3, 3), draw(6))


@pytest.mark.parametrize(("function", "theirs", "n"), [
    (ops.conv1d, F.conv1d, 1), (ops.conv2d, F.conv2d, 2), (ops.conv3d, F.conv3d, 3)])
def test_one_to_three_dimensions_agree_with_torch(agrees_with_torch, draw, function, theirs, n):
    agrees_with_torch(lambda x, w: function(x, w, pad_mode="pad", padding=1),
                      lambda x, w: theirs(x, w, padding=1), draw(2, 2, *[4] * n), draw(3, 2, *[3] * n))


def test_the_transpose_fills_the_wanted_size(agrees_with_torch, draw):
    conv = ops.Conv2DTranspose(3, 3, pad_mode="same", stride=2)
    agrees_with_torch(lambda d, w: conv(d, w, (2, 2, 6, 6)),
                      lambda d, w: F.conv_transpose2d(d, w, stride=2)[:, :, :6, :6],
                      draw(2, 3, 3, 3), draw(3, 2, 3, 3))


def test_the_transpose_refuses_a_size_that_no_convolution_maps_to_its_input(draw):
    conv = ops.Conv2DBackpropInput(3, 3, stride=2)
    with pytest.raises(ValueError, match="does not give"):
        conv(Tensor(draw(1, 3, 3, 3)), Tensor(draw(3, 2, 3, 3)), (1, 2, 20, 20))


def test_transposed_functions_agree_with_torch(agrees_with_torch, draw):
    agrees_with_torch(lambda x, w, b: ops.conv_transpose2d(x, w, b, stride=2, padding=1, output_padding=1),
                      lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1), draw(2, 3, 4, 4),
                      draw(3, 2, 3, 3), draw(2))
    agrees_with_torch(lambda x, w: ops.conv3d_transpose(x, w, stride=2),
                      lambda x, w: F.conv_transpose3d(x, w, stride=2), draw(1, 2, 2, 2, 2),
                      draw(2, 3, 2, 2, 2))


def test_channels_may_come_last(draw):
    x, w = draw(1, 5, 5, 2), draw(3, 3, 3, 2)
    y = ops.Conv2D(3, 3, data_format="NHWC")(Tensor(x), Tensor(w)).asnumpy()
    first = F.conv2d(torch.tensor(x).permute(0, 3, 1, 2), torch.tensor(w).permute(0, 3, 1, 2))
    np.testing.assert_allclose(y, first.permute(0, 2, 3, 1).numpy(), rtol=1e-4, atol=1e-5)


def test_a_depthwise_convolution_sees_each_channel_alone(draw):
    x, w = draw(1, 3, 5, 5), draw(1, 3, 3, 3)
    y = ops.DepthwiseConv2dNative(1, 3)(Tensor(x), Tensor(w)).asnumpy()
    for c in range(3):
        alone = F.conv2d(torch.tensor(x[:, c:c + 1]), torch.tensor(w[:, c:c + 1])).numpy()
        np.testing.assert_allclose(y[:, c:c + 1], alone, rtol=1e-4, atol=1e-5)


def test_the_second_derivative_agrees_with_torch(draw):
    xs, ws = draw(1, 2, 4, 4), draw(3, 2, 3, 3)

    def ours(x):
        d = mindspore.grad(lambda w: (ops.conv2d(x, w, pad_mode="same") ** 3).sum())(Tensor(ws))
        return (d * d).sum()
    x, w = torch.tensor(xs, requires_grad=True), torch.tensor(ws, requires_grad=True)
    d, = torch.autograd.grad((F.conv2d(x, w, padding=1) ** 3).sum(), w, create_graph=True)
    wanted, = torch.autograd.grad((d * d).sum(), x)
    found = mindspore.grad(ours)(Tensor(xs)).asnumpy()
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-3, atol=1e-2 * float(wanted.abs().max()))


def test_channels_that_do_not_fit_are_named_and_are_errors_of_both_kinds(draw):
    for error in (ValueError, RuntimeError):
        with pytest.raises(error, match="channels of the input must be 4"):
            ops.Conv2D(3, 3)(Tensor(draw(1, 2, 5, 5)), Tensor(draw(3, 4, 3, 3)))


@pytest.mark.parametrize(("options", "error", "said"), [
    ({"pad_mode": "other"}, ValueError, "'pad_mode' must be 'same', 'valid' or 'pad'"),
    ({"pad_mode": "same", "padding": 1}, ValueError, "use pad_mode='pad'"),
    ({"groups": 2}, ValueError, "'groups'"),
    ({"stride": 0}, ValueError, "'stride'"),
    ({"dilation": "2"}, TypeError, "'dilation'")])
def test_wrong_options_are_named(draw, options, error, said):
    with pytest.raises(error, match=said):
        ops.conv2d(Tensor(draw(1, 2, 4, 4)), Tensor(draw(3, 2, 3, 3)), **options)


def test_a_graph_and_pynative_give_the_same(draw):
    x, w = Tensor(draw(1, 2, 5, 5)), Tensor(draw(3, 2, 3, 3))

    def run(x, w):
        return ops.conv2d(x, w, stride=2, pad_mode="same")
    np.testing.assert_array_equal(mindspore.jit(run)(x, w).asnumpy(), run(x, w).asnumpy())


@pytest.mark.parametrize("padding", [0, 1])
def test_the_weight_of_a_strided_window_of_one_element_has_its_gradient(draw, padding):
    x, w = draw(4, 3, 9, 8).astype(np.float32), draw(8, 3, 1, 1).astype(np.float32)

    def total(w):
        return ops.conv2d(Tensor(x), w, stride=2, pad_mode="pad", padding=padding).sum()
    margin = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    used = np.pad(x, margin)[:, :, ::2, ::2].sum((0, 2, 3))
    for gradient in (mindspore.grad(total), mindspore.jit(mindspore.grad(total))):
        np.testing.assert_allclose(gradient(Tensor(w)).asnumpy()[:, :, 0, 0], np.tile(used, (8, 1)),
                                   rtol=1e-4, atol=1e-5)


def test_the_cost_counts_products_and_sums():
    x, w = Aval((2, 4, 6, 5), float32), Aval((3, 4, 3, 2), float32)
    out = convolution.infer(x, w)
    cost = 2 * 2 * 3 * 4 * 4 * (4 * 3 * 2)        # places times the window over the channels
    assert out.shape == (2, 3, 4, 4)
    assert convolution.cost_rule(x, w) == cost
    assert convolution_weight_grad.cost_rule(out, x, w) == cost


def small(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + shape[1]))


PLAIN = [{}, {"padding": (1, 1)}, {"padding": (3, 2)}, {"padding": (0, 1, 1, 0)}]
STEPS = [{"stride": (2, 1), "padding": (1, 1)}, {"dilation": (2, 1), "padding": (1, 0)},
         {"stride": (2, 2), "padding": (0, 1, 1, 0)}]


@pytest.mark.parametrize("part", [1 << 22, 1 << 17])
@pytest.mark.parametrize(("outputs", "inputs", "windows", "attrs"), [
    *[(192, 16, "input", attrs) for attrs in PLAIN + STEPS],
    *[(16, 40, "output", attrs) for attrs in PLAIN],
    *[(190, 195, "output", attrs) for attrs in PLAIN[:1]]])
def test_the_cotangent_of_a_weight_is_a_product_with_windows(monkeypatch, outputs, inputs, windows, attrs, part):
    monkeypatch.setattr(family, "_PART", part)
    monkeypatch.setattr(family, "_vendor", lambda: False)
    x, w = small(5, inputs, 9, 8), small(outputs, inputs, 3, 2)
    attrs = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1)} | attrs
    assert family._as_product(x, w, attrs["stride"], attrs["dilation"]) == windows
    dout = small(*convolution.kernel(x, w, **attrs).shape)
    found = convolution_affine_grad.kernel(dout, x, w, **attrs)
    # the same in double precision, which torch's own kernel computes
    wanted = convolution_affine_grad.kernel(dout.double(), x.double(), w.double(), **attrs)
    for mine, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(mine, theirs.float(), rtol=1e-4, atol=1e-3)
    alone = convolution_weight_grad.kernel(dout, x, w, **attrs)
    assert torch.equal(alone, found[0])
    assert alone.is_contiguous()
    channels = w.contiguous(memory_format=torch.channels_last)
    assert convolution_weight_grad.kernel(dout, x, channels, **attrs).stride() == channels.stride()


@pytest.mark.parametrize(("shape", "weight", "attrs"), [
    ((2, 8, 5, 5), (192, 8, 3, 3), {}), ((2, 64, 5, 5), (64, 64, 3, 3), {}), ((2, 64, 5, 5), (256, 64, 1, 1), {}),
    ((0, 64, 5, 5), (192, 64, 3, 3), {}), ((2, 64, 5, 5), (32, 64, 3, 3), {"stride": (2, 2)})])
def test_other_cotangents_of_weights_are_left_to_torch(monkeypatch, shape, weight, attrs):
    monkeypatch.setattr(family, "_vendor", lambda: False)
    x, w = torch.ones(shape), torch.ones(weight)
    assert not family._as_product(x, w, attrs.get("stride", (1, 1)), (1, 1))
    attrs = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1)} | attrs
    dout = torch.ones_like(convolution.kernel(x, w, **attrs))
    places = shape[0] * dout.shape[2] * dout.shape[3]
    got = convolution_weight_grad.kernel(dout, x, w, **attrs)
    assert torch.equal(got, torch.full(weight, float(places)))
