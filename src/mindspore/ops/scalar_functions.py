"""Functions of Python values that programs of the functional style call: scalars, tuples, shapes.

In graph mode they run while the graph is compiled, as the Python they are.
"""
from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype, float32, int32, int64
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import tree
from mindspore.operators import comparison, reduction
from mindspore.operators.rules import axes_of
from mindspore.operators.structure import cast, copied

from .arguments import only
from .basics import scalar_cast, scalar_to_array, scalar_to_tensor, tuple_to_array
from .primitive import composed
from .signatures import named


def _function(name: str, function: Callable[..., Any], doc: str) -> Callable[..., Any]:
    """A function of numbers or tuples under its public name."""
    def apply(x: Any, y: Any) -> Any:
        return function(x, y)

    def apply_one(x: Any) -> Any:
        return function(x)
    return named(apply_one if name in _ONE_OPERAND else apply, name, doc)


_ONE_OPERAND = {"bool_not", "list_len", "scalar_log", "scalar_uadd", "scalar_usub",
                "tuple_reversed"}
_PLAIN = {
    "bool_and": (lambda x, y: x and y, "x and y."),
    "bool_eq": (operator.eq, "x == y."),
    "bool_not": (operator.not_, "not x."),
    "bool_or": (lambda x, y: x or y, "x or y."),
    "dict_getitem": (operator.getitem, "The value of a dictionary at a key."),
    "in_dict": (lambda key, table: key in table, "Whether a dictionary has the key."),
    "is_": (operator.is_, "Whether both are the same object."),
    "is_not": (operator.is_not, "Whether they are different objects."),
    "list_equal": (operator.eq, "Whether two lists are equal."),
    "list_getitem": (operator.getitem, "The element of a list at an index."),
    "list_len": (len, "The length of a list."),
    "not_in_dict": (lambda key, table: key not in table, "Whether a dictionary lacks the key."),
    "scalar_add": (operator.add, "x + y."),
    "scalar_div": (operator.truediv, "x / y."),
    "scalar_eq": (operator.eq, "x == y."),
    "scalar_floordiv": (operator.floordiv, "x // y."),
    "scalar_ge": (operator.ge, "x >= y."),
    "scalar_gt": (operator.gt, "x > y."),
    "scalar_le": (operator.le, "x <= y."),
    "scalar_log": (math.log, "The natural logarithm of a number."),
    "scalar_lt": (operator.lt, "x < y."),
    "scalar_max": (max, "The larger number."),
    "scalar_min": (min, "The smaller number."),
    "scalar_mod": (operator.mod, "x % y."),
    "scalar_mul": (operator.mul, "x * y."),
    "scalar_ne": (operator.ne, "x != y."),
    "scalar_pow": (operator.pow, "x ** y."),
    "scalar_sub": (operator.sub, "x - y."),
    "scalar_uadd": (operator.pos, "+x."),
    "scalar_usub": (operator.neg, "-x."),
    "string_concat": (operator.add, "Two strings, one after the other."),
    "string_eq": (operator.eq, "Whether two strings are equal."),
    "tuple_equal": (operator.eq, "Whether two tuples are equal."),
    "tuple_reversed": (lambda x: x[::-1], "A tuple from its end."),
}
globals().update({name: _function(name, *entry) for name, entry in _PLAIN.items()})


