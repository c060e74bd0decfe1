"""Sections of the texts of operators in `further_primitives`."""
TEXTS = {
    "AddV2": """\
Args:
    x, y: Tensors of one shape, else ValueError.

Examples:
    >>> ops.operations.AddV2()(Tensor([1, 2]), Tensor([3, 4])).tolist()
    [4, 6]
""",
    "TridiagonalSolve": """\
Args:
    partial_pivoting: A bool; rows are always exchanged where that makes the solution more exact.
    diagonals: The diagonals above, on and below the main one, (..., 3, n); the last number of the first and the first
        of the last count for nothing.
    rhs: The right sides, (..., n, k).

Examples:
    >>> diagonals = Tensor([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 5.0]])
    >>> ops.TridiagonalSolve()(diagonals, Tensor([[3.0], [9.0], [9.0]])).round(decimals=4).tolist()
    [[1.0], [1.0], [1.0]]
""",
    "SelfAdjointEig": """\
Args:
    compute_v: A bool; the eigenvectors are computed in any case.
    x: Symmetric matrices (..., n, n); the lower triangle counts.

Examples:
    >>> values, _ = ops.SelfAdjointEig()(Tensor([[2.0, 0.0], [0.0, 1.0]]))
    >>> values.tolist()
    [1.0, 2.0]
""",
    "Lu": """\
Args:
    output_idx_type: The dtype of the rows, int32 or int64.
    input: Square matrices (..., n, n).

Examples:
    >>> _, rows = ops.Lu(mindspore.int32)(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    >>> rows.tolist()
    [1, 0]
""",
    "ResizeV2": """\
Args:
    coordinate_transformation_mode: "half_pixel", or "align_corners", with which the corner elements keep their places.
    mode: "nearest", "linear" or "cubic".
    x: Images (1, C, H, W), of one row for the first two modes.
    roi, scales: Tensors that count for nothing.
    sizes: The shape of the result, 4 integers.

Examples:
    >>> x, unused = Tensor([[[[1.0, 2.0]]]]), Tensor([0.0])
    >>> ops.ResizeV2()(x, unused, unused, Tensor([1, 1, 1, 4])).tolist()
    [[[[1.0, 1.0, 2.0, 2.0]]]]
""",
    "InstanceNorm": """\
Args:
    epsilon: What is added to the variance, in (0, 1].
    momentum: The weight of the new mean and variance in those that run, in [0, 1].
    x: Samples (N, C, ...).
    gamma, beta: Scale and shift of the channels, parameters (C,).
    mean, variance: Those that run, parameters (C,), which are updated.

Examples:
    >>> scale, shift, mean, variance = [mindspore.Parameter(Tensor([v]), name=str(v)) for v in (1.0, 0.0, 0.5, 2.0)]
    >>> ops.InstanceNorm()(Tensor([[[1.0, 3.0]]]), scale, shift, mean, variance)[0].round(decimals=3).tolist()
    [[[-1.0, 1.0]]]
""",
    "PSROIPooling": """\
Args:
    spatial_scale: The size of a feature beside a pixel.
    group_size: How many bins each axis has.
    output_dim: How many channels the result has.
    features: (batch, output_dim * group_size ** 2, H, W).
    rois: The regions (batch, 5, n): the number of the image, and left, upper, right and lower edge.

Examples:
    >>> features = mindspore.ops.ones((1, 4, 4, 4))
    >>> ops.PSROIPooling(1.0, 2, 1)(features, Tensor([[[0.0], [0.0], [0.0], [3.0], [3.0]]])).shape
    (1, 1, 2, 2)
""",
}
