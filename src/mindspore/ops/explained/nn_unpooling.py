"""Sections of the texts of operators in `nn_unpooling`."""
TEXTS = {
    "MaxUnpool2D": """\
Args:
    x: Images (N, C, H, W).
    argmax: Of the shape of `x`, integers: places in the flattened plane, as pooling gives them.
    ksize: Extents of the window of the pooling, an int or two of them.
    strides: Its steps, likewise; 0 for the window's extents.
    pads: Widths of its borders, likewise.
    output_shape: The shape of the result; () to compute it from the window.
    data_format: "NCHW" or "NHWC".

Examples:
    >>> x, places = Tensor([[[[7.0, 9.0]]]]), Tensor([[[[1, 3]]]])
    >>> ops.MaxUnpool2D(ksize=2)(x, places).tolist()
    [[[[0.0, 7.0, 0.0, 9.0], [0.0, 0.0, 0.0, 0.0]]]]
""",
    "MaxUnpool3D": """\
Args:
    x: Volumes (N, C, D, H, W).
    argmax: Of the shape of `x`, integers: places in the flattened plane, as pooling gives them.
    ksize: Extents of the window of the pooling, an int or three of them.
    strides: Its steps, likewise; 0 for the window's extents.
    pads: Widths of its borders, likewise.
    output_shape: The shape of the result; () to compute it from the window.
    data_format: "NCDHW".

Examples:
    >>> x, places = Tensor([[[[[7.0]]]]]), Tensor([[[[[5]]]]])
    >>> ops.MaxUnpool3D(ksize=2)(x, places).tolist()
    [[[[[0.0, 0.0], [0.0, 0.0]], [[0.0, 7.0], [0.0, 0.0]]]]]
""",
}
