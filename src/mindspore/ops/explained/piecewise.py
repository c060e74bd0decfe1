"""Sections of the texts of operators in `piecewise`."""
TEXTS = {
    "ReLU6": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.ReLU6()(Tensor([-1.0, 3.0, 9.0])).tolist()
    [0.0, 3.0, 6.0]
""",
    "HShrink": """\
Args:
    x: Any shape, floating point.
    lambd: The bound, a float.

Examples:
    >>> ops.HShrink(lambd=1.0)(Tensor([-2.0, 0.5, 3.0])).tolist()
    [-2.0, 0.0, 3.0]
""",
    "SoftShrink": """\
Args:
    x: Any shape, floating point.
    lambd: The bound, a float, not negative.

Examples:
    >>> ops.SoftShrink(lambd=1.0)(Tensor([-2.0, 0.5, 3.0])).tolist()
    [-1.0, 0.0, 2.0]
""",
    "HSigmoid": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.HSigmoid()(Tensor([-4.0, 0.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]
""",
    "PReLU": """\
Args:
    x: (N, C, ...), floating point.
    weight: (1,) or (C,).

Examples:
    >>> ops.PReLU()(Tensor([[-4.0, 2.0]]), Tensor([0.25])).tolist()
    [[-1.0, 2.0]]
""",
}
