"""Spans, steps and pipelines given by hand: lanes, equal starts, what was counted before, what is forgotten."""
from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
import torch

from mindspore.compiler import cache
from mindspore.dataset.execution import profile as pipelines
from mindspore.dataset.execution.profile import Profile, WorkTimes
from mindspore.profiler.kernels import DEVICE, HOST, Kernels, _nested
from mindspore.profiler.recorded import Event, Recorded, Span, Step
from mindspore.profiler.steps import parts
from mindspore.profiler.surroundings import CALL, Surroundings
from mindspore.train import watching


def span(start, duration, lane=HOST, tid=1):
    return Span(lane, f"{start}", start, duration, -1, {"tid": tid})


@pytest.mark.parametrize(("given", "expected"), [
    ([span(0, 10), span(0, 4)], [(0, 10), (0, 4)]),                          # at once: the longer one is around
    ([span(0, 4), span(0, 10)], [(0, 10), (0, 4)]),
    ([span(0, 10), span(10, 5)], [(0, 10), (10, 5)]),                        # one begins where the other ends
    ([span(0, 10), span(4, 9), span(6, 9)], [(0, 10), (4, 6), (6, 4)]),
    ([span(0, 10), span(4, 9, tid=2)], [(0, 10), (4, 9)]),                   # of two threads
    ([span(0, 10), span(4, 9, lane=DEVICE)], [(0, 10), (4, 9)])])
def test_a_span_ends_within_those_around_it_in_its_own_thread(given, expected):
    assert [(s.start, s.duration) for s in _nested(given)] == expected


def kineto(name, host, start=5):
    kinds = torch.autograd.DeviceType
    return SimpleNamespace(name=lambda: name, device_type=lambda: kinds.CPU if host else kinds.CUDA,
                           start_thread_id=lambda: 7, device_resource_id=lambda: 9, shapes=lambda: [[2, 3]],
                           start_ns=lambda: start, duration_ns=lambda: 3)


@pytest.mark.parametrize(("host", "shapes", "expected"), [
    (True, True, [(HOST, "aten::mul", {"tid": 7, "shapes": [[2, 3]]}), (DEVICE, "kernel", {"tid": 9})]),
    (True, False, [(HOST, "aten::mul", {"tid": 7}), (DEVICE, "kernel", {"tid": 9})]),
    (False, True, [(DEVICE, "kernel", {"tid": 9})])])
def test_events_of_memory_are_no_spans_and_the_host_is_told_where_it_is_wanted(host, shapes, expected):
    one = Kernels(host, memory=True, shapes=shapes)
    events = [kineto("aten::mul", host=True), kineto("[memory]", host=True), kineto("[memory]", host=False),
              kineto("kernel", host=False)]
    one._results = [SimpleNamespace(events=lambda: events)]
    assert [(s.lane, s.name, s.args) for s in one.spans(2)] == expected
    assert {s.start for s in one.spans(2)} == {3}


def test_what_torch_ran_before_is_forgotten_and_what_follows_is_taken_up():
    one = Kernels(host=True, memory=False, shapes=False)
    one.start()
    torch.ones(3).mul_(2.0)
    one.clear()
    torch.ones(3).add_(2.0)
    one.stop()
    names = [s.name for s in one.spans(0)]
    assert "aten::add_" in names
    assert "aten::mul_" not in names
    one.clear()
    one.stop()
    assert "aten::add_" not in [s.name for s in one.spans(0)]


def test_a_step_without_operators_prepares_nothing():
    step = Step(4, 700, 100)
    (found,) = parts(Recorded(0, [], [step], []))
    assert (found.operators, found.python, found.preparing, found.total) == (0, 100, 0, 100)
    late = Event("A", "", "", "", 0, "", 720, 30, (), 0, 4)
    assert parts(Recorded(0, [late], [step], []))[0].preparing == 20


@pytest.fixture
def taken_up():
    one = Surroundings()
    yield one
    if one in pipelines.observers:
        one.stop()


def test_what_is_forgotten_leaves_nothing_behind(taken_up):
    taken_up.start()
    profile = Profile()
    profile.works[()] = WorkTimes(["take"], [0.5], 3, mode="one thread")
    profile.wait(1.0, 2.0)
    profile.wait(3.0, 4.0)
    profile.sample(5)
    taken_up._called("net", 10, 20)
    (found,) = taken_up.pipelines()
    assert (found.stages[0].rows, found.stages[0].seconds, found.waited) == (3, 0.5, 2.0)
    assert [n for _, n in found.queue] == [5]
    assert found.waits == 2
    assert [(s.lane, s.name, s.duration) for s in taken_up.calls] == [(CALL, "net", 10)]
    taken_up.clear()
    assert (taken_up.calls, taken_up.spans, taken_up.pipelines()) == ([], [], [])
    profile.works[()].add(4, (0.25,))
    (found,) = taken_up.pipelines()                                  # what came since, alone
    assert (found.stages[0].rows, found.stages[0].seconds, found.waited, found.queue) == (4, 0.25, 0.0, [])
    assert found.waits == 0


def test_calls_of_other_threads_are_none_of_this_profile(taken_up):
    taken_up.start()

    def other():
        taken_up._called("net", 1, 2)
        taken_up._watched(watching.CALLBACK, "LossMonitor", 1, 2)
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert taken_up.calls == []


def test_nobody_is_told_of_calls_when_a_profile_has_stopped(taken_up, monkeypatch):
    told = []
    monkeypatch.setattr(cache, "tell_calls", told.append)
    taken_up.start()
    taken_up.stop()
    assert told == [taken_up._called, None]


def test_the_stages_of_a_pipeline_hang_below_those_that_take_their_rows(taken_up):
    taken_up.start()
    profile = Profile()
    profile.works[()] = WorkTimes(["batch", "map"], [0.5, 0.25], 3, mode="4 threads")
    profile.works[0,] = WorkTimes(["shuffle"], [0.125], 6, mode="one thread")
    profile.works[1,] = WorkTimes(["read"], [0.75], 7, mode="2 processes")
    (found,) = taken_up.pipelines()
    assert [(s.name, s.parent, s.rows, s.workers) for s in found.stages] == [
        ("map", -1, 3, 4), ("batch", 0, 3, 4), ("shuffle", 1, 6, 1), ("read", 1, 7, 2)]
