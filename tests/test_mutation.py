"""The table of faults fits the sources: each can be put in, gives Python again, and has tests to notice it."""
from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

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
