"""Hundreds of calls come to what the original came to, in both modes, but for differences with a reason in a table.

Observed: MindSpore 2.10 on the CPU; `recorded.jsonl` is made by `own.py` and `run_calls.py` (see there).
"""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import accepted
import compare
import own

HERE = Path(__file__).parent


def outcomes(folder, mode, calls):
    """What comes of calls here, by id."""
    (folder / "calls").write_text("".join([json.dumps(call) + "\n" for call in calls]))
    subprocess.run([sys.executable, str(HERE / "run_calls.py"), "calls", "out", "--mode", mode, "--seconds", "120"],
                   cwd=folder, check=True, timeout=500)
    return compare.read(folder / "out")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_calls_come_to_what_the_original_came_to(tmp_path, mode):
    recorded, calls = compare.read(HERE / "recorded.jsonl"), list(own.calls())
    assert {call["id"] for call in calls} == recorded.keys()
    found = outcomes(tmp_path, mode, calls)
    assert len(found) == len(calls) > 400
    table = accepted.Accepted()
    differ = list(compare.differences(recorded, found, table))
    left = [(key, kind, compare.brief(recorded[key]), compare.brief(found[key]))
            for key, kind, reason in differ if not reason]
    assert not left
    assert not table.reasons.keys() - {(key, kind) for key, kind, _ in differ}, "rows of differences that are none"


@pytest.mark.slow
def test_both_modes_come_to_the_same(tmp_path):
    calls = list(own.calls())
    found = []
    for mode in ("pynative", "graph"):
        folder = tmp_path / mode
        folder.mkdir()
        found.append(outcomes(folder, mode, calls))
    left = [(key, kind, compare.brief(found[0][key]), compare.brief(found[1][key]))
            for key, kind, _ in compare.differences(*found)]
    assert not left


def test_a_difference_is_seen_unless_the_table_has_it_with_a_reason():
    equal, other = {"out": {"t": "int32", "s": [1], "v": [3]}}, {"out": {"t": "int32", "s": [1], "v": [4]}}
    table = accepted.Accepted()
    assert list(compare.differences({"ops.f/a": equal}, {"ops.f/a": other}, table)) == [("ops.f/a", "value", None)]
    assert not list(compare.differences({"ops.f/a": equal}, {"ops.f/a": equal}, table))
    known = table.rows[0]["call"]
    assert next(compare.differences({known: {"error": "ValueError"}}, {known: equal}, table))[1] == "taken"
    assert all(row["reason"] for row in table.rows)


def test_every_row_is_of_a_call_that_is_made():
    assert {row["call"] for row in accepted.Accepted().rows} <= compare.read(HERE / "recorded.jsonl").keys()
