"""The graph of a program as graphs of MindIR: branches and loops are calls of graphs that a value chooses."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.core.dtype import bool_, float32, int64
from mindspore.core.errors import show
from mindspore.eager.tensor import wrap
from mindspore.formats.array import StoredArray
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
    Undecided,
    avals_of,
)
from mindspore.operators.exported import Exported

from .decomposed import decomposed
from .mindir_forms import CALLED, GraphName, write
from .mindir_layers import Places, Plain
from .onnx_graph import at


class Function(NamedTuple):
    """One graph of a file: its name, its nodes, the names of its inputs and of its result."""

    name: str
    g: Exported
    inputs: list[str]
    output: str


class File:
    """What the graphs of a file share: the functions so far, the constants, the names of functions."""

    def __init__(self, name: str):
        self.name = name
        self.functions: list[Function] = []
        self.constants: dict[str, StoredArray] = {}
        self.called: dict[int, str] = {}        # names of recursive functions, by the id of their graph

    def fresh(self, kind: str, g: Exported) -> str:
        """The name of a further function."""
        return f"{self.name}_{kind}_{g.fresh()}"


class Writing:
    """One graph being written.

    Args:
        file: What it shares with the others.
        g: Takes the nodes.
        within: The operators whose kernels are being written: their graphs have no lines of the user's.
    """

    def __init__(self, file: File, g: Exported, within: tuple[str, ...] = ()):
        self.file, self.g, self.within = file, g, within
        self.known: dict[int, Any] = {}

    def graph(self, graph: Graph, given: Sequence[str]) -> list[str]:
        """Write the nodes of a graph for inputs of these names; the names of its results."""
        for param, name in zip(graph.params, given, strict=True):
            self.known[id(param)] = name
            self.g.locate(name, param.aval)
        for node in graph.nodes:
            self.node(node)
        outs = [self.given(x, x.aval if type(x) is Node else _default(x)) for x in graph.outs]
        if not self.within and any([x is None or type(x) is Places for x in outs]):
            raise NotImplementedError("a result of the graph has no form in MindIR")
        return outs

    def node(self, node: Node) -> None:
        """Write one node."""
        try:
            found = self.flow(node) if type(node.op) is Flow else self.operator(node)
        except (NotImplementedError, Undecided) as error:
            if self.within:
                raise
            why = f"a size must be known ({error})" if isinstance(error, Undecided) else str(error)
            raise RuntimeError(f"For 'export', the operator '{node.op.name}'{at(node)} cannot be written as MINDIR: "
                               f"{why.removesuffix('.')}.") from None
        names = found if isinstance(found, tuple) else (found,)
        for name, aval in zip(names, avals_of(node), strict=False):
            if name is not None:
                self.g.avals[name] = aval
                self.g.locate(name, aval)
        self.known[id(node)] = found

    def operator(self, node: Node) -> Any:
        """Write an operator; what depends on nothing is computed here."""
        op: Any = node.op
        if op.effect:
            raise NotImplementedError("it has an effect")
        results = avals_of(node)
        sized = any([type(n) is Dim for a in results for n in a.shape])
        if not any([type(x) in (Node, Dim) for x in node.inputs]) and len(results) == 1 and not sized:
            if "stream" in node.attrs or "stream" in op.attrs:
                raise NotImplementedError("it draws random numbers")
            return self.constant(wrap(op.kernel(*node.inputs, **node.attrs)).asnumpy(), results[0].dtype)
        kinds = [x.aval for x in node.inputs if type(x) is Node and type(x.aval) is Aval and x.aval.dtype is not bool_]
        like = kinds[0] if kinds else results[0]        # a number beside a test is no test
        inputs = [self.given(x, like) for x in node.inputs]
        if any([type(x) is Places for x in inputs]) and op.name != "MaxPoolGrad":
            raise NotImplementedError("the places of maxima have no form in MindIR")
        self.g.results = results
        before = len(self.g.nodes)
        try:
            return write(self.g, op, tuple(inputs), node.attrs)
        except NotImplementedError as error:
            del self.g.nodes[before:]
            return self.kernel(node, inputs, error)

    def kernel(self, node: Node, inputs: Sequence[Any], why: NotImplementedError) -> Any:
        """Write what the kernel of an operator without a form computes."""
        op: Any = node.op
        if op.name in self.within:
            raise why
        inner = Writing(self.file, self.g, (*self.within, op.name))
        tensors = [name for name, x in zip(inputs, node.inputs, strict=True) if type(x) is Node]
        outs = inner.graph(decomposed(node, why), tensors)
        return outs[0] if len(outs) == 1 else tuple(outs)

    def given(self, x: Any, like: Aval) -> Any:
        """The name of an input; numbers are tensors of the type beside them."""
        if x is None:
            return None
        if type(x) is Node:
            found = self.known[id(x)]
            if isinstance(found, tuple):
                found, = found
            if found is None:
                raise NotImplementedError("this result of the operator has no form in MindIR")
            return found
        if type(x) is not Dim and isinstance(x, (bool, int, float)):
            if isinstance(x, float) and not like.dtype.is_floating:
                raise NotImplementedError(f"the number {x} beside integers has no form here")
            return self.constant(np.asarray(x, like.dtype.numpy), like.dtype)
        raise NotImplementedError(f"the input {show(x)} has no form here")

    def constant(self, value: Any, dtype: Any) -> str:
        """The name of a constant tensor."""
        if dtype.name == "bfloat16":
            raise NotImplementedError("a number of the type bfloat16 has no form here")
        name, array = self.g.fresh(), StoredArray(dtype.name, tuple(value.shape), value.tobytes())
        self.g.avals[name] = Aval(array.shape, dtype)
        self.file.constants[name] = array
        return name

    # ------------------------------------------------------------------ control flow

    def flow(self, node: Node) -> Any:
        """Write a node of control flow."""
        if node.op is ITEM:
            whole = self.known[id(node.inputs[0])]
            return whole[node.attrs["i"]] if isinstance(whole, tuple) else whole
        if node.op is COND:
            return self.cond(node)
        if node.op is LOOP:
            return self.loop(node)
        if node.op in (CALL, CUSTOM):
            return self.call(node)
        raise NotImplementedError("it belongs to a derivative")

    def cond(self, node: Node) -> Any:
        """A conditional: the call of one of two graphs, each with the values that it needs."""
        test, *free = node.inputs
        avals = avals_of(node)
        names = [self.given(x, p.aval) for x, p in zip(free, node.attrs["then"].params, strict=True)]
        parts = []
        for key in ("then", "orelse"):
            graph: Graph = node.attrs[key]
            inner, inputs = self.inside([p.aval for p in graph.params])
            outs = inner.typed(inner.graph(graph, inputs), avals)
            parts.append(inner.closed(key, inputs, outs))
        return self.chosen(self.tested(test), [self.g.add("Partial", GraphName(p), *names) for p in parts], avals)

    def loop(self, node: Node) -> Any:
        """A loop: a graph that calls a pass, which calls it again, or gives what is carried."""
        if node.attrs.get("pushes") or node.attrs.get("pops"):
            raise NotImplementedError("it is the loop of a derivative")
        test, body = node.attrs["test"], node.attrs["body"]
        avals = [p.aval for p in body.params]
        names = [self.given(x, aval) for x, aval in zip(node.inputs, avals, strict=True)]
        header = self.file.fresh("loop", self.g)
        inner, inputs = self.inside(avals)
        values = inner.typed(inner.graph(body, inputs), avals)
        again = inner.closed("pass", inputs, inner.g.add(CALLED, GraphName(header), *values))
        inner, inputs = self.inside(avals)
        after = inner.closed("after", inputs, inputs)
        inner, inputs = self.inside(avals)
        out, = inner.graph(test, inputs)
        closures = [inner.g.add("Partial", GraphName(g), *inputs) for g in (again, after)]
        switch = inner.g.add("Switch", inner.as_test(out), *closures)
        inner.closed("loop", inputs, inner.g.add(CALLED, switch), header)
        return self.several(self.g.add(CALLED, GraphName(header), *names), avals)

    def call(self, node: Node) -> Any:
        """The call of a function, which may call itself."""
        graph, avals = node.attrs["graph"], avals_of(node)
        names = [self.given(x, p.aval) for x, p in zip(node.inputs, graph.params, strict=True)]
        if id(graph) not in self.file.called:
            name = self.file.called[id(graph)] = self.file.fresh("function", self.g)
            inner, inputs = self.inside([p.aval for p in graph.params])
            inner.closed("function", inputs, inner.typed(inner.graph(graph, inputs), avals), name)
        return self.several(self.g.add(CALLED, GraphName(self.file.called[id(graph)]), *names), avals)

    def tested(self, test: Any) -> str:
        """The name of a condition."""
        return self.as_test(self.given(test, Aval((), bool_)))

    def as_test(self, name: str) -> str:
        if self.g.avals[name].dtype is bool_:
            return name
        zero = self.constant(np.zeros((), self.g.avals[name].dtype.numpy), self.g.avals[name].dtype)
        found = self.g.add("NotEqual", name, zero)
        self.g.avals[found] = Aval((), bool_)
        return found

    def chosen(self, test: str, closures: Sequence[str], avals: Sequence[Aval]) -> Any:
        """The results of the closure that a condition chooses."""
        return self.several(self.g.add(CALLED, self.g.add("Switch", test, *closures)), avals)

    def several(self, name: str, avals: Sequence[Aval]) -> Any:
        """The results of a call: one, or the items of a tuple."""
        if len(avals) == 1:
            return name
        return tuple([self.g.add("TupleGetItem", name, Plain(k)) for k in range(len(avals))])

    def inside(self, avals: Sequence[Aval]) -> tuple[Writing, list[str]]:
        """What writes a further graph, and names of its inputs."""
        inner = Writing(self.file, Exported(self.g))
        inner.g.sizes.clear()                    # a graph sees nothing of those around it
        names = [inner.g.value(aval) for aval in avals]
        for name, aval in zip(names, avals, strict=True):
            inner.g.locate(name, aval)
        return inner, names

    def typed(self, found: Sequence[str], avals: Sequence[Aval]) -> list[str]:
        """Results of a graph as values of these dtypes."""
        names = []
        for name, aval in zip(found, avals, strict=True):
            if self.g.avals[name].dtype is not aval.dtype:
                name = write(self.g, "Cast", (name,), {"dtype": aval.dtype})
                self.g.avals[name] = aval
            names.append(name)
        return names

    def closed(self, kind: str, inputs: list[str], outs: Sequence[str] | str, name: str = "") -> str:
        """Enter the graph among those of the file; its name. Several results are a tuple."""
        name = name or self.file.fresh(kind, self.g)
        names = [outs] if isinstance(outs, str) else outs
        out = names[0] if len(names) == 1 else self.g.add("MakeTuple", *names)
        self.file.functions.append(Function(name, self.g, inputs, out))
        return name


def _default(x: Any) -> Aval:
    return Aval((), bool_ if isinstance(x, bool) else int64 if isinstance(x, int) else float32)
