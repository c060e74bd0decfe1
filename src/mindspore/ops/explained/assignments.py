"""Sections of the texts of operators in `assignments`."""
TEXTS = {
    "ScalarSummary": """\
Args:
    name: The name, a string that is not empty.
    value: A tensor with one element, else ValueError.

Examples:
    >>> class Net(nn.Cell):
    ...     def construct(self, x):
    ...         ops.ScalarSummary()("x", x)
    ...         return x + 1
    >>> Net()(Tensor([1.0])).tolist()  # a callback `SummaryCollector` writes what was recorded
    [2.0]
""",
    "TensorSummary": """\
Args:
    name: The name, a string that is not empty.
    value: A tensor.

Examples:
    >>> class Net(nn.Cell):
    ...     def construct(self, x):
    ...         ops.TensorSummary()("x", x)
    ...         return x + 1
    >>> Net()(Tensor([1.0])).tolist()  # a callback `SummaryCollector` writes what was recorded
    [2.0]
""",
}
