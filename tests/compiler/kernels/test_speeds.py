"""What is measured of the processor does not tell of other programs, but of what this process may use."""
import os

import pytest

from mindspore.compiler.kernels import available, speeds


def test_a_clock_that_others_did_not_disturb_decides(monkeypatch):
    monkeypatch.setattr(speeds, "processors", lambda: 4.0)
    assert speeds.gained(2, 0.5, 0.95) == 1.9           # two threads took turns, each as fast as one alone
    assert speeds.gained(2, 0.6, 0.6) == 1.2            # two threads of one core
    assert speeds.gained(2, 0.3, 0.4) == 1.0
    assert speeds.gained(2, 1.1, 0.9) == 2.0


@pytest.mark.parametrize(("usable", "gain"), [(1.0, 1.0), (1.5, 1.5), (2.0, 2.0), (8.0, 4.0)])
def test_threads_gain_no_more_than_there_are_processors(monkeypatch, usable, gain):
    monkeypatch.setattr(speeds, "processors", lambda: usable)
    assert speeds.gained(4, 0.2, 1.0) == gain


def test_limits_of_a_container_count(monkeypatch, tmp_path):
    def at(root, name):
        assert root == "/sys/fs/cgroup"
        return tmp_path / name
    monkeypatch.setattr(speeds, "Path", at)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2, 3}, raising=False)
    assert speeds.processors() == 4
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert speeds.processors() == 4
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert speeds.processors() == 1.5
    (tmp_path / "cpu.max").unlink()
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert speeds.processors() == 4
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("200000\n")
    assert speeds.processors() == 2


@pytest.mark.skipif(not available(), reason="llvmlite is not installed")
def test_what_is_measured_is_possible():
    found = speeds.measured.__wrapped__(2)
    assert found.flops > 0
    assert 1.0 <= found.gain <= min(2.0, max(1.0, speeds.processors()))
    assert found.region >= 0 <= found.meeting
    assert speeds.measured.__wrapped__(1)[1:] == (1.0, 0.0, 0.0)
