"""Graphs and sources as files: `set_context(save_graphs=..., save_graphs_path=...)`.

Level 1 writes the graph of the front end, the final graph and the generated Python; level 2 (and True)
also the graph after every pass; level 3 also those of derivatives, and every line of the program that
leads to a node.  The environment says the same by MS_DEV_SAVE_GRAPHS and MS_DEV_SAVE_GRAPHS_PATH;
MS_DEV_DUMP_IR_PASSES names the stages to write, separated by commas.
"""
from __future__ import annotations

import linecache
import os
from pathlib import Path

from mindspore.core import context
from mindspore.formats.files import atomic
from mindspore.ir import Graph, Loc, text

_LEVELS = ("0", "1", "2", "3")


def wanted() -> tuple[int, str]:
    """The level and the folder in force; level 0 writes nothing.

    Raises:
        ValueError: If the environment names no level.
    """
    state = context.state
    if "save_graphs" in state.given:
        level = state.save_graphs
    else:
        named = os.environ.get("MS_DEV_SAVE_GRAPHS") or "0"
        if named not in _LEVELS:
            raise ValueError(f"For the environment, the 'MS_DEV_SAVE_GRAPHS' must be one of "
                             f"{list(_LEVELS)}, but got {named!r}.")
        level = int(named)
    if "save_graphs_path" in state.given:
        return max(level, 0), state.save_graphs_path
    return max(level, 0), os.environ.get("MS_DEV_SAVE_GRAPHS_PATH") or state.save_graphs_path


class Dump:
    """The files of one compilation: `rank_R/NAME_SERIAL_NN_STAGE.ir`."""

    def __init__(self, level: int, folder: str, name: str, serial: int):
        rank = os.environ.get("RANK_ID") or str(context.parallel.global_rank)
        self.level, self.folder = level, Path(folder, f"rank_{rank}")
        stem = "".join(c if c.isalnum() else "_" for c in name)
        self.stem, self.count = f"{stem}_{serial:04}", 0
        only = os.environ.get("MS_DEV_DUMP_IR_PASSES", "")
        self.only = {part.strip() for part in only.split(",") if part.strip()}

    def graph(self, stage: str, graph: Graph) -> None:
        """The text of a graph after a stage."""
        if self.level > 1 or stage == "front_end":
            self.write(stage, ".ir", listing(graph, self.level > 2))

    def final(self, graph: Graph, source: str) -> None:
        """The graph as it runs, and its source."""
        self.write("final", ".ir", listing(graph, self.level > 2))
        self.write("python", ".py", source)

    def derivative(self, kind: str, graph: Graph, source: str) -> None:
        """One of the two graphs of a derivative."""
        if self.level > 2:
            self.write(kind, ".ir", listing(graph, True))
            self.write(kind, ".py", source)

    def write(self, stage: str, suffix: str, content: str) -> None:
        if self.only and stage not in self.only:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with atomic(self.folder / f"{self.stem}_{self.count:02}_{stage}{suffix}", 0o600) as file:
            file.write(content.encode())
        self.count += 1


def listing(graph: Graph, chains: bool = False) -> str:
    """The text of a graph, every run of nodes under the line of the program that it comes from."""
    return text(graph, lambda loc: line_of(loc, chains))


def line_of(loc: Loc, chain: bool = False) -> str:
    """A line of the program: place, function and text; with `chain` also the lines that called it."""
    shown = (f"{os.path.basename(loc.file)}:{loc.line} in {loc.function}: "
             f"{linecache.getline(loc.file, loc.line).strip()}")
    if chain and loc.caller:
        return f"{shown} <- {line_of(loc.caller, chain)}"
    return shown
