"""What `eval` of metrics gives: the kinds that 2.10 gives, so that programs can ask for `.item()` or `.dtype`."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import dataset, nn, train

SCORES = np.array([[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.05, 0.05]], np.float32)
TRUTH = np.array([1, 0, 2], np.int32)
ONE_HOT = np.eye(3, dtype=np.float32)[TRUTH]


@pytest.mark.parametrize(("metric", "inputs", "value"), [
    (nn.Accuracy(), (SCORES, TRUTH), 1 / 3), (nn.TopKCategoricalAccuracy(2), (SCORES, TRUTH), 2 / 3),
    (nn.MAE(), (SCORES, ONE_HOT), 4.3 / 3), (nn.MSE(), (SCORES, ONE_HOT), 2.955 / 3),
    (nn.Loss(), (np.array([1.5], np.float32),), 1.5),
    (nn.BleuScore(1), ([["a", "b"]], [[["a", "c"]]]), 0.5), (nn.BleuScore(1), ([["a"]], [[["c"]]]), 0.0)])
def test_numbers_are_float64_of_numpy(metric, inputs, value):
    metric.update(*inputs)
    found = metric.eval()
    assert type(found) is np.float64
    assert found == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("metric", [nn.Dice(), nn.Perplexity()])
def test_two_metrics_give_floats_of_python(metric):
    metric.update(*((SCORES, ONE_HOT) if isinstance(metric, nn.Dice) else (SCORES, TRUTH)))
    assert type(metric.eval()) is float


def test_fit_prints_numbers_and_nothing_around_them(capsys):
    data = dataset.NumpySlicesDataset({"x": SCORES, "y": TRUTH}, shuffle=False).batch(3)
    net = nn.Dense(3, 3)
    model = train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss"})
    model.fit(1, data, data, callbacks=[train.LossMonitor()])
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Eval result"))
    assert line.startswith("Eval result: epoch 1, metrics: {'loss': ")
    assert float(line.rpartition(" ")[2].rstrip("}")) > 0
    assert type(model.eval(data)["loss"]) is np.float64
