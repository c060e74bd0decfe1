"""Sections of the texts of operators in `legacy_primitives`."""
TEXTS = {
    "NthElement": """\
Args:
    input: (..., n), real.
    n: The place in the order, an int or a tensor with one; ValueError outside of [0, extent).
    reverse: Whether the greatest comes first.

Examples:
    >>> ops.NthElement()(Tensor([[3, 1, 2], [6, 5, 4]]), 0).tolist()
    [1, 4]
    >>> ops.NthElement(reverse=True)(Tensor([[3, 1, 2], [6, 5, 4]]), 0).tolist()
    [3, 6]
""",
    "ParallelConcat": """\
Args:
    values: A tuple or list of tensors (1, ...) of one dtype, else ValueError.

Examples:
    >>> ops.ParallelConcat()((Tensor([[0, 1]]), Tensor([[2, 3]]))).tolist()
    [[0, 1], [2, 3]]
""",
    "Renorm": """\
Args:
    input_x: With two dimensions at least, floating point.
    p: The degree of the norm.
    dim: The dimension of the slices.
    maxnorm: The limit, a float.

Examples:
    >>> ops.Renorm(p=1, dim=0, maxnorm=2.0)(Tensor([[1.0, 1.0], [4.0, 4.0]])).asnumpy().round(4).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
""",
    "ScatterAddWithAxis": """\
Args:
    input_x: Any shape.
    indices: Integers, of the rank of `input_x`.
    updates: Of the shape of the indices and the dtype of `input_x`.
    axis: The dimension that the indices replace.

Examples:
    >>> ops.ScatterAddWithAxis(axis=1)(Tensor([[1, 2, 3]]), Tensor([[0, 2]]), Tensor([[10, 20]])).tolist()
    [[11, 2, 23]]
""",
    "ScatterNonAliasingAdd": """\
Args:
    input_x: A parameter, else TypeError.
    indices: Coordinates (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.

Examples:
    >>> p = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNonAliasingAdd()(p, Tensor([[0], [2], [0]]), Tensor([1.0, 1.0, 1.0])).tolist()
    [3.0, 2.0, 4.0]
""",
    "SubAndFilter": """\
Args:
    input_x: (n,), integers.
    max_num: The limit, an int or a tensor with one.
    offset: What is taken away, likewise.

Examples:
    >>> [y.tolist() for y in ops.SubAndFilter()(Tensor([3, 7, 5], mindspore.int32), 3, 3)]
    [[0, 2], [0, 2]]
""",
    "TensorToTuple": """\
Args:
    x: (n,).

Examples:
    >>> ops.TensorToTuple()(Tensor([1, 2, 3]))
    (1, 2, 3)
""",
    "Trace": """\
Args:
    input: A matrix.

Examples:
    >>> ops.Trace()(Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    5.0
""",
    "TransposeExtView": """\
Args:
    x: Any tensor.
    dim0, dim1: Two dimensions, ints.

Examples:
    >>> ops.TransposeExtView()(Tensor([[1, 2], [3, 4]]), 0, 1).tolist()
    [[1, 3], [2, 4]]
""",
    "TransposeView": """\
Args:
    x: Any tensor.
    input_perm: The order of the dimensions, a tuple of ints.

Examples:
    >>> ops.TransposeView()(Tensor([[1, 2], [3, 4]]), (1, 0)).tolist()
    [[1, 3], [2, 4]]
""",
    "UnravelIndex": """\
Args:
    indices: (n,), integers.
    dims: The shape, a tuple of ints or a tensor of them.

Examples:
    >>> ops.UnravelIndex()(Tensor([1, 5]), (2, 3)).tolist()
    [[0, 1], [1, 2]]
""",
    "UpperBound": """\
Args:
    sorted_x: Rows (m, n), each sorted.
    values: Rows (m, k), of the same dtype.
    out_type: The dtype of the result, int32 or int64.

Examples:
    >>> ops.UpperBound()(Tensor([[1, 2, 2, 4]]), Tensor([[2, 5]])).tolist()
    [[3, 4]]
""",
}
