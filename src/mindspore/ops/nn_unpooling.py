"""The inverse of maximum pooling: values back at their places."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.operators import pooling
from mindspore.operators.structure import expand_dims, reshape, transpose

from .nn_convolution import per_axis
from .nn_pooling import ranked, steps_of
from .primitive import composed


def _unpooled(owner: str, x: Any, indices: Any, kernel: Any, stride: Any, padding: Any, output_size: Any,
              n: int) -> Any:
    window, steps = steps_of(owner, kernel, stride or None, n)
    ends = per_axis(owner, "padding", padding, n, low=0)
    own = ranked(owner, x, n + 1, n + 2).shape[-n:]
    size = tuple([(e - 1) * s - 2 * p + k for e, k, s, p in zip(own, window, steps, ends, strict=True)])
    if output_size:
        given = tuple(output_size)[-n:]
        if any(abs(g - d) >= s for g, d, s in zip(given, size, steps, strict=True)):
            raise ValueError(f"For '{owner}', the 'output_size' must differ from {size} by less than the "
                             f"stride {steps}, but got {tuple(output_size)}.")
        size = given
    return pooling.max_unpool(x, indices, size=size)


def max_unpool1d(x: Any, indices: Any, kernel_size: int, stride: Any = None, padding: int = 0,
                 output_size: Any = None) -> Any:
    """Zeros with the elements of `x` (N, C, L) at the indices that max pooling returned.

    Args:
        x: A tensor (N, C, L).
        indices: The places in the result, a tensor of ints of its shape.
        kernel_size: The extent of a window of that pooling, an int.
        stride: Their distance. Default: that extent.
        padding: What was added at the borders.
        output_size: The shape of the result, where several are possible.

    Returns:
        A tensor (N, C, *).

    Examples:
        >>> ops.max_unpool1d(Tensor([[[2.0, 4.0]]]), Tensor([[[1, 3]]]), 2).tolist()
        [[[0.0, 2.0, 0.0, 4.0]]]
    """
    owner = "max_unpool1d"
    window, steps = steps_of(owner, kernel_size, stride or None, 1)
    (p,) = per_axis(owner, "padding", padding, 1, low=0)
    size = (1, tuple(output_size)[-1]) if output_size else None
    ranked(owner, x, 2, 3)
    y = _unpooled(owner, expand_dims(x, axis=-2), expand_dims(indices, axis=-2), (1, *window), (1, *steps),
                  (0, p), size, 2)
    return reshape(y, shape=(*y.shape[:-2], y.shape[-1]))


def max_unpool2d(x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
                 output_size: Any = None) -> Any:
    """Zeros with the elements of `x` (N, C, H, W) at the indices that max pooling returned.

    Args:
        x: A tensor (N, C, H, W).
        indices: The places in the flattened result image, a tensor of ints of its shape.
        kernel_size: The extents of a window of that pooling, an int or two.
        stride: Their distance. Default: that extent.
        padding: What was added at the borders.
        output_size: The shape of the result, where several are possible.

    Returns:
        A tensor (N, C, *).

    Examples:
        >>> ops.max_unpool2d(Tensor([[[[4.0]]]]), Tensor([[[[3]]]]), 2).tolist()
        [[[[0.0, 0.0], [0.0, 4.0]]]]
    """
    return _unpooled("max_unpool2d", x, indices, kernel_size, stride, padding, output_size, 2)


def max_unpool3d(x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
                 output_size: Any = None) -> Any:
    """Zeros with the elements of `x` (N, C, D, H, W) at the indices that max pooling returned.

    Args:
        x: A tensor (N, C, D, H, W).
        indices: The places in the flattened result volume, a tensor of ints of its shape.
        kernel_size: The extents of a window of that pooling, an int or three.
        stride: Their distance. Default: that extent.
        padding: What was added at the borders.
        output_size: The shape of the result, where several are possible.

    Returns:
        A tensor (N, C, *).

    Examples:
        >>> ops.max_unpool3d(Tensor([[[[[4.0]]]]]), Tensor([[[[[3]]]]]), (1, 2, 2)).tolist()
        [[[[[0.0, 0.0], [0.0, 4.0]]]]]
    """
    return _unpooled("max_unpool3d", x, indices, kernel_size, stride, padding, output_size, 3)


@composed("MaxUnpool2D(ksize, strides=0, pads=0, output_shape=(), data_format='NCHW')(x, argmax)")
def _max_unpool2d(x: Any, argmax: Any, *, ksize: Any, strides: Any = 0, pads: Any = 0,
                  output_shape: Any = (), data_format: str = "NCHW") -> Any:
    """Zeros with the elements of images `x` at the places `argmax`."""
    last = check.option("MaxUnpool2D", "data_format", data_format, ("NCHW", "NHWC")) == "NHWC"
    if last:
        x, argmax = transpose(x, perm=(0, 3, 1, 2)), transpose(argmax, perm=(0, 3, 1, 2))
        output_shape = (*output_shape[:1], *output_shape[3:], *output_shape[1:3])
    y = _unpooled("MaxUnpool2D", x, argmax, ksize, strides, pads, output_shape, 2)
    return transpose(y, perm=(0, 2, 3, 1)) if last else y


@composed("MaxUnpool3D(ksize, strides=0, pads=0, output_shape=(), data_format='NCDHW')(x, argmax)")
def _max_unpool3d(x: Any, argmax: Any, *, ksize: Any, strides: Any = 0, pads: Any = 0,
                  output_shape: Any = (), data_format: str = "NCDHW") -> Any:
    """Zeros with the elements of volumes `x` at the places `argmax`."""
    check.option("MaxUnpool3D", "data_format", data_format, ("NCDHW",))
    return _unpooled("MaxUnpool3D", x, argmax, ksize, strides, pads, output_shape, 3)


__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]
