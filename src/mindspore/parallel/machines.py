"""Machines that files describe, as `calibrate` writes them."""
from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

from mindspore.core import json_shapes, json_text
from mindspore.core.errors import shortened, show
from mindspore.formats.files import atomic

from .costs import Machine

VARIABLE = "MS_MACHINE_FILE"
REMEDY = "Make one by 'python -m mindspore.parallel.calibrate FILE'."


def write(machine: Machine, path: str | Path) -> None:
    """Write a machine as JSON; the file is there as a whole, or as it was."""
    values = {f.name: getattr(machine, f.name) for f in dataclasses.fields(machine) if not f.name.startswith("_")}
    with atomic(path) as file:
        file.write(json.dumps(values, indent=1).encode() + b"\n")


def read(path: str | Path) -> Machine:
    """The machine that a file describes.

    Raises:
        ValueError: There is no such file, or it describes none.
    """
    names = {f.name for f in dataclasses.fields(Machine) if not f.name.startswith("_")} - {"tables"}
    try:
        values = json_shapes.made(dict[str, Any], json_text.read(path))
        tables = json_shapes.made(dict[str, list[tuple[float, float]]], values.pop("tables", {}))
        link = json_shapes.made(tuple[float, ...], values.pop("link"))
        found = json_shapes.made(dict[str, float], values)
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"The file {str(path)!r} ({VARIABLE}) does not describe a machine: {shortened(error)}. "
                         f"{REMEDY}") from None
    if set(found) | {"link"} != names or not link or min([*found.values(), *link]) < 0 or not (
            found["flops"] and found["memory"] and all(link)):
        raise ValueError(f"The file {str(path)!r} ({VARIABLE}) must have positive numbers: {', '.join(sorted(names))}; "
                         f"it has {show(values)} and link {show(link)}. {REMEDY}")
    wrong = [name for name, rows in tables.items() if not rows or min(map(min, rows)) <= 0
             or [size for size, _ in rows] != sorted({size for size, _ in rows})]
    if wrong:
        raise ValueError(f"The file {str(path)!r} ({VARIABLE}) must have sizes in ascending order, and positive "
                         f"seconds, in its tables, but {show(wrong[0])} has {show(tables[wrong[0]])}. {REMEDY}")
    return Machine(found["flops"], found["memory"], found["start"], link, found["latency"], tables)


_known: dict[str, Machine] = {}


def given() -> Machine:
    """The machine that the environment names; without one, a usual one."""
    path = os.environ.get(VARIABLE, "")
    if not path:
        return Machine()
    if path not in _known:
        _known[path] = read(path)
    return _known[path]
