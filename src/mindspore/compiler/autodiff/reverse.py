"""The reverse sweep.

`pull` appends to the current block the cotangents of chosen nodes.  A node of control flow that the
sweep meets is augmented in place: it also returns a residual, what its reverse needs, packed into one
opaque value.  The cotangent of an opaque value is the same structure, so that differentiating twice
needs no new rule; the reverse of a loop is a loop that pops what the first one pushed.
"""
from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from mindspore.core.errors import GraphValueError
from mindspore.core.kinds import is_tuple
from mindspore.ir import (
    CALL,
    COND,
    CUSTOM,
    ITEM,
    LOOP,
    OPAQUE,
    PACK,
    RESIDUAL,
    STACK,
    TREE_ADD,
    UNPACK,
    ZERO,
    Aval,
    Graph,
    Node,
    close,
    emit,
    emit_items,
    param,
    recording,
    strong_of,
    substitute,
    symbols_of,
)
from mindspore.ir.origin import REVERSE
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY, Operator
from mindspore.operators.rules import Part
from mindspore.operators.torch_reverse import reverse_of

from .copying import inline


def differentiable(x: Any, integers: bool = False) -> bool:
    """Whether a value has a cotangent; integers and bools only where somebody asks for theirs."""
    return type(x) is Node and (x.aval in OPAQUE or integers or x.aval.dtype.is_differentiable)


def meets_integers(nodes: Sequence[Node]) -> bool:
    """Whether floats become integers in some of the nodes or below, so that a cotangent of floats may pass those."""
    todo, seen = [nodes], {id(nodes)}
    for block in todo:
        for node in block:
            if node.op is structure.cast:
                if not node.aval.dtype.is_differentiable and differentiable(node.inputs[0]):
                    return True
            elif type(node.op) is not Operator:
                for graph in node.attrs.values():
                    if isinstance(graph, Graph) and id(graph.nodes) not in seen:
                        seen.add(id(graph.nodes))
                        todo.append(graph.nodes)
    return False


def seed_like(aval: Aval, value: float) -> Any:
    """A constant cotangent for a value of that aval."""
    if aval in OPAQUE:
        return emit(ZERO, (), {}, aval)
    return structure.full(shape=aval.shape, value=value, dtype=aval.dtype)


def pull(nodes: list[Node], outs: Sequence[Any], douts: Sequence[Any],
         wanted: Sequence[Node]) -> list[Any]:
    """Cotangents of `wanted` (nodes or parameters that `nodes` build on), None where there are none."""
    return Sweep(nodes, wanted).run(outs, douts)


