"""Sections of the texts of operators in `structure`."""
TEXTS = {
    "BroadcastTo": """\
Args:
    x: Any shape and dtype.
    shape: The wanted shape, a tuple of ints.

Examples:
    >>> ops.BroadcastTo((2, -1))(Tensor([1, 2])).tolist()
    [[1, 2], [1, 2]]
""",
    "ExpandDims": """\
Args:
    x: Any shape and dtype.
    axis: The place of the new dimension, an int.
""",
    "StopGradient": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> grad = mindspore.grad(lambda x: x * ops.StopGradient()(x))
    >>> grad(Tensor([3.0])).tolist()
    [3.0]
""",
    "Flatten": """\
Args:
    x: (N, ...), any dtype.

Examples:
    >>> ops.Flatten()(ops.ones((2, 3, 4))).shape
    (2, 12)
""",
    "Squeeze": """\
Args:
    x: Any shape and dtype.
    axis: An int or a tuple of ints; () for all.
""",
}
