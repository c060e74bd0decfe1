"""Graphs of ONNX or MindIR under construction: what the rules of operators for these formats write to.

A rule takes the graph, a name for each tensor among the inputs (None for an input that is left out) and the
attributes; it returns the name of the result, or a tuple of names.  Numbers among the inputs are constants with
names, too.  The nodes and constants are plain data, from which a file can be written by any means.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore.core.dtype import DType, bool_, float32, int64
from mindspore.ir import Aval

OPSET = 18          # the version of ONNX's operators that the rules are written for
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool_": 9,
          "float16": 10, "float64": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16}


class ExportedNode(NamedTuple):
    """An operator of the format, the names of its inputs ("" for one that is left out) and results, its attributes."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]


class Exported:
    """Nodes in order, constants by name, and what is known of the values of operators by name."""

    def __init__(self) -> None:
        self.nodes: list[ExportedNode] = []
        self.constants: dict[str, np.ndarray[Any, Any]] = {}
        self.avals: dict[str, Aval] = {}
        self.results: tuple[Aval, ...] = ()         # of the operator that is being written
        self._count = 0

    def fresh(self) -> str:
        """A name that no other value has."""
        self._count += 1
        return f"v{self._count}"

    def value(self, aval: Aval) -> str:
        """The name of a new value, as of an input of the graph."""
        name = self.fresh()
        self.avals[name] = aval
        return name

    def add(self, kind: str, *inputs: str | None, results: int = 1, **attributes: Any) -> Any:
        """Append a node; the name of its result, or a tuple of names if there are several."""
        names = tuple([self.fresh() for _ in range(results)])
        self.nodes.append(ExportedNode(kind, tuple([x or "" for x in inputs]), names, attributes))
        return names if results > 1 else names[0]

    def constant(self, value: Any, dtype: DType) -> str:
        """The name of a constant."""
        name = self.fresh()
        self.constants[name] = np.asarray(value, dtype=dtype.numpy)
        self.avals[name] = Aval(self.constants[name].shape, dtype)
        return name

    def integers(self, values: Sequence[int]) -> str:
        """The name of a vector of integers, as ONNX takes axes and shapes."""
        return self.constant(tuple(values), int64)

    def cast(self, name: str, dtype: DType) -> str:
        """The name of a value in a dtype."""
        if name in self.avals and self.avals[name].dtype is dtype:
            return name
        return self.add("Cast", name, to=_TYPES[dtype.name])

    def apply(self, op: Any, inputs: Sequence[Any], attrs: Mapping[str, Any], form: str = "ONNX") -> Any:
        """Write an operator by its rule for a format, ONNX or MindIR: names, numbers and None to names.

        In MindIR an operator that is a primitive is a node by itself.

        Raises:
            NotImplementedError: If the operator has no rule, or not for these attributes.
        """
        rule = op.onnx_rule if form == "ONNX" else op.mindir_rule
        if rule is None and (form == "ONNX" or op.primitive is None):
            raise NotImplementedError(f"The operator '{op.name}' has no form in {form}.")
        aval = op.infer(*[self.avals[x] if isinstance(x, str) else x for x in inputs], **attrs)
        self.results = (aval,) if type(aval) is Aval else tuple(aval)
        like = next((k for k in [self.avals[x].dtype for x in inputs if isinstance(x, str)] if k is not bool_),
                    self.results[0].dtype)
        names = [self.constant(x, float32 if isinstance(x, float) and not like.is_floating else like)
                 if isinstance(x, (bool, int, float)) else x for x in inputs]
        found = (rule(self, *names, **attrs) if rule else
                 self.add(op.name, *names, results=len(self.results), **attrs))
        self.avals |= dict(zip((found,) if isinstance(found, str) else found, self.results, strict=True))
        return found


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
