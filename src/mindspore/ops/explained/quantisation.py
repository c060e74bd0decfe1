"""Sections of the texts of operators in `quantisation`."""
TEXTS = {
    "MinMaxUpdatePerLayer": """\
Args:
    x: Any shape, floating point.
    min, max: The earlier ends, with one element each.
    ema: Whether the ends are moving means; else those of `x` alone.
    ema_decay: The weight of the earlier ends, a float in [0, 1].

Examples:
    >>> ends = Tensor([-1.0]), Tensor([1.0])
    >>> [y.tolist() for y in ops.MinMaxUpdatePerLayer()(Tensor([-2.0, 3.0]), *ends)]
    [[-2.0], [3.0]]
    >>> [y.tolist() for y in ops.MinMaxUpdatePerLayer(ema=True, ema_decay=0.5)(Tensor([-2.0, 3.0]), *ends)]
    [[-1.5], [2.0]]
""",
    "MinMaxUpdatePerChannel": """\
Args:
    x: With the channels in `channel_axis`, floating point.
    min, max: The earlier ends, an element for each channel.
    ema: Whether the ends are moving means; else those of `x` alone.
    ema_decay: The weight of the earlier ends, a float in [0, 1].
    channel_axis: The dimension of the channels, an int.

Examples:
    >>> x, zeros = Tensor([[-2.0, 3.0], [1.0, 4.0]]), Tensor([0.0, 0.0])
    >>> [y.tolist() for y in ops.MinMaxUpdatePerChannel()(x, zeros, zeros)]
    [[-2.0, 0.0], [1.0, 4.0]]
""",
    "FakeQuantPerLayer": """\
Args:
    x: The numbers, float32.
    min: The lower end of the range, (1,).
    max: The upper end of the range, (1,).
    num_bits: The number of bits of a quantised number, 2 to 16.
    ema: Whether the range in training is the moving mean of `min`, `max` and the range of the elements.
    ema_decay: How much of the old range is kept, in [0, 1].
    quant_delay: Must be 0: an operator counts no steps.
    symmetric: Whether the range reaches as far below 0 as above it.
    narrow_range: Whether the least quantised number is left out.
    training: Whether the range is that of the elements; else that of `min` and `max`.

Examples:
    >>> quantise = ops.FakeQuantPerLayer(num_bits=2, training=False)
    >>> quantise(Tensor([-1.0, 0.75, 1.25, 9.0]), Tensor([0.0]), Tensor([3.0])).tolist()
    [0.0, 1.0, 1.0, 3.0]
""",
    "FakeQuantPerChannel": """\
Args:
    x: The numbers, float32.
    min: The lower ends of the ranges, one for each channel.
    max: The upper ends of the ranges, one for each channel.
    num_bits: The number of bits of a quantised number, 2 to 16.
    ema: Whether the range in training is the moving mean of `min`, `max` and the range of the elements.
    ema_decay: How much of the old range is kept, in [0, 1].
    quant_delay: Must be 0: an operator counts no steps.
    symmetric: Whether the range reaches as far below 0 as above it.
    narrow_range: Whether the least quantised number is left out.
    training: Whether the range is that of the elements; else that of `min` and `max`.
    channel_axis: The dimension of the channels.

Examples:
    >>> quantise = ops.FakeQuantPerChannel(num_bits=2, training=False)
    >>> quantise(Tensor([[1.25, 1.25]]), Tensor([0.0, 0.0]), Tensor([3.0, 6.0])).tolist()
    [[1.0, 2.0]]
""",
    "FakeQuantWithMinMaxVars": """\
Args:
    x: The numbers, float32.
    min: The lower end of the range, (1,).
    max: The upper end of the range, (1,).
    num_bits: The number of bits of a quantised number, 2 to 16.
    narrow_range: Whether the least quantised number is left out.

Examples:
    >>> quantise = ops.FakeQuantWithMinMaxVars(num_bits=2)
    >>> quantise(Tensor([-1.0, 0.75, 1.25, 9.0]), Tensor([0.0]), Tensor([3.0])).tolist()
    [0.0, 1.0, 1.0, 3.0]
""",
    "FakeQuantWithMinMaxVarsPerChannel": """\
Args:
    x: The numbers, float32.
    min: The lower ends of the ranges, one for each index of the last axis.
    max: The upper ends of the ranges, one for each index of the last axis.
    num_bits: The number of bits of a quantised number, 2 to 16.
    narrow_range: Whether the least quantised number is left out.

Examples:
    >>> quantise = ops.FakeQuantWithMinMaxVarsPerChannel(num_bits=2)
    >>> quantise(Tensor([[1.25, 1.25]]), Tensor([0.0, 0.0]), Tensor([3.0, 6.0])).tolist()
    [[1.0, 2.0]]
""",
    "FakeLearnedScaleQuantPerLayer": """\
Args:
    input_x: The numbers, float32.
    alpha: The learned end of the range, (1,).
    quant_max: The number of steps between 0 and `alpha`, (1,).
    quant_delay: Must be 0: an operator counts no steps.
    neg_trunc: Whether the range begins at 0, else at -`alpha`.
    training: Has no effect: the range is `alpha` in either case.

Examples:
    >>> quantise = ops.FakeLearnedScaleQuantPerLayer()
    >>> quantise(Tensor([-9.0, 0.75, 1.25]), Tensor([2.0]), Tensor([2.0])).tolist()
    [-2.0, 1.0, 1.0]
""",
    "FakeLearnedScaleQuantPerChannel": """\
Args:
    input_x: The numbers, float32.
    alpha: The learned ends of the ranges, one for each channel.
    quant_max: The number of steps between 0 and `alpha`, (1,) or one for each channel.
    quant_delay: Must be 0: an operator counts no steps.
    neg_trunc: Whether the range begins at 0, else at -`alpha`.
    training: Has no effect: the range is `alpha` in either case.
    channel_axis: The dimension of the channels.

Examples:
    >>> quantise = ops.FakeLearnedScaleQuantPerChannel()
    >>> quantise(Tensor([[1.25, 1.25]]), Tensor([2.0, 4.0]), Tensor([2.0])).tolist()
    [[1.0, 2.0]]
""",
    "CorrectionMul": """\
Args:
    x: The weights of a convolution, floating point.
    batch_std, running_std: Deviations of the batch and of the running statistics, one for each channel.
    channel_axis: The dimension of the channels.

Examples:
    >>> ops.CorrectionMul()(Tensor([[1.0], [2.0]]), Tensor([2.0, 4.0]), Tensor([1.0, 2.0])).tolist()
    [[2.0], [4.0]]
""",
    "BatchNormFold": """\
Args:
    x: (N, C, H, W), floating point.
    mean, variance: The moving statistics, parameters of the shape (C,).
    global_step: The number of the step, a tensor with one integer.
    momentum: How much of the moving statistics is kept.
    epsilon: What is added to the variances below the root.
    is_training: Whether the batch counts.
    freeze_bn: From this step on the moving statistics are kept.

Examples:
    >>> mean, variance = Parameter(Tensor([0.0])), Parameter(Tensor([4.0]))
    >>> fold = ops.BatchNormFold(epsilon=0.0, is_training=False)
    >>> [each.tolist() for each in fold(ops.ones((1, 1, 2, 2)), mean, variance, Tensor([0]))]
    [[0.0], [1.0], [0.0], [2.0]]
""",
    "BatchNormFold2": """\
Args:
    x: (N, C, H, W), floating point.
    beta, gamma: Shift and factor of the batch normalisation, (C,).
    batch_std, batch_mean, running_std, running_mean: The statistics, (C,).
    global_step: The number of the step, a tensor with one integer.
    freeze_bn: From this step on the running statistics count.

Examples:
    >>> beta, gamma, std, mean = Tensor([1.0]), Tensor([2.0]), Tensor([4.0]), Tensor([2.0])
    >>> ops.BatchNormFold2()(ops.ones((1, 1, 1, 2)), beta, gamma, std, mean, 2 * std, mean, Tensor([0])).tolist()
    [[[[1.5, 1.5]]]]
""",
}
