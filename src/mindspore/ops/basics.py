"""What a program asks about a tensor, and the operators that order, assign, print and record."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType, as_dtype
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure

from .arguments import only
from .primitive import composed


@composed("Shape()(x)")
def shape(input_x: Any) -> tuple[int, ...]:
    """The extents of a tensor's dimensions, as a tuple of ints.

    While a graph is compiled, an extent that differs between runs counts as the int that it will be.
    TypeError for what is no tensor.

    Args:
        input_x: A tensor.

    Returns:
        A tuple of ints.

    Raises:
        TypeError: If `input_x` is no tensor.

    Examples:
        >>> ops.shape(Tensor([[1, 2, 3]]))
        (1, 3)
    """
    return only("Shape", input_x).shape


def shape_(x: Any) -> tuple[int, ...]:
    """`ops.shape` under the name that the original gives an instance of the primitive.

    Args:
        x: A tensor.

    Returns:
        A tuple of ints.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.shape_(x=Tensor([[1, 2, 3]]))
        (1, 3)
    """
    return shape(x)


@composed("DType()(x)")
def dtype(x: Any) -> DType:
    """The element type of a tensor.

    Args:
        x: A tensor.

    Returns:
        A type such as `mindspore.float32`.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.dtype(Tensor([1, 2])) is mindspore.int64
        True
    """
    return only("DType", x).dtype


@composed("Rank()(x)")
def rank(input_x: Any) -> int:
    """The number of dimensions of a tensor.

    Args:
        input_x: A tensor.

    Returns:
        An int.

    Raises:
        TypeError: If `input_x` is no tensor.

    Examples:
        >>> ops.rank(Tensor([[1, 2], [3, 4]]))
        2
    """
    return only("Rank", input_x).ndim


@composed("Size()(x)")
def size(input_x: Any) -> int:
    """The number of elements of a tensor.

    Args:
        input_x: A tensor.

    Returns:
        An int.

    Raises:
        TypeError: If `input_x` is no tensor.

    Examples:
        >>> ops.size(Tensor([[1, 2], [3, 4]]))
        4
    """
    return only("Size", input_x).size


def typeof(x: Any) -> Any:
    """The element type of a tensor; the class of anything else.

    Args:
        x: A tensor or any other value.

    Returns:
        A type of MindSpore's, or a class.

    Examples:
        >>> ops.typeof(Tensor([1.0])), ops.typeof((1, 2))
        (mindspore.float32, <class 'tuple'>)
    """
    return x.dtype if is_tensor(x) else type(x)


@composed("IsConstant()(x)")
def isconstant(x: Any) -> bool:
    """Whether the value is known: False only for tensors that a graph under construction computes.

    Args:
        x: Any value.

    Returns:
        A bool.

    Examples:
        >>> ops.isconstant(Tensor([1.0])), ops.isconstant(3)
        (True, True)
    """
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
    if input.dtype is dtype and runtime.casting is None:
        return input
    return structure.cast(input, dtype=dtype)      # a cell with a float type lets it keep this one


@composed("StopGradient()(value)")
def stop_gradient(value: Any) -> Any:
    """The value, through which no gradient flows: a tensor, or what holds tensors in tuples, lists and dicts.

    Args:
        value: A tensor, or tuples, lists and dicts of tensors and other values.

    Returns:
        The same values in the same structure.

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
    """Whether a value has a type.

    Args:
        x: A tensor, whose element type counts, or any other value, whose class counts.
        dtype: A type of MindSpore's, or a class.

    Returns:
        A bool; True for subclasses, too.

    Examples:
        >>> ops.hastype(Tensor([1.0]), mindspore.float32), ops.hastype((1, 2), list)
        (True, False)
    """
    return _is_subclass(typeof(x), dtype)


# ---------------------------------------------------------------------- order and state


# ---------------------------------------------------------------------- effects


# ---------------------------------------------------------------------- 1.x spellings


__all__ = [
    "cast", "dtype", "hastype", "is_tensor", "isconstant", "rank", "shape", "shape_", "size", "stop_gradient", "typeof",
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


def _dim(self: Any) -> int:
    """The number of dimensions.

    Returns:
        An int.

    Examples:
        >>> Tensor([[1, 2]]).dim()
        2
    """
    return self.ndim


def _numel(self: Any) -> int:
    """The number of elements.

    Returns:
        An int.

    Examples:
        >>> Tensor([[1, 2]]).numel()
        2
    """
    return self.size


def _rank(self: Any) -> int:
    """The number of dimensions.

    Returns:
        An int.

    Examples:
        >>> Tensor([[1, 2]]).rank()
        2
    """
    return self.ndim


METHODS = {
    "T": property(_transposed),
    "mT": property(_matrices_transposed),
    "astype": _astype,
    "dim": _dim,
    "numel": _numel,
    "rank": _rank,
}
