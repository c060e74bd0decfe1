"""Pooling by the p-norm of windows."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check

from .cell import Cell


class LPPool1d(Cell):
    """(sum of x ** p over windows) ** (1 / p) of (N, C, L) or (C, L).

    Args:
        norm_type: The exponent p.
        kernel_size: Length of the window.
        stride: Step of the window. Default: its length.
        ceil_mode: Whether a window may reach behind the end.

    Inputs:
        x: (C, L) or (N, C, L), floating point.

    Examples:
        >>> nn.LPPool1d(2, 2)(Tensor([[[3.0, 4.0, 6.0, 8.0]]])).asnumpy().round(4).tolist()
        [[[5.0, 10.0]]]
    """

    def __init__(self, norm_type: float, kernel_size: int, stride: int | None = None,
                 ceil_mode: bool = False):
        super().__init__()
        self.norm_type, self.kernel_size = check.number(self, "norm_type", norm_type), kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def construct(self, x):
        return ops.lp_pool1d(x, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Cell):
    """(sum of x ** p over windows) ** (1 / p) of (N, C, H, W).

    Args:
        norm_type: The exponent p.
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window. Default: its extents.
        ceil_mode: Whether a window may reach behind the end.

    Inputs:
        x: (N, C, H, W), floating point.

    Examples:
        >>> nn.LPPool2d(1, 2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).tolist()
        [[[[10.0]]]]
    """

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None,
                 ceil_mode: bool = False):
        super().__init__()
        self.norm_type, self.kernel_size = check.number(self, "norm_type", norm_type), kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def construct(self, x):
        return ops.lp_pool2d(x, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)
