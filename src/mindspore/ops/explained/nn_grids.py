"""Sections of the texts of operators in `nn_grids`."""
TEXTS = {
    "ROIAlign": """\
Args:
    features: (N, C, H, W), floating point.
    rois: (n, 5), of the same dtype: the image, then two corners.
    pooled_height, pooled_width: Cells of a region, positive ints.
    spatial_scale: What the coordinates of regions are multiplied by.
    sample_num: Samples of a cell for each direction; 0 for as many as fit.
    roi_end_mode: 1 if the second corner belongs to the region, else 0.

Examples:
    >>> features = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> ops.ROIAlign(1, 1, 0.5)(features, Tensor([[0.0, 0.0, 0.0, 2.0, 2.0]])).tolist()
    [[[[3.0625]]]]
""",
    "CropAndResize": """\
Args:
    x: (N, H, W, C).
    boxes: The regions, (n, 4), float32: 0 is the first row or column, 1 the last one.
    box_index: The image of each region, (n,), int32.
    crop_size: The extents of the result, two ints.
    method: "bilinear" or "nearest".
    extrapolation_value: The number outside of the image.

Examples:
    >>> crop = ops.CropAndResize()
    >>> image = Tensor([[[[1.0], [3.0]], [[5.0], [7.0]]]])
    >>> crop(image, Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([0], mindspore.int32), (1, 1)).tolist()
    [[[[4.0]]]]
""",
    "GridSampler2D": """\
Args:
    x: (N, C, H, W), floating point.
    grid: The places, (N, h, w, 2): column and row, from -1 to 1.
    interpolation_mode: "bilinear" or "nearest".
    padding_mode: "zeros", "border" or "reflection": what counts outside.
    align_corners: Whether -1 and 1 are the centres of the elements at the border, else the border itself.

Examples:
    >>> ops.GridSampler2D()(Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.0, 0.0]]]])).tolist()
    [[[[2.0]]]]
""",
    "GridSampler3D": """\
Args:
    x: (N, C, D, H, W), floating point.
    grid: The places, (N, d, h, w, 3): column, row and slice, from -1 to 1.
    interpolation_mode: "bilinear" or "nearest".
    padding_mode: "zeros", "border" or "reflection": what counts outside.
    align_corners: Whether -1 and 1 are the centres of the elements at the border, else the border itself.

Examples:
    >>> ops.GridSampler3D()(Tensor([[[[[1.0, 3.0]]]]]), Tensor([[[[[0.0, 0.0, 0.0]]]]])).tolist()
    [[[[[2.0]]]]]
""",
}
