"""Pooling functions and primitives of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.core.errors import show
from mindspore.operators import pooling
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast, expand_dims, reshape, transpose

from .arguments import tensor
from .nn_convolution import both_ends, mode_of, per_axis, same_padding, shortest
from .primitive import composed


def _placed(pool: Any, x: Any, window: tuple[int, ...], stride: tuple[int, ...], padding: tuple[int, ...],
            ceil_mode: bool, **attrs: Any) -> tuple[Any, ...]:
    """The results of a pooling operator with any padding, one or two numbers per axis.

    Torch's kernels pad both ends alike.  One more at the end is what rounding up gives; where that
    is not so (stride 1, window even), one place more at the beginning is computed and dropped.
    """
    n = len(window)
    if len(padding) == n:
        out = pool(x, window=window, stride=stride, padding=padding, ceil_mode=ceil_mode, **attrs)
        return out if isinstance(out, tuple) else (out,)
    begin, end = padding[::2], padding[1::2]
    wanted = [(e + b + a - k) // s + 1 for e, b, a, k, s in
              zip(x.shape[-n:], begin, end, window, stride, strict=True)]
    inner = list(begin)
    for i, extent in enumerate(x.shape[-n:]):
        if pooling.places(extent, window[i], stride[i], begin[i], 1, True) != wanted[i]:
            inner[i] = end[i]
    out = pool(x, window=window, stride=stride, padding=tuple(inner), ceil_mode=True, **attrs)
    out = out if isinstance(out, tuple) else (out,)
    cut = tuple([slice(y - w, None) for y, w in zip(out[0].shape[-n:], wanted, strict=True)])
    if any(c.start for c in cut):
        out = tuple([o[(..., *cut)] for o in out])
    return out


def steps_of(owner: str, kernel: Any, stride: Any, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Windows and strides for `n` axes; without a stride windows lie side by side."""
    window = per_axis(owner, "kernel_size", kernel, n)
    return window, window if stride is None else per_axis(owner, "stride", stride, n)


def ranked(owner: str, x: Any, *ranks: int) -> Any:
    """A tensor that has one of these numbers of dimensions.  ValueError otherwise."""
    if tensor(owner, "input", x).ndim not in ranks:
        raise ValueError(f"For '{owner}', the input must have {' or '.join(map(str, ranks))} dimensions, "
                         f"but got {show(x)}.")
    return x


def max_pool2d(x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               return_indices: bool = False, ceil_mode: bool = False) -> Any:
    """The maximum in each window of images (N, C, H, W), and its index in a flattened image.

    Args:
        x: A floating-point tensor (N, C, H, W).
        kernel_size: The extents of a window, an int or two.
        stride: The distance of two windows. Default: that extent.
        padding: What is added at the borders, at most half of the window; it is never the maximum.
        dilation: The distance of the elements of a window.
        return_indices: Whether to return the places, too.
        ceil_mode: Whether a last window may reach beyond the border.

    Returns:
        A tensor (N, C, *), or two.

    Raises:
        ValueError: If `x` has other dimensions.

    Examples:
        >>> ops.max_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).tolist()
        [[[[4.0]]]]
    """
    return _max_pool("max_pool2d", x, kernel_size, stride, padding, dilation, return_indices, ceil_mode, 2)


