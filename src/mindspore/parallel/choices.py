"""How a node may be computed in pieces: for every axis of a mesh the labels of its layout that the axis cuts.

A choice is one tuple of labels for each axis: `()` computes the same on all devices of the axis, `("m",)` cuts the
label `m` of a product of matrices, `(SUMS,)` applies a linear operator to parts of sums.  Several labels are cut
together where an operator does many independent things, as an optimizer's step for all parameters.
"""
from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mindspore.ir import OPAQUE, Aval, Node, avals_of
from mindspore.operators.labels import Operand
from mindspore.operators.layouts import Layout
from mindspore.operators.registry import Operator

from .placement import REPLICATE, Mesh, Partial, Placement, Shard, State, pieces, possible, simplest

SUMS = "+"
LINEAR = frozenset(("Add", "AddN", "Sub", "Neg", "Reshape", "Transpose"))     # of all their inputs at once
Labels = tuple[str, ...]
KIND = {"all": "min", "any": "max"}             # a reduction of bools by one of numbers


@dataclass(frozen=True)
class Choice:
    """A way to compute a node: what its axes cut, and where the pieces of its inputs and results lie.

    Attributes:
        labels: For every axis of the mesh the labels that it cuts.
        inputs: The placements that the inputs must have; None for what is no tensor.
        outs: The placements that the results have.
        across: Whether it cuts what the operator leaves whole, so that its rule `across` computes it.
    """

    labels: tuple[Labels, ...]
    inputs: tuple[Placement | None, ...]
    outs: tuple[Placement, ...]
    across: bool = False


def kind_of(node: Node) -> Any:
    """What nodes have in common that have the same choices: layers of a network repeat."""
    return node.op, tuple([x.aval if type(x) is Node else repr(x) for x in node.inputs]), repr(node.attrs), node.aval


def choices(node: Node, mesh: Mesh) -> list[Choice]:
    """All ways to compute a node on a mesh; the first one computes it whole on every device."""
    layout = layout_of(node)
    if layout is None:
        return [whole_choice(node, mesh)]
    options = [*options_of(node, layout)]
    found = [_choice(node, layout, labels, mesh) for labels in itertools.product(options, repeat=len(mesh.shape))]
    return [c for c in found if c is not None]


def whole_choice(node: Node, mesh: Mesh) -> Choice:
    """The way that every device does all of it."""
    count = len(mesh.shape)
    return Choice(((),) * count, tuple([mesh.whole if is_tensor(x) else None for x in node.inputs]),
                  tuple([mesh.whole for _ in avals_of(node)]))


def is_tensor(value: Any) -> bool:
    """Whether a value of a graph is a tensor: a node, but none of a Python number or of what a reverse needs."""
    return type(value) is Node and type(value.aval) is Aval and value.aval not in OPAQUE


def layout_of(node: Node) -> Layout | None:
    """The labels of a node; None for control flow, effects and operators that stay whole."""
    if not isinstance(node.op, Operator) or not _plain(node) or (
            node.op.effect and not (node.op.effect == "random" and node.op.across_rule)):
        return None
    layout = node.op.laid_across([x.aval if is_tensor(x) else x for x in node.inputs], node.attrs)
    return layout if layout is not None and (layout.cuttable() or node.op.name in LINEAR) else None


def _plain(node: Node) -> bool:
    avals = [a for x in node.inputs if is_tensor(x) for a in (x.aval,)] + list(avals_of(node))
    return all([type(a) is Aval and all([type(n) is int for n in a.shape]) for a in avals])


def options_of(node: Node, layout: Layout) -> Iterator[Labels]:
    """What one axis may cut: nothing, one label, or one label of each part of an operator that has several."""
    yield ()
    cuttable = layout.cuttable()
    groups = _independent(layout, cuttable)
    if len(groups) > 1:
        yield tuple(sorted([max(g, key=lambda a: (layout.extents[a], a)) for g in groups]))
    else:
        yield from [(a,) for a in cuttable]
    if node.op.name in LINEAR and all([is_tensor(x) for x in node.inputs]) and node.dtype.is_floating:
        yield (SUMS,)


@dataclass(frozen=True)
class Part:
    """A way to compute one of the independent things that an operator does, as an optimizer's step for a parameter.

    Attributes:
        labels: For every axis of the mesh the labels that it cuts.
        inputs: The placements of the inputs that belong to it, by number.
        outs: Those of the results.
    """

    labels: tuple[Labels, ...]
    inputs: dict[int, Placement]
    outs: dict[int, Placement]


def things_of(node: Node, mesh: Mesh) -> list[list[Part]]:
    """The ways to compute each of the independent things that a node does; [] if it does one thing only."""
    layout = layout_of(node)
    groups = _independent(layout, layout.cuttable()) if layout is not None else []
    if len(groups) < 2 or layout is None:
        return []
    of = {a: k for k, group in enumerate(groups) for a in group}
    ins: list[list[Any]] = [[] for _ in groups]
    outs: list[list[Any]] = [[] for _ in groups]
    avals = [x.aval if is_tensor(x) else None for x in node.inputs]
    for line, operands, given in ((ins, layout.inputs, avals), (outs, layout.results, avals_of(node))):
        for k, (o, aval) in enumerate(zip(operands, given, strict=True)):
            for at in {of[a] for a in (o.labels() if o is not None else ()) if a in of}:
                line[at].append((k, o, aval))
    return [_parts(layout, group, ins[k], outs[k], mesh) for k, group in enumerate(groups)]


