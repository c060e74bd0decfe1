"""The label language: which dimensions of an operator's tensors may be cut over devices, and what the pieces give.

    "... m k, ... k n -> ... m n"        a product of matrices; cut along `k`, the pieces are partial sums
    "a b! -> a b!"                       `b` stays whole
    "(h d) -> h d"                       a dimension that is split, or merged from others, the major factor first
    "(g=4 c!) -> (g c!)"                 a factor of known extent
    "a b -> a max:b"                     the pieces along `b` are partial maxima (sum, max, min, mean, prod, all, any)
    "a b -> a, a b"                      several results
    "* a b -> a b"                       the last input stands for any number of them
    "a b! -> * a b!"                     so does the last result
    "a! b -> b share:b"                  the pieces along `b` lie side by side, each to be multiplied by its part of
                                         the extent (the cotangent of a mean)
    "a b; shape=b a -> b a"              an attribute that holds extents: those of a piece are smaller

Labels that several tensors share are cut together; one that stays whole may have another extent in a result.
`...` are any number of dimensions, aligned at the last one.  Inputs that are no tensors (None, numbers) have no
dimensions, whatever is written at their place; trailing ones may be missing.  A dimension of extent 1 of a label that is longer elsewhere is broadcast and stays as it is; in
a result it counts as missing.  A label that a result lacks leaves partial sums, if no other kind is written.
`1` is a dimension of extent 1.
"""
from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

KINDS = frozenset(("sum", "max", "min", "mean", "prod", "all", "any", "share"))
_TOKEN = re.compile(r"\s*(?:(?P<dots>\.\.\.)(?P<still>!?)|(?P<kind>[a-z]+):(?P<over>\w+)|(?P<open>\()|(?P<close>\))"
                    r"|(?P<label>[A-Za-z_]\w*)(?:=(?P<size>\d+))?(?P<whole>!?)|(?P<one>1)(?!\w)|(?P<many>\*))")


class Factor(NamedTuple):
    """A factor of a dimension: its label, whether it stays whole, its extent where that is written."""

    label: str
    whole: bool = False
    extent: int | None = None


Dimension = tuple[Factor, ...]         # the major factor first; () has extent 1
_DOTS = (Factor("..."),)
_STILL = (Factor("...", whole=True),)


@dataclass(frozen=True)
class Operand:
    """The dimensions of an input, a result or an attribute; of a result also what cutting a label leaves."""

    dims: tuple[Dimension, ...]
    partial: Mapping[str, str] = field(default_factory=dict)

    def labels(self) -> set[str]:
        """The labels of all factors."""
        return {f.label for d in self.dims for f in d}


@dataclass(frozen=True)
class Spec:
    """A parsed text, before it is known how many dimensions `...` are."""

    inputs: tuple[Operand, ...]
    attrs: Mapping[str, Operand]
    results: tuple[Operand, ...]
    variadic: bool = False             # the last input stands for any number,
    several: bool = False              # the last result

    def at(self, place: int, result: bool = False) -> Operand:
        """The operand at a place among the inputs, or among the results."""
        written, open_end = (self.results, self.several) if result else (self.inputs, self.variadic)
        if place >= len(written) and not open_end:
            raise ValueError(f"The labels say nothing about {'result' if result else 'input'} {place}.")
        return written[min(place, len(written) - 1)]


@dataclass(frozen=True)
class Whole:
    """The layout of an operator none of whose dimensions can be cut, and why."""

    reason: str


def whole(reason: str) -> Whole:
    """Say that all dimensions of an operator stay whole, and why."""
    if len(reason.split()) < 3:
        raise ValueError(f"The reason why no dimension can be cut is too short: {reason!r}.")
    return Whole(reason)


# ---------------------------------------------------------------------- text

@functools.lru_cache(maxsize=4096)
def parse(text: str) -> Spec:
    """The parsed form of a text; ValueError if it is none."""
    left, arrow, right = text.partition("->")
    if not arrow:
        raise ValueError(f"The labels {text!r} have no '->'.")
    inputs, *settings = left.split(";")
    attrs: dict[str, Operand] = {}
    for setting in settings:
        name, equals, dims = setting.strip().partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"The labels {text!r} have the attribute {setting!r} without '='.")
        attrs[name] = _operand(dims, text)[0]
    pairs = [_operand(part, text) for part in inputs.split(",")]
    outs = [_operand(part, text, result=True) for part in right.split(",")]
    if any([many for _, many in (*pairs[:-1], *outs[:-1])]):
        raise ValueError(f"The labels {text!r} have '*' before the last operand.")
    spec = Spec(tuple([o for o, _ in pairs]), attrs, tuple([o for o, _ in outs]), pairs[-1][1], outs[-1][1])
    _check(spec, text)
    return spec


