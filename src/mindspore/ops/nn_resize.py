"""Functions and primitives of `mindspore.ops` that resample images, cut and join patches."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.operators import resize
from mindspore.operators.structure import cast, transpose

from .arguments import tensor
from .primitive import composed
from .signatures import plain

_RANKS = {"nearest": (3, 4, 5), "nearest-exact": (3, 4), "linear": (3,), "bilinear": (4,),
          "bicubic": (4,), "area": (3, 4, 5), "trilinear": (5,)}


_PLACES = ("align_corners", "half_pixel", "asymmetric")
_IN_1_8 = ("x", "roi", "scales", "sizes", "coordinate_transformation_mode", "mode")


def _of_either_release(function: Callable[..., Any]) -> Callable[..., Any]:
    """Tell calls of 1.8 by their arguments: its own names, or extents in the fourth place."""
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if {*_IN_1_8[1:5]} & kwargs.keys() or any(isinstance(a, (tuple, list)) for a in args[3:4]) or any(
                isinstance(a, str) and a in _PLACES for a in args[4:5]):
            found = dict(zip(_IN_1_8, args, strict=False))
            wrong = kwargs.keys() - {*_IN_1_8} or kwargs.keys() & found.keys()
            if wrong:
                raise TypeError(f"interpolate() got an unexpected keyword argument '{min(wrong)}'")
            return _of_1_8(**found, **kwargs)
        return function(*args, **kwargs)
    return call


def _of_1_8(x: Any, roi: Any = None, scales: Any = None, sizes: Any = None,
            coordinate_transformation_mode: str = "align_corners", mode: str = "linear") -> Any:
    check.option("interpolate", "roi", roi, (None,))
    places = check.option("interpolate", "coordinate_transformation_mode", coordinate_transformation_mode, _PLACES)
    if places != "asymmetric":
        return interpolate(x, sizes, None if scales is None else tuple(scales[2:]), mode, places == "align_corners")
    if mode != "bilinear":
        raise check.fail(ValueError, "interpolate", "mode", "'bilinear' for asymmetric places", mode)
    wanted = [int(n * f) for n, f in zip(x.shape[2:], scales[2:], strict=True)] if sizes is None else sizes
    return _bilinear(x, size=tuple(wanted))


def per_axis(input: Any, value: Any) -> Any:
    """A number of each axis after the second one; a sequence stays what it is."""
    return value if isinstance(value, (tuple, list)) else (value,) * (input.ndim - 2)


def scaled_extents(input: Any, scale_factor: Any) -> tuple[int, ...]:
    """The extents of the axes after the second one times their factors, rounded down."""
    return tuple([math.floor(n * f) for n, f in zip(input.shape[2:], scale_factor, strict=True)])


@_of_either_release
def interpolate(input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                align_corners: Any = None, recompute_scale_factor: Any = None) -> Any:
    """The input (N, C, *) resampled to the spatial extents `size`, or to `scale_factor` times its own.

    Args:
        input: A floating-point tensor (N, C, *).
        size: The spatial extents, an int or a tuple of ints.
        scale_factor: Their factor, a number or a tuple of numbers; `size` or this is given.
        mode: "nearest", "nearest-exact", "linear" (3-D), "bilinear", "bicubic" (4-D), "trilinear" (5-D) or "area".
        align_corners: Whether the corner elements keep their places; for the linear and cubic modes.
        recompute_scale_factor: Whether places follow from the resulting size rather than from `scale_factor`, which
            need not divide it.

    Returns:
        A tensor (N, C, *size).

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `mode` is another one or does not go with the dimensions.

    Examples:
        >>> ops.interpolate(Tensor([[[1.0, 2.0]]]), size=(4,)).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
        >>> ops.interpolate(Tensor([[[1.0, 3.0]]]), size=(3,), mode="linear", align_corners=True).tolist()
        [[[1.0, 2.0, 3.0]]]
    """
    return resampled(input, size, scale_factor, mode, align_corners, recompute_scale_factor, -0.5)


def resampled(input: Any, size: Any, scale_factor: Any, mode: str, align_corners: Any, recompute_scale_factor: Any,
              curve: float) -> Any:
    """`interpolate`, with the parameter of the cubic curve: -0.5 as Keys has it, -0.75 as torch has it."""
    owner = "interpolate"
    x = tensor(owner, "input", input)
    check.option(owner, "mode", mode, _RANKS)
    if x.ndim not in _RANKS[mode]:
        raise ValueError(f"For '{owner}', the mode '{mode}' takes inputs of {_RANKS[mode]} dimensions, but "
                         f"got {show(x)}.")
    corners = mode in ("linear", "bilinear", "bicubic", "trilinear")
    if align_corners is not None and not corners:
        raise ValueError(f"For '{owner}', 'align_corners' must be None for the mode '{mode}', but got "
                         f"{align_corners}.")
    size, scales = _extents(owner, x, plain(size), scale_factor, bool(recompute_scale_factor))
    return _resampled(x, size, scales, mode, bool(align_corners), curve)


def _extents(owner: str, x: Any, size: Any, factor: Any, recompute: bool) -> tuple[Any, Any]:
    """The wanted extents, and the factors where these place the samples."""
    n = x.ndim - 2
    if (size is None) == (factor is None):
        both = "only one of them" if size is not None else "one of them"
        raise ValueError(f"For '{owner}', {both} of 'size' and 'scale_factor' must be given.")
    if size is not None:
        if recompute:
            raise ValueError(f"For '{owner}', 'recompute_scale_factor' must not be True when 'size' is "
                             "given; it needs 'scale_factor'.")
        return check.ints(owner, "size", size, n, 1), None
    factors = tuple(factor) if isinstance(factor, (tuple, list)) else (factor,) * n
    if len(factors) != n:
        raise check.fail(ValueError, owner, "scale_factor", f"a float or {n} floats", factor)
    scales = tuple([float(check.number(owner, "scale_factor", f, 0.0, open_low=True)) for f in factors])
    size = tuple([int(e * f) for e, f in zip(x.shape[2:], scales, strict=True)])
    exact = all(e * f == s for e, f, s in zip(x.shape[2:], scales, size, strict=True))
    return size, None if recompute or exact else scales


def _resampled(x: Any, size: tuple[int, ...], scales: Any, mode: str, align_corners: bool,
               curve: float = -0.5) -> Any:
    if mode == "bicubic" and scales is None and curve == -0.5:
        return resize.sample_separable(_floats("interpolate", x), size=size, kind="cubic", align_corners=align_corners,
                                       half_pixel=not align_corners)
    if scales is not None and align_corners:
        scales = None                      # corners keep their places whatever the factors
    return resize.resample(x, size=size, mode=mode, align_corners=align_corners, scales=scales)


def upsample(input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
             align_corners: Any = None, recompute_scale_factor: Any = None) -> Any:
    """The same as `interpolate`.

    Args:
        input: A floating-point tensor (N, C, *).
        size: The spatial extents.
        scale_factor: Their factor; `size` or this is given.
        mode, align_corners, recompute_scale_factor: As for `ops.interpolate`.

    Returns:
        A tensor (N, C, *size).

    Raises:
        ValueError: If `mode` is another one or does not go with the dimensions.

    Examples:
        >>> ops.upsample(Tensor([[[1.0, 2.0]]]), scale_factor=2.0).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
    """
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


# ---------------------------------------------------------------------- primitives that resize

def _size(owner: str, size: Any, n: int = 2) -> tuple[int, ...]:
    return check.ints(owner, "size", size, n, 1)


def _corners(owner: str, align_corners: Any, half_pixel: Any) -> None:
    check.boolean(owner, "align_corners", align_corners)
    if check.boolean(owner, "half_pixel_centers", half_pixel) and align_corners:
        raise ValueError(f"For '{owner}', 'align_corners' and 'half_pixel_centers' cannot both be True.")


def _images(owner: str, x: Any) -> Any:
    if tensor(owner, "image", x).ndim != 4:
        raise ValueError(f"For '{owner}', the input must be (N, C, H, W), but got {show(x)}.")
    return x


def _floats(owner: str, x: Any) -> Any:
    """Images (N, C, H, W) whose elements can lie between others."""
    if not _images(owner, x).dtype.is_floating:
        raise TypeError(f"For '{owner}', the input must be of floats, but got {show(x)}.")
    return x


@composed("ResizeBilinearV2(align_corners=False, half_pixel_centers=False)(image, size)")
def _bilinear(x: Any, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) interpolated linearly at `size` samples."""
    owner = "ResizeBilinear"
    _corners(owner, align_corners, half_pixel_centers)
    size = _size(owner, size)
    if align_corners or half_pixel_centers:
        return resize.resample(_floats(owner, x), size=size, mode="bilinear", align_corners=align_corners)
    return resize.sample_separable(_floats(owner, x), size=size)


