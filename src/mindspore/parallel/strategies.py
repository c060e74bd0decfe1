"""Plans written to strategy files and taken from them: `strategy_ckpt_save_file` and its kin.

An operator is known by its cell, its name and its number among the equal ones there, so a file fits the program that
made it, and others that have operators of the same names.
"""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mindspore.core import context
from mindspore.formats.strategy import (
    LayoutRow,
    StrategyFile,
    read_strategy,
    write_groups,
    write_strategy,
)
from mindspore.ir import ITEM, Graph, Node

from .choices import Choice
from .files import devices_of, row_of
from .placement import Mesh, Placement, Shard
from .splitting import Plan
from .storing import Stored, Storing

operator_files: dict[str, str] = {}       # by mode, what `set_op_strategy_config` named


def set_op_strategy_config(mode="SAVE", path=""):
    """Let the next programs save the strategies of their operators in a JSON file, or take them from it.

    Args:
        mode: "SAVE" or "LOAD".
        path: The file: an absolute path that ends with .json.

    Raises:
        KeyError: The mode is another one, or the path is not absolute or does not end with .json.

    Examples:
        >>> import os
        >>> mindspore.parallel.set_op_strategy_config("SAVE", os.path.abspath("strategies.json"))
        >>> mindspore.parallel.strategies.operator_files.clear()
    """
    if not os.path.isabs(path):
        raise KeyError("File path must be an absolute path")
    if not path.endswith(".json"):
        raise KeyError("File type must be json")
    if mode not in ("SAVE", "LOAD"):
        raise KeyError("Mode must be 'SAVE' or 'LOAD'")
    operator_files.clear()
    operator_files[mode] = path


def names_of(graph: Graph) -> dict[int, str]:
    """The names of the operators of a graph, by id."""
    count: dict[str, int] = {}
    found: dict[int, str] = {}
    for node in graph.nodes:
        if node.op is not ITEM:
            name = "/".join(["Default", *node.origin.scope, node.op.name])
            if node.origin.phase != "forward":
                name = f"{node.origin.phase}/{name}"
            k = count[name] = count.get(name, -1) + 1
            found[id(node)] = f"{name}-op{k}"
    return found


def parts_of(placement: Placement | None, rank: int, grid: Mesh) -> tuple[int, ...]:
    """Into how many parts each dimension of a tensor is cut."""
    found = [1] * rank
    for state, n in zip(placement or grid.whole, grid.shape, strict=True):
        if isinstance(state, Shard):
            found[state.dim] *= n
    return tuple(found)


def parts_of_inputs(node: Node, choice: Choice, grid: Mesh) -> list[list[int]]:
    """The strategy of a node: for each tensor among its inputs the numbers of parts of its dimensions."""
    return [list(parts_of(p, len(x.aval.shape), grid)) for x, p in zip(node.inputs, choice.inputs, strict=True)
            if p is not None]


# ---------------------------------------------------------------------- saved

def save_plan(graph: Graph, plan: Plan, parameters: Mapping[int, Any], stage: int = 0) -> None:
    """Write what the context asks for.

    Every process of a stage does: under one name the same, and some programs give each a name of its own.

    Args:
        parameters: By id of an input of the graph the parameter that it represents.
        stage: The stage.
    """
    config = context.parallel.strategy_ckpt_config
    layouts = config["save_file"] or context.parallel.strategy_ckpt_save_file
    operators = operator_files.get("SAVE", "")
    if layouts:
        write(layouts, content_of(graph, plan, parameters, config["only_trainable_params"], stage))
    if operators:
        write(operators, content_of(graph, plan, {}, True, stage))


def save_groups(plan: Plan, device: int, first: int) -> None:
    """Write the file of groups that the context asks for, which every process does: with a name of its own each.

    It lists the lines of the mesh that the process is on, and the processes that hold the pieces that it holds, the
    checkpoint of any of which will do.

    Args:
        device: The number of this process in its stage.
        first: The number of the first process of the stage.
    """
    path = context.parallel.group_ckpt_save_file
    if not path:
        return
    mesh, here = plan.mesh, plan.mesh.place(device)
    cut = {axis for placement in plan.stored.values() for axis, state in enumerate(placement)
           if isinstance(state, Shard)}
    twins = [first + d for d in range(mesh.size) if all([mesh.place(d)[axis] == here[axis] for axis in cut])]
    lines = [[first + d for d in mesh.line(device, axis)] for axis in range(len(mesh.shape))]
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    write_groups(path, {"devices " + " ".join(map(str, line)): line for line in lines}, twins)


