"""The sweep of calls beside the original: that what is recorded still comes of them, and a part of the large one.

Runs only where ANYSPORE_ORACLE names a Python that has the original; the large sweep also wants ANYSPORE_REFERENCE, the
folder with recorded cases that calls are made from, and takes one call in ANYSPORE_SWEEP (100).
"""
from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "sweep"))

import accepted
import compare
import own

SWEEP = Path(__file__).parents[1] / "sweep"
ORACLE = os.environ.get("ANYSPORE_ORACLE")
REFERENCE = os.environ.get("ANYSPORE_REFERENCE")
pytestmark = [
    pytest.mark.skipif(not ORACLE, reason="ANYSPORE_ORACLE names no interpreter"),
    pytest.mark.slow,
]
MOST = 0.005         # of all calls, those whose difference has no cause in `causes.csv`


def outcomes(folder, python, calls, mode="pynative"):
    """What comes of calls under an interpreter, by id."""
    (folder / "calls").write_text("".join([json.dumps(call) + "\n" for call in calls]))
    (folder / "out").unlink(missing_ok=True)
    environment = dict(os.environ, GLOG_v="4", OMP_NUM_THREADS="1")
    if python == ORACLE:
        del environment["PYTHONPATH"]
    subprocess.run([python, str(SWEEP / "run_calls.py"), "calls", "out", "--mode", mode, "--seconds", "60"],
                   cwd=folder, check=True, env=environment, timeout=3000)
    return compare.read(folder / "out")


def test_the_recorded_outcomes_are_those_of_the_original(tmp_path):
    recorded = compare.read(SWEEP / "recorded.jsonl")
    found = outcomes(tmp_path, ORACLE, list(own.calls()))
    unread = {key for key, want in recorded.items() if "unreadable" in json.dumps(want)}
    assert {key for key, _, _ in compare.differences(recorded, found)} <= unread


@pytest.mark.nightly
@pytest.mark.skipif(not REFERENCE or not os.environ.get("ANYSPORE_NIGHTLY"),
                    reason="ANYSPORE_REFERENCE or ANYSPORE_NIGHTLY is not set")
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_few_differences_of_the_large_sweep_have_no_cause(tmp_path, mode):
    import generate

    every = int(os.environ.get("ANYSPORE_SWEEP", "100"))
    calls = list(itertools.islice(generate.calls(Path(REFERENCE) / "golden" / "public"), 0, None, every))
    theirs, ours = [outcomes(tmp_path, python, calls, mode) for python in (ORACLE, sys.executable)]
    table = accepted.Causes()
    left = [(key, kind) for key, kind, reason in compare.differences(theirs, ours, table) if not reason]
    assert len(left) <= MOST * len(calls), left
