"""What a training prints is what the original prints: the same program runs under both, in both modes.

Times are masked. Losses and metrics are compared as numbers: their last digits depend on the order of additions. A
small loss is the square of a difference of about 0.05 between numbers of about 10, whose last digit is 1e-6: 1e-7.
Runs only where ANYSPORE_ORACLE names a Python that has MindSpore 2.10.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mindspore

ORACLE = os.environ.get("ANYSPORE_ORACLE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
PROGRAM = Path(__file__).with_name("training_text.py")
SOURCES = str(Path(mindspore.__file__).parents[1])
TIME, NUMBER = re.compile(r"\d+\.\d{3} ms"), re.compile(r"-?\d+\.\d+(?:e-?\d+)?|\bnan\b|\binf\b")


def printed(interpreter, mode, folder):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"GLOG_v": "3", "PYTHONHASHSEED": "0"}
    if interpreter == sys.executable:
        environment["PYTHONPATH"] = SOURCES
    folder.mkdir()
    run = subprocess.run([interpreter, str(PROGRAM), mode], capture_output=True, text=True, timeout=1800,
                         env=environment, cwd=folder)
    assert run.returncode == 0, run.stderr[-2000:]
    return TIME.sub("# ms", run.stdout).splitlines()


@pytest.mark.parametrize("mode", ["PYNATIVE_MODE", "GRAPH_MODE"])
def test_a_training_prints_what_the_original_prints(mode, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        theirs, ours = pool.map(lambda who: printed(who[0], mode, tmp_path / who[1]),
                                [(ORACLE, "original"), (sys.executable, "here")])
    assert len(theirs) > 150
    assert [NUMBER.sub("#", line) for line in ours] == [NUMBER.sub("#", line) for line in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert [float(n) for n in NUMBER.findall(mine)] == pytest.approx(
            [float(n) for n in NUMBER.findall(other)], rel=2e-6, abs=1e-7, nan_ok=True), (mine, other)
