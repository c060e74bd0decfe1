"""Patches of images as columns, and back."""
from __future__ import annotations

import itertools
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators import sampling
from mindspore.operators.joining import concat
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import reshape

from .arguments import tensor
from .nn_convolution import per_axis, same_padding
from .primitive import composed
from .signatures import plain


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The patches of images (N, C, H, W) as columns (N, C * window, places).

    Args:
        input: A tensor (N, C, H, W).
        kernel_size: The extents of a patch, an int or two.
        dilation: The distance of the elements of a patch.
        padding: What is added at the borders, zeros.
        stride: The distance of two patches.

    Returns:
        A tensor (N, C * window, places).

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.unfold(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), (2, 1)).tolist()
        [[[1.0, 2.0], [3.0, 4.0]]]
    """
    return sampling.image_to_columns(tensor("unfold", "input", input),
                                     **_patches("unfold", kernel_size, dilation, padding, stride))


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
         stride: Any = 1) -> Any:
    """The sum of the patches in columns (N, C * window, places), each at its place in an image.

    Args:
        input: A tensor (N, C * window, places).
        output_size: The extents of the image, two ints.
        kernel_size: The extents of a patch, an int or two.
        dilation: The distance of the elements of a patch.
        padding: What is cut off at the borders.
        stride: The distance of two patches.

    Returns:
        A tensor (N, C, *output_size).

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.fold(Tensor([[[1.0, 2.0], [3.0, 4.0]]]), (2, 2), (2, 1)).tolist()
        [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    size = check.ints("fold", "output_size", plain(output_size), 2, 1)
    return sampling.columns_to_image(tensor("fold", "input", input), size=size,
                                     **_patches("fold", kernel_size, dilation, padding, stride))


def _patches(owner: str, window: Any, dilation: Any, padding: Any, stride: Any) -> dict[str, Any]:
    return {"window": check.ints(owner, "kernel_size", window, 2, 1),
            "dilation": check.ints(owner, "dilation", dilation, 2, 1),
            "padding": check.ints(owner, "padding", padding, 2, 0),
            "stride": check.ints(owner, "stride", stride, 2, 1)}


@composed("Im2Col(ksizes, strides=1, dilations=1, pads=0)(x)")
def _im2col(x: Any, *, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0) -> Any:
    """The patches of images (N, C, H, W) as (N, C, window, places)."""
    y = sampling.image_to_columns(x, **_patches("Im2Col", ksizes, dilations, pads, strides))
    return reshape(y, shape=(x.shape[0], x.shape[1], y.shape[1] // x.shape[1], y.shape[2]))


def col2im(input_x: Any, output_size: Any, kernel_size: Any, dilation: Any, padding_value: Any,
           stride: Any) -> Any:
    """The sum of the patches in (N, C, window, places), each at its place in an image.

    Args:
        input_x: A tensor (N, C, window, places).
        output_size: The extents of the image, two ints (also as a tensor).
        kernel_size: The extents of a patch, an int or two.
        dilation: The distance of the elements of a patch.
        padding_value: What is cut off at the borders.
        stride: The distance of two patches.

    Returns:
        A tensor (N, C, *output_size).

    Examples:
        >>> x, size = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([2, 2], mindspore.int32)
        >>> ops.col2im(x, size, (2, 1), (1, 1), (0, 0), (1, 1)).tolist()
        [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    return _col2im(input_x, output_size=output_size, kernel_size=kernel_size, dilation=dilation,
                   padding=padding_value, stride=stride)


@composed("Col2Im(kernel_size, dilation=1, padding=0, stride=1)(x, output_size)")
def _col2im(x: Any, *, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
            stride: Any = 1) -> Any:
    """The sum of the patches in (N, C, window, places), each at its place in an image."""
    if tensor("Col2Im", "x", x).ndim != 4:
        raise ValueError(f"For 'Col2Im', the input must be (N, C, window, places), but got {show(x)}.")
    columns = reshape(x, shape=(x.shape[0], x.shape[1] * x.shape[2], x.shape[3]))
    return fold(columns, output_size, kernel_size, dilation, padding, stride)


@composed("ExtractVolumePatches(kernel_size, strides, padding)(input_x)")
def _volume_patches(input_x: Any, *, kernel_size: Any, strides: Any, padding: str) -> Any:
    """The windows of volumes (N, C, D, H, W) as channels, those of one place in the window together."""
    owner = "ExtractVolumePatches"
    window, steps = [per_axis(owner, name, value[-3:] if isinstance(value, (tuple, list)) else value, 3)
                     for name, value in (("kernel_size", kernel_size), ("strides", strides))]
    if tensor(owner, "input_x", input_x).ndim != 5:
        raise ValueError(f"For '{owner}', the input must be (N, C, D, H, W), but got {show(input_x)}.")
    x = input_x
    if check.option(owner, "padding", padding.lower(), ("same", "valid")) == "same":
        ends = same_padding(tuple(x.shape[2:]), window, steps, (1, 1, 1))
        ends = ends if len(ends) == 6 else tuple([p for p in ends for _ in (0, 1)])
        pads = ((0, 0), (0, 0), *zip(ends[::2], ends[1::2], strict=True))
        x = REGISTRY["PadConstant"](x, pads=tuple(pads))
    parts = []
    for place in itertools.product(*[range(n) for n in window]):
        spans = [slice(at, n - k + at + 1, step) for at, n, k, step in zip(place, x.shape[2:], window, steps,
                                                                           strict=True)]
        parts.append(x[:, :, spans[0], spans[1], spans[2]])
    return concat(*parts, axis=1)


__all__ = [
    "col2im", "fold", "unfold",
]

METHODS = {
    "col2im": col2im, "fold": fold, "unfold": unfold,
}
