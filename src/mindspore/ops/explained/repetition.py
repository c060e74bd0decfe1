"""Sections of the texts of operators in `repetition`."""
TEXTS = {
    "Meshgrid": """\
Args:
    xs: A tuple of vectors of one dtype.
    indexing: "xy" exchanges the first two dimensions of the grid, "ij" does not.

Examples:
    >>> [each.tolist() for each in ops.Meshgrid(indexing="ij")((Tensor([1, 2]), Tensor([3, 4])))]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
""",
    "ReverseV2": """\
Args:
    x: Any shape and dtype.
    axis: A tuple of ints within the rank.

Examples:
    >>> ops.ReverseV2(axis=[1])(Tensor([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]
""",
    "Roll": """\
Args:
    x: Any shape and dtype.
    shifts: An int, or one for each of the `dims`.
    dims: An int, a tuple of ints, or None.

Examples:
    >>> ops.Roll(shifts=1, dims=0)(Tensor([1, 2, 3])).tolist()
    [3, 1, 2]
""",
}
