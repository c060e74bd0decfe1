"""What a program asks about a tensor, and the operators that order, assign, print and record."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import DType, as_dtype, bool_, float32, int64
from mindspore.core.errors import kind, show
from mindspore.eager.memory import overwrite
from mindspore.eager.parameter import Parameter, not_a_parameter
from mindspore.eager.parameter import assign as set_parameter
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.effects import assert_true
from mindspore.operators.summary import print_values, record_summary

from .arguments import only
from .primitive import composed


@composed("Shape()(x)")
def shape(input_x: Any) -> tuple[int, ...]:
    """The extents of a tensor's dimensions, as a tuple of ints.

    While a graph is compiled, an extent that differs between runs counts as the int that it will be.
    TypeError for what is no tensor.

    Examples:
        >>> ops.shape(Tensor([[1, 2, 3]]))
        (1, 3)
    """
    return only("Shape", input_x).shape


@composed("DType()(x)")
def dtype(x: Any) -> DType:
    """The element type of a tensor.  TypeError for what is no tensor.

    Examples:
        >>> ops.dtype(Tensor([1, 2])) is mindspore.int64
        True
    """
    return only("DType", x).dtype


@composed("Rank()(x)")
def rank(input_x: Any) -> int:
    """The number of dimensions of a tensor."""
    return only("Rank", input_x).ndim


@composed("Size()(x)")
def size(input_x: Any) -> int:
    """The number of elements of a tensor."""
    return only("Size", input_x).size


def typeof(x: Any) -> Any:
    """The element type of a tensor; the class of anything else."""
    return x.dtype if is_tensor(x) else type(x)


@composed("IsConstant()(x)")
def isconstant(x: Any) -> bool:
    """Whether the value is known: False only for tensors that a graph under construction computes."""
    return not isinstance(x, Node)


@composed("Cast()(input_x, dtype)")
def cast(input: Any, dtype: Any) -> Any:
    """A tensor, or a number as a tensor, with element type `dtype`.

    Floats lose their fraction in integers; everything but 0 is True.  A tensor that has the type is given back
    itself.  Gradients are cast back.

    Args:
        input: A tensor of any shape and dtype, or a number.
        dtype: A type such as `mindspore.float16`.

    Raises:
        TypeError: If `input` is neither, or `dtype` no type of MindSpore's.

    Examples:
        >>> ops.cast(Tensor([0.0, 1.9, -1.9]), mindspore.int32).tolist()
        [0, 1, -1]
    """
    if not isinstance(dtype, DType):
        raise TypeError(f"For 'Cast', the input 'dtype' should be mindspore dtype, but got {dtype!r}.")
    if not is_tensor(input):
        if not isinstance(input, (bool, int, float, complex)):
            raise TypeError(f"For 'Cast', the 'input' must be a Tensor or a number, but got "
                            f"{kind(input)}.")
        return Tensor(input, dtype)
    return input if input.dtype is dtype else structure.cast(input, dtype=dtype)


def stop_gradient(value: Any) -> Any:
    """The value, through which no gradient flows: a tensor, or what holds tensors in tuples, lists and dicts.

    Examples:
        >>> mindspore.grad(lambda x: x * ops.stop_gradient(x))(Tensor(3.0))
        Tensor(shape=[], dtype=Float32, value= 3)
    """
    if is_tensor(value):
        return structure.stop_gradient(value)
    if isinstance(value, dict):
        return {key: stop_gradient(each) for key, each in value.items()}
    if not isinstance(value, (tuple, list)):
        return value
    found = [stop_gradient(each) for each in value]
    return tuple(found) if isinstance(value, tuple) else found


def _is_subclass(type_: Any, wanted: Any) -> bool:
    return type_ is wanted or (isinstance(wanted, type) and isinstance(type_, wanted))


def hastype(x: Any, dtype: Any) -> bool:
    """Whether the value has that type."""
    return _is_subclass(typeof(x), dtype)


# ---------------------------------------------------------------------- order and state

@composed("Depend()(value, expr)")
def depend(value: Any, expr: Any) -> Any:
    """`value`, after `expr` has been computed.

    Programs run in their written order here, also as graphs: printing, random numbers and assignments of
    parameters need no `depend`.

    Args:
        value: What is returned, a tensor or anything else.
        expr: What is to come before it.

    Examples:
        >>> ops.depend(Tensor([1, 2]), Tensor(3)).tolist()
        [1, 2]
    """
    return value


def _parameter(owner: str, variable: Any, value: Any) -> Any:
    if not isinstance(variable, (Parameter, Tensor)):
        raise not_a_parameter(owner, "variable", variable)
    if is_tensor(value) and value.shape != variable.shape:
        raise ValueError(f"For '{owner}', the 'value' must have the shape of the 'variable', but got "
                         f"{value.shape} and {variable.shape}.")
    return variable


def _assigned(variable: Any, value: Any) -> Any:
    if isinstance(variable, Parameter):
        return set_parameter(variable, value)
    if runtime.building:
        raise TypeError("While a graph is compiled only a Parameter can be assigned to, but got a "
                        "Tensor.")
    overwrite(variable, structure.cast(value, dtype=variable.dtype))
    return variable


@composed("Assign()(variable, value)")
def assign(variable: Any, value: Any) -> Any:
    """Let a parameter hold `value`; returns the parameter.

    What a parameter holds is a leaf for gradients, whatever gave it: the gradient for the parameter is that for the
    elements that it holds where they are used, and none leads to `value`.
    """
    value = value if is_tensor(value) else Tensor(value)
    return _assigned(_parameter("Assign", variable, value), value)


@composed("AssignAdd()(variable, value)")
def assign_add(variable: Any, value: Any) -> Any:
    """Add `value` to a parameter; returns the sum, whose gradient is that of a sum."""
    _wider("AssignAdd", _parameter("AssignAdd", variable, value), value)
    return _changed_by(variable, variable + value)


@composed("AssignSub()(variable, value)")
def assign_sub(variable: Any, value: Any) -> Any:
    """Subtract `value` from a parameter; returns the difference, whose gradient is that of a difference."""
    _wider("AssignSub", _parameter("AssignSub", variable, value), value)
    return _changed_by(variable, variable - value)


def _changed_by(variable: Any, new: Any) -> Any:
    _assigned(variable, structure.copied(new) if runtime.depth else new)
    return new


def _wider(owner: str, variable: Any, value: Any) -> None:
    """TypeError if the sum would not have the variable's type."""
    if not is_tensor(value):
        return
    order = "buifc"
    mine, other = variable.dtype, value.dtype
    if order.index(other.kind) > order.index(mine.kind) or (
            other.kind == mine.kind and other.itemsize > mine.itemsize):
        raise TypeError(f"For '{owner}', a value of type {other} cannot be converted to the type "
                        f"{mine} of the parameter; cast it.")


