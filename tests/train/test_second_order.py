"""Models and networks that train with `nn.thor`."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, amp, dataset, nn, ops, train
from mindspore.train.train_thor.dataset_helper import DatasetHelper

RNG = np.random.default_rng(11)
X = RNG.standard_normal((48, 2, 6, 6)).astype(np.float32)
LABEL = (X.mean((2, 3)) @ np.array([[1.0, -1.0, 0.5], [0.3, 1.0, -1.0]])).argmax(1).astype(np.int32)


class Images(nn.Cell):
    def __init__(self):
        super().__init__()
        draw = np.random.default_rng(3)
        self.conv = nn.Conv2d(2, 4, 3, weight_init=Tensor(0.3 * draw.standard_normal((4, 2, 3, 3)).astype(np.float32)))
        self.head = nn.Dense(4, 3, Tensor(0.3 * draw.standard_normal((3, 4)).astype(np.float32)), "zeros")

    def construct(self, x):
        return self.head(ops.relu(self.conv(x)).mean((2, 3)))


def batches():
    return dataset.NumpySlicesDataset({"x": X, "y": LABEL}, shuffle=False).batch(8)


def made(convert, **options):
    """A network, its optimizer and a model."""
    net = Images()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    scale = options.pop("scale", 1.0)
    optimizer = nn.thor(net, Tensor([0.1, 0.1, 0.05]), Tensor(0.03), 0.9, batch_size=8, frequency=4, loss_scale=scale)
    manager = None if scale == 1.0 else amp.FixedLossScaleManager(scale, False)
    given = {"metrics": {"acc"}, "loss_scale_manager": manager, "keep_batchnorm_fp32": False, **options}
    model = train.Model(net, loss, optimizer, **given)
    if convert:
        model = train.ConvertModelUtils().convert_to_thor_model(model, net, loss, optimizer, **given)
    return net, optimizer, model


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("sink", [False, True])
def test_a_converted_model_gives_the_parameters_of_a_model(sink):
    found = []
    for convert in (False, True):
        net, _, model = made(convert)
        model.train(2, batches(), dataset_sink_mode=sink)
        found.append([p.asnumpy() for p in net.trainable_params()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_a_converted_model_looks_at_factors_every_frequency_steps():
    net, optimizer, model = made(True)
    seen = []

    class Look(train.Callback):
        def on_train_step_end(self, run_context):
            seen.append((net.conv.thor, net.head.thor, optimizer.thor))

    model.train(1, batches(), callbacks=Look())
    assert seen == [(i % 4 == 0,) * 3 for i in range(6)]


@pytest.mark.usefixtures("both_modes")
def test_it_learns_with_a_scale_of_the_loss_in_half_precision_and_evaluates():
    _, _, model = made(True, scale=128.0, amp_level="O2")
    before = model.eval(batches())["acc"]
    model.train(15, batches())
    assert before < 0.7 < model.eval(batches())["acc"]


def test_a_scale_has_no_effect_on_the_parameters():
    found = []
    for scale in (1.0, 64.0):
        net, _, model = made(True, scale=scale)
        model.train(1, batches())
        found.append([p.asnumpy() for p in net.trainable_params()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_a_model_with_another_optimizer_stays_what_it_is():
    net, loss = nn.Dense(2, 1), nn.MSELoss()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    model = train.Model(net, loss, optimizer)
    assert train.ConvertModelUtils.convert_to_thor_model(model, net, loss, optimizer) is model  # observed: 2.10


@pytest.mark.parametrize(("manager", "text"), [
    (amp.DynamicLossScaleManager(), "drops steps"),
    (amp.FixedLossScaleManager(128.0), "drops steps"),
    (amp.FixedLossScaleManager(128.0, False), r"must be that of the 'loss_scale_manager', 128\.0, but got 1\.0"),
])
def test_a_scale_that_the_optimizer_does_not_know_is_refused(manager, text):
    net, loss = nn.Dense(2, 1), nn.MSELoss()
    optimizer = nn.thor(net, Tensor(0.1), Tensor(0.1), 0.9)
    model = train.Model(net, loss, optimizer)
    with pytest.raises(ValueError, match=text):
        train.ConvertModelUtils.convert_to_thor_model(model, net, loss, optimizer, loss_scale_manager=manager)


def test_a_network_is_converted_in_place():
    net = Images()
    assert train.ConvertNetUtils().convert_to_thor_net(net) is None                             # observed: 2.10
    assert [type(net.conv), type(net.head)] == [nn.Conv2dThor, nn.DenseThor]
    with pytest.raises(TypeError, match="'net' must be"):
        train.ConvertNetUtils().convert_to_thor_net(3)


def test_the_sinks_of_a_helper_are_one_step_and_then_several():
    helper = DatasetHelper(batches(), True, iter_first_order=3)
    step = train.connect_network_with_dataset(Seen(), helper)
    sizes = []
    for inputs in helper:
        sizes.append(helper.sink_size())
        step(*inputs)
    assert sizes == [1, 3, 1, 1]
    np.testing.assert_allclose(step.network.total.asnumpy(), X.sum(), rtol=1e-3)
    assert len(list(DatasetHelper(batches(), False))) == 6
    with pytest.raises(ValueError, match="iter_first_order"):
        DatasetHelper(batches(), True, iter_first_order=0)


class Seen(nn.Cell):
    """The sum of all inputs."""

    def __init__(self):
        super().__init__()
        self.total = self.parameter("total", (), "zeros")

    def construct(self, x, y):
        self.total += x.sum()
        return self.total
