"""Sections of the texts of operators in `nn_normalisation`."""
TEXTS = {
    "BatchNorm": """\
Args:
    x: (N, C, ...), floating point.
    scale, bias: The factor and what is added, (C,).
    mean, variance: The moving statistics, (C,); in training parameters, which change.
    is_training: Whether the statistics are those of the batch.
    epsilon: What is added to the variance, in (0, 1].
    momentum: How much the batch counts in the moving statistics, in [0, 1].
    data_format: "NCHW" or "NHWC".

Examples:
    >>> one, zero = Tensor([1.0, 1.0]), Tensor([0.0, 0.0])
    >>> ops.BatchNorm()(Tensor([[1.0, 2.0]]), one, zero, Tensor([1.0, 1.0]), one)[0].asnumpy().round(3)
    array([[0., 1.]], dtype=float32)
""",
    "L2Normalize": """\
Args:
    x: Floating point.
    axis: The dimensions, an int, or a list or tuple of ints.
    epsilon: The least sum of squares.

Examples:
    >>> ops.L2Normalize(axis=1)(Tensor([[3.0, 4.0]])).asnumpy().round(4)
    array([[0.6, 0.8]], dtype=float32)
""",
    "LRN": """\
Args:
    x: (N, C, H, W), floating point.
    depth_radius: How many channels on each side count.
    bias, alpha, beta: The numbers of the formula.
    norm_region: "ACROSS_CHANNELS".

Examples:
    >>> ops.LRN(depth_radius=1)(Tensor([[[[1.0]], [[1.0]], [[1.0]]]])).asnumpy().round(4).ravel()
    array([0.5774, 0.5   , 0.5774], dtype=float32)
""",
    "LayerNorm": """\
Args:
    x: Floating point.
    gamma, beta: The factor and what is added, of the shape of the last dimensions of `x`.
    begin_norm_axis: The first dimension that is normalised.
    begin_params_axis: The first dimension of `gamma` and `beta`.
    epsilon: What is added to the variance.

Examples:
    >>> y, mean, variance = ops.LayerNorm()(Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]))
    >>> y.asnumpy().round(4), mean.tolist(), variance.asnumpy().round(4)
    (array([[-1.,  1.]], dtype=float32), [[2.0]], array([[1.]], dtype=float32))
""",
}