def max_pool3d(x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The maximum in each window of volumes (N, C, D, H, W), and its index in a flattened volume.

    Args:
        x: A floating-point tensor (N, C, D, H, W).
        kernel_size: The extents of a window, an int or three.
        stride: The distance of two windows. Default: that extent.
        padding: What is added at the borders, at most half of the window; it is never the maximum.
        dilation: The distance of the elements of a window.
        ceil_mode: Whether a last window may reach beyond the border.
        return_indices: Whether to return the places, too.

    Returns:
        A tensor (N, C, *), or two.

    Raises:
        ValueError: If `x` has other dimensions.

    Examples:
        >>> ops.max_pool3d(Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), (1, 2, 2)).tolist()
        [[[[[4.0]]]]]
    """
    return _max_pool("max_pool3d", x, kernel_size, stride, padding, dilation, return_indices, ceil_mode, 3)


def _max_pool(owner: str, x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, indices: bool,
              ceil_mode: bool, n: int) -> Any:
    ranked(owner, x, n + 1, n + 2)
    window, steps = steps_of(owner, kernel, stride, n)
    check.boolean(owner, "ceil_mode", ceil_mode)
    check.boolean(owner, "return_indices", indices)
    out = pooling.max_pool(x, window=window, stride=steps,
                           padding=per_axis(owner, "padding", padding, n, low=0),
                           dilation=per_axis(owner, "dilation", dilation, n), ceil_mode=ceil_mode)
    return out if indices else out[0]


def _pad_mode(owner: str, pad_mode: Any) -> str:
    """'same' or 'valid', in any case."""
    mode = mode_of(owner, pad_mode)
    if mode == "pad":
        raise check.fail(ValueError, owner, "pad_mode", "'same' or 'valid'", pad_mode)
    return mode


def _by_mode(owner: str, pool: Any, x: Any, kernel: Any, strides: Any, pad_mode: Any, data_format: Any,
             **attrs: Any) -> tuple[Any, ...]:
    """Pooling of images by the primitives' attributes, in either order of axes."""
    last = check.option(owner, "data_format", data_format, ("NCHW", "NHWC")) == "NHWC"
    window = _quad(owner, "kernel_size", kernel, last)
    steps = _quad(owner, "strides", strides, last)
    mode = _pad_mode(owner, pad_mode)
    ranked(owner, x, 4)
    if last:
        x = transpose(x, perm=(0, 3, 1, 2))
    padding = (0, 0) if mode == "valid" else same_padding(tuple(x.shape[2:]), window, steps, (1, 1))
    out = _placed(pool, x, window, steps, padding, False, **attrs)
    return tuple([transpose(o, perm=(0, 2, 3, 1)) for o in out]) if last else out


def _quad(owner: str, name: str, value: Any, last: bool) -> tuple[int, ...]:
    """(height, width) from an int, two ints, or four with the axes of batch and channel."""
    if isinstance(value, (tuple, list)) and len(value) == 4:
        value = value[1:3] if last else value[2:]
    return per_axis(owner, name, value, 2)


_IMAGES = "(kernel_size=1, strides=1, pad_mode={!r}, data_format='NCHW')(x)"


@composed("MaxPool" + _IMAGES.format("valid"))
def _max_pool_primitive(x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid",
                        data_format: Any = "NCHW") -> Any:
    """The maximum in each window of images; 'same' gives ceil(extent / stride) places."""
    return _by_mode("MaxPool", pooling.max_pool, x, kernel_size, strides, pad_mode, data_format)[0]


@composed("MaxPoolWithArgmax" + _IMAGES.format("valid"))
def _max_pool_with_argmax(x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid",
                          data_format: Any = "NCHW") -> Any:
    """The maximum in each window of images, and its index among all channels of the image."""
    def pool(x: Any, **attrs: Any) -> Any:
        y, indices = pooling.max_pool(x, **attrs)
        return y, pooling.sample_index(indices, plane=x.shape[2] * x.shape[3])
    return _by_mode("MaxPoolWithArgmax", pool, x, kernel_size, strides, pad_mode, data_format)


@composed("MaxPoolWithArgmaxV2(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, "
          "argmax_type=int64)(x)")
def _max_pool_with_argmax_v2(x: Any, *, kernel_size: Any, strides: Any = None, pads: Any = 0,
                             dilation: Any = (1, 1), ceil_mode: bool = False,
                             argmax_type: Any = None) -> Any:
    """The maximum in each window of images, and its index in the flattened image."""
    owner = "MaxPoolWithArgmaxV2"
    window, steps, edges, gaps = [v[2:] if isinstance(v, (tuple, list)) and len(v) == 4 else v
                                  for v in (kernel_size, strides, pads, dilation)]
    y, indices = _max_pool(owner, ranked(owner, x, 4), window, steps, edges, gaps, True, ceil_mode, 2)
    return y, _indexed(indices, argmax_type)


