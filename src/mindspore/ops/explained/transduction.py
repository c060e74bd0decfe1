"""Sections of the texts of operators in `transduction`."""
TEXTS = {
    "RNNTLoss": """\
Args:
    acts: float32 or float16.
    labels: (B, U), int32.
    input_lengths, label_lengths: T and U of each sequence, (B,), int32.
    blank_label: The label that represents none.

Examples:
    >>> one = Tensor([1], mindspore.int32)
    >>> acts = Tensor(np.log(np.full((1, 1, 2, 2), 0.5, np.float32)))
    >>> loss, _ = ops.RNNTLoss()(acts, Tensor([[1]], mindspore.int32), one, one)
    >>> loss.asnumpy().round(4)
    array([1.3863], dtype=float32)
""",
}
