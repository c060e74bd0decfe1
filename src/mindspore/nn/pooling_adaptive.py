"""Pooling to a given size, by random windows, and its reverse."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check

from .cell import Cell


class AdaptiveAvgPool1d(Cell):
    """The mean over `output_size` cells that cover (N, C, L) evenly.

    Args:
        output_size: How many elements the result has along the last axis.

    Inputs:
        x: (C, L) or (N, C, L), floating point.

    Examples:
        >>> nn.AdaptiveAvgPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])).tolist()
        [[[2.0, 6.0]]]
    """

    def __init__(self, output_size: int):
        super().__init__()
        self.output_size = check.positive_int(self, "output_size", output_size)

    def construct(self, input):
        return ops.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Cell):
    """The mean over cells that cover the last two axes evenly.

    Args:
        output_size: Number of cells, one int or (height, width); None keeps the axis.

    Inputs:
        input: (C, H, W) or (N, C, H, W), floating point.

    Examples:
        >>> nn.AdaptiveAvgPool2d((None, 1))(Tensor([[[[1.0, 3.0], [5.0, 9.0]]]])).tolist()
        [[[[2.0], [7.0]]]]
    """

    def __init__(self, output_size: Any):
        super().__init__()
        _check_size("AdaptiveAvgPool2D", output_size)
        self.output_size = output_size

    def construct(self, input):
        return ops.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    """The mean over cells that cover the last three axes evenly; `output_size` as in two axes.

    Args:
        output_size: The extents of the result, one int or (depth, height, width); None keeps that of the input.

    Inputs:
        x: (C, D, H, W) or (N, C, D, H, W), floating point.

    Examples:
        >>> nn.AdaptiveAvgPool3d(2)(ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 2, 2, 2)
    """

    def __init__(self, output_size: Any):
        super().__init__()
        _check_size("AdaptiveAvgPool3D", output_size)
        self.output_size = output_size

    def construct(self, input):
        return ops.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(Cell):
    """The maximum over `output_size` cells that cover (N, C, L) evenly.

    Args:
        output_size: How many elements the result has along the last axis.

    Inputs:
        x: (C, L) or (N, C, L), floating point.

    Examples:
        >>> nn.AdaptiveMaxPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])).tolist()
        [[[3.0, 7.0]]]
    """

    def __init__(self, output_size: int):
        super().__init__()
        self.output_size = check.positive_int(self, "output_size", output_size)

    def construct(self, input):
        return ops.adaptive_max_pool1d(input, self.output_size)


class AdaptiveMaxPool2d(Cell):
    """The maximum over cells that cover the last two axes evenly.

    Args:
        output_size: Number of cells, one int or (height, width); None keeps the axis.
        return_indices: Whether to return the places of the maxima, too.

    Inputs:
        input: (C, H, W) or (N, C, H, W), floating point.

    Examples:
        >>> nn.AdaptiveMaxPool2d((2, 1))(Tensor([[[[1.0, 3.0], [5.0, 9.0]]]])).tolist()
        [[[[3.0], [9.0]]]]
    """

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input):
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    """The maximum over cells that cover the last three axes evenly.

    Args:
        output_size: Number of cells, one int or (depth, height, width); None keeps the axis.
        return_indices: Whether to return the places of the maxima, too.

    Inputs:
        input: (C, D, H, W) or (N, C, D, H, W), floating point.

    Examples:
        >>> y, places = nn.AdaptiveMaxPool3d(1, True)(Tensor(np.arange(8.0, dtype=np.float32).reshape(1, 2, 2, 2)))
        >>> y.tolist(), places.tolist()
        ([[[[7.0]]]], [[[[7]]]])
    """

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input):
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


def _check_size(owner: str, size: Any) -> None:
    if isinstance(size, bool) or not isinstance(size, (int, tuple)):
        raise TypeError(f"For '{owner}', the type of 'output_size' should be one of '['int', 'tuple']', "
                        f"but got type '{type(size).__name__}'.")


class FractionalMaxPool2d(Cell):
    """The maximum over windows at pseudo-random places, Graham 2014.

    Args:
        kernel_size: Extents of the window, one int or (height, width).
        output_size: Extents of the result.
        output_ratio: Instead: extents of the result over those of the input, in (0, 1).
        return_indices: Whether to return the places of the maxima, too.
        _random_samples: (N, C, 2), the random numbers in [0, 1) that place the windows.

    Inputs:
        input: (C, H, W) or (N, C, H, W), floating point.

    Examples:
        >>> nn.FractionalMaxPool2d(2, output_size=(3, 3))(ops.ones((1, 2, 8, 8))).shape
        (1, 2, 3, 3)
    """

    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                 return_indices: bool = False, _random_samples: Any = None):
        super().__init__()
        self.kernel_size, self.output_size = kernel_size, output_size
        self.output_ratio, self.return_indices = output_ratio, return_indices
        self._random_samples = _random_samples

    def construct(self, input):
        return ops.fractional_max_pool2d(input, self.kernel_size, self.output_size, self.output_ratio,
                                         self.return_indices, self._random_samples)


class FractionalMaxPool3d(Cell):
    """The maximum over windows at pseudo-random places, in three axes.

    Args:
        kernel_size: Extents of the window, one int or (depth, height, width).
        output_size: Extents of the result.
        output_ratio: Instead: extents of the result over those of the input, in (0, 1).
        return_indices: Whether to return the places of the maxima, too.
        _random_samples: (N, C, 3), the random numbers in [0, 1) that place the windows.

    Inputs:
        input: (C, D, H, W) or (N, C, D, H, W), floating point.

    Examples:
        >>> nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 0.5))(ops.ones((1, 2, 8, 8, 8))).shape
        (1, 2, 4, 4, 4)
    """

    def __init__(self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
                 return_indices: bool = False, _random_samples: Any = None):
        super().__init__()
        self.kernel_size, self.output_size = kernel_size, output_size
        self.output_ratio, self.return_indices = output_ratio, return_indices
        self._random_samples = _random_samples

    def construct(self, input):
        return ops.fractional_max_pool3d(input, self.kernel_size, self.output_size, self.output_ratio,
                                         self.return_indices, self._random_samples)


class _MaxUnpool(Cell):
    """Zeros with the elements of `x` at the places that max pooling reports.

    Args:
        kernel_size: Extents of the window that pooled.
        stride: Its steps. Default: its extents.
        padding: Its padding.
    """

    _unpool: Any

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0):
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride

    def construct(self, x, indices, output_size=None):
        return self._unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool):
    """The reverse of `MaxPool1d` with `return_indices`.

    Args:
        kernel_size, stride, padding: Of the pooling; the stride defaults to the window's length.

    Inputs:
        x: The maxima, (C, L) or (N, C, L).
        indices: Their places, as pooling reports them.
        output_size: Shape of the result, where several are possible.

    Examples:
        >>> pool = nn.MaxPool1d(2, 2, pad_mode="pad", return_indices=True)
        >>> y, places = pool(Tensor([[[1.0, 3.0, 5.0, 4.0]]]))
        >>> nn.MaxUnpool1d(2)(y, places).tolist()
        [[[0.0, 3.0, 5.0, 0.0]]]
    """

    def _unpool(self, *args: Any) -> Any:
        return ops.max_unpool1d(*args)


class MaxUnpool2d(_MaxUnpool):
    """The reverse of `MaxPool2d` with `return_indices`.

    Args:
        kernel_size, stride, padding: Of the pooling; the stride defaults to the window's extents.

    Inputs:
        x: The maxima, (C, H, W) or (N, C, H, W).
        indices: Their places, as pooling reports them.
        output_size: Shape of the result, where several are possible.

    Examples:
        >>> places = Tensor([[[[3]]]], mindspore.int64)
        >>> nn.MaxUnpool2d(2)(Tensor([[[[7.0]]]]), places).tolist()
        [[[[0.0, 0.0], [0.0, 7.0]]]]
    """

    def _unpool(self, *args: Any) -> Any:
        return ops.max_unpool2d(*args)


class MaxUnpool3d(_MaxUnpool):
    """The reverse of `MaxPool3d` with `return_indices`.

    Args:
        kernel_size, stride, padding: Of the pooling; the stride defaults to the window's extents.

    Inputs:
        x: The maxima, (C, D, H, W) or (N, C, D, H, W).
        indices: Their places, as pooling reports them.
        output_size: Shape of the result, where several are possible.

    Examples:
        >>> places = Tensor([[[[[5]]]]], mindspore.int64)
        >>> nn.MaxUnpool3d(2)(Tensor([[[[[7.0]]]]]), places).flatten().tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0]
    """

    def _unpool(self, *args: Any) -> Any:
        return ops.max_unpool3d(*args)
