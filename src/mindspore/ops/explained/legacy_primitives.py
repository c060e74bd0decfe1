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
    "InplaceUpdateV2": """\
Args:
    x: A tensor with rows.
    indices: The rows, an int or a tuple of ints.
    v: What is written to the rows, one for each of `indices`.

Examples:
    >>> ops.InplaceUpdateV2()(ops.ones((2, 2)), (1,), Tensor([[1.0, 2.0]])).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
""",
    "DataFormatDimMap": """\
Args:
    input_x: Dimensions, in [-4, 4), int32.
    src_format, dst_format: The formats, "NHWC" or "NCHW".

Examples:
    >>> ops.DataFormatDimMap()(Tensor([0, 1, 2, 3], mindspore.int32)).tolist()
    [0, 3, 1, 2]
""",
    "DataFormatVecPermute": """\
Args:
    input_x: (4,) or (4, 2), int32 or int64.
    src_format, dst_format: The formats, "NHWC" or "NCHW".

Examples:
    >>> ops.DataFormatVecPermute()(Tensor([8, 32, 64, 3], mindspore.int32)).tolist()
    [8, 3, 32, 64]
""",
    "EditDistance": """\
Args:
    hypothesis_indices, truth_indices: Where the elements of the sequences stand, (n, rank), int64.
    hypothesis_values, truth_values: The elements, (n,).
    hypothesis_shape, truth_shape: The shapes of the sparse tensors, (rank,), int64.
    normalize: Whether the number is divided by the length of the true sequence.

Examples:
    >>> places, shape = Tensor([[0, 0], [0, 1]]), Tensor([1, 2])
    >>> ops.EditDistance()(places, Tensor([1, 2]), shape, places, Tensor([1, 3]), shape).tolist()
    [0.5]
""",
    "Expand": """\
Args:
    x: A tensor.
    shape: The shape, a tensor of ints; -1 keeps an extent.

Examples:
    >>> ops.Expand()(Tensor([[1], [2]]), Tensor([2, 3])).tolist()
    [[1, 1, 1], [2, 2, 2]]
""",
    "IndexPut": """\
Args:
    x1: A tensor.
    x2: The elements, one dimension, of the type of `x1`.
    indices: A tuple of tensors, one for each of the leading dimensions.
    accumulate: 1 to add, 0 to write.

Examples:
    >>> places = (Tensor([0, 1]), Tensor([1, 0]))
    >>> ops.IndexPut(accumulate=1)(Tensor([[1, 2], [3, 4]]), Tensor([10, 20]), places).tolist()
    [[1, 12], [23, 4]]
""",
    "InvertPermutation": """\
Args:
    input_x: A tuple or list with the numbers from 0 to n - 1, each once.

Examples:
    >>> ops.InvertPermutation()((2, 0, 1))
    (1, 2, 0)
""",
    "LowerBound": """\
Args:
    sorted_x: Rows in rising order, (m, n).
    values: What is looked for in each row, (m, k), of the type of `sorted_x`.
    out_type: int32 or int64.

Examples:
    >>> ops.LowerBound()(Tensor([[1, 3, 3, 5]]), Tensor([[3, 4]])).tolist()
    [[1, 3]]
""",
}
