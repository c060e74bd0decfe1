"""Tables of recordings whose numbers tell one column, one row and one kind from the other."""
from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import pytest

from mindspore import Tensor
from mindspore.profiler import (
    handlers,
    kernels,
    marks,
    memory,
    pipeline_tables,
    profile,
    roofline,
    step_time,
    steps,
    tables,
)
from mindspore.profiler.actions import ProfilerAction
from mindspore.profiler.recorded import (
    Event,
    Memory,
    Peak,
    Pipeline,
    PipelineStage,
    Recorded,
    Span,
    Step,
)
from mindspore.profiler.summary import summary

MS, MB = 10**6, 2**20


def event(name="Add", start=0, duration=1, line=3, phase="forward", step=0, **more):
    more = {"shapes": ((2, 3),), "flops": 6} | more
    return Event(name, "net", phase, "user.py", line, "run", start * MS, duration * MS, step=step, **more)


def rows_of(table):
    head, *rows = table
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_kernels_wait_for_what_ran_before_on_their_thread():
    spans = [Span("Torch", "aten::mul<float>", 40_000, 10_000, 1, {"tid": 1}), Span("Torch", "aten::add", 0, 30_000, 0,
                                                                                  {"tid": 1}),
             Span("Torch", "aten::inner", 5_000, 10_000, 0, {"tid": 1}), Span("Torch", "aten::far", 60_000, 5_000, 1,
                                                                             {"tid": 2}),
             Span("Device", "sum", 41_000, 9_000, 1, {"tid": 1}), Span("Device", "max", 55_000, 1_000, 1, {"tid": 1}),
             Span("Call", "net", 0, 99_000)]
    found = rows_of(tables.by_kernel(Recorded(10**18, spans=spans)))
    assert [(r["Name"], r["Type"], r["Accelerator Core"], r["Step ID"], r["Duration(us)"], r["Wait Time(us)"])
            for r in found] == [
        ("aten::add", "aten::add", "CPU", 0, "30.000", "0.000"),
        ("aten::inner", "aten::inner", "CPU", 0, "10.000", "0.000"),
        ("aten::mul<float>", "aten::mul", "CPU", 1, "10.000", "10.000"), ("sum", "sum", "GPU", 1, "9.000", "0.000"),
        ("max", "max", "GPU", 1, "1.000", "5.000"), ("aten::far", "aten::far", "CPU", 1, "5.000", "0.000")]
    assert tables.by_kernel(Recorded(0, spans=spans[-1:])) == []


def test_spans_of_a_thread_end_no_later_than_those_around_them():
    draw = random.Random(0)
    spans = []
    for tid in range(3):
        for _ in range(60):
            start = draw.randrange(1000)
            spans.append(Span("Torch", "x", start, draw.randrange(1, 300), -1, {"tid": tid}))
    found = kernels._nested(spans)
    assert sorted((s.start, s.args["tid"]) for s in found) == sorted((s.start, s.args["tid"]) for s in spans)
    for a, b in itertools.combinations(found, 2):
        if a.args["tid"] == b.args["tid"] and a.start <= b.start < a.start + a.duration:
            assert b.start + b.duration <= a.start + a.duration
    outer, inner = Span("Torch", "a", 0, 100, -1, {"tid": 0}), Span("Torch", "b", 90, 20, -1, {"tid": 0})
    assert [s.duration for s in kernels._nested([inner, outer])] == [100, 10]
    assert [s.duration for s in kernels._nested([inner, outer._replace(lane="Device")])] == [100, 20]


def test_operators_are_counted_by_step_and_by_application():
    events = [event("Add", 0, 4), event("Add", 5, 2, step=1), event("Mul", 8, 9), event("Add", 20, 3, line=4, step=1)]
    found = rows_of(tables.by_type(Recorded(0, events, [Step(0, 0, 10 * MS), Step(1, 10 * MS, 20 * MS)])))
    assert [list(row.values()) for row in found] == [
        ["Add", 3, "1.5", "9", "3", "0.5"], ["Mul", 1, "0.5", "9", "9", "0.5"]]
    lines = rows_of(tables.by_user_line([*events, event("Sub", 30, 1, line=4, flops=10, lead=7 * MS)]))
    assert [(r["line"], r["count"], r["total_time(ms)"], r["avg_time(ms)"], r["flops"], r["python_before(ms)"])
            for r in lines] == [(3, 3, "15", "5", 18, "0"), (4, 2, "4", "2", 16, "7")]


