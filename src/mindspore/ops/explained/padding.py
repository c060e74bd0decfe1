"""Sections of the texts of operators in `padding`."""
TEXTS = {
    "Pad": """\
Args:
    x: Any shape and dtype.
    paddings: A pair of ints for each dimension; negative ones cut off.

Examples:
    >>> ops.Pad(((0, 0), (1, 2)))(Tensor([[5]])).tolist()
    [[0, 5, 0, 0]]
""",
    "MirrorPad": """\
Args:
    x: Any shape and dtype.
    paddings: How many elements are added before and behind each dimension, (rank, 2), a constant.
    mode: "REFLECT" or "SYMMETRIC".

Examples:
    >>> ops.MirrorPad()(Tensor([[1, 2, 3]]), Tensor([[0, 0], [2, 0]])).tolist()
    [[3, 2, 1, 2, 3]]
""",
    "SpaceToDepth": """\
Args:
    x: (N, C, H, W), any dtype; H and W multiples of `block_size`.
    block_size: The extent b of a block, at least 2.

Examples:
    >>> ops.SpaceToDepth(2)(Tensor([[[[1, 2], [3, 4]]]])).tolist()
    [[[[1]], [[2]], [[3]], [[4]]]]
""",
    "DepthToSpace": """\
Args:
    x: (N, C, H, W), any dtype; C a multiple of the square of `block_size`.
    block_size: The extent b of a block, at least 2.

Examples:
    >>> ops.DepthToSpace(2)(Tensor([[[[1]], [[2]], [[3]], [[4]]]])).tolist()
    [[[[1, 2], [3, 4]]]]
""",
}
