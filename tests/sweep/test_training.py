"""Optimizers, metrics and schedules come to what the original came to, but for differences with a reason.

Observed: MindSpore 2.10 on the CPU; `recorded_training.jsonl` is made by `training.py` and `run_calls.py` (see there).
"""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import accepted
import compare
import training
from test_sweep import outcomes

HERE = Path(__file__).parent
TABLE = HERE / "accepted_training.csv"


@pytest.mark.slow
def test_optimizers_metrics_and_schedules_come_to_what_the_original_came_to(tmp_path):
    recorded, calls = compare.read(HERE / "recorded_training.jsonl"), list(training.kept())
    assert {call["id"] for call in calls} == recorded.keys()
    found = outcomes(tmp_path, "pynative", calls)
    assert len(found) == len(calls) > 200
    differ = list(compare.differences(recorded, found, accepted.Accepted(TABLE)))
    left = [(key, kind, compare.brief(recorded[key]), compare.brief(found[key]))
            for key, kind, why in differ if not why]
    assert not left
    assert {(row["call"], row["kind"]) for row in accepted.rows(TABLE)} == {(key, kind) for key, kind, _ in differ}


@pytest.mark.slow
def test_optimizers_come_to_the_same_in_graphs(tmp_path):
    calls = [call for call in training.kept() if call["how"] == "optimizer"][::3]
    recorded, found = compare.read(HERE / "recorded_training.jsonl"), outcomes(tmp_path, "graph", calls)
    assert len(found) == len(calls) > 30
    table = accepted.Accepted(TABLE)
    assert not [(key, kind) for key, kind, why in compare.differences(recorded, found, table) if not why]


def test_a_state_that_differs_is_seen():
    want = {"out": {"list": [{"dict": {"a": {"t": "float32", "s": [1], "v": [1.0]}}}]}}
    other = {"out": {"list": [{"dict": {"a": {"t": "float32", "s": [1], "v": [2.0]}}}]}}
    named = {"out": {"list": [{"dict": {"b": {"t": "float32", "s": [1], "v": [1.0]}}}]}}
    assert compare.judged(want, want) is None
    assert compare.judged(other, want) == "value"
    assert compare.judged(named, want) == "structure"
