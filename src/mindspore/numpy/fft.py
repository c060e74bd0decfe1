"""Fourier transforms under the names of NumPy: `mindspore.numpy.fft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.ops.signatures import named

from .arguments import cast, tensor


def _one(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
        return function(tensor(a), n, axis, norm)

    return named(apply, name, doc)


def _two(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
        return function(tensor(a), s, axes, norm)

    return named(apply, name, doc)


def _many(function: Callable[..., Any], name: str, doc: str) -> Any:
    def apply(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
        return function(tensor(a), s, axes, norm)

    return named(apply, name, doc)


fft = _one(ops.fft, "fft", "Discrete Fourier transform along an axis.")
ifft = _one(ops.ifft, "ifft", "Inverse of fft.")
rfft = _one(ops.rfft, "rfft", "Transform of real numbers: the frequencies from 0 on.")
irfft = _one(ops.irfft, "irfft", "Inverse of rfft.")
hfft = _one(
    ops.hfft, "hfft", "Transform of a signal that is symmetric and conjugate: real numbers."
)
ihfft = _one(ops.ihfft, "ihfft", "Inverse of hfft.")
fft2 = _two(ops.fft2, "fft2", "Transform along two axes.")
ifft2 = _two(ops.ifft2, "ifft2", "Inverse of fft2.")
rfft2 = _two(ops.rfft2, "rfft2", "Transform of real numbers along two axes.")
irfft2 = _two(ops.irfft2, "irfft2", "Inverse of rfft2.")
hfft2 = _two(ops.hfft2, "hfft2", "hfft along two axes.")
ihfft2 = _two(ops.ihfft2, "ihfft2", "Inverse of hfft2.")
fftn = _many(ops.fftn, "fftn", "Transform along several axes.")
ifftn = _many(ops.ifftn, "ifftn", "Inverse of fftn.")
rfftn = _many(ops.rfftn, "rfftn", "Transform of real numbers along several axes.")
irfftn = _many(ops.irfftn, "irfftn", "Inverse of rfftn.")
hfftn = _many(ops.hfftn, "hfftn", "hfft along several axes.")
ihfftn = _many(ops.ihfftn, "ihfftn", "Inverse of hfftn.")


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Any:
    """Frequencies of fft for a distance `d` of samples."""
    return cast(ops.fftfreq(n, d), dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Any:
    """Frequencies of rfft for a distance `d` of samples."""
    return cast(ops.rfftfreq(n, d), dtype)


def fftshift(x: Any, axes: Any = None) -> Any:
    """Frequency 0 moved to the middle."""
    return ops.fftshift(tensor(x), axes)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """Inverse of fftshift."""
    return ops.ifftshift(tensor(x), axes)
