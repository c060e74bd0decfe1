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
from mindspore.operators.structure import cast, copied

from .arguments import only
from .primitive import composed
from .python_values import scalar_cast, scalar_to_array, scalar_to_tensor, tuple_to_array
from .signatures import named


def _function(name: str, function: Callable[..., Any], doc: str, given: str, found: str) -> Callable[..., Any]:
    """A function of numbers or tuples under its public name."""
    def apply(x: Any, y: Any) -> Any:
        return function(x, y)

    def apply_one(x: Any) -> Any:
        return function(x)
    one = name in _ONE_OPERAND
    return named(apply_one if one else apply, name, _DOC.format(
        doc=doc, args=f"{'x' if one else 'x, y'}: {_operands(name)}", name=name, given=given, found=found))


def _operands(name: str) -> str:
    """What a function takes, in words."""
    if "dict" in name:
        return "The key and the dictionary, in the order of the example."
    if name == "list_getitem":
        return "The list and the index."
    kinds = {"bool": "bool", "list": "list", "string": "str", "tuple": "tuple", "is": "value of any type"}
    what = kinds.get(name.partition("_")[0], "number")
    return f"A {what}." if name in _ONE_OPERAND else f"Two operands, each a {what}."


_DOC = """{doc}

Args:
    {args}

Examples:
    >>> ops.{name}({given})
    {found}
"""


_ONE_OPERAND = {"bool_not", "list_len", "scalar_log", "scalar_uadd", "scalar_usub",
                "tuple_reversed"}
_PLAIN = {
    "bool_and": (lambda x, y: x and y, "x and y.", "True, False", "False"),
    "bool_eq": (operator.eq, "x == y.", "True, False", "False"),
    "bool_not": (operator.not_, "not x.", "True", "False"),
    "bool_or": (lambda x, y: x or y, "x or y.", "True, False", "True"),
    "dict_getitem": (operator.getitem, "The value of a dictionary at a key.", '{"a": 1}, "a"', "1"),
    "in_dict": (lambda key, table: key in table, "Whether a dictionary has the key.", '"a", {"a": 1}', "True"),
    "is_": (operator.is_, "Whether both are the same object.", "None, None", "True"),
    "is_not": (operator.is_not, "Whether they are different objects.", "None, None", "False"),
    "list_equal": (operator.eq, "Whether two lists are equal.", "[1, 2], [1, 2]", "True"),
    "list_getitem": (operator.getitem, "The element of a list at an index.", "[1, 2], 0", "1"),
    "list_len": (len, "The length of a list.", "[1, 2]", "2"),
    "not_in_dict": (lambda key, table: key not in table, "Whether a dictionary lacks the key.", '"b", {}', "True"),
    "scalar_add": (operator.add, "x + y.", "7, 2", "9"),
    "scalar_div": (operator.truediv, "x / y.", "7, 2", "3.5"),
    "scalar_eq": (operator.eq, "x == y.", "7, 2", "False"),
    "scalar_floordiv": (operator.floordiv, "x // y.", "7, 2", "3"),
    "scalar_ge": (operator.ge, "x >= y.", "7, 2", "True"),
    "scalar_gt": (operator.gt, "x > y.", "7, 2", "True"),
    "scalar_le": (operator.le, "x <= y.", "7, 2", "False"),
    "scalar_log": (math.log, "The natural logarithm of a number.", "1.0", "0.0"),
    "scalar_lt": (operator.lt, "x < y.", "7, 2", "False"),
    "scalar_max": (max, "The larger number.", "7, 2", "7"),
    "scalar_min": (min, "The smaller number.", "7, 2", "2"),
    "scalar_mod": (operator.mod, "x % y.", "7, 2", "1"),
    "scalar_mul": (operator.mul, "x * y.", "7, 2", "14"),
    "scalar_ne": (operator.ne, "x != y.", "7, 2", "True"),
    "scalar_pow": (operator.pow, "x ** y.", "7, 2", "49"),
    "scalar_sub": (operator.sub, "x - y.", "7, 2", "5"),
    "scalar_uadd": (operator.pos, "+x.", "2", "2"),
    "scalar_usub": (operator.neg, "-x.", "2", "-2"),
    "string_concat": (operator.add, "Two strings, one after the other.", '"ab", "c"', "'abc'"),
    "string_eq": (operator.eq, "Whether two strings are equal.", '"ab", "ab"', "True"),
    "tuple_equal": (operator.eq, "Whether two tuples are equal.", "(1, 2), (1, 2)", "True"),
    "tuple_reversed": (lambda x: x[::-1], "A tuple from its end.", "(1, 2, 3)", "(3, 2, 1)"),
}
globals().update({name: _function(name, *entry) for name, entry in _PLAIN.items()})


