"""The roofline: floating-point operations and bytes against what the machine does at its best."""
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.profiler import profile, roofline, tensorboard_trace_handler
from mindspore.profiler.recorded import Event, Peak, Recorded

A, B = Tensor(np.ones((256, 512), np.float32)), Tensor(np.ones((512, 128), np.float32))


@pytest.mark.parametrize("mode", ["graph", "pynative"])
def test_operations_and_bytes_of_a_product_are_those_of_the_textbook(tmp_path, mode):
    run = ms.jit(ops.matmul) if mode == "graph" else ops.matmul
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        run(A, B)
    (event,) = one.events
    assert event.flops == 2 * 256 * 512 * 128
    assert event.moved == 4 * (256 * 512 + 512 * 128 + 256 * 128)
    assert (one.folder / "ASCEND_PROFILER_OUTPUT" / "op_roofline.csv").read_text().count("\n") == 2


def test_operations_of_a_convolution_agree_with_torchs_count(tmp_path):
    net = nn.Conv2d(3, 8, 3, pad_mode="valid")
    x = Tensor(np.ones((2, 3, 17, 17), np.float32))
    with profile(on_trace_ready=tensorboard_trace_handler(str(tmp_path))) as one:
        net(x)
    with FlopCounterMode(display=False) as counter:
        torch.nn.functional.conv2d(torch.ones(2, 3, 17, 17), torch.ones(8, 3, 3, 3))
    assert sum(e.flops for e in one.events) == counter.get_total_flops()


def event(name, duration, flops, moved):
    return Event(name, "", "forward", "", 0, "", 0, duration, ((2, 3),), flops, 0, moved=moved)


def test_the_bound_and_the_fraction_follow_from_the_peak():
    peak = Peak(flops=100e9, bandwidth=10e9)
    events = [event("product", 1000, 50_000, 100), event("sum", 1000, 10, 1000), event("unknown", 1000, 0, 0)]
    head, *found = roofline.table(Recorded(0, events, peak=peak))
    rows = {row[0]: dict(zip(head, row, strict=True)) for row in found}
    assert (rows["product"]["bound"], float(rows["product"]["fraction_of_peak"])) == ("compute", 0.5)
    assert (rows["sum"]["bound"], float(rows["sum"]["fraction_of_peak"])) == ("memory", 0.1)
    assert (rows["unknown"]["bound"], rows["unknown"]["fraction_of_peak"]) == ("", "")
    assert float(rows["product"]["gflop_per_s"]) == 50
    assert float(rows["sum"]["gb_per_s"]) == 1


def test_the_peak_follows_from_the_best_times_and_is_measured_once(monkeypatch):
    times = iter([0.002, 0.004])
    monkeypatch.setattr(roofline, "_peaks", {})
    monkeypatch.setattr(roofline, "_best", lambda run, device: (run(), next(times))[1])
    found = roofline.peak()
    if not torch.cuda.is_available():
        assert found.flops == pytest.approx(2 * 512**3 / 0.002)
        assert found.bandwidth == pytest.approx(2 * 4 * 2**24 / 0.004)
    assert roofline.peak() is found


def test_the_best_of_several_times_counts(monkeypatch):
    now = iter(itertools.accumulate([0.0, *[0.5, 1.0] * (roofline._ROUNDS - 1), 0.25]))     # runs, and between them
    monkeypatch.setattr(roofline, "time", SimpleNamespace(perf_counter=lambda: next(now)))
    assert roofline._best(lambda: None, "cpu") == 0.25
