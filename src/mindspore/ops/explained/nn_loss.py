"""Sections of the texts of operators in `nn_loss`."""
TEXTS = {
    "SmoothL1Loss": """\
Args:
    x: Any shape, floating point.
    y: Of the same shape, else ValueError.
    beta: Where the square ends, a positive float.
    reduction: "none", "mean" or "sum", else ValueError.

Examples:
    >>> ops.SmoothL1Loss()(Tensor([1.0, 4.0]), Tensor([1.5, 1.0])).tolist()
    [0.125, 2.5]
""",
}
