"""The files have the layout of those that MindSpore 2.10 wrote (the reference's fixture `profiler_cpu`)."""
import json
import re
from pathlib import Path

import numpy as np
import pytest

from mindspore import Tensor, nn
from mindspore.profiler import profile, tensorboard_trace_handler


@pytest.fixture
def theirs(reference):
    return Path(reference, "formats", "fixtures", "profiler_cpu")


@pytest.fixture
def ours(tmp_path):
    net = nn.Dense(4, 3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    x, y = Tensor(np.ones((4, 4), np.float32)), Tensor(np.ones((4, 3), np.float32))
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), profile_memory=True) as one:
        step(x, y)
    return one.folder


@pytest.mark.parametrize("name", ["cpu_op_detail_info_0.csv", "cpu_op_type_info_0.csv", "cpu_ms_memory_record_0.txt"])
def test_tables_have_the_columns(theirs, ours, name):
    heads = [(folder / "FRAMEWORK" / name).read_text().splitlines()[0] for folder in (theirs, ours)]
    assert heads[0] == heads[1]
    rows = (ours / "FRAMEWORK" / name).read_text().splitlines()[1:]
    assert rows
    assert {row.count(",") for row in rows} == {heads[0].count(",")}



@pytest.mark.parametrize("name", ["cpu_op_execute_timestamp_0.txt", "cpu_framework_0.txt"])
def test_lines_have_the_form(theirs, ours, name):
    forms = {"cpu_op_execute_timestamp_0.txt": r"[^;]+;HostCpuOps;(\d{19},[\d.e-]+,\d+ )+",
             "cpu_framework_0.txt": r"\w+;[^;]+;\d+;(input_\d+:(\[[\d, ]*\]|NoShape);)*"}
    for folder in (theirs, ours):
        lines = (folder / "FRAMEWORK" / name).read_text().splitlines()
        assert lines
        assert [line for line in lines if line.strip(";").count(";") > 1 and not re.fullmatch(forms[name], line)] == []


def test_operators_stand_in_the_trace_as_theirs(theirs, ours):
    found = []
    for folder in (theirs, ours):
        trace = json.loads((folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())
        operators = [e for e in trace if e["ph"] == "X" and e["args"].get("type") == "HostCpuOps"]
        assert operators
        found.append({(key, type(value).__name__, value if key == "pid" else None)
                      for e in operators for key, value in e.items()})
        names = {e["name"]: e["args"] for e in trace if e["ph"] == "M" and e["pid"] == 2}
        assert names == {"process_name": {"name": "CPU OP"}, "process_sort_index": {"sort_index": 2},
                         "process_labels": {"labels": "CPU"}, "thread_name": {"name": "Thread 0"},
                         "thread_sort_index": {"sort_index": 0}}
    assert found[0] == found[1]
