"""Sections of the texts of operators in `ranges`."""
TEXTS = {
    "TrilIndices": """\
Args:
    row, col: Extents of the matrix, ints.
    offset: The diagonal that bounds the triangle and belongs to it; positive ones lie above the main one.
    dtype: int32 or int64.

Examples:
    >>> ops.TrilIndices(2, 2)().tolist()
    [[0, 1, 1], [0, 0, 1]]
""",
    "TriuIndices": """\
Args:
    row, col: Extents of the matrix, ints.
    offset: The diagonal that bounds the triangle and belongs to it; positive ones lie above the main one.
    dtype: int32 or int64.

Examples:
    >>> ops.TriuIndices(2, 2)().tolist()
    [[0, 0, 1], [0, 1, 1]]
""",
    "LogSpace": """\
Args:
    start, end: The first and the last exponent, tensors without dimensions.
    steps: How many numbers.
    base: The base.
    dtype: The type of the numbers, floating point.

Examples:
    >>> ops.LogSpace(steps=3, base=2)(Tensor(0.0), Tensor(4.0)).tolist()
    [1.0, 4.0, 16.0]
""",
}
