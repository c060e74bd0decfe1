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
    "Assert": """\
Args:
    condition: A bool, or a tensor with one.
    input_data: A tuple or list of tensors, which are printed.
    summarize: How many elements of each tensor are printed.

Examples:
    >>> ops.Assert()(True, [Tensor([1, 2])])
""",
    "HistogramSummary": """\
Args:
    name: A str.
    value: A tensor.

Examples:
    >>> ops.HistogramSummary()("weights", Tensor([1.0, 2.0]))
""",
    "ImageSummary": """\
Args:
    name: A str.
    value: Images, (N, C, H, W).

Examples:
    >>> ops.ImageSummary()("digits", ops.ones((1, 3, 2, 2)))
""",
}
