"""Normalisation over the batch, with the ReLU behind it, by generated code: memory is gone over half as often."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.native import machine
from mindspore.compiler.kernels.normalisation import BatchNorm, BatchNormReverse, worth, writing
from mindspore.compiler.targets import Target
from mindspore.core.dtype import float32
from mindspore.ir import ITEM, Aval, Graph, Node
from mindspore.ir.flow import graphs_in
from mindspore.ir.graph import avals_of
from mindspore.operators.im2col_convolution import convolve_windows
from mindspore.operators.normalisation import batch_norm_grad, batch_norm_train
from mindspore.operators.piecewise import AFTER_SIX, hardtanh_grad, relu, relu6, relu_grad

from .products import becomes

_LANES = 8                   # of vectors, at least
_NONE = float("nan")         # a limit that nothing is beyond
_LIMITS = {relu: (0.0, float("inf")), relu6: (0.0, 6.0)}
_PASSED = {relu: (0.0, _NONE), relu6: (0.0, AFTER_SIX)}        # between which gradients pass


def expect_norms(graph: Graph, target: Target | None = None) -> Graph:
    """Let the code be made while the graph is differentiated and written, if it has such normalisations."""
    if (target is None or target.device == "cpu") and any(_suits(n) for n in graph.nodes) and available():
        writing.expect()
    return graph


def generate_norms(graph: Graph, target: Target | None = None) -> Graph:
    """Put generated code in place of normalisations of many elements, in a graph and in those of its control flow."""
    if target is None or (target.device == "cpu" and available() and machine().width >= _LANES):
        for one in graphs_in(graph):
            _in(one)
    return graph


def _in(graph: Graph) -> None:
    if any(n.op is convolve_windows for n in graph.nodes):       # images have the samples innermost there
        return
    found = [n for n in graph.nodes if _suits(n)]
    if found:
        norms = Norms(graph)
        for node in [n for n in found if n.op is batch_norm_train]:
            norms.forward(node)
        for node in [n for n in found if n.op is batch_norm_grad]:
            norms.reverse(node, node.inputs[2], None)            # one without what it belongs to
        norms.finish()


class Norms:
    """Puts kernels in place of the normalisations of a graph."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.users: dict[int, list[Node | None]] = {}
        for node in graph.nodes:
            for x in node.inputs if node.op is not ITEM else ():
                if type(x) is Node:
                    self.users.setdefault(id(x), []).append(node)
        for out in graph.outs:
            if type(out) is Node:
                self.users.setdefault(id(out), []).append(None)
        self.renamed: dict[int, Node] = {}       # what takes the place of limited values, by id
        self.gone: set[int] = set()

    def of(self, x: Node) -> list[Node | None]:
        """The users of a value; None among them for the results of the graph."""
        return self.users.get(id(x), [])

    def forward(self, node: Node) -> None:
        """A normalisation, with its reverse and with what limits it."""
        z, beta = node.items[0], node.inputs[2]
        limiting = [u for u in self.of(z) if u is not None and u.op in _LIMITS]
        limit = limiting[0] if len(limiting) == 1 else None
        fused: set[int] = set()
        for user in self.of(node.items[1]):
            if user is not None and _reverses(user, node):
                dz = user.inputs[0]
                through = limit is not None and self.of(dz) == [user] and _passes(dz, z, limit)
                self.reverse(user, beta, _PASSED[limit.op] if through and limit is not None else None)
                if through:
                    fused.add(id(dz))
        self.gone |= fused
        only = limit is not None and all(u is limit or (u is not None and id(u) in fused) for u in self.of(z))
        if only and limit is not None:
            self.renamed[id(limit)] = z
            self.gone.add(id(limit))
        attrs: dict[str, Any] = {**node.op.attrs, **node.attrs}
        becomes(node, BatchNorm(node.inputs[0].aval, _LIMITS[limit.op] if only and limit is not None else None,
                                avals_of(node), attrs["momentum"], attrs["epsilon"]), node.inputs)

    def reverse(self, node: Node, beta: Any, limits: tuple[float, float] | None) -> None:
        """A reverse; `limits` are those between which its cotangent passes, where they are a part of it."""
        if node.op is not batch_norm_grad:
            return                                               # it was replaced with its normalisation
        dout, x, gamma, mean, scale = node.inputs
        given = dout.inputs[0] if limits is not None else dout
        becomes(node, BatchNormReverse(x.aval, limits, avals_of(node)), (given, x, gamma, beta, mean, scale))

    def finish(self) -> None:
        """Write the graph's nodes anew."""
        self.graph.nodes = [n for n in self.graph.nodes if id(n) not in self.gone]
        for node in self.graph.nodes:
            node.inputs = tuple([self.renamed.get(id(x), x) for x in node.inputs])
        self.graph.outs = [self.renamed.get(id(o), o) for o in self.graph.outs]


def _reverses(user: Node, node: Node) -> bool:
    """Whether a node is the reverse of a normalisation."""
    return _suits(user) and user.op is batch_norm_grad and all(
        mine is theirs for mine, theirs in zip(user.inputs[1:], (*node.inputs[:2], *node.items[1:3]), strict=True))


def _passes(dz: Any, z: Node, limit: Node) -> bool:
    """Whether a cotangent is what passes the limits of a normalisation."""
    if type(dz) is not Node:
        return False
    if limit.op is relu:
        return dz.op is relu_grad and dz.inputs[1] is limit
    return dz.op is hardtanh_grad and dz.inputs[1] is z and (dz.attrs["low"], dz.attrs["high"]) == _PASSED[relu6]


def _suits(node: Node) -> bool:
    """Whether generated code may compute a node, and is faster."""
    if node.op is not batch_norm_train and node.op is not batch_norm_grad:
        return False
    given: Sequence[Any] = [x.aval if type(x) is Node else x for x in node.inputs]
    return all([type(a) is Aval and a.dtype is float32 and not a.weak and all(type(n) is int and n for n in a.shape)
                for a in (*given, *avals_of(node))]) and len(given[0].shape) == 4 and worth(given[0])


__all__ = ["expect_norms", "generate_norms"]
