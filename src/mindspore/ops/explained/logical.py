"""Sections of the texts of operators in `logical`."""
TEXTS = {
    "LogicalAnd": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.LogicalAnd()(Tensor([True, True]), Tensor([True, False])).tolist()
    [True, False]
""",
    "LogicalOr": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.LogicalOr()(Tensor([False, True]), Tensor([False, False])).tolist()
    [False, True]
""",
    "LogicalXor": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.LogicalXor()(Tensor([True, True]), Tensor([True, False])).tolist()
    [False, True]
""",
    "LogicalNot": """\
Args:
    x: Any shape and dtype.

Examples:
    >>> ops.LogicalNot()(Tensor([True, False])).tolist()
    [False, True]
""",
    "BitwiseAnd": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers or bools.

Examples:
    >>> ops.BitwiseAnd()(Tensor([6]), Tensor([3])).tolist()
    [2]
""",
    "BitwiseOr": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers or bools.

Examples:
    >>> ops.BitwiseOr()(Tensor([6]), Tensor([3])).tolist()
    [7]
""",
    "BitwiseXor": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers or bools.

Examples:
    >>> ops.BitwiseXor()(Tensor([6]), Tensor([3])).tolist()
    [5]
""",
    "LeftShift": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers, of dtypes that are joined.

Examples:
    >>> ops.LeftShift()(Tensor([3]), Tensor([2])).tolist()
    [12]
""",
    "RightShift": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, integers, of dtypes that are joined.

Examples:
    >>> ops.RightShift()(Tensor([12]), Tensor([2])).tolist()
    [3]
""",
    "Invert": """\
Args:
    x: Any shape, integers or bools.

Examples:
    >>> ops.Invert()(Tensor([0, 5])).tolist()
    [-1, -6]
""",
    "PopulationCount": """\
Args:
    x: Any shape, integers.

Examples:
    >>> ops.PopulationCount()(Tensor([7, 8], mindspore.int32)).tolist()
    [3, 1]
""",
}
