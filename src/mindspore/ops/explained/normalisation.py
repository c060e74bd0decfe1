"""Sections of the texts of operators in `normalisation`."""
TEXTS = {
    "RmsNorm": """\
Args:
    x: Any shape, floating point.
    gamma: The factors, of the shape of the last axes of `x`.
    epsilon: What is added to the mean square.

Examples:
    >>> y, scale = ops.RmsNorm()(Tensor([[3.0, 4.0]]), Tensor([1.0, 1.0]))
    >>> y.asnumpy().round(4), scale.asnumpy().round(4)
    (array([[0.8485, 1.1314]], dtype=float32), array([[0.2828]], dtype=float32))
""",
}
