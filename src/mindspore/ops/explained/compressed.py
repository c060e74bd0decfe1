"""Sections of the texts of operators in `compressed`."""
TEXTS = {
    "Coalesce": """\
Args:
    indices: Places, (dimensions, N), int64.
    values: (N,).
    shape: The shape of the tensor, (dimensions,), int64.

Examples:
    >>> found = ops.Coalesce()(Tensor([[1, 0, 1]]), Tensor([1.0, 2.0, 4.0]), Tensor([3]))
    >>> [each.tolist() for each in found]
    [[[0, 1]], [2.0, 5.0], [3]]
""",
}
