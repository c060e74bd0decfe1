"""Sections of the texts of operators in `tensor_like`."""
TEXTS = {
    "Eps": """\
Args:
    x: Floating point.

Examples:
    >>> ops.Eps()(Tensor([1.0, 5.0])).tolist()
    [1.1920928955078125e-07, 1.1920928955078125e-07]
""",
}
