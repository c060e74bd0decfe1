"""Cells that move, repeat, resize or mark elements."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.tensor import Tensor
from mindspore.operators.padding import pad_constant

from .cell import Cell


class OneHot(Cell):
    """`on_value` at the indices along a new axis of length `depth`, `off_value` elsewhere.

    Args:
        axis: Where the new axis goes.
        depth: Its length.
        on_value: Value at the index.
        off_value: Value elsewhere.
        dtype: Element type of the result.

    Inputs:
        indices: Integers, any shape.

    Examples:
        >>> nn.OneHot(depth=3)(Tensor([2, 0], mindspore.int32)).tolist()
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """

    def __init__(self, axis: int = -1, depth: int = 1, on_value: float = 1.0, off_value: float = 0.0,
                 dtype: DType = float32):
        super().__init__()
        self.axis, self.depth, self.dtype = axis, depth, dtype
        self.on_value, self.off_value = [Tensor(check.instance(self, name, value, (bool, int, float, Tensor)), dtype)
                                         for name, value in (("on_value", on_value), ("off_value", off_value))]

    def construct(self, indices):
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class ChannelShuffle(Cell):
    """The channels of (N, C, H, W), dealt out into `groups` groups, Zhang et al. 2018.

    Args:
        groups: Number of groups, a divisor of the number of channels.

    Inputs:
        x: (N, C, ...).

    Examples:
        >>> nn.ChannelShuffle(2)(Tensor(np.arange(4.0).reshape(1, 4, 1, 1))).flatten().tolist()
        [0.0, 2.0, 1.0, 3.0]
    """

    def __init__(self, groups: int):
        super().__init__()
        if check.integer(self, "groups", groups) < 1:
            raise ValueError(f"For ChannelShuffle, the param `groups` must be larger than 0, but got "
                             f"{groups}.")
        self.groups = groups

    def construct(self, x):
        return ops.channel_shuffle(x, self.groups)


class PixelShuffle(Cell):
    """(N, C r r, H, W) as (N, C, H r, W r) with r = `upscale_factor`, Shi et al. 2016.

    Args:
        upscale_factor: By how much height and width grow, a positive int r.

    Inputs:
        x: (..., C r r, H, W).

    Examples:
        >>> nn.PixelShuffle(2)(ops.ones((1, 4, 3, 3))).shape
        (1, 1, 6, 6)
    """

    def __init__(self, upscale_factor: int):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input):
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(N, C, H r, W r) as (N, C r r, H, W) with r = `downscale_factor`.

    Args:
        downscale_factor: By how much height and width shrink, a positive int r.

    Inputs:
        x: (..., C, H r, W r).

    Examples:
        >>> nn.PixelUnshuffle(2)(ops.ones((1, 1, 6, 6))).shape
        (1, 4, 3, 3)
    """

    def __init__(self, downscale_factor: int):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input):
        return ops.pixel_unshuffle(input, self.downscale_factor)


class Roll(Cell):
    """The elements moved by `shift` places along `axis`; those pushed out come in again.

    Args:
        shift: One int, or one per axis.
        axis: The axis, or the axes.

    Inputs:
        input_x: Any shape.

    Examples:
        >>> nn.Roll(1, 0)(Tensor([1.0, 2.0, 3.0])).tolist()
        [3.0, 1.0, 2.0]
    """

    def __init__(self, shift: Any, axis: Any):
        super().__init__()
        for name, value in (("shift", shift), ("axis", axis)):
            if isinstance(value, bool) or not isinstance(value, (int, tuple, list)):
                raise TypeError(f"For 'Roll', the type of '{name}' should be one of '['int', 'tuple', "
                                f"'list']', but got type '{type(value).__name__}'.")
        self.shift = [shift] if isinstance(shift, int) else list(shift)
        self.axis = [axis] if isinstance(axis, int) else list(axis)
        if len(self.shift) != len(self.axis):
            raise ValueError("For 'Roll', the shape of 'shift' and the shape of 'axis' must be the same, "
                             f"but got the length of 'shift' {len(self.shift)} and the length of 'axis' "
                             f"{len(self.axis)}.")

    def construct(self, input_x):
        return ops.roll(input_x, tuple(self.shift), tuple(self.axis))


class Tril(Cell):
    """The elements on and below the diagonal `k`, zeros above.

    Inputs:
        x: (..., m, n), any dtype.
        k: 0 for the main diagonal; positive above, negative below it.

    Examples:
        >>> nn.Tril()(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 0], [3, 4]]
    """

    def construct(self, x, k=0):
        return ops.tril(x, k)


class Triu(Cell):
    """The elements on and above the diagonal `k`, zeros below.

    Inputs:
        x: (..., m, n), any dtype.
        k: 0 for the main diagonal; positive above, negative below it.

    Examples:
        >>> nn.Triu()(Tensor([[1, 2], [3, 4]])).tolist()
        [[1, 2], [0, 4]]
    """

    def construct(self, x, k=0):
        return ops.triu(x, k)


