"""Runs of a native program one after the other, without Python between.

One function of native code does that for all programs: it gets a table of addresses for every run.  Results that the
next run takes as inputs stay in the memory of these, or go to and fro between two places where a run still needs the
old value.  Indices are tested before each run; the first that do not fit end it, and Python says what is wrong.
"""
from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from mindspore.operators import torch_private

from ..native import Code, machine
from ..text import Builder, Module, Value
from .program import NativeProgram

_FUNCTION, _TABLES, _STRIDE, _COUNT, _CHECKS, _MANY, _DONE = range(7)        # what the code finds in its own table
_SLOT, _LENGTH, _BELOW, _WIDE, _CHECK = range(5)                             # of indices; the last: numbers of a check
_INDICES = {torch.int32: 0, torch.int64: 1}


class Repeats:
    """Some runs of a native program.

    Args:
        program: What runs.
        tensors: Its inputs in the first run; those of later runs have their kinds.
        varying: The inputs that differ between the runs, by their numbers: the tensors of every run.
        carried: The results that are inputs of the next run, by their numbers: the numbers of these inputs.

    Attributes:
        done: How many runs have ended.
    """

    def __init__(self, program: NativeProgram, tensors: Sequence[torch.Tensor],
                 varying: Mapping[int, Sequence[torch.Tensor]], carried: Mapping[int, int]):
        self.program, self.done = program, 0
        (self.count,) = {len(given) for given in varying.values()}
        self.threads = program.threads(torch.get_num_threads())
        self.block = program.block(self.threads)
        self.tables = np.tile(np.frombuffer(self.block[1], np.uint64), (self.count, 1))
        self.tables[:, -1] = 0                           # nobody watches
        for k, x in enumerate(tensors):
            self.tables[:, k] = x.data_ptr()
        for k, given in varying.items():
            self.tables[:, k] = [x.data_ptr() for x in given]
        self.held = [*tensors, *[x for given in varying.values() for x in given]]
        self.outs = [self._out(r, tensors, carried.get(r)) for r in range(len(program.results))]
        self.checks = np.array([_checked(tensors[slot], slot, below) for slot, below, *_ in program.checks] or [[0]],
                               np.int64)

    def _out(self, r: int, tensors: Sequence[torch.Tensor], input_: int | None) -> tuple[torch.Tensor, torch.Tensor]:
        """The memory of a result after an odd and an even number of runs."""
        place, (shape, dtype) = self.program.given + r, self.program.results[r]
        if input_ is not None and input_ in self.program.overwritable[r]:
            self.tables[:, place] = tensors[input_].data_ptr()
            return tensors[input_], tensors[input_]
        odd = torch.empty(shape, dtype=dtype)
        even = odd if input_ is None else torch.empty(shape, dtype=dtype)
        self.tables[0::2, place], self.tables[1::2, place] = odd.data_ptr(), even.data_ptr()
        if input_ is not None:
            self.tables[1::2, input_], self.tables[2::2, input_] = odd.data_ptr(), even.data_ptr()
        return odd, even

    def run(self) -> None:
        """Do the runs, up to the first whose indices do not fit.

        Raises:
            KeyboardInterrupt: The user wants the program to end; `done` tells what was done.
        """
        code, own = self.program.code, (ctypes.c_int64 * 7)()
        called = code.run_parallel if self.threads > 1 else code.run
        own[_FUNCTION] = ctypes.cast(called, ctypes.c_void_p).value or 0
        own[_TABLES], own[_STRIDE], own[_COUNT] = self.tables.ctypes.data, self.tables.shape[1], self.count
        own[_CHECKS], own[_MANY] = self.checks.ctypes.data, len(self.program.checks)
        try:
            if self.threads > 1:
                _code().run_parallel(own, self.threads)
            else:
                _code().run(own)
        finally:                                    # signals are raised as soon as the call returns
            self.done = own[_DONE]
            self.program.give_back(self.block)
            if self.done:
                torch_private.count_changes([odd for odd, _ in self.outs if any(odd is x for x in self.held)])

    def results(self) -> list[torch.Tensor]:
        """The results of the last run that ended."""
        return [odd if self.done % 2 else even for odd, even in self.outs]


def can_be_tested(program: NativeProgram) -> bool:
    """Whether native code can test the indices that a program takes."""
    return all(program.nodes[slot].dtype.torch in _INDICES for slot, *_ in program.checks)


def _checked(x: torch.Tensor, slot: int, below: int) -> list[int]:
    found = [0] * _CHECK
    found[_SLOT], found[_LENGTH], found[_BELOW], found[_WIDE] = slot, x.numel(), below, _INDICES[x.dtype]
    return found


@functools.cache
def _code() -> Code:
    return machine().load(_text(machine().width))


def _text(width: int) -> str:
    """The module: `run` repeats functions of a table, `run_parallel` those of a table and a number of threads."""
    module = Module(width)
    for name, parameters in (("run", ["ptr"]), ("run_parallel", ["ptr", "i32"])):
        with module.function(name, parameters) as b:
            _repeat(b, b.args[0], b.args[1:])
    return module.text()


def _repeat(b: Builder, own: Value, threads: Sequence[Value]) -> None:
    function, tables, checks = [b.load(own, k, "ptr", one=True) for k in (_FUNCTION, _TABLES, _CHECKS)]
    stride, count, many = [b.load(own, k, "i64", one=True) for k in (_STRIDE, _COUNT, _MANY)]
    fit = b.variable(b.constant(1, "i1"))
    with b.loop(0, count) as i:
        table = b.address(tables, i * stride, "ptr")
        with b.loop(0, many) as k:
            slot, length, below, wide = [b.load(checks, k * _CHECK + n, "i64", one=True)
                                         for n in (_SLOT, _LENGTH, _BELOW, _WIDE)]
            indices = b.load(table, slot, "ptr", one=True)
            for scalar, there in (("i32", wide.compare("eq", 0)), ("i64", wide.compare("ne", 0))):
                with b.when(there), b.loop(0, length) as n:
                    index = b.load(indices, n, scalar, one=True)
                    index = b.cast("sext", index, "i64") if scalar == "i32" else index
                    fit.set(fit.get() & index.compare("ult", below))
        with b.when(fit.get()):
            given = ", ".join([f"{x.type} {x.name}" for x in (table, *threads)])
            b.line(f"call void {function.name}({given})")
            b.store(i + 1, own, _DONE, "i64")


__all__ = ["Repeats", "can_be_tested"]
