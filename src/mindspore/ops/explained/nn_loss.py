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
    "KLDivLoss": """\
Args:
    logits: Logarithms of probabilities, any shape, floating point.
    labels: Probabilities, of the shape of `logits`.
    reduction: "none", "mean", "batchmean" or "sum".

Examples:
    >>> ops.KLDivLoss("sum")(Tensor([-1.0, -2.0]), Tensor([1.0, 0.0])).tolist()
    1.0
""",
}
