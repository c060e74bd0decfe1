"""Sections of the texts of operators in `joining`."""
TEXTS = {
    "Concat": """\
Args:
    xs: A tuple or list of tensors of one rank, whose extents are equal but for `axis`.
    axis: An int within the rank, else ValueError.
""",
    "Split": """\
Args:
    x: (..., n, ...), any dtype.
    axis: An int within the rank, else ValueError.
    output_num: The number of parts, a divisor of n.
""",
    "SplitV": """\
Args:
    x: Any shape and dtype.
    size_splits: The extents of the parts, ints; their sum is the extent of `x`.
    split_dim: The dimension, an int.
    num_split: The number of parts.

Examples:
    >>> [part.tolist() for part in ops.SplitV([1, -1], 0, 2)(Tensor([1, 2, 3]))]
    [[1], [2, 3]]
""",
    "Stack": """\
Args:
    xs: A tuple or list of tensors of one shape.
    axis: The place of the new dimension, an int.
""",
    "Unstack": """\
Args:
    x: Any shape but (), any dtype.
    axis: An int within the rank, else ValueError.
    num: The extent of that dimension; None reads it from `x`.

Examples:
    >>> [part.tolist() for part in ops.Unstack(axis=1)(Tensor([[1, 2], [3, 4]]))]
    [[1, 3], [2, 4]]
""",
}
