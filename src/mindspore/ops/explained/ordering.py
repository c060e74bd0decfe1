"""Sections of the texts of operators in `ordering`."""
TEXTS = {
    "TopK": """\
Args:
    x: (..., n), real.
    k: How many, an int up to n.
    sorted: Whether the greatest comes first.
""",
    "Sort": """\
Args:
    x: Any shape, real.
    axis: An int within the rank, else ValueError.
    descending: Whether the greatest comes first.

Examples:
    >>> values, places = ops.Sort()(Tensor([3.0, 1.0, 2.0]))
    >>> values.tolist(), places.tolist()
    ([1.0, 2.0, 3.0], [1, 2, 0])
""",
    "SearchSorted": """\
Args:
    sorted_sequence: (..., n), real, in order along the last dimension unless there is a `sorter`.
    values: (..., m), or any shape for a vector, dtype of the sequence.
    sorter: The places that sort the sequence, int64, or None.
    dtype: int64 or int32, that of the result.
    right: Whether equal elements stand before the place, otherwise behind it.

Examples:
    >>> ops.SearchSorted()(Tensor([1, 3, 5]), Tensor([0, 3, 9])).tolist()
    [0, 1, 3]
""",
    "InTopK": """\
Args:
    x: (n, classes), floating point.
    targets: Classes (n,), integers.
    k: How many elements count as the greatest.

Examples:
    >>> ops.InTopK(k=2)(Tensor([[0.1, 0.7, 0.5], [0.9, 0.6, 0.2]]), Tensor([1, 2], mindspore.int32)).tolist()
    [True, False]
""",
    "NonZero": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.NonZero()(Tensor([[0, 5], [6, 0]])).tolist()
    [[0, 1], [1, 0]]
""",
    "Unique": """\
Args:
    x: Any shape, real.

Examples:
    >>> values, places = ops.Unique()(Tensor([3, 1, 3]))
    >>> values.tolist(), places.tolist()
    ([3, 1], [0, 1, 0])
""",
    "UniqueWithPad": """\
Args:
    x: A vector, real.
    pad_num: A number of that dtype.

Examples:
    >>> values, places = ops.UniqueWithPad()(Tensor([3, 1, 3]), 0)
    >>> values.tolist(), places.tolist()
    ([3, 1, 0], [0, 1, 0])
""",
    "UniqueConsecutive": """\
Args:
    x: Any shape, real.
    return_inverse, return_counts: Whether each element's place, and the numbers of repetitions, are wanted.
    dim: The dimension whose slices are compared; None for the elements of the flattened tensor.

Examples:
    >>> values, _, counts = ops.UniqueConsecutive(return_counts=True)(Tensor([1, 1, 2, 1]))
    >>> values.tolist(), counts.tolist()
    ([1, 2, 1], [2, 1, 1])
""",
    "ListDiff": """\
Args:
    x, y: Vectors of one dtype, real.
    out_idx: int32 or int64, the dtype of the indices.

Examples:
    >>> values, places = ops.ListDiff()(Tensor([1, 2, 3, 4]), Tensor([2, 4]))
    >>> values.tolist(), places.tolist()
    ([1, 3], [0, 2])
""",
}
