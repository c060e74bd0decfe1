"""What torch runs below operators, memory and who asked for it, and the process."""
import csv
import itertools
import json
import time

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.profiler import (
    HostSystem,
    ProfilerLevel,
    _ExperimentalConfig,
    profile,
    tensorboard_trace_handler,
)
from mindspore.profiler.kernels import Kernels
from mindspore.profiler.memory import at_peak, blocks
from mindspore.profiler.recorded import Event, Memory, Recorded

X = Tensor(np.ones((256, 256), np.float32))
SIZE = 256 * 256 * 4


def measured(tmp_path, run, config=None, **options):
    given = {} if config is None else {"experimental_config": _ExperimentalConfig(**config)}
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path)), **given, **options) as one:
        run()
    out = one.folder / "ASCEND_PROFILER_OUTPUT"
    return one, out, json.loads((out / "trace_view.json").read_text())


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.parametrize("mode", ["graph", "pynative"])
def test_memory_is_told_with_the_line_that_asked(tmp_path, mode):
    def program(x):
        y = x @ x                                          # the product
        return ops.tanh(y).sum()
    run = ms.jit(program) if mode == "graph" else program
    run(X)
    _, out, trace = measured(tmp_path, lambda: run(X).asnumpy(), profile_memory=True)
    rows = [r for r in table(out / "operator_memory.csv") if float(r["Size(KB)"]) == SIZE / 1024]
    product = program.__code__.co_firstlineno + 1
    (first,) = [r for r in rows if r["Name"].endswith("Matmul")]
    assert (first["File"], int(first["Line"])) == (__file__, product)
    assert float(first["Release Time(us)"]) > float(first["Allocation Time(us)"])
    peak = table(out / "memory_peak.csv")
    assert sum(float(r["Share"]) for r in peak) == pytest.approx(1, abs=0.01)
    assert int(peak[0]["Line"]) in (product, product + 1)
    record = table(out / "memory_record.csv")
    assert max(float(r["Total Allocated(MB)"]) for r in record) >= SIZE / 2**20
    counts = [e for e in trace if e["ph"] == "C"]
    assert len(counts) == len(record)
    frame = (out.parent / "FRAMEWORK" / "cpu_ms_memory_record_0.txt").read_text().splitlines()
    assert frame[0] == "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total Active(Byte)"
    assert len(frame) == len(record) + 1


def test_blocks_and_the_peak_follow_from_allocations_and_releases():
    def change(time, size, total, pointer):
        return Memory(time, size, total, 0, "cpu", pointer)
    events = [Event("A", "", "", "f", 1, "g", 10, 10, (), 0, 0), Event("B", "", "", "f", 2, "g", 30, 10, (), 0, 0)]
    memory = [change(12, 100, 100, 1), change(25, 10, 110, 2), change(35, 50, 160, 3), change(36, -100, 60, 1),
              change(37, -7, 53, 9), change(38, 20, 73, 1)]
    found = Recorded(0, events, memory=memory)
    made = blocks(found)
    assert [(b.begun.size, b.ended and b.ended.time, b.event and b.event.name) for b in made] == [
        (100, 36, "A"), (10, None, None), (50, None, "B"), (20, None, "B")]
    assert [row[2:5] for row in at_peak(found)[1:]] == [
        ["Default/A", "", 1], ["Default/B", "", 1], ["between operators", "", 1]]


def test_functions_of_torch_are_in_the_trace_from_level_one_on(tmp_path):
    _, _, trace = measured(tmp_path / "0", lambda: X @ X)
    assert not [e for e in trace if e.get("cat") == "Torch"]

    _, out, trace = measured(tmp_path / "1", lambda: X @ X, {"profiler_level": ProfilerLevel.Level2})
    (own,) = [e for e in trace if e["name"] == "Default/BatchedMatmul"]
    products = [e for e in trace if e["name"] == "aten::mm"]
    assert products[0]["args"]["shapes"][:2] == [[256, 256], [256, 256]]
    start, end = float(own["ts"]), float(own["ts"]) + float(own["dur"])
    assert start - 50 < float(products[0]["ts"]) < end                        # one clock, to 50 us
    assert "aten::mm" in {r["Name"] for r in table(out / "kernel_details.csv")}


@pytest.mark.skipif(torch.cuda.is_available(), reason="kernels of a device are told with the functions that run them")
@pytest.mark.parametrize("host", [False, True])
def test_functions_of_torch_are_taken_up_only_where_they_are_wanted(host):
    kernels = Kernels(host, True, False)
    kernels.start()
    found = torch.ones(SIZE)
    kernels.stop()
    assert [m.size for m in kernels.memory(0) if m.pointer == found.data_ptr()] == [4 * SIZE]
    assert {s.name for s in kernels.spans(0)} >= {"aten::ones"} if host else not kernels.spans(0)
    (result,) = kernels._results
    assert {e.name() for e in result.events()} == {"[memory]"} or host


def test_another_user_of_torchs_profiler_is_told(tmp_path, warned):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
        one, _, _ = measured(tmp_path, lambda: X @ X, {"profiler_level": ProfilerLevel.Level1})
    assert len(one.events) == 1
    assert any("torch measures already" in text for text in warned)


def test_the_process_is_watched(tmp_path):
    def run():
        end = time.perf_counter() + 0.5
        while time.perf_counter() < end:
            X @ X
    before = time.process_time()
    _, out, _ = measured(tmp_path, run, {"host_sys": [HostSystem.CPU, HostSystem.MEM]})
    spent = time.process_time() - before
    rows = table(out / "host_info.csv")
    times = [float(row["Timestamp(us)"]) / 1e6 for row in rows]
    lasted = [now - last for last, now in itertools.pairwise(times)]
    busy = sum(float(row["Busy cores"]) * seconds for row, seconds in zip(rows[1:], lasted, strict=True))
    assert 0 < busy <= spent + 0.01
    assert all(float(row["Memory(MB)"]) > 50 for row in rows)
