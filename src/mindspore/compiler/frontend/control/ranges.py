"""Loops over as many numbers or rows as only a run tells."""
from __future__ import annotations

import ast
import operator
from typing import Any

from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.state import as_node
from mindspore.core.dtype import bool_, int64
from mindspore.core.errors import GraphTypeError, GraphValueError, UnknownExtent
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.python_numbers import as_number
from mindspore.operators.registry import REGISTRY
from mindspore.operators.traced import integer

from .loops import Loop


class TensorRange:
    """`range` with a bound that is a tensor."""

    def __init__(self, *bounds: Any):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        if not isinstance(step, int):
            raise GraphTypeError("The step of 'range' must be known while compiling.")
        for bound in (start, stop):
            if isinstance(bound, Node) and bound.size != 1:
                raise ValueError(f"The tensor should have only one element, but got {bound.size}; more than one "
                                 "element is ambiguous.")
            if isinstance(bound, Node) and bound.dtype.kind not in "biu":
                raise TypeError(f"Only an integer tensor can be an index, but got {bound.dtype}.")
        start, stop = [structure.cast(b, dtype=int64) if isinstance(b, Node) and b.dtype is bool_ else b
                       for b in (start, stop)]
        if not step:
            raise ValueError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = start, stop, step

    def known(self) -> range:
        """The range in the current run, where that is known: its bounds become guards of the program."""
        try:
            bounds: Any = self.start, self.stop, self.step
            return range(*[integer(b) if type(b) is Node else operator.index(b) for b in bounds])
        except (GraphValueError, UnknownExtent) as error:
            raise GraphTypeError("A 'range' whose bound is a tensor has an unknown length while compiling; "
                                 "here it can only stand alone in 'for i in range(...)'.") from error

    def __iter__(self) -> Any:
        return iter(self.known())

    def __reversed__(self) -> Any:
        return reversed(self.known())

    def __len__(self) -> int:
        return len(self.known())

    def __getitem__(self, index: Any) -> Any:
        return self.known()[index]

    def __contains__(self, value: Any) -> bool:
        return value in self.known()

    def __eq__(self, other: Any) -> bool:
        return self.known() == (other.known() if isinstance(other, TensorRange) else other)

    def __hash__(self) -> int:
        return hash(self.known())


def loops_stay(s: ast.For) -> bool:
    """Whether a loop over a size that a run tells is to be a loop of the graph; else it is unrolled."""
    env = runtime.sizes
    if env is not None and env.loops and not names.changes_rows(s):
        runtime.loops_kept += 1
        return True
    return False


def _as_counter(start: Any) -> Node:
    """What counts the passes: an int, as the items of `range` are."""
    if type(start) is not Node:
        return as_node(start)
    return as_number(structure.cast(structure.reshape(start, shape=()), dtype=int64))


def counted(f: Any, s: ast.For, r: TensorRange, after: Any, rows: Any = None) -> Any:
    """`for i in range(...)` with a bound that is a tensor or a size; `for row in rows`."""
    counter = f"<{s.lineno}:{s.col_offset}>"
    f.put(counter, _as_counter(r.start))
    more = REGISTRY["Less" if r.step > 0 else "Greater"]

    def advance() -> None:
        now: Any = f.local[counter]
        f.assign(s.target, now if rows is None else rows[now])
        f.put(counter, now + r.step)
    return Loop(f, s, after, lambda: more(f.local[counter], r.stop), s.body, advance,
                [counter]).run()
