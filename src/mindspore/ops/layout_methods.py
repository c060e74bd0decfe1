"""Methods about the shape and the memory of a tensor."""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.storage import UntypedStorage
from mindspore.ir.runtime import runtime
from mindspore.operators import structure

from .arguments import extents, in_int64, spread
from .array import expand, ravel
from .setitem import setitem


def _sum_to_size(self: Any, *size: Any) -> Any:
    """The sum over the dimensions along which `size` would be broadcast to the tensor.

    Args:
        size: Ints, or a tuple of ints: a shape that broadcasts to that of the tensor.

    Returns:
        A tensor of that shape.

    Raises:
        ValueError: If the shape does not broadcast.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).sum_to_size(1, 2).tolist()
        [[4, 6]]
    """
    shape = extents("Tensor.sum_to_size", spread(size))
    lead = self.ndim - len(shape)
    fits = lead >= 0 and all(
        n in (1, m) for n, m in zip(shape, self.shape[lead:], strict=True))
    if not fits:
        raise ValueError(f"For 'Tensor.sum_to_size', the shape {shape} cannot be broadcast to "
                         f"{self.shape}.")
    return structure.sum_to(in_int64(self), shape=shape) if shape != self.shape else self


def _itemset(self: Any, *args: Any) -> Any:
    """The tensor after the only element, or the one at an index, has been set to a number.

    Args:
        args: The number; before it an index, unless there is only one element: an int counts in the flattened
            tensor, a tuple has an int per dimension.

    Returns:
        A tensor; the original one stays unchanged.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).itemset((0, 1), 9).tolist()
        [[1, 9], [3, 4]]
    """
    *place, value = args
    index = place[0] if place else (0,) * self.ndim
    if isinstance(index, int):                     # counts in the flattened tensor
        flat = setitem(ravel(self), index, value)
        return structure.reshape(flat, shape=tuple(self.shape))
    return setitem(self, index, value)


def _stride(self: Any, dim: int | None = None) -> Any:
    """The steps in elements from one to the next along each dimension, or along `dim`.

    Args:
        dim: An int, or None.

    Returns:
        A list of ints, or an int.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).stride()
        [2, 1]
    """
    steps = [n // self.itemsize for n in self.strides]
    return steps if dim is None else steps[dim]


def _contiguous(self: Any) -> Any:
    """The tensor with its elements in their order in memory: itself if they are, else a copy.

    Returns:
        A tensor.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).contiguous().tolist()
        [[1, 2], [3, 4]]
        >>> Tensor([[1, 2], [3, 4]]).T.contiguous().is_contiguous()
        True
    """
    if runtime.building or self._data.is_contiguous():
        return self
    own = structure.copied(self)                 # in the order of before
    own._data = own._data.contiguous()
    return own


def _is_contiguous(self: Any) -> bool:
    """Whether the elements lie in their order, without gaps, in memory.

    Returns:
        A bool.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).is_contiguous()
        True
    """
    return self._data.is_contiguous()


def _expand(self: Any, *size: Any) -> Any:
    """The tensor broadcast to a shape; -1 keeps an extent.

    Args:
        size: Ints, or a tuple of ints, the shape.

    Returns:
        A view of the tensor.

    Raises:
        ValueError: If the tensor cannot be broadcast to that shape.

    Examples:
        >>> Tensor([[1], [2]]).expand(-1, 3).tolist()
        [[1, 1, 1], [2, 2, 2]]
    """
    return expand(self, spread(size))


def _broadcast_to(self: Any, *shape: Any) -> Any:
    """The tensor broadcast to a shape; -1 keeps an extent.

    Args:
        shape: Ints, or a tuple of ints.

    Returns:
        A view of the tensor.

    Raises:
        ValueError: If the tensor cannot be broadcast to that shape.

    Examples:
        >>> Tensor([[1], [2]]).broadcast_to((2, 3)).tolist()
        [[1, 1, 1], [2, 2, 2]]
    """
    return expand(self, spread(shape))


def _ndimension(self: Any) -> int:
    """The number of dimensions.

    Returns:
        An int.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).ndimension()
        2
    """
    return self.ndim


def _nelement(self: Any) -> int:
    """The number of elements.

    Returns:
        An int.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).nelement()
        4
    """
    return self.size


def _untyped_storage(self: Any) -> UntypedStorage:
    """The bytes in which the elements of the tensor, and of all views of it, lie.

    Returns:
        An object with `data_ptr()`, `nbytes()` and `device`.

    Raises:
        GraphSyntaxError: While a graph is compiled.

    Examples:
        >>> x = Tensor([1, 2, 3])
        >>> x.untyped_storage().data_ptr() == x[1:].untyped_storage().data_ptr()
        True
    """
    if runtime.building:
        raise GraphSyntaxError("'untyped_storage' cannot be compiled: a tensor lies nowhere before it is computed.")
    return UntypedStorage(self)


METHODS = {
    "untyped_storage": _untyped_storage,
    "itemset": _itemset, "contiguous": _contiguous, "expand": _expand, "broadcast_to": _broadcast_to,
    "is_contiguous": _is_contiguous, "ndimension": _ndimension, "nelement": _nelement, "stride": _stride,
    "sum_to_size": _sum_to_size,
}
