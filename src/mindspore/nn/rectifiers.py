"""Activation functions of pieces: rectifiers, their kin with a slope left of zero, shrinkage, limits."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float16, float32, float64
from mindspore.eager.tensor import Tensor
from mindspore.operators import activation, piecewise, softmaxes

from .cell import Cell

_FLOATS: Any = (float, np.float32)


class CELU(Cell):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), Barron 2017.

    Args:
        alpha: How far down the negative part reaches, a float other than 0.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.CELU()(Tensor([-1.0, 2.0])).asnumpy().round(4)
        array([-0.6321,  2.    ], dtype=float32)
        >>> nn.CELU(2.0)(Tensor([0.0, 3.0])).tolist()
        [0.0, 3.0]
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        return ops.celu(x, self.alpha)


class ELU(Cell):
    """x where positive, else alpha * (exp(x) - 1), Clevert et al. 2016.

    Args:
        alpha: The factor of the negative part; it tends to -alpha.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.ELU()(Tensor([-1.0, 0.0, 2.0])).asnumpy().round(4)
        array([-0.6321,  0.    ,  2.    ], dtype=float32)
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = check.number(self, "alpha", alpha)

    def construct(self, x):
        return ops.elu(x, self.alpha)


class Hardtanh(Cell):
    """x, limited to [min_val, max_val].

    Args:
        min_val: The lower bound.
        max_val: The upper bound, greater than the lower.

    Inputs:
        x: Any shape, a real dtype.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.Hardtanh(-2.0, 1.0)(Tensor([-3.0, 0.5, 4.0])).tolist()
        [-2.0, 0.5, 1.0]
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0):
        super().__init__()
        self.min_val = check.number(self, "min_val", min_val)
        self.max_val = check.number(self, "max_val", max_val)
        if min_val >= max_val:
            raise ValueError(f"For Hardtanh, min_val should be less than max_val, but got {min_val} "
                             f"and {max_val}.")

    def construct(self, x):
        return piecewise.hardtanh(x, low=self.min_val, high=self.max_val)


class HShrink(Cell):
    """x where its absolute value is above `lambd`, else 0.

    Args:
        lambd: The bound, a number.

    Inputs:
        input: Any shape, floating point.

    Outputs:
        Shape and dtype of `input`.

    Examples:
        >>> nn.HShrink()(Tensor([-1.0, 0.25, 0.5, 2.0])).tolist()
        [-1.0, 0.0, 0.0, 2.0]
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = check.number(self, "lambd", lambd)

    def construct(self, input):
        return ops.hardshrink(input, self.lambd)


