"""Tensors that are filled with random numbers, as the initializers of 1.x called for it."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mindspore.core import check

from .memory import overwrite
from .tensor import Tensor


def random_normal(mean: float, sigma: float, shape: Sequence[int], seed: int, seed2: int, output: Tensor) -> bool:
    """Fill a tensor with numbers of a normal distribution; True.

    Args:
        mean: Its mean.
        sigma: Its standard deviation, 0 or more.
        shape: The shape of the tensor.
        seed: With `seed2`, the seed: equal seeds give equal numbers. Both 0: other numbers at each call.
        seed2: The second part.
        output: The tensor.

    Raises:
        TypeError: If `output` is no tensor, or a number none.
        ValueError: If `sigma` is negative or the shape another one.

    Examples:
        >>> from mindspore.common.initializer import random_normal
        >>> x, y = Tensor(np.zeros(3, np.float32)), Tensor(np.zeros(3, np.float32))
        >>> random_normal(5.0, 0.1, (3,), 1, 2, x) and random_normal(5.0, 0.1, (3,), 1, 2, y)
        True
        >>> bool((x == y).all()), bool((abs(x - 5) < 1).all())
        (True, True)
    """
    check.number("random_normal", "mean", mean)
    check.number("random_normal", "sigma", sigma, 0.0)
    check.instance("random_normal", "output", output, Tensor)
    if tuple(shape) != output.shape:
        raise check.fail(ValueError, "random_normal", "shape", f"that of the output, {output.shape}", tuple(shape))
    generator = np.random.default_rng([seed, seed2] if seed or seed2 else None)
    drawn = generator.normal(mean, sigma, tuple(shape)).astype(np.float32)
    overwrite(output, Tensor(drawn, output.dtype))
    return True
