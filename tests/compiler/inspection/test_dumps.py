"""Graphs and sources as files, and the generated source in tracebacks and debuggers."""

from __future__ import annotations

import bdb
import linecache
import re
import traceback

import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ir import parse, text
from mindspore.operators.registry import REGISTRY

PASSES = ["fuse_attention", "pool_first", "expect_products", "expect_recurrence", "expect_windows", "expect_norms",
          "join_slices", "simplify", "drop_leaves", "overlap_sums", "make_native_programs", "generate_costly",
          "generate_recurrence", "generate_windows", "generate_norms", "generate_products", "fuse_arithmetic"]


@pytest.fixture(autouse=True)
def _context():
    yield
    ms.context.reset_context()


def make():
    @ms.jit
    def program(x, y):
        h = ops.relu(x)
        if h.sum() > 3:
            h = h * 2
        return h + x * y

    return program


def run(program=None):
    program = program or make()
    return program(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))


def files(folder):
    found = sorted((folder / "rank_0").iterdir())
    return {file.name.split("_", 3)[-1]: file.read_text() for file in found}


def test_level_1_writes_the_ends(tmp_path):
    ms.set_context(save_graphs=1, save_graphs_path=str(tmp_path))
    run()
    assert list(files(tmp_path)) == ["front_end.ir", "final.ir", "python.py"]


@pytest.mark.parametrize("level", [2, True])
def test_level_2_writes_the_graph_after_every_pass(tmp_path, level):
    ms.set_context(save_graphs=level, save_graphs_path=str(tmp_path))
    run()
    found = files(tmp_path)
    assert list(found) == ["front_end.ir", *[f"{p}.ir" for p in PASSES], "final.ir", "python.py"]
    assert "Mul(" in found["simplify.ir"]
    assert "MultiplyAdd(" in found["fuse_arithmetic.ir"]


def test_level_3_writes_derivatives_and_who_called(tmp_path):
    ms.set_context(save_graphs=3, save_graphs_path=str(tmp_path))

    def inner(x):
        return x * x

    @ms.jit
    def program(x):
        return inner(x) + 1

    ms.grad(program)(Tensor([1.0, 2.0]))
    found = files(tmp_path)
    assert {"forward.ir", "forward.py", "reverse.ir", "reverse.py"} <= set(found)
    assert "inner: return x * x <- test_dumps.py:" in found["front_end.ir"]


def test_a_level_of_zero_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS", "2")
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS_PATH", str(tmp_path))
    ms.set_context(save_graphs=False)
    run()
    assert list(tmp_path.iterdir()) == []


def test_the_environment_says_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS", "2")
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS_PATH", str(tmp_path))
    monkeypatch.setenv("MS_DEV_DUMP_IR_PASSES", "simplify, final")
    monkeypatch.setenv("RANK_ID", "0")
    run()
    assert list(files(tmp_path)) == ["simplify.ir", "final.ir"]


def test_an_unknown_level_in_the_environment_is_named(monkeypatch):
    monkeypatch.setenv("MS_DEV_SAVE_GRAPHS", "many")
    with pytest.raises(ValueError, match=r"'MS_DEV_SAVE_GRAPHS' must be one of.*'many'"):
        run()


def test_dumps_show_the_lines_of_the_program_and_can_be_read_back(tmp_path):
    ms.set_context(save_graphs=1, save_graphs_path=str(tmp_path))
    run()
    final = files(tmp_path)["final.ir"]
    assert re.search(r"# test_dumps.py:\d+ in make.<locals>.program: h = ops.relu\(x\)\n", final)
    assert text(parse(final, REGISTRY), False) == text(parse(text(parse(final, REGISTRY)), REGISTRY), False)


def test_the_generated_source_names_arguments_and_lines():
    program = make()
    run(program)
    source = ms.graph.explain(program).programs[0].source
    assert "def program_0(in_x, in_y):" in source
    assert re.search(r"  # test_dumps.py:\d+ in make.<locals>.program: if h.sum\(\) > 3:\n", source)


def test_a_run_time_error_shows_the_generated_line_and_the_line_of_the_program():
    @ms.jit
    def program(x):
        if x.sum() > 0:
            raise ValueError("positive")
        return x

    with pytest.raises(ValueError, match="positive") as caught:
        program(Tensor([1.0]))
    shown = "".join(traceback.format_exception(caught.value))
    assert "<graph program" in shown
    assert 'raise ValueError("positive")' in shown


class Stepper(bdb.Bdb):
    """A debugger that steps through everything and notes the lines of generated source."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def user_line(self, frame):
        if frame.f_code.co_filename.startswith("<graph program"):
            self.seen.append((linecache.getline(frame.f_code.co_filename, frame.f_lineno), set(frame.f_locals)))
        self.set_step()


def test_a_debugger_steps_through_the_generated_source():
    program = make()
    run(program)
    stepper = Stepper()
    stepper.runcall(run, program)
    lines = [line for line, _ in stepper.seen]
    assert any("h = ops.relu(x)" in line for line in lines[:3])
    assert any(line.strip().startswith("return") for line in lines)
    assert "in_x" in stepper.seen[0][1]
