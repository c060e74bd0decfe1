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
    "Eye": """\
Args:
    n, m: The numbers of rows and of columns.
    dtype: The type of the elements.

Examples:
    >>> ops.Eye()(2, 3, mindspore.int32).tolist()
    [[1, 0, 0], [0, 1, 0]]
""",
    "FillV2": """\
Args:
    shape: The shape, a tuple of ints or a tensor of them.
    value: A tensor without dimensions.

Examples:
    >>> ops.FillV2()((2, 2), Tensor(3.0)).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
""",
}
