"""Layers with quantised weights, and folded batch normalisation, against what they stand for."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import QuantDtype, Tensor, nn, ops
from mindspore.compression.quant import create_quant_config

X = Tensor(np.random.default_rng(0).normal(size=(4, 2, 5, 5)).astype(np.float32))
FINE = create_quant_config(quant_dtype=QuantDtype.INT16)          # so fine that rounding does not show
BITS = {"quant_config": FINE, "quant_dtype": QuantDtype.INT16}


def trained(has_bias=False):
    """A convolution with normalisation whose statistics were moved."""
    net = nn.Conv2dBnAct(2, 3, 3, has_bn=True, has_bias=has_bias, momentum=0.9).set_train()
    net.batchnorm.gamma.set_data(Tensor([0.5, 1.5, 2.0]))
    net.batchnorm.beta.set_data(Tensor([0.1, -0.2, 0.3]))
    if has_bias:
        net.conv.bias.set_data(Tensor([1.0, -1.0, 0.5]))
    net.conv.weight.set_data(ops.standard_normal((3, 2, 3, 3)))
    for _ in range(3):
        net(X)
    return net


def quantised(net, cls, **extra):
    if cls is nn.Conv2dBnFoldQuant:
        return cls.from_float(net, FINE, {"quant_dtype": QuantDtype.INT16, **extra})
    return cls.from_float(net, FINE, QuantDtype.INT16)


FOLDED = [nn.Conv2dBnFoldQuantOneConv, nn.Conv2dBnFoldQuant, nn.Conv2dBnWithoutFoldQuant]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("cls", FOLDED)
@pytest.mark.parametrize("has_bias", [False, True])
def test_with_many_bits_a_folded_layer_is_a_convolution_with_normalisation(cls, has_bias):
    net = trained(has_bias)
    for training in (False, True):
        layer = quantised(net, cls).set_train(training)
        other = trained(has_bias).set_train(training)
        for a, b in zip(other.get_parameters(), net.get_parameters(), strict=True):
            a.set_data(b)
        np.testing.assert_allclose(layer(X).asnumpy(), other(X).asnumpy(), atol=2e-3)
        norm = layer.batchnorm if hasattr(layer, "batchnorm") else layer
        np.testing.assert_allclose(norm.moving_mean.asnumpy(), other.batchnorm.moving_mean.asnumpy(), atol=1e-3)
        np.testing.assert_allclose(norm.moving_variance.asnumpy(), other.batchnorm.moving_variance.asnumpy(),
                                   rtol=1e-3)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("cls", FOLDED[:2])
def test_without_rounding_its_derivatives_are_those_of_the_normalisation(cls):
    net = trained()
    layer = cls(2, 3, 3, momentum=0.9, fake=False).set_train()
    for name, parameter in net.parameters_dict().items():
        getattr(layer, name.rpartition(".")[2]).set_data(parameter)
    wanted = [net.conv.weight, net.batchnorm.gamma, net.batchnorm.beta]
    want = ms.grad(lambda x: (net(x) ** 3).sum(), 0, wanted)(X)
    found = ms.grad(lambda x: (layer(x) ** 3).sum(), 0, [layer.weight, layer.gamma, layer.beta])(X)
    for a, b in zip([found[0], *found[1]], [want[0], *want[1]], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-3, atol=2e-3)


@pytest.mark.usefixtures("both_modes")
def test_moving_statistics_stay_from_the_step_of_freezing_on():
    layer = quantised(trained(), nn.Conv2dBnFoldQuant, freeze_bn=1).set_train()
    layer(X)
    mean = layer.moving_mean.asnumpy()
    frozen = layer(X).asnumpy()
    np.testing.assert_array_equal(layer.moving_mean.asnumpy(), mean)
    np.testing.assert_allclose(frozen, layer.set_train(False)(X).asnumpy(), atol=2e-3)
    assert layer.step.tolist() == [2]


@pytest.mark.usefixtures("both_modes")
def test_plain_layers_compute_with_rounded_weights():
    few = {"quant_config": create_quant_config(quant_dtype=QuantDtype.INT2), "quant_dtype": QuantDtype.INT2}
    dense = nn.DenseQuant(3, 2, weight_init=Tensor([[6.0, -6, 1], [3, 0, -3]]), bias_init=Tensor([0.5, 0]), **few)
    y = dense(Tensor([[1.0, 2, 3]]))                # INT2: the numbers -8, -4, 0, 4
    np.testing.assert_allclose(y.asnumpy(), [[4 - 2 * 4 + 0.5, 4 - 3 * 4]])
    conv = nn.Conv2dQuant(2, 3, 3, weight_init="ones", **BITS)
    want = nn.Conv2d(2, 3, 3, weight_init="ones")(X)
    np.testing.assert_allclose(conv(X).asnumpy(), want.asnumpy(), atol=1e-2)


@pytest.mark.usefixtures("both_modes")
def test_results_of_activations_sums_and_products_are_rounded():
    act = nn.ActQuant(nn.ReLU(), quant_config=create_quant_config(quant_dtype=QuantDtype.INT2),
                      quant_dtype=QuantDtype.INT2, fake_before=True)
    assert act(Tensor([5.0, -3, 1.9])).tolist() == [4, 0, 0]
    assert isinstance(act.get_origin(), nn.ReLU)
    two = {"quant_config": create_quant_config(quant_dtype=QuantDtype.INT2), "quant_dtype": QuantDtype.INT2}
    assert nn.TensorAddQuant(**two)(Tensor([1.0]), Tensor([2.0])).tolist() == [4]
    assert nn.MulQuant(**two)(Tensor([1.0]), Tensor([-3.0])).tolist() == [-4]
