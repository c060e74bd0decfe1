"""Forms, orders of axes, joining and cutting."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.ops.arguments import only, tensor


def cat(tensors: Any, dim: int = 0) -> Any:
    """The tensors one behind the other along a dimension that they have.

    Args:
        tensors: A tuple or a list of tensors, equal in all other extents.
        dim: The dimension.

    Returns:
        A tensor of their common dtype.

    Raises:
        TypeError: If `tensors` is no tuple or list.
        ValueError: If it is empty, or shapes do not fit.

    Examples:
        >>> mint.cat((Tensor([[1], [2]]), Tensor([[3], [4]])), 1).tolist()
        [[1, 3], [2, 4]]
    """
    return ops.cat(tensors, dim)


def concat(tensors: Any, dim: int = 0) -> Any:
    """The tensors one behind the other along a dimension that they have; the same as `cat`.

    Args:
        tensors: A tuple or a list of tensors, equal in all other extents.
        dim: The dimension.

    Returns, Raises:
        As `cat`.

    Examples:
        >>> mint.concat((Tensor([1]), Tensor([3.0]))).tolist()
        [1.0, 3.0]
    """
    return ops.cat(tensors, dim)


def stack(tensors: Any, dim: int = 0) -> Any:
    """The tensors one behind the other along a new dimension.

    Args:
        tensors: A tuple or a list of tensors of one shape.
        dim: The place of the new dimension.

    Returns:
        A tensor of their common dtype.

    Raises:
        TypeError: If `tensors` is no tuple or list.
        ValueError: If it is empty, or shapes differ.

    Examples:
        >>> mint.stack((Tensor([1, 2]), Tensor([3, 4])), 1).tolist()
        [[1, 3], [2, 4]]
    """
    return ops.stack(tensors, dim)


def chunk(input: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Parts along a dimension, all of one extent but the last, which may be smaller.

    Args:
        input: A tensor.
        chunks: How many parts there are at most.
        dim: The dimension.

    Returns:
        The parts, views of the input.

    Raises:
        TypeError: If the input is no tensor, or the number no int.
        ValueError: If the number is not positive, or the dimension does not exist.

    Examples:
        >>> [part.tolist() for part in mint.chunk(mint.arange(5), 2)]
        [[0, 1, 2], [3, 4]]
    """
    return ops.chunk(input, chunks, dim)


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts of given extents along a dimension.

    Args:
        tensor: A tensor.
        split_size_or_sections: The extent of every part but the last, or a list of all extents.
        dim: The dimension.

    Returns:
        The parts, views of the tensor.

    Raises:
        TypeError: If the extents are no ints.
        ValueError: If they do not add up, or the dimension does not exist.

    Examples:
        >>> [part.tolist() for part in mint.split(mint.arange(5), [1, 4])]
        [[0], [1, 2, 3, 4]]
    """
    return ops.split(tensor, split_size_or_sections, dim)


def narrow(input: Any, dim: int, start: int, length: int) -> Any:
    """A part of a dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        start: Where the part begins.
        length: Its extent.

    Returns:
        A view of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the part does not lie within the dimension.

    Examples:
        >>> mint.narrow(mint.arange(5), 0, 1, 3).tolist()
        [1, 2, 3]
    """
    return ops.narrow(input, dim, start, length)


def select(input: Any, dim: int, index: int) -> Any:
    """One slice of a dimension, without that dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        index: The place of the slice; negative ones count from the end.

    Returns:
        A view of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.
        IndexError: If the place does not.

    Examples:
        >>> mint.select(Tensor([[1, 2], [3, 4]]), 1, -1).tolist()
        [2, 4]
    """
    at = check.integer("select", "dim", dim, -only("select", input).ndim, input.ndim - 1) % input.ndim
    return input[(*[slice(None)] * at, check.integer("select", "index", index))]


def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Some neighbouring dimensions as one.

    Args:
        input: A tensor.
        start_dim: The first of them.
        end_dim: The last of them.

    Returns:
        The elements in the same order.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension does not exist, or the last comes before the first.

    Examples:
        >>> mint.flatten(mint.zeros((2, 3, 4)), 1).shape
        (2, 12)
    """
    return ops.flatten(input, start_dim=start_dim, end_dim=end_dim)