def _operand(part: str, text: str, result: bool = False) -> tuple[Operand, bool]:
    """An operand, and whether it stands for any number of them."""
    dims: list[Dimension] = []
    partial: dict[str, str] = {}
    group: list[Factor] | None = None
    many, at, part = False, 0, part.rstrip()
    while at < len(part):
        found = _TOKEN.match(part, at)
        if found is None or (found["many"] and at) or (found["kind"] and not result):
            raise ValueError(f"The labels {text!r} cannot be read at {part[at:]!r}.")
        at, many = found.end(), many or bool(found["many"])
        if found["kind"]:
            partial[found["over"]] = found["kind"]
        elif found["label"]:
            factor = Factor(found["label"], bool(found["whole"]), int(found["size"]) if found["size"] else None)
            if group is None:
                dims.append((factor,))
            else:
                group.append(factor)
        elif found["many"]:
            continue
        elif bool(found["close"]) is (group is None):
            raise ValueError(f"The labels {text!r} have a bracket out of place.")
        elif found["close"]:
            dims.append(tuple(group or ()))
            group = None
        elif found["open"]:
            group = []
        else:
            dims.append(() if found["one"] else _STILL if found["still"] else _DOTS)
    if group is not None:
        raise ValueError(f"The labels {text!r} have an open bracket.")
    if sum([d in (_DOTS, _STILL) for d in dims]) > 1:
        raise ValueError(f"The labels {text!r} have '...' twice in {part!r}.")
    return Operand(tuple(dims), partial), many


def _check(spec: Spec, text: str) -> None:
    """ValueError for labels of a result that come from nowhere, and for kinds of no label."""
    known = set().union(*[o.labels() for o in (*spec.inputs, *spec.attrs.values())])
    for result in spec.results:
        if strange := set(result.partial.values()) - KINDS:
            raise ValueError(f"The labels {text!r} name an unknown kind of partial result, {sorted(strange)}.")
        if strange := {f.label for d in result.dims for f in d if not f.whole} - known:
            raise ValueError(f"The labels {text!r} can cut {sorted(strange)} only in a result.")
        side_by_side = {a for a, kind in result.partial.items() if kind == "share"}
        if strange := (side_by_side - result.labels()) | ((set(result.partial) - side_by_side) - (
                known - result.labels())):
            raise ValueError(f"The labels {text!r} leave partial results of {sorted(strange)}.")


# ---------------------------------------------------------------------- at an application

