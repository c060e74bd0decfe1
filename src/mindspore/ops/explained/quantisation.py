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
}
