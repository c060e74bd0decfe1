"""What the tables and the trace make of recorded events, as plain values."""
from __future__ import annotations

import pytest

from mindspore.profiler import tables
from mindspore.profiler.recorded import FILE, Event, Pipeline, PipelineStage, Recorded, Span, loaded
from mindspore.profiler.trace import trace


def event(start, duration, phase="forward", line=3, name="Add"):
    return Event(name, "net", phase, "user.py", line, "run", start, duration, ((2, 3), (3,)), 6, 0)


def test_the_phases_of_a_line_are_rows_of_their_own():
    events = [event(0, 5), event(5, 20, "reverse"), event(25, 5), event(30, 7, line=4), event(40, 1, "optimizer")]
    head, *rows = tables.by_user_line(events)
    found = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["line"], row["phase"], row["count"], row["total_time(ms)"]) for row in found] == [
        (3, "reverse", 1, "2e-05"), (3, "forward", 2, "1e-05"), (4, "forward", 1, "7e-06"),
        (3, "optimizer", 1, "1e-06")]


@pytest.mark.parametrize("wanted", [True, False])
def test_shapes_stand_in_the_trace_where_they_were_asked_for(wanted):
    one = [e for e in trace(Recorded(10**18, [event(0, 5)], shapes=wanted)) if e["ph"] == "X"]
    assert [e["args"].get("Input Dims") for e in one] == [[[2, 3], [3]] if wanted else None]


@pytest.mark.parametrize(("changed", "told"), [
    ({"spans": [Span("Other", "x", 1, 2)]}, "spans of an unknown kind: 'Other'"),
    ({"spans": [Span("Torch", "x", 1, 2, 0, {"tid": [1]})]}, "threads that have no number"),
    ({"host": [(1, float("nan"), 2)]}, "a number, but there is nan"),
    ({"events": [event(0, 5)._replace(flops=0.5)]}, "a whole number of 62 bits, but there is 0.5"),
    ({"pipelines": [Pipeline([PipelineStage(1, "Map", 1, 1, 1.0, -1)], 1.0, 1, 1, [])]}, "stages that do not belong"),
    ({"steps": [(1, 2)]}, "a list of 3 values"), ({"shapes": 1}, "a bool, but there is 1")])
def test_a_recording_that_does_not_fit_is_told(changed, told, tmp_path):
    Recorded(10**18, **changed).save(tmp_path)
    with pytest.raises(ValueError, match=told) as error:
        loaded(tmp_path / FILE)
    assert str(tmp_path) in str(error.value)
