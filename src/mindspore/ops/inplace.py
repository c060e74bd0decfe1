"""Tensor methods that change the tensor itself: `x.add_(y)`, `x.fill_(0)`.

Each computes the new elements by a function and lets the tensor hold them in its own storage, so that views see
them; while a gradient is taken `eager.memory` follows them there.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.eager.memory import present
from mindspore.eager.tensor import is_tensor
from mindspore.operators import masking, structure
from mindspore.operators import scatter as operators

from ._holding import become
from .arguments import tensor
from .array import ravel, reshape
from .indexing import masked_fill
from .inplace_rows import index_fill
from .scatter import scatter
from .setitem import setitem
from .signatures import plain


def _by_method(name: str) -> Callable[..., Any]:
    """The in-place form of a method."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return become(self, getattr(present(self), name)(*args, **kwargs))
    method.__name__, method.__doc__ = f"{name}_", _DOC.format(name=name, given=_GIVEN.get(name, ""))
    return method


_DOC = """The result of `{name}`, in the tensor itself.

Args:
    args, kwargs: Those of `Tensor.{name}`.

Returns:
    The tensor.

Raises:
    ValueError: If the result has another shape.

Examples:
    >>> x = Tensor([[0.25, 0.5], [0.5, 0.75]])
    >>> wanted = x.copy().{name}({given})
    >>> x.{name}_({given}) is x, bool((x == wanted).all())
    (True, True)
"""
_GIVEN = {**dict.fromkeys(["add", "sub", "mul", "div", "floor_divide", "remainder"], "0.5"), "clamp": "0.3, 0.6",
          "fill_diagonal": "1.0", "addmm": "ops.ones((2, 2)), ops.ones((2, 2))"}


def _copy(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Take over the elements of `src`, which is broadcast and cast; they are there when it returns, in either case.

    Args:
        src: A tensor that broadcasts to the tensor's shape.
        non_blocking: A bool; the elements are there when it returns in either case.

    Returns:
        The tensor.

    Raises:
        TypeError: If `src` is no tensor.
        RuntimeError: If `src` cannot be broadcast.

    Examples:
        >>> Tensor([1.0, 2.0]).copy_(Tensor([7])).tolist()
        [7.0, 7.0]
    """
    check.boolean("Tensor.copy_", "non_blocking", non_blocking)
    lead = self.ndim - tensor("Tensor.copy_", "src", src).ndim
    if lead < 0 or any(n not in (1, m) for n, m in zip(src.shape, self.shape[lead:], strict=True)):
        raise RuntimeError(f"For 'Tensor.copy_', the shape {tuple(src.shape)} of 'src' cannot be "
                           f"broadcast to {tuple(self.shape)}.")
    return become(self, structure.broadcast_to(src, shape=tuple(self.shape)))


def _fill(self: Any, value: Any) -> Any:
    """Let every element be a number.

    Args:
        value: A number, or a tensor with one element.

    Returns:
        The tensor.

    Examples:
        >>> Tensor([1.0, 2.0]).fill_(7).tolist()
        [7.0, 7.0]
    """
    if is_tensor(value):
        return become(self, structure.broadcast_to(reshape(value, ()), shape=tuple(self.shape)))
    return become(self, structure.full(shape=tuple(self.shape), value=value, dtype=self.dtype))


def _index_copy(self: Any, dim: int, index: Any, tensor: Any) -> Any:
    """Replace the slices along `dim` at the elements of `index`.

    Args:
        dim: The dimension.
        index: The places (N,).
        tensor: The slices, N along `dim`.

    Returns:
        The tensor.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).index_copy_(0, Tensor([0, 2]), Tensor([7.0, 8.0])).tolist()
        [7.0, 2.0, 8.0]
    """
    return become(self, operators.index_put(present(self), tensor, index, axis=dim))


def _index_add(self: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """Add slices along `dim` at the elements of `index`.

    Args:
        dim: The dimension.
        index: The places (N,); slices at equal places are added up.
        source: The slices, N along `dim`.
        alpha: A factor of the slices.

    Returns:
        The tensor.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).index_add_(0, Tensor([2, 2]), Tensor([1.0, 1.0]), alpha=10).tolist()
        [1.0, 2.0, 23.0]
    """
    return become(self, operators.index_add(present(self), index, source if alpha == 1 else source * alpha,
                                            axis=dim))


def _index_put(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Replace, or add to, the elements that a tuple of index tensors names.

    Args:
        indices: An index tensor for each of the first dimensions.
        values: The elements, which are broadcast.
        accumulate: Whether to add them.

    Returns:
        The tensor.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).index_put_((Tensor([0]), Tensor([1])), Tensor([9.0])).tolist()
        [[1.0, 9.0], [3.0, 4.0]]
    """
    return become(self, present(self).index_put(indices, values, accumulate))


