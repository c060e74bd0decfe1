"""Sections of the texts of operators in `rounding`."""
TEXTS = {
    "Floor": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.Floor()(Tensor([1.5, -1.5])).tolist()
    [1.0, -2.0]
""",
    "Ceil": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.Ceil()(Tensor([1.5, -1.5])).tolist()
    [2.0, -1.0]
""",
    "Trunc": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.Trunc()(Tensor([1.5, -1.5])).tolist()
    [1.0, -1.0]
""",
    "Rint": """\
Args:
    x: Any shape, real.

Examples:
    >>> ops.Rint()(Tensor([0.5, 1.5, 1.7])).tolist()
    [0.0, 2.0, 2.0]
""",
    "Round": """\
Args:
    x: Any shape, real.
    decimals: The number of digits, an int; negative before the point.

Examples:
    >>> ops.Round()(Tensor([0.5, 1.5, 1.7])).tolist()
    [0.0, 2.0, 2.0]
""",
    "Maximum": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.
""",
    "Minimum": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.
""",
    "Fmax": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.Fmax()(Tensor([1.0, float("nan")]), Tensor([2.0, 3.0])).tolist()
    [2.0, 3.0]
""",
    "Fmin": """\
Args:
    x, y: Tensors or numbers, one of them a tensor; shapes that broadcast, real, of dtypes that are joined.

Examples:
    >>> ops.Fmin()(Tensor([1.0, float("nan")]), Tensor([2.0, 3.0])).tolist()
    [1.0, 3.0]
""",
}
