"""Sections of the texts of operators in `scalar_functions`."""
TEXTS = {
    "ScalarCast": """\
Args:
    input_x: A number or a tensor with one.
    input_y: A dtype.

Examples:
    >>> ops.ScalarCast()(2.75, mindspore.int32)
    2
""",
    "ScalarToArray": """\
Args:
    x: An int or a float.

Examples:
    >>> ops.ScalarToArray()(2.5)
    Tensor(shape=[], dtype=Float32, value= 2.5)
""",
    "ScalarToTensor": """\
Args:
    x: An int, a float or a bool.
    dtype: The dtype of the tensor.

Examples:
    >>> ops.ScalarToTensor()(3, mindspore.int32)
    Tensor(shape=[], dtype=Int32, value= 3)
""",
    "TupleToArray": """\
Args:
    args: The numbers, all of one type; in a tuple, or one after the other.

Examples:
    >>> ops.TupleToArray()((1, 2, 3))
    Tensor(shape=[3], dtype=Int32, value= [1, 2, 3])
""",
    "DynamicShape": """\
Args:
    x: A tensor.
    dtype: Has no effect: the numbers are int64.

Examples:
    >>> ops.DynamicShape()(ops.zeros((2, 3))).tolist()
    [2, 3]
""",
    "ConvertToDynamic": """\
Args:
    is_dynamic_rank: Whether the original forgets the rank, too; here sizes that differ are found by the calls.
    x: A tensor.

Examples:
    >>> from mindspore.ops.operations import _inner_ops
    >>> _inner_ops.ConvertToDynamic()(Tensor([1, 2])).tolist()
    [1, 2]
""",
    "Identity": """\
Args:
    input_x: A tensor.

Examples:
    >>> ops.Identity()(Tensor([1, 2])).tolist()
    [1, 2]
""",
    "IdentityN": """\
Args:
    x: A tuple or list of tensors.

Examples:
    >>> [each.tolist() for each in ops.IdentityN()((Tensor([1]), Tensor([2, 3])))]
    [[1], [2, 3]]
""",
}
