"""FLOPs of training steps are those that a count by hand gives, and the utilisation is theirs."""
from __future__ import annotations

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import dataset, nn, train
from mindspore.train.callback import flops_collector


@pytest.fixture(autouse=True)
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def lines(capsys, net, shape, batch, *arguments, epochs=1, **options):
    """What is printed for a training on ones."""
    data = dataset.NumpySlicesDataset({"x": np.ones(shape, np.float32), "y": np.zeros(shape[0], np.int32)})
    model = train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params()))
    model.train(epochs, data.batch(batch), callbacks=train.FlopsUtilizationCollector(*arguments, **options))
    return capsys.readouterr().out.splitlines()


def counted(line):
    return [float(number) for number in re.findall(r"is ([0-9.]+[0-9])", line)]


def test_a_layer_computes_its_product_and_the_gradient_of_its_weight(capsys):
    first, *_ = lines(capsys, nn.Dense(10, 5), (64, 10), 32, 2, computility=1e9)
    assert counted(first) == [6400.0] * 4                      # 2 * (2 * 32 * 10 * 5); observed: MindSpore 2.10


def test_convolutions_count_too(capsys):
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3, has_bias=True), nn.Flatten(), nn.Dense(4 * 64, 5))
    first, *_ = lines(capsys, net, (16, 3, 8, 8), 8, 2, computility=1e9)
    assert counted(first) == [282624.0] * 4                    # observed: MindSpore 2.10


def test_what_is_computed_again_counts_for_the_hardware_only(capsys):
    net = nn.SequentialCell(nn.SequentialCell(nn.Dense(10, 8), nn.ReLU(), nn.Dense(8, 6)), nn.Dense(6, 5))
    net[0].recompute()
    first, *_ = lines(capsys, net, (8, 10), 4, 2, computility=1e9)
    model = 2 * 4 * (2 * 10 * 8 + 3 * 8 * 6 + 3 * 6 * 5)       # the first layer needs no gradient of its input
    assert counted(first)[:2] == [model, model + 2 * 4 * 10 * 8]


def test_utilisation_is_work_by_time_and_peak(capsys):
    _, *printed = lines(capsys, nn.Dense(10, 5), (64, 10), 8, 2, epochs=2, computility=1e6)
    assert len(printed) == 8
    for line in printed:
        found = re.fullmatch(r"Train per step time: ([0-9.]+) ms mfu:([0-9.]+)% hfu:([0-9.]+)%", line)
        time, model, hardware = map(float, found.groups())
        assert model == hardware == pytest.approx(100 * 1600 / (time / 1e3 * 1e6), rel=1e-2, abs=0.01)


def test_the_peak_is_that_of_this_machine_by_default(capsys, monkeypatch):
    class Measured:
        flops = 2e6

    monkeypatch.setattr(flops_collector, "peak", Measured)
    _, line = lines(capsys, nn.Dense(10, 5), (64, 10), 32, 2)
    time, used = map(float, re.findall(r"[0-9.]+[0-9]", line)[:2])
    assert used == pytest.approx(100 * 6400 / (time / 1e3 * 2e6), rel=1e-2, abs=0.01)


def test_operations_of_other_devices_can_be_left_out(capsys):
    first, *_ = lines(capsys, nn.Dense(10, 5), (64, 10), 32, 2, full_flops=False, computility=1e9)
    assert first == "Shard model flops is 6400.0, Shard hardware flops is 6400.0."


def test_a_training_that_is_not_compiled_is_refused(capsys):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(ValueError, match="only support graph mode"):
        lines(capsys, nn.Dense(10, 5), (64, 10), 32, 2)


@pytest.mark.parametrize(("given", "error"), [
    ({"data_size": 0}, ValueError), ({"data_size": "a"}, TypeError), ({"data_size": 1.5}, TypeError),
    ({"data_size": True}, TypeError), ({"data_size": None}, TypeError), ({"computility": "a"}, TypeError),
    ({"computility": 0}, ValueError), ({"full_flops": 3}, TypeError), ({"enable_ma_collector": 3}, TypeError),
])  # fmt: skip
def test_arguments_are_checked(given, error):
    with pytest.raises(error, match=next(iter(given))):
        train.FlopsUtilizationCollector(**{"data_size": 1, **given})
