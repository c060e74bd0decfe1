"""Tensors, slices and elements repeated and combined."""
from __future__ import annotations

import itertools
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor
from mindspore.ir import INTS
from mindspore.operators import joining, repetition, structure

from .arguments import spread, tensor
from .array import ravel, reshape
from .signatures import plain


def tile(input: Any, dims: Any) -> Any:
    """The tensor repeated `dims[i]` times along dimension i.

    Args:
        input: A tensor.
        dims: An int or a tuple of ints; where it is longer than the shape, dimensions come in front.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.tile(Tensor([1, 2]), (2, 2)).tolist()
        [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    dims = plain(dims)
    return repetition.tile(tensor("tile", "input", input), dims=(dims,) if type(dims) in INTS else dims)


def repeat_interleave(input: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each slice along `axis` (each element without one) repeated: a number, or one per slice.

    Args:
        input: A tensor.
        repeats: An int, or a tuple, list or tensor of ints with one for each slice.
        axis: The dimension, an int; None repeats the elements of the flattened tensor.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor, or the `repeats` no ints.
        ValueError: If one of them is negative.

    Examples:
        >>> ops.repeat_interleave(Tensor([[1, 2], [3, 4]]), 2, 0).tolist()
        [[1, 2], [1, 2], [3, 4], [3, 4]]
    """
    tensor("repeat_interleave", "input", input)
    if axis is None:
        input, axis = ravel(input), 0
    times = plain(repeats)
    if isinstance(times, tuple) and len(times) == 1:
        times = times[0]
    for n in times if isinstance(times, tuple) else (times,):
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"For 'repeat_interleave', the 'repeats' must be ints, but got {repeats!r}.")
        if n < 0:
            raise ValueError(f"For 'repeat_interleave', the 'repeats' cannot be negative, but got "
                             f"{repeats}.")
    return repetition.repeat_interleave(input, repeats=times, axis=plain(axis))


def repeat_elements(x: Any, rep: int, axis: int = 0) -> Any:
    """Each slice along `axis` repeated `rep` times.

    Args:
        x: A tensor.
        rep: A positive int.
        axis: The dimension, an int.

    Returns:
        A tensor.

    Raises:
        TypeError: If `x` is no tensor or `rep` no int.
        ValueError: If `rep` is not positive.

    Examples:
        >>> ops.repeat_elements(Tensor([[1, 2], [3, 4]]), 2, 1).tolist()
        [[1, 1, 2, 2], [3, 3, 4, 4]]
    """
    if isinstance(rep, bool) or not isinstance(rep, int):
        raise TypeError(f"For 'repeat_elements', the 'rep' must be an int, but got {rep!r}.")
    if rep <= 0:
        raise ValueError(f"For 'repeat_elements', the 'rep' must be positive, but got {rep}.")
    check.integer("repeat_elements", "axis", axis)
    return repetition.repeat_interleave(tensor("repeat_elements", "x", x), repeats=rep, axis=axis)


