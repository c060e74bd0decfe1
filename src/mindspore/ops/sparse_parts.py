"""Sparse tensors made of their parts and taken apart, and their places in other forms."""
from __future__ import annotations

from typing import Any

from mindspore.operators.compressed import csr_ends, csr_rows
from mindspore.operators.registry import REGISTRY
from mindspore.operators.scatter import tensor_scatter_add
from mindspore.operators.structure import expand_dims

from .sparse_layouts import COOTensor, CSRTensor, RowTensor, of_layout


def make_coo_tensor(*args: Any) -> COOTensor:
    """A COOTensor of its places, values and shape.

    Args:
        args: The places (n, 2), the values (n,) and the shape.

    Examples:
        >>> ops.make_coo_tensor(Tensor([[0, 1]]), Tensor([5.0]), (2, 2)).to_dense().tolist()
        [[0.0, 5.0], [0.0, 0.0]]
    """
    return COOTensor(*args)


def make_csr_tensor(*args: Any) -> CSRTensor:
    """A CSRTensor of the ends of its rows, its columns, values and shape.

    Args:
        args: For each row where its values begin (rows + 1,), the columns (n,), the values (n,) and the shape.

    Examples:
        >>> ops.make_csr_tensor(Tensor([0, 1, 1]), Tensor([1]), Tensor([5.0]), (2, 2)).to_dense().tolist()
        [[0.0, 5.0], [0.0, 0.0]]
    """
    return CSRTensor(*args)


def make_row_tensor_inner(*args: Any) -> RowTensor:
    """A RowTensor of its rows, their elements and the shape of the whole tensor.

    Args:
        args: The rows (n,), their elements and the shape.

    Examples:
        >>> ops.make_row_tensor_inner(Tensor([1]), Tensor([[5.0, 6.0]]), (3, 2)).dense_shape
        (3, 2)
    """
    return RowTensor(*args)


def _part(layout: type, attribute: str, name: str, doc: str) -> Any:
    def part(*args: Any) -> Any:
        (x,) = args
        return getattr(of_layout(name, x, layout), attribute)
    part.__name__ = part.__qualname__ = name
    part.__doc__ = _DOC.format(doc=doc, layout=layout.__name__, name=name, attribute=attribute,
                               given=_GIVEN[layout],
                               values=[[5.0, 6.0]] if layout is RowTensor else [5.0])
    return part


_DOC = """{doc} of a {layout}.

Args:
    args: The {layout}.

Returns:
    Its `{attribute}`.

Raises:
    TypeError: If it is no {layout}.

Examples:
    >>> x = mindspore.{layout}({given}, Tensor({values}), (2, 2))
    >>> ops.{name}(x) is x.{attribute}
    True
"""
_GIVEN = {COOTensor: "Tensor([[0, 1]])", CSRTensor: "Tensor([0, 1, 1]), Tensor([1])", RowTensor: "Tensor([0])"}


_LAYOUTS = (("coo_tensor", COOTensor), ("csr_tensor", CSRTensor), ("row_tensor", RowTensor))
_PARTS = {"values": "The values", "indices": "The indices", "indptr": "The ends of the rows",
          "dense_shape": "The shape"}
_MADE = {f"{prefix}_get_{name}": _part(layout, "shape" if name == "dense_shape" else name, f"{prefix}_get_{name}", doc)
         for prefix, layout in _LAYOUTS for name, doc in _PARTS.items()
         if name != "indptr" or layout is CSRTensor}
globals().update(_MADE)


def row_tensor_add(*args: Any) -> Any:
    """A tensor with the rows of a RowTensor added to its own.

    Args:
        args: The RowTensor, and a tensor of its shape.

    Examples:
        >>> rows = ops.make_row_tensor_inner(Tensor([1]), Tensor([[5.0]]), (2, 1))
        >>> ops.row_tensor_add(rows, Tensor([[1.0], [1.0]])).tolist()
        [[1.0], [6.0]]
    """
    rows, dense = args
    of_layout("row_tensor_add", rows, RowTensor)
    return tensor_scatter_add(dense, expand_dims(rows.indices, axis=-1), rows.values)


def csr2coo(*args: Any) -> Any:
    """The row of each of `count` values, from the ends of the rows.

    Args:
        args: The ends of the rows (rows + 1,), and `count`.

    Examples:
        >>> ops.csr2coo(Tensor([0, 1, 3]), 3).tolist()
        [0, 1, 1]
    """
    indptr, count = args
    return csr_rows(indptr, count=count)


def coo2csr(*args: Any) -> Any:
    """The ends of `count` rows, from the sorted rows of the values.

    Args:
        args: The row of each value in rising order (n,), and `count`.

    Examples:
        >>> ops.coo2csr(Tensor([0, 1, 1]), 2).tolist()
        [0, 1, 3]
    """
    rows, count = args
    return csr_ends(rows, count=count)


def coalesce(x_indices: Any, x_values: Any, x_shape: Any) -> tuple[Any, Any, Any]:
    """Sorted places, each of them once, and the sums of the values there.

    Args:
        x_indices: The places (dimensions, N), int64.
        x_values: The values (N,).
        x_shape: The shape (dimensions,), int64.

    Returns:
        Places, values and the shape.

    Examples:
        >>> places, values, _ = ops.coalesce(Tensor([[0, 0], [1, 1]]), Tensor([1.0, 5.0]), Tensor([3, 3]))
        >>> places.tolist(), values.tolist()
        ([[0], [1]], [6.0])
    """
    return REGISTRY["Coalesce"](x_indices, x_values, x_shape)


__all__ = ["coalesce", "coo2csr", "csr2coo", "make_coo_tensor", "make_csr_tensor", "make_row_tensor_inner",
           "row_tensor_add", *_MADE]
