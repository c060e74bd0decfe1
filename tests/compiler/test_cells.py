"""Cells and their programs."""
from __future__ import annotations

import copy
import pickle

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.compiler.cells import compile_cell, run_cell

X = Tensor([1.0, -2.0])


class Twice(nn.Cell):
    def construct(self, x):
        return x * 2


def test_a_cell_that_was_compiled_runs_that_program():
    cell = Twice()
    program = compile_cell(cell, (X,), {})
    assert program.executable.source.startswith("def Twice_0(in_x):")
    assert run_cell(cell, (X,), {}).asnumpy().tolist() == [2, -4]
    assert cell._compiled.compiled == 1


def test_every_cell_has_programs_of_its_own():
    one, other = Twice(), Twice()
    run_cell(one, (X,), {})
    run_cell(other, (X,), {})
    assert one._compiled is not other._compiled


def test_recycling_drops_programs_and_they_compile_again():
    cell = Twice()
    run_cell(cell, (X,), {})
    ms.ms_memory_recycle()
    assert cell._compiled.programs == {}
    assert run_cell(cell, (X,), {}).asnumpy().tolist() == [2, -4]
    assert cell._compiled.compiled == 2


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(2.0), name="w")

    def construct(self, x):
        return x * self.w


def test_a_cell_called_in_graph_mode_can_be_pickled_and_copied():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        cell = Scaled()
        assert cell(Tensor([1.0])).tolist() == [2]
        for again in (pickle.loads(pickle.dumps(cell)), copy.deepcopy(cell)):
            assert again(Tensor([1.0])).tolist() == [2]
            again.w.set_data(Tensor(5.0))
            assert (again(Tensor([1.0])).tolist(), cell(Tensor([1.0])).tolist()) == ([5], [2])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
