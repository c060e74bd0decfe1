"""The label language: which dimensions of an operator's tensors may be cut over devices, and what the pieces give.

    "... m k, ... k n -> ... m n"        a product of matrices; cut along `k`, the pieces are partial sums
    "a b! -> a b!"                       `b` stays whole
    "(h d) -> h d"                       a dimension that is split, or merged from others, the major factor first
    "(g=4 c!) -> (g c!)"                 a factor of known extent
    "a b -> a max:b"                     the pieces along `b` are partial maxima (sum, max, min, mean, prod, all, any)
    "a b -> a, a b"                      several results
    "* a b -> a b"                       the last input represents any number of them
    "a b! -> * a b!"                     so does the last result
    "a! b -> b share:b"                  the pieces along `b` lie side by side, each to be multiplied by its part of
                                         the extent (the cotangent of a mean)
    "a, b -> a same:*, b same:*"         what is cut along labels that a result lacks does not matter for it
    "a b; shape=b a -> b a"              an attribute that holds extents: those of a piece are smaller

Labels that several tensors share are cut together; one that stays whole may have an extent of its own on each.
`...` are any number of dimensions, aligned at the last one.  Inputs that are no tensors (None, numbers) have no
dimensions, whatever is written at their place; trailing ones may be missing.
A dimension of extent 1 of a label that is longer elsewhere is broadcast and never cut; in
a result it counts as missing.  A label that a result lacks leaves partial sums, if no other kind is written.
`1` is a dimension of extent 1.
"""
from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .rules import axes_of

KINDS = frozenset(("sum", "max", "min", "mean", "prod", "all", "any", "share", "same"))
_TOKEN = re.compile(r"\s*(?:(?P<dots>\.\.\.)(?P<still>!?)|(?P<kind>[a-z]+):(?P<over>\w+|\.\.\.|\*)"
                    r"|(?P<open>\()|(?P<close>\))"
                    r"|(?P<label>[A-Za-z_]\w*)(?:=(?P<size>\d+))?(?P<whole>!?)|(?P<one>1)(?!\w)|(?P<many>\*))")
_LABEL = re.compile(r"[A-Za-z_]\w*|\.\.\.")


class Factor(NamedTuple):
    """A factor of a dimension: its label, whether it stays whole, its extent where that is written."""

    label: str
    whole: bool = False
    extent: int | None = None


Dimension = tuple[Factor, ...]         # the major factor first; () has extent 1
DOTS = (Factor("..."),)
STILL = (Factor("...", whole=True),)


@dataclass(frozen=True)
class Operand:
    """The dimensions of an input, a result or an attribute; of a result also what cutting a label leaves."""

    dims: tuple[Dimension, ...]
    partial: Mapping[str, str] = field(default_factory=dict[str, str])

    def labels(self) -> set[str]:
        """The labels of all factors."""
        return {f.label for d in self.dims for f in d}


@dataclass(frozen=True)
class Spec:
    """A parsed text, before it is known how many dimensions `...` are."""

    inputs: tuple[Operand, ...]
    attrs: Mapping[str, Operand]
    results: tuple[Operand, ...]
    variadic: bool = False             # the last input represents any number,
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
    """An operand, and whether it represents any number of them."""
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
            dims.append(() if found["one"] else STILL if found["still"] else DOTS)
    if group is not None:
        raise ValueError(f"The labels {text!r} have an open bracket.")
    if sum([d in (DOTS, STILL) for d in dims]) > 1:
        raise ValueError(f"The labels {text!r} have '...' twice in {part!r}.")
    return Operand(tuple(dims), partial), many


