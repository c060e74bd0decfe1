"""Steps one after the other in native code: what a sink runs between two looks at Python.

A program that is one native program as a whole needs no Python between its runs: its tensors are those of the next
batch, and its parameters stay where they are.  All that a call would look at is looked at once, before the first run.
"""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from mindspore.compiler.codegen import Executable
from mindspore.compiler.codegen.instrument import watching
from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.compiler.kernels.programs import NativeProgram, Repeats, can_be_tested
from mindspore.core import context
from mindspore.core.devices import refuse_meta
from mindspore.eager import changes
from mindspore.eager.hooks import Hooked
from mindspore.eager.tensor import Tensor
from mindspore.eager.uninitialised import waiting
from mindspore.ir import ITEM
from mindspore.ir.runtime import runtime
from mindspore.operators import fused
from mindspore.parallel import running

from .cache import Cache, sees
from .program import Program

_SECONDS = 0.2           # of native code at once, after which an interruption by the user is seen
_MOST = 64               # steps at once
_TRIALS = 3              # steps in Python after which a function that was no native program is one no more


class Plan(NamedTuple):
    """A program that is one native program.

    Attributes:
        made: What runs, of which this is the plan.
        kernel: The native program.
        inputs: The parameters of the graph, by their places, that are its inputs.
        outs: The results of the native program that are those of the graph.
        carried: Its results that it takes as inputs in the next run, and which inputs.
    """

    made: Executable
    kernel: NativeProgram
    inputs: list[int]
    outs: list[int]
    carried: dict[int, int]


class Steps:
    """Runs steps of a function or a cell, as many at once as can be.

    Args:
        step: What is called with a batch.

    Attributes:
        most: How many batches are wanted at once.
        done: How many of the batches that were given last are done, also where an error ended that.
    """

    def __init__(self, step: Any):
        self.step, self.done, self.trials = step, 0, _TRIALS
        self.most = _MOST if _is_compiled(step) else 1

    def run(self, batches: Sequence[Sequence[Any]]) -> Any:
        """Run the step on the first batches, at least on one of them.

        Returns:
            What it gives for the last of those that were done.

        Raises:
            Exception: What the step raises for a batch, which counts as done.
        """
        self.done = 0
        found = self._found(batches[0]) if self.most > 1 and len(batches) > 1 else None
        if found is not None:
            program, plan = found
            alike = _alike(batches)
            if alike > 1 and not sees(
                    [*[x for b in batches[:alike] for x in b], *program.captured], program.assigned):
                out = self._together(program, plan, batches[:alike])
                if self.done:
                    return out
        elif self.most > 1 and len(batches) > 1:
            self.trials -= 1
            self.most = self.most if self.trials else 1
        self.done = 1
        return self.step(*batches[0])

    def _found(self, batch: Sequence[Any]) -> tuple[Program, Plan] | None:
        """The program for a batch, if it is there, holds, and is one native program."""
        cache = _cache_of(self.step)
        if cache is None or waiting or runtime.depth or runtime.building or runtime.casting is not None or (
                running.active() or Hooked.count or watching.begin is not None or context.state.precompile_only):
            return None
        if not all(type(x) is Tensor for x in batch):
            return None
        program = cache.known(cache.keys(tuple(batch), {}), tuple(batch), {}, (), [])
        plan = None if program is None else _planned(program)
        return None if program is None or plan is None else (program, plan)

    def _together(self, program: Program, plan: Plan, batches: Sequence[Sequence[Tensor]]) -> Any:
        raw = [*[x._data for x in batches[0]], *[p._data for p in program.captured]]
        refuse_meta(raw)
        tensors = [raw[k] for k in plan.inputs]
        count = len(batches[0])
        varying = {slot: [b[k]._data.contiguous() for b in batches]
                   for slot, k in enumerate(plan.inputs) if k < count}
        if not varying or not all(x.is_contiguous() for x in tensors):
            return None
        if program.assigned:
            changes.note(program)
        runs = Repeats(plan.kernel, tensors, varying, plan.carried)
        start = time.perf_counter()
        try:
            runs.run()
        finally:                        # an interruption by the user leaves what was done, and only that
            self.done = runs.done
            if self.done:
                found = runs.results()
                out = program.given_back([found[k] for k in plan.outs], plan.made, batches[self.done - 1])
        if not self.done:
            return None
        self.most = max(2, min(_MOST, int(_SECONDS * self.done / (time.perf_counter() - start))))
        return out


def _is_compiled(step: Any) -> bool:
    """Whether a step is a function under `jit`, or a cell that runs compiled."""
    if isinstance(getattr(step, "cache", None), Cache):
        return True
    called = getattr(type(step).__call__, "__module__", "")
    return context.state.mode == context.GRAPH_MODE and hasattr(step, "run_uncompiled") and is_native_module(called)


def _cache_of(step: Any) -> Cache | None:
    """The programs of such a step, if there are any yet."""
    if not _is_compiled(step):
        return None
    found = getattr(step, "cache", None)
    return found if isinstance(found, Cache) else vars(step).get("_compiled")


def _alike(batches: Sequence[Sequence[Any]]) -> int:
    """How many batches have the kinds of tensors that the first has."""
    first = [(x._data.shape, x._data.dtype, x._data.device) for x in batches[0]]
    for k, batch in enumerate(batches):
        if not all(type(x) is Tensor for x in batch) or first != [
                (x._data.shape, x._data.dtype, x._data.device) for x in batch]:
            return k
    return len(batches)


def _planned(program: Program) -> Plan | None:
    """The plan of a program, made once for what runs."""
    if program.sunk is None or program.sunk[0] is not program.current:
        program.sunk = (program.current, _plan(program))
    plan: Plan | None = program.sunk[1]
    return plan


def _plan(program: Program) -> Plan | None:
    made, graph = program.current, program.graph
    if made is None or program.differentiated or program.target.mesh or program.target.device != "cpu" or made.shared:
        return None
    if program.writes or program.changed or program.keeps or program.takes or program.asked or program.draws or (
            program.has_dynamic_results or program.shapes_fit or program.constants is not None):
        return None
    nodes = [n for n in graph.nodes if n.op is not ITEM]
    kernel = nodes[0].attrs.get("kernel") if len(nodes) == 1 and nodes[0].op is fused.generated else None
    if not isinstance(kernel, NativeProgram) or not can_be_tested(kernel):
        return None
    place = {id(p): k for k, p in enumerate(graph.params)}
    results = {id(m): r for r, m in enumerate(nodes[0].items or nodes)}
    if not all(id(x) in place for x in nodes[0].inputs) or not all(id(o) in results for o in graph.outs):
        return None
    inputs, outs = [place[id(x)] for x in nodes[0].inputs], [results[id(o)] for o in graph.outs]
    first = len(graph.params) - len(program.captured)
    captured = {id(t): first + k for k, t in enumerate(program.captured)}
    carried = {outs[program.count + k]: captured[id(p)] for k, p in enumerate(program.assigned)}
    return Plan(made, kernel, inputs, outs, {r: inputs.index(k) for r, k in carried.items() if k in inputs})
