"""Sections of the texts of operators in `activation`."""
TEXTS = {
    "Sigmoid": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.
""",
    "Tanh": """\
Args:
    x: Any shape; floats and complex numbers, others are computed in float32.

Examples:
    >>> ops.Tanh()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.7616], dtype=float32)
""",
    "Silu": """\
Args:
    x: Any shape, floating point or complex.

Examples:
    >>> ops.silu(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.7311], dtype=float32)
""",
    "HSwish": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.HSwish()(Tensor([0.0, 3.0, 4.0])).tolist()
    [0.0, 3.0, 4.0]
""",
    "Mish": """\
Args:
    x: Any shape, floating point.

Examples:
    >>> ops.Mish()(Tensor([0.0, 1.0])).asnumpy().round(4)
    array([0.    , 0.8651], dtype=float32)
""",
    "Elu": """\
Args:
    x: Any shape, floating point.
    alpha: The limit for small `x` is -alpha; a float.
    scale, rate: Factors of the result and of the exponent, which no public name takes.

Examples:
    >>> ops.Elu()(Tensor([-1.0, 0.0, 2.0])).asnumpy().round(4)
    array([-0.6321,  0.    ,  2.    ], dtype=float32)
""",
    "CeLU": """\
Args:
    x: Any shape, floating point.
    alpha: The limit for small `x` is -alpha; a float, not 0.

Examples:
    >>> ops.CeLU(alpha=2.0)(Tensor([-2.0, 0.0, 2.0])).asnumpy().round(4)
    array([-1.2642,  0.    ,  2.    ], dtype=float32)
""",
    "SeLU": """\
Args:
    x: Any shape, floating point or integers.

Examples:
    >>> ops.SeLU()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
    array([-1.1113,  0.    ,  1.0507], dtype=float32)
""",
    "Softplus": """\
Args:
    x: Any shape, floating point.
    beta, threshold: The factor and the bound, which no public name takes.

Examples:
    >>> ops.Softplus()(Tensor([0.0, 30.0])).asnumpy().round(4)
    array([ 0.6931, 30.    ], dtype=float32)
""",
    "Softsign": """\
Args:
    x: Any shape; floats and complex numbers, integers are computed in float32.

Examples:
    >>> ops.Softsign()(Tensor([-1.0, 0.0, 3.0])).tolist()
    [-0.5, 0.0, 0.75]
""",
    "LogSigmoid": """\
Args:
    x: Any shape, floating point.

Examples:
    >>> ops.logsigmoid(Tensor([0.0])).asnumpy().round(4)
    array([-0.6931], dtype=float32)
""",
}
