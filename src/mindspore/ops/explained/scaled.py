"""Sections of the texts of operators in `scaled`."""
TEXTS = {
    "CombinedNonMaxSuppression": """\
Args:
    boxes: Boxes (y1, x1, y2, x2), float32.
    scores: Their scores for each class, float32.
    per_class, total: How many boxes of a class and of a sample are kept at most, int32 tensors without dimensions.
    iou_threshold: Boxes whose overlap with a better one is greater are dropped, in [0, 1], a tensor without
        dimensions.
    score_threshold: Boxes whose score is not greater are dropped, a tensor without dimensions.
    pad_per_class: Whether the result has at most `per_class` places for each class, else `total`.
    clip_boxes: Whether the results are cut off at 0 and 1.

Examples:
    >>> boxes = Tensor([[[[0.0, 0.0, 1.0, 1.0]], [[0.0, 0.0, 1.0, 0.75]]]])
    >>> limits = Tensor(2, mindspore.int32), Tensor(2, mindspore.int32), Tensor(0.5), Tensor(0.0)
    >>> kept, scores, classes, counts = ops.CombinedNonMaxSuppression()(boxes, Tensor([[[0.5], [0.75]]]), *limits)
    >>> kept.tolist(), scores.tolist(), counts.tolist()
    ([[[0.0, 0.0, 1.0, 0.75], [0.0, 0.0, 0.0, 0.0]]], [[0.75, 0.0]], [1])
""",
}
