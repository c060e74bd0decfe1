"""Disks that are full or stand still, and programs that close nothing: the training continues, files stay whole."""
from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from summaries import tags

from mindspore import SummaryRecord, Tensor
from mindspore.formats.events import read_events
from mindspore.train.summary import writer


class Disk:
    """`os` with a disk that is full, or stands still, at some calls."""

    def __init__(self, full=lambda call: False, held=None):
        self.full, self.held, self.calls = full, held, 0

    def __getattr__(self, name):
        return getattr(os, name)

    def write(self, number, data):
        self.calls += 1
        if self.held is not None:
            self.held.wait()
        if self.full(self.calls):
            os.write(number, data[:5])               # a part still fits
            raise OSError(errno.ENOSPC, "No space left on device")
        return os.write(number, data)


def test_a_full_disk_costs_values_and_says_so_once(tmp_path, monkeypatch, said):
    monkeypatch.setattr(writer, "os", Disk(full=lambda call: call in (3, 4)))
    with SummaryRecord(str(tmp_path)) as record:
        for step in range(1, 6):
            record.add_value("scalar", "x", Tensor(float(step)))
            assert record.record(step)
            record.flush()
    assert [step for step, _ in tags(record)] == [1, 4, 5]
    assert sum("No space left" in text and "the training continues" in text for text in said) == 1
    assert any("values of 2 steps are lost" in text for text in said)


def test_a_full_disk_is_an_error_where_that_was_asked_for(tmp_path, monkeypatch, said):
    monkeypatch.setattr(writer, "os", Disk(full=lambda call: call == 1))
    record = SummaryRecord(str(tmp_path), raise_exception=True)
    record.add_value("scalar", "x", Tensor(1.0))
    record.record(1)
    with pytest.raises(OSError, match="No space left"):
        record.flush()
    record.close()
    assert said


def test_a_disk_that_stands_still_stops_no_training(tmp_path, monkeypatch, said):
    held = threading.Event()
    monkeypatch.setattr(writer, "os", Disk(held=held))
    monkeypatch.setattr(writer, "MOST_WAITING", 50_000)
    monkeypatch.setattr(writer, "_STANDS_STILL", 0.2)
    with SummaryRecord(str(tmp_path)) as record:
        x = Tensor(np.zeros(2500, np.float32))
        begin = time.monotonic()
        taken = []
        for step in range(20):
            record.add_value("tensor", "x", x)
            taken.append(record.record(step))
        assert time.monotonic() - begin < 5
        assert taken == [True] * 5 + [False] * 15
        record.flush()
        assert any("has taken nothing for" in text for text in said)
        held.set()
    assert [step for step, _ in tags(record)] == list(range(5))


def test_a_program_that_closes_nothing_leaves_a_whole_file(tmp_path):
    program = f"""
import mindspore as ms
record = ms.SummaryRecord({str(tmp_path)!r})
for step in range(3):
    record.add_value("scalar", "x", ms.Tensor(1.0))
    record.record(step)
print(record.log_dir)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    found = list(read_events(done.stdout.strip()))
    assert [e.step for e in found[1:]] == [0, 1, 2]
