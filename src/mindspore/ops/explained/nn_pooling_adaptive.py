"""Sections of the texts of operators in `nn_pooling_adaptive`."""
TEXTS = {
    "AdaptiveAvgPool2D": """\
Args:
    x: (N, C, H, W) or (C, H, W), floating point.
    output_size: How many cells along each axis: an int or two; None keeps the extent of the input.

Examples:
    >>> ops.AdaptiveAvgPool2D((1, 2))(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]])).tolist()
    [[[[3.0, 5.0]]]]
""",
    "AdaptiveAvgPool3D": """\
Args:
    x: (N, C, D, H, W) or (C, D, H, W), floating point.
    output_size: How many cells along each axis: an int or three; None keeps the extent of the input.

Examples:
    >>> ops.AdaptiveAvgPool3D((1, 1, 2))(Tensor([[[[[1.0, 3.0], [5.0, 7.0]]]]])).tolist()
    [[[[[3.0, 5.0]]]]]
""",
    "AdaptiveMaxPool2D": """\
Args:
    x: (N, C, H, W) or (C, H, W), floating point.
    output_size: How many cells along each axis: an int or two; None keeps the extent of the input.

Examples:
    >>> values, places = ops.AdaptiveMaxPool2D((1, 2))(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]))
    >>> values.tolist(), places.tolist()
    ([[[[5.0, 7.0]]]], [[[[2, 3]]]])
""",
    "AdaptiveMaxPool3D": """\
Args:
    x: (N, C, D, H, W) or (C, D, H, W), floating point.
    output_size: How many cells along each axis, a tensor of three int32.

Examples:
    >>> x, cells = Tensor([[[[[1.0, 3.0], [5.0, 7.0]]]]]), Tensor([1, 1, 2], mindspore.int32)
    >>> values, places = ops.AdaptiveMaxPool3D()(x, cells)
    >>> values.tolist(), places.tolist()
    ([[[[[5.0, 7.0]]]]], [[[[[2, 3]]]]])
""",
}
