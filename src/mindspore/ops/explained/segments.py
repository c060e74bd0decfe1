"""Sections of the texts of operators in `segments`."""
TEXTS = {
    "UnsortedSegmentSum": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,) or of the leading dimensions of `x`, integers.
    num_segments: How many segments, an int.

Examples:
    >>> ops.UnsortedSegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 4.0]
""",
    "UnsortedSegmentMax": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,) or of the leading dimensions of `x`, integers.
    num_segments: How many segments, an int.

Examples:
    >>> ops.UnsortedSegmentMax()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 3.0]
""",
    "UnsortedSegmentMin": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,) or of the leading dimensions of `x`, integers.
    num_segments: How many segments, an int.

Examples:
    >>> ops.UnsortedSegmentMin()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 1.0]
""",
    "UnsortedSegmentProd": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,) or of the leading dimensions of `x`, integers.
    num_segments: How many segments, an int.

Examples:
    >>> ops.UnsortedSegmentProd()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 3.0]
""",
    "SegmentSum": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.

Examples:
    >>> ops.SegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 5.0]
""",
    "SegmentMean": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.

Examples:
    >>> ops.SegmentMean()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 2.5]
""",
    "SegmentMax": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.

Examples:
    >>> ops.SegmentMax()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 3.0]
""",
    "SegmentMin": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.

Examples:
    >>> ops.SegmentMin()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 2.0]
""",
    "SegmentProd": """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.

Examples:
    >>> ops.SegmentProd()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 6.0]
""",
}
