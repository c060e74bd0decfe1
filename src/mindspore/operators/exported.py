"""Graphs of ONNX or MindIR under construction: what the rules of operators for these formats write to.

A rule takes the graph, a name for each tensor among the inputs (None for an input that is left out) and the
attributes; it returns the name of the result, or a tuple of names.  Numbers among the inputs are constants with
names, too.  The nodes and constants are plain data, from which a file can be written by any means.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.core.dtype import DType, bool_, float32, int64
from mindspore.core.kinds import type_of
from mindspore.ir import Aval, Dim
from mindspore.ir.polynomials import Atom

OPSET = 18          # the version of ONNX's operators that the rules are written for
TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool_": 9,
          "float16": 10, "float64": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16}


class ExportedNode(NamedTuple):
    """An operator of the format, the names of its inputs ("" for one that is left out) and results, its attributes.

    An attribute that is an `Exported` is a graph that the operator runs.  `scope` is the path of cells it comes from.
    """

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    scope: str = ""


class Exported:
    """Nodes in order, constants by name, and what is known of the values of operators by name.

    Attributes:
        given, outs: The names of what goes in and comes out.
        sizes: Where extents are found that only a run tells: the symbol, and the value and axis that have it.
    """

    def __init__(self, outer: Exported | None = None) -> None:
        self.nodes: list[ExportedNode] = []
        self.given: list[str] = []
        self.outs: list[str] = []
        self.results: tuple[Aval, ...] = ()         # of the operator that is being written
        self.scope = outer.scope if outer else ""
        self.constants: dict[str, np.ndarray[Any, Any]] = outer.constants if outer else {}
        self.avals: dict[str, Aval] = outer.avals if outer else {}
        self.sizes: dict[Atom, tuple[str, int]] = dict(outer.sizes) if outer else {}
        self._known: dict[Any, str] = dict(outer._known) if outer else {}        # names of sizes
        self._names = outer._names if outer else itertools.count(1)

    def inner(self) -> Exported:
        """A graph inside of this one, which sees all that this one has so far."""
        return Exported(self)

    def fresh(self) -> str:
        """A name that no other value has."""
        return f"v{next(self._names)}"

    def value(self, aval: Aval) -> str:
        """The name of a new value, as of an input of the graph."""
        name = self.fresh()
        self.avals[name] = aval
        return name

    def add(self, kind: str, *inputs: Any, results: int = 1, **attributes: Any) -> Any:
        """Append a node; the name of its result, or a tuple of names if there are several."""
        names = tuple([self.fresh() for _ in range(results)])
        self.nodes.append(ExportedNode(kind, tuple([x or "" for x in inputs]), names, attributes, self.scope))
        return names if results > 1 else names[0]

    def constant(self, value: Any, dtype: DType) -> str:
        """The name of a constant."""
        name = self.fresh()
        self.constants[name] = np.asarray(value, dtype=dtype.numpy)
        self.avals[name] = Aval(self.constants[name].shape, dtype)
        return name

    def integers(self, values: Sequence[Any]) -> str:
        """The name of a vector of integers, as ONNX takes axes and shapes; sizes that only a run tells are computed."""
        if not any([type_of(v) is Dim for v in values]):
            return self.constant(tuple(values), int64)
        parts = [self.size(v) if type_of(v) is Dim else self.constant((v,), int64) for v in values]
        return self._integer("Concat", parts, len(parts), axis=0) if len(parts) > 1 else parts[0]

    def size(self, size: Dim) -> str:
        """The name of a vector of one integer, the value that a size has in the run."""
        if (found := self._known.get(size.text)) is not None:
            return found
        total = ""
        for mono, factor in size.poly.items():
            factors = [self._atom(atom, size.env) for atom in mono]
            if factor != 1 or not factors:
                factors.append(self.constant((factor,), int64))
            term = factors[0]
            for x in factors[1:]:
                term = self._integer("Mul", (term, x))
            total = self._integer("Add", (total, term)) if total else term
        self._known[size.text] = total
        return total

    def _atom(self, atom: Atom, env: Any) -> str:
        if (found := self._known.get(atom.text)) is not None:
            return found
        if atom in self.sizes:
            value, axis = self.sizes[atom]
            shape = self._integer("Shape", (value,), len(self.avals[value].shape))
            found = self._integer("Gather", (shape, self.constant((axis,), int64)), axis=0)
        else:
            parts = next((key for key, one in env.atoms.items() if one is atom), None)
            if parts is None or parts[0] != "//":
                raise NotImplementedError(f"the size '{atom.text}' has no form in ONNX")
            found = self._floor(*[self.integers((v,)) for v in parts[1:]])
        self._known[atom.text] = found
        return found

    def _floor(self, a: str, b: str) -> str:
        """a // b, rounded down as in Python; ONNX's division of integers rounds to 0."""
        rest = self._integer("Mod", (a, b))
        return self._integer("Div", (self._integer("Sub", (a, rest)), b))

    def _integer(self, kind: str, inputs: Sequence[str], count: int = 1, **attributes: Any) -> str:
        name = self.add(kind, *inputs, **attributes)
        self.avals[name] = Aval((count,), int64)
        return name

    def locate(self, name: str, aval: Aval) -> None:
        """Note where symbols among the extents of a value can be read."""
        extents: tuple[Any, ...] = aval.shape
        for axis, n in enumerate(extents):
            if type_of(n) is Dim and (symbol := n.symbol) is not None:
                self.sizes.setdefault(symbol, (name, axis))

    def cast(self, name: str, dtype: DType) -> str:
        """The name of a value in a dtype."""
        if name in self.avals and self.avals[name].dtype is dtype:
            return name
        return self.add("Cast", name, to=TYPES[dtype.name])

    def apply(self, op: Any, inputs: Sequence[Any], attrs: Mapping[str, Any], form: str = "ONNX",
              results: tuple[Aval, ...] | None = None) -> Any:
        """Write an operator by its rule for a format, ONNX or MindIR: names, numbers and None to names.

        In MindIR an operator that is a primitive is a node by itself.

        Args:
            results: The avals of the results. Default: what the shape rule says.

        Raises:
            NotImplementedError: If the operator has no rule, or not for these attributes.
        """
        rule = op.onnx_rule if form == "ONNX" else op.mindir_rule
        if rule is None and (form == "ONNX" or op.primitive is None):
            raise NotImplementedError(f"The operator '{op.name}' has no form in {form}.")
        if results is None:
            aval = op.infer(*[self.avals[x] if isinstance(x, str) else x for x in inputs], **attrs)
            results = (aval,) if type(aval) is Aval else tuple(aval)
        before, self.results = self.results, results
        kinds = [self.avals[x] for x in inputs if isinstance(x, str)]
        like = next((a.dtype for a in sorted(kinds, key=lambda a: a.weak) if a.dtype is not bool_), results[0].dtype)
        names = [self._operand(x, like) for x in inputs]
        found = (rule(self, *names, **attrs) if rule else
                 self.add(op.name, *names, results=len(results), **attrs))
        self.avals |= dict(zip((found,) if isinstance(found, str) else found, results, strict=True))
        self.results = before
        return found

    def _operand(self, x: Any, like: DType) -> str | None:
        """The name of an operand: numbers get the type of the tensors beside them, or a float type."""
        if type_of(x) is Dim:
            number = self.add("Squeeze", self.size(x))
            self.avals[number] = Aval((), int64, weak=True)
            return self._operand(number, like)
        if isinstance(x, (bool, int, float)):
            return self.constant(x, float32 if isinstance(x, float) and not like.is_floating else like)
        if isinstance(x, str) and self.avals[x].weak and self.avals[x].dtype is not bool_:
            wanted = float32 if self.avals[x].dtype.is_floating and not like.is_floating else like
            if self.avals[x].dtype is not wanted:
                name = self.cast(x, wanted)
                self.avals[name] = Aval((), wanted)
                return name
        return x


