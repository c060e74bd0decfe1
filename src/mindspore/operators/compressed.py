"""Layouts of sparse matrices: compressed rows (CSR), and places in order (COO)."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from . import torch_private
from .indexing import integers, unknown_extent
from .labels import whole
from .registry import operator
from .samples import Values


@operator(hidden=True, samples=[], dims=whole("the row of an element depends on the ends of all rows"))
def csr_rows(indptr: Tensor, *, count: int):
    """The row of each of the `count` elements of a matrix whose row i begins at element `indptr[i]`."""
    places = torch.arange(count, device=indptr.device)
    return (torch.searchsorted(indptr.contiguous(), places, right=True) - 1).to(indptr.dtype)


@csr_rows.shape
def _(indptr: Aval, *, count: int) -> Aval:
    integers("csr_rows", "indptr", indptr)
    return Aval((count,), indptr.dtype)


@operator(hidden=True, samples=[(Values((4,), 0, 3, "int32"), {"count": 3})],
          dims=whole("an end counts all elements before it"))
def csr_ends(rows: Tensor, *, count: int):
    """Where each of `count` rows begins among sorted numbers of rows, and where the last ends."""
    edges = torch.arange(count + 1, device=rows.device, dtype=rows.dtype)
    return torch.searchsorted(rows.contiguous(), edges).to(rows.dtype)


@csr_ends.shape
def _(rows: Aval, *, count: int) -> Aval:
    integers("csr_ends", "rows", rows)
    return Aval((count + 1,), rows.dtype)


@operator(primitive="Coalesce()(x_indices, x_values, x_shape)", grad="torch", samples=[],
          dims=whole("equal places may lie anywhere among the elements"))
def coalesce(indices: Tensor, values: Tensor, shape: Tensor):
    """The places (dimensions, N) in order, each of them once, the sum of its values, and the shape."""
    if indices.is_meta:
        raise unknown_extent("Coalesce")
    wide = tuple(int(n) for n in shape)
    matrix = torch_private.sparse_coo_tensor(indices.long(), values, wide, check_invariants=True).coalesce()
    return matrix.indices().to(indices.dtype), matrix.values(), shape


@coalesce.shape
def _(indices: Aval, values: Aval, shape: Any) -> Any:
    integers("Coalesce", "x_indices", indices)
    if len(indices.shape) != 2 or values.shape[:1] != indices.shape[1:]:
        raise ValueError(f"For 'Coalesce', the places must be a column per value, but got {show(indices)} and "
                         f"{show(values)}.")
    raise unknown_extent("Coalesce")


coalesce.dynamic_shape(lambda indices, values, shape: [
    (indices.shape[0], "count"), ("count", *values.shape[1:]), shape.shape])
