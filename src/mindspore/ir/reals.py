"""Floats computed from sizes that differ between runs."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .polynomials import Atom


class Undecided(Exception):
    """A comparison of sizes when the conditions of a program are final already."""


_class_of: Callable[[Any], Any] = type
_PYTHON: Any = operator                # whose `truediv` and `pow` the checker does not know
OPS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": _PYTHON.truediv, "**": _PYTHON.pow}


class Real:
    """A float computed from sizes, such as the factor of a mean; for Python a float."""

    __slots__ = ("dim", "env", "hint", "symbols", "text")
    __array_ufunc__ = None
    is_symbolic = True

    def __init__(self, env: Any, text: str, hint: float, symbols: set[Atom], dim: Any = None):
        self.env, self.text, self.hint, self.symbols = env, text, hint, symbols
        self.dim = dim                     # the size that it is, if it is one

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]  # checks of arguments take it for a float
        return float

    @classmethod
    def of(cls, value: Any) -> Any:
        """A size as a float."""
        if type(value) is cls or not getattr(_class_of(value), "is_symbolic", False):
            return value
        return cls(value.env, value.text, value.hint, value.symbols, value)

    def _made(self, op: str, other: Any, swapped: bool = False) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        other = Real.of(other)
        symbolic = type(other) is Real
        text, hint = (other.text, other.hint) if symbolic else (_literal(other), other)
        pair = (text, self.text) if swapped else (self.text, text)
        values = (hint, self.hint) if swapped else (self.hint, hint)
        if op == "/" and self.env.check_divisor(self if swapped else other):
            raise ZeroDivisionError("division by zero")
        return Real(self.env, f"({pair[0]} {op} {pair[1]})", OPS[op](*values),
                    self.symbols | (other.symbols if symbolic else set()))

    def __add__(self, other: Any) -> Any:
        return self._made("+", other)

    def __sub__(self, other: Any) -> Any:
        return self._made("-", other)

    def __mul__(self, other: Any) -> Any:
        return self._made("*", other)

    def __truediv__(self, other: Any) -> Any:
        return self._made("/", other)

    def __pow__(self, other: Any) -> Any:
        return self._made("**", other)

    def __radd__(self, other: Any) -> Any:
        return self._made("+", other, True)

    def __rsub__(self, other: Any) -> Any:
        return self._made("-", other, True)

    def __rmul__(self, other: Any) -> Any:
        return self._made("*", other, True)

    def __rtruediv__(self, other: Any) -> Any:
        return self._made("/", other, True)

    def __rpow__(self, other: Any) -> Any:
        return self._made("**", other, True)

    def __mod__(self, other: Any) -> Any:
        return float(self) % float(other) if isinstance(other, (int, float)) else NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        return float(self) // float(other) if isinstance(other, (int, float)) else NotImplemented

    def __pos__(self) -> Real:
        return self

    def __abs__(self) -> Real:
        return self if self >= 0 else -self

    def __neg__(self) -> Real:
        return Real(self.env, f"(-{self.text})", -self.hint, self.symbols)

    def _compared(self, other: Any, op: str) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        other = Real.of(other)
        text, hint = (other.text, other.hint) if type(other) is Real else (_literal(other), other)
        symbols = self.symbols | other.symbols if type(other) is Real else self.symbols
        return self.env.answer_text(f"{self.text} {op} {text}", OPS[op](self.hint, hint), symbols)

    def __eq__(self, other: Any) -> Any:
        return True if self is other else self._compared(other, "==")

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, "!=")

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, "<")

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "<=")

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, ">")

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, ">=")

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __bool__(self) -> bool:
        return self != 0

    def __float__(self) -> float:
        if not self == self.hint:
            raise Undecided(self.text)
        return float(self.hint)

    def __int__(self) -> int:
        return int(float(self))

    __trunc__ = __int__

    def __floor__(self) -> int:
        return float(self).__floor__()

    def __ceil__(self) -> int:
        return float(self).__ceil__()

    def __round__(self, digits: Any = None) -> Any:
        return round(float(self), digits)

    def __repr__(self) -> str:
        return self.text if self.env.quiet else repr(float(self))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return self.text if self.env.quiet else format(float(self), spec)


def _literal(value: Any) -> str:
    return f'float("{value}")' if value - value != 0 else repr(value)
