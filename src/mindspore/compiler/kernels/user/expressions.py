"""Expressions of a kernel: scalars of typed values, and Python's numbers where everything is known."""
from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .bounds import of_sizes
from .errors import KernelLanguageError
from .sources import Source
from .tree import DTYPES, FLOATS, Branch, Program, Tensor, Value
from .words import CALLED, WORDS
from .writer import Writer

Number = (int, float, bool)
_OPERATORS: dict[str, tuple[str, Callable[..., Any]]] = {
    "Add": ("add", operator.add), "Sub": ("sub", operator.sub), "Mult": ("mul", operator.mul),
    "Div": ("div", operator.truediv), "FloorDiv": ("floordiv", operator.floordiv), "Mod": ("mod", operator.mod),
    "Pow": ("power", operator.pow), "Eq": ("eq", operator.eq), "NotEq": ("ne", operator.ne),
    "Lt": ("lt", operator.lt), "LtE": ("le", operator.le), "Gt": ("gt", operator.gt), "GtE": ("ge", operator.ge)}
_SAME: dict[Any, str] = {f: name for name in CALLED for module in (math, np)
                         for f in (getattr(module, name, None),) if callable(f)}
_SAME |= {abs: "abs", max: "max", min: "min", round: "round", pow: "power", math.pow: "power", np.arctan: "atan",
          np.maximum: "max", np.minimum: "min", np.abs: "abs", math.fabs: "abs"}
_TYPES: dict[Any, tuple[str, bool]] = {float: ("float64", True), int: ("int64", True), bool: ("bool", False),
                                       **{getattr(np, d, d): (d, False) for d in DTYPES if d != "bool"}}


class Unset:
    """What a name is bound to that is set on some ways only."""

    def __init__(self, why: str):
        self.why = why


