"""Sections of the texts of operators in `nn_cross_entropy`."""
TEXTS = {
    "NLLLoss": """\
Args:
    logp: Logarithms of probabilities, (N, C) or (C,), floating point.
    labels: The class of each row, (N,) or (), integers.
    weight: A factor for each class, (C,).
    reduction: "none", "mean" (divided by the sum of the weights) or "sum".
    ignore_index: A label whose rows count nothing.

Examples:
    >>> logp = Tensor([[-0.5, -1.0], [-2.0, -0.25]])
    >>> weight = Tensor([1.0, 1.0])
    >>> [y.tolist() for y in ops.NLLLoss()(logp, Tensor([0, 1], mindspore.int32), weight)]
    [0.375, 2.0]
""",
    "SoftMarginLoss": """\
Args:
    x: Any shape, floating point.
    target: Of the same shape, 1 or -1.
    reduction: "none", "mean" or "sum", else ValueError.

Examples:
    >>> ops.SoftMarginLoss()(Tensor([0.0, 2.0]), Tensor([1.0, -1.0])).asnumpy().round(4)
    np.float32(1.41)
""",
    "SoftmaxCrossEntropyWithLogits": """\
Args:
    logits: (N, C), floating point.
    labels: Of the same shape: probabilities.

Examples:
    >>> loss, d = ops.SoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    >>> loss.asnumpy().round(4), d.asnumpy()
    (array([0.6931], dtype=float32), array([[-0.5,  0.5]], dtype=float32))
""",
    "SparseSoftmaxCrossEntropyWithLogits": """\
Args:
    logits: (N, C), floating point.
    labels: The class of each row, (N,), integers.
    is_grad: Whether the gradient by `logits` is given, of their shape.

Examples:
    >>> x, labels = Tensor([[0.0, 0.0]]), Tensor([1], mindspore.int32)
    >>> ops.SparseSoftmaxCrossEntropyWithLogits()(x, labels).asnumpy().round(4)
    np.float32(0.6931)
    >>> ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x, labels).tolist()
    [[0.5, -0.5]]
""",
    "BCEWithLogitsLoss": """\
Args:
    x: Logits, any shape, floating point.
    target: Probabilities of the class 1, of the shape of `x`.
    weight: Factors of the losses, which broadcast to `x`, or None.
    pos_weight: Factors of the losses of the class 1, which broadcast to `x`, or None.
    reduction: "none", "mean" or "sum".

Examples:
    >>> one = ops.ones((2,))
    >>> ops.BCEWithLogitsLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 0.0]), one, one).asnumpy().round(4)
    np.float32(0.6931)
""",
    "BinaryCrossEntropy": """\
Args:
    p: Probabilities, any shape, floating point.
    labels: True probabilities, of the shape of `p`.
    weight: Factors of the losses, which broadcast to `p`, or None.
    reduction: "none", "mean" or "sum".

Examples:
    >>> ops.BinaryCrossEntropy()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]), None).asnumpy().round(4)
    np.float32(0.6931)
""",
}
