"""Sections of the texts of operators in `rare_primitives`."""
_SEGMENTS = """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.
"""
_SEGMENTS_COUNTED = """\
Args:
    x: (n, ...), real.
    indices: Rows of `x`, (m,), integers.
    segment_ids: The segment of each of them, (m,), sorted, not negative.
    num_segments: The number of segments, an int or a tensor with one.
"""
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
    "SparseSegmentMean": _SEGMENTS + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentMean()(x, *ids).asnumpy().round(4).ravel()
    array([2.5, 2. ], dtype=float32)
""",
    "SparseSegmentMeanWithNumSegments": _SEGMENTS_COUNTED + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentMeanWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([2.5, 2. , 0. ], dtype=float32)
""",
    "SparseSegmentSqrtN": _SEGMENTS + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSqrtN()(x, *ids).asnumpy().round(4).ravel()
    array([3.5355, 2.    ], dtype=float32)
""",
    "SparseSegmentSqrtNWithNumSegments": _SEGMENTS_COUNTED + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSqrtNWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([3.5355, 2.    , 0.    ], dtype=float32)
""",
    "SparseSegmentSum": _SEGMENTS + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSum()(x, *ids).asnumpy().round(4).ravel()
    array([5., 2.], dtype=float32)
""",
    "SparseSegmentSumWithNumSegments": _SEGMENTS_COUNTED + """
Examples:
    >>> x = Tensor([[1.0], [2.0], [4.0]])
    >>> ids = [Tensor(x, mindspore.int32) for x in ([0, 2, 1], [0, 0, 1])]
    >>> ops.SparseSegmentSumWithNumSegments()(x, *ids, 3).asnumpy().round(4).ravel()
    array([5., 2., 0.], dtype=float32)
""",
    "AffineGrid": """\
Args:
    theta: A matrix for each example, (N, 2, 3) or (N, 3, 4), floating point.
    output_size: The shape of the tensor, (N, C, H, W) or (N, C, D, H, W), a tuple of ints.
    align_corners: Whether -1 and 1 are the centres of the elements at the border, else the border itself.

Examples:
    >>> ops.AffineGrid()(Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2)).tolist()
    [[[[-0.5, 0.0], [0.5, 0.0]]]]
""",
    "BatchToSpaceNDV2": """\
Args:
    input_x: A tensor; the dimensions of the blocks are its last ones.
    block_shape: The extents of a block, a tensor of ints.
    crops: How much is cut off of each of these dimensions, a tensor of pairs.

Examples:
    >>> blocks, crops = Tensor([2, 2]), Tensor([[0, 0], [0, 0]])
    >>> ops.BatchToSpaceNDV2()(Tensor([[[[1]]], [[[2]]], [[[3]]], [[[4]]]]), blocks, crops).tolist()
    [[[[1, 2], [3, 4]]]]
""",
    "ConfusionMatrix": """\
Args:
    labels, predictions: The true classes and the predicted ones, (n,), integers.
    weights: The weights, (n,); None counts each as 1.
    num_classes: The number of classes.
    dtype: The type of the result.

Examples:
    >>> ops.ConfusionMatrix(2)(Tensor([0, 1, 1]), Tensor([0, 0, 1])).tolist()
    [[1, 0], [1, 1]]
""",
    "CopyWithSlice": """\
Args:
    x: The tensor or parameter that changes.
    y: The elements, of the shape of `x`.

Examples:
    >>> x = Tensor([1.0, 2.0])
    >>> ops.CopyWithSlice()(x, Tensor([3.0, 4.0])).tolist(), x.tolist()
    ([3.0, 4.0], [3.0, 4.0])
""",
    "CountNonZero": """\
Args:
    x: A tensor.
    dims: An int, a tuple or list of ints, or None for all dimensions.

Examples:
    >>> ops.CountNonZero(dims=1)(Tensor([[1, 0], [2, 3]])).tolist()
    [1, 2]
""",
    "Dilation2D": """\
Args:
    x: Images, (N, C, H, W).
    filter: (C, kh, kw), of the type of `x`.
    stride: The distance of two windows, an int or two.
    dilation: The distance of the elements of a window, an int or two.
    pad_mode: "SAME" adds a border that never is the greatest, "VALID" none.
    data_format: "NCHW".

Examples:
    >>> widen = ops.Dilation2D(1, 1, pad_mode="VALID")
    >>> widen(Tensor([[[[1.0, 2.0, 3.0]]]]), Tensor([[[5.0, 0.0]]])).tolist()
    [[[[6.0, 7.0]]]]
""",
    "ExtractImagePatches": """\
Args:
    input_x: Images, (N, C, H, W).
    ksizes, strides, rates: The extents of the windows, their distances, and the distances of their elements: (1, 1,
        rows, columns).
    padding: "VALID", or "SAME" to add zeros.

Examples:
    >>> cut = ops.ExtractImagePatches([1, 1, 1, 2], [1, 1, 1, 1], [1, 1, 1, 1])
    >>> cut(Tensor([[[[1.0, 2.0, 3.0]]]])).tolist()
    [[[[1.0, 2.0]], [[2.0, 3.0]]]]
""",
    "LogSoftmaxExt": """\
Args:
    input: A floating-point tensor.
    dim: The dimension, or None.
    dtype: The type of the result; None keeps that of `input`.

Examples:
    >>> ops.LogSoftmaxExt()(Tensor([[0.0, 0.0]]), 1).asnumpy().round(4)
    array([[-0.6931, -0.6931]], dtype=float32)
""",
}
