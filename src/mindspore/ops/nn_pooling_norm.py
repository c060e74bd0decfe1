"""Norms of windows as functions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import ones_like

from .arguments import tensor
from .indexing import where
from .nn_pooling import avg_pool1d, avg_pool2d, steps_of


def lp_pool1d(x: Any, norm_type: Any, kernel_size: int, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm of each window of sequences (N, C, L).

    Args:
        x: A floating-point tensor (N, C, L) or (C, L).
        norm_type: p, a positive number.
        kernel_size: The extent of a window, an int.
        stride: The distance of two windows. Default: that extent.
        ceil_mode: Whether a last window may reach beyond the border.

    Returns:
        A tensor (N, C, *).

    Examples:
        >>> print(ops.lp_pool1d(Tensor([[[3.0, 4.0]]]), 2, 2).asnumpy().round(3))
        [[[5.]]]
    """
    return _lp_pool("lp_pool1d", x, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(x: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Any:
    """The p-norm of each window of images (N, C, H, W).

    Args:
        x: A floating-point tensor (N, C, H, W).
        norm_type: p, a positive number.
        kernel_size: The extents of a window, an int or two.
        stride: The distance of two windows. Default: that extent.
        ceil_mode: Whether a last window may reach beyond the border.

    Returns:
        A tensor (N, C, *).

    Examples:
        >>> print(ops.lp_pool2d(Tensor([[[[3.0, 4.0]]]]), 2, (1, 2)).asnumpy().round(3))
        [[[[5.]]]]
    """
    return _lp_pool("lp_pool2d", x, norm_type, kernel_size, stride, ceil_mode, 2)


def _lp_pool(owner: str, x: Any, p: Any, kernel: Any, stride: Any, ceil_mode: bool, n: int) -> Any:
    check.number(owner, "norm_type", p, 0.0, open_low=True)
    window, steps = steps_of(owner, kernel, stride, n)
    count = 1
    for k in window:
        count *= k
    power = REGISTRY["Pow"](tensor(owner, "x", x), float(p))
    mean = avg_pool1d(power, window[0], steps[0], 0, ceil_mode) if n == 1 else avg_pool2d(
        power, window, steps, 0, ceil_mode)
    total = mean * float(count)
    if p == 1:
        return total
    some = total != 0       # the derivative of the root of 0 is taken to be 0
    return where(some, REGISTRY["Pow"](where(some, total, ones_like(total)), 1.0 / p), total)


__all__ = [
    "lp_pool1d", "lp_pool2d",
]
