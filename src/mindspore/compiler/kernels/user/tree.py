"""The tree of loops of a kernel: scalars that are set once, loops and branches with results, tensors that change.

A block is a list of values, stores, loops and branches in the order in which they happen.  A scalar that changes from
iteration to iteration is a parameter of the loop: `start` gives its first value, the body yields the next one, and the
result is the last.  So every scalar keeps its value wherever it can be seen, and only tensors have a history.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
DTYPES = (*FLOATS, *INTEGERS, "bool")


class Value:
    """A scalar.

    Attributes:
        word: What it is: "const", "size", "param", "result", "load" or a word of `words`.
        args: The operands; for a load the indices.
        attr: The number of a constant, (tensor, axis) of a size, the tensor of a load.
        weak: Whether it comes from Python's numbers alone and so takes the type of what it meets.
    """

    __slots__ = ("args", "attr", "dtype", "line", "weak", "word")

    def __init__(self, word: str, args: Sequence[Value], dtype: str, attr: Any = None, weak: bool = False,
                 line: int = 0):
        self.word, self.args, self.dtype, self.attr = word, tuple(args), dtype, attr
        self.weak, self.line = weak, line

    @property
    def floating(self) -> bool:
        """Whether it has a derivative."""
        return self.dtype in FLOATS

    def __repr__(self) -> str:
        return f"<{self.word}{'' if self.attr is None else f' {self.attr}'}: {self.dtype}>"


class Tensor:
    """Memory: an input, an output, or what is gone when the kernel ends.

    Attributes:
        shape: The extents, values that follow from sizes of inputs.
        role: "input", "output" or "temporary".
        filled: Whether all elements are surely set before they are read, so that they need not be 0 at first.
    """

    __slots__ = ("dtype", "filled", "line", "name", "role", "shape")

    def __init__(self, name: str, dtype: str, shape: Sequence[Value], role: str, line: int = 0):
        self.filled = False
        self.name, self.dtype, self.shape, self.role, self.line = name, dtype, tuple(shape), role, line

    @property
    def floating(self) -> bool:
        """Whether it has a derivative."""
        return self.dtype in FLOATS

    def __repr__(self) -> str:
        return f"{self.role} {self.name}"


class Block:
    """What happens in order, and the values that it gives to what it stands in."""

    __slots__ = ("ops", "yields")

    def __init__(self) -> None:
        self.ops: list[Any] = []
        self.yields: list[Value] = []


class Store:
    """An element that is set, or added to."""

    __slots__ = ("add", "indices", "line", "tensor", "value")

    def __init__(self, tensor: Tensor, indices: Sequence[Value], value: Value, add: bool, line: int):
        self.tensor, self.indices, self.value, self.add, self.line = tensor, tuple(indices), value, add, line

    @property
    def attr(self) -> Tensor:
        """The tensor, as a load names it."""
        return self.tensor

    @property
    def args(self) -> tuple[Value, ...]:
        """The indices, as a load names them."""
        return self.indices


class Loop:
    """for index in range(start, stop, step), with scalars that are carried from one iteration to the next."""

    __slots__ = ("body", "index", "inits", "line", "params", "results", "start", "step", "stop", "word")

    def __init__(self, start: Value, stop: Value, step: int, word: str, line: int):
        self.start, self.stop, self.step, self.word, self.line = start, stop, step, word, line
        self.index = Value("param", (), "int64", weak=True, line=line)
        self.inits: list[Value] = []
        self.params: list[Value] = []
        self.results: list[Value] = []
        self.body = Block()

    def carry(self, init: Value) -> Value:
        """A further scalar that changes; its value in the body."""
        param = Value("param", (), init.dtype, weak=init.weak, line=self.line)
        self.inits.append(init)
        self.params.append(param)
        self.results.append(Value("result", (), init.dtype, weak=init.weak, line=self.line))
        return param


class Branch:
    """if condition, else; both blocks yield as many values as it has results."""

    __slots__ = ("condition", "line", "orelse", "results", "then")

    def __init__(self, condition: Value, line: int):
        self.condition, self.line = condition, line
        self.then, self.orelse = Block(), Block()
        self.results: list[Value] = []

    def give(self, dtype: str, weak: bool = False) -> Value:
        """A further result."""
        self.results.append(Value("result", (), dtype, weak=weak, line=self.line))
        return self.results[-1]


class Program:
    """A kernel.

    Attributes:
        inputs, outputs, temporaries: Its tensors.
        body: What it does.
        where: The file that errors name.
    """

    def __init__(self, name: str, where: str):
        self.name, self.where = name, where
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.temporaries: list[Tensor] = []
        self.body = Block()

    def input(self, name: str, dtype: str, rank: int) -> Tensor:
        """A further input of sizes that a call tells."""
        made = Tensor(name, dtype, (), "input")
        made.shape = tuple([Value("size", (), "int64", (made, axis), weak=True) for axis in range(rank)])
        self.inputs.append(made)
        return made

    @property
    def tensors(self) -> list[Tensor]:
        """All of its tensors, in the order of the native code's table."""
        return [*self.inputs, *self.outputs, *self.temporaries]


def blocks_of(op: Any) -> tuple[Block, ...]:
    """The blocks inside of an operation."""
    if isinstance(op, Loop):
        return (op.body,)
    return (op.then, op.orelse) if isinstance(op, Branch) else ()


def operands(op: Any) -> list[Value]:
    """The values that an operation itself takes, beside those that its blocks use."""
    if isinstance(op, Value):
        return list(op.args)
    if isinstance(op, Store):
        return [*op.indices, op.value]
    if isinstance(op, Loop):
        return [op.start, op.stop, *op.inits]
    return [op.condition]


def walk(block: Block) -> Iterator[Any]:
    """All operations of a block and of the blocks inside."""
    for op in block.ops:
        yield op
        for inner in blocks_of(op):
            yield from walk(inner)


def accesses(block: Block, tensor: Tensor | None = None) -> list[Any]:
    """The loads and stores in a block, in order."""
    found = [op for op in walk(block) if isinstance(op, Store) or (isinstance(op, Value) and op.word == "load")]
    return found if tensor is None else [op for op in found if op.attr is tensor]


def free_values(block: Block) -> list[Value]:
    """What a block uses and does not make, each once, in order."""
    made: set[int] = set()
    used: dict[int, Value] = {}

    def visit(inside: Block) -> None:
        for op in inside.ops:
            used.update({id(v): v for v in operands(op) if id(v) not in made})
            made.update(id(v) for v in ([op] if isinstance(op, Value) else getattr(op, "results", ())))
            if isinstance(op, Loop):
                made.update(id(v) for v in (op.index, *op.params))
            for inner in blocks_of(op):
                visit(inner)
        used.update({id(v): v for v in inside.yields if id(v) not in made})
    visit(block)
    return [v for k, v in used.items() if k not in made]
