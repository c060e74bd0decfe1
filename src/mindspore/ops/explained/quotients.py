"""Texts of quotients that are whole numbers, and of remainders."""
TEXTS = {
    "FloorDiv": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, any dtypes, which are joined.

Examples:
    >>> ops.FloorDiv()(Tensor([7, -7]), 2).tolist()
    [3, -4]
""",
    "TruncateDiv": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.TruncateDiv()(Tensor([7, -7]), 2).tolist()
    [3, -3]
""",
    "FloorMod": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, of dtypes that are joined.

Examples:
    >>> ops.FloorMod()(Tensor([7, -7]), 3).tolist()
    [1, 2]
""",
    "TruncateMod": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.TruncateMod()(Tensor([7, -7]), 3).tolist()
    [1, -1]
""",
    "Mod": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.Mod()(Tensor([7, -7]), Tensor([3, 3])).tolist()
    [1, -1]
""",
}
