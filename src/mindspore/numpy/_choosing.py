"""Elements chosen by conditions, by index, as sets."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_, float32, int32
from mindspore.operators.rules import broadcast

from ._shapes import ravel
from .arguments import axes_of, common_type, tensor


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """`x` where the condition holds, else `y`; without them the indices where it holds.

    Args:
        condition: A tensor; elements other than 0 count as True.
        x, y: What to take where it holds and where not: tensors or numbers, broadcast with `condition`;
            both or none.

    Returns:
        A tensor; a tuple of index vectors, one per axis, without `x` and `y`.

    Examples:
        >>> x = mnp.array([[1, -2], [-3, 4]])
        >>> print(mnp.where(x > 0, x, 0))
        [[1 0]
         [0 4]]
        >>> print(*mnp.where(x > 0))
        [0 1] [0 1]
    """
    if x is None and y is None:
        return tuple(
            [column.reshape((-1,)) for column in ops.split(ops.nonzero(tensor(condition)), 1, 1)]
        )
    condition, x, y = tensor(condition), tensor(x), tensor(y)
    kind = common_type(x.dtype, y.dtype)
    return ops.where(condition.astype(bool_), x.astype(kind), y.astype(kind))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Of each element the choice of the first condition that holds.

    Args:
        condlist: Conditions: tensors of bools.
        choicelist: What to take where each holds: as many tensors. Those of several types become float32, or int32
            where none of them holds floats.
        default: What to take where none holds, in the type of the choices.

    Raises:
        ValueError: If there are more conditions than choices, or fewer.

    Examples:
        >>> x = mnp.arange(6)
        >>> print(mnp.select([x < 2, x > 3], [x, x * 10], 7))
        [ 0  1  7  7 40 50]
    """
    choices, result = [tensor(choice) for choice in choicelist], tensor(default)
    if len(condlist) != len(choices):
        raise ValueError(f"For 'select', there must be as many conditions as choices, but got {len(condlist)} and "
                         f"{len(choices)}.")
    kinds = {choice.dtype for choice in choices}
    if len(kinds) > 1:                 # the original makes one array of them, with the types of Python's numbers
        wide = float32 if any([kind.is_floating for kind in kinds]) else int32
        choices = [choice.astype(wide) for choice in choices]
    for condition, choice in list(zip(condlist, choices, strict=True))[::-1]:
        result = ops.where(tensor(condition).astype(bool_), choice, result.astype(choice.dtype))
    return result


