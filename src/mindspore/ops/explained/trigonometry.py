"""Sections of the texts of operators in `trigonometry`."""
TEXTS = {
    "Sin": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Sin()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.8415], dtype=float32)
""",
    "Cos": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Cos()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([1.    , 0.5403], dtype=float32)
""",
    "Tan": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Tan()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 1.5574], dtype=float32)
""",
    "Asin": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Asin()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 1.5708], dtype=float32)
""",
    "ACos": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.ACos()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([1.5708, 0.    ], dtype=float32)
""",
    "Atan": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Atan()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.7854], dtype=float32)
""",
    "Atan2": """\
Args:
    y, x: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.Atan2()(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4)
    array([0.7854], dtype=float32)
""",
    "Sinh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Sinh()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 1.1752], dtype=float32)
""",
    "Cosh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Cosh()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([1.    , 1.5431], dtype=float32)
""",
    "Asinh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Asinh()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.8814], dtype=float32)
""",
    "Acosh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Acosh()(Tensor([1.0, 2.0])).asnumpy().round(4)
    array([0.   , 1.317], dtype=float32)
""",
    "Atanh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Atanh()(Tensor([0.0, 0.5])).asnumpy().round(4)
    array([0.    , 0.5493], dtype=float32)
""",
    "Sinc": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Sinc()(Tensor([0.0, 0.5])).asnumpy().round(4)
    array([1.    , 0.6366], dtype=float32)
""",
}