def write(path: str, content: StrategyFile) -> None:
    """Write a file and the folders above it."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
    write_strategy(path, content)


def content_of(graph: Graph, plan: Plan, parameters: Mapping[int, Any], trainable: bool,
               stage: int = 0) -> StrategyFile:
    """What a file says of a plan; `trainable`, of the layouts only those of trainable parameters."""
    found, names = StrategyFile(stage), names_of(graph)
    for node in graph.nodes:
        choice = plan.chosen.get(id(node))
        if choice is not None and node.origin.phase == "forward" and any([p is not None for p in choice.inputs]):
            found.strategies[names[id(node)]] = stage, parts_of_inputs(node, choice, plan.mesh)
    for p in graph.params:
        parameter = parameters.get(id(p))
        if parameter is not None and (parameter.requires_grad or not trainable):
            stored = Stored(plan.mesh, plan.stored.get(id(p), plan.mesh.whole), tuple(p.aval.shape))
            found.layouts[parameter.name] = row_of(stored, 0)
    return found


# ---------------------------------------------------------------------- loaded

def load_plan() -> StrategyFile | None:
    """What the file says that the context names; None if it names none.

    Raises:
        ValueError: There is no such file.
    """
    found: StrategyFile | None = None
    for path, layouts in ((operator_files.get("LOAD", ""), False),
                          (context.parallel.strategy_ckpt_config["load_file"]
                           or context.parallel.strategy_ckpt_load_file, True)):
        if not path:
            continue
        if not os.path.isfile(path):
            raise ValueError(f"For 'set_auto_parallel_context', there is no strategy file {path}.")
        one = read_strategy(path)
        found = StrategyFile(0, {**(found.strategies if found else {}), **one.strategies},
                             one.layouts if layouts else {})
    return found


def lay_as(storing: Storing, layouts: Mapping[str, LayoutRow], parameters: Mapping[int, Any], mesh: Mesh) -> None:
    """Let parameters lie as a file says.

    Raises:
        ValueError: The file is for another number of processes, or for axes that this mesh does not have.
    """
    for key, parameter in parameters.items():
        row = layouts.get(parameter.name)
        if row is not None and key in storing.free:
            storing.free.discard(key)
            storing.fixed[key] = placement_of(parameter.name, row, mesh)


def placement_of(name: str, row: LayoutRow, mesh: Mesh) -> Placement:
    """The placement on a mesh that a row of a file describes.

    Raises:
        ValueError: It does not fit the mesh.
    """
    cut: list[int | None] = []                    # for each axis of the row the dimension that it cuts
    for k in range(len(row.dev_matrix)):
        v = len(row.dev_matrix) - 1 - k
        cut.append(next((d for d, e in enumerate(row.tensor_map) if v in (e if isinstance(e, tuple) else (e,))), None))
    found, axis = list(mesh.whole), 0
    for n, dim in zip(row.dev_matrix, cut, strict=True):
        left = n
        while left > 1 and axis < len(mesh.shape) and left % mesh.shape[axis] == 0:
            if dim is not None:
                found[axis] = Shard(dim)
            left //= mesh.shape[axis]
            axis += 1
        if left > 1:
            break
    if axis < len(mesh.shape) or devices_of(row) != mesh.size or row.size > 1 or row.field > 1:
        raise ValueError(f"The strategy file lets '{name}' lie over the devices {row.dev_matrix} as {row.tensor_map}, "
                         f"which does not fit the {mesh.size} processes, whose mesh is {mesh.shape}.")
    return tuple(found)


def fitting(node: Node, every: Sequence[Choice], wanted: Sequence[Sequence[int]], grid: Mesh) -> list[Choice]:
    """The choices of a node that a strategy of a file describes; all if it describes none of them."""
    return [c for c in every if parts_of_inputs(node, c, grid) == [list(w) for w in wanted]] or list(every)
