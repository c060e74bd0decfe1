"""Where parameters and nodes come from, as plain values: the user's lines and the origins."""
from __future__ import annotations

import ast
from typing import Any

from mindspore.ir import Graph, Loc, Node, graphs_in
from mindspore.ir.origin import Origin

from .fingerprint import Unstorable


def packed_places(graph: Graph) -> Any:
    """Where parameters and nodes come from: tables of the user's lines and of origins, and the rows of each."""
    table: list[Any] = []
    rows: dict[int, int] = {}

    def row(loc: Loc | None) -> int:
        if loc is None:
            return -1
        if id(loc) not in rows:
            caller = row(loc.caller)
            rows[id(loc)] = len(table)
            table.append([loc.file, loc.line, loc.function, caller])
        return rows[id(loc)]
    origins: dict[Origin, int] = {}
    places = [[row(node.loc), origins.setdefault(node.origin, len(origins))] for node in _values(graph)]
    return [table, [_packed_origin(one) for one in origins], places]


def _packed_origin(origin: Origin) -> Any:
    notes = repr(dict(origin.notes))
    try:
        if ast.literal_eval(notes) == origin.notes:
            return [origin.scope, origin.phase, notes]
    except (ValueError, SyntaxError):        # a layout, say
        pass
    raise Unstorable(f"a note about operators: {notes}")


def restore_places(graph: Graph, table: list[Any], origins: list[Any], nodes: list[Any]) -> None:
    """Give the parameters and nodes of a graph that was read what `packed_places` wrote down."""
    locs: list[Loc] = []
    caller: int
    for file, line, function, caller in table:
        locs.append(Loc(file, line, function, locs[caller] if caller >= 0 else None))
    known = [Origin(tuple(scope), phase, ast.literal_eval(notes)) for scope, phase, notes in origins]
    for node, (row, origin) in zip(_values(graph), nodes, strict=True):
        node.loc, node.origin = locs[row] if row >= 0 else None, known[origin]


def _values(graph: Graph) -> list[Node]:
    """The parameters and nodes of a graph and of all graphs below it, in the order of the text."""
    return [node for one in graphs_in(graph) for node in (*one.params, *one.nodes)]