class LeakyReLU(Cell):
    """x where positive, else alpha * x.

    Args:
        alpha: The slope left of zero.

    Inputs:
        x: Any shape, real numbers.

    Outputs:
        Shape and dtype of `x`; integers are the whole parts.

    Examples:
        >>> nn.LeakyReLU(0.5)(Tensor([-1.0, 2.0])).tolist()
        [-0.5, 2.0]
    """

    def __init__(self, alpha: float = 0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        check.number(self, "alpha", self.alpha)
        if self.alpha > 1:
            return ops.minimum(x, ops.cast(x * self.alpha, x.dtype))      # the larger slope stands left of zero
        return ops.leaky_relu(x, self.alpha)


class PReLU(Cell):
    """x where positive, else w * x with a trained slope `w`, He et al. 2015.

    Args:
        channel: Number of slopes: 1, or the number of channels (axis 1) of the input.
        w: Initial slope, one number or one per channel.

    Inputs:
        x: (N, C, ...) with C = `channel`, or any shape for one slope; floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.PReLU()(Tensor([[-4.0, 2.0]])).tolist()
        [[-1.0, 2.0]]
        >>> nn.PReLU(2, [0.5, 0.25])(Tensor([[-4.0, -4.0]])).tolist()
        [[-2.0, -1.0]]
    """

    def __init__(self, channel: int = 1, w: Any = 0.25):
        super().__init__()
        self.channel = check.positive_int(self, "channel", channel)
        self.w = self.parameter("a", (channel,), self._slopes(w))

    def _slopes(self, w: Any) -> Tensor:
        count = self.channel
        if isinstance(w, Tensor):
            if w.dtype not in (float16, float32, float64):
                raise TypeError("For 'PReLU', the dtype of 'w' must be float16, float32 or float64 "
                                f"when the 'w' is a tensor, but got {w.dtype}.")
            if w.shape != (count,):
                raise ValueError("For 'PReLU', the dimension of 'w' must be 1, and the elements number "
                                 "should be equal to the 'channel' when the 'w' is a tensor, but got "
                                 f"'w' shape {w.shape}, the 'channel' {count}.")
            return w
        if isinstance(w, _FLOATS):
            return Tensor(np.full(count, w, np.float32))
        if not isinstance(w, list):
            raise TypeError(f"For 'PReLU', the 'w' only supported float, list and tensor, but got "
                            f"{type(w).__name__}.")
        if len(w) != count:
            raise ValueError("For 'PReLU', the length of 'w' should be equal to the 'channel' when the "
                             f"'w' is a list, but got the length of 'w' {len(w)}, the 'channel' {count}.")
        for value in w:
            if not isinstance(value, _FLOATS):
                raise ValueError("For 'PReLU', all elements in 'w' must be float when the 'w' is a "
                                 f"list, but got {value}.")
        return Tensor(np.array(w, np.float32))

    def construct(self, x):
        return piecewise.prelu(x, self.w)


class RReLU(Cell):
    """x where positive, else a * x with `a` drawn from [lower, upper) for every element.

    Args:
        lower, upper: The bounds of the slope left of zero, numbers with lower <= upper.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.RReLU()(Tensor([0.0, 2.0])).tolist()
        [0.0, 2.0]
        >>> -0.5 <= float(nn.RReLU(0.25, 0.5)(Tensor(-1.0))) <= -0.25
        True
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3):
        super().__init__()
        self.lower = check.number(self, "lower", lower)
        self.upper = check.number(self, "upper", upper)
        if lower > upper:
            raise ValueError("For RReLU, the value of 'upper' must be greater than or equal to "
                             f"'lower', but got upper: {upper}, lower: {lower}.")

    def construct(self, x):
        return softmaxes.rrelu(x, lower=float(self.lower), upper=float(self.upper))[0]


class ReLU(Cell):
    """max(x, 0).

    Inputs:
        x: Any shape, a real dtype.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.ReLU()(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def construct(self, input):
        return piecewise.relu(input)


class ReLU6(Cell):
    """min(max(x, 0), 6).

    Inputs:
        x: Any shape, a real dtype.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.ReLU6()(Tensor([-1.0, 2.0, 7.0])).tolist()
        [0.0, 2.0, 6.0]
    """

    def construct(self, x):
        return piecewise.relu6(x)


class SeLU(Cell):
    """scale * ELU(alpha)(x) with the fixed numbers of Klambauer et al. 2017.

    Inputs:
        input_x: Any shape, floating point.

    Outputs:
        Shape and dtype of `input_x`.

    Examples:
        >>> nn.SeLU()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-1.1113,  0.    ,  1.0507], dtype=float32)
    """

    def construct(self, input_x):
        return activation.selu(input_x)


class SoftShrink(Cell):
    """x moved towards 0 by `lambd`; 0 where its absolute value is not above it.

    Args:
        lambd: The distance, a number not below 0.

    Inputs:
        input: Any shape, floating point.

    Outputs:
        Shape and dtype of `input`.

    Examples:
        >>> nn.SoftShrink()(Tensor([-2.0, 0.25, 1.0])).tolist()
        [-1.5, 0.0, 0.5]
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = check.number(self, "lambd", lambd)

    def construct(self, input):
        return ops.softshrink(input, self.lambd)


class Threshold(Cell):
    """x where it is above `threshold`, else `value`.

    Args:
        threshold: The bound; an element equal to it is replaced.
        value: What takes the place of the other elements.

    Inputs:
        x: Any shape, a real dtype.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.Threshold(1.0, 20.0)(Tensor([0.0, 1.0, 2.0])).tolist()
        [20.0, 20.0, 2.0]
    """

    def __init__(self, threshold: float, value: float):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, x):
        check.number("threshold", "thr", self.threshold)
        check.number("threshold", "value", self.value)
        return piecewise.threshold(x, threshold=self.threshold, value=self.value)
