"""Runs a tree on NumPy arrays in Python: slow, and what is used where no native code can be made."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .bounds import evaluated
from .errors import KernelCallError
from .tree import Block, Branch, Loop, Program, Store, Tensor, Value
from .words import WORDS


def sizes_of(program: Program, shapes: Sequence[Sequence[int]]) -> dict[Any, int]:
    """The sizes of the inputs of a call."""
    return {(t, axis): n for t, shape in zip(program.inputs, shapes, strict=True) for axis, n in enumerate(shape)}


class Interpreter:
    """One run.

    Attributes:
        now: The values that are known, by identity.
    """

    def __init__(self, program: Program, arrays: Sequence[Any]):
        self.program, self.now = program, {}
        self.known = sizes_of(program, [a.shape for a in arrays])
        self.arrays: dict[Tensor, Any] = dict(zip(program.inputs, arrays, strict=True))
        for t in (*program.outputs, *program.temporaries):
            self.arrays[t] = np.zeros([max(evaluated(e, self.known), 0) for e in t.shape], _numpy(t.dtype))

    def run(self) -> list[Any]:
        """The outputs."""
        with np.errstate(all="ignore"):
            self.block(self.program.body)
        return [self.arrays[t] for t in self.program.outputs]

    def get(self, v: Value) -> Any:
        """A value now."""
        if v.word == "const":
            return _numpy(v.dtype)(v.attr)
        return self.known[v.attr] if v.word == "size" else self.now[v]

    def place(self, op: Any) -> tuple[int, ...]:
        """The checked indices of an access."""
        at = tuple([int(self.get(i)) for i in op.args])
        shape = self.arrays[op.attr].shape
        if not all(0 <= i < n for i, n in zip(at, shape, strict=True)):
            raise outside(self.program, op.attr, op.line)
        return at

    def block(self, block: Block) -> list[Any]:
        """What a block yields."""
        for op in block.ops:
            if isinstance(op, Value):
                self.now[op] = self.computed(op)
            elif isinstance(op, Store):
                array, at = self.arrays[op.tensor], self.place(op)
                array[at] = array[at] + self.get(op.value) if op.add else self.get(op.value)
            elif isinstance(op, Loop):
                self.loop(op)
            else:
                self.branch(op)
        return [self.get(v) for v in block.yields]

    def computed(self, v: Value) -> Any:
        """A load or a word."""
        if v.word == "load":
            return self.arrays[v.attr][self.place(v)]
        args = [self.get(a) for a in v.args]
        return _numpy(v.dtype)(args[0] if v.word == "cast" else WORDS[v.word].numpy(*args))

    def loop(self, op: Loop) -> None:
        """All iterations."""
        carried = [self.get(v) for v in op.inits]
        for i in range(int(self.get(op.start)), int(self.get(op.stop)), op.step):
            self.now[op.index] = np.int64(i)
            self.now.update(zip(op.params, carried, strict=True))
            carried = self.block(op.body)
        self.now.update(zip(op.results, carried, strict=True))

    def branch(self, op: Branch) -> None:
        """One side."""
        found = self.block(op.then if self.get(op.condition) else op.orelse)
        self.now.update(zip(op.results, found, strict=True))


def outside(program: Program, tensor: Tensor, line: int) -> KernelCallError:
    """The error of an index that is outside of a tensor."""
    return KernelCallError(f"For 'kernel', '{program.name}' looked outside of '{tensor.name}'. Indices are 0 up to the "
                           f"extent of the axis; those that are computed do not count from the end.\n"
                           f'  File "{program.where}", line {line}, in {program.name}')


def _numpy(dtype: str) -> Any:
    return {"bool": np.bool_, "bfloat16": np.float32}.get(dtype) or getattr(np, dtype)
