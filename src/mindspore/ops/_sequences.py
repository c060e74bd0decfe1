"""Primitives of tuples and lists, `SequenceMul` and its kin, as programs find them in `ops.operations._sequence_ops`.

Each is what Python's own operation gives; in a compiled function they run while it is compiled.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.eager.tensor import Tensor
from mindspore.ir import tree

from . import addn, stack, unstack, zeros_like
from .arguments import tensor
from .signatures import plain


class OfSequences:
    """A primitive of sequences: an object without settings, whose call is a function of Python values."""

    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return type(self).function(*args, **kwargs)


def _to_tensor(x: Sequence[Any], dtype: Any = None) -> Tensor:
    return Tensor(x, None if dtype is None else as_dtype(dtype))


def _numbers(x: Any) -> Any:
    return plain(tensor("TensorToList", "x", x))


def _index(sequence: Sequence[Any], target: Any, start: int | None = None, end: int | None = None) -> int:
    return sequence.index(target, start or 0, len(sequence) if end is None else end)


def _sliced(sequence: Any, start: int, stop: int, step: int) -> Any:
    return sequence[start:stop:step]


def _contains(target: Any, sequence: Sequence[Any]) -> bool:
    return target in sequence


def _zeros(sequence: Any) -> Any:
    return tree.mapped(sequence, lambda v: not isinstance(v, (tuple, list)),
                       lambda v: zeros_like(v) if hasattr(v, "aval") else type(v)(0))


def _appended(x: list[Any], target: Any) -> list[Any]:
    return [*x, target]


def _inserted(x: list[Any], index: int, target: Any) -> list[Any]:
    return [*x[:index], target, *x[index:]]


_TABLE: dict[str, tuple[Callable[..., Any], str, str, str]] = {
    "ListToTensor": (_to_tensor, "A list of numbers as a tensor of the dtype.", "[1, 2], mindspore.int32",
                     "Tensor(shape=[2], dtype=Int32, value= [1, 2])"),
    "TupleToTensor": (_to_tensor, "A tuple of numbers as a tensor of the dtype.", "(1, 2), mindspore.int32",
                      "Tensor(shape=[2], dtype=Int32, value= [1, 2])"),
    "TensorToList": (lambda x: list(_numbers(x)), "The elements of a vector as a list.", "Tensor([1, 2])", "[1, 2]"),
    "TensorToScalar": (_numbers, "The element of a tensor without dimensions as a number.", "Tensor(2)", "2"),
    "SequenceCount": (operator.countOf, "How often a value is in a sequence.", "(1, 2, 2), 2", "2"),
    "SequenceIndex": (_index, "Where a value first is, from `start` to `end`.", "(1, 2, 2), 2, 2, 3", "2"),
    "SequenceMul": (operator.mul, "A sequence repeated.", "(1, 2), 2", "(1, 2, 1, 2)"),
    "SequenceAdd": (operator.add, "Two sequences, one after the other.", "[1], [2, 3]", "[1, 2, 3]"),
    "SequenceSlice": (_sliced, "The elements from `start` to `stop` in steps.", "(1, 2, 3, 4), 0, 4, 2", "(1, 3)"),
    "InSequence": (_contains, "Whether a value is in a sequence.", "2, (1, 2)", "True"),
    "SequenceMax": (max, "The largest element.", "(1, 5, 2)", "5"),
    "SequenceMin": (min, "The smallest element.", "(4, 1, 2)", "1"),
    "SequenceAddN": (lambda x: addn(x), "The sum of tensors.", "(Tensor([1]), Tensor([2]))",
                     "Tensor(shape=[1], dtype=Int64, value= [3])"),
    "SequenceZerosLike": (_zeros, "Zeros of the kinds of the elements.", "(1, 2.5)", "(0, 0.0)"),
    "ListAppend": (_appended, "A list with a further element.", "[1], 2", "[1, 2]"),
    "ListInsert": (_inserted, "A list with a further element before an index.", "[1, 3], 1, 2", "[1, 2, 3]"),
    "make_range": (range, "The range of these limits.", "0, 4, 2", "range(0, 4, 2)"),
    "sequence_len": (len, "The number of elements.", "(1, 2)", "2"),
    **{f"{kind}_{name}": (function, f"Whether the first {kind} {words} the second.", "{0}1, 2{1}, {0}1, 2{1}", found)
       for kind in ("tuple", "list") for name, function, words, found in (
           ("equal", operator.eq, "equals", "True"), ("greater_than", operator.gt, "comes after", "False"),
           ("greater_equal", operator.ge, "does not come before", "True"), ("lt", operator.lt, "comes before", "False"),
           ("le", operator.le, "does not come after", "True"))},
}


def _made(name: str, function: Callable[..., Any], says: str, given: str, found: str) -> type[OfSequences]:
    brackets = "()" if name.startswith("tuple") else "[]"
    given = given.format(*brackets) if "{0}" in given else given
    doc = f"{says}\n\nExamples:\n    >>> ops.operations._sequence_ops.{name}()({given})\n    {found}\n"
    return type(name, (OfSequences,), {"__doc__": doc, "function": staticmethod(function), "__module__": __name__})


class SequenceStack(OfSequences):
    """Tensors joined along a new axis.

    Args:
        axis: The place of the axis.

    Examples:
        >>> ops.operations._sequence_ops.SequenceStack(0)((Tensor([1]), Tensor([2]))).tolist()
        [[1], [2]]
    """

    def __init__(self, axis: int = 0):
        self.axis = axis

    def __call__(self, x: Sequence[Any]) -> Tensor:
        return stack(x, self.axis)


class SequenceUnstack(OfSequences):
    """The parts of a tensor along an axis, without it.

    Args:
        axis: The axis.
        num: Their number; None for the extent of the axis.

    Raises:
        ValueError: If `num` is another number.

    Examples:
        >>> [part.tolist() for part in ops.operations._sequence_ops.SequenceUnstack(0)(Tensor([[1], [2]]))]
        [[1], [2]]
    """

    def __init__(self, axis: int = 0, num: int | None = None):
        self.axis, self.num = axis, num

    def __call__(self, x: Tensor) -> tuple[Tensor, ...]:
        if self.num not in (None, x.shape[self.axis]):
            raise ValueError(f"For 'SequenceUnstack', the 'num' must be the extent of axis {self.axis}, "
                             f"{x.shape[self.axis]}, but got {self.num}.")
        return unstack(x, self.axis)


globals().update({name: _made(name, *row) for name, row in _TABLE.items()})

__all__ = ["SequenceStack", "SequenceUnstack", *_TABLE]
