"""Profiles of small trainings, in both modes: every operator, its line, its time; nothing is left behind."""
import csv
import json
import time
from decimal import Decimal

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, dataset, nn, ops
from mindspore.profiler import (
    HostSystem,
    ProfilerLevel,
    _ExperimentalConfig,
    mstx,
    profile,
    tensorboard_trace_handler,
)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv2d(1, 16, 5), nn.Dense(16 * 28 * 28, 10)

    def construct(self, x):
        y = ops.relu(self.conv(x))
        return self.out(y.reshape((x.shape[0], -1)))             # the dense line


def trained(mode):
    net = Net()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.SGD(net.trainable_params(), 0.01))
    x, y = Tensor(np.ones((32, 1, 28, 28), np.float32)), Tensor(np.zeros(32, np.int32))
    step(x, y)
    return lambda: step(x, y).asnumpy()


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


def profiled(tmp_path, run, steps=3):
    profiler = ms.Profiler(output_path=str(tmp_path))
    start = time.perf_counter_ns()
    for _ in range(steps):
        run()
        profiler.step()
    taken = time.perf_counter_ns() - start
    profiler.analyse()
    (folder,) = tmp_path.iterdir()
    return profiler, folder, taken


def test_times_are_part_of_the_steps_and_lines_are_the_users(mode, tmp_path):
    profiler, folder, taken = profiled(tmp_path, trained(mode))
    spent = sum(e.duration for e in profiler.events)
    between = sum(e.lead for e in profiler.events)
    assert 0 < spent < spent + between <= taken                  # another program may have had the machine meanwhile
    assert {e.step for e in profiler.events} == {0, 1, 2}
    rows = list(csv.DictReader((folder / "FRAMEWORK" / "op_line_info_0.csv").read_text().splitlines()))
    assert any(row["code"].endswith("# the dense line") and row["file"] == __file__ for row in rows)
    assert sum(float(row["percent"]) for row in rows) == pytest.approx(1, abs=1e-4)
    assert [float(r["total_time(ms)"]) for r in rows] == sorted([float(r["total_time(ms)"]) for r in rows])[::-1]


FIELDS = {"M": {"args": dict}, "X": {"ts": str, "dur": str, "args": dict, "cat": str}, "i": {"ts": str, "s": str},
          "C": {"ts": str, "args": dict}}                      # of the Trace Event Format, times as texts of numbers


def checked(trace):
    """The events of a trace, each of which has the fields of its kind; spans of a thread lie in one another."""
    def ns(e, key):
        return int(Decimal(e.get(key, 0)) * 1000)               # a float has a quarter of a microsecond left here
    open_until = {}
    for e in sorted(trace, key=lambda e: (ns(e, "ts"), -ns(e, "dur"))):
        assert type(e["name"]) is str
        assert type(e["pid"]) is type(e["tid"]) is int
        for name, kind in FIELDS[e["ph"]].items():
            assert type(e[name]) is kind, (e, name)
        if e["ph"] == "C":
            assert all(type(v) in (int, float) for v in e["args"].values())
        if e["ph"] == "X":
            start, end = ns(e, "ts"), ns(e, "ts") + ns(e, "dur")
            assert start > 1e18                                                # since 1970
            assert end >= start
            stack = open_until.setdefault((e["pid"], e["tid"]), [])
            while stack and stack[-1] <= start:
                stack.pop()
            assert not stack or end <= stack[-1] + 1, e
            stack.append(end)
    named = {e["pid"] for e in trace if e["name"] == "process_name"}
    assert named == {e["pid"] for e in trace}
    return trace


def test_the_trace_follows_the_schema_of_chrome(mode, tmp_path):
    config = _ExperimentalConfig(profiler_level=ProfilerLevel.Level1, mstx=True, host_sys=[HostSystem.CPU])
    run, ready = trained(mode), tensorboard_trace_handler(str(tmp_path))
    with profile(on_trace_ready=ready, profile_memory=True, data_process=True, record_shapes=True, with_stack=True,
                 experimental_config=config) as one:
        mstx.mark("here")
        ms.jit(lambda x: x * 2)(Tensor([1.0]))
        for _ in dataset.NumpySlicesDataset({"x": np.ones(4)}).batch(1).create_dict_iterator(num_epochs=1):
            run()
            one.step()
    trace = checked(json.loads((one.folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_text()))
    assert {e["ph"] for e in trace} == {"M", "X", "i", "C"}
    assert {e["args"]["name"] for e in trace if e["name"] == "process_name"} >= {
        "Steps", "CPU OP", "Compiling", "Marks", "Data pipelines", "Torch", "Memory and cores"}
    assert len([e for e in trace if e["ph"] == "X" and e["pid"] == 2]) == len(one.events) > 40


def test_results_are_the_same_and_nothing_is_measured_afterwards(mode, tmp_path):
    net, x = Net(), Tensor(np.ones((2, 1, 28, 28), np.float32))
    plain = net(x).asnumpy()
    with ms.Profiler(output_path=str(tmp_path)) as profiler:
        assert (net(x).asnumpy() == plain).all()
    count = len(profiler.events)
    assert count
    assert (net(x).asnumpy() == plain).all()
    assert len(profiler.events) == count


def test_operations_are_counted_by_the_cost_rule(mode, tmp_path):
    run = ms.jit(ops.matmul) if mode == ms.GRAPH_MODE else ops.matmul
    with ms.Profiler(output_path=str(tmp_path)) as profiler:
        run(Tensor(np.ones((8, 16), np.float32)), Tensor(np.ones((16, 4), np.float32)))
    assert sum(e.flops for e in profiler.events) == 2 * 8 * 16 * 4


def test_two_profilers_at_once_are_refused(tmp_path):
    first = ms.Profiler(output_path=str(tmp_path))
    try:
        with pytest.raises(RuntimeError, match="watched already"):
            ms.Profiler(output_path=str(tmp_path))
    finally:
        first.stop()
    assert len(list(tmp_path.iterdir())) == 1
