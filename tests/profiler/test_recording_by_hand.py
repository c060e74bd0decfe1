"""Every table of a recording of a few round numbers, by hand."""
from __future__ import annotations

import json

import pytest

from mindspore.operators.communication import EFFECT
from mindspore.profiler import memory, pipeline_tables, steps, tables
from mindspore.profiler.recorded import Event, Memory, Pipeline, PipelineStage, Recorded, Span, Step
from mindspore.profiler.summary import summary

MS, KB, MB = 10**6, 2**10, 2**20


def event(name, start, duration, line, phase="forward", step=0, **more):
    return Event(name, "net", phase, "user.py", line, "run", start * MS, duration * MS, ((2, 3),), 6, step, **more)


def change(time, size, total, pointer, reserved=0):
    return Memory(time * MS, size * MB, total * MB, reserved * MB, "cpu", pointer)


RECORDED = Recorded(
    10**18,
    [event("Add", 2, 10, 3), event("Mul", 20, 30, 4, "reverse"), event("AllReduce", 60, 5, 4, step=1, effect=EFFECT),
     event("Add", 70, 15, 5, "optimizer", 1), event("Sub", 71, 500, 9, step=1, thread=1)],
    [Step(0, 0, 55 * MS), Step(1, 55 * MS, 45 * MS)],
    [Span("Compile", "walk", 12 * MS, 4 * MS, 0), Span("Compile", "inner", 13 * MS, 2 * MS, 0),
     Span("Data", "rows", 86 * MS, 30 * MS, 1), Span("Torch", "add", 0, 9 * MS, 0)],
    [change(3, 4, 4, 10), change(5, 8, 12, 11, 16), change(15, -4, 8, 10), change(25, 2, 10, 10), change(90, 1, 11, 12),
     change(95, -7, 4, 99)],
    pipelines=[
        Pipeline([PipelineStage(0, "batch", 2, 10, 2.0, -1), PipelineStage(1, "map", 4, 20, 1.0, 0)], 0.05, 3, 8,
                 [(0, 4), (1, 0), (2, 2), (3, 2), (4, 2), (5, 2)]),
        Pipeline([PipelineStage(0, "zip", 1, 0, 0.0, -1), PipelineStage(1, "read", 1, 5, 3.0, 0),
                  PipelineStage(2, "map", 1, 5, 1.0, 0)], 0.002, 0, 4, [])],
    metadata={"who": "hand"})


def test_the_parts_of_steps_add_up():
    assert [tuple(p) for p in steps.parts(RECORDED)] == [
        (0, 40 * MS, 0, 4 * MS, 0, 11 * MS, 55 * MS, 2 * MS),
        (1, 20 * MS, 5 * MS, 0, 14 * MS, 11 * MS, 45 * MS, 5 * MS)]
    head, _, second = steps.table(RECORDED)
    found = dict(zip(head, second, strict=True))
    assert {name: found[name] for name in ("Step", "Computing", "Communication", "Free", "Stage", "Preparing",
                                           "Waiting for data", "Python")} == {
        "Step": 1, "Computing": "15000.000", "Communication": "5000.000", "Free": "25000.000", "Stage": "45000.000",
        "Preparing": "5000.000", "Waiting for data": "14000.000", "Python": "11000.000"}


