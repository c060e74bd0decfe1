"""Sizes that differ between runs, as numbers to compute with while a program is compiled.

A `Dim` is a polynomial with integer coefficients over symbols: extents of inputs (`s0`, `s1`) and of
results whose shape depends on elements (`u0`, `u1`).  It stands where an int stands, and knows the
value that it has in the run for which the program is compiled, its *hint*.  Arithmetic gives further
polynomials.  Whatever needs an answer now (a comparison, a loop, an int for C code) gets the one for the
hint, and the program notes the answer as a condition under which it holds (`Sizes.guards`).
"""
from __future__ import annotations

import operator
from typing import Any

from .polynomials import UNKNOWN, Atom, Poly, bounds_of, divided, plus, text_of, times
from .reals import OPS, Real


class Resized(Exception):  # no error: the program is compiled again
    """A size at run time is not one that the program was compiled for."""


class Specialised(BaseException):
    """A size must be a constant, and only its hint is known, which is one of many values."""


_REPEATED: tuple[type[Any], ...] = (tuple, list, str)


class Dim:
    """A size that is not known while compiling, for Python an int."""

    __slots__ = ("env", "hint", "poly")
    __array_ufunc__ = None
    is_symbolic = True

    def __init__(self, env: Any, poly: Poly, hint: int):
        self.env, self.poly, self.hint = env, poly, hint

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]  # checks of arguments take it for an int
        return int

    # ------------------------------------------------------------------ what it depends on

    @property
    def symbols(self) -> set[Atom]:
        """The symbols in it."""
        return {s for mono in self.poly for atom in mono for s in atom.symbols}

    @property
    def symbol(self) -> Atom | None:
        """The symbol that it is, if it is one."""
        if len(self.poly) == 1:
            (mono, factor), = self.poly.items()
            if factor == 1 and len(mono) == 1 and mono[0].symbols == (mono[0],):
                return mono[0]
        return None

    @property
    def text(self) -> str:
        """The expression in the generated source."""
        return text_of(self.poly) if self.symbol else f"({text_of(self.poly)})"

    def bounds(self) -> tuple[float, float]:
        """Known bounds of its value."""
        return bounds_of(self.poly)

    # ------------------------------------------------------------------ arithmetic

    def __add__(self, other: Any) -> Any:
        return self._joined(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._joined(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return other + (-self)             # which is an int if the size is settled by now

    def __neg__(self) -> Any:
        return self.env.make({m: -f for m, f in self.poly.items()})

    def __pos__(self) -> Dim:
        return self

    def _joined(self, other: Any, sign: int) -> Any:
        if type(other) is Real or isinstance(other, float):
            return Real.of(self)._made("+" if sign > 0 else "-", other)
        terms = _poly(other)
        if terms is None:
            return NotImplemented
        return self.env.make(plus(self.poly, terms, sign))

    def __mul__(self, other: Any) -> Any:
        if type(other) is Real or isinstance(other, float):
            return Real.of(self)._made("*", other)
        terms = _poly(other)
        if terms is None:
            if isinstance(other, _REPEATED):
                return other * self.__index__()
            return NotImplemented
        return self.env.make(times(self.poly, terms))

    __rmul__ = __mul__

    def __pow__(self, other: Any) -> Any:
        if type(other) is not int or not 0 <= other <= 4:
            return self.__index__() ** other
        found: Any = 1
        for _ in range(other):
            found = self * found
        return found

    def __rpow__(self, other: Any) -> Any:
        return other ** self.__index__()

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, float) or type(other) is Real:
            return float(self) // float(other)
        return NotImplemented if _poly(other) is None else _quotient(self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other // float(self)
        return NotImplemented if _poly(other) is None else _quotient(other, self)

    def __mod__(self, other: Any) -> Any:
        if _poly(other) is None:
            return float(self) % other if isinstance(other, float) else NotImplemented
        return self - self // other * other

    def __rmod__(self, other: Any) -> Any:
        if isinstance(other, str):
            return other % self.__index__()
        return NotImplemented if _poly(other) is None else other - other // self * self

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __truediv__(self, other: Any) -> Any:
        return Real.of(self)._made("/", other)

    def __rtruediv__(self, other: Any) -> Any:
        return Real.of(self)._made("/", other, swapped=True)

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __round__(self, digits: Any = None) -> Any:
        return self

    __trunc__ = __floor__ = __ceil__ = __round__

    # ------------------------------------------------------------------ answers for the hint

    def __eq__(self, other: Any) -> Any:
        return True if self is other else self._compared(other, "==")

    def __ne__(self, other: Any) -> Any:
        found = self == other
        return found if found is NotImplemented else not found

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, "<")

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "<=")

    def __gt__(self, other: Any) -> Any:
        found = self._compared(other, "<=")
        return found if found is NotImplemented else not found

    def __ge__(self, other: Any) -> Any:
        found = self._compared(other, "<")
        return found if found is NotImplemented else not found

    def _compared(self, other: Any, op: str) -> Any:
        if isinstance(other, float) or type(other) is Real:
            if type(other) is float and other - other != 0:       # infinite, or not a number
                return OPS[op](self.hint, other)
            return Real.of(self)._compared(other, op)
        if type(other) is Dim and other.env is not self.env:
            return False if op == "==" else NotImplemented
        if _poly(other) is None:
            return NotImplemented
        rest = self - other
        return OPS[op](rest, 0) if type(rest) is int else self.env.answer(rest, op)

    def __bool__(self) -> bool:
        return self != 0

    def __index__(self) -> int:
        return self.env.constant(self)

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.env.constant(self))

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __repr__(self) -> str:
        return self.text if self.env.quiet else str(self.env.constant(self))

    def __str__(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        return self.text if self.env.quiet else format(self.env.constant(self), spec)

    def bit_length(self) -> int:
        """As of an int."""
        return self.__index__().bit_length()

    @property
    def real(self) -> Dim:
        """As of an int."""
        return self


SYMBOLIC = (Dim, Real)
INTS = (int, Dim)


def _poly(value: Any) -> Poly | None:
    if type(value) is Dim:
        return value.poly
    if type(value) in (int, bool):
        return {(): int(value)} if value else {}
    if hasattr(value, "__index__") and not hasattr(value, "shape"):
        return {(): operator.index(value)}
    return None


def _quotient(a: Any, b: Any) -> Any:
    """`a // b` of which one is no constant: exact where it can be, else a new atom."""
    env = a.env if type(a) is Dim else b.env
    if env.check_divisor(b):
        raise ZeroDivisionError("integer division or modulo by zero")
    exact = _divided(a, b)
    if exact is not None:
        return exact
    if type(b) is int and b > 0 and type(a) is Dim:
        whole = {m: f // b for m, f in a.poly.items() if m and f % b == 0}
        if whole:
            rest = env.make({m: f for m, f in a.poly.items() if m not in whole})
            return env.make(whole) + rest // b
    low, high = a.bounds() if type(a) is Dim else (a, a)
    b_low, _ = b.bounds() if type(b) is Dim else (b, b)
    floor = low // b if type(b) is int and b > 0 and low > -UNKNOWN else (
        0 if low >= 0 and b_low > 0 else -UNKNOWN)
    ceiling = high // b if type(b) is int and b > 0 and high < UNKNOWN else UNKNOWN      # inf // 2 is not a number
    return env.atom("//", a, b, floor, ceiling)


def _divided(a: Any, b: Any) -> Any:
    """`a / b` if it is a polynomial because `b` is one term that divides every term of `a`."""
    if a is b:
        return 1
    found = divided(a.poly, _poly(b) or {}) if type(a) is Dim else None
    return None if found is None else a.env.make(found)
