"""Sections of the texts of operators in `sequences`."""
TEXTS = {
    "CompareAndBitpack": """\
Args:
    x: (..., 8 n), real.
    threshold: Of the dtype of `x`, without dimensions.

Examples:
    >>> ops.CompareAndBitpack()(Tensor([1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0]), Tensor(2.0)).tolist()
    [65]
""",
    "CheckNumerics": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.CheckNumerics()(Tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]
""",
    "NoRepeatNGram": """\
Args:
    tokens: What was said, (batch, beam, length), int32.
    log_probs: Floating point.
    ngram_size: The length n.

Examples:
    >>> said = Tensor([[[0, 1, 0]]], mindspore.int32)
    >>> (ops.NoRepeatNGram(ngram_size=2)(said, ops.zeros((1, 1, 3))) < 0).tolist()       # 1 would repeat "0 1"
    [[[False, True, False]]]
""",
}
