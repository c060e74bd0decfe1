"""Fourier transforms.  Every kernel is linear; torch's derivative is used."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import float32

from .labels import along, rank_of, whole
from .registry import operator
from .structure import _device

_KINDS = {
    "fft": torch.fft.fft, "ifft": torch.fft.ifft, "rfft": torch.fft.rfft, "irfft": torch.fft.irfft,
    "hfft": torch.fft.hfft, "ihfft": torch.fft.ihfft,
}
_SEVERAL = {
    "fft": torch.fft.fftn, "ifft": torch.fft.ifftn, "rfft": torch.fft.rfftn,
    "irfft": torch.fft.irfftn, "hfft": torch.fft.hfftn, "ihfft": torch.fft.ihfftn,
}


def _transformable(x: torch.Tensor) -> torch.Tensor:
    """x in a type that torch transforms: half precision and integers in float32."""
    if x.dtype in (torch.float16, torch.bfloat16) or not (x.is_floating_point() or x.is_complex()):
        return x.float()
    return x


def _several(rank: int, s: Any, dim: Any) -> Sequence[int]:
    """The dimensions that a transform of several takes: as torch reads `s` and `dim`."""
    return dim if dim is not None else range(rank) if s is None else range(rank - len(s), rank)


@operator(hidden=True, grad="torch", samples=[((6,), {"kind": "irfft"})],
          dims=lambda x, dim=-1, **_: along(dim, rank_of(x)))
def transform(x, *, kind, n=None, dim=-1, norm=None):
    """The Fourier transform of one kind along one dimension."""
    return _KINDS[kind](_transformable(x), n, dim, norm)


@operator(hidden=True, grad="torch", samples=[((4, 6), {"kind": "irfft"})],
          dims=lambda x, s=None, dim=None, **_: along(_several(rank_of(x), s, dim), rank_of(x)))
def transform_several(x, *, kind, s=None, dim=None, norm=None):
    """The Fourier transform of one kind along several dimensions."""
    return _SEVERAL[kind](_transformable(x), s, dim, norm)


@operator(primitive="FFTWithSize(signal_ndim, inverse, real, norm='backward', onesided=True, "
                    "signal_sizes=())(x)", grad="torch", samples=[],
          dims=lambda x, signal_ndim, **_: along(range(-signal_ndim, 0), rank_of(x)))
def fft_with_size(x, *, signal_ndim, inverse, real, norm="backward", onesided=True, signal_sizes=()):
    """The Fourier transform of the last `signal_ndim` dimensions, real or complex, or its inverse."""
    dim = tuple(range(-signal_ndim, 0))
    if not real:
        run = torch.fft.ifftn if inverse else torch.fft.fftn
        return run(x, dim=dim, norm=norm)
    if not inverse:
        run = torch.fft.rfftn if onesided else torch.fft.fftn
        return run(x, dim=dim, norm=norm)
    if onesided:
        return torch.fft.irfftn(x, tuple(signal_sizes) or None, dim, norm)
    return torch.fft.ifftn(x, dim=dim, norm=norm).real.clone()


@operator(hidden=True, grad="torch", samples=[((12,), (4,), {"n_fft": 4, "hop": 2, "length": 4})],
          dims=lambda x, window, *, return_complex=False, **_: (
              f"... l!, w! -> ... f! t! {'two!' * (not return_complex)}"))
def short_time(x, window, *, n_fft, hop, length, normalized=False, onesided=True,
               return_complex=False):
    """The Fourier transforms of overlapping windows of a signal."""
    out = torch.stft(x, n_fft, hop, length, window, center=False, normalized=normalized,
                     onesided=onesided, return_complex=True)
    return out if return_complex else torch.view_as_real(out)


@operator(hidden=True, grad="torch", samples=[], dims="... -> ... two!")
def view_as_real(x):
    """Complex numbers as pairs of their real and imaginary parts."""
    return torch.view_as_real(x.resolve_conj()).clone()


# ---------------------------------------------------------------------- windows

@operator(hidden=True, samples=[({"kind": "hann", "length": 5},)],
          dims=whole("its values depend on the place in the whole window"))
def window(*, kind, length, periodic=True, dtype=float32, shape=()):
    """The values of a window function; `shape` holds its parameters."""
    make = {"bartlett": torch.bartlett_window, "blackman": torch.blackman_window,
            "hamming": torch.hamming_window, "hann": torch.hann_window,
            "kaiser": torch.kaiser_window}[kind]
    wanted = dtype.torch if dtype.is_floating else torch.float64
    precise = torch.float64 if wanted in (torch.float32, torch.float64) else torch.float32
    return make(length, periodic, *shape, dtype=precise, device=_device()).to(dtype.torch)
