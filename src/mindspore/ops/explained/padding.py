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
    "PadV3": """\
Args:
    x: Any shape.
    paddings: Ints, two for each dimension, from the last dimension on; a tuple or a tensor.
    constant_value: What is added in mode "constant"; a number or a tensor with one.
    mode: "constant", "reflect", "edge" or "circular", else ValueError.
    paddings_contiguous: Whether the two of a dimension stand together; else all widths before come first.

Examples:
    >>> x = Tensor([[1, 2]])
    >>> ops.PadV3()(x, (1, 2), 0).tolist()
    [[0, 1, 2, 0, 0]]
    >>> ops.PadV3(mode="edge")(Tensor([[[1.0, 2.0]]]), (1, 2)).tolist()
    [[[1.0, 1.0, 2.0, 2.0, 2.0]]]
""",
    "Padding": """\
Args:
    x: (..., 1), with two dimensions at least, else ValueError.
    pad_dim_size: The extent to reach, a positive int.

Examples:
    >>> ops.Padding(pad_dim_size=4)(Tensor([[8.0], [9.0]])).tolist()
    [[8.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0]]
""",
    "SpaceToBatch": """\
Args:
    x: (N, C, H, W).
    block_size: The extent of the blocks in both directions, an int that divides the padded extents, else ValueError.
    paddings: Widths before and after, a pair for each dimension that is cut.

Examples:
    >>> ops.SpaceToBatch(2, [[0, 0], [0, 0]])(Tensor([[[[1, 2], [3, 4]]]])).tolist()
    [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]
""",
    "SpaceToBatchND": """\
Args:
    x: (N, C, H, W).
    block_shape: Extents of the blocks, for the last dimensions; they divide the padded ones, else ValueError.
    paddings: Widths before and after, a pair for each dimension that is cut.

Examples:
    >>> ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])(Tensor([[[[1, 2], [3, 4]]]])).tolist()
    [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]
""",
    "BatchToSpace": """\
Args:
    x: (N, C, H, W).
    block_size: The extent of a block, an int of 2 at least.
    crops: How much is cut off, ((top, bottom), (left, right)).

Examples:
    >>> ops.BatchToSpace(2, [[0, 0], [0, 0]])(Tensor([[[[1]]], [[[2]]], [[[3]]], [[[4]]]])).tolist()
    [[[[1, 2], [3, 4]]]]
""",
    "BatchToSpaceND": """\
Args:
    x: A tensor; the dimensions of the blocks are its last ones.
    block_shape: The extents of a block, a list of ints.
    crops: How much is cut off of each of these dimensions, a list of pairs.

Examples:
    >>> ops.BatchToSpaceND([2, 2], [[0, 0], [0, 1]])(Tensor([[[[1]]], [[[2]]], [[[3]]], [[[4]]]])).tolist()
    [[[[1], [3]]]]
""",
    "ChannelShuffle": """\
Args:
    x: (N, C, ...).
    group: The number of groups, which divides C.

Examples:
    >>> ops.ChannelShuffle(2)(Tensor([[[[1]], [[2]], [[3]], [[4]]]])).tolist()
    [[[[1]], [[3]], [[2]], [[4]]]]
""",
}