def _indexed(indices: Any, dtype: Any) -> Any:
    return indices if dtype is None else cast(indices, dtype=as_dtype(dtype))


@composed("MaxPool3DWithArgmax(ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, "
          "data_format='NCDHW', argmax_type=int64)(x)")
def _max_pool3d_with_argmax(x: Any, *, ksize: Any, strides: Any, pads: Any, dilation: Any = (1, 1, 1),
                            ceil_mode: bool = False, data_format: Any = "NCDHW",
                            argmax_type: Any = None) -> Any:
    """The maximum in each window of volumes, and its index in the flattened volume."""
    check.option("MaxPool3DWithArgmax", "data_format", data_format, ("NCDHW",))
    y, indices = _max_pool("MaxPool3DWithArgmax", x, ksize, strides, pads, dilation, True, ceil_mode, 3)
    return y, _indexed(indices, argmax_type)


def _padding3d(owner: str, x: Any, pad_mode: Any, pad: Any, window: tuple[int, ...],
               steps: tuple[int, ...]) -> tuple[int, ...]:
    mode = mode_of(owner, pad_mode)
    ends = both_ends(owner, "pad", pad, 3)
    if mode != "pad" and any(ends):
        raise ValueError(f"For '{owner}', the padding must be 0 when 'pad_mode' is '{mode}', but got {pad}; "
                         "use pad_mode='pad'.")
    if mode == "same":
        return same_padding(tuple(x.shape[2:]), window, steps, (1, 1, 1))
    return shortest(ends)


@composed("MaxPool3D(kernel_size=1, strides=1, pad_mode='VALID', pad_list=0, ceil_mode=None, "
          "data_format='NCDHW')(x)")
def _max_pool3d(x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "VALID",
                pad_list: Any = 0, ceil_mode: Any = None, data_format: Any = "NCDHW") -> Any:
    """The maximum in each window of volumes (N, C, D, H, W)."""
    owner = "MaxPool3D"
    check.option(owner, "data_format", data_format, ("NCDHW",))
    window, steps = steps_of(owner, kernel_size, strides, 3)
    padding = _padding3d(owner, ranked(owner, x, 5), pad_mode, pad_list, window, steps)
    return _placed(pooling.max_pool, x, window, steps, padding, bool(ceil_mode))[0]


def avg_pool1d(input_x: Any, kernel_size: int = 1, stride: int = 1, padding: int = 0,
               ceil_mode: bool = False, count_include_pad: bool = True) -> Any:
    """The mean in each window of sequences (N, C, L).

    Args:
        input_x: A floating-point tensor (N, C, L) or (C, L).
        kernel_size: The extent of a window, an int.
        stride: The distance of two windows.
        padding: How many zeros are added at the borders.
        ceil_mode: Whether a last window may reach beyond the border.
        count_include_pad: Whether these zeros count in the mean.

    Returns:
        A tensor (N, C, *).

    Raises:
        ValueError: If `input_x` has other dimensions.

    Examples:
        >>> ops.avg_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2).tolist()
        [[[2.0, 4.0]]]
    """
    owner = "avg_pool1d"
    x = ranked(owner, input_x, 2, 3)
    (k,), (s,) = steps_of(owner, kernel_size, stride, 1)
    begin, end = both_ends(owner, "padding", padding, 1)
    y = _avg(owner, expand_dims(x, axis=-2), (1, k), (1, s), [0, 0, begin, end], ceil_mode,
             count_include_pad, 0)
    return reshape(y, shape=(*y.shape[:-2], y.shape[-1]))


