"""Damaged files: their readers end by the documented error or the right content, in bounded time and memory."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run.py"
EACH = 4            # cases of every reader; with all readers more than 300
OF_MODELS = 500     # cases of every reader of what trainings leave
MODELS = {
    "checkpoints": ["checkpoint", "checkpoint_with_checksum", "checkpoint_encrypted", "safetensors",
                    "safetensors_with_checksum"],
    "graphs": ["mindir", "mindir_encrypted", "mindir_message", "mindir_of_early_releases", "mindir_in_several_files"],
    "summaries": ["event_file", "lineage_file", "positions_of_a_training"],
    "programs": ["strategy_file", "strategy_file_in_json", "groups_of_processes", "machine_code", "compiled_graph"],
}
NIGHTLY = int(os.environ.get("ANYSPORE_FILES", "10000"))


def tried(*arguments, seconds=None):
    """What the command says of cases that end as they should not, and how many it tried."""
    support = str(RUN.parents[2] / "support")
    paths = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), support]))
    done = subprocess.run([sys.executable, str(RUN), *arguments], capture_output=True, text=True, timeout=seconds,
                          check=False, env={**os.environ, "PYTHONPATH": paths})
    count = re.search(r"(\d+) cases", done.stderr)
    assert count, done.stderr
    return done.stdout, int(count[1])


def test_damaged_files_are_told_or_read_right():
    wrong, count = tried("--cases", str(EACH), seconds=300)
    assert wrong == ""
    assert count >= 300


@pytest.mark.parametrize("names", MODELS.values(), ids=MODELS)
def test_damaged_files_of_trainings_are_told_or_read_right(names):
    wrong, count = tried("--cases", str(OF_MODELS), "--seed", "5000", *names, seconds=600)
    assert wrong == ""
    assert count > 0.9 * OF_MODELS * len(names)         # the others are as they were before


def test_files_that_once_were_too_much_are_told():
    wrong, count = tried("--kept", seconds=300)
    assert wrong == ""
    assert count >= 10


@pytest.mark.nightly
@pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY to the minutes it may take")
def test_many_damaged_files_are_told_or_read_right():
    wrong, _ = tried("--cases", str(NIGHTLY), "--seed", os.environ.get("ANYSPORE_SEED", "1000000"))
    assert wrong == ""


BAD = """
import json, os, sys
for one in sys.argv[1:]:
    name, first, last = one.split(":")
    for number in range(int(first), int(last)):
        case = f"{name}:{number}"
        print(json.dumps({"case": case, "files": {"a": "00"}}), flush=True)
        if number == 1:
            os.abort()
        print(json.dumps({"case": case, "wrong": "other content" * (number == 2), "outcome": ""}), flush=True)
"""


def test_what_ends_a_process_is_one_case_and_the_others_follow(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("files_run", RUN)
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    monkeypatch.setattr(run, "CHILD", [sys.executable, "-c", BAD])
    found = run.wrong(["x:0:4", "y:0:1"])
    assert [(one["case"], one["wrong"][:13]) for one in found] == [("x:1", "The process e"), ("x:2", "other content")]
    assert "4 cases, 2 wrong" in capsys.readouterr().err
