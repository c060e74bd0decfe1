"""Loop forms: what an operator computes for one element, as an expression of the elements of its inputs.

`@op.loop` attaches a function that takes an `Element` for every tensor (numbers as they are) and all attributes, and
returns an `Element`, a tuple of them for several results, or None where the loop form does not cover the case:

    @silu.loop
    def _(x):
        return x * sigmoid(x)

Shapes broadcast as NumPy's do.  Reductions keep their dimensions with the extent 1; `shaped` gives the elements
another shape.  `compiler/kernels` makes native code of such expressions, of several operators at once.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from mindspore.core.dtype import DType, bool_, float32, int64

UNARY = ("neg", "abs", "exp", "log", "tanh", "erf", "sigmoid", "sqrt", "rsqrt")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LOGICAL = ("and", "or", "not")
REDUCTIONS = ("sum", "max")


class Element:
    """One element of a tensor of the given shape, as a function of others.

    Attributes:
        word: What is computed: "input", "constant", "index", "cast", "shaped", "where", one of `UNARY`,
            `COMPARISONS`, `LOGICAL`, `REDUCTIONS`, or "add", "sub", "mul", "div", "maximum", "minimum".
        args: The elements that it is computed from.
        shape: The shape of the tensor.
        dtype: Its dtype.
        value: A constant, the place of an input, the axis of an index, the axes of a reduction.
    """

    __slots__ = ("args", "dtype", "shape", "value", "word")

    def __init__(self, word: str, args: tuple[Element, ...], shape: tuple[int, ...], dtype: DType, value: Any = None):
        self.word, self.args, self.shape, self.dtype, self.value = word, args, shape, dtype, value

    def __repr__(self) -> str:
        return f"{self.word}({', '.join(map(repr, self.args))})"

    def __add__(self, other: Any) -> Element:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Element:
        return _binary("add", other, self)

    def __sub__(self, other: Any) -> Element:
        return _binary("sub", self, other)

    def __rsub__(self, other: Any) -> Element:
        return _binary("sub", other, self)

    def __mul__(self, other: Any) -> Element:
        return _binary("mul", self, other)

    def __rmul__(self, other: Any) -> Element:
        return _binary("mul", other, self)

    def __truediv__(self, other: Any) -> Element:
        return _binary("div", self, other)

    def __rtruediv__(self, other: Any) -> Element:
        return _binary("div", other, self)

    def __neg__(self) -> Element:
        return _unary("neg", self)


def _lifted(value: Any, beside: DType) -> Element:
    if type(value) is Element:
        return value
    return Element("constant", (), (), bool_ if type(value) is bool else beside, value)


def _spread(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which several are broadcast; they fit, as the shape rule of the operator has checked."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(s)) + s for s in shapes]
    return tuple([next((n for n in line if n != 1), 1) for line in zip(*padded, strict=True)])


def _unary(word: str, x: Element) -> Element:
    return Element(word, (x,), x.shape, x.dtype)


def _binary(word: str, x: Any, y: Any, dtype: DType | None = None) -> Element:
    beside = next(v.dtype for v in (x, y) if type(v) is Element)
    x, y = _lifted(x, beside), _lifted(y, beside)
    return Element(word, (x, y), _spread(x.shape, y.shape), dtype or x.dtype)


def constant(value: Any, dtype: DType) -> Element | None:
    """A number; None for one that only a run tells."""
    return Element("constant", (), (), dtype, value) if type(value) in (int, float, bool) else None


def exp(x: Element) -> Element:
    """e to the power of x."""
    return _unary("exp", x)


def log(x: Element) -> Element:
    """The natural logarithm."""
    return _unary("log", x)


def tanh(x: Element) -> Element:
    """The hyperbolic tangent."""
    return _unary("tanh", x)


def erf(x: Element) -> Element:
    """The error function."""
    return _unary("erf", x)


def sigmoid(x: Element) -> Element:
    """1 / (1 + exp(-x))."""
    return _unary("sigmoid", x)


def sqrt(x: Element) -> Element:
    """The square root."""
    return _unary("sqrt", x)


def rsqrt(x: Element) -> Element:
    """1 / sqrt(x)."""
    return _unary("rsqrt", x)


def absolute(x: Element) -> Element:
    """x without its sign."""
    return _unary("abs", x)


def maximum(x: Any, y: Any) -> Element:
    """The larger one; NaN if either is."""
    return _binary("maximum", x, y)


def minimum(x: Any, y: Any) -> Element:
    """The smaller one; NaN if either is."""
    return _binary("minimum", x, y)


def compare(word: str, x: Any, y: Any) -> Element:
    """A comparison, by one of `COMPARISONS`."""
    return _binary(word, x, y, bool_)


def both(x: Element, y: Element) -> Element:
    """x and y, of bools."""
    return _binary("and", x, y)


def either(x: Element, y: Element) -> Element:
    """x or y, of bools."""
    return _binary("or", x, y)


def negated(x: Element) -> Element:
    """not x, of bools."""
    return _unary("not", x)


def where(condition: Element, x: Any, y: Any) -> Element:
    """x where the condition holds, else y."""
    beside = next((v.dtype for v in (x, y) if type(v) is Element), float32)
    x, y = _lifted(x, beside), _lifted(y, beside)
    return Element("where", (condition, x, y), _spread(condition.shape, x.shape, y.shape), x.dtype)


def cast(x: Element, dtype: DType) -> Element:
    """x in another dtype."""
    return x if x.dtype is dtype else Element("cast", (x,), x.shape, dtype)


def index(shape: tuple[int, ...]) -> Element:
    """The place of an element along the last dimension of a shape."""
    return Element("index", (), (1,) * (len(shape) - 1) + shape[-1:], int64)


def total(x: Element, axes: Sequence[int]) -> Element:
    """The sum over dimensions, which stay with the extent 1."""
    return _reduced("sum", x, axes)


def highest(x: Element, axes: Sequence[int]) -> Element:
    """The maximum over dimensions, which stay with the extent 1."""
    return _reduced("max", x, axes)


def mean(x: Element, axes: Sequence[int]) -> Element:
    """The mean over dimensions, which stay with the extent 1."""
    return total(x, axes) * (1.0 / prod([x.shape[a] for a in axes]))


def _reduced(word: str, x: Element, axes: Sequence[int]) -> Element:
    axes = tuple(sorted([a % len(x.shape) for a in axes if x.shape and x.shape[a] != 1]))
    if not axes:
        return x
    return Element(word, (x,), tuple([1 if i in axes else n for i, n in enumerate(x.shape)]), x.dtype, axes)


def reduced(word: Callable[..., Element], x: Element, axes: Sequence[int], keep_dims: bool) -> Element | None:
    """`total` or `mean` over dimensions, which stay only if `keep_dims`; None for what has no elements, and bools."""
    if x.dtype is bool_ or 0 in x.shape or (word is mean and x.dtype.kind != "f"):
        return None
    found, gone = word(x, axes), {a % len(x.shape) for a in axes}
    return found if keep_dims else shaped(found, [n for i, n in enumerate(x.shape) if i not in gone])


def shaped(x: Element, shape: Sequence[int]) -> Element:
    """The same elements, in the same order, in another shape."""
    shape = tuple(shape)
    if x.shape == shape:
        return x
    if x.word == "input":
        return Element("input", (), shape, x.dtype, x.value)
    return Element("shaped", (x,), shape, x.dtype)
