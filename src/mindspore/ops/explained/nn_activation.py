"""Sections of the texts of operators in `nn_activation`."""
TEXTS = {
    "ReLUV2": """\
Args:
    x: Any shape, real.

Examples:
    >>> [y.tolist() for y in ops.ReLUV2()(Tensor([-1.0, 0.0, 2.0]))]
    [[0.0, 0.0, 2.0], [0, 0, 1]]
""",
}
