"""Directional derivatives of a function as cells, of earlier releases; `ops.jvp` and `ops.vjp` do the same."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.core import check

from .cell import Cell


class Jvp(Cell):
    """The value of a function and its derivative along a direction.

    Args:
        fn: A function or cell.

    Inputs:
        The inputs of `fn`, and behind them the direction: a tensor, or a tuple of one for each input.

    Outputs:
        (value, derivative), the derivative with the structure of the value.

    Raises:
        TypeError: If `fn` is not callable.

    Examples:
        >>> value, along = nn.Jvp(lambda x: x * x)(Tensor([2.0]), Tensor([1.0]))
        >>> value.tolist(), along.tolist()
        ([4.0], [4.0])
    """

    def __init__(self, fn: Callable[..., Any]):
        super().__init__()
        self.fn = check.callable_(self, "fn", fn)

    def construct(self, *args):
        *inputs, v = args
        return ops.jvp(self.fn, tuple(inputs), v if isinstance(v, tuple) else (v,))


class Vjp(Cell):
    """The value of a function and the product of a cotangent with its derivative.

    Args:
        fn: A function or cell.

    Inputs:
        The inputs of `fn`, and behind them the cotangent, with the structure of the value.

    Outputs:
        (value, gradient): the gradient is a tensor for one input, else a tuple of one for each.

    Raises:
        TypeError: If `fn` is not callable.

    Examples:
        >>> value, gradient = nn.Vjp(lambda x: x * x)(Tensor([3.0]), Tensor([1.0]))
        >>> value.tolist(), gradient.tolist()
        ([9.0], [6.0])
    """

    def __init__(self, fn: Callable[..., Any]):
        super().__init__()
        self.fn = check.callable_(self, "fn", fn)

    def construct(self, *args):
        *inputs, v = args
        value, pull = ops.vjp(self.fn, *inputs)
        gradients = pull(v)
        return value, gradients[0] if len(inputs) == 1 else gradients
