"""Faults that are drawn: where they are, and that functions of a loaded module get them."""
from __future__ import annotations

import ast
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
TEXT = '''"""A module."""
LIMIT = 3


def least(values, low=0):
    """The least of some values above a limit."""
    found = [v for v in values if v > low and v != LIMIT]
    if not found:
        raise ValueError(f"none of {len(values) + 1}")
    elif len(found) == 1:
        return found[0]
    return min(found, default=None)


class Box:
    def __init__(self, size):
        self.size = size * 2
        self.check()

    def check(self):
        assert self.size >= 0
'''


@pytest.fixture
def load(monkeypatch):
    """A command of the folder, as a module."""
    monkeypatch.syspath_prepend(str(FOLDER))

    def loaded(name):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    for name in ("mutation", "drawing"):
        loaded(name)
    return loaded


def test_faults_are_in_functions_and_not_in_what_errors_say(load):
    found = load("drawing").Places("a.py", TEXT).found
    pairs = {(fault.line, fault.old.strip(), fault.new) for fault in found}
    assert {(7, ">", ">="), (7, "!=", "=="), (7, "and", "or"), (8, "not found", "not (not found)"),
            (10, "==", "!="), (11, "0", "1"), (12, ", default=None", ""), (17, "*", "/"), (18, "self.check()", "pass"),
            (17, "self.size = size * 2", "pass")} <= pairs
    assert not {line for line, _, _ in pairs} & {1, 2, 6, 9, 21}
    for fault in found:
        ast.parse(TEXT[: fault.start] + fault.new + TEXT[fault.end :])
        assert TEXT[fault.start : fault.end] == fault.old
    assert {f.probe for f in found if f.line in (10, 11)} == {8, 11}     # none before an elif


def test_equal_seeds_draw_equal_faults(load):
    drawing = load("drawing")
    one, two, other = (drawing.drawn(seed, 8, "core/") for seed in (1, 1, 2))
    assert one == two != other
    assert max([sum([f.file == g.file for g in one]) for f in one]) <= 2


def test_functions_of_a_loaded_module_get_the_code_of_another_text(load, tmp_path):
    commands = load("drawn_faults")
    path = tmp_path / "loaded_before.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("loaded_before", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    least, box = module.least, module.Box
    assert least([5, 0, 4]) == 4
    commands.exchange(str(path), TEXT.replace("v > low and", "v >= low and").replace("size * 2", "size / 2"))
    assert least([5, 0, 4]) == 0
    assert box(3).size == 1.5


def test_what_ends_or_takes_too_long_in_a_copy_of_the_process_gives_nothing(load):
    in_copy = load("drawn_faults").in_copy
    assert in_copy(lambda: [1, {"a": 2}], 60) == [1, {"a": 2}]
    assert in_copy(lambda: sys.stdin.fileno() / 0, 60) is None

    def waits():
        while True:
            pass

    assert in_copy(waits, 0.2) is None


def test_a_fault_meets_the_quickest_tests_of_each_file(load):
    quickest = load("drawn_faults").quickest
    times = {"a::1": 9.0, "a::2": 1.0, "b::1": 2.0, "b::2": 30.0}
    assert list(quickest(list(times), times, 40, 15.0)) == ["a::2", "b::1", "a::1"]
    assert list(quickest(list(times), times, 2, 15.0)) == ["a::2", "b::1"]
    assert list(quickest(["b::2"], times, 40, 15.0)) == ["b::2"]


@pytest.mark.parametrize(("old", "new", "state"), [("v > low", "v >= low", "failed"),
                                                   ("size >= 0", "size > -1", "passed")])
def test_a_new_process_loads_the_changed_file_and_not_the_package_of_this_one(load, tmp_path, monkeypatch, old, new,
                                                                              state):
    commands, drawing = load("drawn_faults"), load("drawing")
    package, copy = tmp_path / "src" / "mindspore", tmp_path / "copy"
    package.mkdir(parents=True)
    (package / "least_of.py").write_text(TEXT)
    (package / "__init__.py").write_text("")
    (tmp_path / "test_it.py").write_text(
        "from mindspore.least_of import least\n\ndef test():\n    assert least([5, 0, 4]) == 4\n")
    monkeypatch.setattr(drawing, "SOURCES", package)
    monkeypatch.setattr(commands, "changed", drawing.changed)
    monkeypatch.setattr(commands.mutation, "prepared", lambda folder: shutil.copytree(tmp_path / "src", copy / "src")
                        and shutil.copy(tmp_path / "test_it.py", copy) and copy)
    begin = TEXT.index(old)
    fault = drawing.Drawn("least_of.py", 1, begin, begin + len(old), old, new, ("least",), 7)
    assert commands.in_new_process(fault, ["test_it.py"])[0] == state


def test_a_fault_that_was_written_is_found_with_the_functions_around_it(load, monkeypatch, tmp_path):
    drawing = load("drawing")
    (tmp_path / "a.py").write_text(TEXT)
    monkeypatch.setattr(drawing, "SOURCES", tmp_path)
    fault = drawing.written("a.py", "len(found) == 1", "len(found) == 2")
    assert (fault.line, fault.names, fault.probe) == (10, ("least",), 8)           # an `elif` begins with its `if`
    assert "elif len(found) == 2:" in drawing.changed(fault)
    fault = drawing.written("a.py", "        self.check()\n", "")
    assert (fault.line, fault.names, fault.probe) == (18, ("Box", "__init__"), 18)
    assert drawing.written("a.py", "low=0", "low=1").probe == 0                    # no statement of a function
    assert drawing.written("a.py", "found", "lost") is None
