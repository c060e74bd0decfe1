"""Random numbers for initializers, and how wide those are spread."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.core import seed as global_seed


class _Stream:
    """The generator of all initializers, and the version of the seed that it was started with."""

    version = -1
    generator = np.random.default_rng()


def generator() -> np.random.Generator:
    """The generator that initializers draw from."""
    if _Stream.version != global_seed.version():
        _Stream.version = global_seed.version()
        _Stream.generator = np.random.default_rng(global_seed.get_seed())
    return _Stream.generator


def normal(shape: tuple[int, ...]) -> np.ndarray:
    """The standard normal distribution, float32."""
    return generator().standard_normal(shape, np.float32)


def uniform(shape: tuple[int, ...], bound: float) -> np.ndarray:
    """Uniform in [-bound, bound), float32."""
    return generator().random(shape, np.float32) * np.float32(2 * bound) - np.float32(bound)


def truncated_normal(shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    """The standard normal distribution within [low, high]: what falls outside is drawn again."""
    mass = (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) / 2
    if mass < 0.1:                 # drawing again would take long: by the distribution function
        return _by_quantiles(shape, low, high)
    out = normal(shape).reshape(-1)
    wrong = np.flatnonzero((out < low) | (out > high))
    while wrong.size:
        out[wrong] = normal((wrong.size,))
        drawn = out[wrong]
        wrong = wrong[(drawn < low) | (drawn > high)]
    return out.reshape(shape)


def _by_quantiles(shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    import torch  # NumPy has no inverse of the normal distribution function

    ends = torch.special.ndtr(torch.tensor([low, high], dtype=torch.float64)).numpy()
    unit = generator().uniform(ends[0], ends[1], shape)
    return np.clip(torch.special.ndtri(torch.from_numpy(np.asarray(unit))).numpy(), low, high)


def calculate_fan_in_and_fan_out(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many inputs an output has, and how many outputs an input: for (out, in, *kernel)."""
    if len(shape) < 2:
        raise ValueError("'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 "
                         f"dimensions, but got dimensions {len(shape)}.")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def calculate_correct_fan(shape: tuple[int, ...], mode: str) -> int:
    """The fan that `mode` names: "fan_in" or "fan_out"."""
    low = mode.lower()
    if low not in ("fan_in", "fan_out"):
        raise ValueError(f"The 'mode' must be 'fan_in' or 'fan_out', but got {mode!r}.")
    return calculate_fan_in_and_fan_out(shape)[low == "fan_out"]


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """By how much a non-linearity has to be made up for in the standard deviation of weights."""
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
                        "conv_transpose2d", "conv_transpose3d", "sigmoid"):
        return 1.0
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"The 'negative_slope' must be a number, but got {slope!r}.")
        return math.sqrt(2.0 / (1 + slope ** 2))
    raise ValueError("The 'nonlinearity' must be one of 'sigmoid', 'tanh', 'relu' and 'leaky_relu', "
                     f"but got {nonlinearity!r}.")