def _scatter(self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None,
             reduce: str | None = None) -> Any:
    """Write each element of `src` to its own place, but along `dim` to the place that `index` names.

    Args:
        dim: The dimension.
        index: The places along it.
        src: The elements, or a number for all.
        value: Another name of `src`.
        reduce: "add" or "multiply" to compute with what stands there; None to replace it.

    Returns:
        The tensor.

    Raises:
        ValueError: If `reduce` is another one, or the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).scatter_(0, Tensor([2, 0]), Tensor([7.0, 8.0])).tolist()
        [8.0, 2.0, 7.0]
    """
    src = value if src is None else src
    if reduce is None:
        return become(self, scatter(present(self), dim, index, src))
    kinds = {"add": "add", "multiply": "mul"}
    if reduce not in kinds:
        raise ValueError(f"For 'Tensor.scatter_', the 'reduce' must be 'add' or 'multiply', but got "
                         f"{reduce!r}.")
    if not is_tensor(src):
        src = structure.full(shape=tuple(index.shape), value=src, dtype=self.dtype)
    return become(self, operators.tensor_scatter_elements(present(self), index, src, axis=plain(dim),
                                                          reduction=kinds[reduce]))


def _scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    """Add each element of `src` at its own place, but along `dim` at the place that `index` names.

    Args:
        dim: The dimension.
        index: The places along it.
        src: The elements.

    Returns:
        The tensor.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).scatter_add_(0, Tensor([2, 2]), Tensor([10.0, 20.0])).tolist()
        [1.0, 2.0, 33.0]
    """
    return become(self, operators.tensor_scatter_elements(present(self), index, src, axis=plain(dim),
                                                          reduction="add"))


def _put(self: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Write (or add) the elements of `source` to the flattened tensor at `index`.

    Args:
        index: The places, counted row by row.
        source: As many elements.
        accumulate: Whether to add them.

    Returns:
        The tensor.

    Raises:
        ValueError: If there are not as many elements as places.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).put_(Tensor([1, 2]), Tensor([8.0, 9.0])).tolist()
        [[1.0, 8.0], [9.0, 4.0]]
    """
    flat, index, source = ravel(present(self)), ravel(index), ravel(source)
    new = operators.index_add(flat, index, source, axis=0) if accumulate else setitem(flat, index, source)
    return become(self, reshape(new, tuple(self.shape)))


def _masked_scatter(self: Any, mask: Any, source: Any) -> Any:
    """Write the elements of `source` in order where the mask holds.

    Args:
        mask: A bool tensor, which is broadcast.
        source: At least as many elements as the mask has true ones.

    Returns:
        The tensor.

    Raises:
        ValueError: If `source` has too few elements.

    Examples:
        >>> Tensor([1.0, 2.0, 3.0]).masked_scatter_(Tensor([True, False, True]), Tensor([8.0, 9.0])).tolist()
        [8.0, 2.0, 9.0]
    """
    return become(self, masking.masked_scatter(present(self), mask, source))


def _index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    """Let the slices along `dim` at `index`, a vector of ints, be a number; returns the tensor.

    Args:
        dim: The dimension, an int.
        index: A vector of ints.
        value: A number, or a tensor without dimensions.

    Raises:
        ValueError: If a place lies outside of the tensor, or the dimension does not exist.

    Examples:
        >>> Tensor([1, 2, 3]).index_fill_(0, Tensor([0, 2]), 7).tolist()
        [7, 2, 7]
    """
    return become(self, index_fill(present(self), dim, index, value))


def _masked_fill(self: Any, mask: Any, value: Any) -> Any:
    """Let the elements where `mask`, bools that broadcast to the shape, is True be a number; returns the tensor.

    Args:
        mask: A tensor of bools.
        value: A number, or a tensor without dimensions.

    Raises:
        TypeError: If `mask` has another dtype.
        ValueError: If `mask` cannot be broadcast.

    Examples:
        >>> Tensor([1, 2, 3]).masked_fill_(Tensor([True, False, True]), 7).tolist()
        [7, 2, 7]
    """
    return become(self, masked_fill(present(self), mask, value))


def _zero(self: Any) -> Any:
    """Let every element be zero; returns the tensor.

    Examples:
        >>> Tensor([1.5, 2.5]).zero_().tolist()
        [0.0, 0.0]
    """
    return _fill(self, 0)


_UNARY = "exp log floor sigmoid tanh erfinv sign"
_BINARY = "add sub mul div floor_divide remainder clamp addmm"
METHODS = {
    **{f"{name}_": _by_method(name) for name in f"{_UNARY} {_BINARY} fill_diagonal".split()}, "copy_": _copy,
    "fill_": _fill, "index_add_": _index_add, "index_copy_": _index_copy, "index_fill_": _index_fill,
    "index_put_": _index_put, "masked_fill_": _masked_fill, "masked_scatter_": _masked_scatter, "put_": _put,
    "scatter_": _scatter, "scatter_add_": _scatter_add, "zero_": _zero,
}
