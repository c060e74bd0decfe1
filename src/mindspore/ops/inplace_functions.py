"""In-place methods of tensors as functions."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import inplace, inplace_random
from .arguments import tensor
from .inplace import _fill
from .inplace_random import _normal, _uniform


def zero_(input: Any) -> Any:
    """Let every element of a tensor be zero; returns the tensor.

    Args:
        input: The tensor.

    Returns:
        The tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.zero_(Tensor([1.5, 2.5])).tolist()
        [0.0, 0.0]
    """
    return _fill(tensor("zero_", "input", input), 0)


def clamp_(input: Any, min: Any = None, max: Any = None) -> Any:
    """Limit the elements of a tensor to [min, max], in the tensor itself.

    Args:
        input: The tensor.
        min, max: The bounds, numbers or tensors, or None for no bound.

    Returns:
        The tensor.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If both bounds are None.

    Examples:
        >>> ops.clamp_(Tensor([1.0, 5.0, 9.0]), 2.0, 6.0).tolist()
        [2.0, 5.0, 6.0]
    """
    return tensor("clamp_", "input", input).clamp_(min, max)


def normal_(input: Any, mean: float = 0, std: float = 1, *, generator: Any = None) -> Any:
    """Draw every element of a tensor from the normal distribution; returns the tensor.

    Args:
        input: The tensor.
        mean, std: Mean and standard deviation, numbers.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> ops.normal_(Tensor([1.0, 2.0]), 3.0, 0.0).tolist()
        [3.0, 3.0]
    """
    return _normal(input, mean, std, generator=generator)


def uniform_(input: Any, from_: float = 0, to: float = 1, *, generator: Any = None) -> Any:
    """Draw every element of a tensor uniformly from [from_, to); returns the tensor.

    Args:
        input: The tensor.
        from_, to: The bounds, numbers.
        generator: The `mindspore.Generator` that draws, and whose state advances; None: the common one.

    Returns:
        The tensor.

    Raises:
        TypeError: If `generator` is none.

    Examples:
        >>> x = ops.uniform_(Tensor([1.0, 2.0]), 3.0, 4.0)
        >>> bool(((x >= 3) & (x < 4)).all())
        True
    """
    return _uniform(input, from_, to, generator=generator)


_METHODS = {**inplace.METHODS, **inplace_random.METHODS}


def _function(name: str) -> Callable[..., Any]:
    """The function form of an in-place method."""
    def function(input: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(tensor(name, "input", input), name)(*args, **kwargs)
    doc = inspect.cleandoc(_METHODS[name].__doc__ or "")
    function.__name__, function.__doc__ = name, doc.replace("Args:\n", "Args:\n    input: The tensor.\n", 1)
    own, *rest = inspect.signature(_METHODS[name]).parameters.values()
    function.__signature__ = inspect.Signature([own.replace(name="input"), *rest])
    return function


bernoulli_, exponential_, random_, put_, erfinv_ = [
    _function(n) for n in ("bernoulli_", "exponential_", "random_", "put_", "erfinv_")]


__all__ = [
    "bernoulli_", "clamp_", "erfinv_", "exponential_", "normal_", "put_", "random_", "uniform_", "zero_",
]
