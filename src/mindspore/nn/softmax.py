"""Cells whose results are probabilities, or their logarithms."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.operators import activation, softmaxes

from .cell import Cell

_FLOATS: Any = (float, np.float32)


class LogSigmoid(Cell):
    """log(sigmoid(x)).

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> nn.LogSigmoid()(Tensor([0.0])).asnumpy().round(4)
        array([-0.6931], dtype=float32)
    """

    def construct(self, input_x):
        return activation.log_sigmoid(input_x)


class LogSoftmax(Cell):
    """log(Softmax(axis)(x)).

    Args:
        axis: The axis along which the exponentials sum to one.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Raises:
        TypeError: If `axis` is no int, or the input no tensor of floating point.
        ValueError: If there is no such axis.

    Examples:
        >>> nn.LogSoftmax()(Tensor([0.0, 0.0])).tolist()
        [-0.6931471824645996, -0.6931471824645996]
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return softmaxes.log_softmax(x, axis=self.axis)


class Softmax(Cell):
    """Exponential of the input, normalised so that it sums to one along `axis`.

    Args:
        axis: An int, or a tuple of one.

    Inputs:
        input: Any shape, floating point.

    Outputs:
        Shape and dtype of the input.

    Raises:
        TypeError: If `axis` is neither, or the input is not floating point.
        ValueError: If the input has no such axis.

    Examples:
        >>> nn.Softmax()(Tensor([[0.0, 0.0]])).tolist()
        [[0.5, 0.5]]
    """

    def __init__(self, axis: Any = -1):
        super().__init__()
        check.instance(self, "axis", axis, (int, tuple))
        if isinstance(axis, tuple):
            if len(axis) != 1:
                raise ValueError(f"For 'Softmax', the 'axis' must be one int, but got {axis}.")
            axis = axis[0]
        self.axis = axis

    def construct(self, input):
        return softmaxes.softmax(input, axis=self.axis)


class Softmax2d(Cell):
    """Softmax over the channels of (N, C, H, W) or (C, H, W).

    Inputs:
        x: (C, H, W) or (N, C, H, W), floating point.

    Examples:
        >>> nn.Softmax2d()(ops.ones((1, 2, 1, 1))).tolist()
        [[[[0.5]], [[0.5]]]]
    """

    def construct(self, x):
        if x.ndim not in (3, 4):
            raise ValueError(f"For '{self.cls_name}', the in_shape must have 3 or 4 dims, but got "
                             f"{x.ndim}.")
        return softmaxes.softmax(x, axis=-3)


class Softmin(Cell):
    """Softmax of the negative input.

    Args:
        axis: The dimension along which the results sum to one.

    Inputs:
        x: Any shape, floating point.

    Examples:
        >>> nn.Softmin()(Tensor([1.0, 1.0])).tolist()
        [0.5, 0.5]
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return softmaxes.softmax(-x, axis=self.axis)
