"""Sections of the texts of operators in `bands`."""
TEXTS = {
    "MatrixDiagPartV3": """\
Args:
    x: Matrices (..., rows, cols); ValueError below two dimensions.
    k: The lowest and the highest diagonal, or one number; 0 is the main one, above it the numbers are positive.
    padding_value: What fills the lines of short diagonals; a tensor with one element of the dtype of `x`.
    align: Where short diagonals lie, of those above and below the main one: "LEFT_RIGHT", "RIGHT_LEFT",
        "LEFT_LEFT" or "RIGHT_RIGHT", else ValueError.

Examples:
    >>> x = Tensor([[1, 2, 3], [4, 5, 6]])
    >>> ops.MatrixDiagPartV3()(x, Tensor([0, 1], mindspore.int32), Tensor(0)).tolist()
    [[2, 6], [1, 5]]
""",
    "MatrixDiagV3": """\
Args:
    x: The diagonals (..., n), or the lines (..., number of diagonals, n) of a band, the highest first.
    k: The lowest and the highest diagonal, or one number; 0 is the main one, above it the numbers are positive.
    num_rows, num_cols: Extents of the matrix; -1 for the least that holds the diagonals.
    padding_value: What stands elsewhere; a tensor with one element of the dtype of `x`.
    align: Where short diagonals lie, of those above and below the main one: "LEFT_RIGHT", "RIGHT_LEFT",
        "LEFT_LEFT" or "RIGHT_RIGHT", else ValueError.

Examples:
    >>> number = lambda n: Tensor(n, mindspore.int32)
    >>> ops.MatrixDiagV3()(Tensor([1, 2]), number(1), number(-1), number(-1), Tensor(0)).tolist()
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
""",
    "MatrixSetDiagV3": """\
Args:
    x: Matrices (..., rows, cols).
    diagonal: Of the dtype of `x`: the diagonals (..., n), or the lines (..., number of diagonals, n) of a band.
    k: The lowest and the highest diagonal, or one number; 0 is the main one, above it the numbers are positive.
    align: Where short diagonals lie, of those above and below the main one: "LEFT_RIGHT", "RIGHT_LEFT",
        "LEFT_LEFT" or "RIGHT_RIGHT", else ValueError.

Examples:
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> ops.MatrixSetDiagV3()(x, Tensor([8, 9]), Tensor(0, mindspore.int32)).tolist()
    [[8, 2], [3, 9]]
""",
}
