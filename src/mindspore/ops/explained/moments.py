"""Sections of the texts of operators in `moments`."""
TEXTS = {
    "ReduceStd": """\
Args:
    x: Any shape, floating point.
    axis: An int or a tuple of them; empty for all dimensions.
    unbiased: Whether the squares are divided by n - 1, not by n.
    keep_dims: Whether the dimensions stay with the extent 1.

Examples:
    >>> [y.tolist() for y in ops.ReduceStd()(Tensor([1.0, 2.0, 3.0]))]
    [1.0, 2.0]
""",
}
