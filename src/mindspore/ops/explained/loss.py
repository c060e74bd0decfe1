"""Sections of the texts of operators in `loss`."""
TEXTS = {
    "L2Loss": """\
Args:
    x: Any shape, floating point, integers or complex.

Examples:
    >>> ops.L2Loss()(Tensor([3.0, 4.0])).tolist()
    12.5
""",
}
