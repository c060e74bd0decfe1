"""Sections of the texts of operators in `reduction`."""
TEXTS = {
    "ReduceSum": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints within the rank; () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.
    skip_mode: Whether () for the axis leaves the tensor unchanged.
""",
    "ReduceMean": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints within the rank; () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.
""",
    "ReduceProd": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints within the rank; () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.

Examples:
    >>> ops.ReduceProd()(Tensor([[1.0, 2.0], [3.0, 6.0]]), 0).tolist()
    [3.0, 12.0]
""",
    "ReduceMax": """\
Args:
    x: Any shape, real.
    axis: An int or a tuple of ints within the rank; () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.
""",
    "ReduceMin": """\
Args:
    x: Any shape, real.
    axis: An int or a tuple of ints within the rank; () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.

Examples:
    >>> ops.ReduceMin()(Tensor([[1, 5], [3, 2]]), 1).tolist()
    [1, 2]
""",
    "ReduceAll": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints within the rank; None or () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.

Examples:
    >>> ops.ReduceAll()(Tensor([[True, False], [True, True]]), 1).tolist()
    [False, True]
""",
    "ReduceAny": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints within the rank; None or () for all dimensions.
    keep_dims: Whether the dimensions stay, with extent 1.

Examples:
    >>> ops.ReduceAny()(Tensor([[True, False], [False, False]]), 1).tolist()
    [True, False]
""",
    "Argmax": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.
    output_type: int32 or int64.
""",
    "Argmin": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.
    output_type: int32 or int64.

Examples:
    >>> ops.Argmin(axis=0)(Tensor([[1.0, 5.0], [3.0, 2.0]])).tolist()
    [0, 1]
""",
    "ArgMaxWithValue": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.
    keep_dims: Whether the dimensions stay, with extent 1.
""",
    "ArgMinWithValue": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.
    keep_dims: Whether the dimensions stay, with extent 1.

Examples:
    >>> index, value = ops.ArgMinWithValue(axis=1)(Tensor([[1, 5], [3, 2]]))
    >>> index.tolist(), value.tolist()
    ([0, 1], [1, 2])
""",
}
