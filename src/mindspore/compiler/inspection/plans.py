"""Plans of programs for several devices, made without them."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.core import check
from mindspore.ir import Graph
from mindspore.parallel import machines, report
from mindspore.parallel.arrangements import arranged, told
from mindspore.parallel.placement import meshes_of
from mindspore.parallel.search import searched
from mindspore.parallel.storing import Spreading, Storing, storing_of
from mindspore.parallel.tables import Traced, cluster_of


def explain(fn: Callable[..., Any] | None = None, *inputs: Any, devices: int | None = None,
            budget: float | None = None, lines: int = report.LINES, batch: int | None = None) -> str:
    """How a program is split over processes, and why: a report for people.

    Args:
        fn: A function or cell, as a training step; None for the program that this process split last.
        *inputs: What it is called with.
        devices: Over how many devices `fn` would be split; no processes are needed.
        budget: The bytes that each of them can hold. Default: None, any number.
        lines: How many operators are shown, those that take longest. Default: 40.
        batch: The samples of a step, of which the inputs have a part: then stages of a pipeline, the number of parts,
            the schedule, recomputation, and what copies of the pipeline share are searched, too; `fn` must have
            layers. Default: None, the inputs are the whole batch, and all devices work on it together.

    Returns:
        A text: what the plan costs and how far it is from the best one at most, a line for each operator; with `batch`,
        a line for each stage.

    Raises:
        RuntimeError: `fn` is None, and no program was split in this process.
        ValueError: `devices` is missing or below 2, no plan holds so few bytes, `batch` is no multiple of the inputs'
            first dimension, or `fn` has no layers.

    Examples:
        >>> net = nn.Dense(64, 32)
        >>> report = mindspore.parallel.explain(net, ops.ones((16, 64), mindspore.float32), devices=4)
        >>> report.splitlines()[0].split(":")[0]
        "'Dense' over 4 devices"
    """
    check.integer("explain", "lines", lines, 1)
    if fn is None:
        return report.last(lines)
    if devices is None or check.integer("explain", "devices", devices, 1) < 2:
        raise ValueError(f"For 'explain', the 'devices' must be at least 2, but got {devices}.")
    graph, storing = traced(fn, inputs)
    machine = machines.given()
    if batch is not None:
        return _arranged(graph, storing, devices, budget, _parts(batch, inputs))
    found = min([searched(graph, mesh, machine, storing=storing(), budget=budget) for mesh in meshes_of(devices)],
                key=lambda f: f.seconds)
    return report.report(graph.name, graph, found, machine, lines)


def _parts(batch: int, inputs: tuple[Any, ...]) -> int:
    """How many times the inputs a batch has."""
    rows = inputs[0].shape[0] if inputs and getattr(inputs[0], "shape", ()) else 1
    if check.integer("explain", "batch", batch, 1) % rows:
        raise ValueError(f"For 'explain', the 'batch' must be a multiple of the {rows} samples of the inputs, but got "
                         f"{batch}.")
    return batch // rows


def _arranged(graph: Graph, storing: Callable[[], Storing], devices: int, budget: float | None, parts: int) -> str:
    tables = Traced(graph, storing, machines.given())
    cluster = cluster_of(machines.given(), math.inf if budget is None else budget, devices)
    found = arranged(tables, cluster, devices, parts, elements=tables.elements())
    return told(graph.name, devices, parts, found)


def traced(fn: Callable[..., Any], inputs: tuple[Any, ...]) -> tuple[Graph, Callable[[], Storing]]:
    """The graph of a call as one device computes it, and what of it may lie in pieces."""
    program = Program(getattr(fn, "__name__", type(fn).__name__), fn, inputs, {})
    place = {id(t): k for k, t in enumerate(program.captured)}
    replaced = {program.count + k: place[id(p)] for k, p in enumerate(program.assigned)}
    graph = copied(prepared(program, program.target))
    return graph, lambda: storing_of(graph, program.captured, replaced, Spreading())
