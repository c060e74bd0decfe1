"""Primitives of images and matrices that few programs use: glimpses, scaled images, logarithms of matrices."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.operators import scaled
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import full

from .arguments import tensor
from .primitive import composed
from .signatures import plain

_NOISE = ("uniform", "gaussian", "zero")


def _two(owner: str, name: str, value: Any, lowest: float | None = None) -> tuple[Any, Any]:
    found = plain(value)
    if not isinstance(found, tuple) or len(found) != 2:
        raise ValueError(f"For '{owner}', the '{name}' must have two elements, but got {found!r}.")
    if lowest is not None and min(found) < lowest:
        raise ValueError(f"For '{owner}', the '{name}' must be positive, but got {found}.")
    return found


@composed("ScaleAndTranslate(kernel_type='lanczos3', antialias=True)(images, size, scale, translation)")
def _scale_translate(images: Any, size: Any, scale: Any, translation: Any, *, kernel_type: str = "lanczos3",
                     antialias: bool = True) -> Any:
    """Images scaled and then moved, sampled with a kernel; float32.

    Args:
        kernel_type: "lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic" or "mitchellcubic".
        antialias: Whether the kernel is widened where images become smaller.

    Inputs:
        images: Numbers (N, H, W, C).
        size: Two positive ints that are known when a graph is compiled: extents of the result.
        scale: Two positive floats, for rows and columns.
        translation: Two floats, in pixels of the result.

    Outputs:
        float32 (N, size[0], size[1], C); zeros where nothing of the images lies.

    Examples:
        >>> one, size = Tensor([1.0, 1.0]), Tensor([1, 3], mindspore.int32)
        >>> ops.ScaleAndTranslate("box")(Tensor([[[[3.0], [5.0]]]]), size, one, one * 0).tolist()
        [[[[3.0], [5.0], [0.0]]]]
    """
    owner = "ScaleAndTranslate"
    check.option(owner, "kernel_type", kernel_type, tuple(scaled.KERNELS))
    check.boolean(owner, "antialias", antialias)
    for name, value in (("images", images), ("scale", scale), ("translation", translation)):
        tensor(owner, name, value)
    return scaled.scale_translate(images, scale, translation, size=_two(owner, "size", size, 1), kind=kernel_type,
                                  antialias=antialias)


@composed("ExtractGlimpse(centered=True, normalized=True, uniform_noise=True, noise='uniform')(x, size, offsets)")
def _glimpse(x: Any, size: Any, offsets: Any, *, centered: bool = True, normalized: bool = True,
             uniform_noise: bool = True, noise: str = "uniform") -> Any:
    """A part of each image around an offset.

    Args:
        centered: Whether offsets are measured from the middle of the image, in halves of its extents, else from its
            corner.
        normalized: Whether offsets are fractions of the extents, else pixels.
        uniform_noise: Whether what lies beside the image is uniform noise; then `noise` must be "uniform".
        noise: What lies beside the image: "uniform" in [-1, 1), "gaussian" of mean 0 and deviation 1, or "zero".

    Inputs:
        x: Images (N, H, W, C), float32.
        size: Two positive ints that are known when a graph is compiled: height and width of the parts.
        offsets: float32 (N, 2), the middle of each part, row and column.

    Outputs:
        float32 (N, height, width, C).

    Examples:
        >>> x = Tensor([[[[0.0], [1.0], [2.0]], [[3.0], [4.0], [5.0]]]])
        >>> cut = ops.ExtractGlimpse(uniform_noise=False, noise="zero")
        >>> cut(x, Tensor([2, 1], mindspore.int32), Tensor([[0.0, 0.0]])).tolist()
        [[[[1.0]], [[4.0]]]]
    """
    owner = "ExtractGlimpse"
    for name, value in (("centered", centered), ("normalized", normalized), ("uniform_noise", uniform_noise)):
        check.boolean(owner, name, value)
    check.option(owner, "noise", noise, _NOISE)
    if uniform_noise and noise != "uniform":
        raise ValueError(f"For '{owner}', the 'noise' must be 'uniform' with 'uniform_noise', but got {noise!r}.")
    if tensor(owner, "x", x).ndim != 4:
        raise ValueError(f"For '{owner}', the 'x' must be images (N, H, W, C), but got {show(x)}.")
    shape = (x.shape[0], *_two(owner, "size", size, 1), x.shape[3])
    if noise == "zero":
        made = full(shape=shape, value=0, dtype=float32)
    elif noise == "gaussian":
        made = REGISTRY["StandardNormal"](shape=shape, dtype=float32)
    else:
        made = REGISTRY["UniformReal"](shape=shape, dtype=float32) * 2.0 - 1.0
    return scaled.glimpses(x, tensor(owner, "offsets", offsets), made, centered=centered, normalized=normalized)
