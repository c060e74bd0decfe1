"""Sections of the texts of operators in `segments`."""
_SORTED = """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,), integers in rising order.
"""
_IN_ANY_ORDER = """\
Args:
    x: (n, ...), real.
    ids: The segment of each slice, (n,) or of the leading dimensions of `x`, integers.
    num_segments: How many segments, an int.
"""
TEXTS = {
    "UnsortedSegmentSum": _IN_ANY_ORDER + """
Examples:
    >>> ops.UnsortedSegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 4.0]
""",
    "UnsortedSegmentMax": _IN_ANY_ORDER + """
Examples:
    >>> ops.UnsortedSegmentMax()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 3.0]
""",
    "UnsortedSegmentMin": _IN_ANY_ORDER + """
Examples:
    >>> ops.UnsortedSegmentMin()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 1.0]
""",
    "UnsortedSegmentProd": _IN_ANY_ORDER + """
Examples:
    >>> ops.UnsortedSegmentProd()(Tensor([1.0, 2.0, 3.0]), Tensor([1, 0, 1], mindspore.int32), 2).tolist()
    [2.0, 3.0]
""",
    "SegmentSum": _SORTED + """
Examples:
    >>> ops.SegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 5.0]
""",
    "SegmentMean": _SORTED + """
Examples:
    >>> ops.SegmentMean()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 2.5]
""",
    "SegmentMax": _SORTED + """
Examples:
    >>> ops.SegmentMax()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 3.0]
""",
    "SegmentMin": _SORTED + """
Examples:
    >>> ops.SegmentMin()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 2.0]
""",
    "SegmentProd": _SORTED + """
Examples:
    >>> ops.SegmentProd()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 1])).tolist()
    [1.0, 6.0]
""",
}
