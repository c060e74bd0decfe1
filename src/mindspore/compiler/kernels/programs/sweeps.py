"""Which elements are computed in one sweep, and where elements are cut that need several."""
from __future__ import annotations

from collections.abc import Sequence
from math import prod

from mindspore.operators.loops import REDUCTIONS, Element

from ..plan import ordered


def same_samples(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether samples of one shape are as long as those of another."""
    return bool(shape) and shape[0] == other[0] and prod(shape[1:]) == prod(other[1:])


def together(forms: Sequence[Element]) -> list[list[int]]:
    """Results that share operands that are more than a number."""
    parts: list[tuple[set[int], list[int]]] = []
    for k, form in enumerate(forms):
        own, places = {e.value for e in ordered([form]) if e.word == "input" and prod(e.shape) > 1}, [k]
        for part in [p for p in parts if p[0] & own]:
            own |= part[0]
            places = part[1] + places
            parts.remove(part)
        parts.append((own, places))
    return [sorted(places) for _, places in parts]


def last_reduction(forms: Sequence[Element]) -> Element | None:
    """A reduction whose operand is computed in a sweep of its own, the last one."""
    return next((e for e in reversed(ordered(forms))
                 if e.word in REDUCTIONS and e.args[0].word not in ("input", "constant")), None)


def replaced(forms: Sequence[Element], old: Element, new: Element) -> list[Element]:
    """Elements with another one in place of one."""
    made: dict[int, Element] = {id(old): new}
    for e in ordered(forms):
        if id(e) not in made:
            args = tuple([made[id(a)] for a in e.args])
            made[id(e)] = e if all(a is b for a, b in zip(args, e.args, strict=True)) else Element(
                e.word, args, e.shape, e.dtype, e.value)
    return [made[id(f)] for f in forms]
