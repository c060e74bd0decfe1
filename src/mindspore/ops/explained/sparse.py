"""Sections of the texts of operators in `sparse`."""
TEXTS = {
    "SparseSlice": """\
Args:
    indices: Coordinates (n, d), integers.
    values: What stands there, (n,).
    shape, start, size: d ints each, in a tuple or a tensor.

Examples:
    >>> indices, values = Tensor([[0, 0], [1, 2]]), Tensor([8.0, 9.0])
    >>> [y.tolist() for y in ops.SparseSlice()(indices, values, (2, 3), (1, 1), (1, 2))]
    [[[0, 1]], [9.0], [1, 2]]
""",
    "SparseTensorDenseAdd": """\
Args:
    x1_indices: Coordinates (n, d), integers.
    x1_values: What stands there, (n,).
    x1_shape: The shape of the sparse tensor, a tuple of ints or a tensor of them.
    x2: The ordinary tensor, of that shape and dtype.

Examples:
    >>> ops.SparseTensorDenseAdd()(Tensor([[0], [2]]), Tensor([1.0, 2.0]), (3,), Tensor([5.0, 5.0, 5.0])).tolist()
    [6.0, 5.0, 7.0]
""",
    "SparseTensorDenseMatmul": """\
Args:
    indices: Coordinates (n, 2), integers.
    values: What stands there, (n,).
    sparse_shape: The shape of the sparse matrix, a tuple of two ints, else TypeError.
    dense: The ordinary matrix, of the same dtype.
    adjoint_st, adjoint_dt: Whether the sparse and the ordinary matrix are transposed.

Examples:
    >>> indices, values = Tensor([[0, 1], [1, 0]]), Tensor([2.0, 3.0])
    >>> ops.SparseTensorDenseMatmul()(indices, values, (2, 2), Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[6.0, 8.0], [3.0, 6.0]]
""",
}