# ---------------------------------------------------------------------- effects

@composed("Print()(*args)")
def print_(*args: Any) -> None:
    """Print the values, each on a line of its own; returns None.

    Tensors show their type and their elements.  In a graph they are printed when it runs, in the written order.

    Args:
        args: Tensors, numbers, texts, or containers of them.
    """
    print_values(*args)


@composed("Assert(summarize=3)(condition, input_data)")
def _assert(condition: Any, input_data: Any, *, summarize: int = 3) -> None:
    """Unless the condition holds, print the first `summarize` elements of the tensors and raise RuntimeError."""
    check.integer("Assert", "summarize", summarize)
    if is_tensor(condition):
        if condition.dtype is not bool_:
            raise TypeError(f"For 'Assert', the type of 'condition' must be bool, but got {condition.dtype}.")
        if condition.size != 1:
            raise ValueError(f"For 'Assert', the 'condition' must have one element, but got {show(condition)}.")
    elif not isinstance(condition, bool):
        raise TypeError(f"For 'Assert', the 'condition' must be a tensor or a bool, but got {kind(condition)}.")
    for x in check.instance("Assert", "input_data", input_data, (list, tuple)):
        if not is_tensor(x):
            raise TypeError(f"For 'Assert', the elements of 'input_data' must be tensors, but got {kind(x)}.")
    test = structure.reshape(condition, shape=()) if is_tensor(condition) else Tensor(condition)
    assert_true(test, *input_data, summarize=summarize)


def _record(kind: str, tag: Any, value: Any) -> None:
    if not isinstance(tag, str) or not tag:
        raise TypeError(f"For '{kind.capitalize()}Summary', the name must be a non-empty str, but got "
                        f"{tag!r}.")
    record_summary(only(f"{kind.capitalize()}Summary", value), kind=kind, tag=tag)


@composed("ScalarSummary()(name, value)")
def _scalar_summary(name: str, value: Any) -> None:
    """Record a tensor with one element under a name."""
    if is_tensor(value) and value.size != 1:
        raise ValueError(f"For 'ScalarSummary', the value must have one element, but got "
                         f"{show(value)}.")
    _record("scalar", name, value)


@composed("ImageSummary()(name, value)")
def _image_summary(name: str, value: Any) -> None:
    """Record a batch of images (N, C, H, W) under a name."""
    if is_tensor(value) and value.ndim != 4:
        raise ValueError(f"For 'ImageSummary', the value must have 4 dimensions (N, C, H, W), but got "
                         f"{show(value)}.")
    _record("image", name, value)


