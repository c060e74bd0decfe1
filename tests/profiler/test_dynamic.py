"""`DynamicProfilerMonitor`: steps of a running training that a file asks for."""
import json

import numpy as np
import pytest

from mindspore import Tensor, dataset, nn, train
from mindspore.profiler import DynamicProfilerMonitor

WANTED = {"start_step": 3, "stop_step": 5, "analyse": True}


def asking(tmp_path, wanted):
    monitor = DynamicProfilerMonitor(cfg_path=str(tmp_path), output_path=str(tmp_path / "out"), poll_interval=1)
    file = tmp_path / "profiler_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | wanted))
    return monitor


def measured(tmp_path):
    """The names of the folders, and the steps in the trace of each."""
    found = {}
    for file in (tmp_path / "out").glob("*/*/ASCEND_PROFILER_OUTPUT/trace_view.json"):
        trace = json.loads(file.read_text())
        found[file.parents[2].name] = sorted({e["args"]["step"] for e in trace if "step" in e["args"]})
    return found


def fit(monitor, steps=8):
    rows = {"x": np.ones((steps, 4), np.float32), "y": np.ones((steps, 2), np.float32)}
    net = nn.Dense(4, 2)
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    model.train(1, dataset.NumpySlicesDataset(rows).batch(1), callbacks=monitor, dataset_sink_mode=False)


def test_the_steps_of_the_file_are_measured(tmp_path):
    fit(asking(tmp_path, WANTED))
    assert measured(tmp_path) == {"rank0_start3_stop5": [3, 4, 5]}


def test_the_training_may_end_before(tmp_path):
    fit(asking(tmp_path, WANTED), 4)
    assert measured(tmp_path) == {"rank0_start3_stop5": [3, 4]}


def test_a_loop_of_its_own(tmp_path):
    monitor, x = asking(tmp_path, WANTED | {"prof_path": str(tmp_path / "out" / "other")}), Tensor([1.0])
    for _ in range(8):
        monitor.step()
        x * 2
    files = list((tmp_path / "out" / "other").glob("*/*/ASCEND_PROFILER_OUTPUT/trace_view.json"))
    assert len(files) == 1
    assert {e["args"]["step"] for e in json.loads(files[0].read_text()) if "step" in e["args"]} == {3, 4, 5}


@pytest.mark.parametrize("wanted", [{"start_step": -1}, {"start_step": 5, "stop_step": 3}, {"start_step": "3"}])
def test_what_cannot_be_measured_measures_nothing(tmp_path, wanted):
    fit(asking(tmp_path, WANTED | wanted))
    assert measured(tmp_path) == {}


def test_a_file_that_is_no_json_stops_no_training(tmp_path):
    monitor = asking(tmp_path, {})
    (tmp_path / "profiler_config.json").write_text("{")
    fit(monitor)
    assert measured(tmp_path) == {}


def test_a_folder_must_be_named():
    with pytest.raises(TypeError, match="cfg_path"):
        DynamicProfilerMonitor()
