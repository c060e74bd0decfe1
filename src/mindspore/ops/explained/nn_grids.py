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
}
