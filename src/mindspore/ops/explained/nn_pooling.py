"""Sections of the texts of operators in `nn_pooling`."""
TEXTS = {
    "MaxPool": """\
Args:
    x: Images (N, C, H, W), or (N, H, W, C) as `data_format` says.
    kernel_size: Extents of the window, an int or two of them.
    strides: Steps between windows, likewise.
    pad_mode: "valid" for windows inside only, "same" for ceil(extent / stride) places; in either case of letters.
    data_format: "NCHW" or "NHWC".

Examples:
    >>> x = Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
    >>> ops.MaxPool(kernel_size=2)(x).tolist()
    [[[[5.0, 6.0]]]]
    >>> ops.MaxPool(kernel_size=2, strides=2, pad_mode="same")(x).tolist()
    [[[[5.0, 6.0]]]]
""",
    "MaxPoolWithArgmax": """\
Args:
    x: Images (N, C, H, W), or (N, H, W, C) as `data_format` says.
    kernel_size: Extents of the window, an int or two of them.
    strides: Steps between windows, likewise.
    pad_mode: "valid" for windows inside only, "same" for ceil(extent / stride) places; in either case of letters.
    data_format: "NCHW" or "NHWC".

Examples:
    >>> x = Tensor([[[[1.0, 7.0, 3.0], [4.0, 5.0, 6.0]]]])
    >>> [y.tolist() for y in ops.MaxPoolWithArgmax(kernel_size=2)(x)]
    [[[[[7.0, 7.0]]]], [[[[1, 1]]]]]
""",
    "MaxPool3D": """\
Args:
    x: Volumes (N, C, D, H, W).
    kernel_size: Extents of the window, an int or three of them.
    strides: Steps between windows, likewise.
    pad_mode: "VALID", "SAME", or "PAD" for the borders of `pad_list`.
    pad_list: Widths of the borders for "PAD", an int or six of them; else 0.
    ceil_mode: Whether a last window that is not full counts; None is False.
    data_format: "NCDHW".

Examples:
    >>> x = Tensor(np.arange(8.0, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    >>> ops.MaxPool3D(kernel_size=2)(x).tolist()
    [[[[[7.0]]]]]
    >>> ops.MaxPool3D(kernel_size=(1, 2, 2))(x).tolist()
    [[[[[3.0]], [[7.0]]]]]
""",
    "MaxPool3DWithArgmax": """\
Args:
    x: Volumes (N, C, D, H, W).
    ksize: Extents of the window, an int or three of them.
    strides: Steps between windows, likewise.
    pads: Widths of the borders, at most half the window.
    dilation: Distances of the elements in a window.
    ceil_mode: Whether a last window that is not full counts.
    argmax_type: The dtype of the indices, int32 or int64.
    data_format: "NCDHW".

Examples:
    >>> x = Tensor(np.arange(8.0, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    >>> [y.tolist() for y in ops.MaxPool3DWithArgmax(ksize=2, strides=2, pads=0)(x)]
    [[[[[[7.0]]]]], [[[[[7]]]]]]
""",
    "MaxPoolWithArgmaxV2": """\
Args:
    x: Images (N, C, H, W).
    kernel_size: Extents of the window, an int or two of them.
    strides: Steps between windows, likewise; None for the window's extents.
    pads: Widths of the borders, at most half the window.
    dilation: Distances of the elements in a window.
    ceil_mode: Whether a last window that is not full counts.
    argmax_type: The dtype of the indices, int32 or int64.

Examples:
    >>> x = Tensor([[[[1.0, 7.0, 3.0, 9.0], [4.0, 5.0, 6.0, 8.0]]]])
    >>> [y.tolist() for y in ops.MaxPoolWithArgmaxV2(kernel_size=2)(x)]
    [[[[[7.0, 9.0]]]], [[[[1, 3]]]]]
""",
    "AvgPool": """\
Args:
    x: (N, C, H, W), floating point.
    kernel_size: The extents of a window, an int or two.
    strides: The distance of two windows, an int or two.
    pad_mode: "valid" adds nothing, "same" a border so that the extents are those of the input over the stride.
    data_format: "NCHW" or "NHWC".

Examples:
    >>> ops.AvgPool(kernel_size=(1, 2))(Tensor([[[[1.0, 3.0, 5.0]]]])).tolist()
    [[[[2.0, 4.0]]]]
""",
    "AvgPool3D": """\
Args:
    x: (N, C, D, H, W), floating point.
    kernel_size: The extents of a window, an int or three.
    strides: The distance of two windows, an int or three.
    pad_mode: "valid" adds nothing, "same" zeros so that the extents are those of the input over the stride, "pad"
        as many as `pad` says.
    pad: How many zeros, an int, three or six.
    ceil_mode: Whether a window that reaches beyond the end counts.
    count_include_pad: Whether the zeros that were added count.
    divisor_override: The divisor of the sums; 0 takes the number of elements.
    data_format: "NCDHW".

Examples:
    >>> ops.AvgPool3D(kernel_size=(1, 1, 2))(Tensor([[[[[1.0, 3.0, 5.0]]]]])).tolist()
    [[[[[2.0, 4.0]]]]]
""",
}