def permute(input: Any, dims: Any) -> Any:
    """The dimensions in another order.

    Args:
        input: A tensor.
        dims: All dimensions, in the new order.

    Returns:
        A view of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension is missing, or stands there twice.

    Examples:
        >>> mint.permute(mint.zeros((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    """
    return ops.permute(input, dims)


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two dimensions, exchanged.

    Args:
        input: A tensor.
        dim0: One of them.
        dim1: The other one.

    Returns:
        A view of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.transpose(mint.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    return ops.swapaxes(input, dim0, dim1)


def t(input: Any) -> Any:
    """A matrix, rows and columns exchanged; a vector or a number unchanged.

    Args:
        input: A tensor of at most two dimensions.

    Returns:
        A view of the input.

    Raises:
        TypeError, ValueError: If the input is no tensor, or has more dimensions.

    Examples:
        >>> mint.t(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 3], [2, 4]]
    """
    return ops.t(input)


def reshape(*args: Any, **kwargs: Any) -> Any:
    """The elements in the same order, in another shape.

    Args:
        args, kwargs: `input`, a tensor, and `shape`, by place or by name:
        shape: The extents, a tuple; one of them may be -1, which means what remains.

    Returns:
        A view of the input where there can be one.

    Raises:
        TypeError, ValueError: If the input is no tensor, or the numbers of elements differ.

    Examples:
        >>> mint.reshape(mint.arange(4), (2, -1)).tolist()
        [[0, 1], [2, 3]]
    """
    return ops.reshape(*args, **kwargs)


def squeeze(*args: Any, **kwargs: Any) -> Any:
    """The tensor without dimensions of extent 1.

    Args:
        args, kwargs: `input`, a tensor, and `dim`, by place or by name:
        dim: A dimension, or a tuple of them; those of another extent stay. By default all.

    Returns:
        A view of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.squeeze(mint.zeros((1, 2, 1))).shape, mint.squeeze(mint.zeros((1, 2, 1)), (0, 1)).shape
        ((2,), (2, 1))
    """
    return _squeezed(*args, **kwargs)


def _squeezed(input: Any, dim: Any = None) -> Any:
    if dim is None:
        return ops.squeeze(input)
    rank = max(only("squeeze", input).ndim, 1)
    chosen = dim if isinstance(dim, (tuple, list)) else (dim,)
    places = [check.integer("squeeze", "dim", d, -rank, rank - 1) % rank for d in chosen]
    return ops.reshape(input, tuple([n for i, n in enumerate(input.shape) if i not in places or n != 1]))


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """The coordinates of the points of a grid.

    Args:
        tensors: The coordinates along each axis, vectors.
        indexing: "ij": the first axis runs along rows (default); "xy": along columns.

    Returns:
        A tensor of the shape of the grid per axis.

    Raises:
        TypeError: If an axis is no tensor.
        ValueError: If it has several dimensions, or the indexing has another name.

    Examples:
        >>> x, y = mint.meshgrid(Tensor([1, 2]), Tensor([3, 4]))
        >>> x.tolist(), y.tolist()
        ([[1, 1], [2, 2]], [[3, 4], [3, 4]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    return ops.meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


def diag(input: Any, diagonal: int = 0) -> Any:
    """A matrix with a vector on a diagonal; of a matrix, a diagonal.

    Args:
        input: A vector or a matrix.
        diagonal: Which one: 0 the main diagonal, positive ones above it.

    Returns:
        A matrix or a vector of the same dtype.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it is neither a vector nor a matrix.

    Examples:
        >>> mint.diag(Tensor([1, 2])).tolist(), mint.diag(Tensor([[1, 2], [3, 4]]), 1).tolist()
        ([[1, 0], [0, 2]], [2])
    """
    rank = only("diag", input).ndim
    if rank not in (1, 2):
        raise ValueError(f"For 'diag', the 'input' must be a vector or a matrix, but has {rank} dimensions.")
    return ops.diag_embed(input, diagonal) if rank == 1 else ops.diagonal(input, diagonal)


def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along a dimension.

    Args:
        input: A tensor.
        n: How often differences are taken.
        dim: The dimension.
        prepend: A tensor that is put before, or None.
        append: A tensor that is put behind, or None.

    Returns:
        The dtype of the input; of bools, where neighbours differ.

    Raises:
        TypeError: If the input is no tensor or `n` no int.
        ValueError: If the input has no dimension.

    Examples:
        >>> mint.diff(Tensor([1, 4, 9, 16])).tolist(), mint.diff(Tensor([1, 4, 9, 16]), 2).tolist()
        ([3, 5, 7], [2, 2])
    """
    if only("diff", input).dtype.kind != "b":
        return ops.diff(input, n, dim, prepend, append)
    ends = [part if part is None else part.int() for part in (prepend, append)]
    return (ops.diff(input.int(), n, dim, *ends) % 2).bool()


def repeat_interleave(input: Any, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Any:
    """Each slice along a dimension, several times.

    Args:
        input: A tensor.
        repeats: How often, an int or a tensor with one number per slice.
        dim: The dimension; None: that of the flattened input.
        output_size: The extent of the result, if it is known.

    Returns:
        The dtype of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If numbers are negative or do not fit, or `output_size` is not their sum.

    Examples:
        >>> mint.repeat_interleave(Tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]
        >>> mint.repeat_interleave(Tensor([[1, 2]]), Tensor([2, 1]), 1).tolist()
        [[1, 1, 2]]
    """
    return tensor("repeat_interleave", "input", input).repeat_interleave(repeats, dim, output_size=output_size)


__all__ = ["cat", "chunk", "concat", "diag", "diff", "flatten", "meshgrid", "narrow", "permute", "repeat_interleave",
           "reshape", "select", "split", "squeeze", "stack", "t", "transpose"]
