"""Whenever a writer is killed, the old content or the new one can be read, and the next writer leaves nothing else."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sys
import time
from pathlib import Path

import killed
import numpy as np
import pytest
from nightly import at_night
from written_files import WRITERS
from written_tables import WRITERS as TABLES

from mindspore import SummaryRecord, Tensor
from mindspore.formats import files
from mindspore.formats.events import read_events

RANDOM = 20 if "ANYSPORE_NIGHTLY" not in os.environ else 200
@pytest.fixture(params=WRITERS, ids=lambda kind: kind.__name__.lower())
def checked(request, tmp_path):
    """Kills the writer in a new folder by a given function: whether it was killed, and if the content is new."""
    before, count = tmp_path / "before", 0
    before.mkdir()
    request.param(before).old()
    names = _names(before)

    def trial(kill):
        nonlocal count
        count += 1
        folder = tmp_path / str(count)
        shutil.copytree(before, folder)
        case = request.param(folder)
        old = case.content() if names else ()
        was_killed = kill(case.new, folder)
        found = case.content()
        case.new()
        new = case.content()
        assert old != new
        assert found in (old, new)
        assert not names or _names(folder) == names
        assert not any("anyspore" in name for name in _names(folder))
        return was_killed, found == new

    return trial


def _names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_killed_before_each_of_its_calls(checked):
    number, seen = 0, set()
    was_killed = True
    while was_killed:
        was_killed, is_new = checked(lambda act, folder, n=number: killed.at_call(act, folder, n))
        seen.add(is_new)
        number += 1 + number // 6
    assert number >= 4
    assert seen == {False, True}


@pytest.mark.parametrize("checked", [at_night(kind) if kind in TABLES else kind for kind in WRITERS], indirect=True,
                         ids=lambda kind: kind.__name__.lower())
def test_killed_at_random_moments(checked):
    usual, draw, kills = [], random.Random(0), 0

    def whole(act, _):
        begin = time.monotonic()
        act()
        usual.append(time.monotonic() - begin)
        return False

    for _ in range(3):  # the first loads modules
        checked(whole)
    for _ in range(RANDOM):
        kills += checked(lambda act, _: killed.after(act, draw.uniform(0, 1.2 * min(usual))))[0]
    assert kills > RANDOM // 10


def test_a_killed_summary_leaves_the_steps_that_were_written(tmp_path):
    """The file of an earlier run stays as it is; of the killed run's a reader gets the steps from the first on."""
    def record(last=40):
        with SummaryRecord(str(tmp_path)) as one:
            for step in range(1, 41):
                one.add_value("scalar", "loss", Tensor(np.float32(step)))
                one.record(step)
                one.flush()
                if step == last < 40:
                    os.kill(os.getpid(), signal.SIGKILL)

    def steps_found():
        (other,) = set(tmp_path.glob("*_MS")) - {first} or (None,)
        if other is None:
            return 0
        steps = [event.step for event in read_events(other) if event.HasField("summary")]
        assert steps == list(range(1, len(steps) + 1))
        other.chmod(0o600)
        other.unlink()
        return len(steps)

    record()
    (first,) = tmp_path.glob("*_MS")
    before, draw = first.read_bytes(), random.Random(1)
    begin = time.monotonic()
    record()
    usual = time.monotonic() - begin
    assert steps_found() == 40
    for _ in range(RANDOM):
        killed.after(record, draw.uniform(0, 1.2 * usual))
        assert steps_found() <= 40
        assert first.read_bytes() == before
    for last in (1, 7, 39):  # what was flushed is in the file
        assert killed.at_call(lambda last=last: record(last), tmp_path, 10**6)  # it ends itself first
        assert steps_found() == last
        assert first.read_bytes() == before


# What is never written over another: a library of kernels has a name by its sources, weights beside a model have one of
# their own, and the file that asks for profiles is written only where there is none.
ONCE = {"ops/custom_native.py", "train/exporting/onnx_file.py", "train/exporting/mindir_weights.py",
        "profiler/dynamic.py"}


def test_every_module_that_writes_is_among_those_that_are_killed(monkeypatch, tmp_path):
    root, plain, seen = Path(files.__file__).parents[1], files._new_part, set()
    calling = {str(path.relative_to(root)) for path in root.rglob("*.py")
               if re.search(r"\bwith (files\.)?atomic\(", path.read_text())}

    def noted(*given):
        frame = sys._getframe(1)
        while frame.f_code.co_filename == files.__file__ or "contextlib" in frame.f_code.co_filename:
            frame = frame.f_back
        seen.add(str(Path(frame.f_code.co_filename).relative_to(root)))
        return plain(*given)
    monkeypatch.setattr(files, "_new_part", noted)
    for k, kind in enumerate(WRITERS):
        folder = tmp_path / str(k)
        folder.mkdir()
        case = kind(folder)
        case.old()
        case.new()
    assert calling - seen == ONCE
