"""Sections of the texts of operators in `statistics`."""
TEXTS = {
    "Median": """\
Args:
    x: Any shape, real.
    global_median: Whether to find that of all elements.
    axis: An int within the rank, else ValueError.
    keep_dims: Whether the dimensions stay, with extent 1.
    ignore_nan: Whether NaN do not count.

Examples:
    >>> value, place = ops.Median(axis=0)(Tensor([3.0, 1.0, 2.0]))
    >>> value.tolist(), place.tolist()
    (2.0, 2)
""",
    "Histogram": """\
Args:
    x: Any shape, real.
    bins: The number of intervals.
    min, max: The range; two equal numbers for that of the elements.

Examples:
    >>> ops.Histogram(bins=2, min=0.0, max=4.0)(Tensor([1.0, 3.0, 3.5])).tolist()
    [1.0, 2.0]
""",
    "HistogramFixedWidth": """\
Args:
    x: Any shape, real.
    limits: The two ends, (2,), of the dtype of `x`.
    nbins: The number of intervals.
    dtype: "int32" or "int64".

Examples:
    >>> ops.HistogramFixedWidth(2)(Tensor([-1.0, 3.0, 9.0]), Tensor([0.0, 4.0])).tolist()
    [1, 2]
""",
    "Bincount": """\
Args:
    array: Numbers, int32.
    size: How many numbers are counted, an int32 without dimensions.
    weights: Of the shape of the numbers.

Examples:
    >>> ops.Bincount()(Tensor([0, 2, 2], mindspore.int32), Tensor(3, mindspore.int32), Tensor([1.0, 1.0, 0.5])).tolist()
    [1.0, 0.0, 1.5]
""",
    "Bucketize": """\
Args:
    x: Any shape, real.
    boundaries: Numbers in rising order.
    right: Whether an element at a boundary belongs to the interval above it.

Examples:
    >>> ops.Bucketize([1.0, 5.0])(Tensor([0.0, 1.0, 9.0])).tolist()
    [0, 1, 2]
""",
    "Betainc": """\
Args:
    a, b, x: Of one shape and one dtype, float32 or float64.

Examples:
    >>> ops.Betainc()(Tensor([1.0]), Tensor([1.0]), Tensor([0.25])).asnumpy().round(4)
    array([0.25], dtype=float32)
""",
    "Quantile": """\
Args:
    x: Any shape, float32 or float64.
    q: Fractions in [0, 1]: a float, or a tensor () or (n,), which makes the first dimension of the result.
    dim: The dimension; None for all elements.
    keep_dims: Whether it stays with the extent 1.
    ignore_nan: Whether nan is left out; else it makes the result nan.

Examples:
    >>> ops.Quantile()(Tensor([1.0, 2.0, 3.0, 4.0]), 0.5).tolist()
    2.5
""",
    "Cross": """\
Args:
    input, other: Tensors of one shape and type.
    dim: The dimension, of the extent 3; -65530 takes the first one of this extent.

Examples:
    >>> ops.Cross()(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])).tolist()
    [0.0, 0.0, 1.0]
""",
    "Einsum": """\
Args:
    x: A tuple or list of tensors.
    equation: A letter for each dimension of each tensor, and for each of the result: "ij,jk->ik".

Examples:
    >>> ops.Einsum("ij,j->i")((Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0]))).tolist()
    [21.0, 43.0]
""",
}
