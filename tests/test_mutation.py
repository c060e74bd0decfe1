"""The table of faults fits the sources: each can be put in, gives Python again, and has tests to notice it."""
from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def runner():
    spec = importlib.util.spec_from_file_location("mutation_runner", ROOT / "benchmarks" / "mutation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_fault_can_be_put_in():
    sources, wrong = {}, []
    faults = runner().table()
    for fault in faults:
        if fault.file not in sources:
            sources[fault.file] = (ROOT / "src" / "mindspore" / fault.file).read_text()
        text = sources[fault.file]
        if text.count(fault.old) != 1:
            wrong.append(f"{fault.file}: {fault.old!r} is there {text.count(fault.old)} times")
            continue
        ast.parse(text.replace(fault.old, fault.new))
        assert fault.old != fault.new
        wrong += [f"{fault.file}: there is no tests/{name}" for name in fault.tests
                  if not (ROOT / "tests" / name).exists()]
    assert not wrong, "\n".join(wrong)
    assert len({f.key() for f in faults}) == len(faults) >= 300


def test_parts_stay_what_they_are_when_rows_are_added():
    faults = runner().table()
    parts = [{f.key() for f in faults if f.number() % 3 == k} for k in range(3)]
    assert sum(map(len, parts)) == len(faults)
    assert min(map(len, parts)) > len(faults) / 4
    assert runner().Fault("an area", "a.py", "x", "y", ()).number() == zlib.crc32(b"a.py: 'x' -> 'y'")


@pytest.mark.nightly
@pytest.mark.skipif("ANYSPORE_NIGHTLY" not in os.environ, reason="set ANYSPORE_NIGHTLY to the minutes it may take")
def test_nine_of_ten_faults_are_noticed(tmp_path):
    out = os.environ.get("ANYSPORE_MUTATION", str(tmp_path / "found.jsonl"))      # a later night goes on there
    command = ["benchmarks/mutation.py", "--wide", "--minutes", os.environ["ANYSPORE_NIGHTLY"], "--least", "0.9"]
    run = subprocess.run([sys.executable, *command, "--out", out], cwd=ROOT, capture_output=True, text=True,
                         check=False)
    print(run.stdout)
    assert run.returncode == 0, run.stdout + run.stderr
