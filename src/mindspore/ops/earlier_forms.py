"""Calls of functions as earlier releases took them, where a keyword means what no present one does.

A call that gives such a keyword is one of that release: its other arguments have the names and defaults of then.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import as_dtype, int32
from mindspore.operators.structure import cast

from . import extremes, functions, moments, primitives
from .spelling import FORMS_OF_THEN


def _norm(input_x: Any, axis: Any, p: Any = 2, keep_dims: bool = False, epsilon: float = 1e-12) -> Any:
    return primitives.LpNorm(axis, p, keep_dims, epsilon)(input_x)


def _argmax(x: Any, axis: int = -1, output_type: Any = int32) -> Any:
    return cast(extremes.argmax(x, axis), dtype=as_dtype(output_type))


def _avg_pool2d(x: Any, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid",
                data_format: str = "NCHW") -> Any:
    return primitives.AvgPool(kernel_size, strides, pad_mode, data_format)(x)


def _median(x: Any, global_median: bool = False, axis: int = 0, keep_dims: bool = False) -> Any:
    return primitives.Median(global_median, axis, keep_dims)(x)


def _standard_normal(shape: Any, seed: int = 0, seed2: int = 0) -> Any:
    return primitives.StandardNormal(seed, seed2)(shape)


def _standard_laplace(shape: Any, seed: int = 0, seed2: int = 0) -> Any:
    return primitives.StandardLaplace(seed, seed2)(shape)


def _random_gamma(shape: Any, alpha: Any, seed: int = 0, seed2: int = 0) -> Any:
    return primitives.RandomGamma(seed, seed2)(shape, alpha)


def _dropout(x: Any, p: float = 0.5, seed0: int = 0, seed1: int = 0) -> Any:
    return primitives.Dropout(1 - p, seed0, seed1)(x)[0]


def _matmul(x1: Any, x2: Any, dtype: Any = None) -> Any:
    found = functions.matmul(x1, x2)
    return found if dtype is None else cast(found, dtype=as_dtype(dtype))


def _std(input_x: Any, axis: Any = (), unbiased: bool = True, keep_dims: bool = False) -> Any:
    return moments.std(input_x, None if axis == () else axis, int(unbiased), keep_dims)


FORMS: dict[str, Callable[..., Any]] = {
    "argmax": _argmax, "avg_pool2d": _avg_pool2d, "dropout": _dropout, "matmul": _matmul, "median": _median,
    "norm": _norm, "random_gamma": _random_gamma, "standard_laplace": _standard_laplace,
    "standard_normal": _standard_normal, "std": _std,
}
FORMS_OF_THEN.update(FORMS)
