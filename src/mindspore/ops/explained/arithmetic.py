"""Sections of the texts of operators in `arithmetic`."""
TEXTS = {
    "Add": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.
""",
    "Sub": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.
""",
    "Mul": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.
""",
    "Div": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.Div()(Tensor([1, 3]), Tensor([2, 2])).tolist()
    [0.5, 1.5]
""",
    "RealDiv": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.RealDiv()(Tensor([1.0, 3.0]), 2.0).tolist()
    [0.5, 1.5]
""",
    "Neg": """\
Args:
    x: Any shape and any dtype but bool.

Examples:
    >>> ops.Neg()(Tensor([1.0, -2.0])).tolist()
    [-1.0, 2.0]
""",
    "DivNoNan": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.DivNoNan()(Tensor([1.0, 3.0]), Tensor([0.0, 2.0])).tolist()
    [0.0, 1.5]
""",
    "MulNoNan": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.MulNoNan()(Tensor([float("inf"), 3.0]), Tensor([0.0, 2.0])).tolist()
    [0.0, 6.0]
""",
    "AddN": """\
Args:
    xs: A tuple or list of tensors of one shape and dtype.

Examples:
    >>> ops.AddN()([Tensor([1, 2]), Tensor([3, 4]), Tensor([5, 6])]).tolist()
    [9, 12]
""",
    "Addcmul": """\
Args:
    x, a, b: Tensors whose shapes broadcast.
    value: The factor of the product, a number or a tensor.

Examples:
    >>> ops.Addcmul()(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), Tensor([10.0])).tolist()
    [61.0]
""",
    "Addcdiv": """\
Args:
    x, a, b: Tensors whose shapes broadcast.
    value: The factor of the quotient, a number or a tensor.

Examples:
    >>> ops.Addcdiv()(Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), Tensor([10.0])).tolist()
    [21.0]
""",
    "Lerp": """\
Args:
    x, end: Floating-point tensors of one dtype, whose shapes broadcast.
    weight: How far to move from the first to the second: a float or a tensor.

Examples:
    >>> ops.Lerp()(Tensor([0.0, 10.0]), Tensor([4.0, 20.0]), 0.25).tolist()
    [1.0, 12.5]
""",
    "SquaredDifference": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, no bools, of dtypes that are joined.

Examples:
    >>> ops.SquaredDifference()(Tensor([1.0, 5.0]), Tensor([3.0, 2.0])).tolist()
    [4.0, 9.0]
""",
}
