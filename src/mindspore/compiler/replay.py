"""Sweeps over the tape as compiled programs, for training steps that have the same structure every time.

The gradient rules of operators run in both modes.  So a program is made by applying them to nodes, in the order of a
sweep; it gets what the tape saved, and is lowered like the reverse of any graph.
"""
from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import torch

from mindspore.compiler.codegen import Executable, compile_graph
from mindspore.compiler.passes import (
    PLANES,
    UPDATES,
    fuse_attention_reverse,
    generate_norms,
    generate_planes,
    generate_products,
    generate_windows,
    lower,
)
from mindspore.compiler.targets import Target, at_level, here
from mindspore.core import log
from mindspore.eager import lone
from mindspore.eager.structure import Place, Step, Sweep
from mindspore.ir import Graph, Node, param, recording
from mindspore.ir.flow import graphs_in
from mindspore.ir.origin import NOWHERE, RECORD, REVERSE
from mindspore.ir.runtime import runtime
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import Part
from mindspore.operators.stages import INNERMOST

from .compile_guards import compiling, uncollected
from .result_aliasing import copied_results

lone.use(PLANES, generate_planes, generate_windows, generate_norms, generate_products)


class Making:
    """Makes the program of a sweep, for the target of the context, beside what this thread does."""

    def __init__(self, sweep: Sweep):
        self.sweep, self.target = sweep, here()
        self.made: Program | None = None
        self.thread: threading.Thread | None = None
        if self.target.level and not self.target.mesh:
            self.thread = threading.Thread(target=self._make, name="anyspore-sweep", daemon=True)
            self.thread.start()

    def _make(self) -> None:
        try:
            self.made = Program(self.sweep, self.target)
        except Exception as error:  # whatever a rule says of nodes: then it is applied to tensors, as before
            log.debug("A sweep over the tape was not compiled: %s: %s", type(error).__name__, error)

    def program(self) -> Program | None:
        """The program, when it is there; None if there can be none."""
        if self.thread is not None:
            self.thread.join()
            self.thread = None
        return self.made


class Program:
    """A compiled sweep.

    Raises:
        ValueError: It has effects beyond its results.
    """

    def __init__(self, sweep: Sweep, target: Target):
        target = replace(target, options={**target.options, UPDATES: True})
        with compiling, uncollected(), at_level(target.level):
            graph, self.there = _graph(sweep)
            for one in graphs_in(graph):
                for node in one.nodes:
                    if getattr(node.op, "effect", None) is not None:
                        raise ValueError(f"'{node.op.name}' has an effect.")
            self.graph = lower(fuse_attention_reverse(graph), target)
            self.executable: Executable = compile_graph(self.graph, target=target)
            self.copied = copied_results(self.graph, [True] * len(self.graph.outs))

    def __call__(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor | None]:
        """The cotangents that are wanted, each with memory of its own; None where nothing arrives."""
        outs = self.executable.run(*tensors)
        found = iter([o.clone() if k in self.copied else o for k, o in enumerate(outs)])
        return [next(found) if there else None for there in self.there]


def _graph(sweep: Sweep) -> tuple[Graph, list[bool]]:
    """The graph of a sweep, and which of the wanted cotangents it gives."""
    steps, graph = sweep.steps, Graph("sweep", [param(a) for a in sweep.avals])
    for p, innermost in zip(graph.params, sweep.innermost, strict=True):
        if innermost:
            p.attrs = {INNERMOST: True}
    before, reverse = runtime.origin, NOWHERE.during(REVERSE)
    try:
        with recording(graph.nodes):
            slots: list[list[Any]] = [[None] * step.count for step in steps]
            for (k, i), d in zip(sweep.outs, graph.params[len(graph.params) - len(sweep.outs):], strict=True):
                _give(slots, k, i, d)
            for k, step in enumerate(steps):
                if step.op is not None and any(d is not None for d in slots[k]):
                    runtime.origin = reverse.noting(**{RECORD: k})
                    _reverse(step, slots[k], graph.params, slots)
                    slots[k] = []
    finally:
        runtime.origin = before
    found = [slots[k][0] if k >= 0 else None for k in sweep.wanted]
    graph.outs = [d for d in found if d is not None]
    return graph, [d is not None for d in found]


def _reverse(step: Step, douts: list[Any], params: Sequence[Node], slots: list[list[Any]]) -> None:
    """Hand the cotangents of a record's results on to its parents."""
    op: Any = step.op
    values = [_value(v, params) for v in step.saved]
    found = op.rule(*values, tuple(douts) if step.count > 1 else douts[0], **step.attrs)
    for parent, d in zip(step.parents, found, strict=False):
        if parent is not None and d is not None:
            if type(d) is FunctionType:
                d = d()
            elif type(d) is Part:
                d = d.whole()
            if d is not None:
                _give(slots, *parent, d)


def _value(value: Any, params: Sequence[Node]) -> Any:
    if type(value) is Place:
        return params[value.at]
    return tuple([_value(v, params) for v in value]) if type(value) is tuple else value


def _give(slots: list[list[Any]], k: int, i: int, d: Any) -> None:
    held = slots[k][i]
    slots[k][i] = d if held is None else REGISTRY["Add"](held, d)
