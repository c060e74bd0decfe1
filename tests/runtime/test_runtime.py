"""Devices, their memory, streams and events, and settings of how work is run; on a CPU."""
from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

import mindspore
from mindspore import Tensor, hal, runtime
from mindspore.core import context
from mindspore.device_context.cpu import device as cpu_device
from mindspore.device_context.cpu.op_tuning import threads_num
from mindspore.device_context.gpu import op_precision, op_tuning
from mindspore.runtime import memory


def test_the_cpu_is_one_device_without_properties():
    assert hal.is_available("CPU")
    assert hal.is_initialized("CPU")
    assert (hal.device_count(), cpu_device.device_count(), hal.get_device_name(0)) == (1, 1, "CPU")
    assert hal.get_device_properties(0) is hal.get_device_capability(0) is hal.get_arch_list() is None
    with pytest.raises(ValueError, match="must be one of"):
        hal.is_available("TPU")


def test_a_device_that_is_not_there_is_an_error():
    if not hal.is_available("Ascend"):
        with pytest.raises(ValueError, match="no Ascend can be reached"):
            hal.device_count("Ascend")


def test_the_counters_of_a_cpu_are_zero_and_stand_in_a_table():
    stats = runtime.memory_stats()
    assert stats["total_allocated_memory"] == runtime.memory_allocated() == hal.max_memory_reserved("CPU") == 0
    assert "| Max allocated memory |      0 B             |" in runtime.memory_summary().splitlines()
    assert memory._size(3 * 2**20) == "3.00 MB"
    runtime.empty_cache()
    runtime.reset_peak_memory_stats()


def test_what_is_asked_of_a_stream_of_the_cpu_is_done_when_the_call_returns():
    stream, before = runtime.Stream(), runtime.current_stream()
    with runtime.StreamCtx(stream):
        assert runtime.current_stream() is stream
        y = Tensor([1.0]) + 1
    stream.wait_stream(before)
    stream.synchronize()
    runtime.synchronize()
    assert stream.query()
    assert y.tolist() == [2.0]
    assert runtime.current_stream() == before == runtime.default_stream() != stream
    assert str(before) == "Stream(device_name=CPU, device_id:0, stream id:0)"


def test_events_measure_the_time_between_them():
    start, end = runtime.Event(enable_timing=True), runtime.Event(enable_timing=True)
    start.record()
    runtime.current_stream().record_event(end)
    end.synchronize()
    assert end.query()
    assert 0 <= start.elapsed_time(end) < 1000
    with pytest.raises(RuntimeError, match="enable_timing"):
        start.elapsed_time(runtime.Event())
    with pytest.raises(TypeError, match="'stream' must be of type 'Stream'"):
        runtime.current_stream().wait_stream(3)


def test_sizes_of_memory_are_checked_and_set_once(monkeypatch):
    monkeypatch.setattr(memory, "_set", [])
    with pytest.raises(TypeError, match="'init_size' must be a str"):
        runtime.set_memory(init_size=3)
    with pytest.raises(ValueError, match="such as '2GB'"):
        runtime.set_memory(max_size="2")
    mindspore.set_memory(max_size="4GB")
    with pytest.raises(RuntimeError, match="repeatedly"):
        runtime.set_memory()


def test_threads_and_precision_are_keys_of_the_context():
    before = context.get_context("runtime_num_threads"), context.get_context("conv_allow_tf32")
    try:
        threads_num(1)
        op_precision.conv_allow_tf32(False)
        assert context.get_context("runtime_num_threads") == 1
        assert context.get_context("conv_allow_tf32") is False
        op_tuning.conv_fprop_algo("normal")
        with pytest.raises(ValueError, match="conv_dgrad_algo"):
            op_tuning.conv_dgrad_algo("fast")
    finally:
        context.set_context(runtime_num_threads=before[0], conv_allow_tf32=before[1])


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system cannot keep threads to processors")
def test_the_process_is_kept_to_the_processors_that_are_named():
    before = os.sched_getaffinity(0)
    try:
        runtime.set_cpu_affinity(True, ["0"])
        assert os.sched_getaffinity(0) == {0}
        with pytest.raises(ValueError, match="ranges of processors"):
            runtime.set_cpu_affinity(True, ["x"])
    finally:
        os.sched_setaffinity(0, before)


def test_what_only_an_npu_has_says_what_to_use_instead():
    with pytest.raises(NotImplementedError, match=r"'set_stream_limit' is not here: .*set_cpu_affinity"):
        mindspore.runtime.set_stream_limit(runtime.current_stream(), 4)
    with pytest.raises(NotImplementedError, match="NPU"):
        mindspore.utils.TFTCommValue.anything  # noqa: B018  # looking it up is the test


@pytest.mark.parametrize(("count", "text"), [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.00 KB"), (1536, "1.50 KB"), (2**20 - 512, "1023.50 KB"), (2**20, "1.00 MB"),
    (2**30 - 2**19, "1023.50 MB"), (2**30, "1.00 GB"), (2**40, "1.00 TB"), (3 * 2**50, "3072.00 TB")])
def test_bytes_have_the_unit_that_they_reach(count, text):
    assert memory._size(count) == text


@pytest.mark.parametrize("size", ["-1GB", "GB", "xGB", "2", "2 MB", ""])
def test_what_is_no_size_is_refused(size, monkeypatch):
    monkeypatch.setattr(memory, "_set", [])
    with pytest.raises(ValueError, match="the 'increase_size' must be a size such as '2GB'"):
        runtime.set_memory(increase_size=size)
    assert memory._set == []


def test_memory_that_is_held_and_not_taken_is_idle(monkeypatch):
    held = {"reserved_bytes.all.current": 700, "allocated_bytes.all.current": 300, "segment.all.current": 2,
            "reserved_bytes.all.peak": 900, "allocated_bytes.all.peak": 800}
    monkeypatch.setattr(memory, "target_of", lambda owner, target: "GPU")
    monkeypatch.setattr(memory, "module_of", lambda target: SimpleNamespace(memory_stats=lambda: held))
    found = runtime.memory_stats()
    assert (found["total_reserved_memory"], found["total_allocated_memory"], found["total_idle_memory"]) == (
        700, 300, 400)
    assert (found["max_reserved_memory"], found["max_allocated_memory"]) == (900, 800)
    assert found["common_mem_pool_stats"]["block_counts"] == 2
