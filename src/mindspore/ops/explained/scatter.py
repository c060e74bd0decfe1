"""Sections of the texts of operators in `scatter`."""
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
    "TensorScatterUpdate": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterUpdate()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 2.0]
""",
    "TensorScatterAdd": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterAdd()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [3.0, 2.0, 5.0]
""",
    "TensorScatterSub": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterSub()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [-1.0, 2.0, 1.0]
""",
    "TensorScatterMul": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterMul()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 6.0]
""",
    "TensorScatterDiv": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterDiv()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [0.5, 2.0, 1.5]
""",
    "TensorScatterMax": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterMax()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 3.0]
""",
    "TensorScatterMin": """\
Args:
    x: Any shape and dtype.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `x` behind the first k.

Examples:
    >>> ops.TensorScatterMin()(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2]]), Tensor([2.0, 2.0])).tolist()
    [1.0, 2.0, 2.0]
""",
    "ScatterUpdate": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterUpdate()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 2.0]
""",
    "ScatterNdUpdate": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdUpdate()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 2.0]
""",
    "ScatterAdd": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterAdd()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [3.0, 2.0, 5.0]
""",
    "ScatterNdAdd": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdAdd()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [3.0, 2.0, 5.0]
""",
    "ScatterSub": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterSub()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [-1.0, 2.0, 1.0]
""",
    "ScatterNdSub": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdSub()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [-1.0, 2.0, 1.0]
""",
    "ScatterMul": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterMul()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 6.0]
""",
    "ScatterNdMul": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdMul()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 6.0]
""",
    "ScatterDiv": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterDiv()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [0.5, 2.0, 1.5]
""",
    "ScatterNdDiv": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdDiv()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [0.5, 2.0, 1.5]
""",
    "ScatterMax": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterMax()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 3.0]
""",
    "ScatterNdMax": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdMax()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [2.0, 2.0, 3.0]
""",
    "ScatterMin": """\
Args:
    input_x: A parameter, which is changed.
    indices: Places along the first dimension, integers of any shape.
    updates: The slices: the shape of the indices and the other dimensions of `input_x`.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterMin()(x, Tensor([0, 2], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [1.0, 2.0, 2.0]
""",
    "ScatterNdMin": """\
Args:
    input_x: A parameter, which is changed.
    indices: Coordinates, (..., k), integers.
    updates: Of the shape of the indices without k, and the dimensions of `input_x` behind the first k.
    use_locking: Accepted; an update is never interrupted here.

Examples:
    >>> x = Parameter(Tensor([1.0, 2.0, 3.0]))
    >>> ops.ScatterNdMin()(x, Tensor([[0], [2]], mindspore.int32), Tensor([2.0, 2.0])).tolist()
    [1.0, 2.0, 2.0]
""",
}
