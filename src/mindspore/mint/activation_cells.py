"""Activations and dropping as cells."""

from __future__ import annotations

from typing import Any

from mindspore.nn.cell import Cell
from mindspore.ops import gelu, hardshrink, hardsigmoid, hardswish, selu, softshrink

from .activation import elu, glu, hardtanh, log_softmax, relu6, silu, softmax
from .activation import threshold as limited
from .applied import Applied
from .layers import dropout, dropout2d


class Dropout(Applied):
    """In training, each element is set to 0 with probability `p`, the others are divided by 1 - p.  Srivastava et
    al. 2014.

    Args:
        p: The probability, in [0, 1].
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Dropout(0.5)(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__(dropout, p=p, inplace=inplace)

    def construct(self, input: Any) -> Any:
        return self.function(input, training=self.training, **self.options)


class Dropout2d(Applied):
    """In training, each channel of images (N, C, H, W) is set to 0 with probability `p`, the others are divided by
    1 - p.

    Args:
        p: The probability, in [0, 1].
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Dropout2d(0.5)(mint.ones((1, 2, 3, 3))).shape
        (1, 2, 3, 3)
    """

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__(dropout2d, p=p, inplace=inplace)

    def construct(self, input: Any) -> Any:
        return self.function(input, training=self.training, **self.options)


class ELU(Applied):
    """The input where it is positive, else alpha * (exp(input) - 1).  Clevert et al. 2015.

    Args:
        alpha: The limit for negative numbers, with its sign changed.
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.ELU()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False):
        super().__init__(elu, alpha=alpha, inplace=inplace)


class GELU(Applied):
    """input * P(X <= input) for a normal X.  Hendrycks and Gimpel 2016.

    Args:
        approximate: "none" for the exact formula, "tanh" for the approximation.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.GELU()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, approximate: str = "none"):
        super().__init__(gelu, approximate=approximate)


class GLU(Applied):
    """a * sigmoid(b) for the halves a, b of the input along `dim`.  Dauphin et al. 2016.

    Args:
        dim: The dimension.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.GLU()(mint.ones((2, 4))).shape
        (2, 2)
    """

    def __init__(self, dim: int = -1):
        super().__init__(glu, dim=dim)


class Hardshrink(Applied):
    """The input where it lies outside of [-lambd, lambd], else 0.

    Args:
        lambd: Half the width of the interval.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Hardshrink()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__(hardshrink, lambd=lambd)


class Hardsigmoid(Applied):
    """min(max(input / 6 + 1 / 2, 0), 1).

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Hardsigmoid()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self):
        super().__init__(hardsigmoid)


class Hardswish(Applied):
    """input * min(max(input / 6 + 1 / 2, 0), 1).  Howard et al. 2019.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Hardswish()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self):
        super().__init__(hardswish)


class Hardtanh(Applied):
    """The input limited to [min_val, max_val].

    Args:
        min_val: The smallest value.
        max_val: The largest value.
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Hardtanh()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False):
        super().__init__(hardtanh, min_val=min_val, max_val=max_val, inplace=inplace)


class LogSoftmax(Applied):
    """The logarithm of the softmax along `dim`.

    Args:
        dim: The dimension.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.LogSoftmax()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, dim: int | None = None):
        super().__init__(log_softmax, dim=dim)


class ReLU6(Applied):
    """min(max(input, 0), 6).

    Args:
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.ReLU6()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, inplace: bool = False):
        super().__init__(relu6, inplace=inplace)


class SELU(Cell):
    """scale * (the input where it is positive, else alpha * (exp(input) - 1)).  Klambauer et al. 2017.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.SELU()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def construct(self, input: Any) -> Any:
        return selu(input)


class SiLU(Applied):
    """input * sigmoid(input).

    Args:
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.SiLU()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, inplace: bool = False):
        super().__init__(silu, inplace=inplace)


class Softmax(Applied):
    """Exponential of the input, normalised so that it sums to one along `dim`.

    Args:
        dim: The dimension.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Softmax()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, dim: int | None = None):
        super().__init__(softmax, dim=dim)


class Softshrink(Applied):
    """The input moved towards 0 by `lambd`, 0 if it is nearer than that.

    Args:
        lambd: Half the width of the interval.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Softshrink()(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__(softshrink, lambd=lambd)


class Threshold(Applied):
    """The input where it is greater than the threshold, else `value`.

    Args:
        threshold: A number.
        value: A number.
        inplace: Whether the input holds the result, too.

    Inputs:
        input: A tensor, as the function takes it.

    Examples:
        >>> mint.nn.Threshold(0.5, 0.0)(mint.ones((2, 3))).shape
        (2, 3)
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False):
        super().__init__(limited, threshold=threshold, value=value, inplace=inplace)


__all__ = ["Dropout", "Dropout2d", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
           "LogSoftmax", "ReLU6", "SELU", "SiLU", "Softmax", "Softshrink", "Threshold"]
