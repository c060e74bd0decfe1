"""Cells that add elements around a tensor."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators.padding import pad_constant

from .cell import Cell


class Pad(Cell):
    """The input with `paddings[i]` = (before, after) elements added along axis i.

    Args:
        paddings: A tuple of pairs, one per axis, up to 4 axes.
        mode: "CONSTANT" adds zeros, "REFLECT" mirrors without the border, "SYMMETRIC" with it.

    Examples:
        >>> nn.Pad(((0, 0), (1, 2)))(Tensor([[5]])).tolist()
        [[0, 5, 0, 0]]
    """

    def __init__(self, paddings: tuple[tuple[int, int], ...], mode: str = "CONSTANT"):
        super().__init__()
        if not isinstance(paddings, tuple):
            raise TypeError(f"For 'Pad', the type of 'paddings' must be tuple, but got "
                            f"{type(paddings).__name__}.")
        for item in paddings:
            if not isinstance(item, (tuple, list)) or len(item) != 2:
                raise ValueError(f"For 'Pad', the dimension of 'paddings' must be (n, 2), but got "
                                 f"{paddings}.")
        if len(paddings) > 4:
            raise ValueError(f"For 'Pad', only 'paddings' up to 4 dims is supported, but got "
                             f"{len(paddings)}.")
        self.mode = check.option(self, "mode", mode, ("CONSTANT", "REFLECT", "SYMMETRIC"))
        self.paddings = tuple([tuple(pair) for pair in paddings])

    def construct(self, x):
        if len(self.paddings) != x.ndim or any(n < 0 for pair in self.paddings for n in pair):
            raise ValueError("For 'Pad', the 'paddings' must hold a pair of ints not below 0 for each of "
                             f"the {x.ndim} axes, but got {self.paddings}.")
        if self.mode == "CONSTANT":
            return pad_constant(x, pads=self.paddings)
        return ops.mirror_pad(x, self.paddings, self.mode)


class _BorderPad(Cell):
    """What the padding layers share: (begin, end) pairs, those of the last axis first."""

    n = 1
    mode = "constant"
    allows_negative = True      # negative ones cut elements off

    def _prepare(self, padding: Any) -> None:
        if isinstance(padding, bool) or not isinstance(padding, (int, tuple)):
            raise TypeError(f"For '{self.cls_name}', the type of parameter 'padding' must be in [int, "
                            f"tuple], but got {type(padding)}.")
        if isinstance(padding, int):
            padding = (padding,) * (2 * self.n)
        if len(padding) % 2 or not 0 < len(padding) <= 2 * self.n:
            raise ValueError(f"For '{self.cls_name}', the 'padding' must have an even number of up to "
                             f"{2 * self.n} elements, but got {padding}.")
        for value in padding:
            check.integer(self, "padding", value)
            if value < 0 and not self.allows_negative:
                raise ValueError(f"For '{self.cls_name}' every element in 'padding' must be >= 0. but got "
                                 f"{padding}.")
        self.padding = padding

    def construct(self, x):
        if self.mode == "constant":
            pairs = list(zip(self.padding[::2], self.padding[1::2], strict=True))[::-1]
            if x.ndim < len(pairs):
                raise ValueError(f"For '{self.cls_name}', the input must have at least {len(pairs)} "
                                 f"dimensions, but got {x.ndim}.")
            return pad_constant(x, pads=(((0, 0),) * (x.ndim - len(pairs)) + tuple(pairs)),
                                value=self.value)
        return ops.pad(x, self.padding, self.mode)


class _ConstantPad(_BorderPad):
    def __init__(self, padding: Any, value: float):
        super().__init__()
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"For '{self.cls_name}', the type of parameter 'value' must be in [int, "
                            f"float], but got {type(value)}.")
        self._prepare(padding)
        self.value = value


class ConstantPad1d(_ConstantPad):
    """The input with `value` added at the ends of the last axis.

    Args:
        padding: Number of elements at both ends, or (left, right); negative ones are cut off.
        value: The added value.

    Inputs:
        x: Any shape.

    Examples:
        >>> nn.ConstantPad1d((1, 2), 0.5)(Tensor([[[1.0, 2.0]]])).tolist()
        [[[0.5, 1.0, 2.0, 0.5, 0.5]]]
    """


class ConstantPad2d(_ConstantPad):
    """The input with `value` added around the last two axes, (left, right, top, bottom).

    Args:
        padding: How many elements are added left, right, above and below: an int for all, or four.
        value: The elements, a number.

    Inputs:
        x: (..., H, W).

    Examples:
        >>> nn.ConstantPad2d((1, 0, 0, 1), 5.0)(Tensor([[1.0]])).tolist()
        [[5.0, 1.0], [5.0, 5.0]]
    """

    n = 2


class ConstantPad3d(_ConstantPad):
    """The input with `value` added around the last three axes, those of the last axis first.

    Args:
        padding: How many elements are added left, right, above, below, in front and behind: an int for all, or six.
        value: The elements, a number.

    Inputs:
        x: (..., D, H, W).

    Examples:
        >>> nn.ConstantPad3d(1, 0.0)(ops.ones((1, 2, 2, 2))).shape
        (1, 4, 4, 4)
    """

    n = 3


class ZeroPad2d(_BorderPad):
    """The input with zeros added around the last two axes, (left, right, top, bottom).

    Args:
        padding: How many zeros are added left, right, above and below: an int for all, or four.

    Inputs:
        x: (..., H, W).

    Examples:
        >>> nn.ZeroPad2d((1, 0, 0, 1))(Tensor([[1.0]])).tolist()
        [[0.0, 1.0], [0.0, 0.0]]
    """

    n = 2
    value = 0

    def __init__(self, padding: Any):
        super().__init__()
        self._prepare(padding)


class _ModePad(_BorderPad):
    def __init__(self, padding: Any):
        super().__init__()
        self._prepare(padding)


class _ReflectionPad(_ModePad):
    """Mirrors: `SYMMETRIC` is not meant, the border element is not repeated."""

    allows_negative = False

    def construct(self, x):
        pairs = list(zip(self.padding[::2], self.padding[1::2], strict=True))[::-1]
        return ops.mirror_pad(x, ((0, 0),) * (x.ndim - len(pairs)) + tuple(pairs), "REFLECT")


class ReflectionPad1d(_ReflectionPad):
    """The input continued by its mirror image, without the border, along the last axis.

    Args:
        padding: How many elements are added left and right: an int for both, or two.

    Inputs:
        x: (C, W) or (N, C, W).

    Examples:
        >>> nn.ReflectionPad1d((2, 0))(Tensor([[1.0, 2.0, 3.0]])).tolist()
        [[3.0, 2.0, 1.0, 2.0, 3.0]]
    """


class ReflectionPad2d(_ReflectionPad):
    """The input continued by its mirror image around the last two axes.

    Args:
        padding: How many elements are added left, right, above and below: an int for all, or four.

    Inputs:
        x: (C, H, W) or (N, C, H, W).

    Examples:
        >>> nn.ReflectionPad2d((1, 0, 0, 0))(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
        [[[2.0, 1.0, 2.0, 3.0]]]
    """

    n = 2


class ReflectionPad3d(_ReflectionPad):
    """The input continued by its mirror image around the last three axes.

    Args:
        padding: How many elements are added left, right, above, below, in front and behind: an int for all, or six.

    Inputs:
        x: (C, D, H, W) or (N, C, D, H, W).

    Examples:
        >>> nn.ReflectionPad3d(1)(ops.ones((1, 2, 2, 2))).shape
        (1, 4, 4, 4)
    """

    n = 3


class ReplicationPad1d(_ModePad):
    """The input continued by its border element along the last axis.

    Args:
        padding: How many elements are added left and right: an int for both, or two.

    Inputs:
        x: (C, W) or (N, C, W).

    Examples:
        >>> nn.ReplicationPad1d((2, 0))(Tensor([[1.0, 2.0, 3.0]])).tolist()
        [[1.0, 1.0, 1.0, 2.0, 3.0]]
    """

    mode = "replicate"


class ReplicationPad2d(_ModePad):
    """The input continued by its border elements around the last two axes.

    Args:
        padding: How many elements are added left, right, above and below: an int for all, or four.

    Inputs:
        x: (C, H, W) or (N, C, H, W).

    Examples:
        >>> nn.ReplicationPad2d((1, 0, 0, 0))(Tensor([[[1.0, 2.0, 3.0]]])).tolist()
        [[[1.0, 1.0, 2.0, 3.0]]]
    """

    n = 2
    mode = "replicate"


class ReplicationPad3d(_ModePad):
    """The input continued by its border elements around the last three axes.

    Args:
        padding: How many elements are added left, right, above, below, in front and behind: an int for all, or six.

    Inputs:
        x: (C, D, H, W) or (N, C, D, H, W).

    Examples:
        >>> nn.ReplicationPad3d(1)(ops.ones((1, 2, 2, 2))).shape
        (1, 4, 4, 4)
    """

    n = 3
    mode = "replicate"
