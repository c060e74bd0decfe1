"""Sections of the texts of operators in `nn_pooling_random`."""
TEXTS = {
    "FractionalMaxPoolWithFixedKsize": """\
Args:
    x: (N, C, H, W), floating point.
    samples: Numbers in [0, 1) that choose the steps, (N, C, 2).
    ksize: The extents of a window, an int or two.
    output_shape: The extents of the result, an int or two.
    data_format: "NCHW".

Examples:
    >>> pool = ops.FractionalMaxPoolWithFixedKsize((1, 2), (1, 2))
    >>> values, places = pool(Tensor([[[[1.0, 3.0, 2.0, 4.0]]]]), Tensor([[[0.5, 0.5]]]))
    >>> values.tolist(), places.tolist()
    ([[[[3.0, 4.0]]]], [[[[1, 3]]]])
""",
    "FractionalMaxPool3DWithFixedKsize": """\
Args:
    x: (N, C, D, H, W), floating point.
    samples: Numbers in [0, 1) that choose the steps, (N, C, 3).
    ksize: The extents of a window, an int or three.
    output_shape: The extents of the result, an int or three.
    data_format: "NCDHW".

Examples:
    >>> pool = ops.FractionalMaxPool3DWithFixedKsize((1, 1, 2), (1, 1, 2))
    >>> values, places = pool(ops.arange(16.0).reshape(1, 1, 2, 2, 4), Tensor([[[0.5, 0.5, 0.5]]]))
    >>> values.tolist(), places.tolist()
    ([[[[[13.0, 15.0]]]]], [[[[[13, 15]]]]])
""",
}
