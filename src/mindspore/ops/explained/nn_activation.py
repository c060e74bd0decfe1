"""Sections of the texts of operators in `nn_activation`."""
TEXTS = {
    "ReLUV2": """\
Args:
    x: Any shape, real.

Examples:
    >>> [y.tolist() for y in ops.ReLUV2()(Tensor([-1.0, 0.0, 2.0]))]
    [[0.0, 0.0, 2.0], [0, 0, 1]]
""",
    "BiasAdd": """\
Args:
    x: Two to five dimensions.
    bias: One number for each channel, of the type of `x`.
    data_format: "NCHW" or "NCDHW": the channels are the dimension 1; "NHWC": the last one.

Examples:
    >>> ops.BiasAdd()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([10.0, 20.0])).tolist()
    [[11.0, 22.0], [13.0, 24.0]]
""",
}
