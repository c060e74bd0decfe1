"""Cells on sparse matrices."""
from __future__ import annotations

from mindspore import ops
from mindspore.core import check

from .cell import Cell


class SparseToDense(Cell):
    """A COOTensor as an ordinary tensor.

    Inputs:
        sparse_tensor: A `COOTensor`.

    Outputs:
        A tensor of its shape and dtype, 0 where it has no element.

    Examples:
        >>> sparse = mindspore.COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([5.0, 7.0]), (2, 2))
        >>> nn.SparseToDense()(sparse).tolist()
        [[0.0, 5.0], [7.0, 0.0]]
    """

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

    Outputs:
        The product, an ordinary matrix.

    Examples:
        >>> indices, values = Tensor([[0, 1], [1, 0]]), Tensor([5.0, 7.0])
        >>> nn.SparseTensorDenseMatmul()(indices, values, (2, 2), Tensor([[1.0], [2.0]])).tolist()
        [[10.0], [7.0]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.adjoint_st = check.boolean(self, "adjoint_st", adjoint_st)
        self.adjoint_dt = check.boolean(self, "adjoint_dt", adjoint_dt)
        self.product = ops.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices, values, sparse_shape, dense):
        return self.product(indices, values, sparse_shape, dense)
