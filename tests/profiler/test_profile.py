"""`profile`: the steps that a schedule chooses, what is handed on, what is analysed later, and what is told."""
import json
import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore.profiler import (
    AicoreMetrics,
    ExportType,
    ProfilerLevel,
    _ExperimentalConfig,
    mstx,
    profile,
    schedule,
    tensorboard_trace_handler,
)
from mindspore.profiler.profiler import analyse

X = Tensor(np.ones((2, 3), np.float32))


def steps_kept(plan, count):
    """For each measurement that is handed on the numbers of the steps that it holds."""
    found = []
    with profile(schedule=plan, on_trace_ready=lambda one: found.append(sorted({e.step for e in one.events}))) as one:
        for _ in range(count):
            X * 2
            one.step()
    return found


def test_a_schedule_says_the_same_as_the_original():                 # observed: MindSpore 2.10, CPU
    plan = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    assert [plan(i).value for i in range(11)] == [0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 0]
    assert repr(plan) == "Schedule(wait=1, active=2, warmup=1, repeat=2, skip_first=1)"
    with pytest.raises(ValueError, match="0 or more"):
        plan(-1)
    with pytest.raises(TypeError):
        schedule(1, 2)


def test_numbers_that_do_not_fit_a_schedule_have_their_defaults(warned):          # observed: MindSpore 2.10, CPU
    assert repr(schedule(wait=-1, active=0, warmup="a", repeat=True)) == \
        "Schedule(wait=0, active=1, warmup=0, repeat=0, skip_first=0)"
    assert sum("'schedule'" in text for text in warned) == 5


@pytest.mark.parametrize(("plan", "count", "wanted"), [
    (None, 3, [[0, 1, 2]]),
    (schedule(wait=1, warmup=1, active=2, repeat=2), 9, [[2, 3], [6, 7]]),
    (schedule(wait=0, warmup=1, active=1), 5, [[1], [3], []]),
    (schedule(wait=0, warmup=1, active=3, repeat=1), 3, [[1, 2]]),               # ends within the cycle
    (schedule(wait=0, warmup=5, active=1, repeat=1), 3, []),
    (schedule(wait=5, warmup=1, active=1), 3, []),
], ids=["all", "cycles", "without end", "unfinished", "warming up", "waiting"])
def test_the_steps_that_the_schedule_chooses_are_kept(tmp_path, monkeypatch, plan, count, wanted):
    monkeypatch.chdir(tmp_path)
    assert steps_kept(plan, count) == wanted
    folders = list((tmp_path / "data").iterdir()) if (tmp_path / "data").exists() else []
    assert len(folders) == len(wanted)


def test_a_handler_writes_one_folder_per_cycle(tmp_path):
    ready = tensorboard_trace_handler(str(tmp_path), worker_name="worker")
    with profile(schedule=schedule(wait=0, warmup=1, active=1, repeat=2), on_trace_ready=ready) as one:
        for _ in range(4):
            X * 2
            one.step()
    folders = sorted(tmp_path.iterdir())
    assert len(folders) == 2
    for folder in folders:
        assert folder.name.startswith(f"worker_{os.getpid()}_")
        assert folder.name.endswith("_ascend_ms")
        assert json.loads((folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())


def test_what_is_not_analysed_is_analysed_later(tmp_path):
    for _ in range(2):
        with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path), analyse_flag=False)) as one:
            X * 2
            one.step()
            X + 1
    folders = sorted(tmp_path.iterdir())
    assert not any((folder / "ASCEND_PROFILER_OUTPUT").exists() for folder in folders)
    analyse(str(tmp_path), 2, step_list=[1], data_simplification=False)
    for folder in folders:
        trace = json.loads((folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())
        assert [e["name"] for e in trace if e["pid"] == 2 and e["ph"] == "X"] == ["Default/Add"]
    ms.Profiler.offline_analyse(str(folders[0]), pretty=True)
    text = (folders[0] / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text()
    assert "Default/Mul" in text
    assert text.count("\n") > 10
    with pytest.raises(ValueError, match="no measurement"):           # the default removes what analysing needs
        analyse(str(folders[0]))


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"version": 99}', b'{"version":1,"epoch":0,"events":[[1]]}', b"[1]"])
def test_a_damaged_measurement_is_refused(tmp_path, damage):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path), analyse_flag=False)) as one:
        X * 2
    (one.folder / "FRAMEWORK" / "recording_0.json").write_bytes(damage)
    with pytest.raises(ValueError, match="no measurement that can be analysed"):
        analyse(str(tmp_path))


def test_steps_that_are_not_consecutive_are_refused(tmp_path):
    for wrong in ([1, 3], [], ["1"], 5):
        with pytest.raises((ValueError, TypeError)):
            analyse(str(tmp_path), step_list=wrong)


