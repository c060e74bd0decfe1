"""Functions that give the elements another order along dimensions: flipped, rolled, turned."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.errors import show
from mindspore.operators import repetition, structure
from mindspore.operators.rules import axes_of

from .arguments import tensor
from .array import reshape
from .primitive import composed
from .signatures import plain
from .transposition import swapped


def flip(input: Any, dims: Any) -> Any:
    """The elements in reverse order along the dimensions `dims`.

    Args:
        input: A tensor.
        dims: An int or a tuple of ints.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.flip(Tensor([[1, 2], [3, 4]]), (0,)).tolist()
        [[3, 4], [1, 2]]
    """
    dims = plain(dims)
    dims = dims if isinstance(dims, tuple) else (dims,)
    return repetition.reverse(tensor("flip", "input", input), axis=dims)


def fliplr(input: Any) -> Any:
    """The elements in reverse order along the second dimension.

    Args:
        input: A tensor with two dimensions at least.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has fewer dimensions.

    Examples:
        >>> ops.fliplr(Tensor([[1, 2], [3, 4]])).tolist()
        [[2, 1], [4, 3]]
    """
    if tensor("fliplr", "input", input).ndim < 2:
        raise ValueError(f"For 'fliplr', the input must have two dimensions, but got {show(input)}.")
    return repetition.reverse(input, axis=(1,))


def flipud(input: Any) -> Any:
    """The elements in reverse order along the first dimension.

    Args:
        input: A tensor.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.flipud(Tensor([[1, 2], [3, 4]])).tolist()
        [[3, 4], [1, 2]]
    """
    return repetition.reverse(tensor("flipud", "input", input), axis=(0,))


def reverse(x: Any, axis: Any) -> Any:
    """The elements in reverse order along the dimensions `axis`.

    Args:
        x: A tensor.
        axis: An int or a tuple of ints.

    Returns:
        A tensor of the shape of `x`.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.reverse(Tensor([[1, 2], [3, 4]]), 1).tolist()
        [[2, 1], [4, 3]]
    """
    return flip(x, axis)


def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The elements moved by `shifts` along `dims`, round the end; flattened without `dims`.

    Args:
        input: A tensor.
        shifts: An int, or a tuple of ints with one per dimension of `dims`.
        dims: An int or a tuple of ints; None rolls the flattened tensor.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.roll(Tensor([1, 2, 3, 4]), 1).tolist()
        [4, 1, 2, 3]
    """
    return repetition.roll(tensor("roll", "input", input), shifts=plain(shifts), dims=plain(dims))


def rot90(input: Any, k: int, dims: Sequence[int]) -> Any:
    """The plane of two dimensions rotated by `k` quarter turns, from the first towards the second.

    Args:
        input: A tensor with two dimensions at least.
        k: The number of turns, an int.
        dims: Two dimensions.

    Returns:
        A tensor.

    Raises:
        TypeError: If `k` is no int.
        ValueError: If `dims` are not two.

    Examples:
        >>> ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)).tolist()
        [[2, 4], [1, 3]]
    """
    if isinstance(k, bool) or not isinstance(k, int):
        raise TypeError(f"For 'rot90', the 'k' must be an int, but got {k!r}.")
    if len(dims) != 2:
        raise ValueError(f"For 'rot90', the 'dims' must be two dimensions, but got {dims}.")
    a, b = axes_of(tuple(dims), tensor("rot90", "input", input).ndim, "rot90")
    if k % 4 == 2:
        return repetition.reverse(input, axis=(a, b))
    if k % 4 == 1:
        return swapped("rot90", repetition.reverse(input, axis=(b,)), a, b)
    return repetition.reverse(swapped("rot90", input, a, b), axis=(b,)) if k % 4 else input


def reverse_sequence(x: Any, seq_lengths: Any, seq_dim: int, batch_dim: int = 0) -> Any:
    """The first `seq_lengths[i]` elements along `seq_dim` in reverse order, for every entry i of the batch.

    Args:
        x: A tensor.
        seq_lengths: A tensor of ints (batch,).
        seq_dim: The dimension of the sequences, an int.
        batch_dim: The dimension of the batch, an int.

    Returns:
        A tensor of the shape of `x`.

    Raises:
        TypeError: If `x` or `seq_lengths` is no tensor.
        ValueError: If the lengths are not as many as the entries.

    Examples:
        >>> ops.reverse_sequence(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3]), 1).tolist()
        [[2, 1, 3], [6, 5, 4]]
    """
    from .creation import arange  # creation stands on the shape functions
    from .indexing import gather_elements

    rank = tensor("reverse_sequence", "x", x).ndim
    seq_dim, batch_dim = axes_of((seq_dim, batch_dim), rank, "ReverseSequence")
    if tuple(tensor("reverse_sequence", "seq_lengths", seq_lengths).shape) != (x.shape[batch_dim],):
        raise ValueError(f"For 'ReverseSequence', the 'seq_lengths' must have a length for each of "
                         f"the {x.shape[batch_dim]} entries, but got {show(seq_lengths)}.")

    def line(values: Any, at: int) -> Any:
        return reshape(values, tuple([-1 if i == at else 1 for i in range(rank)]))

    place = line(arange(x.shape[seq_dim]), seq_dim)
    length = line(structure.cast(seq_lengths, dtype=place.dtype), batch_dim)
    inside = structure.cast(place < length, dtype=place.dtype)
    source = inside * (length - 1 - place) + (1 - inside) * place
    return gather_elements(x, seq_dim, structure.broadcast_to(source, shape=tuple(x.shape)))


@composed("ReverseSequence(seq_dim, batch_dim=0)(x, seq_lengths)")
def _reverse_sequence(x: Any, seq_lengths: Any, *, seq_dim: int, batch_dim: int = 0) -> Any:
    """The first elements along `seq_dim` in reverse order, as many as each entry's length."""
    return reverse_sequence(x, seq_lengths, seq_dim, batch_dim)


METHODS = {
    "flip": flip, "fliplr": fliplr, "flipud": flipud, "reverse": reverse,
    "reverse_sequence": lambda self, seq_lengths, seq_dim=0, batch_dim=0: reverse_sequence(
        self, seq_lengths, seq_dim, batch_dim),
    "roll": lambda self, shifts, dims=None: roll(self, shifts, dims), "rot90": rot90,
}
__all__ = ["flip", "fliplr", "flipud", "reverse", "reverse_sequence", "roll", "rot90"]
