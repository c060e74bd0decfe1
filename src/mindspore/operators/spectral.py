"""Fourier transforms.  Every kernel is linear; torch's derivative is used."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, float32
from mindspore.ir import Aval

from .labels import along, rank_of, whole
from .registry import operator
from .structure import device_in_use
from .torch_private import fft
from .values import Ints

_KINDS = {
    "fft": fft.fft, "ifft": fft.ifft, "rfft": fft.rfft, "irfft": fft.irfft,
    "hfft": fft.hfft, "ihfft": fft.ihfft,
}
_SEVERAL = {
    "fft": fft.fftn, "ifft": fft.ifftn, "rfft": fft.rfftn,
    "irfft": fft.irfftn, "hfft": fft.hfftn, "ihfft": fft.ihfftn,
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
          dims=lambda x, kind, n=None, dim=-1, norm=None: along(dim, rank_of(x)))
def transform(x: Tensor, *, kind: str, n: Any = None, dim: int = -1, norm: Any = None):
    """The Fourier transform of one kind along one dimension."""
    return _KINDS[kind](_transformable(x), n, dim, norm)


@operator(hidden=True, grad="torch", samples=[((4, 6), {"kind": "irfft"})],
          dims=lambda x, kind, s=None, dim=None, norm=None: along(_several(rank_of(x), s, dim), rank_of(x)))
def transform_several(x: Tensor, *, kind: str, s: Any = None, dim: Any = None, norm: Any = None):
    """The Fourier transform of one kind along several dimensions."""
    return _SEVERAL[kind](_transformable(x), s, dim, norm)


def _last(x: Aval, signal_ndim: int = 1, **_: Any) -> str:
    return along(range(-signal_ndim, 0), rank_of(x))


@operator(primitive="FFTWithSize(signal_ndim, inverse, real, norm='backward', onesided=True, "
                    "signal_sizes=())(x)", grad="torch", samples=[],
          dims=_last)
def fft_with_size(x: Tensor, *, signal_ndim: int, inverse: bool, real: bool, norm: str = "backward",
                  onesided: bool = True, signal_sizes: Ints = ()):
    """The Fourier transform of the last `signal_ndim` dimensions, real or complex, or its inverse."""
    dim = tuple(range(-signal_ndim, 0))
    if not real:
        run = fft.ifftn if inverse else fft.fftn
        return run(x, dim=dim, norm=norm)
    if not inverse:
        run = fft.rfftn if onesided else fft.fftn
        return run(x, dim=dim, norm=norm)
    if onesided:
        return fft.irfftn(x, tuple(signal_sizes) or None, dim, norm)
    return fft.ifftn(x, dim=dim, norm=norm).real.clone()


@operator(hidden=True, grad="torch", samples=[((12,), (4,), {"n_fft": 4, "hop": 2, "length": 4})],
          dims=lambda x, window, n_fft, hop, length, normalized=False, onesided=True, return_complex=False: (
              f"... l!, w! -> ... f! t! {'two!' * (not return_complex)}"))
def short_time(x: Tensor, window: Tensor, *, n_fft: int, hop: int, length: int, normalized: bool = False,
               onesided: bool = True, return_complex: bool = False):
    """The Fourier transforms of overlapping windows of a signal."""
    out = torch.stft(x, n_fft, hop, length, window, center=False, normalized=normalized,
                     onesided=onesided, return_complex=True)
    return out if return_complex else torch.view_as_real(out)


@operator(hidden=True, grad="torch", samples=[], dims="... -> ... two!")
def view_as_real(x: Tensor):
    """Complex numbers as pairs of their real and imaginary parts."""
    return torch.view_as_real(x.resolve_conj()).clone()


# ---------------------------------------------------------------------- windows

@operator(hidden=True, samples=[({"kind": "hann", "length": 5},)],
          dims=whole("its values depend on the place in the whole window"))
def window(*, kind: str, length: int, periodic: bool = True, dtype: DType = float32, shape: Ints = ()):
    """The values of a window function; `shape` holds its parameters."""
    make = {"bartlett": torch.bartlett_window, "blackman": torch.blackman_window,
            "hamming": torch.hamming_window, "hann": torch.hann_window,
            "kaiser": torch.kaiser_window}[kind]
    wanted = dtype.torch if dtype.is_floating else torch.float64
    precise = torch.float64 if wanted in (torch.float32, torch.float64) else torch.float32
    return make(length, periodic, *shape, dtype=precise, device=device_in_use()).to(dtype.torch)
