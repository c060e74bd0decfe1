"""Sections of the texts of operators in `nn_margin_loss`."""
TEXTS = {
    "MultiMarginLoss": """\
Args:
    x: Scores (N, C), floating point.
    target: The class of each row (N,), integers in [0, C).
    weight: A factor for each class (C,); None for 1.
    p: The power, 1 or 2.
    margin: A float.
    reduction: "none", "mean" or "sum", else ValueError.

Examples:
    >>> ops.MultiMarginLoss()(Tensor([[0.5, 1.0, 0.0]]), Tensor([1])).asnumpy().round(4)
    np.float32(0.1667)
""",
    "MultilabelMarginLoss": """\
Args:
    x: Scores (C,) or (N, C), floating point.
    target: Of the shape of `x`, int32: the labels of a row, then -1.
    reduction: "none", "mean" or "sum", else ValueError.

Examples:
    >>> x, target = Tensor([[0.0, 1.0, 0.5]]), Tensor([[1, -1, 0]], mindspore.int32)
    >>> loss, named = ops.MultilabelMarginLoss()(x, target)
    >>> loss.asnumpy().round(4), named.tolist()
    (np.float32(0.1667), [[0, 1, 0]])
""",
    "TripletMarginLoss": """\
Args:
    x: The anchors, (..., D).
    positive, negative: What is to be near and far; of shapes that broadcast with that of `x`.
    margin: A tensor with one element.
    p: The degree of the norm, an int.
    swap: Whether the distance of `positive` and `negative` counts where it is less than that of `x` and `negative`.
    eps: What is added to the differences.
    reduction: "none", "mean" or "sum", else ValueError.

Examples:
    >>> x, near, far = Tensor([[0.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([[1.5, 0.0]])
    >>> ops.TripletMarginLoss()(x, near, far, Tensor(1.0)).asnumpy().round(4)
    np.float32(0.5)
""",
}
