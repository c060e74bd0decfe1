"""Sections of the texts of operators in `deformable`."""
TEXTS = {
    "PsROIPooling": """\
Args:
    features: (N, group_size * group_size * out_dim, H, W).
    rois: (num_rois, 5), of the dtype of `features`: the image, then two corners.
    pooled_height, pooled_width: Cells of a region, positive ints.
    num_rois: How many regions there are, else ValueError.
    spatial_scale: What the coordinates of regions are multiplied by.
    out_dim: Channels of the result.
    group_size: Groups of cells that have channels of their own, for each direction.

Examples:
    >>> features = Tensor(np.ones((1, 4, 4, 4), np.float32))
    >>> pool = ops.PsROIPooling(2, 2, num_rois=1, spatial_scale=1.0, out_dim=1, group_size=2)
    >>> pool(features, Tensor([[0.0, 0.0, 0.0, 3.0, 3.0]])).tolist()
    [[[[1.0, 1.0], [1.0, 1.0]]]]
""",
    "DeformableOffsets": """\
Args:
    x: Images, (N, C, H, W).
    offsets: (N, 3 * deformable_groups * kh * kw, h, w): along x, along y, and factors; 2 * ... without factors.
    strides, pads: The distances of the windows and what is added around images, four ints each.
    ksize: The extents of a window, two ints.
    dilations: The distances of the elements of a window, four ints.
    data_format: "NCHW".
    deformable_groups: How many groups of channels have offsets of their own.
    modulated: Whether `offsets` has factors.

Examples:
    >>> read = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (1, 1), modulated=False)
    >>> read(Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.5, 0.0]], [[0.0, 0.0]]]])).tolist()
    [[[[2.0, 3.0]]]]
""",
}
