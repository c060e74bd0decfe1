"""Sections of the texts of operators in `matmul`."""
TEXTS = {
    "MatMul": """\
Args:
    x, y: Matrices of one dtype.
    transpose_a, transpose_b: Whether the first, and the second, is given transposed.
""",
    "BatchMatMul": """\
Args:
    x, y: Matrices (..., m, k) and (..., k, n) of one dtype.
    transpose_a, transpose_b: Whether the first, and the second, is given transposed.
""",
    "Dense": """\
Args:
    x: (..., k).
    w: (n, k), dtype of `x`.
    b: (n,), or None.

Examples:
    >>> ops.Dense()(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([0.5])).tolist()
    [[11.5]]
""",
    "BatchedMatmul": """\
Args:
    x: (..., m, k) or (k,).
    y: (..., k, n) or (k,), of the same dtype.

Examples:
    >>> ops.matmul(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0])).tolist()
    [3.0, 7.0]
""",
}
