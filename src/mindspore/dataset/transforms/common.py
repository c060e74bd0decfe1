"""Transforms of any arrays."""

from __future__ import annotations

import operator
from enum import IntEnum
from typing import Any

import numpy as np

from mindspore.core.dtype import DType, Type, as_dtype, bool_, string
from mindspore.dataset import checked as check
from mindspore.dataset.block import as_array, pad_end
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation, to_array, within_64_bits


def numpy_type(owner: Any, name: str, value: Any) -> np.dtype:
    """The NumPy dtype that a MindSpore or NumPy type names."""
    if value is string:
        return np.dtype(np.str_)
    if not isinstance(value, (Type, type, np.dtype, str)):
        raise check.fail(TypeError, owner, name, "a type of mindspore or numpy", value)
    if isinstance(value, DType):
        return value.numpy
    try:
        kind = np.dtype(value)  # pyright: ignore  # TypeError where NumPy knows nothing of the kind
        return kind if kind.kind in "US" else as_dtype(kind).numpy
    except TypeError:
        raise check.fail(TypeError, owner, name, "a type of mindspore or numpy", value) from None


class Concatenate(TensorOperation):
    """`prepend`, the inputs and `append` joined; for arrays with one axis.

    Args:
        axis: 0 or -1.
        prepend, append: Arrays that stand before and behind the inputs.

    Examples:
        >>> transforms.Concatenate(append=np.array([9]))(np.array([1, 2]), np.array([3])).tolist()
        [1, 2, 3, 9]
    """

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None):
        self.axis = check.integer(self, "axis", axis, -1, 0)
        self.prepend = check.optional(check.instance, self, "prepend", prepend, np.ndarray)
        self.append = check.optional(check.instance, self, "append", append, np.ndarray)

    def __call__(self, *inputs: Any) -> np.ndarray:
        parts = [to_array(self, value) for value in inputs]
        parts = [part for part in (self.prepend, *parts, self.append) if part is not None]
        for part in parts:
            if part.ndim != 1:
                raise PipelineError(
                    f"For 'Concatenate', all arrays must have one axis, but one has {part.ndim}."
                )
            if part.dtype != parts[0].dtype and not part.dtype.kind == parts[0].dtype.kind in "US":
                raise PipelineError(
                    f"For 'Concatenate', all arrays must have one dtype, but got {parts[0].dtype} and "
                    f"{part.dtype}."
                )
        return np.concatenate(parts)


class Duplicate(TensorOperation):
    """The input twice.

    Examples:
        >>> [array.tolist() for array in transforms.Duplicate()(np.array([1, 2]))]
        [[1, 2], [1, 2]]
    """

    def apply(self, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return value, value.copy()


class Fill(TensorOperation):
    """An array like the input with `fill_value` everywhere.

    Args:
        fill_value: A number, or text for arrays of text.

    Examples:
        >>> transforms.Fill(7)(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, fill_value: Any):
        self.fill_value = check.instance(
            self, "fill_value", fill_value, (str, float, bool, int, bytes)
        )

    def apply(self, value: np.ndarray) -> np.ndarray:
        given = within_64_bits("Fill", "fill_value", self.fill_value)
        if (value.dtype.kind in "US") != (given.dtype.kind in "US"):
            raise PipelineError(
                f"For 'Fill', the 'fill_value' must fit the input's dtype {value.dtype}, but is "
                f"{self.fill_value!r}."
            )
        if value.dtype.kind in "US":
            return np.full(value.shape, self.fill_value)
        return np.full(value.shape, given.astype(value.dtype), value.dtype)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)


class Relational(IntEnum):
    """Comparisons for Mask.

    Examples:
        >>> [member.name for member in transforms.Relational]
        ['EQ', 'NE', 'GT', 'GE', 'LT', 'LE']
    """

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: operator.eq,
    Relational.NE: operator.ne,
    Relational.GT: operator.gt,
    Relational.GE: operator.ge,
    Relational.LT: operator.lt,
    Relational.LE: operator.le,
}


class Mask(TensorOperation):
    """Where the input compares true with `constant`, as `dtype`.

    Args:
        operator: Which comparison, a `Relational`.
        constant: With what: a number, or text.
        dtype: Type of the result.

    Examples:
        >>> transforms.Mask(transforms.Relational.GT, 2)(np.array([1, 2, 3])).tolist()
        [False, False, True]
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = bool_):
        self.operator = check.instance(self, "operator", operator, Relational)
        self.constant = check.instance(self, "constant", constant, (str, float, bool, int, bytes))
        if not isinstance(dtype, DType):
            raise check.fail(TypeError, self, "dtype", "a type of mindspore", dtype)
        self.dtype = dtype

    def apply(self, value: np.ndarray) -> np.ndarray:
        if (value.dtype.kind in "US") != isinstance(self.constant, (str, bytes)):
            raise PipelineError(
                f"For 'Mask', the 'constant' must fit the input's dtype {value.dtype}, but is "
                f"{self.constant!r}."
            )
        constant = within_64_bits("Mask", "constant", self.constant).astype(
            value.dtype.kind if value.dtype.kind in "US" else value.dtype
        )
        return np.asarray(_COMPARE[self.operator](value, constant)).astype(self.dtype.numpy)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)


