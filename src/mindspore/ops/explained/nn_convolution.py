"""Sections of the texts of operators in `nn_convolution`."""
TEXTS = {
    "Conv2D": """\
Args:
    x: (N, C, H, W), floating point.
    weight: (O, C / group, *), of the type of `x`.
    out_channel: O.
    kernel_size: The extents of a window, an int or two.
    mode: 1.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, two or four.
    stride: The distance of two windows, an int or two.
    dilation: The distance of the elements of a window, an int or two.
    group: The number of groups of channels.
    data_format: "NCHW", or "NHWC" with weights (O, H', W', C / group).

Examples:
    >>> ops.Conv2D(1, (1, 2))(Tensor([[[[1.0, 2.0, 3.0]]]]), Tensor([[[[1.0, 10.0]]]])).tolist()
    [[[[21.0, 32.0]]]]
""",
    "Conv3D": """\
Args:
    x: (N, C, D, H, W), floating point.
    weight: (O, C / group, *), of the type of `x`.
    out_channel: O.
    kernel_size: The extents of a window, an int or three.
    mode: 1.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, three or six.
    stride: The distance of two windows, an int or three.
    dilation: The distance of the elements of a window, an int or three.
    group: The number of groups of channels.
    data_format: "NCDHW".

Examples:
    >>> ops.Conv3D(1, (1, 1, 2))(Tensor([[[[[1.0, 2.0, 3.0]]]]]), Tensor([[[[[1.0, 10.0]]]]])).tolist()
    [[[[[21.0, 32.0]]]]]
""",
    "Conv2DTranspose": """\
Args:
    dout: The result of the convolution, (N, O, *), floating point.
    weight: (O, C / group, H', W'), of the type of `dout`.
    input_size: The shape of the input, (N, C, H, W).
    out_channel: O.
    kernel_size: The extents of a window, an int or two.
    mode: 1.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, two or four.
    pad_list: None, or four numbers that count instead of `pad` where `pad_mode` is "pad".
    stride: The distance of two windows, an int or two.
    dilation: The distance of the elements of a window, an int or two.
    group: The number of groups of channels.
    data_format: "NCHW", or "NHWC" with weights (O, H', W', C / group).

Examples:
    >>> spread = ops.Conv2DTranspose(1, (1, 2))
    >>> spread(Tensor([[[[1.0, 2.0]]]]), Tensor([[[[1.0, 10.0]]]]), (1, 1, 1, 3)).tolist()
    [[[[1.0, 12.0, 20.0]]]]
""",
    "Conv2DBackpropInput": """\
Args:
    dout: The cotangent of the result, (N, O, *), floating point.
    weight: (O, C / group, H', W'), of the type of `dout`.
    input_sizes: The shape of the input, (N, C, H, W).
    out_channel: O.
    kernel_size: The extents of a window, an int or two.
    mode: 1.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, two or four.
    pad_list: None, or four numbers that count instead of `pad` where `pad_mode` is "pad".
    stride: The distance of two windows, an int or two.
    dilation: The distance of the elements of a window, an int or two.
    group: The number of groups of channels.
    data_format: "NCHW", or "NHWC" with weights (O, H', W', C / group).

Examples:
    >>> spread = ops.Conv2DBackpropInput(1, (1, 2))
    >>> spread(Tensor([[[[1.0, 2.0]]]]), Tensor([[[[1.0, 10.0]]]]), (1, 1, 1, 3)).tolist()
    [[[[1.0, 12.0, 20.0]]]]
""",
    "Conv3DTranspose": """\
Args:
    dout: (N, C, D, H, W), floating point.
    weight: (C, O / group, *), of the type of `dout`.
    in_channel, out_channel: C and O.
    kernel_size: The extents of a window, an int or three.
    mode: 1.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, three or six.
    output_padding: What is added at the ends of the result, an int or three.
    stride: The distance of two windows, an int or three.
    dilation: The distance of the elements of a window, an int or three.
    group: The number of groups of channels.
    data_format: "NCDHW".

Examples:
    >>> spread = ops.Conv3DTranspose(1, 1, (1, 1, 2))
    >>> spread(Tensor([[[[[1.0, 2.0]]]]]), Tensor([[[[[1.0, 10.0]]]]])).tolist()
    [[[[[1.0, 12.0, 20.0]]]]]
""",
}
