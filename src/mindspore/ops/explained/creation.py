"""Sections of the texts of operators in `creation`."""
TEXTS = {
    "LinSpace": """\
Args:
    start, stop: Tensors without dimensions, floating point.
    num: How many numbers, a positive int.

Examples:
    >>> ops.LinSpace()(Tensor(1.0), Tensor(3.0), 5).tolist()
    [1.0, 1.5, 2.0, 2.5, 3.0]
""",
    "Range": """\
Args:
    start, end, step: Numbers or tensors with one, of one dtype.
    maxlen: How many there may be, else ValueError.

Examples:
    >>> ops.Range()(0, 10, 4).tolist()
    [0, 4, 8]
""",
}
