"""Sections of the texts of operators in `numbers`."""
TEXTS = {
    "Gcd": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers, of dtypes that are joined.

Examples:
    >>> ops.Gcd()(Tensor([12, 7]), Tensor([18, 21])).tolist()
    [6, 7]
""",
    "Lcm": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers, of dtypes that are joined.

Examples:
    >>> ops.Lcm()(Tensor([4, 7]), Tensor([6, 21])).tolist()
    [12, 21]
""",
    "Heaviside": """\
Args:
    x: Any shape, real.
    values: What replaces 0, of the dtype of `x` and of a shape that broadcasts with it.

Examples:
    >>> ops.Heaviside()(Tensor([-2.0, 0.0, 3.0]), Tensor([0.5])).tolist()
    [0.0, 0.5, 1.0]
""",
    "NextAfter": """\
Args:
    x, y: Floating-point tensors of one dtype, whose shapes broadcast.

Examples:
    >>> ops.NextAfter()(Tensor([0.0], mindspore.float64), Tensor([1.0], mindspore.float64)).tolist()
    [5e-324]
""",
    "NanToNum": """\
Args:
    x: Any shape and dtype.
    nan, posinf, neginf: The numbers for NaN, infinity and minus infinity; None for 0 and for the extremes of the
        dtype.

Examples:
    >>> ops.NanToNum(nan=1.0, posinf=9.0)(Tensor([float("nan"), float("inf"), 2.0])).tolist()
    [1.0, 9.0, 2.0]
""",
    "Real": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.Real()(Tensor([3 + 4j], mindspore.complex64)).tolist()
    [3.0]
""",
    "Imag": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.Imag()(Tensor([3 + 4j], mindspore.complex64)).tolist()
    [4.0]
""",
    "Conj": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.Conj()(Tensor([3 + 4j], mindspore.complex64)).tolist()
    [(3-4j)]
""",
    "Angle": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Angle()(Tensor([1j], mindspore.complex64)).asnumpy().round(4)
    array([1.5708], dtype=float32)
""",
    "ComplexAbs": """\
Args:
    x: Any shape, complex.

Examples:
    >>> ops.ComplexAbs()(Tensor([3 + 4j], mindspore.complex64)).tolist()
    [5.0]
""",
    "Complex": """\
Args:
    re, im: Tensors of one dtype, float32 or float64, whose shapes broadcast.

Examples:
    >>> ops.Complex()(Tensor([3.0]), Tensor([4.0])).tolist()
    [(3+4j)]
""",
    "Polar": """\
Args:
    r, a: The absolute value and the angle in radians, of one shape and one dtype, float32 or float64.

Examples:
    >>> ops.Polar()(Tensor([2.0]), Tensor([0.0])).tolist()
    [(2+0j)]
""",
    "Copysign": """\
Args:
    x, y: Tensors whose shapes broadcast to one, real; one may be a number.

Examples:
    >>> ops.copysign(Tensor([1.0, -2.0]), Tensor([-0.0, 3.0])).tolist()
    [-1.0, 2.0]
""",
}