class Sweep:
    """One reverse sweep over the nodes of a block."""

    def __init__(self, nodes: list[Node], wanted: Sequence[Node], integers: bool | None = None):
        self.block, self.nodes, self.wanted = nodes, list(nodes), wanted
        self.cotangents: dict[int, Any] = {}
        if integers is None:
            integers = not all([differentiable(w) for w in wanted])
        self.integers = integers or meets_integers(nodes)
        self.reach = self.dependent()

    def dependent(self) -> set[int]:
        """The ids of the nodes that depend on a wanted one."""
        reach = {id(w) for w in self.wanted}
        for node in self.nodes:
            if id(node) not in reach and node.op is not structure.stop_gradient:
                for x in node.inputs:
                    if type(x) is Node and id(x) in reach:
                        reach.add(id(node))
                        break
        return reach

    def run(self, outs: Sequence[Any], douts: Sequence[Any]) -> list[Any]:
        for out, dout in zip(outs, douts, strict=True):
            if dout is not None:
                self.give(out, dout)
        loc, origin = runtime.loc, runtime.origin
        for node in reversed(self.nodes):
            d = self.cotangents.get(id(node))
            if d is None or id(node) not in self.reach:
                continue
            runtime.loc, runtime.origin = node.loc, node.origin.during(REVERSE)
            self.step(node, d)
        runtime.loc, runtime.origin = loc, origin
        return [self.cotangents.get(id(w)) for w in self.wanted]

    def give(self, x: Any, d: Any) -> None:
        """Add a cotangent to those of a value, if it is needed."""
        if type(x) is not Node or id(x) not in self.reach:
            return
        aval = x.aval
        if not differentiable(x, self.integers):
            return
        if type(d) is FunctionType:
            d = d()
        elif type(d) is Part:
            d = d.whole()
        if d is None:
            return
        held = self.cotangents.get(id(x))
        if held is None:
            self.cotangents[id(x)] = d
        elif aval in OPAQUE:
            self.cotangents[id(x)] = emit(TREE_ADD, (held, d), {}, x.aval)
        else:
            self.cotangents[id(x)] = REGISTRY["Add"](held, d)

    def step(self, node: Node, d: Any) -> None:
        """Hand the cotangent of a node on to its inputs."""
        op = node.op
        if op is ITEM:
            owner = node.inputs[0]
            slots = self.cotangents.setdefault(id(owner), [None] * len(owner.aval))
            slots[node.attrs["i"]] = d
        elif type(op) is Operator:
            self.apply(node, d)
        elif op is PACK:
            parts = emit_items(UNPACK, [d], {"zeros": True}, [x.aval for x in node.inputs])
            for x, dx in zip(node.inputs, parts, strict=True):
                self.give(x, dx)
        elif op is UNPACK:
            filled = [seed_like(a, 0) if x is None else x
                      for x, a in zip(d, node.aval, strict=True)]
            self.give(node.inputs[0], emit(PACK, tuple(filled), {}, RESIDUAL))
        elif op is CUSTOM:
            self.custom(node, d)
        elif op in (COND, LOOP, CALL):
            self.flow(node, d)

    def apply(self, node: Node, d: Any) -> None:
        op = node.op
        several = type(node.aval) is tuple
        out = node.items if several else node
        dout = tuple(d) if several else d
        if op.rule is not None:
            found = op.cotangents(node.inputs, out, dout, node.attrs)
        elif op.via_torch:
            douts = d if several else [d]
            avals = node.aval if several else (node.aval,)
            filled = [seed_like(a, 0) if x is None and a.dtype.is_differentiable else x
                      for x, a in zip(douts, avals, strict=True)]
            found = reverse_of(op, len(node.inputs))(*node.inputs, *filled, **node.attrs)
            found = found if is_tuple(found) else (found,)
        else:
            return
        for x, dx in zip(node.inputs, found, strict=False):
            self.give(x, dx)

    def custom(self, node: Node, d: Any) -> None:
        """A function with a derivative of its own (a cell's `bprop`, a hook)."""
        filled = [seed_like(a, 0) if x is None else x for x, a in zip(d, node.aval, strict=True)]
        found = node.attrs["rule"](node.inputs, node.items, filled)
        for x, dx in zip(node.inputs, found, strict=False):
            self.give(x, dx)

    def flow(self, node: Node, d: Any) -> None:
        """Augment a node of control flow and emit its reverse."""
        avals = strong_of(node.aval)
        reverse, residual = augment(node, self.block, self.integers)
        self.reach.add(id(residual))
        head = node.inputs[:1] if node.op is COND else ()
        filled = [seed_like(a, 0) if x is None else x for x, a in zip(d, avals, strict=True)]
        args = [x for x in node.inputs[len(head):] if node.op is LOOP or differentiable(x, self.integers)]
        if node.op is LOOP:           # the reverse pops what was pushed, and pushes what was popped
            pops, pushes = node.attrs.get("pops", 0), node.attrs["pushes"]
            back = emit_items(LOOP, [*filled, residual],
                              {"body": reverse["body"], "test": None, "pops": pushes, "pushes": pops},
                              [*avals[:len(avals) - pushes + 1], *[STACK] * pops])
        else:
            back = emit_items(node.op, [*head, residual, *filled], reverse, [x.aval.strong for x in args])
        for x, dx in zip(args, back, strict=False):
            self.give(x, dx)


def _in_type_of(wanted: Node, d: Any) -> Any:
    """A cotangent in the dtype of its value, which control flow keeps; integers may get one of floats."""
    if wanted.aval in OPAQUE or d.dtype is wanted.aval.dtype:
        return d
    return structure.cast(d, dtype=wanted.aval.dtype)


def augment(node: Node, block: list[Node], integers: bool) -> tuple[dict[str, Graph], Node]:
    """Let a node of control flow also return the residual of its reverse; the reverse graphs."""
    pairs = {k: vjp_graph(g, node.op is LOOP, integers) for k, g in node.attrs.items()
             if isinstance(g, Graph) and k != "test"}
    attrs: dict[str, Any] = node.attrs | {k: p[0] for k, p in pairs.items()}
    if node.op is LOOP:
        attrs["pushes"] = attrs.get("pushes", 0) + 1
    node.attrs = attrs
    kind = STACK if node.op is LOOP else RESIDUAL
    residual = node.like(ITEM, (node,), {"i": len(node.aval)}, kind)
    at = next(i for i, n in enumerate(block) if n is node) + 1
    while at < len(block) and block[at].op is ITEM and block[at].inputs[0] is node:
        at += 1
    block.insert(at, residual)
    node.aval, node.items = (*node.aval, kind), (*node.items, residual)
    return {k: p[1] for k, p in pairs.items()}, residual