def choose(a: Any, choices: Any, mode: str = "clip") -> Any:
    """Of each element the choice that it numbers.

    Args:
        a: Numbers of choices, ints.
        choices: Tensors that are broadcast with `a`.
        mode: What becomes of numbers out of range: 'clip' (the first or last choice) or 'wrap' (counted
            round).

    Raises:
        ValueError: If `mode` is another, or `a` does not hold integers.

    Examples:
        >>> print(mnp.choose(mnp.array([2, 0, 1]), [[10, 11, 12], [20, 21, 22], [30, 31, 32]]))
        [30 11 22]
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(f"For 'choose', the 'mode' must be 'clip' or 'wrap', but got {mode!r}.")
    a = tensor(a)
    if a.dtype.kind not in "iu":
        raise ValueError(f"For 'choose', 'a' must hold integers, but got {a.dtype}.")
    options = [tensor(c) for c in choices]
    last = len(options) - 1
    number = ops.floor_mod(a, last + 1) if mode == "wrap" else ops.clamp(a, 0, last)
    result = options[last]
    for i in range(last):
        result = ops.where(number == i, options[i], result)
    return result if result.ndim >= a.ndim else ops.broadcast_to(result, a.shape)


def take(a: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """Elements by number along an axis, of the flattened tensor if it is None.

    Args:
        a: A tensor, or numbers that make one.
        indices: Numbers of elements, ints of any shape, which takes the place of the axis.
        axis: The axis.
        mode: What becomes of numbers out of range: 'clip' (the first or last element) or 'wrap' (counted
            round).

    Raises:
        ValueError: If `mode` is unknown.
        NotImplementedError: If `mode` is 'raise'.

    Examples:
        >>> x = mnp.array([[1, 2, 3], [4, 5, 6]])
        >>> print(mnp.take(x, [2, 0], axis=1))
        [[3 1]
         [6 4]]
        >>> print(mnp.take(x, [-1, 7], mode="wrap"))
        [6 2]
    """
    if mode not in ("clip", "wrap", "raise"):
        raise ValueError(
            f"For 'take', the 'mode' must be 'raise', 'wrap' or 'clip', but got {mode!r}."
        )
    if mode == "raise":
        raise NotImplementedError(
            "For 'take', the 'mode' 'raise' is not supported. Use 'clip' or 'wrap'."
        )
    a, axis = (ravel(a), 0) if axis is None else (tensor(a), axis)
    indices = tensor(indices)
    length = a.shape[axis]
    indices = (
        ops.floor_mod(indices, length) if mode == "wrap" else ops.clamp(indices, 0, length - 1)
    )
    return ops.gather(a, indices, axes_of("take", axis, a.ndim)[0])


def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Any:
    """Elements by number along an axis; the other axes of both go together.

    Args:
        arr: A tensor, or numbers that make one.
        indices: Numbers of elements along the axis, with as many axes as `arr`; the other axes broadcast.
        axis: The axis; None for the flattened tensor.

    Examples:
        >>> x = mnp.array([[30, 10, 20], [1, 3, 2]])
        >>> print(mnp.take_along_axis(x, mnp.array([[1, 2, 0], [0, 2, 1]]), 1))
        [[10 20 30]
         [ 1  2  3]]
    """
    arr, axis = (ravel(arr), 0) if axis is None else (tensor(arr), axis)
    axis, indices = axes_of("take_along_axis", axis, arr.ndim)[0], tensor(indices)
    if indices.ndim != arr.ndim:
        raise ValueError(f"For 'take_along_axis', the 'indices' must have {arr.ndim} axes like 'arr', but got "
                         f"{indices.ndim}.")
    rest = broadcast(*[(*x.shape[:axis], 1, *x.shape[axis + 1:]) for x in (arr, indices)], name="take_along_axis")
    arr, indices = [ops.broadcast_to(x, (*rest[:axis], x.shape[axis], *rest[axis + 1:])) for x in (arr, indices)]
    return ops.gather_elements(arr, axis, indices)


def argwhere(a: Any) -> Any:
    """Indices of the elements other than 0.

    Args:
        a: A tensor, or numbers that make one.

    Returns:
        A matrix with a row of indices for each such element, int64.

    Examples:
        >>> print(mnp.argwhere([[0, 7], [5, 0]]))
        [[0 1]
         [1 0]]
    """
    return ops.nonzero(tensor(a))


def unique(x: Any, return_inverse: bool = False) -> Any:
    """The different elements in the order in which they first occur, and which one each element is.

    Args:
        x: A tensor, or numbers that make one; it is flattened.
        return_inverse: Give also where each element of the flattened `x` is among the different ones.

    Examples:
        >>> values, inverse = mnp.unique([[3, 1], [3, 2]], return_inverse=True)
        >>> print(values, inverse)
        [3 1 2] [0 1 0 2]
    """
    found = ops.unique(ravel(tensor(x)))
    return found if return_inverse else found[0]


def _sorted_set(x: Any) -> Any:
    return ops.sort(unique(x))[0]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Elements of `ar1` that are not in `ar2`, in order.

    Args:
        ar1, ar2: Tensors, or numbers that make some; they are flattened.
        assume_unique: The elements of `ar1` are different already; then they keep their order.

    Examples:
        >>> print(mnp.setdiff1d([4, 3, 2, 4], [2, 9]))
        [3 4]
    """
    ar1 = ravel(ar1) if assume_unique else _sorted_set(ar1)
    found = ops.any(ar1.reshape((-1, 1)) == tensor(ar2).reshape((1, -1)), 1)
    return ops.masked_select(ar1, ops.logical_not(found))


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Elements that are in both, in order, and their first places in each.

    Args:
        ar1, ar2: Tensors, or numbers that make some; they are flattened.
        assume_unique: The elements of each are different already.
        return_indices: Give also the first places of the common elements in both, int32.

    Examples:
        >>> common, first, second = mnp.intersect1d([1, 5, 3], [3, 4, 1], return_indices=True)
        >>> print(common, first, second)
        [1 3] [0 2] [2 0]
    """
    ar1, ar2 = ravel(ar1), ravel(ar2)
    values = ar1 if assume_unique else _sorted_set(ar1)
    found = ops.any(values.reshape((-1, 1)) == ar2.reshape((1, -1)), 1)
    common = ops.sort(ops.masked_select(values, found))[0]
    if not return_indices:
        return common
    first = [
        ops.argmax((common.reshape((-1, 1)) == a.reshape((1, -1))).astype(int32), dim=1)
        for a in (ar1, ar2)
    ]
    return common, *[place.astype(int32) for place in first]


def _check_order(owner: str, order: Any) -> None:
    """Refuse an order of the axes that there is not."""
    if order not in ("C", "F"):
        raise ValueError(f"For '{owner}', the 'order' must be 'C' or 'F', but got {order!r}.")


def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """Numbers of elements as indices for each axis.

    Args:
        indices: Numbers of elements of the flattened shape, ints.
        shape: The shape.
        order: 'C' if the last axis runs fastest, 'F' if the first.

    Returns:
        A tuple of tensors, one for each axis.

    Raises:
        ValueError: If `order` is another.

    Examples:
        >>> print(*mnp.unravel_index([1, 5], (2, 3)))
        [0 1] [1 2]
    """
    _check_order("unravel_index", order)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    rest, result = tensor(indices), []
    for length in shape[::-1] if order == "C" else shape:
        result.append(ops.floor_mod(rest, length))
        rest = ops.floor_div(rest, length)
    return tuple(result[::-1] if order == "C" else result)


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Any:
    """Indices for each axis as numbers of elements, as float32.

    Args:
        multi_index: Indices for each axis: a sequence of tensors of ints.
        dims: The shape.
        mode: What becomes of indices out of range: 'clip' or 'wrap' (counted round).
        order: 'C' if the last axis runs fastest, 'F' if the first.

    Raises:
        ValueError: If `mode` is another.

    Examples:
        >>> print(mnp.ravel_multi_index(([0, 1], [1, 2]), (2, 3)))
        [1. 5.]
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(
            f"For 'ravel_multi_index', the 'mode' must be 'clip' or 'wrap', but got {mode!r}."
        )
    _check_order("ravel_multi_index", order)
    result: Any = 0
    factor = 1
    axes = list(range(len(dims)))
    for axis in axes[::-1] if order == "C" else axes:
        index = tensor(multi_index[axis])
        length = dims[axis]
        index = ops.floor_mod(index, length) if mode == "wrap" else ops.clamp(index, 0, length - 1)
        result, factor = result + index * factor, factor * length
    return result.astype(float32)


__all__ = [
    "argwhere",
    "choose",
    "intersect1d",
    "ravel_multi_index",
    "select",
    "setdiff1d",
    "take",
    "take_along_axis",
    "unique",
    "unravel_index",
    "where",
]