def meshgrid(*inputs: Any, indexing: str = "xy") -> tuple[Any, ...]:
    """For every vector a tensor with its elements along one dimension of the common grid.

    Args:
        inputs: Vectors; numbers count as vectors of one element.
        indexing: "ij" lets the i-th vector run along dimension i, "xy" exchanges the first two dimensions.

    Returns:
        A tuple with a tensor for each vector.

    Raises:
        TypeError: If an input is no tensor.
        ValueError: If `indexing` is another one.

    Examples:
        >>> [x.tolist() for x in ops.meshgrid(Tensor([1, 2]), Tensor([3, 4]), indexing="ij")]
        [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    for x in inputs:
        tensor("meshgrid", "inputs", x)
    return repetition.meshgrid(*[x if x.ndim else reshape(x, shape=(1,)) for x in inputs], indexing=indexing)


def cartesian_prod(*inputs: Any) -> Any:
    """All combinations of one element from each vector, one per row.

    Args:
        inputs: Vectors.

    Returns:
        A tensor (combinations, vectors); of one vector the vector.

    Examples:
        >>> ops.cartesian_prod(Tensor([1, 2]), Tensor([5, 6])).tolist()
        [[1, 5], [1, 6], [2, 5], [2, 6]]
    """
    if len(inputs) == 1:
        return inputs[0]
    return joining.stack(*[ravel(g) for g in meshgrid(*inputs, indexing="ij")], axis=-1)


def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """All combinations of `r` elements of a vector, one per row.

    Args:
        input: A vector.
        r: The number of elements in a combination.
        with_replacement: Whether an element may occur several times.

    Returns:
        A tensor (combinations, r).

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it is no vector.

    Examples:
        >>> ops.combinations(Tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]
    """
    from .indexing import gather  # indexing imports this module

    if tensor("combinations", "input", input).ndim != 1:
        raise ValueError(f"For 'combinations', the input must be a vector, but got {show(input)}.")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    if not rows:
        return structure.full(shape=(0, r), value=0, dtype=input.dtype)
    return gather(input, Tensor(rows), 0)


def _repeat(self: Any, *repeats: Any, **kwargs: Any) -> Any:
    """The tensor repeated `repeats[i]` times along dimension i; there is a number for each.

    With `axis`, as in 1.x: each slice along it (each element for None) repeated.

    Args:
        repeats: The numbers, one by one or as a tuple.
        kwargs: `repeats` by name, and `axis`.

    Returns:
        The larger tensor.

    Raises:
        TypeError: If a number is no int.
        ValueError: If there are fewer numbers than dimensions.

    Examples:
        >>> Tensor([1, 2]).repeat(2).tolist(), Tensor([1, 2]).repeat(2, axis=0).tolist()
        ([1, 2, 1, 2], [1, 1, 2, 2])
    """
    if "axis" in kwargs:
        return repeat_interleave(self, kwargs.get("repeats", repeats[0] if repeats else None),
                                 kwargs["axis"])
    repeats = (kwargs["repeats"],) if "repeats" in kwargs else repeats
    times = plain(repeats[0] if len(repeats) == 1 and not isinstance(repeats[0], int) else repeats)
    if not isinstance(times, tuple) or any(type(n) not in INTS for n in times):
        raise TypeError(f"For 'Tensor.repeat', the 'repeats' must be ints, but got {repeats!r}.")
    if len(times) < self.ndim:
        raise ValueError(f"For 'Tensor.repeat', a number is needed for each of the {self.ndim} "
                         f"dimensions, but got {times}.")
    return repetition.tile(self, dims=times)


def _repeat_interleave(self: Any, repeats: Any, dim: Any = None, *, axis: Any = None,
                       output_size: int | None = None) -> Any:
    """Each slice along `dim` (each element without one) repeated.

    Args:
        repeats: An int, or a tuple, list or tensor of ints with one for each slice.
        dim, axis: The dimension, an int, under either name; None repeats the elements of the flattened tensor.
        output_size: The extent of the result along it, if it is known.

    Returns:
        A tensor.

    Raises:
        TypeError: If the `repeats` are no ints.
        ValueError: If one of them is negative, or `output_size` is not their sum.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).repeat_interleave(2, 1).tolist()
        [[1, 1, 2, 2], [3, 3, 4, 4]]
    """
    along = dim if axis is None else axis
    out = repeat_interleave(self, repeats, along)
    if output_size is not None and output_size != (count := out.shape[along or 0]):
        raise ValueError(f"For 'Tensor.repeat_interleave', the 'output_size' must be {count}, but got {output_size}.")
    return out


def _tile(self: Any, *dims: Any, reps: Any = None) -> Any:
    """The tensor repeated `dims[i]` times along dimension i.

    Args:
        dims: Ints, or a tuple of ints; where they are more than the dimensions, dimensions come in front.
        reps: The same, by name.

    Returns:
        A tensor.

    Examples:
        >>> Tensor([1, 2]).tile((2, 2)).tolist()
        [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    return tile(self, spread(dims) if reps is None else reps)


__all__ = [
    "cartesian_prod", "combinations", "meshgrid", "repeat_elements", "repeat_interleave", "tile",
]

METHODS = {"repeat": _repeat, "repeat_interleave": _repeat_interleave, "tile": _tile}