def test_memory_belongs_to_the_operator_that_ran_and_ends_with_its_release():
    found = [(b.begun.size // MB, b.ended and b.ended.time // MS, b.event and b.event.name)
             for b in memory.blocks(RECORDED)]
    assert found == [(4, 15, "Add"), (8, None, "Add"), (2, None, "Mul"), (1, None, "Sub")]
    _, *rows = memory.at_peak(RECORDED)
    assert rows == [["user.py", 3, "Default/net/Add", "forward", 2, "12288", "1.0000"]]
    _, *rows = memory.record(RECORDED)
    assert [row[2:] for row in rows[:2]] == [["4", "4", "4", "cpu"], ["12", "16", "12", "cpu"]]
    head, first, second, *_ = memory.by_block(RECORDED)
    found = dict(zip(head, first, strict=True))
    assert (found["Size(KB)"], found["Duration(us)"], found["Release Total Allocated(MB)"], found["Line"]) == (
        "4096", "12000.000", "8", 3)
    assert dict(zip(head, second, strict=True))["Duration(us)"] == ""


def test_pipelines_are_numbered_one_after_the_other():
    head, *rows = pipeline_tables.raw(RECORDED)
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(r["op_id"], r["op_type"], r["parent_id"], r["children_id"], r["us_per_row"]) for r in found] == [
        (0, "batch", "", [1], "200000.000"), (1, "map", 0, "", "50000.000"), (2, "zip", "", [3, 4], "0.000"),
        (3, "read", 2, "", "600000.000"), (4, "map", 2, "", "200000.000")]
    assert [found[k]["output_queue_average_size"] for k in range(4)] == ["2.000", "", "0.000", ""]
    columns = pipeline_tables.summary(RECORDED)
    assert columns["pipeline_ops"] == ["batch(id=0)", "map(id=1)", "zip(id=2)", "read(id=3)", "map(id=4)"]
    assert columns["parent_id"] == [-1, 0, -1, 2, 2]
    assert columns["children_ids"] == [[1], [], [3, 4], [], []]
    assert columns["queue_utilization_pct"] == [25.0, None, 0.0, None, None]
    assert columns["queue_empty_freq_pct"] == [50.0, None, 0.0, None, None]
    first, second = pipeline_tables.advice(RECORDED)
    assert first.startswith("The program waited for rows in 50% of the time, and found the queue empty in 50% of the "
                            "cases. The stage 'batch' takes 67% of the work of the pipeline: give it more workers "
                            "than 2 ")
    assert second == "The data pipeline keeps up: the program waited for it in 2.0% of the time."


def test_the_summary_says_what_took_most():
    said = summary(RECORDED).splitlines()
    assert said[0] == ("2 steps of 50.000 ms: operators 60.0%, of these communication 5.0%, Python 22.0%, "
                       "waiting for data 14.0%, compiling 4.0%")
    at = said.index("most expensive lines:")
    assert [line.split(":  (")[0].split()[:2] for line in said[at + 1:at + 4]] == [
        ["89.3%", "user.py:9:"], ["6.2%", "user.py:4:"], ["2.7%", "user.py:5:"]]
    assert said[at + 2].endswith("(reverse 30.000 ms, forward 5.000 ms)")
    assert said[at + 4:at + 6] == ["most memory: 12.0 MB, of which", "       12.0 MB  user.py:3 Default/net/Add"]
    assert "advice: Python runs between operators for 22% of the time: graph mode (jit) saves most of that." in said
    assert not [line for line in said if "compiled after the first step" in line]


@pytest.mark.parametrize("pretty", [False, True])
def test_files_have_one_line_per_value_on_request(tmp_path, pretty):
    tables.write(tmp_path, RECORDED, pretty)
    out = tmp_path / "ASCEND_PROFILER_OUTPUT"
    for name in ("trace_view.json", "minddata_pipeline_summary_0.json"):
        text = (out / name).read_text()
        assert text == json.dumps(json.loads(text), indent=4 if pretty else None)
    assert (tmp_path / "profiler_metadata.json").read_text() == '{\n    "who": "hand"\n}'
    assert {p.stem for p in out.iterdir()} >= {"step_trace_time", "memory_peak", "operator_memory", "memory_record",
                                               "minddata_pipeline_raw_0", "summary", "op_roofline", "step_time"}
    assert not (out / "host_info.csv").exists()


def test_times_and_shapes_of_every_application_are_written(tmp_path):
    tables.write(tmp_path, RECORDED, False)
    found = (tmp_path / "FRAMEWORK" / "cpu_op_execute_timestamp_0.txt").read_text().splitlines()
    assert sorted(found) == [
        "Default/net/Add;HostCpuOps;1000000000002000000,10,0 1000000000070000000,15,0 ",
        "Default/net/AllReduce;HostCpuOps;1000000000060000000,5,0 ",
        "Default/net/Mul;HostCpuOps;1000000000020000000,30,0 ",
        "Default/net/Sub;HostCpuOps;1000000000071000000,500,1 "]
    shapes = (tmp_path / "FRAMEWORK" / "cpu_framework_0.txt").read_text().splitlines()
    assert shapes == [f"{name};Default/net/{name};0;input_1:[2, 3];" for name in ("Add", "Mul", "AllReduce", "Add",
                                                                                 "Sub")]
