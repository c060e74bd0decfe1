"""Sections of the texts of operators in `scanning`."""
TEXTS = {
    "CumSum": """\
Args:
    x: Any shape and dtype.
    axis: An int within the rank, else ValueError.
    exclusive: Whether each sum ends before the element itself.
    reverse: Whether to begin at the end.

Examples:
    >>> ops.CumSum()(Tensor([1.0, 2.0, 4.0]), 0).tolist()
    [1.0, 3.0, 7.0]
""",
    "CumProd": """\
Args:
    x: Any shape and dtype.
    axis: An int within the rank, else ValueError.
    exclusive: Whether each product ends before the element itself.
    reverse: Whether to begin at the end.

Examples:
    >>> ops.CumProd(reverse=True)(Tensor([1.0, 2.0, 4.0]), 0).tolist()
    [8.0, 8.0, 4.0]
""",
    "CumulativeLogsumexp": """\
Args:
    x: Any shape, floating point.
    axis: An int within the rank, else ValueError.
    exclusive: Whether each sum ends before the element itself.
    reverse: Whether to begin at the end.

Examples:
    >>> ops.CumulativeLogsumexp()(Tensor([0.0, 0.0]), 0).asnumpy().round(4)
    array([0.    , 0.6931], dtype=float32)
""",
    "Cummax": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.

Examples:
    >>> values, places = ops.Cummax(axis=0)(Tensor([1.0, 3.0, 2.0]))
    >>> values.tolist(), places.tolist()
    ([1.0, 3.0, 3.0], [0, 1, 1])
""",
    "Cummin": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.

Examples:
    >>> values, places = ops.Cummin(axis=0)(Tensor([2.0, 1.0, 3.0]))
    >>> values.tolist(), places.tolist()
    ([2.0, 1.0, 1.0], [0, 1, 1])
""",
}