def numel(input: Any) -> int:
    """The number of elements of a tensor.

    Args:
        input: A tensor.

    Returns:
        An int.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.numel(Tensor([[1, 2], [3, 4]]))
        4
    """
    return only("numel", input).size


def deepcopy(input_x: Any) -> Any:
    """A copy of a tensor, or of a structure of them.

    Args:
        input_x: A tensor, or a structure that holds tensors.

    Returns:
        A copy with a storage of its own.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> y = ops.deepcopy(x)
        >>> y is x, y.tolist()
        (False, [1.0, 2.0])
    """
    if is_tensor(input_x):
        return input_x.copy()
    return copy.deepcopy(input_x)


@composed("TensorShape()(input_x)")
def dyn_shape(input_x: Any) -> Any:
    """The shape of a tensor as a tensor of int64.

    Args:
        input_x: A tensor.

    Returns:
        A tensor of int64 with one element per dimension.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> ops.dyn_shape(Tensor([[1, 2, 3]])).tolist()
        [1, 3]
    """
    return Tensor(list(only("dyn_shape", input_x).shape), int64)


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


@composed("ConvertToDynamic(is_dynamic_rank=False)(x)")
def _convert_to_dynamic(x: Any, *, is_dynamic_rank: bool = False) -> Any:
    """A tensor with the same elements; the original forgets its shape, or its rank, which programs here need not."""
    return copied(only("ConvertToDynamic", x))


@composed("IdentityN()(x)")
def _identity_n(x: Any) -> tuple[Any, ...]:
    """The tensors of a tuple, in memory of their own."""
    return tuple([copied(t) for t in x])


@composed("TupleToArray()(*args)")
def _tuple_to_array(*args: Any) -> Tensor:
    """A tuple of numbers as a tensor: int32 for ints, float32 for floats."""
    numbers = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    for x in numbers:
        if not isinstance(x, (int, float)):
            raise TypeError(f"For 'TupleToArray', the elements must be numbers, but got {x!r} with type "
                            f"'{type(x).__name__}'.")
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
    """A tensor, or the tensors of a tuple or dictionary, cast if they are floating point.

    Args:
        dst_dtype: The element type for floating-point tensors.
        x: A tensor, or tuples, lists and dictionaries of tensors and other values, which stay as they are.

    Returns:
        The same structure.

    Examples:
        >>> x, y = ops.mixed_precision_cast(mindspore.float16, (Tensor([1.0]), Tensor([1])))
        >>> x.dtype, y.dtype
        (mindspore.float16, mindspore.int64)
    """
    dtype = as_dtype(dst_dtype)
    return tree.mapped(x, lambda v: is_tensor(v) and v.dtype.is_floating, lambda v: cast(v, dtype=dtype))


@composed("ControlDepend(depend_mode=0)(src, dst)")
def control_depend(src: Any, dst: Any, *, depend_mode: int = 0) -> Any:
    """`src`: programs run in their written order here.

    Args:
        src, dst: Operators or values, of which the first is to come first.
        depend_mode: 0 or 1; without effect, as the order is the written one.

    Returns:
        `src`.

    Examples:
        >>> ops.control_depend(1, 2)
        1
    """
    return src


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Attach flags to a function or cell; they are attributes of the compilation.

    Args:
        fn: A function or a cell; without one a decorator is returned.
        flags: Names and values.

    Returns:
        `fn`, or a decorator.

    Examples:
        >>> net = ops.add_flags(nn.ReLU(), mark=True)
        >>> net.get_flags()["mark"]
        True
    """
    def mark(target: Any) -> Any:
        if hasattr(target, "add_flags"):
            target.add_flags(**flags)
        else:
            target._flags = {**getattr(target, "_flags", {}), **flags}
        return target
    return mark if fn is None else mark(fn)


@composed("SameTypeShape()(x, y)")
def same_type_shape(x: Any, y: Any) -> Any:
    """The first of two tensors that have one element type and one shape.

    Args:
        x, y: Tensors.

    Returns:
        `x`.

    Raises:
        TypeError: If one of them is no tensor, or their types differ.
        ValueError: If their shapes differ.

    Examples:
        >>> ops.same_type_shape(Tensor([1.0]), Tensor([2.0])).tolist()
        [1.0]
    """
    if only("SameTypeShape", x).dtype != only("SameTypeShape", y).dtype:
        raise TypeError(f"For 'SameTypeShape', 'x' and 'y' must have one dtype, but got {x.dtype} and {y.dtype}.")
    if tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"For 'SameTypeShape', 'x' and 'y' must have one shape, but got {x.shape} and {y.shape}.")
    return x


__all__ = [
    "add_flags", "control_depend", "deepcopy", "dyn_shape", "mixed_precision_cast", "numel",
    "same_type_shape",
    *_PLAIN,
]
