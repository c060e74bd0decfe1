"""What takes time beside operators: compiling by pass, waiting for data, the stages of pipelines, and advice."""
import csv
import json
import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, dataset, ops
from mindspore.profiler import profile, tensorboard_trace_handler
from mindspore.profiler.recorded import (
    Event,
    Memory,
    Peak,
    Pipeline,
    PipelineStage,
    Recorded,
    Span,
    Step,
    loaded,
)
from mindspore.profiler.steps import parts

MS = 1_000_000


def slowly(x):
    time.sleep(0.004)
    return x * 2


def rows(function=None):
    made = dataset.NumpySlicesDataset({"x": np.ones((32, 4), np.float32)}, shuffle=False)
    return (made.map(function, ["x"]) if function else made).batch(4)


def read(tmp_path, data, work=0.0, **options):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), **options) as one:
        for row in data.create_dict_iterator(num_epochs=1):
            time.sleep(work)
            row["x"] + 1
            one.step()
    return one, one.folder / "ASCEND_PROFILER_OUTPUT"


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_parts_of_a_step_are_told_apart_and_add_up():
    events = [Event("A", "", "", "", 0, "", start * MS, 2 * MS, (), 0, 0) for start in (3, 6)]
    events.append(Event("other thread", "", "", "", 0, "", 0, 9 * MS, (), 0, 0, thread=1))
    spans = [Span("Data", "w", 0, 2 * MS, 0), Span("Compile", "c", 8 * MS, 1 * MS, 0),
             Span("Compile", "within", 8 * MS, MS // 2, 0), Span("mstx", "m", 0, 9 * MS, 0)]
    (found,) = parts(Recorded(0, events, [Step(0, 0, 10 * MS)], spans))
    assert (found.operators, found.data, found.compiling, found.python) == (4 * MS, 2 * MS, 1 * MS, 3 * MS)
    assert (found.total, found.preparing) == (10 * MS, 3 * MS)


def test_compiling_is_shown_pass_by_pass(tmp_path):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        ms.jit(lambda x: ops.tanh(x) * 2)(Tensor([1.0]))
        one.step()
    trace = json.loads((one.folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())
    names = [e["name"] for e in trace if e.get("cat") == "Compile"]
    assert {"front_end", "simplify", "python"} <= set(names)
    step = table(one.folder / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv")[0]
    assert float(step["Compiling"]) > 0
    assert float(step["Computing"]) + sum(float(step[k]) for k in ("Compiling", "Waiting for data", "Python")) == \
        pytest.approx(float(step["Total"]), abs=0.01)
    ms.jit(lambda x: x * 3)(Tensor([1.0]))                     # nobody listens any more
    assert len([s for s in one.recorded.spans if s.lane == "Compile"]) == len(names)


def test_a_slow_stage_is_found_and_named(tmp_path):
    _, out = read(tmp_path, rows(slowly), data_process=True)
    stages = table(out / "minddata_pipeline_raw_0.csv")
    assert [s["op_id"] for s in stages] == ["0", "1", "2"]
    assert stages[0]["op_type"].startswith("batch")
    assert stages[1]["op_type"].startswith("map")
    assert [s["parent_id"] for s in stages] == ["", "0", "1"]
    assert float(stages[1]["us_per_row"]) > 4000
    assert int(stages[1]["rows"]) == 32
    summary = json.loads((out / "minddata_pipeline_summary_0.json").read_text())
    (advice,) = summary["bottleneck_suggestion"]
    assert "'map" in advice
    assert "num_parallel_workers" in advice
    waited = sum(float(row["Waiting for data"]) for row in table(out / "step_trace_time.csv"))
    assert waited > 0.5 * 32 * 4000
    trace = json.loads((out / "trace_view.json").read_text())
    assert {"Data"} <= {e.get("cat") for e in trace}
    assert any(e["ph"] == "C" for e in trace)


def test_a_fast_pipeline_keeps_up(tmp_path):
    _, out = read(tmp_path, rows(), work=0.005, data_process=True)
    (advice,) = json.loads((out / "minddata_pipeline_summary_0.json").read_text())["bottleneck_suggestion"]
    assert "keeps up" in advice
    assert float(table(out / "minddata_pipeline_raw_0.csv")[0]["output_queue_average_size"]) > 1


def test_pipelines_are_measured_only_where_that_is_wanted(tmp_path):
    one, out = read(tmp_path, rows(), data_process=False)
    assert not list(out.glob("minddata*"))
    assert one.recorded.pipelines == []


def test_a_pipeline_that_ran_before_counts_from_the_start_of_the_measurement(tmp_path):
    iterator = rows(slowly).create_dict_iterator(num_epochs=2)
    assert len(list(iterator)) == 8
    time.sleep(0.3)                                              # until the second pass is prepared
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), data_process=True) as one:
        assert len(list(iterator)) == 8
    found = one.recorded.pipelines
    assert sum(s.rows for p in found for s in p.stages) < 3 * 32


def test_the_file_keeps_everything(tmp_path):
    pipeline = Pipeline([PipelineStage(0, "map", 2, 3, 0.5, -1)], 0.25, 3, 16, [(5, 2)])
    found = Recorded(7, [Event("A", "s", "forward", "f", 1, "g", 2, 3, ((1, 2),), 4, 5, 6, ("a", "b"), 8, 9, 1)],
                     [Step(0, 1, 2)], [Span("mstx", "m", 1, -1, 0, {"domain": "d"})],
                     [Memory(1, 2, 3, 4, "cpu", 5)], [(1, 0.5, 7)], [pipeline], Peak(1e9, 2e9), True, True, False,
                     {"k": [1]})
    found.save(tmp_path)
    assert loaded(tmp_path / "recording_0.json") == found
