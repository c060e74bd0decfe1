"""Activation functions as cells: gates and smooth steps, and every activation by its name."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators import activation, gelus, piecewise
from mindspore.ops.primitive import Primitive

from .cell import Cell
from .rectifiers import (
    ELU,
    Hardtanh,
    HShrink,
    LeakyReLU,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    SoftShrink,
    Threshold,
)
from .softmax import LogSigmoid, LogSoftmax, Softmax, Softmax2d, Softmin


class FastGelu(Cell):
    """x * sigmoid(1.702 * x), near to GELU.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.FastGelu()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-0.1542,  0.    ,  0.8458], dtype=float32)
    """

    def construct(self, x):
        return gelus.fast_gelu(x)


class GELU(Cell):
    """x * Phi(x) with the normal distribution's Phi, Hendrycks and Gimpel 2016.

    Args:
        approximate: Whether Phi is approximated by tanh.

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.GELU(approximate=False)(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-0.1587,  0.    ,  0.8413], dtype=float32)
        >>> nn.GELU()(Tensor([1.0])).asnumpy().round(4)
        array([0.8412], dtype=float32)
    """

    def __init__(self, approximate: bool = True):
        super().__init__()
        self.approximate = check.boolean(self, "approximate", approximate)
        self._method = "tanh" if approximate else "none"

    def construct(self, x):
        return gelus.gelu(x, approximate=self._method)


class GLU(Cell):
    """a * sigmoid(b) for the two halves a, b of the input along `axis`, Dauphin et al. 2017.

    Args:
        axis: The axis that is divided; its extent must be even.

    Inputs:
        x: Any shape with at least one axis, floating point.

    Outputs:
        The shape of `x` with half the extent of the axis.

    Examples:
        >>> nn.GLU()(Tensor([[1.0, 2.0, 0.0, 0.0]])).tolist()
        [[0.5, 1.0]]
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return ops.glu(x, self.axis)


class HSigmoid(Cell):
    """(x + 3) / 6, limited to [0, 1].

    Inputs:
        input: Any shape, floating point.

    Outputs:
        Shape and dtype of `input`.

    Examples:
        >>> nn.HSigmoid()(Tensor([-4.0, 0.0, 3.0])).tolist()
        [0.0, 0.5, 1.0]
    """

    def construct(self, input):
        return piecewise.hardsigmoid(input)


class HSwish(Cell):
    """x * HSigmoid(x), Howard et al. 2019.

    Inputs:
        input: Any shape, floating point.

    Outputs:
        Shape and dtype of `input`.

    Examples:
        >>> nn.HSwish()(Tensor([0.0, 1.5, 3.0])).tolist()
        [0.0, 1.125, 3.0]
    """

    def construct(self, input):
        return activation.hardswish(input)


class Mish(Cell):
    """x * tanh(log(1 + exp(x))), Misra 2019.

    Inputs:
        input_x: Any shape, floating point.

    Outputs:
        Shape and dtype of `input_x`.

    Examples:
        >>> nn.Mish()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-0.3034,  0.    ,  0.8651], dtype=float32)
    """

    def construct(self, input_x):
        return activation.mish(input_x)


class SiLU(Cell):
    """x * sigmoid(x).

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.SiLU()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-0.2689,  0.    ,  0.7311], dtype=float32)
    """

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


class Softsign(Cell):
    """x / (1 + |x|).

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.Softsign()(Tensor([-1.0, 0.0, 3.0])).tolist()
        [-0.5, 0.0, 0.75]
    """

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
    """x - tanh(x).

    Inputs:
        x: Any shape, floating point.

    Outputs:
        Shape and dtype of `x`.

    Examples:
        >>> nn.Tanhshrink()(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4)
        array([-0.2384,  0.    ,  0.2384], dtype=float32)
    """

    def construct(self, x):
        return x - activation.tanh(x)


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

    Args:
        name: The name, or None.
        prim_name: Who asks, for the text of the error.

    Raises:
        KeyError: If there is none of that name; `prim_name` says who asks.

    Examples:
        >>> nn.get_activation("relu")(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
        >>> nn.get_activation(None) is None
        True
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
