"""Tracebacks of graph mode: the user's lines, and no frames of the compiler."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.core import log
from mindspore.core.errors import GraphSyntaxError

PACKAGE = str(Path(ms.__file__).parent) + os.sep


class Net(nn.Cell):
    def construct(self, x):
        y = self.inner(x)
        return y + 1

    def inner(self, x):
        return x.reshape(7)


class Raises(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            raise ValueError("positive") from KeyError("cause")
        return x


@ms.jit
def gathers(x, n):
    return ops.gather(x, n, 0)


@ms.jit(fullgraph=True)
def awaits(x):
    async def state():
        return x
    return state


class Holder:
    @ms.jit
    def method(self, x):
        return x.reshape(7)


@pytest.fixture(autouse=True)
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.context.reset_context()


def frames(error):
    return traceback.extract_tb(error.__traceback__)


def of_package(error):
    return [f.filename.removeprefix(PACKAGE) for f in frames(error) if f.filename.startswith(PACKAGE)]


@pytest.mark.parametrize(("run", "border", "lines"), [
    (lambda x: Net()(x), "nn/cell.py", ["y = self.inner(x)", "return x.reshape(7)"]),
    (lambda x: Holder().method(x), "compiler/jit.py", ["return x.reshape(7)"]),
    (lambda x: ms.jit(Net())(x), "compiler/jit.py", ["y = self.inner(x)", "return x.reshape(7)"]),
    (awaits, "compiler/jit.py", ["async def state():"])])  # fmt: skip
def test_an_error_while_compiling_shows_the_lines_of_the_program(run, border, lines):
    with pytest.raises((ValueError, GraphSyntaxError)) as caught:
        run(Tensor([1.0, 2.0]))
    assert of_package(caught.value) == [border]
    assert [f.line for f in frames(caught.value)][-len(lines) :] == lines
    assert all(f.filename == __file__ for f in frames(caught.value)[-len(lines) :])


@ms.jit
def asserts(x):
    assert x.ndim == 2, "positive number of dimensions"
    return x


@ms.jit
def always_raises(x):
    def inner(x):
        raise ValueError("positive")
    return inner(x)


@pytest.mark.parametrize(("run", "line"), [
    (lambda x: Raises()(x), 'raise ValueError("positive") from KeyError("cause")'),
    (asserts, 'assert x.ndim == 2, "positive number of dimensions"'),
    (always_raises, 'raise ValueError("positive")'),
    (lambda x: gathers(x, Tensor([5])), "return ops.gather(x, n, 0)")])  # fmt: skip
def test_an_error_at_run_time_shows_the_generated_line_and_that_of_the_program(run, line):
    with pytest.raises((ValueError, AssertionError), match=r"positive|Gather") as caught:
        run(Tensor([1.0, 2.0]))
    assert len(of_package(caught.value)) == 1
    *_, own = shown = frames(caught.value)
    generated = next(f for f in shown if f.filename.startswith("<graph"))
    assert generated.line.endswith(line)
    assert own.line == line


def test_an_error_about_arguments_shows_the_call_only():
    net = nn.ReLU()
    net.set_inputs(Tensor(shape=[None, 4], dtype=ms.float32))
    with pytest.raises(ValueError, match="'set_inputs'") as caught:
        net(Tensor([[1.0, 2.0]]))
    assert of_package(caught.value) == ["nn/cell.py"]


def test_what_runs_in_python_shows_its_own_lines(monkeypatch):
    monkeypatch.setattr(log, "warning", lambda *_: None)

    def program(x):
        return x.reshape(int(x.asnumpy()[0]) + 6)

    with pytest.raises(ValueError, match="Reshape") as caught:
        ms.jit(program)(Tensor([1.0, 2.0]))
    assert of_package(caught.value) == ["compiler/jit.py"]
    assert frames(caught.value)[-1].line == "return x.reshape(int(x.asnumpy()[0]) + 6)"


def test_the_frames_of_the_compiler_are_shown_on_request(monkeypatch):
    monkeypatch.setenv("ANYSPORE_TRACEBACK", "full")
    with pytest.raises(ValueError, match="Reshape") as caught:
        Net()(Tensor([1.0, 2.0]))
    assert any("frontend" in file for file in of_package(caught.value))


def test_an_error_in_a_gradient_shows_the_lines_of_the_program():
    net = Net()
    with pytest.raises(ValueError, match="Reshape") as caught:
        ms.grad(lambda x: net(x).sum())(Tensor([1.0, 2.0]))
    assert frames(caught.value)[-1].line == "return x.reshape(7)"
    assert not any("frontend" in file for file in of_package(caught.value))


PROGRAM = """
import mindspore as ms
from mindspore import nn

class Net(nn.Cell):
    def construct(self, x):
        return x.reshape(7)

ms.set_context(mode=0)
Net()(ms.Tensor([1.0, 2.0]))
"""


def test_a_program_that_ends_in_an_error_shows_no_frame_of_the_package(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    shown = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False).stderr
    assert PACKAGE not in shown
    assert [line.strip() for line in shown.splitlines() if line.startswith("    ") and "^" not in line] == [
        "Net()(ms.Tensor([1.0, 2.0]))", "return x.reshape(7)"]
    assert "ValueError: For 'Reshape'" in shown