Tensor = tuple[int, Operand, Aval]            # its number, its labels, its aval


def _parts(layout: Layout, group: set[str], ins: list[Tensor], outs: list[Tensor], mesh: Mesh) -> list[Part]:
    found: list[Part] = []
    for labels in itertools.product([(), *[(a,) for a in sorted(group)]], repeat=len(mesh.shape)):
        here = {k: _states(o, layout, labels) for k, o, _ in ins}
        there = {r: _states(o, layout, labels, r) for r, o, _ in outs}
        left = [layout.left(r, a) for r, o, _ in outs for cut in labels for a in cut if a not in o.labels()]
        if set(left) <= {None, "same"} and all([p is not None and possible(a.shape, p, mesh) for (_, _, a), p in zip(
                (*ins, *outs), (*here.values(), *there.values()), strict=True)]):
            found.append(Part(labels, *[{k: simplest(a.shape, p, mesh) for k, _, a in line for p in (lie[k],)
                                         if p is not None} for line, lie in ((ins, here), (outs, there))]))
    return found


def joined(node: Node, parts: Sequence[Part], mesh: Mesh) -> Choice:
    """The way to compute a node that does each of its things in one way."""
    layout = layout_of(node)
    assert layout is not None
    labels = tuple([tuple(sorted([a for p in parts for a in p.labels[k]])) for k in range(len(mesh.shape))])
    found = _choice(node, layout, labels, mesh)
    assert found is not None
    return found


def _independent(layout: Layout, cuttable: Sequence[str]) -> list[set[str]]:
    """The labels that meet in no tensor, by the tensors in which they stand."""
    group: dict[str, set[str]] = {}
    for o in (*layout.inputs, *layout.results):
        here = o.labels() & set(cuttable) if o is not None else set[str]()
        whole = here.union(*[group[a] for a in here if a in group])
        group.update(dict.fromkeys(whole, whole))
    return list({id(g): g for g in group.values()}.values())


def _choice(node: Node, layout: Layout, labels: tuple[Labels, ...], mesh: Mesh) -> Choice | None:
    """The placements that follow; None if pieces would not lie together, or a device would have nothing."""
    inputs: list[Placement | None] = []
    for x, operand in zip(node.inputs, layout.inputs, strict=True):
        states = None if operand is None else _states(operand, layout, labels)
        if operand is not None and (states is None or not possible(x.aval.shape, states, mesh)):
            return None
        inputs.append(states and simplest(x.aval.shape, states, mesh))
    outs: list[Placement] = []
    for r, (aval, operand) in enumerate(zip(avals_of(node), layout.results, strict=True)):
        states = _states(operand, layout, labels, r)
        if states is None or not possible(aval.shape, states, mesh) or len(
                {s.kind for s in states if isinstance(s, Partial)}) > 1:
            return None
        outs.append(simplest(aval.shape, states, mesh))
    for operand in layout.attrs.values():
        if _states(operand, layout, labels) is None:
            return None
    across = bool(layout.opened) and any([label in layout.opened for cut in labels for label in cut])
    return Choice(labels, tuple(inputs), tuple(outs), across)


def _states(operand: Operand, layout: Layout, labels: tuple[Labels, ...],
            result: int | None = None) -> Placement | None:
    """The states of an operand; None if a label lies inside another one, whose rows would not lie together."""
    found: list[State] = []
    for cut in labels:
        if cut == (SUMS,):
            found.append(Partial())
            continue
        state: State = REPLICATE
        for label in cut if len(cut) == 1 else _labels_in(operand, cut):
            at = _place(operand, label)
            if at is not None:
                dim, k = at
                factors = operand.dims[dim]
                if state != REPLICATE or any([layout.extents[f.label] != 1 for f in factors[:k]]):
                    return None
                unit = 1
                for f in factors[k + 1:]:
                    unit *= layout.extents[f.label]
                state = Shard(dim, unit)
            elif result is not None and len(cut) == 1:
                kind = layout.left(result, label)
                if kind not in (None, "same"):
                    state = Partial("sum" if kind in ("mean", "share") else KIND.get(str(kind), str(kind)))
        found.append(state)
    return tuple(found)


def _labels_in(operand: Operand, cut: Labels) -> list[str]:
    """The labels that stand in an operand, of many."""
    wanted = _set(cut)
    return [f.label for d in operand.dims for f in d if f.label in wanted]


@functools.lru_cache(maxsize=64)
def _set(cut: Labels) -> frozenset[str]:
    return frozenset(cut)


def _place(operand: Operand, label: str) -> tuple[int, int] | None:
    """The dimension of an operand in which a label stands, and its place among the factors there."""
    for dim, factors in enumerate(operand.dims):
        for k, f in enumerate(factors):
            if f.label == label:
                return dim, k
    return None


def extents_of(choice: Choice, layout: Layout, mesh: Mesh, device: int) -> dict[str, int]:
    """How long the labels that are cut are on a device."""
    found: dict[str, int] = {}
    for cut, parts, c in zip(choice.labels, mesh.shape, mesh.place(device), strict=True):
        for label in cut:
            if label != SUMS:
                extent: int = found[label] if label in found else layout.extents[label]
                found[label] = pieces(extent, parts)[c]
    return found