def direct(kind: str) -> Callable[..., str]:
    """The rule of an operator on elements that ONNX has with the same inputs and no attributes.

    Where the result is floating point, the inputs are, too: ONNX lifts no integers.
    """
    def rule(g: Exported, *inputs: str) -> str:
        wanted = g.results[0].dtype
        return g.add(kind, *[g.cast(x, wanted) for x in inputs] if wanted.is_floating else inputs)
    return rule


def reduction(kind: str) -> Callable[..., str]:
    """The rule of a reduction."""
    def rule(g: Exported, x: str, *, axis: Any = (), keep_dims: bool = False, **_: Any) -> str:
        axes = (axis,) if isinstance(axis, int) else tuple(axis or ())
        return g.add(kind, g.cast(x, g.results[0].dtype), *[g.integers(axes)] if axes else [], keepdims=int(keep_dims))
    return rule


def reshaping(g: Exported, x: str, **_: Any) -> str:
    """The rule of an operator that only gives another shape."""
    shape = g.results[0].shape
    unknown = [type_of(n) is Dim for n in shape]
    if sum(unknown) == 1 and 0 not in [n for n in shape if type_of(n) is not Dim]:
        left = [-1 if type_of(n) is Dim else n for n in shape]
        return g.add("Reshape", x, g.constant(left, int64))
    return g.add("Reshape", x, g.integers(shape), allowzero=1)
