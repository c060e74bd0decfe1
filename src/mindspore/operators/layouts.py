"""Labels at an application of an operator: the extent of every label, what may be cut, what a piece is."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .labels import DOTS, STILL, Dimension, Factor, Operand, Whole, parse


@dataclass(frozen=True)
class Layout:
    """The labels of an application: every dimension of every tensor, and the extent of every label.

    Inputs that are no tensors are None.
    """

    inputs: tuple[Operand | None, ...]
    attrs: Mapping[str, Operand]
    results: tuple[Operand, ...]
    extents: Mapping[str, Any]
    opened: frozenset[str] = frozenset()          # labels that only a rule `across` cuts

    def still(self) -> set[str]:
        """The labels that stay whole."""
        every = [o for o in (*self.inputs, *self.attrs.values(), *self.results) if o is not None]
        return {f.label for o in every for d in o.dims for f in d if f.whole}

    def open(self, leaves: str, every: bool = False) -> Layout:
        """The layout without labels that stay whole; results that lack one of these get what is left of it.

        With `every`, all labels are only cut by a rule `across`.
        """
        still = set(self.extents) if every else self.still()

        def loose(operand: Operand, result: bool = False) -> Operand:
            dims = tuple([tuple([f._replace(whole=False) for f in d]) for d in operand.dims])
            missing = still - operand.labels() if result else ()
            return Operand(dims, {**operand.partial, **dict.fromkeys(missing, leaves)})
        return Layout(tuple([o and loose(o) for o in self.inputs]), {k: loose(o) for k, o in self.attrs.items()},
                      tuple([loose(o, True) for o in self.results]), self.extents, frozenset(still))

    def cuttable(self) -> list[str]:
        """The labels that may be cut: on no tensor marked as whole, and longer than 1."""
        still = self.still()
        given = set[str]().union(*[o.labels() for o in (*self.inputs, *self.attrs.values()) if o is not None])
        return sorted([a for a in given - still if self.extents[a] != 1])

    def left(self, result: int, label: str) -> str | None:
        """What cutting a label leaves of a result: a kind of `KINDS`; None where its pieces just lie side by side."""
        operand = self.results[result]
        every = operand.partial.get("...") if label.startswith(".") else None
        return operand.partial.get(label, every or (
            None if label in operand.labels() else operand.partial.get("*", "sum")))

    def shape(self, operand: Operand, extents: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The shape of an operand, or that of its piece, where the labels have these extents."""
        now = {**self.extents, **(extents or {})}
        return tuple([math.prod([now[f.label] for f in d]) for d in operand.dims])

    def settings(self, attrs: Mapping[str, Any], extents: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes of a piece."""
        new = dict(attrs)
        for name, operand in self.attrs.items():
            local = self.shape(operand, extents)
            old = _sizes(attrs[name])
            new[name] = local[0] if not isinstance(attrs[name], (tuple, list)) else tuple(
                [-1 if a == -1 else b for a, b in zip(old, local, strict=True)])
        return new


def laid_out(rule: str | Whole, inputs: Sequence[Any], attrs: Mapping[str, Any], results: Sequence[Any]) -> Layout:
    """The layout of an application by its labels, from avals (or anything with a shape) and constants.

    Raises:
        ValueError: If the labels do not fit the tensors.
    """
    if isinstance(rule, Whole):
        return Layout(tuple([_still(f"x{i}", x) for i, x in enumerate(inputs)]), {},
                      tuple([_still(f"y{i}", x) or Operand(()) for i, x in enumerate(results)]),
                      {f"{k}{i}_{j}": n for k, values in (("x", inputs), ("y", results))
                       for i, x in enumerate(values) for j, n in enumerate(getattr(x, "shape", ()))})
    spec = parse(rule)
    if len(results) < len(spec.results):
        raise ValueError(f"The labels {rule!r} are for {len(spec.results)} results, not {len(results)}.")
    wanted = [spec.at(i, result=True) for i in range(len(results))]
    sized = {k: _sizes(attrs[k]) for k in spec.attrs}
    every = [(spec.at(i), x.shape) for i, x in enumerate(inputs) if hasattr(x, "shape")]
    every += [(o, sized[k]) for k, o in spec.attrs.items()]
    lead = max([_dotted(o, shape, rule) for o, shape in (*every, *zip(
        wanted, [x.shape for x in results], strict=True))], default=0)
    given: list[tuple[Operand, Sequence[Any]]] = []
    extents: dict[str, Any] = {}

    def settled(operand: Operand, shape: Sequence[Any], name: str) -> Operand:
        found = _own(_spread(operand, shape, lead, rule), shape, extents, name)
        given.append((found, shape))
        extents.update(_extents(given[-1:], extents, rule))
        return found
    ins = [settled(spec.at(i), x.shape, f"x{i}") if hasattr(x, "shape") else None for i, x in enumerate(inputs)]
    held = {k: settled(o, sized[k], k) for k, o in spec.attrs.items()}
    outs = [settled(o, x.shape, f"y{i}") for i, (o, x) in enumerate(zip(wanted, results, strict=True))]
    extents = _extents(given, extents, rule)
    if missing := set[str]().union(*[o.labels() for o, _ in given]) - set(extents):
        raise ValueError(f"The labels {rule!r} do not say how long {sorted(missing)} are.")
    return Layout(tuple([o and _unbroadcast(o, x.shape, extents) for o, x in zip(ins, inputs, strict=True)]),
                  {k: _unbroadcast(o, sized[k], extents) for k, o in held.items()},
                  tuple([_unbroadcast(o, x.shape, extents) for o, x in zip(outs, results, strict=True)]), extents)


def _still(name: str, value: Any) -> Operand | None:
    if not hasattr(value, "shape"):
        return None
    return Operand(tuple([(Factor(f"{name}_{i}", whole=True),) for i in range(len(value.shape))]))


def _sizes(value: Any) -> tuple[Any, ...]:
    line: Any = value
    return tuple(line) if isinstance(value, (tuple, list)) else (line,)


def _dotted(operand: Operand, shape: Sequence[Any], text: str) -> int:
    """How many dimensions `...` are; 0 without it.  ValueError if the number of dimensions is wrong."""
    count = len(shape) - len(operand.dims)
    if DOTS not in operand.dims and STILL not in operand.dims:
        if count:
            raise ValueError(f"The labels {text!r} do not fit the {len(shape)} dimensions of {tuple(shape)}.")
        return 0
    if count < -1:
        raise ValueError(f"The labels {text!r} do not fit the {len(shape)} dimensions of {tuple(shape)}.")
    return count + 1


def _spread(operand: Operand, shape: Sequence[Any], lead: int, text: str) -> Operand:
    """The operand with labels in place of `...`, of which there are `lead` at most."""
    own = _dotted(operand, shape, text)
    dims: list[Dimension] = []
    for d in operand.dims:
        if d in (DOTS, STILL):
            dims += [(Factor(f".{lead - own + i}", d == STILL),) for i in range(own)]
        else:
            dims.append(d)
    return Operand(tuple(dims), operand.partial)


def _own(operand: Operand, shape: Sequence[Any], extents: Mapping[str, Any], place: str) -> Operand:
    """The operand with names of its own for labels that stay whole and have another extent elsewhere."""
    dims = [tuple([f._replace(label=f"{f.label}'{place}") for f in d])
            if len(d) == 1 and d[0].whole and extents.get(d[0].label, n) != n else d
            for d, n in zip(operand.dims, shape, strict=True)]
    return Operand(tuple(dims), operand.partial)


def _extents(given: Sequence[tuple[Operand, Sequence[Any]]], known: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The extent of every label that some shapes and what is known already tell."""
    found: dict[str, Any] = dict(known)
    late: list[tuple[Dimension, Any]] = []
    for operand, shape in given:
        for d, n in zip(operand.dims, shape, strict=True):
            for f in d:
                if f.extent is not None:
                    found[f.label] = f.extent
            if len(d) != 1:
                late.append((d, n))
            elif n != -1 and found.get(d[0].label, 1) == 1:
                found[d[0].label] = n
            elif n not in (-1, 1) and n != found[d[0].label]:
                raise ValueError(f"The labels {text!r} give '{d[0].label}' the extents {found[d[0].label]} and {n}.")
    for _ in range(2):                 # a factor may follow from a dimension that stands later
        for d, n in late:
            unknown = [f.label for f in d if f.label not in found]
            product = math.prod([found[f.label] for f in d if f.label in found])
            if len(unknown) == 1 and n != -1:
                found[unknown[0]] = n // product
            elif not unknown and n not in (-1, product):
                raise ValueError(f"The labels {text!r} give a dimension the extents {product} and {n}.")
    return found


def _unbroadcast(operand: Operand, shape: Sequence[Any], extents: Mapping[str, Any]) -> Operand:
    """The operand without the labels of dimensions that are broadcast."""
    dims = [() if n == 1 and len(d) == 1 and extents[d[0].label] != 1 else d
            for d, n in zip(operand.dims, shape, strict=True)]
    return Operand(tuple(dims), operand.partial)
