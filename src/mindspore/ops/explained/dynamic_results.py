"""Sections of the texts of operators in `dynamic_results`."""
TEXTS = {
    "SparseSparseMaximum": """\
Args:
    x1_indices, x2_indices: The places, (N, dimensions), int64.
    x1_values, x2_values: (N,), one dtype.
    x1_shape, x2_shape: The shape, (dimensions,), int64; equal.

Examples:
    >>> first, second = (Tensor([[0], [2]]), Tensor([1.0, 2.0])), (Tensor([[2]]), Tensor([5.0]))
    >>> places, values = ops.SparseSparseMaximum()(*first, Tensor([4]), *second, Tensor([4]))
    >>> places.tolist(), values.tolist()
    ([[0], [2]], [1.0, 5.0])
""",
    "SparseSparseMinimum": """\
Args:
    x1_indices, x2_indices: The places, (N, dimensions), int64.
    x1_values, x2_values: (N,), one dtype.
    x1_shape, x2_shape: The shape, (dimensions,), int64; equal.

Examples:
    >>> first, second = (Tensor([[0], [2]]), Tensor([1.0, 2.0])), (Tensor([[2]]), Tensor([5.0]))
    >>> places, values = ops.SparseSparseMinimum()(*first, Tensor([4]), *second, Tensor([4]))
    >>> places.tolist(), values.tolist()
    ([[0], [2]], [0.0, 2.0])
""",
    "ComputeAccidentalHits": """\
Args:
    true_classes: (N, num_true), int32 or int64.
    sampled: The candidates, (M,), of that dtype.
    num_true: How many true classes each row has.

Returns:
    Rows and candidates (as places), (hits,) each, and the numbers (hits,), float32.

Examples:
    >>> rows, candidates, least = ops.ComputeAccidentalHits()(Tensor([[3], [7]]), Tensor([7, 5, 3]))
    >>> rows.tolist(), candidates.tolist()
    ([0, 1], [2, 0])
""",
    "NonMaxSuppressionV3": """\
Args:
    boxes: (N, 4), float32 or float16.
    scores: (N,), of that dtype.
    count: The most places that are returned, an int32 without dimensions.
    iou_threshold: The share of the common area in that of both boxes above which boxes overlap.
    score_threshold: The least score.

Examples:
    >>> boxes = Tensor([[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 4.0, 5.0], [6.0, 6.0, 9.0, 9.0]])
    >>> most, limit = Tensor(3, mindspore.int32), Tensor(0.5, mindspore.float32)
    >>> ops.NonMaxSuppressionV3()(boxes, Tensor([0.6, 0.9, 0.8]), most, limit, limit).tolist()
    [1, 2]
""",
}
