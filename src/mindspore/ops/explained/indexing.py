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
    "StridedSlice": """\
Args:
    input_x: Any tensor.
    begin, end, strides: Tuples of ints, an entry for each dimension from the first on.
    begin_mask, end_mask: Bits of the entries whose begin or end does not count: from the first, to the last element.
    ellipsis_mask: The bit of the entry that represents all dimensions between the others; one bit at most.
    new_axis_mask: Bits of the entries that add a dimension of the extent 1.
    shrink_axis_mask: Bits of the entries that take one element, whose dimension goes.

Examples:
    >>> x = Tensor([[1, 2, 3], [4, 5, 6]])
    >>> ops.StridedSlice()(x, (0, 0), (2, 3), (1, 2)).tolist()
    [[1, 3], [4, 6]]
    >>> ops.StridedSlice(shrink_axis_mask=1)(x, (1, 0), (2, 2), (1, 1)).tolist()
    [4, 5]
""",
}
