"""What takes time beside operators: compiling by pass, waiting for data, the stages of pipelines, and advice."""
import csv
import itertools
import json
import threading
import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, dataset, ops
from mindspore.profiler import _ExperimentalConfig, profile, tensorboard_trace_handler
from mindspore.profiler.environment import VARIABLE, EnvProfiler
from mindspore.profiler.offline import consecutive
from mindspore.profiler.options import Settings
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
from mindspore.profiler.steps import table as table_of_steps
from mindspore.profiler.tables import by_type
from mindspore.profiler.texts import arguments

MS = 1_000_000


def slowly(x):
    time.sleep(0.004)
    return x * 2


def counted(most):
    """A function for rows, and what is set when it was called for so many."""
    calls, prepared = itertools.count(1), threading.Event()

    def function(x):
        if next(calls) == most:
            prepared.set()
        return x
    return function, prepared


def rows(function=None):
    made = dataset.NumpySlicesDataset({"x": np.ones((32, 4), np.float32)}, shuffle=False)
    return (made.map(function, ["x"]) if function else made).batch(4)


def read(tmp_path, data, **options):
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), **options) as one:
        for row in data.create_dict_iterator(num_epochs=1):
            row["x"] + 1
            one.step()
    return one, one.folder / "ASCEND_PROFILER_OUTPUT"


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_parts_of_a_step_are_told_apart_and_add_up():
    events = [Event("A", "", "", "", 0, "", start * MS, 2 * MS, (), 0, 0) for start in (3, 6)]
    events[0] = events[0]._replace(effect="communication")
    events.append(Event("other thread", "", "", "", 0, "", 0, 9 * MS, (), 0, 0, thread=1))
    spans = [Span("Data", "w", 0, 2 * MS, 0), Span("Compile", "c", 8 * MS, 1 * MS, 0),
             Span("Compile", "within", 8 * MS, MS // 2, 0), Span("mstx", "m", 0, 9 * MS, 0)]
    (found,) = parts(Recorded(0, events, [Step(0, 0, 10 * MS)], spans))
    assert (found.operators, found.data, found.compiling, found.python) == (4 * MS, 2 * MS, 1 * MS, 3 * MS)
    assert found.communication == 2 * MS
    row = table_of_steps(Recorded(0, events, [Step(0, 0, 10 * MS)], spans))[1]
    assert [float(x) for x in row[1:6]] == [2000, 2000, 0, 2000, 6000]         # as the original divides it
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
    function, prepared = counted(32)
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), data_process=True) as one:
        begin = time.perf_counter()
        for number, row in enumerate(rows(function).create_dict_iterator(num_epochs=1)):
            if number == 0:
                time.sleep(40 * (time.perf_counter() - begin))   # beside this, the wait for the first row is short
                assert prepared.wait(60)                         # and there is no other
            row["x"] + 1
            one.step()
    out = one.folder / "ASCEND_PROFILER_OUTPUT"
    (advice,) = json.loads((out / "minddata_pipeline_summary_0.json").read_text())["bottleneck_suggestion"]
    assert "keeps up" in advice
    assert float(table(out / "minddata_pipeline_raw_0.csv")[0]["output_queue_average_size"]) > 1


def test_pipelines_are_measured_only_where_that_is_wanted(tmp_path):
    one, out = read(tmp_path, rows(), data_process=False)
    assert not list(out.glob("minddata*"))
    assert one.recorded.pipelines == []


def test_a_pipeline_that_ran_before_counts_from_the_start_of_the_measurement(tmp_path):
    function, prepared = counted(64)
    iterator = rows(function).create_dict_iterator(num_epochs=2)
    assert len(list(iterator)) == 8
    assert prepared.wait(60)                                     # the second pass, but for its last rows
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), data_process=True) as one:
        assert len(list(iterator)) == 8
    found = one.recorded.pipelines
    assert sum(s.rows for p in found for s in p.stages) < 3 * 32


def test_the_file_keeps_everything(tmp_path):
    pipeline = Pipeline([PipelineStage(0, "map", 2, 3, 0.5, -1)], 0.25, 3, 16, [(5, 2)])
    found = Recorded(7, [Event("A", "s", "forward", "f", 1, "g", 2, 3, ((1, 2),), 4, 5, 6, ("a", "b"), 8, 9, 1, "io")],
                     [Step(0, 1, 2)], [Span("mstx", "m", 1, -1, 0, {"domain": "d"})],
                     [Memory(1, 2, 3, 4, "cpu", 5)], [(1, 0.5, 7)], [pipeline], Peak(1e9, 2e9), True, True, False,
                     {"k": [1]})
    found.save(tmp_path)
    assert loaded(tmp_path / "recording_0.json") == found


def event(name, start, duration, step=0, thread=0):
    return Event(name, "", "", "a.py", 3, "f", start, duration, ((2, 3),), 0, step, thread)


