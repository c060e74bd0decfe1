"""Sections of the texts of operators in `boxes`."""
TEXTS = {
    "IOU": """\
Args:
    anchors: Boxes (x0, y0, x1, y1), (N, 4), floating point.
    truths: Boxes like them, (M, 4).
    mode: "iou" or "iof".

Returns:
    (M, N), dtype of the boxes.

Examples:
    >>> ops.IOU()(Tensor([[0.0, 0.0, 9.0, 9.0]]), Tensor([[0.0, 0.0, 9.0, 4.0]])).asnumpy().round(3)
    array([[0.5]], dtype=float32)
""",
    "BoundingBoxEncode": """\
Args:
    anchors: Boxes (x0, y0, x1, y1), (N, 4), floating point.
    truths: The box that belongs to each anchor, (N, 4).
    means, stds: What is subtracted from the four numbers, and by what they are divided: four floats each.

Returns:
    (N, 4): shifts in units of the extents, and logarithms of ratios of extents (Girshick et al. 2014).

Examples:
    >>> ops.BoundingBoxEncode()(Tensor([[0.0, 0.0, 3.0, 3.0]]), Tensor([[2.0, 0.0, 5.0, 3.0]])).tolist()
    [[0.5, 0.0, 0.0, 0.0]]
""",
    "BoundingBoxDecode": """\
Args:
    anchors: Boxes (x0, y0, x1, y1), (N, 4), floating point.
    deltas: What `BoundingBoxEncode` gives, (N, 4).
    max_shape: Height and width of the image.
    means, stds: Those of the encoding: four floats each.
    wh_ratio_clip: The growth is limited to ratios of extents between this number and its reciprocal.

Returns:
    (N, 4).

Examples:
    >>> anchors, deltas = Tensor([[0.0, 0.0, 3.0, 3.0]]), Tensor([[0.5, 0.0, 0.0, 0.0]])
    >>> ops.BoundingBoxDecode(max_shape=(10, 10))(anchors, deltas).tolist()
    [[2.0, 0.0, 5.0, 3.0]]
""",
    "NMSWithMask": """\
Args:
    boxes: (N, 5), floating point.
    iou_threshold: The share of the common area in that of both boxes, from 0 to 1, above which boxes overlap.

Returns:
    The boxes (N, 5), their places (N,), int32, and bools (N,).

Examples:
    >>> boxes = Tensor([[0.0, 0.0, 4.0, 4.0, 0.5], [0.0, 0.0, 4.0, 5.0, 0.9], [6.0, 6.0, 9.0, 9.0, 0.7]])
    >>> found, places, kept = ops.NMSWithMask(0.5)(boxes)
    >>> found[:, 4].asnumpy().round(2), kept.tolist()
    (array([0.9, 0.7, 0.5], dtype=float32), [True, True, False])
""",
    "NonMaxSuppressionWithOverlaps": """\
Args:
    overlaps: How much each box overlaps each, (N, N), float32.
    scores: (N,), float32.
    count: The most places that are returned, an int32 without dimensions.
    overlap_threshold, score_threshold: The most overlap with a chosen box, and the least score: float32 without
        dimensions.

Examples:
    >>> overlaps = Tensor([[1.0, 0.8], [0.8, 1.0]])
    >>> limit = Tensor(0.5, mindspore.float32)
    >>> most = Tensor(2, mindspore.int32)
    >>> ops.NonMaxSuppressionWithOverlaps()(overlaps, Tensor([0.6, 0.9]), most, limit, limit).tolist()
    [1]
""",
    "CheckValid": """\
Args:
    boxes: (x0, y0, x1, y1), (N, 4).
    metas: Height, width and ratio, (3,), of the dtype of the boxes.

Examples:
    >>> ops.CheckValid()(Tensor([[0.0, 0.0, 5.0, 5.0], [0.0, 0.0, 50.0, 5.0]]), Tensor([10.0, 10.0, 1.0])).tolist()
    [True, False]
""",
}
