"""Tensors with their dimensions in another order."""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import show
from mindspore.ir import INTS
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import axes_of

from .arguments import spread, tensor
from .signatures import plain


def transpose(input: Any, dims: Any) -> Any:
    """The tensor with its dimensions in the order `dims`.

    Args:
        input: A tensor.
        dims: A tuple of ints, each dimension once.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `dims` does not name each dimension once.

    Examples:
        >>> ops.transpose(Tensor([[1, 2], [3, 4]]), (1, 0)).tolist()
        [[1, 3], [2, 4]]
    """
    return structure.transpose(tensor("transpose", "input", input), perm=_order("Transpose", dims))


def _order(owner: str, dims: Any) -> tuple[int, ...]:
    dims = dims if type(dims) is tuple else plain(dims)
    if not isinstance(dims, tuple) or any(type(d) not in INTS for d in dims):
        raise TypeError(f"For '{owner}', the order of the dimensions must be a tuple of ints, but got "
                        f"{dims!r}.")
    return dims


def permute(input: Any, axis: Any) -> Any:
    """The tensor with its dimensions in the order `axis`.

    Args:
        input: A tensor.
        axis: A tuple of ints, each dimension once.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `axis` does not name each dimension once.

    Examples:
        >>> ops.permute(ops.zeros((2, 3, 4)), (2, 0, 1)).shape
        (4, 2, 3)
    """
    return structure.transpose(tensor("permute", "input", input), perm=_order("permute", axis))


def swapaxes(input: Any, axis0: int, axis1: int) -> Any:
    """The tensor with two of its dimensions exchanged.

    Args:
        input: A tensor.
        axis0, axis1: The dimensions, ints.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.swapaxes(ops.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    return swapped("swapaxes", input, axis0, axis1)


def swapdims(input: Any, dim0: int, dim1: int) -> Any:
    """The tensor with two of its dimensions exchanged.

    Args:
        input: A tensor.
        dim0, dim1: The dimensions, ints.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.swapdims(ops.zeros((2, 3, 4)), 0, 1).shape
        (3, 2, 4)
    """
    return swapped("swapdims", input, dim0, dim1)


def swapped(owner: str, x: Any, a: Any, b: Any) -> Any:
    """The tensor with two of its dimensions exchanged, for the function `owner`."""
    order = list(range(tensor(owner, "input", x).ndim))
    for axis in (a, b):
        axes_of(axis, x.ndim, owner)
    order[a], order[b] = order[b], order[a]
    return structure.transpose(x, perm=tuple(order))


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """The tensor with the dimensions `source` moved to the places `destination`.

    Args:
        x: A tensor.
        source: The dimensions, an int or a tuple of ints.
        destination: Their places in the result, as many.

    Returns:
        A view of `x`.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If the numbers of dimensions and places differ.

    Examples:
        >>> ops.moveaxis(ops.zeros((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """
    rank = tensor("moveaxis", "x", x).ndim
    source, destination = axes_of(plain(source), rank, "moveaxis"), axes_of(
        plain(destination), rank, "moveaxis")
    if len(source) != len(destination):
        raise ValueError(f"For 'moveaxis', 'source' and 'destination' must have one length, but got "
                         f"{source} and {destination}.")
    order = [i for i in range(rank) if i not in source]
    for to, of in sorted(zip(destination, source, strict=True)):
        order.insert(to, of)
    return structure.transpose(x, perm=tuple(order))


def t(input: Any) -> Any:
    """The transposed matrix; a vector or a number unchanged.

    Args:
        input: A tensor with two dimensions at most.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has more dimensions.

    Examples:
        >>> ops.t(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 3], [2, 4]]
    """
    if tensor("t", "input", input).ndim > 2:
        raise ValueError(f"For 't', the input must have at most two dimensions, but got "
                         f"{show(input)}.")
    return structure.transpose(input, perm=(1, 0)) if input.ndim == 2 else input


def _pair(axes: tuple[Any, ...], dim0: Any, dim1: Any) -> tuple[Any, Any]:
    """Two dimensions, of which the second or both are given by name."""
    found = (*axes, dim0, dim1)[-2:] if not axes else (*axes, dim1)
    if len(found) != 2 or None in found or (axes and dim0 is not None):
        raise TypeError("For 'Tensor.transpose', 'dim0' and 'dim1' must be given once each, and no other dimensions.")
    return found


def _transpose(self: Any, *axes: Any, dim0: int | None = None, dim1: int | None = None) -> Any:
    """The dimensions in the order `axes`, reversed without any; two numbers exchange two of them.

    Args:
        axes: The dimensions, one by one or as a tuple or list.
        dim0, dim1: The two dimensions to exchange, by name.

    Returns:
        A tensor on the same memory.

    Raises:
        ValueError: If they are no permutation of the dimensions.

    Examples:
        >>> Tensor(np.zeros((2, 3, 4))).transpose(2, 0, 1).shape
        (4, 2, 3)
    """
    if dim0 is not None or dim1 is not None:
        axes = _pair(axes, dim0, dim1)
    if not axes or axes == (None,):
        return structure.transpose(self, perm=tuple(range(self.ndim))[::-1])
    if len(axes) == 2:
        return swapped("Tensor.transpose", self, *axes)
    return structure.transpose(self, perm=_order("Tensor.transpose", spread(axes)))


def _permute(self: Any, *axis: Any) -> Any:
    """The dimensions in the order `axis`.

    Args:
        axis: Ints, or a tuple of ints, each dimension once.

    Returns:
        A view of the tensor.

    Raises:
        ValueError: If `axis` does not name each dimension once.

    Examples:
        >>> ops.zeros((2, 3, 4)).permute(2, 0, 1).shape
        (4, 2, 3)
    """
    return structure.transpose(self, perm=_order("Tensor.permute", spread(axis)))


def adjoint(x: Any) -> Any:
    """The complex conjugates, with the last two dimensions exchanged.

    Args:
        x: A tensor with two dimensions at least.

    Returns:
        A tensor.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If it has fewer dimensions.

    Examples:
        >>> ops.adjoint(Tensor([[1j, 2], [3, 4]])).tolist()
        [[-1j, (3-0j)], [(2-0j), (4-0j)]]
    """
    n = tensor("adjoint", "x", x).ndim
    if n < 2:
        raise ValueError(f"For 'adjoint', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    turned = structure.transpose(x, perm=(*range(n - 2), n - 1, n - 2))
    return REGISTRY["Conj"](turned) if x.dtype.is_complex else turned


def _hermitian(self: Any) -> Any:
    """The complex conjugates of a matrix, transposed."""
    if self.ndim != 2 and self.ndim:
        raise ValueError(f"For 'Tensor.H', the tensor must be a matrix, but got {show(self)}.")
    return adjoint(self) if self.ndim else self


movedim = moveaxis


__all__ = [
    "adjoint", "moveaxis", "movedim", "permute", "swapaxes", "swapdims", "t", "transpose",
]

METHODS = {
    "H": property(_hermitian), "adjoint": adjoint, "mH": property(adjoint), "moveaxis": moveaxis,
    "movedim": moveaxis, "permute": _permute, "swapaxes": swapaxes, "swapdims": swapdims, "t": t,
    "transpose": _transpose,
}