def test_a_thread_writes_beside_the_program(tmp_path):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path), async_mode=True)) as one:
        X * 2
    import threading
    for thread in threading.enumerate():
        if thread.name == "profiler":
            thread.join()
    assert (one.folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").exists()


def test_tables_as_a_database(tmp_path):
    config = _ExperimentalConfig(export_type=[ExportType.Db])
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), experimental_config=config) as one:
        X * 2
    out = one.folder / "ASCEND_PROFILER_OUTPUT"
    assert not list(out.glob("*.csv"))
    base = sqlite3.connect(out / "ascend_mindspore_profiler_0.db")
    try:
        assert base.execute("SELECT op_type, type_occurrences FROM op_type_info").fetchall() == [("Mul", 1)]
    finally:
        base.close()


def marked(tmp_path, **config):
    ready = tensorboard_trace_handler(str(tmp_path))
    with profile(on_trace_ready=ready, experimental_config=_ExperimentalConfig(**config)) as one:
        outer = mstx.range_start("outer", domain="a")
        mstx.mark("moment")
        mstx.range_end(outer, domain="a")
        X * 2
    trace = json.loads((one.folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text())
    return {e["name"]: e["ph"] for e in trace if e.get("cat") == "mstx"}, len(one.events)


def test_marks_are_in_the_trace_if_they_are_wanted(tmp_path):
    assert marked(tmp_path / "0") == ({}, 1)
    assert marked(tmp_path / "1", mstx=True) == ({"outer": "X", "moment": "i"}, 1)
    assert marked(tmp_path / "2", mstx=True, mstx_domain_include=["a"]) == ({"outer": "X"}, 1)
    assert marked(tmp_path / "3", mstx=True, mstx_domain_exclude=["a"]) == ({"moment": "i"}, 1)
    assert marked(tmp_path / "4", mstx=True, profiler_level=ProfilerLevel.LevelNone) == \
        ({"outer": "X", "moment": "i"}, 0)


def test_marks_that_do_not_fit_are_told(tmp_path, warned):
    ready = tensorboard_trace_handler(str(tmp_path))
    with profile(on_trace_ready=ready, experimental_config=_ExperimentalConfig(mstx=True)) as one:
        mstx.mark("")
        mstx.range_end(mstx.range_start("x"), domain="other")
        assert mstx.range_start("x", domain=3) == 0
    assert one.recorded.spans == []
    assert sum("mstx" in text for text in warned) == 3


def test_arguments_that_do_not_fit_have_their_defaults(tmp_path, monkeypatch, warned):         # as observed
    monkeypatch.chdir(tmp_path)
    with profile(activities="x", with_stack=3, schedule=3, on_trace_ready=4, experimental_config=5) as one:
        X * 2
    assert len(one.events) == 1
    text = "\n".join(warned)
    for name in ("activities", "with_stack", "schedule", "on_trace_ready", "experimental_config"):
        assert f"'{name}'" in text


def test_what_cannot_be_measured_here_is_told(tmp_path, warned):
    ms.Profiler(output_path=str(tmp_path), pcie=True, aic_metrics=AicoreMetrics.Memory, is_detail=True, foo=1).stop()
    (vain,) = [text for text in warned if "nothing to measure" in text]
    assert all(name in vain for name in ("pcie", "aic_metrics", "is_detail"))
    assert any("no arguments foo" in text for text in warned)


def test_starting_and_stopping_twice_is_told(tmp_path, warned):          # observed: MindSpore 2.10, CPU
    one = ms.Profiler(output_path=str(tmp_path))
    one.start()
    X * 2
    one.stop()
    one.stop()
    one.start()
    X + 1
    one.analyse()
    assert [e.name for e in one.events] == ["Mul", "Add"]
    assert sum("does nothing" in text for text in warned) == 2


def test_the_answer_of_op_analyse_has_the_form_of_the_original(tmp_path):
    one = ms.Profiler(output_path=str(tmp_path))
    for _ in range(3):
        X * X
    one.analyse()
    found = json.loads(one.op_analyse(["Mul"], device_id=2))
    assert found["device_id"] == 2
    (row,) = found["Mul"]
    assert (row["op_side"], row["input_shape"], row["op_occurrences"]) == ("cpu", "input_1:[2, 3];input_2:[2, 3]", 3)
    assert row["op_total_time(us)"] == pytest.approx(3 * row["op_avg_time(us)"], abs=1e-3)
    assert one.op_analyse("Foo") is None


def test_metadata_are_kept(tmp_path, warned):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        one.add_metadata("text", "a")
        one.add_metadata_json("json", '{"b": 1}')
        one.add_metadata_json("wrong", "{")
        one.add_metadata("number", 3)
    assert json.loads((one.folder / "profiler_metadata.json").read_text()) == {"text": "a", "json": {"b": 1}}
    assert sum("not kept" in text for text in warned) == 2


def test_the_environment_starts_a_profiler(tmp_path):
    options = {"start": True, "output_path": str(tmp_path), "profiler_level": "Level0", "activities": ["CPU"]}
    program = "import mindspore as ms\nms.Tensor([1.0]) * 2\n"
    env = os.environ | {"MS_PROFILER_OPTIONS": json.dumps(options)}
    subprocess.run([sys.executable, "-c", program], env=env, check=True, timeout=100)
    (folder,) = tmp_path.iterdir()
    assert "Mul" in (folder / "FRAMEWORK" / "cpu_op_type_info_0.csv").read_text()
    assert (folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").exists()