def test_steps_keep_what_is_theirs():
    found = Recorded(0, [event("A", 0, 5, 1), event("B", 9, 5, 2)], [Step(1, 0, 8), Step(2, 9, 8)],
                     [Span("mstx", "a", 1, 2, 1), Span("mstx", "b", 10, 2, 2), Span("mstx", "c", 11, 2, 3)])
    kept = found.of_steps([2])
    assert ([e.name for e in kept.events], [s.number for s in kept.steps], [s.name for s in kept.spans]) == \
        (["B"], [2], ["b"])
    assert found.of_steps(None) is found


def test_times_of_operators_are_added_and_averaged():
    found = Recorded(0, [event("A", 0, 3 * MS), event("B", 4 * MS, 2 * MS), event("A", 7 * MS, 5 * MS)],
                     [Step(0, 0, 6 * MS), Step(1, 6 * MS, 6 * MS)])
    head, first, second = by_type(found)
    assert first[:3] == ["A", 2, "1"]
    assert [float(v) for v in first[3:]] == [8, 4, 0.8]
    assert second[:3] == ["B", 1, "0.5"]
    assert len(head) == 6


def test_applications_are_listed_in_order_of_time_over_threads(tmp_path):
    function = ms.jit(lambda x: x * 2)
    function(Tensor([1.0]))
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        Tensor([1.0]) * 3
        thread = threading.Thread(target=function, args=(Tensor([1.0]),))
        thread.start()
        thread.join()
        Tensor([1.0]) * 3
    starts = [e.start for e in one.events]
    assert starts == sorted(starts)
    assert [e.thread for e in one.events] == [0, 1, 0]


@pytest.mark.parametrize("wrong", [[], [1, 3], [1.0, 2.0], [True, 2]])
def test_steps_to_analyse_follow_one_another(wrong):
    with pytest.raises(ValueError, match="consecutive"):
        consecutive(wrong)
    consecutive([3, 2, 4, 3])
    consecutive(None)


@pytest.mark.parametrize(("name", "value"), [
    ("mstx_domain_include", "abc"), ("activities", "CPU"), ("export_type", []), ("export_type", {"db": 1}),
    ("host_sys", "cpu"), ("activities", [1])])
def test_several_values_are_a_list_of_their_kind(warned, name, value):
    plain, given = Settings({}), Settings({name: value})
    kept = ("activities", "export", "host", "include")
    assert [getattr(given, k) for k in kept] == [getattr(plain, k) for k in kept]
    assert any(f"'{name}' cannot be" in text for text in warned)


def test_settings_of_their_own_count_before_the_others():
    config = _ExperimentalConfig(mstx=True, data_simplification=False)
    assert Settings({"mstx": False, "experimental_config": config}).marks is True
    assert Settings({"experimental_config": config}).simplified is False


@pytest.mark.parametrize("asked", ['{"start": false}', "{}", "[1]", "no json", ""])
def test_the_environment_starts_nothing_unless_it_says_so(monkeypatch, asked):
    monkeypatch.setenv(VARIABLE, asked)
    EnvProfiler.init_profiler()
    assert EnvProfiler.profiler is None
    EnvProfiler().analyse()


@pytest.mark.parametrize(("name", "value"), [("async_mode", 1), ("analyse_flag", "yes"), ("worker_name", ""),
                                             ("worker_name", 3), ("dir_name", 7)])
def test_what_does_not_fit_a_handler_has_its_default(warned, name, value):
    made = tensorboard_trace_handler(**{name: value})
    assert (made.parent, made.worker, made.analyse, made.asynchronous) == (None, None, True, False)
    assert any(f"'{name}' cannot be {value!r}" in text for text in warned)


def test_steps_are_checked_before_anything_stops(tmp_path):
    profiler = ms.Profiler(output_path=str(tmp_path))
    with pytest.raises(ValueError, match="consecutive"):
        profiler.analyse(step_list=[1, 3])
    assert profiler.running
    profiler.analyse()


def test_members_are_told_by_name_by_value_and_by_number(warned):
    asked = [{"profiler_level": v} for v in ("Level1", 1)] + [{"aic_metrics": v} for v in ("AiCoreNone", "None")]
    asked += [{"export_type": v} for v in (["db"], ["Db"], 1)] + [{"activities": v} for v in (["CPU"], 1)]
    found = [arguments("x", one) for one in asked]
    config = [one["experimental_config"] for one in found]
    assert [c.profiler_level.name for c in config[:2]] == ["Level1"] * 2
    assert [c.aic_metrics.name for c in config[2:4]] == ["AiCoreNone"] * 2
    assert [[e.name for e in c.export_type] for c in config[4:7]] == [["Db"]] * 3
    assert [[a.name for a in one["activities"]] for one in found[7:]] == [["CPU"]] * 2
    assert not warned
    wrong = arguments("x", {"activities": ["CPU", "TPU"], "profiler_level": True, "export_type": 7})
    assert (wrong["activities"], wrong["experimental_config"].profiler_level) == (None, None)
    assert len(warned) == 3
