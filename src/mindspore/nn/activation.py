"""Activation functions as cells."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float16, float32, float64
from mindspore.eager.tensor import Tensor
from mindspore.operators import activation, gelus, piecewise, softmaxes
from mindspore.ops.primitive import Primitive

from .cell import Cell
from .softmax import LogSigmoid, LogSoftmax, Softmax, Softmax2d, Softmin

_FLOATS: Any = (float, np.float32)


class CELU(Cell):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), Barron 2017."""

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        return ops.celu(x, self.alpha)


class ELU(Cell):
    """x where positive, else alpha * (exp(x) - 1), Clevert et al. 2016."""

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = check.number(self, "alpha", alpha)

    def construct(self, x):
        return ops.elu(x, self.alpha)


class FastGelu(Cell):
    """x * sigmoid(1.702 * x), near to GELU."""

    def construct(self, x):
        return gelus.fast_gelu(x)


class GELU(Cell):
    """x * Phi(x) with the normal distribution's Phi, Hendrycks and Gimpel 2016.

    Args:
        approximate: Whether Phi is approximated by tanh.
    """

    def __init__(self, approximate: bool = True):
        super().__init__()
        self.approximate = check.boolean(self, "approximate", approximate)
        self._method = "tanh" if approximate else "none"

    def construct(self, x):
        return gelus.gelu(x, approximate=self._method)


class GLU(Cell):
    """a * sigmoid(b) for the two halves a, b of the input along `axis`, Dauphin et al. 2017."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return ops.glu(x, self.axis)


class Hardtanh(Cell):
    """x, limited to [min_val, max_val]."""

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
    """x where its absolute value is above `lambd`, else 0."""

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        return ops.hardshrink(input, self.lambd)


class HSigmoid(Cell):
    """(x + 3) / 6, limited to [0, 1]."""

    def construct(self, input):
        return piecewise.hardsigmoid(input)


class HSwish(Cell):
    """x * HSigmoid(x), Howard et al. 2019."""

    def construct(self, input):
        return activation.hardswish(input)


class LeakyReLU(Cell):
    """x where positive, else alpha * x.

    Args:
        alpha: The slope left of zero.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

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
            return ops.minimum(x, x * self.alpha)      # the larger slope stands left of zero
        return piecewise.leaky_relu(x, alpha=self.alpha)


class Mish(Cell):
    """x * tanh(log(1 + exp(x))), Misra 2019."""

    def construct(self, input_x):
        return activation.mish(input_x)


class PReLU(Cell):
    """x where positive, else w * x with a trained slope `w`, He et al. 2015.

    Args:
        channel: Number of slopes: 1, or the number of channels (axis 1) of the input.
        w: Initial slope, one number or one per channel.
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
    """x where positive, else a * x with `a` drawn from [lower, upper) for every element."""

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
    """min(max(x, 0), 6)."""

    def construct(self, x):
        return piecewise.relu6(x)


class SeLU(Cell):
    """scale * ELU(alpha)(x) with the fixed numbers of Klambauer et al. 2017."""

    def construct(self, input_x):
        return activation.selu(input_x)


class SiLU(Cell):
    """x * sigmoid(x)."""

    def construct(self, x):
        return activation.silu(x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x)).

    Inputs:
        x: Any shape; integers count as float32.

    Outputs:
        Shape and dtype of `x`, or float32.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> nn.Sigmoid()(Tensor([0.0])).tolist()
        [0.5]
    """

    def construct(self, x):
        return activation.sigmoid(x)


class SoftShrink(Cell):
    """x moved towards 0 by `lambd`."""

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        return ops.softshrink(input, self.lambd)


class Softsign(Cell):
    """x / (1 + |x|)."""

    def construct(self, x):
        return activation.softsign(x)


class Tanh(Cell):
    """tanh(x).

    Inputs:
        x: Any shape; integers count as float32.

    Outputs:
        Shape and dtype of `x`, or float32.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> nn.Tanh()(Tensor([0.0])).tolist()
        [0.0]
    """

    def construct(self, x):
        return activation.tanh(x)


class Tanhshrink(Cell):
    """x - tanh(x)."""

    def construct(self, x):
        return x - activation.tanh(x)


class Threshold(Cell):
    """x where it is above `threshold`, else `value`."""

    def __init__(self, threshold: float, value: float):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, x):
        check.number("threshold", "thr", self.threshold)
        check.number("threshold", "value", self.value)
        return piecewise.threshold(x, threshold=self.threshold, value=self.value)


BY_NAME: dict[str, type[Cell]] = {
    "elu": ELU, "fast_gelu": FastGelu, "gelu": GELU, "hardtanh": Hardtanh, "hshrink": HShrink,
    "hsigmoid": HSigmoid, "hswish": HSwish, "leakyrelu": LeakyReLU, "logsigmoid": LogSigmoid,
    "logsoftmax": LogSoftmax, "mish": Mish, "prelu": PReLU, "relu": ReLU, "relu6": ReLU6,
    "rrelu": RReLU, "sigmoid": Sigmoid, "silu": SiLU, "softmax": Softmax, "softmax2d": Softmax2d,
    "softmin": Softmin, "softshrink": SoftShrink, "softsign": Softsign, "tanh": Tanh,
    "tanhshrink": Tanhshrink, "threshold": Threshold,
}


def get_activation(name: str | None, prim_name: str | None = None) -> Cell | None:
    """A new activation cell by its name in small letters, such as "relu"; None for None.

    Raises:
        KeyError: If there is none of that name; `prim_name` says who asks.
    """
    if name is None:
        return None
    if not isinstance(name, str) or name not in BY_NAME:
        asker = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(f"{asker} 'name' must be in {sorted(BY_NAME)}, but got {name!r}.")
    return BY_NAME[name]()


def activation_of(owner: Cell, value: Any) -> Any:
    """The activation that a layer was given: a name, a cell, a primitive, or None.

    Raises:
        TypeError: If it is something else.
    """
    if isinstance(value, str):
        value = get_activation(value, type(owner).__name__)
    if value is not None and not isinstance(value, (Cell, Primitive)):
        raise TypeError(f"For '{type(owner).__name__}', the 'activation' must be str or Cell or "
                        f"Primitive, but got {type(value).__name__}.")
    return value