def tuple_div(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    """The quotients of two tuples of ints, element by element.  ValueError for a remainder."""
    if any(a % b for a, b in zip(x, y, strict=True)):
        raise ValueError(f"For 'tuple_div', the elements of {x} must be multiples of those of {y}.")
    return tuple([a // b for a, b in zip(x, y, strict=True)])


def tuple_setitem(x: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """A tuple with another element at an index."""
    parts = list(x)
    parts[index] = value
    return tuple(parts)


def list_setitem(x: list[Any], index: int, value: Any) -> list[Any]:
    """A list with another element at an index."""
    return list(tuple_setitem(tuple(x), index, value))


def dict_setitem(x: dict[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A dictionary with another value at a key."""
    return {**x, key: value}


def make_list(*elements: Any) -> list[Any]:
    """The elements as a list."""
    return list(elements)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    """The keys with their values."""
    return dict(zip(keys, values, strict=True))


def make_range(*bounds: int) -> tuple[int, ...]:
    """The numbers that `range` goes through, as a tuple."""
    return tuple(range(*bounds))


def make_slice(start: Any, stop: Any, step: Any) -> slice:
    """A slice."""
    return slice(start, stop, step)


def reduced_shape(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """A shape with extent 1 at the dimensions `axis`."""
    axes = axes_of(axis, len(shape), "reduced_shape")
    return tuple([1 if i in axes else e for i, e in enumerate(shape)])


def tail(*args: Any) -> Any:
    """A tuple or list without its first element."""
    (x,) = args
    return x[1:]


def numel(input: Any) -> int:
    """The number of elements of a tensor."""
    return only("numel", input).size


def deepcopy(input_x: Any) -> Any:
    """A copy of a tensor, or of a structure of them."""
    if is_tensor(input_x):
        return input_x.copy()
    return copy.deepcopy(input_x)


@composed("TensorShape()(input_x)")
def dyn_shape(input_x: Any) -> Any:
    """The shape of a tensor as a tensor of int64."""
    return Tensor(list(input_x.shape), int64)


@composed("DynamicShape(dtype=9)(x)")
def _dynamic_shape(x: Any, *, dtype: Any = 9) -> Any:
    """The shape of a tensor as a tensor of int64, for which the number 9 stands."""
    if dtype != 9:
        raise ValueError(f"For 'DynamicShape', the 'dtype' must be 9, the number of int64, but got {dtype!r}.")
    return dyn_shape(x)


@composed("Identity()(input_x)")
def _identity(input_x: Any) -> Any:
    """A tensor with the same elements, in memory of its own."""
    return copied(only("Identity", input_x))


@composed("IdentityN()(x)")
def _identity_n(x: Any) -> tuple[Any, ...]:
    """The tensors of a tuple, in memory of their own."""
    return tuple([copied(t) for t in x])


@composed("TupleToArray()(*args)")
def _tuple_to_array(*args: Any) -> Tensor:
    """A tuple of numbers as a tensor: int32 for ints, float32 for floats."""
    numbers = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    found = tuple_to_array(tuple(numbers))
    return found.astype(int32) if found.dtype is int64 else found


@composed("ScalarToTensor()(x, dtype=float32)")
def _scalar_to_tensor(x: Any, dtype: Any = float32) -> Tensor:
    """A number as a tensor without dimensions."""
    return scalar_to_tensor(x, dtype)


@composed("ScalarToArray()(x)")
def _scalar_to_array(x: Any) -> Tensor:
    """A number as a tensor without dimensions: float32 for a float, int64 for an int."""
    return scalar_to_array(x)


@composed("ScalarCast()(input_x, input_y)")
def _scalar_cast(input_x: Any, input_y: Any) -> Any:
    """A number as a Python number of the type of `input_y`."""
    return scalar_cast(input_x, input_y)


def mixed_precision_cast(dst_dtype: Any, x: Any) -> Any:
    """A tensor, or the tensors of a tuple or dictionary, cast if they are floating point."""
    dtype = as_dtype(dst_dtype)
    return tree.mapped(x, lambda v: is_tensor(v) and v.dtype.is_floating, lambda v: cast(v, dtype=dtype))


@composed("ControlDepend(depend_mode=0)(src, dst)")
def control_depend(src: Any, dst: Any, *, depend_mode: int = 0) -> Any:
    """`src`: programs run in their written order here."""
    return src


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Attach flags to a function or cell; they are attributes of the compilation."""
    def mark(target: Any) -> Any:
        if hasattr(target, "add_flags"):
            target.add_flags(**flags)
        else:
            target._flags = {**getattr(target, "_flags", {}), **flags}
        return target
    return mark if fn is None else mark(fn)


# ---------------------------------------------------------------------- overflow

@composed("FloatStatus()(x)")
def _float_status(x: Any) -> Any:
    """[1.0] if an element of the tensor is infinite or not a number, else [0.0]."""
    finite = reduction.reduce_all(comparison.is_finite(x))
    return cast(comparison.equal(finite, False), dtype=float32).reshape((1,))


@composed("NPUAllocFloatStatus()()")
def _alloc_float_status() -> Tensor:
    """The place of the overflow flags of a device that has them: zeros here."""
    return Tensor([0.0] * 8, float32)


@composed("NPUGetFloatStatus()(input_x)")
def _get_float_status(input_x: Any) -> Any:
    """The overflow flags of a device that has them: zeros here; test the tensors by FloatStatus."""
    return input_x * 0


@composed("NPUClearFloatStatus()(input_x)")
def _clear_float_status(input_x: Any) -> Any:
    """Forget the overflow flags."""
    return input_x * 0


__all__ = [
    "add_flags", "control_depend", "deepcopy", "dict_setitem", "dyn_shape", "list_setitem",
    "make_dict", "make_list", "make_range", "make_slice", "mixed_precision_cast", "numel",
    "reduced_shape", "tail", "tuple_div", "tuple_setitem", *_PLAIN,
]
