"""Convolutions whose windows are moved by offsets, and pooling that depends on the position."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators.convolution import convolution
from mindspore.operators.deformable import deformable_samples, ps_roi_pool

from .arguments import tensor
from .primitive import composed


def _four(owner: str, name: str, value: Any, ones: bool) -> tuple[int, ...]:
    found = check.ints(owner, name, tuple(value), 4, 1 if ones else 0)
    if ones and found[:2] != (1, 1):
        raise check.fail(ValueError, owner, name, "(1, 1, height, width)", value)
    return found[2:] if ones else found


@composed("DeformableOffsets(strides, pads, ksize, dilations=(1, 1, 1, 1), data_format='NCHW', deformable_groups=1, "
          "modulated=True)(x, offsets)")
def _offsets(x: Any, offsets: Any, *, strides: Any, pads: Any, ksize: Any, dilations: Any = (1, 1, 1, 1),
             data_format: str = "NCHW", deformable_groups: int = 1, modulated: bool = True) -> Any:
    """The elements of the windows of images, each moved by its offset: (N, C, h * kh, w * kw)."""
    owner = "DeformableOffsets"
    check.option(owner, "data_format", data_format, ("NCHW",))
    return deformable_samples(
        tensor(owner, "x", x), offsets, window=check.ints(owner, "ksize", ksize, 2, 1),
        stride=_four(owner, "strides", strides, True), padding=_four(owner, "pads", pads, False),
        dilation=_four(owner, "dilations", dilations, True), modulated=modulated,
        groups=check.positive_int(owner, "deformable_groups", deformable_groups))


def deformable_conv2d(x: Any, weight: Any, offsets: Any, kernel_size: Any, strides: Any, padding: Any, bias: Any = None,
                      dilations: Any = (1, 1, 1, 1), groups: int = 1, deformable_groups: int = 1,
                      modulated: bool = True) -> Any:
    """A convolution whose windows are moved by offsets, Dai et al. 2017, Zhu et al. 2019.

    Args:
        x: Images (N, C, H, W).
        weight: (out, C / groups, kh, kw).
        offsets: (N, 3 * deformable_groups * kh * kw, h, w): along x, along y, and factors; 2 * ... without factors.
        kernel_size: (kh, kw).
        strides: (1, 1, height, width).
        padding: Rows above and below, columns on the left and on the right.
        bias: (out,), or None.
        dilations: (1, 1, height, width).
        groups: Groups of channels of the convolution.
        deformable_groups: Groups of channels with offsets of their own.
        modulated: Whether there are factors.

    Returns:
        (N, out, h, w).

    Raises:
        ValueError: If shapes do not fit.

    Examples:
        >>> x, weight = ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 2, 2))
        >>> offsets = ops.concat((ops.zeros((1, 8, 2, 2)), ops.ones((1, 4, 2, 2))), 1)
        >>> ops.deformable_conv2d(x, weight, offsets, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0)).tolist()
        [[[[4.0, 4.0], [4.0, 4.0]]]]
    """
    owner = "deformable_conv2d"
    window = check.ints(owner, "kernel_size", kernel_size, 2, 1)
    if tuple(weight.shape[2:]) != window:
        raise ValueError(f"For '{owner}', the 'weight' must have the extents {window} of the window, but got "
                         f"{show(weight)}.")
    found = deformable_samples(
        tensor(owner, "x", x), offsets, window=window, stride=_four(owner, "strides", strides, True),
        padding=_four(owner, "padding", padding, False), dilation=_four(owner, "dilations", dilations, True),
        groups=check.positive_int(owner, "deformable_groups", deformable_groups), modulated=modulated)
    return convolution(found, weight, bias, stride=window, padding=(0, 0), dilation=(1, 1),
                       groups=check.positive_int(owner, "groups", groups))


@composed("PsROIPooling(pooled_height, pooled_width, num_rois, spatial_scale, out_dim, group_size)(features, rois)")
def _ps_roi_pooling(features: Any, rois: Any, *, pooled_height: int, pooled_width: int, num_rois: int,
                    spatial_scale: float, out_dim: int, group_size: int) -> Any:
    """The means of the cells of regions (image, x1, y1, x2, y2), each of channels of its own; Dai et al. 2016."""
    owner = "PsROIPooling"
    if rois.ndim != 2 or rois.shape[0] != num_rois:
        raise ValueError(f"For '{owner}', the 'rois' must be ({num_rois}, 5), but got {show(rois)}.")
    pooled = check.ints(owner, "pooled", (pooled_height, pooled_width), 2, 1)
    return ps_roi_pool(features, rois, pooled=pooled, scale=float(check.number(owner, "spatial_scale", spatial_scale)),
                       channels=check.positive_int(owner, "out_dim", out_dim),
                       groups=check.positive_int(owner, "group_size", group_size))


@composed("_VirtualDataset()(*inputs)")
def _virtual_dataset(*inputs: Any) -> tuple[Any, ...]:
    """Marks where data enter a network; the inputs, which are whole in one process."""
    return inputs


__all__ = ["deformable_conv2d"]
