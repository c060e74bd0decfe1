"""Plans of programs for several devices, made without them."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.core import check, context, log
from mindspore.ir import Graph
from mindspore.parallel import report, running
from mindspore.parallel.arrangements import arranged, told
from mindspore.parallel.holding import within
from mindspore.parallel.placement import Mesh
from mindspore.parallel.search import Found
from mindspore.parallel.storing import Storing, storing_of
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

    Operators, tensors and parameters lie as `shard`, `reshard`, strategy files and `set_algo_parameters` say; what the
    context says of the search, of a parallel optimizer and of room in memory holds, too.

    Returns:
        A text: what the plan costs and how far it is from the best one at most, a line for each operator; with `batch`,
        a line for each stage.

    Raises:
        RuntimeError: `fn` is None, and no program was split in this process.
        ValueError: `devices` is missing or below 2, strategies do not fit them, no plan holds so few bytes, `batch`
            is no multiple of the inputs' first dimension, or `fn` has no layers.

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
    _say_what_is_left_out(batch)
    with running.without_processes(devices):
        call = Call(fn, inputs)
    room = running.budget() if budget is None else budget
    if batch is not None:
        return _arranged(call, devices, room, _parts(batch, inputs))
    found, _ = within(call.graph, room, lambda room: running.planned(
        call.graph, lambda: call.storing(devices), call.parameters,
        running.grids_for(call.graph, devices, call.captured), room))
    return report.report(call.graph.name, call.graph, found, running.machine(), lines)


def _say_what_is_left_out(batch: int | None) -> None:
    if context.parallel.pipeline_stages > 1:
        log.warning("For 'explain', the pipeline_stages=%d of the context are left out: %s.",
                    context.parallel.pipeline_stages, "all devices compute all layers together; give 'batch' for a "
                    "search over stages" if batch is None else "their number is searched, too")


def _parts(batch: int, inputs: tuple[Any, ...]) -> int:
    """How many times the inputs a batch has."""
    rows = inputs[0].shape[0] if inputs and getattr(inputs[0], "shape", ()) else 1
    if check.integer("explain", "batch", batch, 1) % rows:
        raise ValueError(f"For 'explain', the 'batch' must be a multiple of the {rows} samples of the inputs, but got "
                         f"{batch}.")
    return batch // rows


def _arranged(call: Call, devices: int, budget: float | None, parts: int) -> str:
    def planner(graph: Graph, storing: Callable[[], Storing], shared: int, source: Mapping[int, int]) -> Found:
        parameters = {here: call.parameters[there] for here, there in source.items() if there in call.parameters}
        said = any([n.origin.notes.get("in_strategy") is not None for n in graph.nodes]) or any(
            [getattr(p, "planned", None) is not None for p in parameters.values()])
        grids = running.grids_for(graph, shared, ()) if said else [Mesh((shared,) if shared > 1 else ())]
        return running.planned(graph, storing, parameters, grids)[0]
    machine = running.machine()
    tables = Traced(call.graph, lambda: call.storing(devices), machine, planner)
    cluster = cluster_of(machine, math.inf if budget is None else budget, devices)
    found = arranged(tables, cluster, devices, parts, elements=tables.elements())
    if found.best is None and tables.wrong is not None:
        raise tables.wrong
    return told(call.graph.name, devices, parts, found)


class Call:
    """A call as one device computes it.

    Attributes:
        graph: Its graph.
        captured: The tensors of the last parameters of the graph.
        parameters: Those of them that are parameters, by id of the node.
    """

    def __init__(self, fn: Callable[..., Any], inputs: tuple[Any, ...]):
        program = Program(getattr(fn, "__name__", type(fn).__name__), fn, inputs, {})
        place = {id(t): k for k, t in enumerate(program.captured)}
        self.graph, self.captured = copied(prepared(program, program.target)), program.captured
        self.replaced = {program.count + k: place[id(p)] for k, p in enumerate(program.assigned)}
        nodes = self.graph.params[len(self.graph.params) - len(program.captured):]
        self.parameters = {id(n): p for n, p in zip(nodes, program.captured, strict=True)
                           if hasattr(p, "requires_grad")}

    def storing(self, devices: int) -> Storing:
        """What of it may lie in pieces on so many devices, as the context says."""
        return storing_of(self.graph, self.captured, self.replaced, running.spreading(devices))


def traced(fn: Callable[..., Any], inputs: tuple[Any, ...]) -> tuple[Graph, Callable[[], Storing]]:
    """The graph of a call as one device computes it, and what of it may lie in pieces."""
    call = Call(fn, inputs)
    return call.graph, lambda: call.storing(1)