class Expressions:
    """Evaluates expressions.

    Attributes:
        names: What is bound now.
        outputs: How many outputs there are so far.
    """

    def __init__(self, source: Source):
        self.source = source
        self.writer = Writer(Program(source.name, source.file))
        self.names: dict[str, Any] = {}
        self.around = source.around()
        self.outputs = 0

    def refused(self, node: Any, why: str) -> KernelLanguageError:
        """The error for a piece of syntax."""
        text = ast.unparse(node).splitlines()[0]
        return KernelLanguageError(f"{why}.\n  {self.source.where(node)}, in {self.source.name}\n    {text}")

    # ------------------------------------------------------------------ types

    def value(self, x: Any, node: Any) -> Value:
        """A scalar as a value."""
        if isinstance(x, Value):
            return x
        if isinstance(x, (bool, np.bool_)):
            return self.writer.const(x, "bool")
        if isinstance(x, int):
            return self.writer.const(x, "int64", weak=True)
        if isinstance(x, float):
            return self.writer.const(x, "float64", weak=True)
        raise self.refused(node, f"A scalar is needed here, not {_described(x)}")

    def joined(self, one: tuple[str, bool], other: tuple[str, bool], node: Any) -> tuple[str, bool]:
        """The type that two scalars meet in; numbers of Python's adapt, everything else must be cast."""
        if one[0] == other[0]:
            return one[0], one[1] and other[1]
        (narrow, weak), wide = (one, other) if one[1] else (other, one)
        if one[1] and other[1]:
            return "float64", True
        if weak and "bool" not in (narrow, wide[0]) and (narrow == "int64" or wide[0] in FLOATS):
            return wide
        raise self.refused(node, f"Types must agree, but they are {one[0]} and {other[0]}: cast one of them, "
                                 f"as in {other[0] if one[0] in FLOATS else one[0]}(...)")

    def typed(self, x: Any, dtype: str, node: Any, weak: bool = False) -> Value:
        """A scalar that is to have a type, which only numbers of Python's take by themselves."""
        v = self.value(x, node)
        if v.dtype != dtype and self.joined((v.dtype, v.weak), (dtype, weak), node) != (dtype, weak):
            raise self.refused(node, f"A value of type {v.dtype} does not become {dtype} by itself: "
                                     f"write {dtype}(...)")
        return self.writer.cast(v, dtype, weak)

    def alike(self, args: list[Any], node: Any) -> list[Value]:
        """Operands in their common type."""
        values = [self.value(a, node) for a in args]
        found = values[0].dtype, values[0].weak
        for v in values[1:]:
            found = self.joined(found, (v.dtype, v.weak), node)
        return [self.writer.cast(v, found[0], found[1]) for v in values]

    def truth(self, x: Value, node: Any) -> Value:
        """A condition."""
        return x if x.dtype == "bool" else self.writer.op("ne", x, self.writer.like(0, x))

    # ------------------------------------------------------------------ operators

    def evaluate(self, node: ast.expr) -> Any:
        """What an expression is."""
        handler = getattr(self, f"of_{type(node).__name__}", None)
        if handler is None:
            raise self.refused(node, f"'{type(node).__name__}' is not in the language of kernels")
        return handler(node)

    def of_Constant(self, node: ast.Constant) -> Any:
        """A number or a text."""
        return node.value

    def of_Tuple(self, node: ast.Tuple) -> Any:
        """A tuple."""
        return tuple([self.evaluate(e) for e in node.elts])

    of_List = of_Tuple

    def of_Name(self, node: ast.Name) -> Any:
        """What the name is bound to: here, around the function, or in the language."""
        found = self.names.get(node.id, self.around.get(node.id, node))
        if isinstance(found, Unset):
            raise self.refused(node, f"'{node.id}' is set in {found.why}, so it may be unset here")
        if found is node:
            if node.id in DTYPES:
                return node.id
            if node.id not in CALLED and node.id not in ("ceil_div", "output_tensor", "allocate"):
                raise self.refused(node, f"The name '{node.id}' is not defined")
            return f"word {node.id}"
        return found

    def of_Attribute(self, node: ast.Attribute) -> Any:
        """`.shape` and `.dtype` of tensors, and names of modules."""
        found = self.evaluate(node.value)
        if isinstance(found, Tensor):
            if node.attr == "shape":
                return found.shape
            if node.attr == "dtype":
                return found.dtype
            raise self.refused(node, f"Tensors have 'shape' and 'dtype' here, not '{node.attr}'")
        if type(found).__name__ == "module":
            return getattr(found, node.attr)
        raise self.refused(node, f"'{node.attr}' of {_described(found)} is not in the language of kernels")

    def of_BinOp(self, node: ast.BinOp) -> Any:
        """x + y."""
        return self.binary(type(node.op).__name__, self.evaluate(node.left), self.evaluate(node.right), node)

    def binary(self, name: str, x: Any, y: Any, node: Any) -> Any:
        """An operator on two operands."""
        if name not in _OPERATORS:
            raise self.refused(node, f"The operator '{name}' is not in the language of kernels")
        word, plain = _OPERATORS[name]
        if not isinstance(x, Value) and not isinstance(y, Value):
            if isinstance(x, Tensor) or isinstance(y, Tensor):
                raise self.refused(node, "Tensors are used by their elements, as in x[i, j]")
            return plain(x, y)
        if word == "power" and isinstance(y, int) and 0 < y <= 4:
            return self.multiplied(self.value(x, node), y)
        return self.applied(word, [x, y], node)

    def multiplied(self, x: Value, n: int) -> Value:
        """A small power."""
        found = x
        for _ in range(n - 1):
            found = self.writer.op("mul", found, x)
        return found

    def applied(self, word: str, args: list[Any], node: Any) -> Value:
        """A word on operands that are brought to one type."""
        entry, values = WORDS[word], self.alike(args, node)
        dtype, weak = values[0].dtype, values[0].weak
        if entry.floats and dtype not in FLOATS:
            if not weak:
                raise self.refused(node, f"'{word}' is of floats, but its operand is {dtype}: cast it")
            values = [self.writer.cast(v, "float64", True) for v in values]
        if dtype == "bool" and word not in ("eq", "ne"):
            raise self.refused(node, f"'{word}' is of numbers, but its operand is bool: cast it")
        return self.writer.op(word, *values)

    def of_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """-x, +x, not x."""
        x = self.evaluate(node.operand)
        if not isinstance(x, Value):
            plain = {"USub": operator.neg, "UAdd": operator.pos, "Not": operator.not_}
            if isinstance(x, Number) and type(node.op).__name__ in plain:
                return plain[type(node.op).__name__](x)
            raise self.refused(node, f"This operator is not for {_described(x)}")
        if isinstance(node.op, ast.Not):
            return self.writer.op("not", self.truth(x, node))
        if isinstance(node.op, ast.UAdd):
            return x
        return self.applied("neg", [x], node)

    def of_Compare(self, node: ast.Compare) -> Any:
        """x < y, also in chains."""
        sides = [self.evaluate(e) for e in (node.left, *node.comparators)]
        found: Any = True
        for op, x, y in zip(node.ops, sides[:-1], sides[1:], strict=True):
            one = self.binary(type(op).__name__, x, y, node)
            found = one if found is True else self.both("and", found, lambda one=one: one, node)
        return found

    def of_BoolOp(self, node: ast.BoolOp) -> Any:
        """x and y, x or y: later operands are looked at only where they count."""
        word = "and" if isinstance(node.op, ast.And) else "or"
        found = self.evaluate(node.values[0])
        for value in node.values[1:]:
            found = self.both(word, found, lambda value=value: self.evaluate(value), node)
        return found

    def both(self, word: str, first: Any, second: Callable[[], Any], node: Any) -> Any:
        """A logical operator."""
        if not isinstance(first, Value):
            return second() if bool(first) == (word == "and") else first
        first = self.truth(first, node)
        fixed = self.writer.const(word == "or", "bool")

        def other() -> Any:
            return self.truth(self.value(second(), node), node)
        return self.choice(first, *((other, lambda: fixed) if word == "and" else (lambda: fixed, other)), node)

    def of_IfExp(self, node: ast.IfExp) -> Any:
        """x if c else y."""
        test = self.evaluate(node.test)
        if not isinstance(test, Value):
            return self.evaluate(node.body if test else node.orelse)
        return self.choice(self.truth(test, node), lambda: self.evaluate(node.body),
                           lambda: self.evaluate(node.orelse), node)

    def choice(self, condition: Value, yes: Callable[[], Any], no: Callable[[], Any], node: Any) -> Value:
        """One of two values, of which only that one is computed."""
        w = self.writer
        made = Branch(condition, w.line)
        values = []
        for block, side in ((made.then, yes), (made.orelse, no)):
            with w.inside(block):
                values.append(self.value(side(), node))
        dtype, weak = self.joined(*[(v.dtype, v.weak) for v in values], node=node)
        made.give(dtype, weak)
        for block, v in zip((made.then, made.orelse), values, strict=True):
            with w.inside(block):
                block.yields = [w.cast(v, dtype, weak)]
        w.branch(made)
        return made.results[0]

    # ------------------------------------------------------------------ elements and calls

    def of_Subscript(self, node: ast.Subscript) -> Any:
        """An element of a tensor or of a tuple."""
        found, indices = self.indexed(node)
        return found if indices is None else self.writer.load(*self.place(node, (found, indices)))

    def indexed(self, node: ast.Subscript) -> tuple[Any, tuple[Any, ...] | None]:
        """What is indexed, and by what: x[i][j] is x[i, j]. An item of a tuple has no index yet."""
        inner = node.value
        found, before = self.indexed(inner) if isinstance(inner, ast.Subscript) else (self.evaluate(inner), None)
        at = self.evaluate(node.slice)
        if not isinstance(found, tuple):
            return found, (*(before or ()), *(at if isinstance(at, tuple) else (at,)))
        if not isinstance(at, int):
            raise self.refused(node, "A tuple is indexed by a known number")
        return found[at], None

    def place(self, node: ast.Subscript, parts: tuple[Any, Any] | None = None,
              written: bool = False) -> tuple[Tensor, list[Value]]:
        """The tensor and the indices of an element."""
        tensor, found = parts or self.indexed(node)
        indices: tuple[Any, ...] = found or ()
        if not isinstance(tensor, Tensor):
            raise self.refused(node, f"Only tensors have elements, not {_described(tensor)}")
        if written and tensor.role == "input":
            raise self.refused(node, f"The input '{tensor.name}' cannot be changed")
        if len(indices) != len(tensor.shape):
            raise self.refused(node, f"'{tensor.name}' has {len(tensor.shape)} axes, but there are "
                                     f"{len(indices)} indices")
        places: list[Value] = []
        for k, index in enumerate(indices):
            if isinstance(index, int) and index < 0:
                index = self.binary("Add", tensor.shape[k], index, node)
            places.append(self.whole(index, node))
        return tensor, places

    def whole(self, x: Any, node: Any) -> Value:
        """An index or a bound of a loop."""
        v = self.value(x, node)
        if v.dtype in FLOATS or v.dtype == "bool":
            raise self.refused(node, f"An index must be a whole number, but it is {v.dtype}")
        return self.writer.cast(v, "int64", True)

    def of_Call(self, node: ast.Call) -> Any:
        """A word of the language, a cast, or a tensor that is made."""
        if node.keywords:
            raise self.refused(node, "Arguments are given by position")
        f, args = self.evaluate(node.func), [self.evaluate(a) for a in node.args]
        name = f[5:] if isinstance(f, str) and f.startswith("word ") else f
        if name in ("output_tensor", "allocate"):
            return self.made(name, args, node)
        if name == "ceil_div" and len(args) == 2:
            up = self.binary("Add", args[0], self.binary("Sub", args[1], 1, node), node)
            return self.binary("FloorDiv", up, args[1], node)
        if f is len and isinstance(args[0], tuple):
            return len(args[0])
        if isinstance(f, str) and f in DTYPES:
            f = {"bool": bool}.get(f, getattr(np, f, f))
        if isinstance(f, (type, str)) and f in _TYPES and len(args) == 1:
            return self.converted(args[0], *_TYPES[f], node)
        word = name if isinstance(name, str) and name in CALLED else _SAME.get(f) if _hashable(f) else None
        if word is None:
            raise self.refused(node, f"'{ast.unparse(node.func)}' cannot be called in a kernel")
        if word in ("max", "min") and len(args) > 2:
            args = [self.applied(word, args[:2], node), *args[2:]]
            while len(args) > 2:
                args = [self.applied(word, args[:2], node), *args[2:]]
        if len(args) != WORDS[word].arity:
            raise self.refused(node, f"'{word}' takes {WORDS[word].arity} operands, not {len(args)}")
        if word == "power" and isinstance(args[1], int) and 0 < args[1] <= 4:
            return self.multiplied(self.value(args[0], node), args[1])
        return self.applied(word, args, node)

    def converted(self, x: Any, dtype: str, weak: bool, node: Any) -> Any:
        """A cast."""
        v = self.value(x, node)
        if dtype == "bool":
            return self.truth(v, node)
        return self.writer.cast(v, dtype, weak)

    def made(self, name: str, args: list[Any], node: Any) -> Tensor:
        """A tensor of a shape and a type."""
        if len(args) != 2:
            raise self.refused(node, f"'{name}' takes a shape and a type")
        shape = args[0] if isinstance(args[0], tuple) else (args[0],)
        dtype = _TYPES.get(args[1], (args[1],))[0] if _hashable(args[1]) else args[1]
        if dtype not in DTYPES:
            raise self.refused(node, f"The type of a tensor must be one of {', '.join(DTYPES)}, but it is {dtype!r}")
        extents = [self.typed(e, "int64", node, weak=True) for e in shape]
        if not all(map(of_sizes, extents)):
            raise self.refused(node, "The shape of a tensor must follow from shapes of inputs")
        if len(self.writer.blocks) > 1:
            raise self.refused(node, f"'{name}' stands outside of loops and branches")
        if name == "allocate":
            return self.writer.temporary("allocated", dtype, extents)
        self.outputs += 1
        return Tensor("", dtype, extents, "output", self.writer.line)


def _hashable(x: Any) -> bool:
    return getattr(type(x), "__hash__", None) is not None and not isinstance(x, (tuple, Value, Tensor))


def _described(x: Any) -> str:
    return f"the tensor '{x.name}'" if isinstance(x, Tensor) else f"{x!r}"
