"""Sizes in generated source: where they are read, and where the guards on them are tested.

The extents of inputs are read at the start of the function.  The first statement whose result has an
unknown extent reads it; the conditions in which it is the last unknown follow.
"""
from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from mindspore.ir import Aval, Dim, Flow, Node, Resized, Sizes, Undecided, symbolic
from mindspore.ir.runtime import runtime


class Journal:
    """Effects of a run that may begin again: those that happened are not repeated.

    Attributes:
        done: How many effects the run had.
        skip: How many of them the run before it had already.
        answers: What other processes answered so far.
        asked: How many of the answers the run has used.
    """

    def __init__(self) -> None:
        self.done = self.skip = self.asked = 0
        self.answers: list[Any] = []

    def again(self) -> None:
        """Start the run once more."""
        self.done, self.skip, self.asked = 0, max(self.done, self.skip), 0

    def answer(self, ask: Callable[[], Any]) -> Any:
        """What `ask` gives, or gave at this place in an attempt before; the caller may change it."""
        if self.asked == len(self.answers):
            self.answers.append(ask())
        found = self.answers[self.asked]
        self.asked += 1
        several: Any = found
        return tuple([x.clone() for x in several]) if type(found) is tuple else found.clone()

    @staticmethod
    def step() -> bool:
        """Whether the next effect of this thread is to happen."""
        run = runtime.journal
        if run is None:
            return True
        run.done += 1
        return run.done > run.skip

    @staticmethod
    @contextmanager
    def kept() -> Generator[Journal]:
        """Keep the journal of a run."""
        outer, runtime.journal = runtime.journal, Journal()
        try:
            yield runtime.journal
        finally:
            runtime.journal = outer


class Sizing:
    """The sizes that one generated function reads.

    Args:
        env: The symbols and conditions of the program.
        bound: Whether the function takes the inputs of the program, whose extents it reads.
        numbers: Whether symbols have the values of the current run, as when a part of a program is run
            while it is compiled.
    """

    def __init__(self, env: Sizes, numbers: bool = False, bound: bool = True):
        self.env, self.numbers, self.bound = env, numbers, bound
        self.inputs = [s.text for s in env.inputs]
        self.known: set[Any] = set()
        self.tested: set[str] = set()
        self.waiting = {} if numbers else env.at_run_time()

    def start(self, source: Any, names: list[str], main: bool) -> None:
        """Read the extents of inputs at the start of a function."""
        self.known = set(self.env.inputs)
        if self.numbers:
            for symbol in (*self.env.inputs, *self.env.results):
                source.put(1, f"{symbol.text} = {symbol.actual}")
            self.known |= set(self.env.results)
        elif main and self.bound:
            for symbol in self.env.inputs:
                place, axis = symbol.where
                source.put(1, f"{symbol.text} = {names[place]}" + ("" if axis is None else f".shape[{axis}]"))
        elif main:
            self.known = set()

    def text(self, value: Any) -> str:
        """The expression of a size, whose symbols must be known here."""
        if not value.symbols <= self.known:
            raise Undecided(value.text)
        return value.text

    def name(self, symbol: Any) -> str:
        """The variable of a symbol, which must be known here."""
        if symbol not in self.known:
            raise Undecided(symbol.text)
        return symbol.text

    def restored(self, node: Node) -> list[str]:
        """The variables of the sizes that are unpacked."""
        symbols = node.attrs.get("sizes", ())
        self.known |= set(symbols)
        return [s.text for s in symbols]

    @contextmanager
    def scope(self) -> Generator[None]:
        """What becomes known inside is not known afterwards."""
        before = set(self.known), set(self.tested)
        yield
        self.known, self.tested = before

    def once(self, source: Any, node: Node, text: str) -> str:
        """A statement with an effect that a second attempt of the run does not repeat.

        While the program is compiled nothing is shown: there a part of it runs for a value, and may only raise.
        """
        if self.numbers:
            return text if "error" in node.attrs else "pass"
        if not self.waiting:
            return text
        source.space["step"] = Journal.step
        return f"step() and {text}"

    def after(self, source: Any, depth: int, node: Node) -> None:
        """Read the sizes that a statement gives, and test what they must fulfil."""
        if self.numbers or isinstance(node.op, Flow):
            return
        found = False
        for out in node.items or (node,):
            if type(out.aval) is not Aval or not symbolic(out.aval.shape):
                continue
            name = source.name[id(out)]
            shape: tuple[Any, ...] = out.aval.shape
            for axis, extent in enumerate(shape):
                symbol = extent.symbol if type(extent) is Dim else None
                if symbol is not None and symbol not in self.known:
                    source.put(depth, f"{symbol.text} = {name}.shape[{axis}]", node.loc)
                    self.known.add(symbol)
                    found = True
            if node.op.shape_rule is None and node.op.dynamic_rule is None:
                self.refuse(source, depth, node, f"{name}.shape == {source.literal(out.aval.shape)}")
        if found:
            self.conditions(source, depth, node)

    def conditions(self, source: Any, depth: int, node: Node) -> None:
        """Test the conditions whose sizes are all known now."""
        for text, symbols in self.waiting.items():
            if text not in self.tested and symbols <= self.known:
                self.refuse(source, depth, node, text)
                self.tested.add(text)
                self.env.placed.add(text)

    def refuse(self, source: Any, depth: int, node: Node, test: str) -> None:
        """Leave the run unless a condition holds."""
        source.space["Resized"] = Resized
        source.put(depth, f"if not ({test}): raise Resized({test!r})", node.loc)