class OneHot(TensorOperation):
    """Class numbers as vectors with 1 in the place of the class.

    With `smoothing_rate` r it is 1 - r there, plus r / n everywhere.

    Args:
        num_classes: The length of the vectors.
        smoothing_rate: r, 0 to 1.

    Examples:
        >>> transforms.OneHot(4, 0.2)(np.array(2)).round(4).tolist()
        [0.05, 0.05, 0.85, 0.05]
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0):
        self.num_classes = check.integer(self, "num_classes", num_classes, 1, check.INT32_MAX)
        self.smoothing_rate = check.number(self, "smoothing_rate", smoothing_rate, 0.0, 1.0)

    def apply(self, value: np.ndarray) -> np.ndarray:
        flat = value.squeeze()
        if flat.ndim > 1:
            raise PipelineError(
                f"For 'OneHot', the input must have at most one axis longer than 1, but has shape {value.shape}."
            )
        return self._encoded(flat)

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim > 2:
            return None
        return self._encoded(stack[:, 0] if stack.shape[1:] == (1,) else stack)

    def _encoded(self, value: np.ndarray) -> np.ndarray:
        if value.dtype.kind not in "iu":
            raise PipelineError(
                f"For 'OneHot', the input must be of an integer type, but is {value.dtype}."
            )
        if value.size and (value.min() < 0 or value.max() >= self.num_classes):
            raise PipelineError(
                f"For 'OneHot', the input must be in [0, {self.num_classes - 1}], but contains "
                f"{value.max() if value.max() >= self.num_classes else value.min()}."
            )
        hit = value[..., None] == np.arange(self.num_classes)
        if not self.smoothing_rate:
            return hit.astype(value.dtype)
        return hit * (1.0 - self.smoothing_rate) + self.smoothing_rate / self.num_classes


class PadEnd(TensorOperation):
    """The input padded at the ends, or cut, to `pad_shape`; None in it keeps the length.

    Args:
        pad_shape: The lengths.
        pad_value: What is put there: a number (0), or text for arrays of text ('').

    Examples:
        >>> transforms.PadEnd([4], 9)(np.array([1, 2])).tolist()
        [1, 2, 9, 9]
    """

    def __init__(self, pad_shape: Any, pad_value: Any = None):
        check.instance(self, "pad_shape", pad_shape, list)
        self.pad_shape = [
            check.optional(check.integer, self, "pad_shape", length, 1) for length in pad_shape
        ]
        self.pad_value = check.optional(
            check.instance, self, "pad_value", pad_value, (str, float, bool, int, bytes)
        )

    def apply(self, value: np.ndarray) -> np.ndarray:
        if not value.ndim:  # a single element has no end
            return value
        if len(self.pad_shape) != value.ndim:
            raise PipelineError(
                f"For 'PadEnd', the 'pad_shape' {self.pad_shape} must have as many axes as the input, "
                f"whose shape is {value.shape}."
            )
        given = np.asarray(self.pad_value) if self.pad_value is not None else None
        if given is not None and (given.dtype.kind in "US") != (value.dtype.kind in "US"):
            raise PipelineError(
                f"For 'PadEnd', the 'pad_value' must fit the input's dtype {value.dtype}, but is "
                f"{self.pad_value!r}."
            )
        shape = [length or value.shape[i] for i, length in enumerate(self.pad_shape)]
        return pad_end(value, shape, self.pad_value)


class Slice(TensorOperation):
    """The input at ints, lists of ints, slices, None or `...` (all), one for each axis; axes are never dropped.

    Args:
        slices: What to take of each axis.

    Examples:
        >>> transforms.Slice(slice(1, None))(np.array([1, 2, 3])).tolist()
        [2, 3]
    """

    def __init__(self, *slices: Any):
        for item in slices:
            if isinstance(item, list):
                for index in item:
                    check.integer(self, "slices", index)
            elif not isinstance(item, (int, slice, type(None), type(Ellipsis))):
                raise check.fail(
                    TypeError,
                    self,
                    "slices",
                    "made of ints, lists of ints, slices, None or ...",
                    item,
                )
        self.slices = tuple(None if item is True else item for item in slices)

    def apply(self, value: np.ndarray) -> np.ndarray:
        slices = list(self.slices)
        if Ellipsis in slices:
            at = slices.index(Ellipsis)
            slices[at : at + 1] = [None] * (value.ndim - len(slices) + 1)
        if len(slices) > value.ndim:
            raise PipelineError(
                f"For 'Slice', there must be at most as many slices as axes, {value.ndim}, but got "
                f"{len(slices)}."
            )
        for axis, item in enumerate(slices):
            value = self._one_axis(value, axis, item)
        return value

    def _one_axis(self, value: np.ndarray, axis: int, item: Any) -> np.ndarray:
        if item is None:
            return value
        if item is False:
            raise PipelineError("For 'Slice', False selects nothing; True and None select all.")
        if isinstance(item, slice):
            return value[(slice(None),) * axis + (item,)]
        chosen = item if isinstance(item, list) else [item]
        length = value.shape[axis]
        for index in chosen:
            if not -length <= index < length:
                raise PipelineError(
                    f"For 'Slice', the index {index} must be in [{-length}, {length - 1}] for axis {axis} "
                    f"of shape {value.shape}."
                )
        return np.take(value, chosen, axis)


class TypeCast(TensorOperation):
    """The input converted to another type; decimals are cut off, integers wrap around.

    Args:
        data_type: A type of MindSpore or NumPy.

    Raises:
        TypeError: If it is none.
        PipelineError: If numbers and text would be converted into each other.

    Examples:
        >>> transforms.TypeCast(mindspore.int32)(np.array([1.9, -1.9])).tolist()
        [1, -1]
    """

    by_level = True

    def __init__(self, data_type: Any):
        self.data_type = data_type
        self._dtype = numpy_type(self, "data_type", data_type)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if (value.dtype.kind in "US") != (self._dtype.kind in "US"):
            raise PipelineError(
                f"For 'TypeCast', numbers and text cannot be converted into each other, but got "
                f"{value.dtype} and {self._dtype}."
            )
        with np.errstate(invalid="ignore", over="ignore"):
            try:
                return value.astype(self._dtype)
            except UnicodeError as error:
                raise PipelineError(
                    f"For 'TypeCast', the text cannot be converted: {error}"
                ) from None

    def apply_stack(self, stack: np.ndarray) -> np.ndarray:
        return self.apply(stack)


class Unique(TensorOperation):
    """The different elements in the order of their first appearance, where each element is, and how often.

    Examples:
        >>> [array.tolist() for array in transforms.Unique()(np.array([[5, 7], [5, 5]]))]
        [[5, 7], [0, 1, 0, 0], [3, 1]]
    """

    def apply(self, value: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if value.ndim < 2:
            raise PipelineError(
                f"For 'Unique', the input must be a batch, with two axes or more, but has shape "
                f"{value.shape}. Use it after 'batch'."
            )
        flat = as_array(value).ravel()
        unique, first, inverse, counts = np.unique(
            flat, return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return unique[order], rank[inverse].astype(np.int32), counts[order].astype(np.int32)


class Plugin(TensorOperation):
    """Not supported: a transform from a library that was compiled against the C++ classes of the original.

    Args:
        lib_path: Path of the library.
        func_name: Name of the function in it.
        user_args: Text for the function.

    Raises:
        TypeError: An argument is no str.
        NotImplementedError: Always, since there are no such classes here.
    """

    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None):
        check.string(self, "lib_path", lib_path)
        check.string(self, "func_name", func_name)
        check.optional(check.string, self, "user_args", user_args)
        raise NotImplementedError(
            "For 'Plugin', libraries made for the original's C++ classes are not supported. Give 'map' a Python "
            f"function that calls '{func_name}' through 'ctypes', which runs in threads."
        )
