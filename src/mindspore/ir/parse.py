"""The parser of the text form: what `text` prints becomes a graph again."""
from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from mindspore.core.dtype import DTYPES

from . import flow
from .graph import ITEM, RESIDUAL, STACK, Aval, Flow, Graph, Node

_SHORT = {d.short: d for d in DTYPES.values()}
_FLOW = {f.name: f for f in (ITEM, *vars(flow).values()) if isinstance(f, Flow)}
_HEAD = re.compile(r"(?:(\w+) = )?graph ([\w<>.]+)\((.*)\):$")
_NODE = re.compile(r"(%\d+) = ([\w<>.]+)\((.*)\)\s+: (.*)$")
_PLAIN = re.compile(r"f\([^'\"\[\]{}()]*(?:\([^'\"\[\]{}()]*\)[^'\"\[\]{}()]*)*\)$")
_PARTS = re.compile(r"\s*((?:[^,()]|\([^()]*\))+)")
_AVAL = re.compile(r"(~?)(\w+)\[([\d,]*)\]|residual|stack")


class Parser:
    """Reads one text; operators are looked up by name in `operators`."""

    def __init__(self, text: str, operators: Mapping[str, Any]):
        lines = [line.split("  # ")[0].rstrip() for line in text.splitlines()]
        self.lines = [line for line in lines if line.strip()]
        self.operators, self.at = operators, 0
        self.graphs: dict[str, Graph] = {}
        self.literals: dict[str, Any] = {}
        self.calls: list[Node] = []

    def parse(self) -> Graph:
        """The first graph of the text, with the graphs that it calls."""
        first = None
        while self.at < len(self.lines):
            graph = self.graph({})
            self.graphs[graph.name] = graph
            first = first or graph
        for node in self.calls:
            node.attrs["graph"] = self.graphs[node.attrs["graph"]]
        if first is None:
            raise ValueError("The text holds no graph.")
        return first

    def error(self, what: str) -> ValueError:
        return ValueError(f"Line {self.at + 1} of the text of a graph: {what}: {self.lines[self.at]!r}")

    def indent(self) -> int:
        line = self.lines[self.at]
        return len(line) - len(line.lstrip())

    def graph(self, outer: dict[str, Node]) -> Graph:
        found = _HEAD.match(self.lines[self.at].strip())
        if not found:
            raise self.error("expected 'graph name(parameters):'")
        depth, graph, names = self.indent(), Graph(found[2]), dict(outer)
        for part in re.findall(r"([%\w]+): (~?\w+\[[\d,]*\]|residual|stack)", found[3]):
            names[part[0]] = Node(None, (), {}, self.aval(part[1]))
            graph.params.append(names[part[0]])
        self.at += 1
        while self.at < len(self.lines) and self.indent() > depth:
            line = self.lines[self.at].strip()
            if line.startswith("return"):
                values = self.call(f"f({line[6:].strip()})", names)[0]
                graph.outs = list(values)
                self.at += 1
                return graph
            self.node(line, graph, names)
        raise ValueError(f"The graph '{graph.name}' has no 'return'.")

    def node(self, line: str, graph: Graph, names: dict[str, Node]) -> None:
        found = _NODE.match(line)
        if not found:
            raise self.error("expected '%n = Operator(inputs) : type'")
        name, op_name, args, kind = found.groups()
        op = self.operators.get(op_name) or _FLOW.get(op_name)
        if op is None:
            raise self.error(f"unknown operator '{op_name}'")
        inputs, attrs = self.call(f"f({args})", names)
        several = kind.startswith("(")
        aval = tuple([self.aval(m[0]) for m in re.finditer(_AVAL, kind)]) if several else self.aval(kind)
        if op is ITEM:
            node = inputs[0].items[attrs["i"]]
        else:
            node = Node(op, tuple(inputs), attrs, aval)
            if several:
                node.items = tuple([Node(ITEM, (node,), {"i": i}, a, None)
                                    for i, a in enumerate(node.aval)])
        names[name] = node
        graph.nodes.append(node)
        if op is flow.CALL:
            self.calls.append(node)
        depth = self.indent()
        self.at += 1
        while self.at < len(self.lines) and self.indent() > depth:
            head = _HEAD.match(self.lines[self.at].strip())
            if not head or not head[1]:
                raise self.error("expected a sub-graph")
            node.attrs[head[1]] = self.graph(names)

    def call(self, text: str, names: dict[str, Node]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments of a call written as text."""
        return self.plain(text, names) if _PLAIN.match(text) else self.general(text, names)

    def general(self, text: str, names: dict[str, Node]) -> tuple[list[Any], dict[str, Any]]:
        """The same for any call."""
        call = ast.parse(re.sub(r"%(\d+)", r"_\1", text), mode="eval").body
        assert isinstance(call, ast.Call)

        def value(e: ast.expr) -> Any:
            if isinstance(e, ast.Name) and e.id in ("inf", "nan"):
                return float(e.id)
            if isinstance(e, ast.UnaryOp) and isinstance(e.operand, ast.Name):
                return -value(e.operand)
            if isinstance(e, ast.Name):
                key = f"%{e.id[1:]}" if e.id[0] == "_" else e.id
                found = names[key] if key in names else _SHORT.get(e.id)
                if found is None:
                    raise self.error(f"unknown value '{key}'")
                return found
            if isinstance(e, ast.Tuple):
                return tuple([value(x) for x in e.elts])
            return ast.literal_eval(e)
        return [value(a) for a in call.args], {k.arg or "": value(k.value) for k in call.keywords}

    def plain(self, text: str, names: dict[str, Node]) -> tuple[list[Any], dict[str, Any]]:
        """The same for a call without strings and nested brackets, as most are."""
        inputs: list[Any] = []
        attrs: dict[str, Any] = {}
        for part in _PARTS.findall(text[2:-1]):
            key, sign, value = part.rpartition("=")
            found = names.get(value)
            if found is None:
                found = _SHORT.get(value)
            if found is None:
                if value not in self.literals:
                    self.literals[value] = self.general(f"f({value})", names)[0][0]
                found = self.literals[value]
            if sign:
                attrs[key] = found
            else:
                inputs.append(found)
        return inputs, attrs

    def aval(self, text: str) -> Aval:
        if text in ("residual", "stack"):
            return RESIDUAL if text == "residual" else STACK
        found = _AVAL.match(text)
        if not found or found[2] not in _SHORT:
            raise self.error(f"unknown type '{text}'")
        return Aval(tuple([int(n) for n in found[3].split(",") if n]), _SHORT[found[2]], bool(found[1]))


def parse(text: str, operators: Mapping[str, Any]) -> Graph:
    """The graph of a text.

    Raises:
        ValueError: If the text is not of the form that `text` prints, with the line.
    """
    return Parser(text, operators).parse()
