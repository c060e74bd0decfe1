"""A generated kernel: called with torch tensors, it returns new ones."""
from __future__ import annotations

import functools
import struct
import threading
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators import torch_private
from mindspore.operators.choices import choices
from mindspore.operators.loops import Element

from .emit import computed_per_element, emitted, partial_row
from .native import Code, machine
from .plan import Plan, overwritable, planned


class Kernel:
    """Native code of some elements.

    Args:
        plan: How the results lie over rows and columns.

    Attributes:
        avals: Of the results.
        inputs: The places of the inputs that are read.
        overwritable: For every result the places of inputs of its shape whose memory it may take.
    """

    def __init__(self, plan: Plan):
        self.outs, self.avals = plan.outs, tuple([Aval(o.shape, o.dtype) for o in plan.outs])
        self.inputs = sorted({e.value for e in plan.elements if e.word == "input"})
        found: Any = machine()
        self.loading = _loading(emitted(plan, self.inputs, found.width))
        self.flat = plan.flat
        # an element of the shape of a result; the tensor may have another, of as many elements
        alike = {(e.shape, e.dtype): e.value for e in plan.elements if e.word == "input"}
        self.results = [(a.shape, a.dtype.torch, alike.get((a.shape, a.dtype))) for a in self.avals]
        self.all = self.inputs == list(range(len(self.inputs)))
        self.partial = partial_row(plan, found.width)
        work = plan.rows * plan.columns * computed_per_element(plan)
        self.shared = work > choices().kernel_alone
        self.overwritable = [overwritable(plan, out) for out in plan.outs]
        self.table = struct.Struct(f"{len(self.inputs) + len(self.results) + 1}q").pack     # in less time than ctypes'

    def __reduce__(self) -> Any:
        return generated, (self.outs,)

    def __call__(self, *tensors: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The results, in the memory of the inputs that `into` names."""
        given = tensors if self.all and len(tensors) == len(self.inputs) else [tensors[k] for k in self.inputs]
        for x in given:
            if not x.is_contiguous():
                return self.strided(tensors, into)
        if into:
            outs = [torch.empty(shape, dtype=dtype) if k is None else tensors[k]
                    for k, (shape, dtype, _) in zip(into, self.results, strict=True)]
        else:
            outs = [torch.empty_like(tensors[k]) if k is not None and tensors[k].shape == shape
                    else torch.empty(shape, dtype=dtype) for shape, dtype, k in self.results]
        self.run(given, outs)
        if into:
            torch_private.count_changes([o for o, k in zip(outs, into, strict=True) if k is not None])
        return tuple(outs)

    def strided(self, tensors: Sequence[torch.Tensor], into: Sequence[int | None]) -> tuple[torch.Tensor, ...]:
        """The same for tensors whose elements do not lie row by row: flat kernels need them only to lie alike."""
        given = [tensors[k] for k in self.inputs]
        full = [x for x in given if x.dim()]
        first = full[0]
        if self.flat and all(x.shape == first.shape and x.stride() == first.stride() for x in full):
            shapes = [torch.empty_like(first, dtype=dtype) for _, dtype, _ in self.results]
            if all(o.stride() == first.stride() and tuple(o.shape) == shape
                   for o, (shape, _, _) in zip(shapes, self.results, strict=True)):
                self.run(given, shapes)
                return tuple(shapes)
        return self(*[x.contiguous() for x in tensors])

    def run(self, given: Sequence[torch.Tensor], outs: Sequence[torch.Tensor]) -> None:
        """Call the code."""
        code = self.loading.code()
        threads = torch.get_num_threads() if self.shared and code.parallel else 1
        partial = torch.empty(self.partial * threads) if self.partial else None
        table = self.table(*[x.data_ptr() for x in given], *[o.data_ptr() for o in outs],
                           partial.data_ptr() if partial is not None else 0)
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)


class Loading:
    """Code that is made beside what this thread does."""

    def __init__(self, text: str):
        self.text = text
        self.found: Code | None = None
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self.load, name="anyspore-kernel", daemon=True)
        self.thread.start()

    def load(self) -> None:
        """Make it."""
        try:
            self.found = machine().load(self.text)
        except BaseException as error:  # raised where the code is asked for
            self.error = error

    def code(self) -> Code:
        """The code, when it is there."""
        if self.found is None:
            self.thread.join()
            if self.error is not None:
                raise self.error
        found = self.found
        assert found is not None
        return found


@functools.lru_cache(maxsize=4096)
def _loading(text: str) -> Loading:
    return Loading(text)


def generated(outs: Sequence[Element]) -> Kernel | None:
    """The kernel of some elements; None if they do not lie over rows and columns."""
    plan = planned(outs)
    return Kernel(plan) if plan else None
