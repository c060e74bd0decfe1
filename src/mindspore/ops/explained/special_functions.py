"""Sections of the texts of operators in `special_functions`."""
TEXTS = {
    "Mvlgamma": """\
Args:
    x: Any shape, floating point, above (p - 1) / 2.
    p: The dimension, a positive int.

Examples:
    >>> ops.Mvlgamma(p=2)(Tensor([2.0, 3.0])).asnumpy().round(4)
    array([0.4516, 1.5502], dtype=float32)
""",
}
