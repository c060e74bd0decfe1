"""The graph of a program as one of ONNX: operators by their rules, control flow as `If` and `Loop`."""
from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from mindspore.core import log
from mindspore.core.dtype import bool_, float64, int64
from mindspore.eager.tensor import wrap
from mindspore.ir import (
    CALL,
    COND,
    CUSTOM,
    ITEM,
    LOOP,
    Aval,
    Dim,
    Flow,
    Graph,
    Node,
    Real,
    Undecided,
    avals_of,
)
from mindspore.ir.sizes import symbolic
from mindspore.operators.exported import Exported

from .decomposed import decomposed
from .formulas import FORMULAS
from .onnx_kernels import write_kernel

_LARGE = 4096        # elements: a constant that is larger is computed by the file, if ONNX can


class Writing:
    """One program being written.

    Args:
        g: Takes the nodes.
        known: Names of the values of nodes, by id.
    """

    def __init__(self, g: Exported, known: dict[int, Any] | None = None):
        self.g, self.known = g, known or {}
        self.calling: list[Graph] = []

    def graph(self, graph: Graph, given: Sequence[str]) -> list[str]:
        """Write the nodes of a graph for inputs of these names; the names of its results."""
        for param, name in zip(graph.params, given, strict=True):
            self.known[id(param)] = name
            self.g.locate(name, param.aval)
        for node in graph.nodes:
            self.node(node)
        return [self.named(x, x.aval if type(x) is Node else None) for x in graph.outs]

    def node(self, node: Node) -> None:
        """Write one node."""
        scope, self.g.scope = self.g.scope, "/".join(node.origin.scope) or self.g.scope
        with explained(node):
            found = self.flow(node) if type(node.op) is Flow else self.operator(node)
        self.g.scope = scope
        names = (found,) if isinstance(found, str) else tuple(found)
        for name, aval in zip(names, avals_of(node), strict=bool(names)):
            self.g.avals[name] = aval
            self.g.locate(name, aval)
        self.known[id(node)] = names if len(names) != 1 else names[0]

    def operator(self, node: Node) -> Any:
        """Write an operator by its rule; what depends on nothing is computed here."""
        op: Any = node.op
        if op.effect == "io":
            log.warning("The file does not hold the effect of '%s'%s: ONNX has no such operator.", op.name, at(node))
            return ()
        inputs = [self.known[id(x)] if type(x) is Node else x for x in node.inputs]
        if (found := self.folded(node, inputs)) is not None:
            return found
        if any([type(x) is Real for x in inputs]):
            raise NotImplementedError("it takes a float that is computed from sizes which only a run tells")
        known = [self.g.avals[x] for x in inputs if isinstance(x, str)]
        if any([a.dtype.kind == "c" for a in (*known, *avals_of(node))]):
            raise NotImplementedError("ONNX's operators take no complex numbers")
        why = NotImplementedError("it has no form in ONNX")
        if op.onnx_rule is not None:
            try:
                return self.g.apply(op, inputs, node.attrs, results=avals_of(node))
            except NotImplementedError as error:
                why = error
        before = len(self.g.nodes)
        try:
            return write_kernel(self.g, node, inputs, why)
        except NotImplementedError:
            if op.name not in FORMULAS:
                raise
            del self.g.nodes[before:]
            tensors = [name for name, x in zip(inputs, node.inputs, strict=True) if type(x) is Node]
            return self.graph(decomposed(node, why), tensors)

    def folded(self, node: Node, inputs: Sequence[Any]) -> Any:
        """The names of constants that an operator gives, if all that goes in is constant; else None."""
        op: Any = node.op
        names = [x for x in inputs if isinstance(x, str)]
        constants = self.g.constants
        if op.effect or any([x not in constants for x in names]) or symbolic((inputs, node.attrs)) or symbolic(
                tuple([a.shape for a in avals_of(node)])):
            return None
        if op.onnx_rule is not None and sum([math.prod(a.shape) for a in avals_of(node)]) > _LARGE:
            return None
        found = op.kernel(*[self.tensor(x) if isinstance(x, str) else x for x in inputs], **node.attrs)
        return [self.constant(v, aval) for v, aval in zip(found if isinstance(found, (tuple, list)) else (found,),
                                                          avals_of(node), strict=True)]

    def tensor(self, name: str) -> torch.Tensor:
        """A constant as the kernels take it."""
        return torch.from_numpy(np.array(self.g.constants[name])).to(self.g.avals[name].dtype.torch)

    def constant(self, value: torch.Tensor, aval: Aval) -> str:
        """The name of a constant of an aval."""
        name = self.g.constant(wrap(value).asnumpy(), aval.dtype)
        self.g.avals[name] = aval
        return name

    def named(self, x: Any, aval: Aval | None) -> str:
        """The name of a node's value or of a constant."""
        if type(x) is Node:
            return self.known[id(x)]
        if type(x) is Dim:
            found = self.g.add("Squeeze", self.g.size(x))
            self.g.avals[found] = aval or Aval((), int64)
            return found
        if aval is None:
            aval = Aval((), int64 if type(x) is int else bool_ if type(x) is bool else float64)
        found = self.g.constant(x, aval.dtype)
        self.g.avals[found] = aval
        return found

    # ------------------------------------------------------------------ control flow

    def flow(self, node: Node) -> Any:
        """Write a node of control flow."""
        if node.op is ITEM:
            found = self.known[id(node.inputs[0])]
            return found if isinstance(found, str) else found[node.attrs["i"]] if found else ()
        if node.op is COND:
            return self.cond(node)
        if node.op is LOOP:
            return self.loop(node)
        if node.op in (CALL, CUSTOM):
            graph = node.attrs["graph"]
            if any([one is graph for one in self.calling]):
                raise NotImplementedError("ONNX has no recursive functions")
            self.calling.append(graph)
            names = [self.named(x, p.aval) for x, p in zip(node.inputs, graph.params, strict=True)]
            found = self.graph(graph, names)
            self.calling.pop()
            return found
        raise NotImplementedError("it belongs to a derivative")

    def cond(self, node: Node) -> Any:
        """A conditional as `If`: both branches see the values around it."""
        test, *free = node.inputs
        test = self.g.cast(self.named(test, None), bool_)
        parts = {}
        for key, name in (("then", "then_branch"), ("orelse", "else_branch")):
            graph: Graph = node.attrs[key]
            inner, writing = self.inside()
            names = [self.named(x, p.aval) for x, p in zip(free, graph.params, strict=True)]
            inner.outs = self.own(inner, self.typed(writing, graph, names, avals_of(node)))
            parts[name] = inner
        return self.g.add("If", test, results=len(avals_of(node)), **parts)

    def loop(self, node: Node) -> Any:
        """A loop as `Loop`: the test of the first pass before it, that of the next at the end of a pass."""
        if node.attrs.get("pushes") or node.attrs.get("pops"):
            raise NotImplementedError("it is the loop of a derivative")
        test, body = node.attrs["test"], node.attrs["body"]
        avals = [p.aval for p in body.params]
        names = [self.named(x, aval) for x, aval in zip(node.inputs, avals, strict=True)]
        first, = self.graph(test, names)
        inner, writing = self.inside()
        carried = [inner.value(aval) for aval in avals]
        count, going = inner.value(Aval((), int64)), inner.value(Aval((), bool_))
        inner.given = [count, going, *carried]
        values = self.typed(writing, body, carried, avals)
        again, = writing.graph(test, values)
        inner.outs = self.own(inner, [inner.cast(again, bool_), *values])
        return self.g.add("Loop", None, self.g.cast(first, bool_), *names, results=len(avals), body=inner)

    def inside(self) -> tuple[Exported, Writing]:
        """A graph inside of this one, and what writes it."""
        inner = self.g.inner()
        writing = Writing(inner, dict(self.known))
        writing.calling = self.calling
        return inner, writing

    def typed(self, writing: Writing, graph: Graph, given: Sequence[str], avals: Sequence[Aval]) -> list[str]:
        """The results of a graph inside, as values of these avals."""
        found = writing.graph(graph, given)
        names = []
        for name, aval, out in zip(found, avals, graph.outs, strict=True):
            if type(out) is not Node:
                name = writing.named(out, aval)
            cast = writing.g.cast(name, aval.dtype)
            writing.g.avals[cast] = aval
            names.append(cast)
        return names

    def own(self, inner: Exported, names: Sequence[str]) -> list[str]:
        """The same values as results of a graph inside: each made by a node of its own, and once."""
        made = {x for n in inner.nodes for x in n.outputs}
        found: list[str] = []
        for name in names:
            if name not in made or name in found:
                copy = inner.add("Identity", name)
                inner.avals[copy] = inner.avals[name]
                name = copy
            found.append(name)
        return found


def at(node: Node) -> str:
    """Where a node comes from, for messages."""
    return f" at {node.loc}" if node.loc else ""


@contextlib.contextmanager
def explained(node: Node) -> Iterator[None]:
    """Name the operator and the user's line in what cannot be written."""
    try:
        yield
    except (NotImplementedError, Undecided) as error:
        why = f"a size must be known ({error})" if isinstance(error, Undecided) else str(error)
        raise RuntimeError(f"For 'export', the operator '{node.op.name}'{at(node)} cannot be written as ONNX: {why}"
                           f"{'' if why.endswith('.') else '.'}") from None