@dataclass(frozen=True)
class Layout:
    """The labels of an application: every dimension of every tensor, and the extent of every label.

    Inputs that are no tensors are None.
    """

    inputs: tuple[Operand | None, ...]
    attrs: Mapping[str, Operand]
    results: tuple[Operand, ...]
    extents: Mapping[str, Any]

    def cuttable(self) -> list[str]:
        """The labels that may be cut: on no tensor marked as whole, and longer than 1."""
        every = [o for o in (*self.inputs, *self.attrs.values(), *self.results) if o is not None]
        still = {f.label for o in every for d in o.dims for f in d if f.whole}
        given = set().union(*[o.labels() for o in (*self.inputs, *self.attrs.values()) if o is not None])
        return sorted([a for a in given - still if self.extents[a] != 1])

    def left(self, result: int, label: str) -> str | None:
        """What cutting a label leaves of a result: a kind of `KINDS`; None where its pieces just lie side by side."""
        operand = self.results[result]
        return operand.partial.get(label, None if label in operand.labels() else "sum")

    def shape(self, operand: Operand, extents: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The shape of an operand, or that of its piece, where the labels have these extents."""
        now = {**self.extents, **(extents or {})}
        return tuple([math.prod([now[f.label] for f in d]) for d in operand.dims])

    def settings(self, attrs: Mapping[str, Any], extents: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes of a piece."""
        new = dict(attrs)
        for name, operand in self.attrs.items():
            local, old = self.shape(operand, extents), attrs[name]
            if isinstance(old, (tuple, list)):
                new[name] = tuple([-1 if a == -1 else b for a, b in zip(old, local, strict=True)])
            else:
                new[name] = local[0]
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
    ins = tuple([_spread(spec.at(i), x.shape, lead, rule) if hasattr(x, "shape") else None
                 for i, x in enumerate(inputs)])
    held = {k: _spread(o, sized[k], lead, rule) for k, o in spec.attrs.items()}
    outs = [_spread(o, x.shape, lead, rule) for o, x in zip(wanted, results, strict=True)]
    given = [(o, x.shape) for o, x in zip(ins, inputs, strict=True) if o is not None]
    given += [(held[k], sized[k]) for k in held]
    extents = _extents(given, {}, rule)
    outs = [_own(o, x.shape, extents, i) for i, (o, x) in enumerate(zip(outs, results, strict=True))]
    extents = _extents([(o, x.shape) for o, x in zip(outs, results, strict=True)], extents, rule)
    if missing := set().union(*[o.labels() for o, _ in given]) - set(extents):
        raise ValueError(f"The labels {rule!r} do not say how long {sorted(missing)} are.")
    return Layout(tuple([o and _unbroadcast(o, x.shape, extents) for o, x in zip(ins, inputs, strict=True)]),
                  {k: _unbroadcast(o, sized[k], extents) for k, o in held.items()},
                  tuple([_unbroadcast(o, x.shape, extents) for o, x in zip(outs, results, strict=True)]), extents)


def _still(name: str, value: Any) -> Operand | None:
    if not hasattr(value, "shape"):
        return None
    return Operand(tuple([(Factor(f"{name}_{i}", whole=True),) for i in range(len(value.shape))]))


def _sizes(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _dotted(operand: Operand, shape: Sequence[Any], text: str) -> int:
    """How many dimensions `...` are; 0 without it.  ValueError if the number of dimensions is wrong."""
    count = len(shape) - len(operand.dims)
    if _DOTS not in operand.dims and _STILL not in operand.dims:
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
        if d in (_DOTS, _STILL):
            dims += [(Factor(f".{lead - own + i}", d == _STILL),) for i in range(own)]
        else:
            dims.append(d)
    return Operand(tuple(dims), operand.partial)


def _own(operand: Operand, shape: Sequence[Any], extents: Mapping[str, Any], place: int) -> Operand:
    """A result whose labels that stay whole have names of their own where they have extents of their own."""
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


# ---------------------------------------------------------------------- reverse operators

def adjoint(text: str | Whole, takes: str, gives: str, inputs: Sequence[str]) -> str | Whole:
    """The labels of a reverse operator by those of the forward one.

    `takes` and `gives` name its inputs and results: the forward operator's `inputs`, `out0`, `out1`, ... for its
    results, `-` for what has no dimensions.  Where cutting a label leaves partial sums, every piece needs the
    cotangent of the sum; for that of a mean the pieces count by their share; other partial results are not
    enough for a cotangent, so that the label stays whole.
    """
    if isinstance(text, Whole):
        return text
    left, _, right = text.partition("->")
    kinds = {a: kind for o in parse(text).results for a, kind in o.partial.items()}
    still = {a for a, kind in kinds.items() if kind not in ("sum", "mean")}
    parts, *settings = left.split(";")
    names = {"-": ""} | {name: _kept(part, still) for name, part in zip(
        inputs, _repeated(parts.split(","), len(inputs)), strict=False)}
    names |= {f"out{i}": _kept(re.sub(r"[a-z]+:\w+", "", part), still) for i, part in enumerate(_repeated(
        right.split(","), 1 + max([int(n[3:]) for n in f"{takes} {gives}".split() if n.startswith("out")], default=0)))}
    means = [a for a, kind in kinds.items() if kind == "mean"]
    line = ", ".join([names[n] for n in takes.split()])
    outs = [" ".join([names[n], *[f"{'share' if a in re.findall(r'[A-Za-z_]+[0-9]*', names[n]) else 'mean'}:{a}"
                                  for a in means]]) for n in gives.split()]
    return f"{'; '.join([line, *[setting.strip() for setting in settings]])} -> {', '.join(outs)}"


def _repeated(parts: Sequence[str], count: int) -> list[str]:
    """The texts of so many operands, where the last may stand for several."""
    last = parts[-1].replace("*", "")
    return [*parts[:-1], *[last] * (max(count - len(parts) + 1, 1) if "*" in parts[-1] else 1)]


def _kept(part: str, still: set[str]) -> str:
    """The labels of an operand, with more of them marked as whole."""
    return re.sub(r"[A-Za-z_]\w*(?:=\d+)?(?![\w!=])",
                  lambda m: m[0] + "!" * (m[0].split("=")[0] in still), part).strip()
