"""Images sampled at the places of a grid."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.operators import sampling

from .arguments import tensor
from .primitive import composed
from .signatures import plain


def grid_sample(input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros",
                align_corners: Any = None) -> Any:
    """The input (N, C, *) at the places of a grid (N, *, axes), coordinates from -1 to 1.

    Args:
        input: A floating-point tensor (N, C, H, W), or (N, C, D, H, W).
        grid: The places (N, *, axes), the last axis of the input first: -1 is the first border, 1 the last.
        mode: "bilinear", "nearest" or "bicubic".
        padding_mode: What lies outside: "zeros", the "border", or its "reflection".
        align_corners: Whether -1 and 1 are the centres of the corner elements instead of the borders of the image.

    Returns:
        A tensor (N, C, *).

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If a mode is another one.

    Examples:
        >>> ops.grid_sample(Tensor([[[[1.0, 3.0]]]]), Tensor([[[[0.0, 0.0]]]]), align_corners=True).tolist()
        [[[[2.0]]]]
    """
    owner = "grid_sample"
    check.option(owner, "mode", mode, sampling.INTERPOLATIONS)
    check.option(owner, "padding_mode", padding_mode, sampling.PADDINGS)
    return sampling.grid_sample(tensor(owner, "input", input), tensor(owner, "grid", grid), mode=mode,
                                padding=padding_mode, align_corners=bool(align_corners))


_SAMPLER = "(interpolation_mode='bilinear', padding_mode='zeros', align_corners=False)(input_x, grid)"


@composed(f"GridSampler2D{_SAMPLER}")
def _grid_sampler_2d(x: Any, grid: Any, *, interpolation_mode: str = "bilinear",
                     padding_mode: str = "zeros", align_corners: bool = False) -> Any:
    """Images at the places of a grid."""
    return grid_sample(x, grid, interpolation_mode, padding_mode, align_corners)


@composed(f"GridSampler3D{_SAMPLER}")
def _grid_sampler_3d(x: Any, grid: Any, *, interpolation_mode: str = "bilinear",
                     padding_mode: str = "zeros", align_corners: bool = False) -> Any:
    """Volumes at the places of a grid."""
    return grid_sample(x, grid, interpolation_mode, padding_mode, align_corners)


def affine_grid(theta: Any, size: Any, align_corners: bool = False) -> Any:
    """The grid at which `theta` (N, axes, axes + 1) places the elements of a tensor of that size.

    Args:
        theta: The affine maps, a floating-point tensor (N, 2, 3) or (N, 3, 4).
        size: The extents (N, C, H, W) or (N, C, D, H, W).
        align_corners: Whether -1 and 1 are the centres of the corner elements instead of the borders of the image.

    Returns:
        A tensor (N, H, W, 2) or (N, D, H, W, 3).

    Raises:
        TypeError: If `theta` is no tensor or `align_corners` no bool.

    Examples:
        >>> theta = Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> ops.affine_grid(theta, (1, 1, 2, 2), True).tolist()
        [[[[-1.0, -1.0], [1.0, -1.0]], [[-1.0, 1.0], [1.0, 1.0]]]]
    """
    check.boolean("affine_grid", "align_corners", align_corners)
    return sampling.affine_grid(tensor("affine_grid", "theta", theta), size=tuple(plain(size)),
                                align_corners=align_corners)


def crop_and_resize(image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: str = "bilinear",
                    extrapolation_value: float = 0.0) -> Any:
    """Regions (y1, x1, y2, x2) of images (N, H, W, C), each resized to `crop_size`.

    Args:
        image: A tensor (N, H, W, C).
        boxes: The regions (regions, 4): y1, x1, y2, x2, where 0 and 1 are the first and the last element.
        box_indices: The image of each region, a tensor of int32 (regions,).
        crop_size: Height and width of the result.
        method: "bilinear", "nearest" or "bilinear_v2".
        extrapolation_value: What stands outside of the image.

    Returns:
        A tensor of float32 (regions, *crop_size, C).

    Examples:
        >>> image, box = Tensor([[[[1.0], [3.0]]]]), Tensor([[0.0, 0.0, 0.0, 1.0]])
        >>> ops.crop_and_resize(image, box, Tensor([0], mindspore.int32), (1, 3)).tolist()
        [[[[1.0], [2.0], [3.0]]]]
    """
    return _crop_and_resize(image, boxes, box_indices, crop_size=plain(crop_size), method=method,
                            extrapolation_value=extrapolation_value)


@composed("CropAndResize(method='bilinear', extrapolation_value=0.0)(x, boxes, box_index, crop_size)")
def _crop_and_resize(x: Any, boxes: Any, box_index: Any, *, crop_size: Any, method: str = "bilinear",
                     extrapolation_value: float = 0.0) -> Any:
    """Regions (y1, x1, y2, x2) of images (N, H, W, C), each resized to `crop_size`."""
    owner = "CropAndResize"
    check.option(owner, "method", method, ("bilinear", "nearest", "bilinear_v2"))
    if method == "bilinear_v2":
        raise ValueError(f"For '{owner}', the 'method' 'bilinear_v2' is not available; use 'bilinear'.")
    return sampling.crop_and_resize(x, boxes, box_index, size=check.ints(owner, "crop_size", crop_size, 2, 1),
                                    method=method,
                                    extrapolation=float(check.number(owner, "extrapolation_value",
                                                                     extrapolation_value)))


@composed("ROIAlign(pooled_height, pooled_width, spatial_scale, sample_num=2, roi_end_mode=1)"
          "(features, rois)")
def _roi_align(features: Any, rois: Any, *, pooled_height: int, pooled_width: int, spatial_scale: float,
               sample_num: int = 2, roi_end_mode: int = 1) -> Any:
    """The mean of bilinear samples in the cells of regions (image, x1, y1, x2, y2)."""
    owner = "ROIAlign"
    pooled = (check.positive_int(owner, "pooled_height", pooled_height),
              check.positive_int(owner, "pooled_width", pooled_width))
    check.option(owner, "roi_end_mode", roi_end_mode, (0, 1))
    return sampling.roi_align(features, rois, pooled=pooled,
                              scale=float(check.number(owner, "spatial_scale", spatial_scale)),
                              samples=check.non_negative_int(owner, "sample_num", sample_num),
                              end_mode=roi_end_mode)


__all__ = [
    "affine_grid", "crop_and_resize", "grid_sample",
]
