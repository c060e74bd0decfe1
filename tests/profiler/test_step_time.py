"""Every moment of a step belongs to one row, and the rows are what was measured."""
import csv
import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, dataset, nn, ops, train
from mindspore.compiler.cache import Cache
from mindspore.profiler import profile, schedule, step_time, tensorboard_trace_handler
from mindspore.profiler.recorded import Event, Recorded, Span, Step
from mindspore.train import watching


def operator(start, duration, phase="forward", within=0, thread=0, step=0):
    return Event("Add", "", phase, "", 0, "", start, duration, (), 0, step, thread, within=within)


STEP = Step(0, 0, 100)


def spent(events, spans=(), steps=(STEP,)):
    return dict(step_time.spent(Recorded(0, list(events), list(steps), list(spans))))


def test_python_belongs_to_the_operator_that_follows():
    assert spent([operator(10, 20), operator(40, 30, "reverse"), operator(75, 5, "optimizer")]) == {
        ("Python", "before operators, forward"): 10, ("operators", "forward"): 20,
        ("Python", "before operators, reverse"): 10, ("operators", "reverse"): 30,
        ("Python", "before operators, optimizer"): 5, ("operators", "optimizer"): 5,
        ("Python", "after the last operator"): 20,
    }


def test_a_moment_belongs_to_the_innermost():
    spans = [Span("Callback", "Own", 50, 50), Span("Call", "net", 60, 30), Span("Compile", "walk", 62, 8),
             Span("Rows", "next", 0, 20), Span("Data", "rows", 5, 10), Span("mstx", "mark", 0, 100),
             Span("Torch", "add", 0, 100)]
    assert spent([operator(72, 4)], spans) == {
        ("taking rows", "next"): 10, ("waiting for data", "rows"): 10, ("Python", "before operators, forward"): 30,
        ("callback", "Own"): 20, ("calling a program", "net"): 18, ("compiling", "walk"): 8,
        ("operators", "forward"): 4,
    }


def test_an_operator_comes_before_what_began_within_it_elsewhere():
    assert spent([operator(0, 100)], [Span("Compile", "beside", 40, 50)]) == {("operators", "forward"): 100}


def test_operators_within_operators_count_once_and_those_of_other_threads_not():
    events = [operator(10, 20), operator(0, 30, within=20), operator(0, 100, thread=1)]
    assert spent(events) == {("operators", "forward"): 50, ("Python", "after the last operator"): 50}


def test_what_reaches_over_the_end_of_a_step_is_shared():
    spans = [Span("Callback", "Own", 90, 20), Span("Compile", "early", -10, 15)]
    found = spent([operator(20, 10)], spans, [STEP, Step(1, 100, 50)])
    assert found == {("compiling", "early"): 5, ("Python", "before operators, forward"): 15,
                     ("operators", "forward"): 10, ("Python", "after the last operator"): 100,
                     ("callback", "Own"): 20}


class Sleeps(train.Callback):
    def on_train_step_end(self, run_context):
        time.sleep(0.02)


@pytest.mark.usefixtures("both_modes")
def test_the_rows_of_a_training_add_up_to_its_steps(tmp_path):
    class Steps(train.Callback):
        def on_train_step_end(self, run_context):
            one.step()
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))
    model = train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    rows = dataset.NumpySlicesDataset({"x": np.ones((32, 3), np.float32), "y": np.ones((32, 2), np.float32)}).batch(4)
    with profile(schedule=schedule(wait=1, warmup=1, active=4, repeat=1),
                 on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        model.train(1, rows, callbacks=[Sleeps(), Steps()])
    out = one.folder / "ASCEND_PROFILER_OUTPUT"
    found = list(csv.DictReader((out / "step_time.csv").read_text().splitlines()))
    times = {(row["where"], row["what"]): float(row["total_time(ms)"]) for row in found}
    steps = sum(float(row["Total"]) for row in csv.DictReader((out / "step_trace_time.csv").read_text().splitlines()))
    assert sum(times.values()) == pytest.approx(steps / 1e3, rel=1e-3)
    assert sum(float(row["percent"]) for row in found) == pytest.approx(100, abs=0.1)
    assert 80 <= times["callback", "Sleeps"] <= steps / 1e3
    assert times["taking rows", "next"] > 0
    assert {"forward", "reverse"} <= {what for where, what in times if where == "operators"}
    compiled = "TrainOneStepCell" if ms.get_context("mode") == ms.GRAPH_MODE else "Momentum"
    assert times["calling a program", compiled] > 0
    assert "callback Sleeps" in (out / "summary.txt").read_text().splitlines()[1]


def test_nothing_is_left_of_a_measurement(tmp_path):
    plain = Cache.run
    function = ms.jit(lambda x: ops.relu(x) + 1)
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        function(Tensor([1.0]))
        assert Cache.run is not plain
        assert len(watching.observers) == 1
    assert Cache.run is plain
    assert watching.observers == []
    function(Tensor([1.0]))
    assert [s.lane for s in one.recorded.spans if s.lane == "Call"] == ["Call"]


def test_an_error_in_a_callback_is_told_and_its_time_kept(tmp_path):
    def broken():
        raise KeyError("broken")
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one, pytest.raises(KeyError):
        watching.told(watching.CALLBACK, "Own", broken)
    assert [(s.lane, s.name) for s in one.recorded.spans] == [("Callback", "Own")]


def test_the_taking_of_rows_is_seen_in_a_sink(tmp_path):
    net = nn.Dense(3, 2)
    rows = dataset.NumpySlicesDataset({"x": np.ones((32, 3), np.float32), "y": np.ones((32, 2), np.float32)}).batch(4)
    model = train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        model.train(1, rows, callbacks=Sleeps(), dataset_sink_mode=True)
    found = step_time.spent(one.recorded)
    assert found["taking rows", "next"] > 0
    assert found["callback", "Sleeps"] >= 20e6
    assert sum(found.values()) == sum(s.duration for s in one.recorded.steps)