def _check(spec: Spec, text: str) -> None:
    """ValueError for labels of a result that come from nowhere, and for kinds of no label."""
    known = set[str]().union(*[o.labels() for o in (*spec.inputs, *spec.attrs.values())])
    for result in spec.results:
        if strange := set(result.partial.values()) - KINDS:
            raise ValueError(f"The labels {text!r} name an unknown kind of partial result, {sorted(strange)}.")
        if strange := {f.label for d in result.dims for f in d if not f.whole} - known:
            raise ValueError(f"The labels {text!r} can cut {sorted(strange)} only in a result.")
        side_by_side = {a for a, kind in result.partial.items() if kind == "share"}
        if strange := (side_by_side - result.labels()) | ((set(result.partial) - side_by_side - {"*"}) - (
                known - result.labels())):
            raise ValueError(f"The labels {text!r} leave partial results of {sorted(strange)}.")


def rank_of(value: Any) -> int:
    """The number of dimensions of a shape or of something that has one."""
    return len(getattr(value, "shape", value))


def along(axis: int | Sequence[int], rank: int, results: int = 1) -> str:
    """Labels of a tensor of that rank whose dimensions `axis` stay whole, in so many results (0: any number)."""
    axes = [axis] if isinstance(axis, int) else axis
    whole = {a % rank for a in axes} if rank else set[int]()
    labels = " ".join([f"d{i}" + "!" * (i in whole) for i in range(rank)])
    return f"{labels} -> {', '.join([labels] * results) or f'* {labels}'}"


def whole_axes(x: Any, axis: Any = (), keep_dims: bool = False, **_: Any) -> str:
    """Labels of a reduction whose reduced dimensions stay whole."""
    return _reduced(x, axis, keep_dims, None)


def partial_axes(kind: str) -> Callable[..., str]:
    """The layout rule of a reduction of which the pieces give partial results of that kind."""
    def rule(x: Any, axis: Any = (), keep_dims: bool = False, **_: Any) -> str:
        return _reduced(x, axis, keep_dims, kind)
    return rule


def _reduced(x: Any, axis: Any, keep_dims: bool, kind: str | None) -> str:
    rank = rank_of(x)
    axes = axes_of(axis, rank)
    ins = [f"d{i}" + "!" * (i in axes and kind is None) for i in range(rank)]
    outs = ["1" if i in axes else f"d{i}" for i in range(rank) if keep_dims or i not in axes]
    outs += [f"{kind}:d{i}" for i in axes if kind]
    return f"{' '.join(ins)} -> {' '.join(outs)}"


def reshaped(shape: Sequence[Any], wanted: Any) -> str:
    """Labels of a reshape: where the borders of both shapes meet, dimensions split into factors or merge from them."""
    wanted = [wanted] if isinstance(wanted, int) else list(wanted)
    if -1 in wanted:
        rest = math.prod([n for n in wanted if type(n) is not int or n != -1])
        wanted[wanted.index(-1)] = math.prod(shape) // rest if rest else 0
    left: list[str] = []
    right: list[str] = []
    i = j = 0
    while i < len(shape) or j < len(wanted):
        m, n = i, j                    # the shortest groups of dimensions with equally many elements
        a, b = 1, 1
        while (m == i and n == j) or a != b:
            if m < len(shape) and (a <= b or n == len(wanted)):
                a, m = a * shape[m], m + 1
            elif n < len(wanted):
                b, n = b * wanted[n], n + 1
            else:
                break
        ours, theirs = _grouped(f"f{i}_{j}_", list(shape[i:m]), wanted[j:n])
        left, right, i, j = [*left, *ours], [*right, *theirs], m, n
    return f"{' '.join(left)}; shape={' '.join(right)} -> {' '.join(right)}"


def inserted(rank: int, axis: int) -> str:
    """Labels of a tensor of that rank that gets a new dimension at `axis`."""
    labels = [f"d{i}" for i in range(rank)]
    at = axis % (rank + 1)
    return f"{' '.join(labels)} -> {' '.join([*labels[:at], 'new!', *labels[at:]])}"


def squeezed(shape: tuple[int, ...], axis: Any) -> str:
    """Labels of a tensor that loses those of these dimensions that have the extent 1."""
    axes = axes_of(axis, len(shape))
    gone = [i for i in axes if shape[i] == 1]
    left = [f"d{i}" + "!" * (i in axes) for i in range(len(shape))]
    return f"{' '.join(left)} -> {' '.join([n for i, n in enumerate(left) if i not in gone])}"


