"""A compiled function for arguments of one kind: walked at once, assembled and run at calls."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.compiler import disk
from mindspore.compiler.autodiff.reverse import differentiable
from mindspore.compiler.codegen import Executable
from mindspore.compiler.codegen.executable import Evaluating
from mindspore.compiler.inspection.reasons import described
from mindspore.compiler.inspection.record import Record
from mindspore.compiler.inspection.tracebacks import located, trimmed
from mindspore.compiler.targets import here
from mindspore.core.devices import refuse_meta
from mindspore.eager import changes
from mindspore.eager.memory import refresh
from mindspore.eager.tape import record_custom
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import Graph
from mindspore.ir.runtime import runtime

from .compile_guards import compiling, uncollected
from .pipeline import assembled, derived
from .results import HOLE
from .signature import is_tensor, leaf_signature
from .walking import Walked, draws, speaks


class Program(Walked):
    """A compiled function for one signature: the graph, what it captured, what it returns.

    Args:
        by_value: Whether small integer tensors among the arguments are constants of the graph.
        extents: For each tensor among the arguments the dimensions whose extents may differ.
        general: Whether extents of 0 and 1 are compiled by the hint of a larger one.
        loops: Whether a loop over a size that only a run tells stays a loop.
        captured: Whether tensors from outside are constants where the program asks for their elements.
        asked_for: Takes up those tensors.
    """

    trace: Any                 # of the front end, until the program is kept
    prepared: Graph | None = None          # the graph as a derivative is taken of it; `graph` is what runs
    sunk: Any = None                       # how it runs several times in native code, once somebody asked
    _executable: Executable | None = None
    _derivative: tuple[Executable, Executable, list[int]] | None = None

    def __init__(self, name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                 by_value: bool = False, reason: str = "", extents: Sequence[Any] = (),
                 general: bool = False, loops: bool = True, captured: bool = False,
                 asked_for: list[Any] | None = None):
        self.name, self.target = name, here()
        self.record = Record(name, described(fn, args, kwargs), reason or "first call")
        self.sizes = Evaluating()
        self.sizes.loops = loops
        with self.sizes.compiling():
            self.walk(name, fn, args, kwargs, by_value, extents, general, captured, asked_for)
        self.shapes_fit = self.sizes.fits() if self.sizes.inputs else None
        self.has_dynamic_results = bool(self.sizes.results)
        self.draws = self.has_dynamic_results and draws(self.graph)

    @classmethod
    def from_disk(cls, name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                  reason: str) -> Program | None:
        """The program that the cache on disk has for these arguments; None if it has none."""
        start, found = time.perf_counter(), None
        if here().mesh:                # the graph of one process, with groups that are not there yet
            return None
        with uncollected():
            found = disk.find(cls, fn, args, kwargs, (HOLE, is_tensor, leaf_signature))
        if found is None:
            return None
        found.name, found.prepared, found.trace, found.sizes = name, found.graph, None, Evaluating()
        found.target = here()
        found.shapes_fit, found.has_dynamic_results, found.draws, found.takes = None, False, False, False
        found.owners = {id(place.owner): place.owner for place, _, _ in found.writes}
        found.owners |= {id(owner): owner for owner, _ in found.outside.held}
        found.record = Record(name, described(fn, args, kwargs), reason)
        found.record.front_end(start, found.graph, "load")
        found.record.stored = "loaded"
        return found

    def to_disk(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], key: Any) -> None:
        """Keep the program in the cache on disk, if that is on."""
        if key is not None and not self.target.mesh and self.executable:
            self.record.stored = disk.keep(key, self, fn, args, kwargs, (HOLE, is_tensor))

    # ------------------------------------------------------------------ what runs

    @property
    def current(self) -> Executable | None:
        """The generated source, if there is one."""
        return self._derivative[0] if self._derivative else self._executable

    @property
    def differentiated(self) -> bool:
        """Whether a gradient was taken through the program on the tape."""
        return self._derivative is not None

    @property
    def executable(self) -> Executable:
        """The generated source, made at first use."""
        made = self._executable
        if made is None:
            try:
                with compiling:
                    made = self._executable = self._executable or assembled(self)
            except Exception as error:  # raised again, without the frames of the compiler
                raise trimmed(error) from error.__cause__
        return made

    def derivative(self, tracked: Sequence[int] = ()) -> tuple[Executable, Executable, list[int]]:
        """What runs inside an eager gradient, its reverse, and the places of the parameters that this answers for.

        These are those of floating point, and further ones that are `tracked`. It is made at first use.
        """
        made = self._derivative
        if made is None or not set(tracked) <= set(made[2]):
            with compiling:
                made = self._derivative
                if made is None or not set(tracked) <= set(made[2]):
                    made = self._derive(tracked)
        return made

    def _derive(self, tracked: Sequence[int]) -> tuple[Executable, Executable, list[int]]:
        places = [i for i, p in enumerate(self.graph.params) if differentiable(p) or i in tracked]
        made = (*derived(self, places), places)
        self.shapes_fit = self.sizes.fits() if self.sizes.inputs else None
        self._derivative, self._executable = made, None
        return made

    # ------------------------------------------------------------------ running

    def __call__(self, inputs: Sequence[Tensor]) -> Any:
        if runtime.depth and self.tracked(inputs):
            return self.recorded(inputs)
        run = self.executable
        if self.assigned:
            changes.note(self)
        raw = [t._data for t in inputs]
        if runtime.depth and self.assigned:            # records may need what the parameters hold
            assigned = set(self.assigned)
            raw += [p._data.clone() if p in assigned else p._data for p in self.captured]
        else:
            raw += [p._data for p in self.captured]
        refuse_meta(raw)
        try:
            outs = run.run(*raw)
        except Exception as error:  # raised again, with the line of the program
            raise located(run.explained(error)) from error.__cause__
        return self.given_back(outs, run, inputs)

    def given_back(self, outs: Sequence[Any], run: Executable, inputs: Sequence[Tensor]) -> Any:
        """The result, from the results of a run; the others are written where they belong."""
        if run.copied:
            outs = [o.clone() if k in run.copied else o for k, o in enumerate(outs)]
        if self.writes or len(outs) > self.count:
            outs = self.write_back(outs, (*inputs, *self.captured), run.shared)
        if self.single and not self.numbers:
            return wrap(outs[0])
        return self.rebuilt([wrap(o) for o in outs[:self.count]])

    def can_be_repeated(self) -> bool:
        """Whether a run that ended in an error left undone what Python would have done before, and nothing else."""
        changes_objects = bool(self.writes or self.changed) and not self.assigned
        return changes_objects and not draws(self.graph) and not speaks(self.graph)

    def tracked(self, inputs: Sequence[Tensor]) -> bool:
        """Whether a gradient is being taken through an input or a captured tensor."""
        if runtime.changed:
            refresh((*inputs, *self.captured))
        return any(t._var is not None for t in (*inputs, *self.captured))

    def recorded(self, inputs: Sequence[Tensor]) -> Any:
        """Run as one step on the tape, with the compiled reverse."""
        everything = [*inputs, *self.captured]
        forward, backward, places = self.derivative([i for i, t in enumerate(everything) if t._var is not None])
        raw = [t._data for t in everything]
        refuse_meta(raw)
        try:
            *outs, residual = forward.run(*raw)
        except Exception as error:  # raised again, with the line of the program
            raise located(forward.explained(error)) from error.__cause__

        versions = [(x, x._version) for x in _tensors(residual)]

        def rule(*douts: Any) -> list[Any]:
            for x, version in versions:
                changes.check(x, version, self.name)
            found = backward.run(residual, *[d._data for d in douts])
            return [wrap(d) for d in found]
        parents = [everything[i] for i in places]
        for k in forward.copied:
            outs[k] = outs[k].clone()
        tensors = record_custom(rule, parents, [wrap(o) for o in outs])
        if self.writes or len(outs) > self.count:
            self.write_back([t._data for t in tensors], everything, forward.shared, tensors)
        if self.single and not self.numbers:
            return tensors[0]
        return self.rebuilt(tensors)


def _tensors(residual: Any) -> list[torch.Tensor]:
    """The tensors that a run left for its reverse."""
    if isinstance(residual, torch.Tensor):
        return [residual]
    return [x for part in residual for x in _tensors(part)] if isinstance(residual, (tuple, list)) else []
