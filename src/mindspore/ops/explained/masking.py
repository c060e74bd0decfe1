"""Sections of the texts of operators in `masking`."""
TEXTS = {
    "MaskedFill": """\
Args:
    x: Any shape and dtype.
    mask: Bools, of a shape that broadcasts with it.
    value: A number or a tensor without dimensions.

Examples:
    >>> ops.MaskedFill()(Tensor([1.0, 2.0]), Tensor([True, False]), 0.5).tolist()
    [0.5, 2.0]
""",
    "MaskedSelect": """\
Args:
    x: Any shape and dtype.
    mask: Bools, of a shape that broadcasts with it.

Examples:
    >>> ops.MaskedSelect()(Tensor([1, 2, 3]), Tensor([True, False, True])).tolist()
    [1, 3]
""",
    "MaskedScatter": """\
Args:
    x: Any shape and dtype.
    mask: Bools, of a shape that broadcasts to that of `x`.
    source: At least as many elements as the mask has true ones.

Examples:
    >>> ops.MaskedScatter()(Tensor([1, 2, 3]), Tensor([True, False, True]), Tensor([8, 9])).tolist()
    [8, 2, 9]
""",
    "OneHot": """\
Args:
    indices: Integers of any shape.
    depth: The extent of the new dimension, an int.
    on_value, off_value: Numbers or tensors without dimensions.
    axis: The place of the new dimension; -1 for the last.
""",
}
