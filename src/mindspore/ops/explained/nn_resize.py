"""Sections of the texts of operators in `nn_resize`."""
_IMAGES = """\
Args:
    x: (N, C, H, W), real.
    size: The height and the width, ints in a tuple or a tensor.
    align_corners: Whether the first and the last samples lie on those of the image.
    half_pixel_centers: Whether samples lie in the middle of pixels; not together with `align_corners`.
"""
TEXTS = {
    "ResizeArea": """\
Args:
    x: (N, H, W, C), real.
    size: The height and the width, ints in a tuple or a tensor.
    align_corners: Whether the last samples lie on those of the image.

Examples:
    >>> x = Tensor(np.arange(1, 5, dtype=np.float32).reshape(1, 2, 2, 1))
    >>> ops.ResizeArea()(x, Tensor([1, 1], mindspore.int32)).tolist()
    [[[[2.5]]]]
""",
    "ResizeBicubic": _IMAGES + """
Examples:
    >>> ops.ResizeBicubic(align_corners=True)(Tensor([[[[1.0, 2.0]]]]), (1, 3)).tolist()
    [[[[1.0, 1.5, 2.0]]]]
""",
    "ResizeBilinearV2": _IMAGES + """
Examples:
    >>> ops.ResizeBilinearV2(align_corners=True)(Tensor([[[[1.0, 2.0]]]]), (1, 3)).tolist()
    [[[[1.0, 1.5, 2.0]]]]
""",
    "ResizeNearestNeighborV2": _IMAGES + """
Examples:
    >>> ops.ResizeNearestNeighborV2()(Tensor([[[[1.0, 2.0]]]]), (1, 4)).tolist()
    [[[[1.0, 1.0, 2.0, 2.0]]]]
""",
    "ResizeNearestNeighbor": """\
Args:
    x: (N, C, H, W), real.
    size: The height and the width, a tuple of ints.
    align_corners: Whether the first and the last samples lie on those of the image.
    half_pixel_centers: Whether samples lie in the middle of pixels; not together with `align_corners`.
""",
    "ResizeLinear1D": """\
Args:
    x: (N, C, L), floating point.
    size: The new length, an int in a tuple or a tensor.
    coordinate_transformation_mode: "align_corners" or "half_pixel", else ValueError.

Examples:
    >>> ops.ResizeLinear1D()(Tensor([[[1.0, 2.0]]]), (3,)).tolist()
    [[[1.0, 1.5, 2.0]]]
""",
    "UpsampleNearest3D": """\
Args:
    x: (N, C, D, H, W), floating point.
    output_size: The new depth, height and width, a tuple of ints; None to compute them from `scales`.
    scales: Three factors; None with `output_size`: one of both is needed.

Examples:
    >>> ops.UpsampleNearest3D()(Tensor([[[[[1.0, 2.0]]]]]), (1, 1, 4)).tolist()
    [[[[[1.0, 1.0, 2.0, 2.0]]]]]
""",
    "UpsampleTrilinear3D": """\
Args:
    x: (N, C, D, H, W), floating point.
    output_size: The new depth, height and width, a tuple of ints; None to compute them from `scales`.
    scales: Three factors; None with `output_size`: one of both is needed.
    align_corners: Whether the first and the last samples lie on those of the volume.

Examples:
    >>> ops.UpsampleTrilinear3D(align_corners=True)(Tensor([[[[[1.0, 2.0]]]]]), (1, 1, 3)).tolist()
    [[[[[1.0, 1.5, 2.0]]]]]
""",
}