def avg_pool2d(input_x: Any, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0,
               ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Any:
    """The mean in each window of images (N, C, H, W), or the sum over `divisor_override`.

    Args:
        input_x: A floating-point tensor (N, C, H, W) or (C, H, W).
        kernel_size: The extents of a window, an int or two.
        stride: The distance of two windows.
        padding: How many zeros are added at the borders.
        ceil_mode: Whether a last window may reach beyond the border.
        count_include_pad: Whether these zeros count in the mean.
        divisor_override: The divisor instead of the number of elements; 0 for none.

    Returns:
        A tensor (N, C, *).

    Raises:
        ValueError: If `input_x` has other dimensions.

    Examples:
        >>> ops.avg_pool2d(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).tolist()
        [[[[2.5]]]]
    """
    owner = "avg_pool2d"
    window, steps = steps_of(owner, kernel_size, stride, 2)
    return _avg(owner, ranked(owner, input_x, 3, 4), window, steps,
                both_ends(owner, "padding", padding, 2), ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(input_x: Any, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0,
               ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Any:
    """The mean in each window of volumes (N, C, D, H, W), or the sum over `divisor_override`.

    Args:
        input_x: A floating-point tensor (N, C, D, H, W) or (C, D, H, W).
        kernel_size: The extents of a window, an int or three.
        stride: The distance of two windows.
        padding: How many zeros are added at the borders.
        ceil_mode: Whether a last window may reach beyond the border.
        count_include_pad: Whether these zeros count in the mean.
        divisor_override: The divisor instead of the number of elements; 0 for none.

    Returns:
        A tensor (N, C, *).

    Raises:
        ValueError: If `input_x` has other dimensions.

    Examples:
        >>> ops.avg_pool3d(Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), (1, 2, 2)).tolist()
        [[[[[2.5]]]]]
    """
    owner = "avg_pool3d"
    window, steps = steps_of(owner, kernel_size, stride, 3)
    return _avg(owner, ranked(owner, input_x, 4, 5), window, steps,
                both_ends(owner, "padding", padding, 3), ceil_mode, count_include_pad, divisor_override)


def _avg(owner: str, x: Any, window: tuple[int, ...], steps: tuple[int, ...], ends: list[int],
         ceil_mode: Any, include_pad: Any, divisor: Any) -> Any:
    check.boolean(owner, "ceil_mode", ceil_mode)
    check.boolean(owner, "count_include_pad", include_pad)
    check.non_negative_int(owner, "divisor_override", divisor)
    padding = shortest(ends)
    if len(padding) == 2 * len(window):        # zeros are as good as padding where they count
        if not include_pad:
            raise ValueError(f"For '{owner}', 'count_include_pad' must be True when the two ends of an "
                             f"axis are padded differently, but got {ends}.")
        lead = [(0, 0)] * (x.ndim - len(window))
        pads = tuple([*lead, *zip(ends[::2], ends[1::2], strict=True)])
        x, padding = REGISTRY["PadConstant"](x, pads=pads), (0,) * len(window)
    return pooling.avg_pool(x, window=window, stride=steps, padding=padding, ceil_mode=ceil_mode,
                            include_pad=include_pad, divisor=divisor or None)


@composed("AvgPool" + _IMAGES.format("VALID"))
def _avg_pool_primitive(x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "VALID",
                        data_format: Any = "NCHW") -> Any:
    """The mean in each window of images, of the elements that lie in the image."""
    return _by_mode("AvgPool", pooling.avg_pool, x, kernel_size, strides, pad_mode, data_format,
                    include_pad=False)[0]


@composed("AvgPool3D(kernel_size=1, strides=1, pad_mode='valid', pad=0, ceil_mode=False, "
          "count_include_pad=True, divisor_override=0, data_format='NCDHW')(x)")
def _avg_pool3d(x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", pad: Any = 0,
                ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0,
                data_format: Any = "NCDHW") -> Any:
    """The mean in each window of volumes (N, C, D, H, W)."""
    owner = "AvgPool3D"
    check.option(owner, "data_format", data_format, ("NCDHW",))
    window, steps = steps_of(owner, kernel_size, strides, 3)
    padding = _padding3d(owner, ranked(owner, x, 5), pad_mode, pad, window, steps)
    if mode_of(owner, pad_mode) == "same" and not count_include_pad:
        return _placed(pooling.avg_pool, x, window, steps, padding, ceil_mode, include_pad=False,
                       divisor=divisor_override or None)[0]
    ends = list(padding) if len(padding) == 6 else [p for p in padding for _ in (0, 1)]
    return _avg(owner, x, window, steps, ends, ceil_mode, count_include_pad, divisor_override)


__all__ = [
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool2d", "max_pool3d",
]
