"""Sections of the texts of operators in `nn_patches`."""
TEXTS = {
    "Im2Col": """\
Args:
    x: (N, C, H, W).
    ksizes: The extents of a patch, an int or two.
    strides: The distance of two patches, an int or two.
    dilations: The distance of the elements of a patch, an int or two.
    pads: How many zeros lie around the image, an int or two.

Examples:
    >>> ops.Im2Col((1, 2))(Tensor([[[[1.0, 2.0, 3.0]]]])).tolist()
    [[[[1.0, 2.0], [2.0, 3.0]]]]
""",
    "Col2Im": """\
Args:
    x: (N, C, window, places).
    output_size: The extents of the image, a tensor of two int32.
    kernel_size: The extents of a patch, an int or two.
    stride: The distance of two patches, an int or two.
    dilation: The distance of the elements of a patch, an int or two.
    padding: How many zeros lie around the image, an int or two.

Examples:
    >>> size = Tensor([1, 3], mindspore.int32)
    >>> ops.Col2Im((1, 2))(Tensor([[[[1.0, 2.0], [2.0, 3.0]]]]), size).tolist()
    [[[[1.0, 4.0, 3.0]]]]
""",
    "ExtractVolumePatches": """\
Args:
    input_x: (N, C, D, H, W).
    kernel_size: The extents of a window, an int, three, or five that begin with ones.
    strides: The distance of two windows, likewise.
    padding: "valid" adds nothing, "same" zeros so that a window visits every place.

Examples:
    >>> ops.ExtractVolumePatches((1, 1, 2), 1, "valid")(Tensor([[[[[1.0, 2.0, 3.0]]]]])).tolist()
    [[[[[1.0, 2.0]]], [[[2.0, 3.0]]]]]
""",
}