def _check_inside(aug: Graph, free: list[Node]) -> None:
    """GraphValueError for what a reverse uses and its graph does not have: functions of the program asked for it."""
    inside = {id(n) for n in (*aug.params, *aug.nodes)}
    if any([id(n) not in inside for n in free]):
        raise GraphValueError("A hook, or a 'bprop', that belongs to a branch of an 'if' or to a loop on a tensor uses "
                              "a tensor from outside of that, which nothing else there uses. Use the tensor in the "
                              "branch or loop, too, register the hook outside of it, or run in PyNative mode.")


def sizes_for(reverse: Graph, known: set[Any]) -> dict[str, Any]:
    """The attribute that passes the sizes that a reverse needs from the forward graph to it."""
    if not known:
        return {}
    found: set[Any] = set()
    todo, seen, recursive = [reverse], {id(reverse)}, False
    for graph in todo:
        for node in (*graph.params, *graph.nodes):
            symbols_of((node.inputs, node.aval, tuple(node.attrs.values())), found)
            recursive |= node.op is CALL
            for inner in node.attrs.values():
                if isinstance(inner, Graph) and id(inner) not in seen:
                    seen.add(id(inner))
                    found.update(inner.symbols or ())
                    todo += [inner] if inner.symbols is None else []
        symbols_of(graph.outs, found)
    if not recursive:                     # one that is called may not be finished
        reverse.symbols = found
    needed = sorted(found & known, key=lambda s: s.serial)
    return {"sizes": tuple(needed)} if needed else {}


def vjp_graph(graph: Graph, loop: bool, integers: bool = False,
              places: Sequence[int] | None = None) -> tuple[Graph, Graph]:
    """(augmented, reverse): outs + residual = augmented(params); cotangents = reverse(residual, douts).

    The reverse of a loop's body takes (douts, residual) and answers for every carried value; that of
    other graphs answers for the parameters at `places`, by default the floating-point ones, or all with `integers`.
    """
    if integers in graph.reverses and places is None:
        return graph.reverses[integers]
    aug, rev = Graph(graph.name + "_fwd"), Graph(graph.name + "_bwd")
    if places is None:
        graph.reverses[integers] = aug, rev  # recursion meets it here
    aug.params = [param(p.aval.strong) for p in graph.params]
    env = runtime.sizes
    with recording(aug.nodes):
        aug.outs = inline(graph, aug.params, strong=True)
        before: set[Any] = set() if env is None else {*env.inputs, *env.results}
        given = [o if type(o) is Node else None for o in aug.outs]
        seeds = [param(o.aval) if o is not None else None for o in given]
        with recording(rev.nodes):
            runtime.nested += 1
            try:
                wanted = aug.params if places is None else [aug.params[i] for i in places]
                found = Sweep(aug.nodes, wanted, integers if places is None else None).run(given, seeds)
            finally:
                runtime.nested -= 1
            carried = list(zip(wanted, found, strict=True))
            if not loop and places is None:
                carried = [(p, d) for p, d in carried if differentiable(p, integers)]
            rev.outs = [seed_like(p.aval, 0) if d is None else _in_type_of(p, d) if places is None else d
                        for p, d in carried]
        rev.params = [s for s in seeds if s is not None]
        count = len(rev.params)
        free = close(rev)
        _check_inside(aug, free)
        residual, inner = param(RESIDUAL), rev.params[count:]
        rev.params = [*rev.params[:count], residual] if loop else [residual, *rev.params[:count]]
        head: list[Node] = []
        sizes = sizes_for(rev, before)
        with recording(head):
            parts = emit_items(UNPACK, [residual], sizes, [p.aval for p in inner])
        substitute(rev, {id(p): q for p, q in zip(inner, parts, strict=True)})
        rev.nodes[:0] = head
        aug.outs = [*aug.outs, emit(PACK, tuple(free), sizes, RESIDUAL)]
    return aug, rev
