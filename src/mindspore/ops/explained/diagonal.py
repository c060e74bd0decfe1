"""Sections of the texts of operators in `diagonal`."""
TEXTS = {
    "Tril": """\
Args:
    x: (..., m, n), any dtype.
    diagonal: 0 for the main diagonal; positive above, negative below it.

Examples:
    >>> ops.Tril(diagonal=-1)(Tensor([[1, 2], [3, 4]])).tolist()
    [[0, 0], [3, 0]]
""",
    "Triu": """\
Args:
    x: (..., m, n), any dtype.
    diagonal: 0 for the main diagonal; positive above, negative below it.

Examples:
    >>> ops.Triu(diagonal=1)(Tensor([[1, 2], [3, 4]])).tolist()
    [[0, 2], [0, 0]]
""",
    "Diag": """\
Args:
    x: At least one dimension, any dtype.

Examples:
    >>> ops.Diag()(Tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
""",
    "DiagPart": """\
Args:
    x: (*n, *n), any dtype.

Examples:
    >>> ops.DiagPart()(Tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
""",
    "FillDiagonal": """\
Args:
    x: Two dimensions or more, and then with equal extents.
    fill_value: A number.
    wrap: Whether the diagonal of a tall matrix begins anew below its end.

Examples:
    >>> ops.FillDiagonal(9.0)(ops.zeros((2, 3))).tolist()
    [[9.0, 0.0, 0.0], [0.0, 9.0, 0.0]]
""",
}
