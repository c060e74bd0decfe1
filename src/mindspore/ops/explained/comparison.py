"""Sections of the texts of operators in `comparison`."""
TEXTS = {
    "Equal": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.
""",
    "NotEqual": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.NotEqual()(Tensor([1, 2]), Tensor([1, 3])).tolist()
    [False, True]
""",
    "Less": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.
""",
    "LessEqual": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.LessEqual()(Tensor([1, 2, 3]), 2).tolist()
    [True, True, False]
""",
    "Greater": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.
""",
    "GreaterEqual": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.GreaterEqual()(Tensor([1, 2, 3]), 2).tolist()
    [False, True, True]
""",
    "ApproximateEqual": """\
Args:
    x, y: Tensors of one shape; no bools.
    tolerance: The least difference that counts, a float.

Examples:
    >>> ops.ApproximateEqual(tolerance=0.1)(Tensor([1.0, 2.0]), Tensor([1.05, 2.5])).tolist()
    [True, False]
""",
    "IsClose": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.
    rtol, atol: How much the numbers may differ, relative to `y` and absolutely; floats, not negative.
    equal_nan: Whether two NaN are close.

Examples:
    >>> ops.IsClose(atol=0.1)(Tensor([1.0, 2.0]), Tensor([1.05, 2.5])).tolist()
    [True, False]
""",
    "EqualCount": """\
Args:
    x, y: Tensors of one shape and dtype.

Examples:
    >>> ops.EqualCount()(Tensor([1, 2, 3]), Tensor([1, 2, 4])).tolist()
    [2]
""",
    "IsNan": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.IsNan()(Tensor([float("nan"), 1.0])).tolist()
    [True, False]
""",
    "IsInf": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.IsInf()(Tensor([float("-inf"), 1.0])).tolist()
    [True, False]
""",
    "IsFinite": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.IsFinite()(Tensor([float("inf"), 1.0])).tolist()
    [False, True]
""",
    "IsNegInf": """\
Args:
    x: Any shape, real.

Examples:
    >>> x = Tensor([float("inf"), -float("inf"), float("nan"), 0.0])
    >>> ops.isneginf(x).tolist()
    [False, True, False, False]
""",
    "IsPosInf": """\
Args:
    x: Any shape, real.

Examples:
    >>> x = Tensor([float("inf"), -float("inf"), float("nan"), 0.0])
    >>> ops.isposinf(x).tolist()
    [True, False, False, False]
""",
    "IsReal": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.isreal(Tensor(np.array([1 + 1j, 2 + 0j], np.complex64))).tolist()
    [False, True]
""",
    "Signbit": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.signbit(Tensor([-1.0, -0.0, 0.0])).tolist()
    [True, True, False]
""",
}
