"""Sections of the texts of operators in `indexing`."""
TEXTS = {
    "Gather": """\
Args:
    x: (a, n, b) with n at `axis`, any dtype.
    indices: Integers of any shape s in [-n, n).
    axis: The dimension, an int.
    batch_dims: How many leading dimensions of both belong together; 0 without.
""",
    "GatherD": """\
Args:
    x: Any shape and dtype.
    dim: The dimension, an int.
    index: Integers, of the rank of `x`; negative ones count from the end.

Examples:
    >>> ops.GatherD()(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]])).tolist()
    [[1, 1], [4, 3]]
""",
    "GatherNd": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
""",
    "EmbeddingLookup": """\
Args:
    x: (n, ...), any dtype.
    indices: Integers of any shape.
    offset: What is subtracted from the indices, an int.

Examples:
    >>> ops.EmbeddingLookup()(Tensor([[1.0], [2.0]]), Tensor([4, 5, 9]), 4).tolist()
    [[1.0], [2.0], [0.0]]
""",
}
