"""The sizes of one program that are not known while it is compiled, and the guards on them."""
from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from .dims import SYMBOLIC, Dim, Resized, Specialised
from .polynomials import UNKNOWN, Atom, Poly, hint_of, order, ordered, substituted
from .reals import Real, Undecided
from .runtime import runtime

_GENERIC = 7         # the hint for an extent of 0 or 1, so that the program holds for more of them


class Sizes:
    """Symbols, conditions, and what is needed to find the size of a result while compiling.

    Attributes:
        guards: The conditions under which the program holds: text -> the symbols in it.
        inputs, results: The symbols: extents of inputs, extents of results.
        settled: Symbols that a condition makes equal to a polynomial of others.
        quiet: Whether conditions are final: only what follows from them is equal then.
        values: Values of nodes in the current run, by id; `arguments` finds those of parameters.
        closed: Whether the program is complete.
    """

    def __init__(self) -> None:
        self.guards: dict[str, frozenset[Atom]] = {}
        self.answers: dict[tuple[int, str], bool] = {}
        self.inputs: list[Atom] = []
        self.results: list[Atom] = []
        self.settled: dict[Atom, Poly] = {}
        self.table: dict[Any, Dim] = {}
        self.atoms: dict[Any, Atom] = {}
        self.quiet = self.closed = False
        self.generic = False
        self.loops = True                      # whether loops over sizes stay loops
        self.values: dict[int, Any] = {}
        self.alive: list[Any] = []
        self.placed: set[str] = set()
        self.known: dict[int, Any] = {}        # integers computed by nodes, by id
        self.arguments: Callable[[Any], Any] = lambda node: None

    @property
    def active(self) -> bool:
        """Whether there is any size that is not known."""
        return bool(self.inputs or self.results)

    # ------------------------------------------------------------------ symbols

    def _serial(self) -> int:
        return len(self.inputs) + len(self.results) + len(self.atoms)

    def extent(self, place: int, axis: int, actual: int, general: bool) -> Dim:
        """The extent of an input's dimension.

        `general`: an extent of 0 or 1 is compiled by the hint of a larger one.
        """
        hint = _GENERIC if general and actual < 2 else actual
        self.generic = self.generic or hint != actual
        symbol = Atom(f"s{len(self.inputs)}", hint, self._serial(), where=(place, axis), actual=actual)
        self.inputs.append(symbol)
        return self.make({(symbol,): 1})

    def given(self, place: int, value: float) -> Any:
        """A number among the inputs, as a size or a float."""
        symbol = Atom(f"s{len(self.inputs)}", value, self._serial(), low=-UNKNOWN, where=(place, None))
        self.inputs.append(symbol)
        return self.make({(symbol,): 1}) if isinstance(value, int) else self.real(symbol)

    def real(self, symbol: Atom) -> Real:
        """A number among the inputs that is a float."""
        return Real(self, symbol.text, symbol.hint, {symbol})

    def result(self, hint: int) -> Dim:
        """The extent of a result that only a run tells."""
        symbol = Atom(f"u{len(self.results)}", hint, self._serial())
        self.results.append(symbol)
        return self.make({(symbol,): 1})

    def atom(self, op: str, a: Any, b: Any, low: float, high: float) -> Dim:
        """A quotient that is no polynomial."""
        key = op, a, b
        found = self.atoms.get(key)
        if found is None:
            text = f"({_text(a)} {op} {_text(b)})"
            symbols = tuple(_symbols(a) | _symbols(b))
            found = self.atoms[key] = Atom(text, _hint(a) // _hint(b), self._serial(), symbols, low)
            found.high = high
        return self.make({(found,): 1})

    def make(self, poly: Poly) -> Any:
        """The number that a polynomial is: a Dim, or an int if it is constant."""
        if self.settled:
            poly = substituted(poly, self.settled)
        poly = ordered(poly)
        if not poly:
            return 0
        if len(poly) == 1 and () in poly:
            return poly[()]
        key = tuple(poly.items())
        found = self.table.get(key)
        if found is None:
            found = self.table[key] = Dim(self, poly, hint_of(poly))
        return found

    # ------------------------------------------------------------------ the current run

    def value(self, node: Any) -> Any:
        """The value of a node in the run for which the program is compiled; None if there is none."""
        found = self.values.get(id(node))
        if found is None:
            found = self.arguments(node)
        if found is None:
            found = self.evaluate(node)
        if found is not None:
            self.remember(node, found)
        return found

    def evaluate(self, node: Any) -> Any:
        """The value of a node in the current run, computed; None if it cannot be."""
        return None

    def remember(self, node: Any, value: Any) -> None:
        """Keep the value of a node."""
        self.values[id(node)] = value
        self.alive.append(node)

    # ------------------------------------------------------------------ conditions

    def answer(self, rest: Dim, op: str) -> bool:
        """Whether `rest op 0` holds; a condition of the program unless it always does."""
        known = self.answers.get((id(rest), op))
        if known is not None:
            return known
        low, high = rest.bounds()
        if low > 0 or high < 0:
            return False if op == "==" else high < 0
        if op == "<" and low >= 0:
            return False
        if op == "<=" and high <= 0:
            return True
        if self.quiet:
            if op == "==":
                return False
            raise Undecided(f"{rest.text} {op} 0")
        found = {"==": rest.hint == 0, "<": rest.hint < 0, "<=": rest.hint <= 0}[op]
        self.answers[id(rest), op] = found
        self._note(f"{rest.text} {op} 0", found, rest.symbols)
        self._learn(rest, op, found)
        return found

    def answer_text(self, text: str, found: bool, symbols: Iterable[Atom]) -> bool:
        """The answer to a comparison of floats, which becomes a condition of the program."""
        if self.quiet:
            if " == " in text or " != " in text:
                return " != " in text
            raise Undecided(text)
        self._note(text, found, symbols)
        return found

    def _note(self, text: str, found: bool, symbols: Iterable[Atom]) -> None:
        self.guards[text if found else f"not {text}"] = frozenset(symbols)

    def _learn(self, rest: Dim, op: str, found: bool) -> None:
        """Take what follows from an answer: the value of a symbol, or bounds."""
        if op == "==" and found:
            self._settle(rest)
            return
        terms = [(m, f) for m, f in rest.poly.items() if m]
        if len(terms) != 1 or len(terms[0][0]) != 1 or abs(terms[0][1]) != 1:
            return
        (atom,), factor = terms[0]
        edge = -rest.poly.get((), 0) * factor        # rest == factor * (atom - edge)
        if op == "==":
            atom.low += atom.low == edge
            atom.high -= atom.high == edge
            return
        below = found == (factor > 0)                # whether atom is below (or at) the edge
        strict = (op == "<") == found
        if below:
            atom.high = min(atom.high, edge - strict)
        else:
            atom.low = max(atom.low, edge + strict)

    def _settle(self, rest: Dim) -> None:
        for mono, factor in sorted(rest.poly.items(), key=order, reverse=True):
            if len(mono) == 1 and abs(factor) == 1:
                atom = mono[0]
                others = {m: -f * factor for m, f in rest.poly.items() if m != mono}
                if not any(atom in m or any(atom in a.symbols for a in m) for m in others):
                    self.settled[atom] = others
                    return

    def constant(self, dim: Dim) -> int:
        """The value of a size that must be known: a condition of the program."""
        known = self.make(dim.poly)
        if type(known) is int:
            return known
        if self.quiet:
            raise Undecided(f"{dim.text} as a constant")
        if self.generic and any(s.hint != s.actual for s in dim.symbols):
            raise Specialised
        if not dim == dim.hint:
            raise Undecided(dim.text)
        return dim.hint

    def check_divisor(self, value: Any) -> bool:
        """Whether a divisor is zero."""
        if type(value) is Real and value.dim is not None:
            value = value.dim
        if type(value) is Real:
            return not value.hint if self.quiet else not value
        return value == 0

    @contextmanager
    def final(self) -> Generator[None]:
        """No more conditions: what does not follow from those that there are is taken as different."""
        before, self.quiet = self.quiet, True
        try:
            yield
        finally:
            self.quiet = before

    @contextmanager
    def compiling(self, quiet: bool = False) -> Generator[None]:
        """Let sizes be those of this program; at the end what only its compilation needs goes.

        `quiet`: no more conditions, see `final`.
        """
        outer, runtime.sizes = runtime.sizes, self
        self.closed, self.quiet = False, quiet
        try:
            yield
        finally:
            runtime.sizes = outer
            self.quiet = self.closed = True
            self.values.clear()
            self.known.clear()
            self.alive.clear()
            self.arguments = lambda node: None

    # ------------------------------------------------------------------ at the start of a run

    def fits(self) -> Callable[[Any], bool] | None:
        """A test of the shapes of the inputs, of numbers the values: whether the conditions hold, if any."""
        known = set(self.inputs)
        tests = [text for text, symbols in self.guards.items() if symbols <= known]
        if not tests:
            return None
        lines = [f"    {s.text} = shapes[{s.where[0]}]" + ("" if s.where[1] is None else f"[{s.where[1]}]")
                 for s in self.inputs]
        source = "\n".join(["def fits(shapes):", *lines, f"    return {' and '.join(tests)}"])
        space: dict[str, Any] = {}
        exec(compile(source, "<conditions on sizes>", "exec"), space)
        return space["fits"]

    def at_run_time(self) -> dict[str, frozenset[Atom]]:
        """The guards on sizes that only the run tells."""
        known = set(self.inputs)
        return {text: symbols for text, symbols in self.guards.items() if not symbols <= known}


def _text(value: Any) -> str:
    return value.text if type(value) is Dim else repr(value)


def _hint(value: Any) -> int:
    return value.hint if type(value) is Dim else value


def _symbols(value: Any) -> set[Atom]:
    return value.symbols if type(value) is Dim else set()


_PLAIN = frozenset((int, str, bool, float))
_TUPLE: type[Any] = tuple               # as types of anything, so that the members are that for the checker, too
_class_of: Callable[[Any], Any] = type
_SEQUENCES: tuple[type[Any], ...] = (tuple, list)


def symbolic(value: Any) -> bool:
    """Whether a size that is not known is in a value: in an aval, a shape, an attribute."""
    kind = _class_of(value)
    if kind in SYMBOLIC:
        return True
    if isinstance(value, _SEQUENCES):
        return any([symbolic(v) for v in value])
    if kind is slice:
        return symbolic((value.start, value.stop, value.step))
    return kind is dict and any([symbolic(v) for v in value.values()])


def symbols_of(value: Any, found: set[Atom]) -> set[Atom]:
    """Add the symbols in a value to a set."""
    kind = _class_of(value)
    if kind in SYMBOLIC:
        found |= value.symbols
    elif isinstance(value, _SEQUENCES):
        for v in value:
            if type(v) not in _PLAIN:
                symbols_of(v, found)
    elif kind is slice:
        symbols_of((value.start, value.stop, value.step), found)
    return found


def valued(value: Any, at: Callable[[Atom], int]) -> Any:
    """A value with its sizes replaced by numbers: symbols have the values that `at` gives."""
    kind = _class_of(value)
    if kind is Dim or kind is Real:
        return eval(value.text, {s.text: at(s) for s in value.symbols})
    if isinstance(value, _TUPLE):
        parts = [valued(v, at) for v in value]
        return kind(*parts) if hasattr(value, "_fields") else tuple(parts)
    if kind is list:
        return [valued(v, at) for v in value]
    if kind is slice:
        return slice(*valued((value.start, value.stop, value.step), at))
    return value


__all__ = ["Resized", "Sizes", "Specialised", "Undecided", "symbolic", "symbols_of", "valued"]
