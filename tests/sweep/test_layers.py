"""Hundreds of calls of cells come to what the original came to, gradients included, but for differences with a reason.

Observed: MindSpore 2.10 on the CPU; `recorded_layers.jsonl` is made by `layers.py` and `run_calls.py` (see there).
"""
from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import accepted
import compare
import layers
from test_sweep import outcomes

HERE = Path(__file__).parent
NIGHTLY = pytest.mark.skipif(not os.environ.get("ANYSPORE_NIGHTLY"), reason="set ANYSPORE_NIGHTLY")
TABLE = HERE / "accepted_layers.csv"


def left_over(folder, mode, calls):
    """What comes of calls in a mode: the differences without a reason, and those with one."""
    recorded = compare.read(HERE / "recorded_layers.jsonl")
    found = outcomes(folder, mode, calls)
    assert len(found) == len(calls)
    differ = list(compare.differences(recorded, found, accepted.Accepted(TABLE)))
    return [(key, kind, compare.brief(recorded[key]), compare.brief(found[key]))
            for key, kind, reason in differ if not reason], {(key, kind) for key, kind, reason in differ if reason}


@pytest.mark.slow
def test_calls_of_cells_come_to_what_the_original_came_to(tmp_path):
    calls = list(layers.kept())
    assert {call["id"] for call in calls} == compare.read(HERE / "recorded_layers.jsonl").keys()
    assert len(calls) > 600
    left, known = left_over(tmp_path, "pynative", calls)
    assert not left
    rows = {(row["call"], row["kind"]) for row in accepted.rows(TABLE)}
    assert rows == known, "rows of differences that are none"


@pytest.mark.slow
@pytest.mark.nightly
@NIGHTLY
def test_calls_of_cells_come_to_the_same_in_graphs(tmp_path):
    assert not left_over(tmp_path, "graph", list(layers.kept()))[0]


@pytest.mark.slow
def test_some_calls_of_cells_come_to_the_same_in_graphs(tmp_path):
    rows = [call for call in layers.kept() if call["id"].endswith("/1/")]
    assert not left_over(tmp_path, "graph", rows[::8])[0]


def test_a_gradient_that_differs_is_seen():
    equal = {"out": {"t": "float32", "s": [], "v": [1.0]}, "grads": {"t": "float32", "s": [1], "v": [2.0]}}
    other = {**equal, "grads": {"t": "float32", "s": [1], "v": [2.1]}}
    failed = {**equal, "grads": {"error": "ValueError", "classes": ["ValueError"], "says": ""}}
    assert compare.judged(equal, equal) is None
    assert compare.judged(other, equal) == "grad value"
    assert compare.judged(failed, equal) == "grad refused"
    assert compare.judged(equal, failed) == "grad taken"
    assert compare.judged({**equal, "grads": None}, equal) == "grad structure"


def test_every_reason_is_given():
    assert all(row["reason"] for row in accepted.rows(TABLE))
