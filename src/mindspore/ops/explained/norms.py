"""Sections of the texts of operators in `norms`."""
TEXTS = {
    "SquareSumAll": """\
Args:
    x, y: Of one shape and dtype, floating point.

Examples:
    >>> [s.tolist() for s in ops.SquareSumAll()(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))]
    [5.0, 25.0]
""",
    "EuclideanNorm": """\
Args:
    x: A tensor of numbers.
    axes: The dimensions, a tensor of ints.
    keep_dims: Whether they stay, with the extent 1.

Examples:
    >>> ops.EuclideanNorm()(Tensor([[3.0, 4.0]]), Tensor([1])).tolist()
    [5.0]
""",
    "LpNorm": """\
Args:
    input: Floating point.
    axis: The dimensions, an int or a list of ints.
    p: The order.
    keep_dims: Whether they stay, with the extent 1.
    epsilon: The least result.

Examples:
    >>> ops.LpNorm(axis=1, p=1)(Tensor([[3.0, -4.0]])).tolist()
    [7.0]
""",
}
