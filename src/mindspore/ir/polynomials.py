"""Polynomials with integer coefficients over sizes that differ between runs."""
from __future__ import annotations

from typing import Any

UNKNOWN = float("inf")


class Atom:
    """What polynomials are made of: a symbol, or a quotient that is no polynomial.

    Attributes:
        text: The expression in the generated source.
        hint: Its value while compiling; `actual` differs from it where the hint represents others.
        symbols: The symbols that it depends on.
        low, high: Known bounds.
        where: For the extent of an input: which one, and which dimension; None if the input is a number.
    """

    __slots__ = ("actual", "high", "hint", "low", "serial", "symbols", "text", "where")

    def __init__(self, text: str, hint: Any, serial: int, symbols: tuple[Atom, ...] = (),
                 low: float = 0, where: tuple[int, int | None] = (0, 0), actual: Any = None):
        self.text, self.hint, self.serial, self.where = text, hint, serial, where
        self.symbols = symbols or (self,)
        self.low, self.high = low, UNKNOWN
        self.actual = hint if actual is None else actual


Poly = dict[tuple[Atom, ...], int]


def plus(a: Poly, b: Poly, sign: int = 1) -> Poly:
    """`a + sign * b`."""
    sums = dict(a)
    for mono, factor in b.items():
        sums[mono] = sums.get(mono, 0) + sign * factor
    return sums


def times(a: Poly, b: Poly) -> Poly:
    """`a * b`."""
    product: Poly = {}
    for m, f in a.items():
        for n, g in b.items():
            mono = tuple(sorted((*m, *n), key=_serial)) if m and n else m or n
            product[mono] = product.get(mono, 0) + f * g
    return product


def _serial(atom: Atom) -> int:
    return atom.serial


def ordered(poly: Poly) -> Poly:
    """The terms that are not 0 in the order of their atoms, the constant last."""
    return {m: f for m, f in sorted(poly.items(), key=order) if f}


def order(term: tuple[tuple[Atom, ...], int]) -> Any:
    """The key by which terms are sorted."""
    return len(term[0]) == 0, [a.serial for a in term[0]]


def substituted(poly: Poly, settled: dict[Atom, Poly]) -> Poly:
    """The polynomial with atoms replaced by what they are equal to, as often as that goes."""
    if not any(a in settled for m in poly for a in m):
        return poly
    total: Poly = {}
    for mono, factor in poly.items():
        terms: Poly = {(): factor}
        for atom in mono:
            terms = times(terms, settled.get(atom, {(atom,): 1}))
        total = plus(total, terms)
    return substituted(total, settled)


def divided(a: Poly, b: Poly) -> Poly | None:
    """`a / b` if `b` is one term that divides every term of `a`."""
    if len(b) != 1:
        return None
    (by, factor), = b.items()
    found: Poly = {}
    for mono, f in a.items():
        rest = list(mono)
        for atom in by:
            if atom not in rest:
                return None
            rest.remove(atom)
        if f % factor:
            return None
        found[tuple(rest)] = f // factor
    return found


def hint_of(poly: Poly) -> int:
    """The value for the hints of the atoms."""
    hint = 0
    for mono, factor in poly.items():
        for atom in mono:
            factor *= atom.hint
        hint += factor
    return hint


def text_of(poly: Poly) -> str:
    """The text of the sum, without parentheses around it."""
    parts: list[str] = []
    for mono, factor in poly.items():
        names = [a.text for a in mono]
        if factor != 1 or not names:
            names.insert(0, str(factor))
        parts.append("*".join(names))
    return " + ".join(parts).replace("+ -", "- ")


def bounds_of(poly: Poly) -> tuple[float, float]:
    """Known bounds of the value."""
    low = high = 0.0
    for mono, factor in poly.items():
        a, b = 1.0, 1.0
        for atom in mono:
            if atom.low < 0:
                return -UNKNOWN, UNKNOWN
            a, b = a * atom.low, (0.0 if b == 0 or atom.high == 0 else b * atom.high)
        if factor < 0:
            a, b = b, a
        low, high = low + factor * a, high + factor * b
    return low, high
