"""Checkpoints of one layout as those of another: what some processes saved, for other numbers and ways to cut.

Each process saves its pieces; strategy files say which. A name that they lack follows the parameter whose name it ends
with, if the pieces are equally shaped (`moments.w` lies as `w`), and is otherwise whole in every file.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import wrap
from mindspore.formats.strategy import LayoutRow, StrategyFile, read_strategy, staged
from mindspore.parallel.files import cut, devices_of, holders, joined, number

from .serialization import load_checkpoint, save_checkpoint


class Plan:
    """How parameters lie over processes: the layouts of one or several stages.

    Args:
        content: A strategy file; None where every parameter is whole in one process.
    """

    def __init__(self, content: StrategyFile | None):
        self.layouts: dict[int, dict[str, LayoutRow]] = {}
        for name, row in (content.layouts if content else {}).items():
            stage, plain = staged(name)
            self.layouts.setdefault(stage or 0, {})[plain] = row
        rows = [row for line in self.layouts.values() for row in line.values()]
        self.devices = devices_of(rows[0]) if rows else 1
        self.size = self.devices * (max(self.layouts, default=0) + 1)
        wrong = [name for line in self.layouts.values() for name, row in line.items() if devices_of(row)
                 != self.devices]
        if wrong:
            raise ValueError(f"The layouts of a strategy file must be for the same number of devices, but '{wrong[0]}' "
                             f"lies over others than the {self.devices} of the first.")

    def row(self, stage: int, name: str, shape: Sequence[int], known: Callable[[str], Any]) -> LayoutRow | None:
        """How a parameter lies in a stage; None for whole.

        Args:
            shape: The shape that `known` must say of the parameter whose layout it shares.
        """
        line = self.layouts.get(stage, {})
        if name in line:
            return line[name]
        return next((line[n] for n in ends(name) if n in line and known(n) == tuple(shape)), None)


Files = Mapping[int, Mapping[str, torch.Tensor]]


class Source:
    """The parameters that processes saved.

    Args:
        plan: How they lie.
        files: By number of a process its pieces.
    """

    def __init__(self, plan: Plan, files: Files):
        self.plan, self.files = plan, files
        self._wholes: dict[str, torch.Tensor] = {}
        self.stages: dict[str, int] = {}
        for rank, held in files.items():
            for name in held:
                self.stages.setdefault(name, rank // plan.devices)

    def renamed(self, names: Mapping[str, str]) -> None:
        """Give parameters other names."""
        if names:
            self._wholes = {names.get(name, name): self.whole(name) for name in self.stages}
            self.stages = {names.get(name, name): stage for name, stage in self.stages.items()}

    def whole(self, name: str) -> torch.Tensor:
        """A parameter, put together.

        Raises:
            ValueError: A piece is missing.
        """
        if name not in self._wholes:
            self._wholes[name] = self._joined(name)
        return self._wholes[name]

    def _joined(self, name: str) -> torch.Tensor:
        stage = self.stages[name]
        first = stage * self.plan.devices
        held = {r - first: self.files[r][name] for r in self.files
                if first <= r < first + self.plan.devices and name in self.files[r]}
        if self.plan.layouts and not held:
            raise ValueError(f"The parameter '{name}' is in no file of stage {stage}.")
        rank, one = next(iter(held.items()))
        row = self.plan.row(stage, name, one.shape, lambda n: _shape(self.files[rank + first], n))
        if row is None:
            return one
        missing = {k: r for k, r in holders(row).items() if k not in {number(row, r) for r in held}}
        if missing:
            raise ValueError(f"The checkpoint file of rank {first + min(missing.values())} is missing: it has a piece "
                             f"of the parameter '{name}'.")
        return joined([held.get(r) for r in range(self.plan.devices)], row, torch.cat)


def _shape(held: Mapping[str, torch.Tensor], name: str) -> tuple[int, ...] | None:
    return tuple(held[name].shape) if name in held else None


def pieces_for(rank: int, source: Source, target: Plan) -> dict[str, torch.Tensor]:
    """What a process of another layout has."""
    stage, place = divmod(rank, target.devices)
    line = target.layouts.get(stage, {})
    elsewhere = {name for other in target.layouts.values() for name in other} - line.keys()
    found: dict[str, torch.Tensor] = {}
    for name in source.stages:
        owner = next((n for n in ends(name) if n in line or n in elsewhere), None)
        if owner in elsewhere:
            continue
        row = None if owner is None else target.row(stage, name, source.whole(name).shape, lambda n: (
            tuple(source.whole(n).shape) if n in source.stages else None))
        found[name] = source.whole(name) if row is None else cut(source.whole(name), row, place)
    return found


def ends(name: str) -> Iterator[str]:
    """The name, and what is left of it without its first words."""
    yield name
    while "." in name:
        name = name.partition(".")[2]
        yield name


# ---------------------------------------------------------------------- files

def strategy_of(name: str, path: Any) -> StrategyFile:
    """The content of a strategy file, which has to be there."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"For '{name}', the argument 'strategy_filename' should be string, but got {type(path)}.")
    if not os.path.isfile(path):
        raise ValueError(f"For '{name}', no such strategy file: {path}. Please check whether the 'strategy_filename' "
                         "exists.")
    return read_strategy(os.fspath(path))


def read_plan(path: Any) -> Plan:
    """How a strategy file lets parameters lie; whole for None."""
    return Plan(None if path is None else strategy_of("build_searched_strategy", path))


def checkpoint_files(folder: Any, suffix: str = "") -> dict[int, str]:
    """By number of a process the last file in its folder `rank_N`."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"The 'src_checkpoints_dir' must be a folder with a folder rank_N for each process, "
                                 f"but there is no folder {folder}.")
    found: dict[int, str] = {}
    for entry in os.listdir(folder):
        match = re.fullmatch(r"rank_(\d+)", entry)
        names = [os.path.join(folder, entry, f) for f in os.listdir(os.path.join(folder, entry))
                 if f.endswith((f"{suffix}.ckpt", f"{suffix}.safetensors"))] if match else []
        if match and names:
            found[int(match[1])] = max(names, key=lambda p: (os.stat(p).st_mtime_ns, p))
    if not found:
        raise ValueError(f"The folder {folder} has no checkpoint 'rank_N/*{suffix}.ckpt' or .safetensors.")
    return dict(sorted(found.items()))


def read_file(path: str) -> dict[str, torch.Tensor]:
    """The tensors of a checkpoint."""
    form = "safetensors" if path.endswith(".safetensors") else "ckpt"
    return {name: p._data for name, p in load_checkpoint(path, format=form).items() if isinstance(p, Parameter)}


def write_file(path: str, held: Mapping[str, torch.Tensor]) -> None:
    """Write tensors as a checkpoint."""
    form = "safetensors" if path.endswith(".safetensors") else "ckpt"
    save_checkpoint([{"name": name, "data": wrap(x.contiguous())} for name, x in held.items()], path, format=form)
