"""Sections of the texts of operators in `special`."""
TEXTS = {
    "Erf": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Erf()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.8427], dtype=float32)
""",
    "Erfc": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Erfc()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([1.    , 0.1573], dtype=float32)
""",
    "Erfinv": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Erfinv()(Tensor([0.0, 0.5])).asnumpy().round(4)
    array([0.    , 0.4769], dtype=float32)
""",
    "Logit": """\
Args:
    x: Any shape, real; others than floats are computed in float32.
    eps: A float; -1.0 leaves x unchanged.

Examples:
    >>> ops.Logit(eps=0.25)(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.    , 1.0986], dtype=float32)
""",
    "Lgamma": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Lgamma()(Tensor([1.0, 4.0])).asnumpy().round(4)
    array([0.    , 1.7918], dtype=float32)
""",
    "Digamma": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Digamma()(Tensor([1.0, 2.0])).asnumpy().round(4)
    array([-0.5772,  0.4228], dtype=float32)
""",
    "Polygamma": """\
Args:
    a: Whole numbers, without dimensions or of a shape that broadcasts.
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.Polygamma()(Tensor(1), Tensor([1.0])).asnumpy().round(4)
    array([1.6449], dtype=float32)
""",
    "Zeta": """\
Args:
    x, q: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.Zeta()(Tensor([2.0]), Tensor([1.0])).asnumpy().round(4)
    array([1.6449], dtype=float32)
""",
    "Igamma": """\
Args:
    a, x: Floating-point tensors of one dtype, whose shapes broadcast.

Examples:
    >>> ops.Igamma()(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4)
    array([0.6321], dtype=float32)
""",
    "Igammac": """\
Args:
    a, x: Floating-point tensors of one dtype, whose shapes broadcast.

Examples:
    >>> ops.Igammac()(Tensor([1.0]), Tensor([1.0])).asnumpy().round(4)
    array([0.3679], dtype=float32)
""",
    "BesselI0": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselI0()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([1.0635, 1.2661], dtype=float32)
""",
    "BesselI1": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselI1()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.2579, 0.5652], dtype=float32)
""",
    "BesselI0e": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselI0e()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.645 , 0.4658], dtype=float32)
""",
    "BesselI1e": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselI1e()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.1564, 0.2079], dtype=float32)
""",
    "BesselK0": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselK0()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.9244, 0.421 ], dtype=float32)
""",
    "BesselK1": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselK1()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([1.6564, 0.6019], dtype=float32)
""",
    "BesselK0e": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselK0e()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([1.5241, 1.1445], dtype=float32)
""",
    "BesselK1e": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselK1e()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([2.731 , 1.6362], dtype=float32)
""",
    "BesselJ0": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselJ0()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.9385, 0.7652], dtype=float32)
""",
    "BesselJ1": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselJ1()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([0.2423, 0.4401], dtype=float32)
""",
    "BesselY0": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselY0()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([-0.4445,  0.0883], dtype=float32)
""",
    "BesselY1": """\
Args:
    x: Any shape, real; others than floats are computed in float32.

Examples:
    >>> ops.BesselY1()(Tensor([0.5, 1.0])).asnumpy().round(4)
    array([-1.4715, -0.7812], dtype=float32)
""",
}
