"""Sections of the texts of operators in `norms`."""
TEXTS = {
    "SquareSumAll": """\
Args:
    x, y: Of one shape and dtype, floating point.

Examples:
    >>> [s.tolist() for s in ops.SquareSumAll()(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))]
    [5.0, 25.0]
""",
}
