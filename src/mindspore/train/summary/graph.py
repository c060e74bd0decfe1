"""Compiled graphs as summaries show them: operators in the boxes of their cells, parameters, constants."""
from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mindspore.core.dtype import DTYPES, DType
from mindspore.formats.events import EVENTS, LIST, NONE, NUMBERS, STRING, TENSOR, TUPLE, TYPE
from mindspore.formats.files import atomic
from mindspore.ir import COND, OPAQUE, Aval, Graph, Node
from mindspore.ir.origin import REVERSE

_ROOT = "Default"


def compiled_graph(cell: Any) -> Any:
    """The graph of the program of a cell that was compiled last; None if it has none, as in PyNative mode."""
    cache = vars(cell).get("_compiled")
    programs = [kept[-1] for kept in cache.programs.values() if kept] if cache is not None else []
    if not programs:
        return None
    program = programs[-1]
    graph = program.prepared or program.graph
    names = [name.removeprefix("param_").removeprefix("in_") for name in program.names]
    return _Drawn(cell).graph(graph, names)


def save_graph(cell: Any, path: Path) -> None:
    """Write the compiled graph of a cell to a file of its own, for reading only; nothing if it has none."""
    found = compiled_graph(cell)
    if found is not None:
        with atomic(path, stat.S_IRUSR) as file:
            file.write(EVENTS.ModelProto(ir_version=1, graph=found).SerializeToString())


class _Drawn:
    """A graph in the making; a value has a name, and constants have names of their own."""

    def __init__(self, cell: Any):
        self.cell, self.message = cell, EVENTS.GraphProto()
        self.names: dict[int, str] = {}
        self.constants: dict[str, str] = {}
        self.numbers: Counter[tuple[str, str]] = Counter()
        self.scopes: dict[tuple[str, ...], str] = {}
        self.entered: set[int] = set()

    def graph(self, graph: Graph, names: Sequence[str]) -> Any:
        """The message of a graph whose parameters have these names."""
        self.message.name = graph.name
        for k, param in enumerate(graph.params):
            name = names[k] if k < len(names) else f"input{k}"
            self.names[id(param)] = name
            made = self.message.parameters.add(name=name)
            _typed(made.type, param.aval)
        self.nodes(graph.nodes)
        for out in graph.outs:
            made = self.message.outputs.add(name=self.text(out))
            if isinstance(out, Node):
                _typed(made.type, out.aval)
        return self.message

    def nodes(self, nodes: Sequence[Node]) -> None:
        """Enter nodes in order. The graphs of a branch or a loop stand before the node that runs them."""
        for node in nodes:
            owned = [value for value in node.attrs.values() if isinstance(value, Graph)]
            self.node(node, [text for graph in owned for text in self.inner(graph, node)])

    def inner(self, graph: Graph, owner: Node) -> list[str]:
        """Enter a graph that a node runs; what it gives. A function that calls itself is entered once."""
        if id(graph) in self.entered:
            return []
        self.entered.add(id(graph))
        given = owner.inputs[1:] if owner.op is COND else owner.inputs
        for k, param in enumerate(graph.params):      # the graph of a loop of a derivative takes values of stacks, too
            self.names[id(param)] = self.text(given[k]) if k < len(given) else f"{graph.name}.input{k}"
        self.nodes(graph.nodes)
        return [self.text(out) for out in graph.outs]

    def node(self, node: Node, results: Sequence[str]) -> None:
        """Enter one node, which also takes the results of the graphs that it runs."""
        name = self.names[id(node)] = str(len(self.message.node) + 1)
        kind, scope = node.op.name, self.scope(node.origin)
        made = self.message.node.add(name=name, op_type=kind, scope=scope)
        for text in [*map(self.text, node.inputs), *results]:
            made.input.add(name=text, type=0)
        for key, value in node.attrs.items():
            if not isinstance(value, Graph):
                _valued(made.attribute.add(name=key).value, value)
        _typed(made.output_type, node.aval)
        made.full_name = f"{scope}/{kind}-op{self.numbers[scope, kind]}"
        self.numbers[scope, kind] += 1
        if node.loc is not None:
            made.source_address = str(node.loc)

    def text(self, value: Any) -> str:
        """The name of a node, a parameter or a constant."""
        if isinstance(value, Node):
            return self.names[id(value)]
        shown = repr(value)
        if shown not in self.constants:
            self.constants[shown] = f"cst{len(self.constants) + 1}"
            _valued(self.message.const_vals.add(key=self.constants[shown]).value, value)
        return self.constants[shown]

    def scope(self, origin: Any) -> str:
        """The box of a node: `Default/network-WithLossCell/_backbone-Net`; those of derivatives are in another."""
        inside = origin.scope[1:]
        found = self.scopes.get(inside)
        if found is None:
            parts, at = [_ROOT], self.cell
            for name in inside:
                at = _part(at, name)
                parts.append(f"{name}-{type(at).__name__}" if at is not None else name)
            found = self.scopes[inside] = "/".join(parts)
        return f"Gradients/{found}" if origin.phase == REVERSE else found


def _part(cell: Any, name: str) -> Any:
    """The cell of that name in a cell, or None."""
    cells = getattr(cell, "_cells", None) or {}
    return cells.get(name)


def _typed(out: Any, aval: Any) -> None:
    """Describe what a value is: a tensor, or several."""
    if aval in OPAQUE:
        out.data_type = NONE
    elif isinstance(aval, Aval):
        out.data_type = TENSOR
        out.tensor_type.elem_type = NUMBERS[aval.dtype.name.removesuffix("_")]
        for extent in aval.shape:
            out.tensor_type.shape.dim.add(size=extent if type(extent) is int else -1)
        out.tensor_type.shape.SetInParent()
    else:
        out.data_type = TUPLE
        for each in aval or ():
            _typed(out.sequence_type.elem_types.add(), each)


def _valued(out: Any, value: Any) -> None:
    """Describe a constant or an attribute; what has no form of its own is a text."""
    if value is None:
        out.dtype = NONE
    elif isinstance(value, bool):
        out.dtype, out.bool_val = NUMBERS["bool"], value
    elif type(value) is int and -2**63 <= value < 2**63:
        out.dtype, out.int_val = NUMBERS["int64"], value
    elif isinstance(value, float):
        out.dtype, out.float_val = NUMBERS["float32"], value
    elif isinstance(value, (tuple, list)):
        out.dtype = TUPLE if isinstance(value, tuple) else LIST
        for each in value:
            _valued(out.values.add(), each)
    elif isinstance(value, DType) and value.name in DTYPES:
        out.dtype, out.type_val.data_type = TYPE, NUMBERS[value.name.removesuffix("_")]
    else:
        out.dtype, out.str_val = STRING, str(value)
