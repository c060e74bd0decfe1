"""Sections of the texts of operators in `sparse_matrices`."""
TEXTS = {
    "CSRSparseMatrixToDense": """\
Args:
    x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values: The matrix:
        its shape, ends of batches, ends of rows, columns and values, as `DenseToCSRSparseMatrix` gives them.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> ops.CSRSparseMatrixToDense()(*x).tolist()
    [[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]]
""",
    "CSRSparseMatrixToSparseTensor": """\
Args:
    x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values: The matrix:
        its shape, ends of batches, ends of rows, columns and values, as `DenseToCSRSparseMatrix` gives them.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> [y.tolist() for y in ops.CSRSparseMatrixToSparseTensor()(*x)]
    [[[0, 1], [1, 0], [1, 2]], [1.0, 2.0, 3.0], [2, 3]]
""",
    "DenseToCSRSparseMatrix": """\
Args:
    dense_input: A tensor of two or three dimensions.
    indices: The places (n, dimensions) of the elements to keep, in the order of rows.

Examples:
    >>> [y.tolist() for y in ops.DenseToCSRSparseMatrix()(Tensor([[0.0, 5.0], [6.0, 0.0]]), Tensor([[0, 1], [1, 0]]))]
    [[2, 2], [0, 2], [0, 1, 2], [1, 0], [5.0, 6.0]]
""",
    "SparseMatrixAdd": """\
Args:
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values: A matrix, as
        `DenseToCSRSparseMatrix` gives it.
    x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values: A matrix, as
        `DenseToCSRSparseMatrix` gives it.
    alpha, beta: The factors.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> [y.tolist() for y in ops.SparseMatrixAdd()(*x, *x, Tensor(2.0), Tensor(1.0))][-1]
    [3.0, 6.0, 9.0]
""",
    "SparseMatrixMatMul": """\
Args:
    transpose_x1, transpose_x2, transpose_output: Whether rows and columns are exchanged.
    adjoint_x1, adjoint_x2: The same, and values are conjugated.
    conjugate_output: Whether the product is conjugated.
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values: A matrix, as
        `DenseToCSRSparseMatrix` gives it.
    x2_dense: An ordinary tensor, (columns, n) or (batches, columns, n).

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> ops.SparseMatrixMatMul()(*x, Tensor([[1.0], [2.0], [3.0]])).tolist()
    [[2.0], [11.0]]
""",
    "SparseMatrixNNZ": """\
Args:
    x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values: The matrix:
        its shape, ends of batches, ends of rows, columns and values, as `DenseToCSRSparseMatrix` gives them.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> ops.SparseMatrixNNZ()(*x).tolist()
    [3]
""",
    "SparseMatrixSoftmax": """\
Args:
    dtype: The dtype of the values.
    x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values: The matrix:
        its shape, ends of batches, ends of rows, columns and values, as `DenseToCSRSparseMatrix` gives them.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> ops.SparseMatrixSoftmax(mindspore.float32)(*x)[-1].tolist()[0]
    1.0
""",
    "SparseMatrixSparseMatMul": """\
Args:
    transpose_a, transpose_b: Whether rows and columns are exchanged.
    adjoint_a, adjoint_b: The same, and values are conjugated.
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values: A matrix, as
        `DenseToCSRSparseMatrix` gives it.
    x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values: A matrix, as
        `DenseToCSRSparseMatrix` gives it.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> [y.tolist() for y in ops.SparseMatrixSparseMatMul(transpose_b=True)(*x, *x)][-2:]
    [[0, 1], [1.0, 13.0]]
""",
    "SparseMatrixTranspose": """\
Args:
    conjugate: Whether values are conjugated.
    x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values: The matrix:
        its shape, ends of batches, ends of rows, columns and values, as `DenseToCSRSparseMatrix` gives them.

Examples:
    >>> x = Tensor([2, 3]), Tensor([0, 3]), Tensor([0, 1, 3]), Tensor([1, 0, 2]), Tensor([1.0, 2.0, 3.0])
    >>> [y.tolist() for y in ops.SparseMatrixTranspose()(*x)]
    [[3, 2], [0, 3], [0, 1, 2, 3], [1, 0, 1], [2.0, 1.0, 3.0]]
""",
    "SparseTensorToCSRSparseMatrix": """\
Args:
    x_indices: The places (n, dimensions), in the order of rows.
    x_values: The values (n,).
    x_dense_shape: The shape, two or three integers.

Examples:
    >>> [y.tolist() for y in ops.SparseTensorToCSRSparseMatrix()(Tensor([[0, 1], [1, 0]]), Tensor([5.0,
    ... 6.0]), Tensor([2, 2]))]
    [[2, 2], [0, 2], [0, 1, 2], [1, 0], [5.0, 6.0]]
""",
}
