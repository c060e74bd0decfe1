"""Parts of a tensor along a dimension."""
from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from mindspore.core.errors import kind
from mindspore.eager.tensor import is_tensor
from mindspore.operators import joining
from mindspore.operators.joining import one_axis
from mindspore.operators.rules import within

from .arguments import tensor
from .signatures import plain
from .spelling import spelled


def _by_number(function: Callable[..., Any]) -> Callable[..., Any]:
    """`split`, which takes the number of equal parts, too, as 1.x did: split(x, axis, output_num)."""
    @functools.wraps(function)
    def call(*args: Any, output_num: int | None = None, **kwargs: Any) -> Any:
        if output_num is None:
            return function(*args, **kwargs)
        x = args[0] if args else kwargs["tensor"]
        axis = kwargs.get("axis", args[1] if len(args) > 1 else 0)
        return joining.split(x, axis=plain(axis), output_num=plain(output_num))
    return call


@_by_number
def split(tensor: Any, split_size_or_sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """Parts along `axis` of one extent (the last may be smaller), or of the extents in a list.

    Args:
        tensor: A tensor.
        split_size_or_sections: The extent of the parts, an int, or a list or tuple of their extents.
        axis: The dimension, an int.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `tensor` is no tensor, or the extents are no ints.
        ValueError: If the extents do not add up to that of the tensor.

    Examples:
        >>> [x.tolist() for x in ops.split(Tensor([1, 2, 3, 4, 5]), 2)]
        [[1, 2], [3, 4], [5]]
        >>> [x.tolist() for x in ops.split(Tensor([1, 2, 3, 4, 5]), [1, 4])]
        [[1], [2, 3, 4, 5]]
    """
    if not is_tensor(tensor):
        raise TypeError(f"For 'split', the 'tensor' must be a Tensor, but got {kind(tensor)}.")
    axis, sizes = one_axis(plain(axis), tensor.ndim, "split"), plain(split_size_or_sections)
    n = tensor.shape[axis]
    if isinstance(sizes, bool) or not isinstance(sizes, (int, tuple)):
        raise TypeError(f"For 'split', the 'split_size_or_sections' must be an int, a tuple or a "
                        f"list, but got {sizes!r}.")
    if isinstance(sizes, int):
        if sizes <= 0:
            raise ValueError(f"For 'split', the 'split_size_or_sections' must be positive, but got "
                             f"{sizes}.")
        sizes = tuple([min(sizes, n - i) for i in range(0, n, sizes)]) or (0,)
    if any(isinstance(s, bool) or not isinstance(s, int) for s in sizes):
        raise TypeError(f"For 'split', the 'split_size_or_sections' must hold ints, but got {sizes}.")
    if any([n < 0 for n in sizes]) or sum(sizes) != n:
        raise ValueError(f"For 'split', the sum of 'split_size_or_sections' must be the extent {n} "
                         f"along the axis, but got {sizes}.")
    return joining.split_v(tensor, size_splits=sizes, split_dim=axis, num_split=len(sizes))


def chunk(input: Any, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` parts along `axis` of one extent; the last may be smaller.

    Args:
        input: A tensor.
        chunks: Their number, an int.
        axis: The dimension, an int.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `input` is no tensor or `chunks` no int.
        ValueError: If `chunks` is not positive.

    Examples:
        >>> [x.tolist() for x in ops.chunk(Tensor([1, 2, 3, 4, 5]), 2)]
        [[1, 2, 3], [4, 5]]
    """
    axis = one_axis(axis, tensor("chunk", "input", input).ndim, "chunk")
    if isinstance(chunks, bool) or not isinstance(chunks, int):
        raise TypeError(f"For 'chunk', the 'chunks' must be an int, but got {chunks!r}.")
    if chunks <= 0:
        raise ValueError(f"For 'chunk', the 'chunks' must be positive, but got {chunks}.")
    return split(input, max(-(-input.shape[axis] // chunks), 1), axis)


def tensor_split(input: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """Parts along `axis`: a number of almost equal ones, or cut at the given indices.

    Args:
        input: A tensor.
        indices_or_sections: The number of parts, an int, the first of which are larger by one if need be; or a list
            or tuple of the places before which to cut.
        axis: The dimension, an int.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `input` is no tensor, or the second argument something else.
        ValueError: If the number is not positive.

    Examples:
        >>> [x.tolist() for x in ops.tensor_split(Tensor([1, 2, 3, 4, 5]), 2)]
        [[1, 2, 3], [4, 5]]
        >>> [x.tolist() for x in ops.tensor_split(Tensor([1, 2, 3, 4, 5]), (1, 3))]
        [[1], [2, 3], [4, 5]]
    """
    axis = one_axis(axis, tensor("tensor_split", "input", input).ndim, "tensor_split")
    cuts, n = plain(indices_or_sections), input.shape[axis]
    if isinstance(cuts, bool) or not isinstance(cuts, (int, tuple)):
        raise TypeError(f"For 'tensor_split', the 'indices_or_sections' must be an int, a tuple or a "
                        f"list, but got {cuts!r}.")
    if isinstance(cuts, int):
        if cuts <= 0:
            raise ValueError(f"For 'tensor_split', the number of parts must be positive, but got "
                             f"{cuts}.")
        small, more = divmod(n, cuts)
        sizes = (small + 1,) * more + (small,) * (cuts - more)
        return joining.split_v(input, size_splits=sizes, split_dim=axis, num_split=cuts)
    edges = [0, *cuts, n]
    parts = [within((a, b, None), n) for a, b in itertools.pairwise(edges)]
    return tuple([joining.slice_axis(input, axis=axis, start=a, stop=max(a, b)) for a, b, _ in parts])


def hsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Parts along the second dimension; of a vector along its only one.

    Args:
        input: A tensor.
        indices_or_sections: The number of parts, or the places before which to cut, as for `ops.tensor_split`.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> [x.tolist() for x in ops.hsplit(Tensor([[1, 2], [3, 4]]), 2)]
        [[[1], [3]], [[2], [4]]]
    """
    return tensor_split(input, indices_or_sections, 0 if tensor("hsplit", "input", input).ndim == 1 else 1)


def vsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Parts along the first dimension.

    Args:
        input: A tensor.
        indices_or_sections: The number of parts, or the places before which to cut, as for `ops.tensor_split`.

    Returns:
        A tuple of tensors.

    Examples:
        >>> [x.tolist() for x in ops.vsplit(Tensor([[1, 2], [3, 4]]), 2)]
        [[[1, 2]], [[3, 4]]]
    """
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Parts along the third dimension.

    Args:
        input: A tensor with three dimensions at least.
        indices_or_sections: The number of parts, or the places before which to cut, as for `ops.tensor_split`.

    Returns:
        A tuple of tensors.

    Examples:
        >>> [x.tolist() for x in ops.dsplit(Tensor([[[1, 2, 3]]]), (1,))]
        [[[[1]]], [[[2, 3]]]]
    """
    return tensor_split(input, indices_or_sections, 2)


def unstack(input_x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices along `axis`, without that dimension.

    Args:
        input_x: A tensor.
        axis: The dimension, an int.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> [x.tolist() for x in ops.unstack(Tensor([[1, 2], [3, 4]]), 1)]
        [[1, 3], [2, 4]]
    """
    return joining.unstack(tensor("unstack", "input_x", input_x), axis=plain(axis))


def unbind(input: Any, dim: int = 0) -> tuple[Any, ...]:
    """The slices along `dim`, without that dimension.

    Args:
        input: A tensor.
        dim: The dimension, an int.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> [x.tolist() for x in ops.unbind(Tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    """
    return joining.unstack(tensor("unbind", "input", input), axis=plain(dim))


def narrow(input: Any, axis: int, start: int, length: int) -> Any:
    """The `length` slices along `axis` from `start` on.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        start: The first place, an int; negative ones count from the end.
        length: The number of slices, an int.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If the slices are not all within the tensor.

    Examples:
        >>> ops.narrow(Tensor([1, 2, 3, 4]), 0, 1, 2).tolist()
        [2, 3]
    """
    axis = one_axis(axis, tensor("narrow", "input", input).ndim, "narrow")
    n = input.shape[axis]
    if not -n <= start <= n or length < 0 or (start % max(n, 1) + length > n and start != n):
        raise ValueError(f"For 'narrow', 'start' and 'length' must stay within the extent {n}, but "
                         f"got {start} and {length}.")
    start = start + n if start < 0 else start
    return joining.slice_axis(input, axis=axis, start=start, stop=start + length)


@_by_number
def _split(self: Any, split_size_or_sections: Any, axis: int = 0, dim: int | None = None) -> tuple[Any, ...]:
    """Parts along a dimension.

    Args:
        split_size_or_sections: The extent of each part (the last may be smaller), or a list of the extents.
        axis: The dimension.
        dim: Another name of `axis`.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `split_size_or_sections` holds anything but ints.
        ValueError: If the extents are no parts of the dimension, or it does not exist.

    Examples:
        >>> [part.tolist() for part in Tensor([1, 2, 3]).split(2)]
        [[1, 2], [3]]
    """
    return split(self, split_size_or_sections, axis if dim is None else dim)


def _chunk(self: Any, chunks: int, axis: int = 0, dim: Any = None) -> Any:
    """At most `chunks` parts along `axis` of one extent; the last may be smaller.

    Args:
        chunks: Their number, an int.
        axis, dim: The dimension, an int, under either name.

    Returns:
        A tuple of tensors.

    Raises:
        TypeError: If `chunks` is no int.
        ValueError: If `chunks` is not positive.

    Examples:
        >>> [x.tolist() for x in Tensor([1, 2, 3]).chunk(2)]
        [[1, 2], [3]]
    """
    return chunk(self, chunks, axis if dim is None else dim)


def _narrow(self: Any, dim: int, start: int, length: int) -> Any:
    """The `length` slices along `dim` from `start` on.

    Args:
        dim: The dimension, an int.
        start: The first place, an int; negative ones count from the end.
        length: The number of slices, an int.

    Returns:
        A tensor.

    Raises:
        ValueError: If the slices are not all within the tensor.

    Examples:
        >>> Tensor([1, 2, 3, 4]).narrow(0, 1, 2).tolist()
        [2, 3]
    """
    return narrow(self, dim, start, length)


__all__ = [
    "chunk", "dsplit", "hsplit", "narrow", "split", "tensor_split", "unbind", "unstack", "vsplit",
]

METHODS = {
    "chunk": _chunk, "dsplit": dsplit, "hsplit": hsplit, "narrow": spelled(axis="dim")(_narrow), "split": _split,
    "tensor_split": tensor_split, "unbind": unbind, "vsplit": vsplit,
}
