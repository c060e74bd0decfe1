"""Pooling in windows whose steps vary at random."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.operators import pooling
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import stop_gradient

from .nn_convolution import per_axis
from .nn_pooling import ranked
from .primitive import composed


def _fractional(owner: str, x: Any, window: tuple[int, ...], size: tuple[int, ...], samples: Any,
                n: int) -> Any:
    ranked(owner, x, n + 1, n + 2)
    if samples is None:
        lead = tuple(x.shape[:-n]) if x.ndim == n + 2 else (1, x.shape[0])
        samples = REGISTRY["UniformReal"](shape=(*lead, n), dtype=float32)
    return pooling.fractional_max_pool(x, stop_gradient(samples), window=window, size=size)


def _fractional_size(owner: str, x: Any, size: Any, ratio: Any, n: int) -> tuple[int, ...]:
    if (size is None) == (ratio is None):
        raise ValueError(f"For '{owner}', exactly one of 'output_size' and 'output_ratio' must be given.")
    if size is not None:
        return check.ints(owner, "output_size", size, n, 1)
    ratios = ratio if isinstance(ratio, (tuple, list)) else (ratio,) * n
    return tuple([int(e * check.number(owner, "output_ratio", r, 0.0, 1.0, open_low=True, open_high=True))
                  for e, r in zip(x.shape[-n:], ratios, strict=True)])


def _fractional_max_pool(n: int, x: Any, kernel: Any, size: Any, ratio: Any, return_indices: bool,
                         samples: Any) -> Any:
    owner = f"fractional_max_pool{n}d"
    size = _fractional_size(owner, x, size, ratio, n)
    out = _fractional(owner, x, per_axis(owner, "kernel_size", kernel, n), size, samples, n)
    return out if return_indices else out[0]


def fractional_max_pool2d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                          return_indices: bool = False, _random_samples: Any = None) -> Any:
    """The maximum in windows of images whose steps vary at random; Graham 2014.

    Args:
        input: A floating-point tensor (N, C, H, W) or (C, H, W).
        kernel_size: The extents of a window, an int or two.
        output_size: The extents of the result, an int or two.
        output_ratio: Their ratio to those of the input, in (0, 1); `output_size` or this is given.
        return_indices: Whether to return the places, too.

    Returns:
        A tensor (N, C, *output_size), or two.

    Raises:
        ValueError: If neither or both of size and ratio are given.

    Examples:
        >>> ops.fractional_max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2, output_size=(1, 1)).tolist()
        [[[[4.0]]]]
    """
    return _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                          return_indices: bool = False, _random_samples: Any = None) -> Any:
    """The maximum in windows of volumes whose steps vary at random; Graham 2014.

    Args:
        input: A floating-point tensor (N, C, D, H, W) or (C, D, H, W).
        kernel_size: The extents of a window, an int or three.
        output_size: The extents of the result, an int or three.
        output_ratio: Their ratio to those of the input, in (0, 1); `output_size` or this is given.
        return_indices: Whether to return the places, too.

    Returns:
        A tensor (N, C, *output_size), or two.

    Raises:
        ValueError: If neither or both of size and ratio are given.

    Examples:
        >>> ops.fractional_max_pool3d(ops.ones((1, 1, 4, 4, 4)), 2, output_size=(2, 2, 2)).shape
        (1, 1, 2, 2, 2)
    """
    return _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


@composed("FractionalMaxPoolWithFixedKsize(ksize, output_shape, data_format='NCHW')(x, random_samples)")
def _fractional2d(x: Any, samples: Any, *, ksize: Any, output_shape: Any, data_format: str = "NCHW") -> Any:
    """The maximum in windows of images whose steps vary between the samples, and its index."""
    owner = "FractionalMaxPoolWithFixedKsize"
    check.option(owner, "data_format", data_format, ("NCHW",))
    return _fractional(owner, x, per_axis(owner, "ksize", ksize, 2),
                       check.ints(owner, "output_shape", output_shape, 2, 1), samples, 2)


@composed("FractionalMaxPool3DWithFixedKsize(ksize, output_shape, data_format='NCDHW')(x, random_samples)")
def _fractional3d(x: Any, samples: Any, *, ksize: Any, output_shape: Any,
                  data_format: str = "NCDHW") -> Any:
    """The maximum in windows of volumes whose steps vary between the samples, and its index."""
    owner = "FractionalMaxPool3DWithFixedKsize"
    check.option(owner, "data_format", data_format, ("NCDHW",))
    return _fractional(owner, x, per_axis(owner, "ksize", ksize, 3),
                       check.ints(owner, "output_shape", output_shape, 3, 1), samples, 3)


__all__ = ["fractional_max_pool2d", "fractional_max_pool3d"]
