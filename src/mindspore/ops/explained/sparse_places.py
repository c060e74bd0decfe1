"""Sections of the texts of operators in `sparse_places`."""
TEXTS = {
    "DenseToDenseSetOperation": """\
Args:
    set_operation: "a-b", "b-a", "intersection" or "union".
    validate_indices: A bool; there are no places to check here.
    x1, x2: Tensors with the same dimensions but for the last, along which sets lie.

Examples:
    >>> [y.tolist() for y in ops.DenseToDenseSetOperation("union")(Tensor([[1, 2]]), Tensor([[2, 9]]))]
    [[[0, 0], [0, 1], [0, 2]], [1, 2, 9], [1, 3]]
""",
    "DenseToSparseSetOperation": """\
Args:
    set_operation: "a-b", "b-a", "intersection" or "union".
    validate_indices: Whether places that are not in order are an error.
    x1: A tensor, with sets along the last dimension.
    x2_indices, x2_values, x2_shape: Places, values and shape of a sparse tensor.

Examples:
    >>> second = Tensor([[0, 0]]), Tensor([2]), Tensor([1, 1])
    >>> [y.tolist() for y in ops.DenseToSparseSetOperation("a-b")(Tensor([[1, 2]]), *second)]
    [[[0, 0]], [1], [1, 1]]
""",
    "RaggedTensorToSparse": """\
Args:
    Tsplits: The dtype of the splits.
    rt_nested_splits: A tuple of tensors: where rows begin, and the end of the last, from the outermost.
    rt_dense_values: The elements of the innermost rows.

Examples:
    >>> [y.tolist() for y in ops.RaggedTensorToSparse(mindspore.int64)((Tensor([0, 2, 2, 3]),),
    ... Tensor([1.0, 2.0, 3.0]))]
    [[[0, 0], [0, 1], [2, 0]], [1.0, 2.0, 3.0], [3, 2]]
""",
    "RaggedTensorToTensor": """\
Args:
    row_partition_types: For each partition "ROW_SPLITS", or "FIRST_DIM_SIZE" and then "VALUE_ROWIDS".
    shape: The shape of the result; -1: the longest row.
    values: The elements of the innermost rows.
    default_value: What fills rows.
    row_partition_tensors: A tuple of tensors, one for each type.

Examples:
    >>> splits = (Tensor([0, 2, 3]),)
    >>> ops.RaggedTensorToTensor(["ROW_SPLITS"])(Tensor([-1, -1]), Tensor([1.0, 2.0, 3.0]), Tensor(9.0),
    ... splits).tolist()
    [[1.0, 2.0], [3.0, 9.0]]
""",
    "SetSize": """\
Args:
    validate_indices: A bool; places may have any order.
    set_indices, set_values, set_shape: Places, values and shape of a sparse tensor.

Examples:
    >>> ops.SetSize()(Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([5, 5, 7]), Tensor([3, 2])).tolist()
    [1, 1, 0]
""",
    "SparseAdd": """\
Args:
    x1_indices, x1_values, x1_shape: Places, values and shape of a sparse tensor.
    x2_indices, x2_values, x2_shape: Those of the other one.
    thresh: Sums of two values whose absolute value is smaller are left out.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> [y.tolist() for y in ops.SparseAdd()(indices, values, shape, indices, -values, shape, Tensor(0.0))][1]
    [0.0, 0.0, 0.0]
""",
    "SparseAddmm": """\
Args:
    indices, values, sparse_shape: Places, values and shape of a sparse matrix.
    x2_dense: An ordinary matrix (columns, n).
    x3_dense: A matrix (rows, n).
    alpha, beta: The factors.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> dense = Tensor([[1.0], [2.0], [3.0]])
    >>> ops.SparseAddmm()(indices, values, shape, dense, Tensor([[1.0], [1.0]]), Tensor([2.0]), Tensor([3.0])).tolist()
    [[7.0], [25.0]]
""",
    "SparseConcat": """\
Args:
    concat_dim: The dimension.
    sp_input_indices, sp_input_values, sp_input_shapes: Tuples of the places, values and shapes.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseConcat(1)((indices, indices), (values, values), (shape, shape))[1].tolist()
    [1.0, 1.0, 2.0, 3.0, 2.0, 3.0]
""",
    "SparseCountSparseOutput": """\
Args:
    binary_output: Whether a number that is there counts as 1.
    minlength: The least extent of the result; -1: none.
    maxlength: Numbers from here on are not counted; -1: all are.
    indices, values, dense_shape: Places, numbers and shape of a sparse tensor.
    weights: A weight for each number, or no elements.

Examples:
    >>> [y.tolist() for y in ops.SparseCountSparseOutput()(Tensor([[0, 0], [0, 1]]), Tensor([1, 1]),
    ... Tensor([1, 2]), Tensor([], mindspore.int64))]
    [[[0, 1]], [2], [1, 2]]
""",
    "SparseDenseCwiseAdd": """\
Args:
    x1_indices, x1_values, x1_shape: Places, values and shape of a sparse tensor.
    x2: An ordinary tensor, which is repeated to that shape.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseDenseCwiseAdd()(indices, values, shape, Tensor([2.0, 4.0, 8.0])).tolist()
    [5.0, 4.0, 11.0]
""",
    "SparseDenseCwiseDiv": """\
Args:
    x1_indices, x1_values, x1_shape: Places, values and shape of a sparse tensor.
    x2: An ordinary tensor, which is repeated to that shape.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseDenseCwiseDiv()(indices, values, shape, Tensor([2.0, 4.0, 8.0])).tolist()
    [0.25, 1.0, 0.375]
""",
    "SparseDenseCwiseMul": """\
Args:
    x1_indices, x1_values, x1_shape: Places, values and shape of a sparse tensor.
    x2: An ordinary tensor, which is repeated to that shape.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseDenseCwiseMul()(indices, values, shape, Tensor([2.0, 4.0, 8.0])).tolist()
    [4.0, 4.0, 24.0]
""",
    "SparseFillEmptyRows": """\
Args:
    indices: The places (n, 2), integers.
    values: The values (n,).
    dense_shape: The shape, integers.
    default_value: The value of rows that had none.

Examples:
    >>> [y.tolist() for y in ops.SparseFillEmptyRows()(Tensor([[0, 1], [2, 0]]), Tensor([1.0, 2.0]),
    ... Tensor([3, 2]), Tensor(9.0))]
    [[[0, 1], [1, 0], [2, 0]], [1.0, 9.0, 2.0], [False, True, False], [0, 2]]
""",
    "SparseReorder": """\
Args:
    indices: The places (n, dimensions), integers.
    values: The values (n,).
    shape: The shape, integers.

Examples:
    >>> indices, values, shape = Tensor([[1, 0], [0, 1]]), Tensor([2.0, 1.0]), Tensor([2, 3])
    >>> [y.tolist() for y in ops.SparseReorder()(indices, values, shape)]
    [[[0, 1], [1, 0]], [1.0, 2.0]]
""",
    "SparseReshape": """\
Args:
    indices: The places (n, dimensions), integers.
    shape: The shape, integers.
    new_shape: The new shape, of which one extent may be -1.

Examples:
    >>> [y.tolist() for y in ops.SparseReshape()(Tensor([[0, 1], [1, 2]]), Tensor([2, 3]), Tensor([3, -1]))]
    [[[0, 1], [2, 1]], [3, 2]]
""",
    "SparseSoftmax": """\
Args:
    indices: The places (n, dimensions), integers.
    values: The values (n,).
    shape: The shape, integers.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseSoftmax()(indices, values, shape).tolist()[0]
    1.0
""",
    "SparseSplit": """\
Args:
    num_split: How many pieces.
    split_dim: A tensor with the dimension.
    indices: The places (n, dimensions), integers.
    values: The values (n,).
    shape: The shape, integers.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> places, _, shapes = ops.SparseSplit(2)(Tensor(1), indices, values, shape)
    >>> [p.tolist() for p in places], [s.tolist() for s in shapes]
    ([[[0, 1], [1, 0]], [[1, 0]]], [[2, 2], [2, 1]])
""",
    "SparseToDenseV2": """\
Args:
    validate_indices: Whether places that are not in order are an error.
    indices: The places (n, dimensions), or (n,) of one dimension.
    output_shape: The shape, integers.
    values: The values (n,).
    default_value: What stands elsewhere.

Examples:
    >>> indices, values, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([1.0, 2.0, 3.0]), Tensor([2, 3])
    >>> ops.SparseToDenseV2()(indices, shape, values, Tensor(7.0)).tolist()
    [[7.0, 1.0, 7.0], [2.0, 7.0, 3.0]]
""",
    "Sspaddmm": """\
Args:
    x1_indices, x1_values, x1_shape: Places (2, n), values and shape of a sparse matrix.
    x2_indices, x2_values, x2_shape: Those of the one that is multiplied.
    x3_dense: An ordinary matrix.
    alpha, beta: The factors.

Examples:
    >>> x = Tensor([[0], [1]]), Tensor([5.0]), Tensor([2, 2])
    >>> [y.tolist() for y in ops.Sspaddmm()(*x, *x, Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(1.0), Tensor(2.0))]
    [[[0, 0, 0], [1, 0, 1]], [10.0, 15.0, 20.0], [2, 2]]
""",
}
