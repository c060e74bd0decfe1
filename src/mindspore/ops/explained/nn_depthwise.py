"""Sections of the texts of operators in `nn_depthwise`."""
TEXTS = {
    "DepthwiseConv2dNative": """\
Args:
    x: (N, C, H, W), floating point.
    weight: (channel_multiplier, C, H', W'), of the type of `x`.
    channel_multiplier: How many windows each channel has.
    kernel_size: The extents of a window, an int or two.
    mode: 3.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, two or four.
    stride: The distance of two windows, an int or two.
    dilation: The distance of the elements of a window, an int or two.
    group: 1 or C; the result is the same.

Examples:
    >>> correlate = ops.DepthwiseConv2dNative(1, (1, 2))
    >>> correlate(Tensor([[[[1.0, 2.0]], [[3.0, 4.0]]]]), Tensor([[[[1.0, 1.0]], [[0.0, 2.0]]]])).tolist()
    [[[[3.0]], [[8.0]]]]
""",
}
