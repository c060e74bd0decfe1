"""Sections of the texts of operators in `inplace_rows`."""
TEXTS = {
    "IndexFill": """\
Args:
    x: A tensor.
    dim: The dimension of the slices, an int.
    index: Their places, int32, at most one dimension.
    value: The number, or a tensor without dimensions.

Examples:
    >>> ops.IndexFill()(Tensor([[1, 2], [3, 4]]), 1, Tensor([0], mindspore.int32), 0).tolist()
    [[0, 2], [0, 4]]
""",
    "InplaceAdd": """\
Args:
    x: A tensor with rows.
    v: What is added to the rows, one for each of `indices`.
    indices: The rows, an int or a tuple of ints.

Examples:
    >>> ops.InplaceAdd(1)(ops.ones((2, 2)), Tensor([[1.0, 2.0]])).tolist()
    [[1.0, 1.0], [2.0, 3.0]]
""",
    "InplaceSub": """\
Args:
    x: A tensor with rows.
    v: What is subtracted from the rows, one for each of `indices`.
    indices: The rows, an int or a tuple of ints.

Examples:
    >>> ops.InplaceSub(1)(ops.ones((2, 2)), Tensor([[1.0, 2.0]])).tolist()
    [[1.0, 1.0], [0.0, -1.0]]
""",
    "InplaceUpdate": """\
Args:
    x: A tensor with rows.
    v: What is written to the rows, one for each of `indices`.
    indices: The rows, an int or a tuple of ints.

Examples:
    >>> ops.InplaceUpdate(1)(ops.ones((2, 2)), Tensor([[1.0, 2.0]])).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
""",
}