@composed("ResizeBilinear(size, align_corners=False, half_pixel_centers=False)(input)")
def _bilinear_v1(x: Any, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) interpolated linearly at `size` samples.

    Inputs: (N, C, H, W), floats.  Output: (N, C, h, w), dtype of the input.

    Args:
        size: (h, w), positive; an int for both.
        align_corners: Whether the corners of both images coincide, so that samples are (H - 1) / (h - 1) apart,
            instead of H / h.
        half_pixel_centers: Whether samples lie in the middle of their parts of the image.

    Raises:
        TypeError: If `size` holds anything but ints, or the input is of integers.
        ValueError: If an extent is not positive, the input has not four dimensions, or both flags are True.

    Examples:
        >>> ops.ResizeBilinear((1, 3), align_corners=True)(Tensor([[[[0.0, 4.0]]]])).tolist()
        [[[[0.0, 2.0, 4.0]]]]
    """
    return _bilinear(x, size=size, align_corners=align_corners, half_pixel_centers=half_pixel_centers)


@composed("ResizeNearestNeighborV2(align_corners=False, half_pixel_centers=False)(image, size)")
def _nearest(x: Any, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) with the nearest elements at `size` samples."""
    owner = "ResizeNearestNeighbor"
    _corners(owner, align_corners, half_pixel_centers)
    size = _size(owner, size)
    if align_corners or half_pixel_centers:
        return resize.sample_nearest(_images(owner, x), size=size, align_corners=align_corners,
                                     half_pixel=half_pixel_centers)
    if not _images(owner, x).dtype.is_floating:                  # torch has no kernel for integers but uint8
        return resize.sample_nearest(x, size=size)
    return resize.resample(x, size=size, mode="nearest")