def permuted(rank: int, perm: Any) -> str:
    """Labels of a tensor of that rank whose dimensions are put into another order."""
    return f"{' '.join(f'd{i}' for i in range(rank))} -> {' '.join(f'd{p % rank}' for p in perm)}"


def _grouped(name: str, a: list[Any], b: list[Any]) -> tuple[list[str], list[str]]:
    """Labels of the dimensions of two shapes with equally many elements."""
    if len(a) == len(b) == 1:
        return [name], [name]
    if any([type(n) is not int or n < 1 for n in (*a, *b)]):
        return [f"{name}a{i}!" for i in range(len(a))], [f"{name}b{i}!" for i in range(len(b))]
    borders = [[math.prod(line[i:]) for i in range(len(line) + 1)] for line in (a, b)]
    every = sorted({*borders[0], *borders[1]}, reverse=True)
    if any([m % n for m, n in itertools.pairwise(every)]):
        return [f"{name}a{i}!" for i in range(len(a))], [f"{name}b{i}!" for i in range(len(b))]

    def line(ends: list[int]) -> list[str]:
        found: list[str] = []
        for high, low in itertools.pairwise(ends):
            parts = [(p, q) for p, q in itertools.pairwise(every) if low <= q and p <= high]
            found.append(f"({' '.join([f'{name}{p}={p // q}' for p, q in parts])})" if parts else "1")
        return found
    return line(borders[0]), line(borders[1])


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
    still = {a for a, kind in kinds.items() if kind not in ("sum", "mean", "share")}
    parts, *settings = left.split(";")
    names = {"-": ""} | {name: _kept(part, still) for name, part in zip(
        inputs, _repeated(parts.split(","), len(inputs)), strict=False)}
    names |= {f"out{i}": _kept(re.sub(r"[a-z]+:(\w+|\.\.\.|\*)", "", part), still) for i, part in enumerate(_repeated(
        right.split(","), 1 + max([int(n[3:]) for n in f"{takes} {gives}".split() if n.startswith("out")], default=0)))}
    means = [a for a, kind in kinds.items() if kind in ("mean", "share")]
    line = ", ".join([names[n] for n in takes.split()])
    outs = [" ".join([names[n], *[("share:" if a in _LABEL.findall(names[n]) else "mean:") + a for a in means]])
            for n in gives.split()]
    return f"{'; '.join([line, *[setting.strip() for setting in settings]])} -> {', '.join(outs)}"


def _repeated(parts: Sequence[str], count: int) -> list[str]:
    """The texts of so many operands, where the last may stand for several."""
    last = parts[-1].replace("*", "")
    return [*parts[:-1], *[last] * (max(count - len(parts) + 1, 1) if "*" in parts[-1] else 1)]


def _kept(part: str, still: set[str]) -> str:
    """The labels of an operand, with more of them marked as whole."""
    return re.sub(r"[A-Za-z_]\w*(?:=\d+)?(?![\w!=])",
                  lambda m: m[0] + "!" * (m[0].split("=")[0] in still), part).strip()


def mirrored(forward: Any, text: str) -> Callable[..., str | Whole]:
    """The layout rule of a reverse operator that takes and gives what `adjoint` names: "out0 x w -> x"."""
    takes, _, gives = text.partition("->")
    names, wanted = takes.split(), gives.split()

    def rule(*values: Any, **attrs: Any) -> str | Whole:
        given = dict(zip(names, values, strict=False))
        inputs = [given.get(n, n in wanted or None) for n in forward.inputs]       # it has a cotangent: it is there
        return adjoint(forward.labels(inputs, {k: v for k, v in attrs.items() if k in forward.attrs}),
                       takes, gives, forward.inputs)
    return rule


def returned(text: str) -> str:
    """The labels of the zeros of a `shape` to which is added what an operator with these labels took from them."""
    left, _, out = text.partition("->")
    x, comma, rest = left.partition(",")
    return f"{out}{comma}{rest}; shape={x} -> {x}"
