"""The LeNet demo: its profile names the most expensive lines of the script, and its times add up to the steps."""
import csv
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import dataset, nn, train
from mindspore.profiler import profile, schedule, tensorboard_trace_handler

SCRIPT = Path(__file__).parents[2] / "examples" / "lenet_digits.py"


@pytest.fixture(scope="module")
def demo():
    sys.path.insert(0, str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("lenet_digits_of_this_test", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    try:
        pytest.importorskip("sklearn", reason="the demo's digits come with scikit-learn")
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPT.parent))
    return module


class Steps(train.Callback):
    def __init__(self, profiler):
        self.profiler = profiler

    def on_train_step_end(self, run_context):
        run_context.original_args().net_outputs.asnumpy()
        self.profiler.step()


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_the_profile_of_the_demo(demo, tmp_path, mode):
    before, threads = ms.get_context("mode"), torch.get_num_threads()
    ms.set_context(mode=mode)
    torch.set_num_threads(1)                  # threads that wait for one that has no processor take up its time
    try:
        net = demo.LeNet5()
        model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                            nn.Momentum(net.trainable_params(), 0.01, 0.9))
        rows = {"x": np.ones((2560, 1, 32, 32), np.float32), "y": np.zeros(2560, np.int32)}
        data = dataset.NumpySlicesDataset(rows).batch(64)
        with profile(schedule=schedule(wait=2, warmup=2, active=35, repeat=1),
                     on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
            model.train(1, data, callbacks=Steps(one), dataset_sink_mode=False)      # the training
    finally:
        ms.set_context(mode=before)
        torch.set_num_threads(threads)
    out = one.folder / "ASCEND_PROFILER_OUTPUT"
    said = (out / "summary.txt").read_text().splitlines()
    assert said[0].startswith("35 steps of ")
    at = said.index("most expensive lines:")
    top = said[at + 1:at + 4]
    convolutions = [line for line in top if "self.pool(self.relu(self.conv" in line]
    assert len(convolutions) == 2
    for line in convolutions:                 # forward and reverse together
        assert "lenet_digits.py:" in line
        assert "forward" in line
        assert "reverse" in line
    (other,) = set(top) - set(convolutions)
    assert "lenet_digits.py:" in other or "# the training" in other
    steps = list(csv.DictReader((out / "step_trace_time.csv").read_text().splitlines()))
    for step in steps:
        events = [e for e in one.events if e.step == int(step["Step"]) and e.thread == 0]
        assert float(step["Computing"]) == pytest.approx(sum(e.duration for e in events) / 1e3, abs=0.01)
        parts = [float(step[name]) for name in ("Computing", "Compiling", "Waiting for data", "Python")]
        assert min(parts) >= 0
        assert sum(parts) == pytest.approx(float(step["Total"]), abs=0.01)
    total = sum(float(step["Total"]) for step in steps)
    rows = list(csv.DictReader((out / "step_time.csv").read_text().splitlines()))
    assert sum(float(row["total_time(ms)"]) for row in rows) == pytest.approx(total / 1e3, rel=1e-3)
    computed = sum(float(row["total_time(ms)"]) for row in rows if row["where"] == "operators")
    assert computed == pytest.approx(sum(e.duration for e in one.events if e.thread == 0) / 1e6, rel=1e-3)
    assert computed > 0.25 * total / 1e3               # the rest is Python's, or another program's that has the machine
