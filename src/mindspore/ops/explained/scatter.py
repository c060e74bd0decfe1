"""Sections of the texts of operators in `scatter`."""
_AT_COORDINATES = """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.
"""
TEXTS = {
    "ScatterNd": """\
Args:
    indices: Coordinates, (..., k), integers.
    updates: What is added at them.
    shape: The shape of the result, a tuple of ints.

Examples:
    >>> ops.ScatterNd()(Tensor([[0], [2], [0]]), Tensor([1.0, 2.0, 4.0]), (4,)).tolist()
    [5.0, 0.0, 2.0, 0.0]
""",
    "TensorScatterElements": """\
Args:
    data: Any shape and dtype.
    indices: Integers, of the rank of `data`.
    updates: Of the shape of the indices.
    axis: An int within the rank, else ValueError.
    reduction: "none" writes, "add" adds.

Examples:
    >>> ops.TensorScatterElements(axis=1)(Tensor([[1, 2, 3]]), Tensor([[0, 2]]), Tensor([[8, 9]])).tolist()
    [[8, 2, 9]]
""",
    "TensorScatterUpdate": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterUpdate()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 2.0]
""",
    "TensorScatterAdd": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterAdd()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [3.0, 2.0, 5.0]
""",
    "TensorScatterSub": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterSub()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [-1.0, 2.0, 1.0]
""",
    "TensorScatterMul": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterMul()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 6.0]
""",
    "TensorScatterDiv": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterDiv()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [0.5, 2.0, 1.5]
""",
    "TensorScatterMax": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterMax()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 3.0]
""",
    "TensorScatterMin": _AT_COORDINATES + """
Examples:
    >>> ops.TensorScatterMin()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [1.0, 2.0, 2.0]
""",
    "SparseToDense": """\
Args:
    indices: Coordinates (n, d), integers.
    values: What stands there, (n,).
    sparse_shape: The shape of the result, a tuple of ints.

Examples:
    >>> ops.SparseToDense()(Tensor([[0, 1], [1, 2]]), Tensor([8.0, 9.0]), (2, 3)).tolist()
    [[0.0, 8.0, 0.0], [0.0, 0.0, 9.0]]
""",
    "IndexAdd": """\
Args:
    x: The parameter that changes.
    indices: The places along `axis`, (n,), int32.
    y: What is added, of the shape of `x` with n slices along `axis`.
    axis: The dimension of the slices.
    use_lock: Has no effect: a parameter has one writer.
    check_index_bound: Has no effect: indices that do not exist are an error in either case.

Examples:
    >>> x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    >>> ops.IndexAdd(axis=1)(x, Tensor([0], mindspore.int32), Tensor([[10.0], [20.0]])).tolist()
    [[11.0, 2.0], [23.0, 4.0]]
""",
    "InplaceIndexAdd": """\
Args:
    var: The parameter that changes.
    indices: The places along `axis`, (n,), int32.
    updates: What is added, of the shape of `var` with n slices along `axis`.
    axis: The dimension of the slices.

Examples:
    >>> var = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    >>> ops.InplaceIndexAdd(axis=0)(var, Tensor([1], mindspore.int32), Tensor([[10.0, 20.0]])).tolist()
    [[1.0, 2.0], [13.0, 24.0]]
""",
}
