"""Sections of the texts of operators in `gelus`."""
TEXTS = {
    "GeLU": """\
Args:
    x: Any shape, floating point.
    approximate: "tanh" or "none"; the primitives approximate.

Examples:
    >>> ops.GeLU()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
    array([-0.1588,  0.    ,  0.8412], dtype=float32)
""",
    "FastGeLU": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.FastGeLU()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
    array([-0.1542,  0.    ,  0.8458], dtype=float32)
""",
}
