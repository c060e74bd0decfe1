"""Options of checkpoints do what they do in the original, or raise the same class: one program runs under both.

Runs only where ANYSPORE_ORACLE names a Python that has MindSpore 2.10.
"""
from __future__ import annotations

import os
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
PROGRAM = Path(__file__).with_name("checkpoint_text.py")
SOURCES = str(Path(mindspore.__file__).parents[1])


def printed(interpreter):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"GLOG_v": "4"}
    if interpreter == sys.executable:
        environment["PYTHONPATH"] = SOURCES
    run = subprocess.run([interpreter, str(PROGRAM)], capture_output=True, text=True, timeout=1800, env=environment)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


def test_options_of_checkpoints_do_what_they_do_in_the_original():
    with ThreadPoolExecutor(2) as pool:
        theirs, ours = pool.map(printed, [ORACLE, sys.executable])
    assert len(theirs) > 500
    assert ours == theirs
