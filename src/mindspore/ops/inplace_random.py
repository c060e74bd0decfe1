"""Tensor methods that draw the elements anew, in the tensor itself or in one like it."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.eager.generator import draws
from mindspore.operators import random
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast

from ._holding import become


@draws
def _normal(self: Any, mean: float = 0, std: float = 1, *, generator: Any = None) -> Any:
    """Draw every element from the normal distribution.

    Args:
        mean, std: Mean and standard deviation, numbers.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> Tensor([1.0, 2.0]).normal_(3.0, 0.0).tolist()
        [3.0, 3.0]
    """
    return become(self, random.standard_normal(shape=tuple(self.shape)) * std + mean)


@draws
def _uniform(self: Any, from_: float = 0, to: float = 1, *, generator: Any = None) -> Any:
    """Draw every element uniformly from [from_, to).

    Args:
        from_, to: The bounds, numbers.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> x = Tensor([1.0, 2.0]).uniform_(3.0, 4.0)
        >>> bool(((x >= 3) & (x < 4)).all())
        True
    """
    return become(self, random.uniform_real(shape=tuple(self.shape)) * (to - from_) + from_)


@draws
def _uniform_like(self: Any, from_: float = 0, to: float = 1, *, generator: Any = None) -> Any:
    """Numbers uniform in [from_, to), of the shape and dtype of the tensor.

    Args:
        from_, to: The bounds, numbers.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        A tensor.

    Raises:
        TypeError: If the tensor's type is no floating-point type.
        ValueError: If `from_` exceeds `to`.

    Examples:
        >>> x = Tensor([1.0, 2.0]).uniform(3.0, 4.0)
        >>> bool(((x >= 3) & (x < 4)).all())
        True
    """
    if not self.dtype.is_floating:
        raise TypeError(f"For 'Tensor.uniform', the tensor must be of a floating-point type, but got {self.dtype}.")
    low, high = [check.number("Tensor.uniform", name, value) for name, value in (("from_", from_), ("to", to))]
    if low > high:
        raise ValueError(f"For 'Tensor.uniform', the 'from_' must not exceed the 'to', but got {from_} and {to}.")
    return cast(random.uniform_real(shape=tuple(self.shape)) * (high - low) + low, dtype=self.dtype)


@draws
def _random(self: Any, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Any:
    """Draw every element from the integers of [from_, to); without `to` from all that the type holds.

    Args:
        from_, to: The bounds, ints.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> Tensor([1, 2]).random_(3, 4).tolist()
        [3, 3]
    """
    if to is None:
        to = 2 ** min(8 * self.itemsize - 1, 53) if self.dtype.kind in "iu" else 2 ** 24
    return become(self, random.uniform_int(from_, to, shape=tuple(self.shape), dtype=int64))


@draws
def _exponential(self: Any, lambd: float = 1, *, generator: Any = None) -> Any:
    """Draw every element from the exponential distribution with the rate `lambd`.

    Args:
        lambd: The rate, a positive number.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> bool((Tensor([1.0, 2.0]).exponential_() >= 0).all())
        True
    """
    unit = random.uniform_real(shape=tuple(self.shape))
    return become(self, REGISTRY["Log1p"](-unit) * (-1 / lambd))


@draws
def _bernoulli(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """Let every element be one with the probability `p`, else zero.

    Args:
        p: A number, or a tensor that broadcasts.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> Tensor([5.0, 5.0]).bernoulli_(1.0).tolist()
        [1.0, 1.0]
    """
    return become(self, random.bernoulli(self, p))


METHODS = {
    "bernoulli_": _bernoulli, "exponential_": _exponential, "random_": _random, "normal_": _normal,
    "uniform": _uniform_like, "uniform_": _uniform,
}