@composed("ResizeNearestNeighbor(size, align_corners=False, half_pixel_centers=False)(input_x)")
def _nearest_v1(x: Any, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) with the nearest elements at `size` samples.

    Errors are those of `ResizeBilinear`.

    Examples:
        >>> ops.ResizeNearestNeighbor((1, 4))(Tensor([[[[1.0, 2.0]]]])).tolist()
        [[[[1.0, 1.0, 2.0, 2.0]]]]
    """
    return _nearest(x, size=size, align_corners=align_corners, half_pixel_centers=half_pixel_centers)


@composed("ResizeBicubic(align_corners=False, half_pixel_centers=False)(image, size)")
def _bicubic(x: Any, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Images (N, C, H, W) interpolated by cubics at `size` samples."""
    owner = "ResizeBicubic"
    _corners(owner, align_corners, half_pixel_centers)
    return resize.sample_separable(_floats(owner, x), size=_size(owner, size), kind="cubic",
                                   align_corners=align_corners, half_pixel=half_pixel_centers)


@composed("ResizeArea(align_corners=False)(images, size)")
def _area(x: Any, *, size: Any, align_corners: bool = False) -> Any:
    """Images (N, H, W, C) whose `size` elements are means over the areas that they cover."""
    check.boolean("ResizeArea", "align_corners", align_corners)
    planes = cast(transpose(_images("ResizeArea", x), perm=(0, 3, 1, 2)), dtype=float32)
    y = resize.sample_separable(planes, size=_size("ResizeArea", size), kind="area",
                                align_corners=align_corners)
    return transpose(y, perm=(0, 2, 3, 1))


@composed("ResizeLinear1D(coordinate_transformation_mode='align_corners')(x, size)")
def _linear(x: Any, *, size: Any, coordinate_transformation_mode: str = "align_corners") -> Any:
    """Sequences (N, C, L) interpolated linearly at `size` samples."""
    owner = "ResizeLinear1D"
    check.option(owner, "coordinate_transformation_mode", coordinate_transformation_mode,
                 ("align_corners", "half_pixel"))
    if tensor(owner, "x", x).ndim != 3:
        raise ValueError(f"For '{owner}', the input must be (N, C, L), but got {show(x)}.")
    return resize.resample(x, size=_size(owner, size, 1), mode="linear",
                           align_corners=coordinate_transformation_mode == "align_corners")


def _volume(owner: str, x: Any, size: Any, scales: Any, mode: str, align_corners: bool) -> Any:
    if tensor(owner, "x", x).ndim != 5:
        raise ValueError(f"For '{owner}', the input must be (N, C, D, H, W), but got {show(x)}.")
    size, scales = _extents(owner, x, size, scales, False)
    return _resampled(x, size, scales, mode, align_corners)


@composed("UpsampleNearest3D()(x, output_size=None, scales=None)")
def _upsample_nearest(x: Any, *, output_size: Any = None, scales: Any = None) -> Any:
    """Volumes (N, C, D, H, W) with the nearest elements at the samples of a new size."""
    return _volume("UpsampleNearest3D", x, output_size, scales, "nearest", False)


@composed("UpsampleTrilinear3D(align_corners=False)(x, output_size=None, scales=None)")
def _upsample_trilinear(x: Any, *, output_size: Any = None, scales: Any = None,
                        align_corners: bool = False) -> Any:
    """Volumes (N, C, D, H, W) interpolated linearly at the samples of a new size."""
    check.boolean("UpsampleTrilinear3D", "align_corners", align_corners)
    return _volume("UpsampleTrilinear3D", x, output_size, scales, "trilinear", align_corners)


# ---------------------------------------------------------------------- patches


# ---------------------------------------------------------------------- samples at computed places


__all__ = [
    "interpolate", "upsample",
]
