"""Fourier transforms and window functions."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype, float32, float64
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import spectral
from mindspore.operators.registry import REGISTRY

from .primitive import composed
from .signatures import named, plain

_NORMS = (None, "backward", "forward", "ortho")


def _signal(owner: str, x: Any, norm: Any) -> Any:
    if not is_tensor(x):
        raise TypeError(f"For '{owner}', the 'input' must be a Tensor, but got {kind(x)}.")
    if norm not in _NORMS:
        raise ValueError(f"For '{owner}', the 'norm' must be one of {_NORMS}, but got {norm!r}.")
    return x


def _one(name: str, doc: str) -> Any:
    def transform(input: Any, n: Any = None, dim: int = -1, norm: Any = None) -> Any:
        return spectral.transform(_signal(name, input, norm), kind=name, n=plain(n), dim=plain(dim),
                                  norm=norm)
    return named(transform, name, doc)


def _two(name: str, doc: str) -> Any:
    def transform(input: Any, s: Any = None, dim: Any = (-2, -1), norm: Any = None) -> Any:
        return spectral.transform_several(_signal(name + "2", input, norm), kind=name, s=plain(s),
                                          dim=plain(dim), norm=norm)
    return named(transform, name + "2", doc)


def _many(name: str, doc: str) -> Any:
    def transform(input: Any, s: Any = None, dim: Any = None, norm: Any = None) -> Any:
        return spectral.transform_several(_signal(name + "n", input, norm), kind=name, s=plain(s),
                                          dim=plain(dim), norm=norm)
    return named(transform, name + "n", doc)


_KINDS = {
    "fft": "The Fourier transform", "ifft": "The inverse Fourier transform",
    "rfft": "The Fourier transform of a real signal",
    "irfft": "The inverse Fourier transform to a real signal",
    "hfft": "The Fourier transform of a Hermitian signal",
    "ihfft": "The inverse Fourier transform to a Hermitian signal",
}
for _name, _doc in _KINDS.items():
    globals()[_name] = _one(_name, _doc + " along one dimension.")
    globals()[_name + "2"] = _two(_name, _doc + " along two dimensions.")
    globals()[_name + "n"] = _many(_name, _doc + " along several dimensions.")


def _shifted(x: Any, dim: Any, forward: bool) -> Any:
    dims = tuple(range(x.ndim)) if dim is None else plain(dim)
    dims = (dims,) if isinstance(dims, int) else dims
    sign = 1 if forward else -1
    concat = REGISTRY["Concat"]
    for d in dims:
        if not x.shape[d]:
            continue
        cut = (x.shape[d] // 2 * sign) % x.shape[d]
        if cut:
            at = [slice(None)] * x.ndim
            back, front = list(at), list(at)
            back[d], front[d] = slice(x.shape[d] - cut, None), slice(0, x.shape[d] - cut)
            x = concat(x[tuple(back)], x[tuple(front)], axis=d)
    return x


def fftshift(input: Any, dim: Any = None) -> Any:
    """The frequencies reordered so that zero is in the middle."""
    return _shifted(_signal("fftshift", input, None), dim, forward=True)


def ifftshift(input: Any, dim: Any = None) -> Any:
    """The reverse of `fftshift`."""
    return _shifted(_signal("ifftshift", input, None), dim, forward=False)


def _numbers(values: Any, dtype: Any) -> Tensor:
    return Tensor(list(values), as_dtype(dtype) if dtype is not None else float32)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies that `fft` of n samples at distance `d` gives."""
    return _numbers([k / (n * d) for k in [*range((n + 1) // 2), *range(-(n // 2), 0)]], dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies that `rfft` of n samples at distance `d` gives."""
    return _numbers([k / (n * d) for k in range(n // 2 + 1)], dtype)


def stft(x: Any, n_fft: int, hop_length: Any = None, win_length: Any = None, window: Any = None,
         center: bool = True, pad_mode: str = "REFLECT", normalized: bool = False,
         onesided: Any = None, return_complex: Any = None) -> Any:
    """The Fourier transforms of overlapping windows of a signal (..., time)."""
    _signal("stft", x, None)
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    if hop <= 0:
        raise ValueError(f"For 'stft', the 'hop_length' must be greater than 0, but got {hop}.")
    if not 0 < length <= n_fft:
        raise ValueError(f"For 'stft', the 'win_length' must be in (0, {n_fft}], but got {length}.")
    real = not x.dtype.is_complex
    if window is None:
        window = REGISTRY["Full"](shape=(length,), value=1.0, dtype=x.dtype if real else float32)
    if center:
        x = _padded(x, n_fft // 2, pad_mode)
    return spectral.short_time(
        x, window, n_fft=n_fft, hop=hop, length=length, normalized=normalized,
        onesided=real if onesided is None else onesided,
        return_complex=not real if return_complex is None else return_complex)


@composed("STFT(n_fft, hop_length, win_length, normalized, onesided, return_complex)(signal, window)")
def _stft(signal: Any, window: Any, *, n_fft: int, hop_length: int, win_length: int, normalized: bool,
          onesided: bool, return_complex: bool) -> Any:
    """The Fourier transforms of overlapping windows of a signal (..., time), which is not padded."""
    return stft(signal, n_fft, hop_length, win_length, window, False, "REFLECT", normalized, onesided,
                return_complex)


def _padded(x: Any, n: int, mode: str) -> Any:
    from .padding import pad  # a sibling that only this function needs

    lead = x.reshape((1, *x.shape)) if x.ndim == 1 else x
    modes = {"REFLECT": "reflect", "CONSTANT": "constant", "reflect": "reflect",
             "constant": "constant"}
    if mode not in modes:
        raise ValueError(f"For 'stft', the 'pad_mode' must be 'REFLECT' or 'CONSTANT', but got "
                         f"{mode!r}.")
    out = pad(lead, (n, n), modes[mode])
    return out.reshape(out.shape[1:]) if x.ndim == 1 else out


def view_as_real(input: Any) -> Any:
    """Complex numbers as pairs of their real and imaginary parts."""
    if not is_tensor(input) or not input.dtype.is_complex:
        shown = show(input) if is_tensor(input) else kind(input)
        raise TypeError(f"For 'view_as_real', the input must be complex, but got {shown}.")
    return spectral.view_as_real(input)


# ---------------------------------------------------------------------- windows

def _window(owner: str, length: Any, periodic: bool, dtype: Any, *shape: float) -> Any:
    length = plain(length)
    if isinstance(length, bool) or not isinstance(length, int):
        raise TypeError(f"For '{owner}', the 'window_length' must be an int, but got {length!r}.")
    if length < 0:
        raise ValueError(f"For '{owner}', the 'window_length' must not be negative, but got {length}.")
    if not isinstance(periodic, bool):
        raise TypeError(f"For '{owner}', 'periodic' must be a bool, but got {periodic!r}.")
    wanted = as_dtype(dtype)
    if not wanted.is_floating:
        raise TypeError(f"For '{owner}', the 'dtype' must be floating point, but got {wanted}.")
    return spectral.window(kind=owner.partition("_")[0], length=length, periodic=periodic,
                           dtype=wanted, shape=shape)


def bartlett_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """A triangle from 0 to 1 and back."""
    return _window("bartlett_window", window_length, periodic, dtype or float32)


def blackman_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)."""
    return _window("blackman_window", window_length, periodic, dtype or float32)


def hamming_window(window_length: Any, periodic: bool = True, alpha: float = 0.54,
                   beta: float = 0.46, *, dtype: Any = None) -> Any:
    """alpha - beta cos(2 pi n / N)."""
    return _window("hamming_window", window_length, periodic, dtype or float32, alpha, beta)


def hann_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """0.5 - 0.5 cos(2 pi n / N), float64 by default."""
    return _window("hann_window", window_length, periodic, dtype or float64)


def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, *,
                  dtype: Any = None) -> Any:
    """The Kaiser window of shape `beta`, float64 by default."""
    return _window("kaiser_window", window_length, periodic, dtype or float64, beta)


@composed("BartlettWindow(periodic=True, dtype=float32)(window_length)")
def _bartlett(window_length: Any, *, periodic: bool = True, dtype: Any = float32) -> Any:
    """A triangle from 0 to 1 and back."""
    return bartlett_window(window_length, periodic, dtype=dtype)


@composed("BlackmanWindow(periodic=True, dtype=float32)(window_length)")
def _blackman(window_length: Any, *, periodic: bool = True, dtype: Any = float32) -> Any:
    """0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)."""
    return blackman_window(window_length, periodic, dtype=dtype)


@composed("HammingWindow(periodic=True, alpha=0.54, beta=0.46, dtype=float32)(length)")
def _hamming(length: Any, *, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46,
             dtype: Any = float32) -> Any:
    """alpha - beta cos(2 pi n / N)."""
    return hamming_window(length, periodic, alpha, beta, dtype=dtype)


__all__ = [
    "bartlett_window", "blackman_window", "fftfreq", "fftshift", "hamming_window", "hann_window",
    "ifftshift", "kaiser_window", "rfftfreq", "stft", "view_as_real",
    *[n + end for n in _KINDS for end in ("", "2", "n")],
]
