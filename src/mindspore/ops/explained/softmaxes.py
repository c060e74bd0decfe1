"""Sections of the texts of operators in `softmaxes`."""
TEXTS = {
    "Softmax": """\
Args:
    x: Any shape, floating point.
    axis: An int within the rank, else ValueError.
""",
    "LogSoftmax": """\
Args:
    x: Any shape, floating point.
    axis: An int within the rank, else ValueError.

Examples:
    >>> ops.LogSoftmax()(Tensor([1.0, 1.0])).asnumpy().round(4)
    array([-0.6931, -0.6931], dtype=float32)
""",
    "GLU": """\
Args:
    x: Any shape, floating point; its extent along `axis` is even.
    axis: An int within the rank, else ValueError.

Examples:
    >>> ops.GLU()(Tensor([2.0, 0.0])).tolist()
    [1.0]
""",
}
