"""Sections of the texts of operators in `rare_primitives`."""
TEXTS = {
    "NonDeterministicInts": """\
Args:
    shape: The shape of the result, a tuple of ints or a tensor of them.
    dtype: int32 or int64, else TypeError.

Examples:
    >>> ops.NonDeterministicInts(dtype=mindspore.int32)((2, 3)).shape
    (2, 3)
""",
    "ParameterizedTruncatedNormal": """\
Args:
    shape: The shape of the result, a tuple of ints or a tensor of them.
    mean, stdevs, min, max: Tensors with one element, or one for each entry of the first dimension.
    seed, seed2: Two ints; numbers other than 0 fix what is drawn.

Examples:
    >>> number = lambda x: Tensor([x])
    >>> x = ops.ParameterizedTruncatedNormal(seed=1)((100,), number(0.0), number(1.0), number(-0.5), number(0.5))
    >>> x.shape, bool((abs(x) <= 0.5).all())
    ((100,), True)
""",
    "RaggedRange": """\
Args:
    starts, limits, deltas: (n,), of one dtype, or of one element each, which counts for all ranges.
    Tsplits: The dtype of the first result, int32 or int64.

Examples:
    >>> numbers = [Tensor(x, mindspore.int32) for x in ([0, 5], [3, 9], [1, 2])]
    >>> [y.tolist() for y in ops.RaggedRange(mindspore.int64)(*numbers)]
    [[0, 3, 5], [0, 1, 2, 5, 7]]
""",
    "Reusing": """\
Args:
    x: Any tensor.

Examples:
    >>> ops.Reusing()(Tensor([1, 2])).tolist()
    [1, 2]
""",
    "SparseSegmentMean": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentMean()(x, *ids).asnumpy().round(4).ravel()
    array([2.5, 2. ], dtype=float32)
""",
    "SparseSegmentMeanWithNumSegments": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.
    num_segments: The number of segments, an int or a tensor with one.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentMeanWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([2.5, 2. , 0. ], dtype=float32)
""",
    "SparseSegmentSqrtN": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSqrtN()(x, *ids).asnumpy().round(4).ravel()
    array([3.5355, 2.    ], dtype=float32)
""",
    "SparseSegmentSqrtNWithNumSegments": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.
    num_segments: The number of segments, an int or a tensor with one.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSqrtNWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([3.5355, 2.    , 0.    ], dtype=float32)
""",
    "SparseSegmentSum": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSum()(x, *ids).asnumpy().round(4).ravel()
    array([5., 2.], dtype=float32)
""",
    "SparseSegmentSumWithNumSegments": """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.
    num_segments: The number of segments, an int or a tensor with one.

Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSumWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([5., 2., 0.], dtype=float32)
""",
}