def test_the_most_expensive_comes_first_not_the_most_frequent():
    events = [event("Often", k, 1) for k in range(5)] + [event("Long", 10, 9), event("Never", 20, 0)]
    assert list(tables.grouped(events, lambda e: e.name)) == ["Long", "Often", "Never"]


# ---------------------------------------------------------------------- memory

def change(time, size, total, pointer, device="cpu", reserved=0):
    return Memory(time * MS, size * MB, total * MB, reserved * MB, device, pointer)


def test_a_place_that_is_used_again_is_another_piece_of_memory():
    found = Recorded(0, [event("Add", 0, 3), event("Mul", 4, 2), event("Sub", 7, 1)], memory=[
        change(1, 1, 1, 10), change(2, -1, 0, 10), change(5, 2, 2, 10), change(6, -2, 0, 10), change(6, -2, 0, 10),
        change(7, 4, 4, 10), change(7, 8, 8, 10, "cuda:0"), change(9, -8, 0, 10, "cuda:0")])
    said = [(b.begun.size // MB, b.ended and b.ended.time // MS, b.event and b.event.name)
            for b in memory.blocks(found)]
    assert said == [(1, 2, "Add"), (2, 6, "Mul"), (4, None, "Sub"), (8, 9, "Sub")]


@pytest.mark.parametrize(("end", "held"), [(4, []), (5, []), (6, ["Add"])])
def test_what_ends_with_the_peak_is_not_held_at_it(end, held):
    changes = [change(1, 3, 3, 1), change(5, 9, 12, 2), change(6, -9, 3, 2), change(8, 12, 12, 3)]
    changes = sorted([*changes, change(end, -3, 0, 1)], key=lambda m: m.time)
    events = [event("Add", 0, 2), event("Mul", 5, 1, 4), event("Sub", 8, 1, 5)]
    found = memory.at_peak(Recorded(0, events, memory=changes))
    assert [row["Name"].rpartition("/")[2] for row in rows_of(found)] == ["Mul", *held]


def test_pieces_of_a_line_are_added_up_at_the_peak():
    sizes = (3, 5, 2, 7)
    changes = [change(k, n, sum(sizes[:k + 1]), k) for k, n in enumerate(sizes)] + [change(9, 1, 18, 9, "cuda:0", 4)]
    events = [event("Add", k, 1, 3 if k < 3 else 4) for k in range(4)]
    found = rows_of(memory.at_peak(Recorded(0, events, memory=changes[:4])))
    assert [(r["Line"], r["Count"], r["Size(KB)"], r["Share"]) for r in found] == [
        (3, 3, f"{10 * 1024:.6g}", "0.5882"), (4, 1, f"{7 * 1024:.6g}", "0.4118")]
    record = memory.record(Recorded(0, events, memory=changes))
    assert record[1][2:] == ["3", "3", "3", "cpu"]
    assert record[-1][2:] == ["18", "18", "18", "cuda:0"]
    assert len(memory.at_peak(Recorded(0))) == 1


# ---------------------------------------------------------------------- pipelines

def test_the_slowest_stage_is_the_one_whose_workers_take_longest():
    stages = [PipelineStage(0, "batch", 1, 10, 3.0, -1), PipelineStage(1, "map", 8, 20, 12.0, 0),
              PipelineStage(2, "read", 2, 5, 5.0, 1)]
    one = Pipeline(stages, 0.9, 40, 8, [(0, 0)] * 10)
    (said,) = pipeline_tables.advice(Recorded(0, steps=[Step(0, 0, 10**9)], pipelines=[one]))
    assert "90% of the time, and found the queue empty in 100% of the cases. The stage 'batch' takes 15% " in said
    (said,) = pipeline_tables.advice(Recorded(0, steps=[Step(0, 0, 10**9)], pipelines=[
        one._replace(stages=[stages[0]._replace(seconds=1.0), *stages[1:]])]))
    assert "The stage 'read' takes 28% of the work of the pipeline: read from faster storage" in said
    (said,) = pipeline_tables.advice(Recorded(0, pipelines=[one]))              # nothing took time
    assert "keeps up: the program waited for it in 0.0% of the time" in said


@pytest.mark.parametrize(("waits", "length", "share"), [
    (0, 4, 0.0), (1, 4, 0.25), (4, 4, 1.0), (9, 4, 1.0), (3, 0, 0.0)])
def test_a_queue_is_empty_in_all_cases_at_most(waits, length, share):
    assert pipeline_tables.empty_share(Pipeline([], 0.0, waits, 4, [(0, 0)] * length)) == share


# ---------------------------------------------------------------------- steps

def test_compiling_and_waiting_take_no_more_than_is_left_of_a_step():
    found = Recorded(0, [event("Add", 0, 6), event("Mul", 10, 1, step=1), event("Sub", 12, 99, step=1, thread=1)],
                     [Step(0, 0, 10 * MS), Step(1, 10 * MS, 10 * MS), Step(2, 20 * MS, 5 * MS)],
                     [Span("Compile", "a", 1 * MS, 3 * MS, 0), Span("Compile", "b", 3 * MS, 9 * MS, 0),
                      Span("Data", "rows", 2 * MS, 7 * MS, 0), Span("Compile", "c", 11 * MS, 2 * MS, 1),
                      Span("Data", "rows", 12 * MS, 3 * MS, 1), Span("Data", "rows", 14 * MS, 3 * MS, 1),
                      Span("Data", "rows", 18 * MS, 9 * MS, 1)])
    said = [(p.operators // MS, p.compiling // MS, p.data // MS, p.python // MS, p.preparing // MS)
            for p in steps.parts(found)]
    assert said == [(6, 4, 0, 0, 0), (1, 2, 7, 0, 0), (0, 0, 0, 5, 0)]


def test_a_span_over_three_steps_is_in_all_of_them():
    found = Recorded(0, [event("Add", 12, 2, step=1)], [Step(k, 10 * k * MS, 10 * MS) for k in range(3)],
                     [Span("Callback", "Own", 5 * MS, 20 * MS), Span("Callback", "Late", 28 * MS, 9 * MS)])
    spent = {kind: ns // MS for kind, ns in step_time.spent(found).items()}
    assert spent == {("Python", "after the last operator"): 5 + 3, ("callback", "Own"): 5 + 8 + 5,
                     ("operators", "forward"): 2, ("callback", "Late"): 2}


def test_the_summary_adds_up_what_a_line_takes_in_each_phase():
    events = [event("Add", 0, 3), event("Add", 4, 4), event("Mul", 9, 5, phase="reverse"), event("Sub", 15, 8, line=7),
              event("Sub", 24, 2, line=8)]
    said = summary(Recorded(0, events, [Step(0, 0, 30 * MS)])).splitlines()
    at = said.index("most expensive lines:")
    assert [line.rpartition("(")[2] for line in said[at + 1:at + 4]] == [
        "forward 7.000 ms, reverse 5.000 ms)", "forward 8.000 ms)", "forward 2.000 ms)"]


@pytest.mark.parametrize(("late", "told"), [(1, False), (6, True)])
def test_compiling_counts_after_the_first_step_only(late, told):
    found = Recorded(0, [], [Step(k, 10 * k * MS, 10 * MS) for k in range(3)],
                     [Span("Compile", "a", 0, 9 * MS, 0), Span("Compile", "b", 10 * MS, late * MS, 1)])
    assert ("compiled after the first step" in summary(found)) is told


# ---------------------------------------------------------------------- the roofline

def test_rows_of_the_roofline_are_by_operator_phase_and_shapes():
    events = [event("Add", 0, 1, moved=100, flops=0), event("Add", 1, 3, moved=100, flops=0),
              event("Add", 5, 1, phase="reverse", moved=50, flops=0),
              event("Add", 7, 1, shapes=((9,),), moved=9, flops=900)]
    found = rows_of(roofline.table(Recorded(0, events, peak=Peak(1e6, 1e6))))
    assert [(r["phase"], r["input_shapes"], r["count"], r["bytes"], r["bound"], r["fraction_of_peak"])
            for r in found] == [
        ("forward", "[2, 3]", 2, 200, "memory", "0.0500"), ("reverse", "[2, 3]", 1, 50, "memory", "0.0500"),
        ("forward", "[9]", 1, 9, "compute", "0.9000")]
    assert {r["fraction_of_peak"] for r in rows_of(roofline.table(Recorded(0, events)))} == {""}


def test_the_peak_is_that_of_the_present_number_of_threads(monkeypatch):
    monkeypatch.setattr(roofline, "_peaks", {})
    monkeypatch.setattr(roofline, "_best", lambda run, device: 0.5)
    for threads in (3, 5, 3):
        monkeypatch.setattr(roofline.torch, "get_num_threads", lambda n=threads: n)
        roofline.peak()
    assert {threads for _, threads in roofline._peaks} == {3, 5}


# ---------------------------------------------------------------------- marks and folders

def test_ranges_end_once_and_last_from_begin_to_end(monkeypatch, warned):
    now = iter(range(100, 2000, 100))
    kept = SimpleNamespace(spans=[], step=4)
    monkeypatch.setattr(marks, "time", SimpleNamespace(perf_counter_ns=lambda: next(now)))
    monkeypatch.setattr(marks.marking, "keeper", kept)
    monkeypatch.setattr(marks.marking, "ranges", {})
    outer = marks.Mstx.range_start("outer")                         # 100
    inner = marks.Mstx.range_start("inner", domain="d")             # 200
    marks.Mstx.mark("moment")                                       # 300
    marks.Mstx.range_end(outer, domain="d")                         # another domain: it goes on
    marks.Mstx.range_end(inner, domain="d")                         # 400
    marks.Mstx.range_end(outer)                                     # 500
    for again in (outer, inner, 0, 10**9):
        marks.Mstx.range_end(again)
    assert [(s.name, s.start, s.duration, s.step, s.args["domain"]) for s in kept.spans] == [
        ("moment", 300, -1, 4, "default"), ("inner", 200, 200, 4, "d"), ("outer", 100, 400, 4, "default")]
    assert len(warned) == 4


def test_folders_of_one_moment_are_not_shared(tmp_path, monkeypatch):
    now = itertools.chain([5 * 10**9] * 3, itertools.count(6 * 10**9, 10**6))
    real = handlers.time
    monkeypatch.setattr(handlers, "time", SimpleNamespace(
        time_ns=lambda: next(now), sleep=lambda s: None, strftime=real.strftime, gmtime=real.gmtime))
    found = [handlers.new_folder(tmp_path / "deep", "w") for _ in range(3)]
    assert len(set(found)) == 3
    assert all(folder.is_dir() and not list(folder.iterdir()) for folder in found)
    assert found[0].name.split("_")[2] == "19700101000005000"


@pytest.mark.parametrize(("given", "wanted"), [
    ("w", "w"), ("", None), ("x" * 225, "x" * 225), ("x" * 226, None), (3, None)])
def test_names_of_workers_leave_room_for_the_rest(given, wanted):
    assert handlers.tensorboard_trace_handler(worker_name=given).worker == wanted


@pytest.mark.parametrize(("analyse", "beside"), [(True, True), (True, False), (False, True), (None, 1)])
def test_a_handler_hands_on_whether_a_thread_writes(analyse, beside):
    asked = []
    handler = handlers.tensorboard_trace_handler(analyse_flag=analyse, async_mode=beside)
    handler(SimpleNamespace(analyse=lambda **more: asked.append(more)))
    if analyse is False:
        assert asked == []
    else:
        assert asked == [{"async_mode": beside is True}]


# ---------------------------------------------------------------------- ways through a schedule

WAIT, WARM, KEEP, SAVE = ProfilerAction


@pytest.mark.parametrize(("plan", "wanted"), [
    ([SAVE, SAVE, WAIT, SAVE], [[0], [1], [3]]), ([KEEP, SAVE, KEEP, SAVE], [[0, 1], [2, 3]]),
    ([KEEP, KEEP, WAIT, SAVE], [[3]]), ([WARM, KEEP, WAIT, WARM, SAVE], [[4]]), ([WARM, WAIT, SAVE], [[2]]),
    ([WARM, WARM, KEEP, SAVE, WARM], [[2, 3]]), ([WAIT, KEEP, SAVE, SAVE], [[1, 2], [3]])])
def test_what_is_kept_is_handed_on_where_a_plan_saves_it(tmp_path, monkeypatch, plan, wanted):
    monkeypatch.chdir(tmp_path)
    found = []
    with profile(schedule=lambda step: plan[step] if step < len(plan) else WAIT,
                 on_trace_ready=lambda one: found.append(sorted({e.step for e in one.events}))) as one:
        for _ in plan:
            Tensor([1.0]) * 2
            one.step()
    assert found == wanted


def test_without_a_schedule_nothing_is_missing(tmp_path, monkeypatch, warned):
    monkeypatch.chdir(tmp_path)
    found = []
    with profile(on_trace_ready=found.append) as one:
        Tensor([1.0]) * 2
        one.step()
    assert (found, warned) == ([one._measured], [])
