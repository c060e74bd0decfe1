"""Cells on sparse matrices."""
from __future__ import annotations

from mindspore import ops
from mindspore.core import check

from .cell import Cell


class SparseToDense(Cell):
    """A COOTensor as an ordinary tensor."""

    def construct(self, sparse_tensor):
        return sparse_tensor.to_dense()


class SparseTensorDenseMatmul(Cell):
    """A sparse matrix times an ordinary one.

    Args:
        adjoint_st: Whether the sparse matrix is transposed.
        adjoint_dt: Whether the ordinary matrix is transposed.

    Inputs:
        indices: Places of the elements (K, 2).
        values: The elements (K,).
        sparse_shape: (rows, columns) of the sparse matrix.
        dense: The ordinary matrix.
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.adjoint_st = check.boolean(self, "adjoint_st", adjoint_st)
        self.adjoint_dt = check.boolean(self, "adjoint_dt", adjoint_dt)
        self.product = ops.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices, values, sparse_shape, dense):
        return self.product(indices, values, sparse_shape, dense)
