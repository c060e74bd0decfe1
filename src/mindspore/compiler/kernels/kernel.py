"""A generated kernel: called with torch tensors, it returns new ones."""
from __future__ import annotations

import ctypes
import functools
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
        self.results = [(a.shape, a.dtype.torch) for a in self.avals]
        self.partial = partial_row(plan, found.width)
        work = plan.rows * plan.columns * computed_per_element(plan)
        self.shared = work > choices().kernel_alone
        self.overwritable = [overwritable(plan, out) for out in plan.outs]
        self.table = ctypes.c_void_p * (len(self.inputs) + len(self.results) + 1)

    def __reduce__(self) -> Any:
        return generated, (self.outs,)

    def __call__(self, *tensors: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The results, in the memory of the inputs that `into` names."""
        given = [tensors[k] for k in self.inputs]
        if not all(x.is_contiguous() for x in given):
            return self.strided(tensors, into)
        places = into or (None,) * len(self.results)
        outs = [torch.empty(shape, dtype=dtype) if k is None else tensors[k]
                for k, (shape, dtype) in zip(places, self.results, strict=True)]
        self.run(given, outs)
        if into:
            torch_private.count_changes([o for o, k in zip(outs, places, strict=True) if k is not None])
        return tuple(outs)

    def strided(self, tensors: Sequence[torch.Tensor], into: Sequence[int | None]) -> tuple[torch.Tensor, ...]:
        """The same for tensors whose elements do not lie row by row: flat kernels need them only to lie alike."""
        given = [tensors[k] for k in self.inputs]
        full = [x for x in given if x.dim()]
        first = full[0]
        if self.flat and all(x.shape == first.shape and x.stride() == first.stride() for x in full):
            shapes = [torch.empty_like(first, dtype=dtype) for _, dtype in self.results]
            if all(o.stride() == first.stride() and tuple(o.shape) == shape
                   for o, (shape, _) in zip(shapes, self.results, strict=True)):
                self.run(given, shapes)
                return tuple(shapes)
        return self(*[x.contiguous() for x in tensors])

    def run(self, given: Sequence[torch.Tensor], outs: Sequence[torch.Tensor]) -> None:
        """Call the code."""
        code = self.loading.code()
        threads = torch.get_num_threads() if self.shared and code.parallel else 1
        partial = torch.empty(self.partial * threads) if self.partial else None
        table = self.table(*[x.data_ptr() for x in given], *[o.data_ptr() for o in outs],
                           partial.data_ptr() if partial is not None else None)
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
