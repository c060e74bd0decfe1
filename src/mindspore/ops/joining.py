"""Functions that join tensors, take them apart, or repeat them."""
from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import INTS
from mindspore.operators import joining, repetition, structure
from mindspore.operators.joining import one_axis
from mindspore.operators.rules import within

from .arguments import spread, tensor
from .array import ravel, reshape
from .more_dimensions import atleast_1d, atleast_2d, atleast_3d
from .signatures import plain


def _listed(owner: str, tensors: Any) -> Sequence[Any]:
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(f"For '{owner}', the 'tensors' must be a tuple or a list of tensors, but got "
                        f"{kind(tensors)}.")
    if not tensors:
        raise ValueError(f"For '{owner}', at least one tensor is needed, but got none.")
    return tensors


def concat(tensors: Any, axis: int = 0) -> Any:
    """The tensors one after the other along `axis`."""
    return joining.concat(*_listed("concat", tensors), axis=plain(axis))


def cat(tensors: Any, axis: int = 0) -> Any:
    """The tensors one after the other along `axis`."""
    return joining.concat(*_listed("cat", tensors), axis=plain(axis))


def stack(tensors: Any, axis: int = 0) -> Any:
    """The tensors, all of one shape, along a new dimension at `axis`."""
    parts = _listed("stack", tensors)
    kinds = {x.dtype for x in parts if is_tensor(x)}
    if len(kinds) > 1:
        raise TypeError(f"For 'stack', all tensors must have the same dtype, but got "
                        f"{' and '.join(sorted(str(k) for k in kinds))}.")
    return joining.stack(*parts, axis=plain(axis))


def hstack(tensors: Any) -> Any:
    """The tensors side by side: along the second dimension, vectors along their only one."""
    parts = [atleast_1d(x) for x in _listed("hstack", tensors)]
    return joining.concat(*parts, axis=0 if parts[0].ndim == 1 else 1)


def vstack(inputs: Any) -> Any:
    """The tensors below each other; vectors become rows."""
    return joining.concat(*[atleast_2d(x) for x in _listed("vstack", inputs)], axis=0)


def row_stack(tensors: Any) -> Any:
    """The tensors below each other; vectors become rows."""
    return vstack(tensors)


def dstack(tensors: Any) -> Any:
    """The tensors behind each other, along the third dimension."""
    return joining.concat(*[atleast_3d(x) for x in _listed("dstack", tensors)], axis=2)


def column_stack(tensors: Any) -> Any:
    """The tensors side by side; vectors become columns."""
    parts = [reshape(x, (-1, 1)) if x.ndim < 2 else x for x in _listed("column_stack", tensors)]
    return joining.concat(*parts, axis=1)


def block_diag(*inputs: Any) -> Any:
    """The matrices along the diagonal of a larger one, the rest zero."""
    from .padding import pad  # padding imports this module

    parts = [atleast_2d(x) for x in inputs]
    wide, left, rows = sum([x.shape[1] for x in parts]), 0, []
    for x in parts:
        rows.append(pad(x, (left, wide - left - x.shape[1])))
        left += x.shape[1]
    return joining.concat(*rows, axis=0)


