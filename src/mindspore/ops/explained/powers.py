"""Sections of the texts of operators in `powers`."""
TEXTS = {
    "Abs": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.Abs()(Tensor([-1.5, 2.0])).tolist()
    [1.5, 2.0]
""",
    "Sign": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.Sign()(Tensor([-1.5, 0.0, 2.0])).tolist()
    [-1.0, 0.0, 1.0]
""",
    "Square": """\
Args:
    x: Any shape and dtype.
""",
    "Sqrt": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.
""",
    "Rsqrt": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Rsqrt()(Tensor([4.0, 16.0])).tolist()
    [0.5, 0.25]
""",
    "Reciprocal": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.
""",
    "Exp": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.
""",
    "Expm1": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Expm1()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 1.7183], dtype=float32)
""",
    "Log": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.
""",
    "Log1p": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Log1p()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.6931], dtype=float32)
""",
    "Pow": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, no bools, of dtypes that are joined.
""",
    "Xlogy": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast; dtypes are joined, those of integers to
        float32.

Examples:
    >>> ops.Xlogy()(Tensor([0.0, 2.0]), Tensor([0.0, 1.0])).tolist()
    [0.0, 0.0]
""",
    "Xdivy": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast; dtypes are joined, those of integers to
        float32.

Examples:
    >>> ops.Xdivy()(Tensor([0.0, 3.0]), Tensor([0.0, 2.0])).tolist()
    [0.0, 1.5]
""",
    "Hypot": """\
Args:
    x, y: Floating-point tensors or numbers, one of them a tensor; shapes that broadcast, dtypes that are joined.

Examples:
    >>> ops.Hypot()(Tensor([3.0]), Tensor([4.0])).tolist()
    [5.0]
""",
    "Log10": """\
Args:
    x: Any shape; below 0 the result is nan.

Examples:
    >>> ops.log10(Tensor([1.0, 100.0])).asnumpy().round(4)
    array([0., 2.], dtype=float32)
""",
    "Log2": """\
Args:
    x: Any shape; below 0 the result is nan.

Examples:
    >>> ops.log2(Tensor([1.0, 8.0])).asnumpy().round(4)
    array([0., 3.], dtype=float32)
""",
    "Logaddexp": """\
Args:
    x, y: Tensors whose shapes broadcast to one, floating point; one may be a number.

Examples:
    >>> ops.logaddexp(Tensor([0.0]), Tensor([0.0])).asnumpy().round(4)
    array([0.6931], dtype=float32)
""",
    "Logaddexp2": """\
Args:
    x, y: Tensors whose shapes broadcast to one, floating point; one may be a number.

Examples:
    >>> ops.logaddexp2(Tensor([2.0]), Tensor([2.0])).asnumpy().round(4)
    array([3.], dtype=float32)
""",
}