@composed("TensorSummary()(name, value)")
def _tensor_summary(name: str, value: Any) -> None:
    """Record a tensor under a name."""
    _record("tensor", name, value)


@composed("HistogramSummary()(name, value)")
def _histogram_summary(name: str, value: Any) -> None:
    """Record the distribution of a tensor's elements under a name."""
    _record("histogram", name, value)


# ---------------------------------------------------------------------- 1.x spellings

def tuple_to_array(input_x: Any) -> Tensor:
    """A tuple of numbers, or a range, as a tensor: float32 if one of them is a float, else int32.

    Raises:
        TypeError: If the input is anything else.

    Examples:
        >>> ops.tuple_to_array((1, 2.5)).tolist()
        [1.0, 2.5]
    """
    if isinstance(input_x, range):                   # programs of 1.x ran in graph mode, where it was a tuple
        input_x = tuple(input_x)
    if not isinstance(input_x, tuple):
        raise TypeError(f"For 'tuple_to_array', the input must be a tuple, but got {kind(input_x)}.")
    whole = all(isinstance(v, (int, np.integer)) for v in input_x)
    return Tensor(np.array(input_x, np.int32 if whole else np.float32))


def scalar_to_tensor(input_x: Any, dtype: Any = float32) -> Tensor:
    """A number as a tensor without dimensions."""
    if not isinstance(input_x, (bool, int, float)):
        raise TypeError(f"For 'scalar_to_tensor', the 'input_x' must be a number, but got {kind(input_x)}.")
    return Tensor(input_x, as_dtype(dtype))


def scalar_to_array(input_x: Any) -> Tensor:
    """A number as a tensor without dimensions: float32 for a float, int64 for an int."""
    return Tensor(input_x, float32 if isinstance(input_x, float) else int64)


def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """A number as a Python number of the type of `input_y`."""
    return {"b": bool, "i": int, "u": int, "f": float}[as_dtype(input_y).kind](input_x)


def array_to_scalar(input_x: Any) -> Any:
    """The only element of a tensor as a number."""
    return input_x.item()


def make_tuple(*elements: Any) -> tuple[Any, ...]:
    """The elements as a tuple."""
    return elements


def tuple_getitem(x: Any, index: int) -> Any:
    """The element of a tuple at an index."""
    return x[index]


def tuple_len(x: Any) -> int:
    """The length of a tuple."""
    return len(x)


def shape_mul(input_data: tuple[int, ...]) -> int:
    """The product of the extents."""
    return math.prod(input_data)


__all__ = [
    "array_to_scalar", "assign", "assign_add", "assign_sub", "cast", "depend", "dtype", "hastype",
    "is_tensor", "isconstant", "make_tuple", "print_", "rank",
    "scalar_cast", "scalar_to_array", "scalar_to_tensor", "shape", "shape_mul", "size", "stop_gradient",
    "tuple_getitem", "tuple_len", "tuple_to_array", "typeof",
]


def _transposed(self: Any) -> Any:
    """The tensor with its dimensions in reverse order."""
    return structure.transpose(self, perm=tuple(range(self.ndim))[::-1])


def _matrices_transposed(self: Any) -> Any:
    """The tensor with its last two dimensions exchanged."""
    n = self.ndim
    if n < 2:
        raise ValueError(f"For 'Tensor.mT', at least 2 dimensions are needed, but got {n}.")
    return structure.transpose(self, perm=(*range(n - 2), n - 1, n - 2))


def _astype(self: Any, dtype: Any, copy: bool = True) -> Any:
    """The tensor with element type `dtype` (a type, a Python number type, a NumPy type or a name).

    Args:
        dtype: The type.
        copy: Whether the tensor itself may not be the result, where it has the type.

    Returns:
        A tensor; numbers lose their fraction in integers, and everything but 0 is True.

    Raises:
        TypeError: If `dtype` is no type of elements.

    Examples:
        >>> Tensor([1.5, 0.0]).astype(mindspore.int32).tolist()
        [1, 0]
    """
    wanted = as_dtype({"bool": "bool_"}.get(dtype, dtype) if isinstance(dtype, str) else dtype)
    if wanted is self.dtype and not copy:
        return self
    return structure.cast(self, dtype=wanted)


METHODS = {
    "T": property(_transposed),
    "mT": property(_matrices_transposed),
    "astype": _astype,
    "dim": lambda self: self.ndim,
    "numel": lambda self: self.size,
    "rank": lambda self: self.ndim,
}