# ---------------------------------------------------------------------- taking apart

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
    """Parts along `axis` of one extent (the last may be smaller), or of the extents in a list."""
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
    """At most `chunks` parts along `axis` of one extent; the last may be smaller."""
    axis = one_axis(axis, tensor("chunk", "input", input).ndim, "chunk")
    if isinstance(chunks, bool) or not isinstance(chunks, int):
        raise TypeError(f"For 'chunk', the 'chunks' must be an int, but got {chunks!r}.")
    if chunks <= 0:
        raise ValueError(f"For 'chunk', the 'chunks' must be positive, but got {chunks}.")
    return split(input, max(-(-input.shape[axis] // chunks), 1), axis)


def tensor_split(input: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """Parts along `axis`: a number of almost equal ones, or cut at the given indices."""
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
    """Parts along the second dimension; of a vector along its only one."""
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


def vsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Parts along the first dimension."""
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Parts along the third dimension."""
    return tensor_split(input, indices_or_sections, 2)


def unstack(input_x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices along `axis`, without that dimension."""
    return joining.unstack(tensor("unstack", "input_x", input_x), axis=plain(axis))


def unbind(input: Any, dim: int = 0) -> tuple[Any, ...]:
    """The slices along `dim`, without that dimension."""
    return joining.unstack(tensor("unbind", "input", input), axis=plain(dim))


def narrow(input: Any, axis: int, start: int, length: int) -> Any:
    """The `length` slices along `axis` from `start` on."""
    axis = one_axis(axis, tensor("narrow", "input", input).ndim, "narrow")
    n = input.shape[axis]
    if not -n <= start <= n or length < 0 or (start % max(n, 1) + length > n and start != n):
        raise ValueError(f"For 'narrow', 'start' and 'length' must stay within the extent {n}, but "
                         f"got {start} and {length}.")
    start = start + n if start < 0 else start
    return joining.slice_axis(input, axis=axis, start=start, stop=start + length)


# ---------------------------------------------------------------------- repetition

def tile(input: Any, dims: Any) -> Any:
    """The tensor repeated `dims[i]` times along dimension i."""
    dims = plain(dims)
    return repetition.tile(tensor("tile", "input", input), dims=(dims,) if type(dims) in INTS else dims)


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


def repeat_interleave(input: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each slice along `axis` (each element without one) repeated: a number, or one per slice."""
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
    """Each slice along `axis` repeated `rep` times."""
    if isinstance(rep, bool) or not isinstance(rep, int):
        raise TypeError(f"For 'repeat_elements', the 'rep' must be an int, but got {rep!r}.")
    if rep <= 0:
        raise ValueError(f"For 'repeat_elements', the 'rep' must be positive, but got {rep}.")
    return repetition.repeat_interleave(tensor("repeat_elements", "x", x), repeats=rep, axis=axis)


def meshgrid(*inputs: Any, indexing: str = "xy") -> tuple[Any, ...]:
    """For every vector a tensor with its elements along one dimension of the common grid."""
    for x in inputs:
        tensor("meshgrid", "inputs", x)
    return repetition.meshgrid(*[x if x.ndim else reshape(x, shape=(1,)) for x in inputs], indexing=indexing)


def cartesian_prod(*inputs: Any) -> Any:
    """All combinations of one element from each vector, one per row."""
    if len(inputs) == 1:
        return inputs[0]
    return joining.stack(*[ravel(g) for g in meshgrid(*inputs, indexing="ij")], axis=-1)


def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """All combinations of `r` elements of a vector, one per row."""
    from .indexing import gather  # indexing imports this module

    if tensor("combinations", "input", input).ndim != 1:
        raise ValueError(f"For 'combinations', the input must be a vector, but got {show(input)}.")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    if not rows:
        return structure.full(shape=(0, r), value=0, dtype=input.dtype)
    return gather(input, Tensor(rows), 0)


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


METHODS = {
    "chunk": lambda self, chunks, axis=0, dim=None: chunk(self, chunks, axis if dim is None else dim),
    "dsplit": dsplit, "hsplit": hsplit,
    "narrow": lambda self, dim, start, length: narrow(self, dim, start, length),
    "repeat": _repeat,
    "repeat_interleave": lambda self, repeats, dim=None, *, axis=None: repeat_interleave(
        self, repeats, dim if axis is None else axis),
    "split": _split,
    "tensor_split": tensor_split,
    "tile": lambda self, *dims, reps=None: tile(self, spread(dims) if reps is None else reps),
    "unbind": unbind, "vsplit": vsplit,
}
__all__ = ["block_diag", "cartesian_prod", "cat", "chunk", "column_stack", "combinations", "concat",
           "dsplit", "dstack", "hsplit", "hstack", "meshgrid", "narrow", "repeat_elements",
           "repeat_interleave", "row_stack", "split", "stack", "tensor_split", "tile", "unbind",
           "unstack", "vsplit", "vstack"]