class Unfold(Cell):
    """The patches under a sliding window, as channels.

    Args:
        ksizes: Extents of the window, [1, rows, columns, 1].
        strides: Steps of the window, [1, rows, columns, 1].
        rates: Distances of the window's elements, [1, rows, columns, 1].
        padding: "valid" or "same".

    Inputs:
        input_x: (N, C, H, W).

    Outputs:
        (N, rows * columns * C, H', W'); for every place of the window its elements, each with all
        channels.

    Examples:
        >>> image = Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])
        >>> nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])(image)[0, :, 0, 0].tolist()
        [1.0, 2.0, 4.0, 5.0]
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid"):
        super().__init__()
        self.ksizes = self._inner("ksizes", ksizes)
        self.strides = self._inner("strides", strides)
        self.rates = self._inner("rates", rates)
        if str(padding).lower() not in ("valid", "same"):
            raise ValueError(f"For 'Unfold', the 'padding' must be 'valid' or 'same', but got "
                             f"{padding!r}.")
        self.padding = padding.lower()

    def _inner(self, name: str, value: Any) -> tuple[int, int]:
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"For 'Unfold', the '{name}' must be a tuple or a list, but got {value!r}.")
        if len(value) != 4 or value[0] != 1 or value[3] != 1:
            raise ValueError(f"For 'Unfold' the format of '{name}' must be [1, {name[:-1]}_row, "
                             f"{name[:-1]}_col, 1], but got {value}.")
        return (check.positive_int(self, name, value[1]), check.positive_int(self, name, value[2]))

    def construct(self, input_x):
        if self.padding == "same":
            input_x = pad_constant(input_x, pads=((0, 0), (0, 0), *self._ends(input_x.shape[2:])))
        n, c, height, width = input_x.shape
        rows, columns = [(extent - rate * (k - 1) - 1) // step + 1 for extent, k, step, rate in zip(
            (height, width), self.ksizes, self.strides, self.rates, strict=True)]
        area = self.ksizes[0] * self.ksizes[1]
        patches = ops.unfold(input_x, self.ksizes, self.rates, 0, self.strides)
        return patches.reshape((n, c, area, rows, columns)).swapaxes(1, 2).reshape(
            (n, area * c, rows, columns))

    def _ends(self, extents: Any) -> list[tuple[int, int]]:
        ends = []
        for extent, k, step, rate in zip(extents, self.ksizes, self.strides, self.rates, strict=True):
            total = max((-(-extent // step) - 1) * step + rate * (k - 1) + 1 - extent, 0)
            ends.append((total // 2, total - total // 2))
        return ends


class Upsample(Cell):
    """The input resized over its spatial axes.

    Args:
        size: Extents of the result.
        scale_factor: Instead: factors of the extents.
        mode: "nearest", "linear", "bilinear", "bicubic", "trilinear", "area" or "nearest-exact".
        align_corners: Whether the centres of the corner elements stay in the corners.
        recompute_scale_factor: Whether `scale_factor` only determines the size.

    Inputs:
        x: (N, C, *), one to three spatial axes, floating point.

    Examples:
        >>> nn.Upsample(scale_factor=2.0)(Tensor([[[1.0, 2.0]]])).tolist()
        [[[1.0, 1.0, 2.0, 2.0]]]
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                 align_corners: bool | None = None, recompute_scale_factor: bool | None = None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x):
        return ops.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners,
                               self.recompute_scale_factor)


class ResizeBilinear(Cell):
    """Images (N, C, H, W) resized bilinearly; a cell of earlier releases.

    Args:
        half_pixel_centers: Whether elements are areas with centres instead of points.

    Inputs:
        x: (N, C, H, W).
        size: (height, width).
        scale_factor: Instead: an int factor.
        align_corners: Whether the corner elements stay in the corners.

    Examples:
        >>> image = Tensor([[[[0.0, 2.0]]]])
        >>> nn.ResizeBilinear()(image, size=(1, 3), align_corners=True).tolist()
        [[[[0.0, 1.0, 2.0]]]]
    """

    def __init__(self, half_pixel_centers: bool = False):
        super().__init__()
        self.half_pixel_centers = check.boolean(self, "half_pixel_centers", half_pixel_centers)

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        if (size is None) == (scale_factor is None):
            raise ValueError("For 'ResizeBilinear', exactly one of 'size' and 'scale_factor' must be "
                             f"given, but got {size} and {scale_factor}.")
        if size is None:
            scale = check.positive_int(self, "scale_factor", scale_factor)
            size = (x.shape[2] * scale, x.shape[3] * scale)
        return ops.ResizeBilinear(tuple(size), align_corners, self.half_pixel_centers)(x)
