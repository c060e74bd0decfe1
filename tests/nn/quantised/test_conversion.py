"""Networks that become quantised ones, their training, and checkpoints of the networks before."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import QuantDtype, Tensor, nn, ops
from mindspore.compression.quant import QuantizationAwareTraining, query_quant_layers
from mindspore.compression.quant.quant_utils import load_nonquant_param_into_quant_net
from mindspore.compression.quant.quantizer import OptimizeOption
from mindspore.train.quant.quant import convert_quant_network


class LeNet(nn.Cell):
    """LeNet of the fusion cells, on images of 8 x 8."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2dBnAct(1, 6, 5, pad_mode="same", has_bn=True, momentum=0.7,
                                    activation="relu", weight_init="he_normal")
        self.conv2 = nn.Conv2dBnAct(6, 8, 3, pad_mode="same", activation="relu", weight_init="he_normal")
        self.fc1 = nn.DenseBnAct(8 * 2 * 2, 16, activation="relu", weight_init="he_normal")
        self.fc2 = nn.DenseBnAct(16, 10, weight_init="he_normal")
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.add = ops.Add()

    def construct(self, x):
        x = self.pool(self.conv2(self.pool(self.conv1(x))))
        return self.add(self.fc2(self.fc1(self.flatten(x))), 0.0)


def digits():
    """Handwritten digits of 8 x 8, 500 to train with and 100 to test, and their numbers."""
    from sklearn.datasets import load_digits

    found = load_digits()
    some = np.random.default_rng(0).permutation(len(found.images))[:600]
    images = (found.images[some, None] / 16).astype(np.float32)
    return Tensor(images), Tensor(found.target[some].astype(np.int32))


def train(net, steps, rate):
    x, y = digits()
    optimizer = nn.Adam(net.trainable_params(), rate)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(True, "mean")), optimizer)
    step.set_train()
    losses = [float(step(x[i % 5 * 100:i % 5 * 100 + 100], y[i % 5 * 100:i % 5 * 100 + 100])) for i in range(steps)]
    net.set_train(False)
    right = (net(x[500:]).asnumpy().argmax(1) == y[500:].asnumpy()).mean()
    return losses, right


@pytest.fixture(scope="module")
def floating():
    """The parameters of a trained network, and what it gets right."""
    ms.set_seed(1)
    net = LeNet()
    _, right = train(net, 120, 0.01)
    assert right > 0.8
    return {name: ms.Parameter(p.value(), name=name) for name, p in net.parameters_dict().items()}, right


OPTIONS = [
    {}, {"per_channel": (True, False), "symmetric": (True, False)}, {"one_conv_fold": False, "freeze_bn": 5},
    {"bn_fold": False, "quant_delay": (2, 2)},
    {"optimize_option": OptimizeOption.LEARNED_SCALE, "symmetric": (True, True), "narrow_range": (True, True)},
]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "_".join(o) or "default")
def test_a_quantised_network_trains_on_from_the_checkpoint(floating, options):
    net = QuantizationAwareTraining(**options).quantize(LeNet())
    load_nonquant_param_into_quant_net(net, floating[0])
    losses, right = train(net, 10, 0.003)
    assert np.mean(losses[-5:]) < 0.6
    assert right > floating[1] - 0.1
    if "optimize_option" not in options:
        seen = net.fc1.activation.fake_quant_act
        np.testing.assert_allclose(float(seen.minq), -6 * 0.9**10, rtol=1e-5)     # a moving mean of zeros, from -6
        assert float(seen.maxq) > 1


def test_learned_ranges_move_and_what_is_computed_stands_on_few_numbers(floating):
    option = {"optimize_option": OptimizeOption.LEARNED_SCALE, "symmetric": True, "narrow_range": True,
              "quant_dtype": QuantDtype.INT4}
    net = QuantizationAwareTraining(**option).quantize(LeNet())
    load_nonquant_param_into_quant_net(net, floating[0])
    scale = net.fc1.activation.fake_quant_act.scale
    before = float(scale)
    train(net, 5, 0.01)
    assert float(scale) != before
    found = net.fc1(ops.standard_normal((50, 32))).asnumpy()
    assert len(np.unique(found.round(5))) <= 16
    assert found.min() == 0


def test_layers_are_replaced_and_named(capsys):
    net = QuantizationAwareTraining(quant_dtype=(QuantDtype.INT4, QuantDtype.INT8)).quantize(LeNet())
    assert isinstance(net.conv1.conv, nn.Conv2dBnFoldQuantOneConv)
    assert isinstance(net.conv2.conv, nn.Conv2dQuant)
    assert isinstance(net.fc1.dense, nn.DenseQuant)
    assert isinstance(net.fc2.activation, nn.ActQuant)               # the result of fc2 is rounded, too
    assert net.conv1.conv.fake_quant_weight.num_bits == 4
    names = [p.name for p in net.get_parameters()]
    assert "conv1.conv.gamma" in names
    assert "add.fake_quant_act.minq" in names
    assert len({*names}) == len(names)
    query_quant_layers(net)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["conv1.conv", "conv2.conv", "fc1.dense", "fc2.dense"]
    assert printed[0].endswith("QuantDtype.INT4")


def test_the_function_of_1_0_converts_by_numbers_of_bits():
    net = convert_quant_network(LeNet(), quant_delay=900, bn_fold=True, num_bits=(4, 8), per_channel=[True, False])
    assert isinstance(net.conv1.conv, nn.Conv2dBnFoldQuant)
    assert net.conv1.conv.fake_quant_weight.quant_delay == 900


def test_what_does_not_fit_is_refused(floating):
    with pytest.raises(ValueError, match="LEARNED_SCALE"):
        QuantizationAwareTraining(optimize_option=OptimizeOption.LEARNED_SCALE)
    with pytest.raises(TypeError, match="'network'"):
        QuantizationAwareTraining().quantize(3)
    net = QuantizationAwareTraining().quantize(LeNet())
    some = {name: p for name, p in floating[0].items() if not name.startswith("fc")}
    with pytest.raises(ValueError, match="no parameter for 'fc1"):
        load_nonquant_param_into_quant_net(net, some)
    load_nonquant_param_into_quant_net(net, some, ["fc1.dense.weight", "fc1.dense.bias", "fc2.dense.weight",
                                                   "fc2.dense.bias"])
