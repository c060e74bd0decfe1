"""Appends to the tree of a kernel: the same value is not computed twice, and constants are folded."""
from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from .tree import FLOATS, Block, Branch, Loop, Program, Store, Tensor, Value
from .words import WORDS

_LINEAR = ("add", "sub", "neg", "max", "min", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "where")


class Writer:
    """Writes a program.

    Attributes:
        program: What is written.
        line: The user's line that operations are noted for.
    """

    def __init__(self, program: Program):
        self.program, self.line = program, 0
        self.blocks: list[Block] = [program.body]
        self.known: list[dict[Any, Value]] = [{}]

    # ------------------------------------------------------------------ scalars

    def const(self, x: Any, dtype: str, weak: bool = False) -> Value:
        """A number."""
        x = bool(x) if dtype == "bool" else float(x) if dtype in FLOATS else int(x)
        return self._once(("const", repr(x), dtype, weak), lambda: Value("const", (), dtype, x, weak, self.line), 0)

    def like(self, x: Any, value: Value) -> Value:
        """A number of the type of a value."""
        return self.const(x, value.dtype, value.weak)

    def op(self, word: str, *args: Value) -> Value:
        """A word of operands whose types agree already."""
        folded = self._folded(word, args)
        if folded is not None:
            return folded
        dtype = "bool" if WORDS[word].result == "bool" else args[-1].dtype
        return self._emit(word, args, dtype, all(a.weak for a in args[-2:]))

    def cast(self, value: Value, dtype: str, weak: bool = False) -> Value:
        """A value in another type; floats are cut to integers."""
        if value.dtype == dtype and value.weak == weak:
            return value
        if value.word == "const":
            return self.const(value.attr, dtype, weak)
        return self._emit("cast", (value,), dtype, weak)

    def load(self, tensor: Tensor, indices: Sequence[Value]) -> Value:
        """An element of a tensor now."""
        def make() -> Value:
            made = Value("load", indices, tensor.dtype, tensor, line=self.line)
            self.blocks[-1].ops.append(made)
            return made
        if tensor.role != "input":
            return make()
        return self._once(("load", id(tensor), *map(id, indices)), make, -1)

    def _emit(self, word: str, args: Sequence[Value], dtype: str, weak: bool) -> Value:
        def make() -> Value:
            made = Value(word, args, dtype, None, weak, self.line)
            self.blocks[-1].ops.append(made)
            return made
        return self._once((word, dtype, weak, *map(id, args)), make, -1)

    def _once(self, key: Any, make: Any, level: int) -> Value:
        for known in reversed(self.known):
            if key in known:
                return known[key]
        made = self.known[level][key] = make()
        return made

    def _folded(self, word: str, args: Sequence[Value]) -> Value | None:
        """A simpler value that is equal to the last bit."""
        first, last = args[0], args[-1]
        if word == "where" and (first.word == "const" or args[1] is last):
            return args[1] if first.attr or args[1] is last else last
        numbers = [a.attr for a in args if a.word == "const"]
        exact = first.dtype in ("int64", "bool")
        if len(numbers) == len(args) and exact and not (word in ("floordiv", "mod", "power") and numbers[-1] <= 0):
            found = WORDS[word].numpy(*numbers)
            return self.const(found, "bool" if WORDS[word].result == "bool" else first.dtype, all(a.weak for a in args))
        if word == "mul":
            for x, y in ((first, last), (last, first)):
                if x.word == "const" and x.attr == 1:
                    return y
        if word == "add" and exact:
            for x, y in ((first, last), (last, first)):
                if x.word == "const" and x.attr == 0:
                    return y
        if last.word == "const" and ((word == "sub" and exact and last.attr == 0)
                                     or (word in ("div", "floordiv") and exact and last.attr == 1)):
            return first
        return first.args[0] if word == "neg" and first.word == "neg" else None

    # ------------------------------------------------------------------ tensors, loops, branches

    def store(self, tensor: Tensor, indices: Sequence[Value], value: Value, add: bool = False) -> None:
        """Set an element, or add to it."""
        self.blocks[-1].ops.append(Store(tensor, indices, value, add, self.line))

    def temporary(self, name: str, dtype: str, shape: Sequence[Value]) -> Tensor:
        """Memory for the time of a call, zero at first."""
        made = Tensor(f"{name}.{len(self.program.temporaries)}", dtype, shape, "temporary", self.line)
        self.program.temporaries.append(made)
        return made

    @contextmanager
    def loop(self, start: Value, stop: Value, step: int = 1, word: str = "range",
             inits: Sequence[Value] = ()) -> Generator[Loop]:
        """A loop; its body is written inside of the block, which sets `body.yields`."""
        made = Loop(start, stop, step, word, self.line)
        for init in inits:
            made.carry(init)
        with self.inside(made.body):
            yield made
        self.blocks[-1].ops.append(made)

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Write to another block."""
        self.blocks.append(block)
        self.known.append({})
        yield
        self.blocks.pop()
        self.known.pop()

    def branch(self, made: Branch) -> None:
        """Append a branch whose blocks are complete, as choices between values where it only adds and compares.

        Anything else stays a branch: its derivative may be infinite where the side is not taken, and 0 times that is
        no number.
        """
        cheap = all(isinstance(op, Value) and op.word in _LINEAR
                    for block in (made.then, made.orelse) for op in block.ops)
        if not cheap or not made.results:
            self.blocks[-1].ops.append(made)
            return
        for block in (made.then, made.orelse):
            self.blocks[-1].ops += block.ops
        for k, (yes, no) in enumerate(zip(made.then.yields, made.orelse.yields, strict=True)):
            made.results[k] = self.op("where", made.condition, yes, no)
