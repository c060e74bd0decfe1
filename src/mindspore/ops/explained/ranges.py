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
}
