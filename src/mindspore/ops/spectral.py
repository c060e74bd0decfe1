"""Fourier transforms and window functions."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import spectral
from mindspore.operators.joining import one_axis
from mindspore.operators.registry import REGISTRY

from .primitive import composed
from .signatures import flag, named, plain
from .windows import bartlett_window, blackman_window, hamming_window

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
_DOC = """{doc}

Args:
    input: A tensor, {elements}.
    {extents}
    {dims}
    norm: The factor: "backward" (None) divides the inverse transform by the number of elements, "forward" the
        other one, "ortho" both by its root.

Returns:
    A tensor, {result}.

Raises:
    TypeError: If `input` is no tensor.
    ValueError: If `norm` is another one.

Examples:
    >>> x = Tensor([[1.0, 2.0], [3.0, 5.0]], mindspore.{dtype})
    >>> bool(np.allclose(ops.{name}(x).asnumpy(), {twin}))
    True
"""


def _text(kind: str, several: str, doc: str) -> str:
    """The docstring of a transform: along one dimension, along "2" or "n"."""
    extents = ("s: The extents that are transformed, ints; others are cut off or filled up with zeros."
               if several else "n: The extent that is transformed; others are cut off or filled up with zeros.")
    if kind in ("irfft", "hfft"):
        for words in ("that are transformed", "that is transformed"):
            extents = extents.replace(words, "of the result")
    dims = {"": "dim: The dimension, an int.", "2": "dim: The two dimensions.",
            "n": "dim: The dimensions; None for all, or for the last ones where `s` is given."}[several]
    real = kind in ("rfft", "ihfft")
    array = "x.asnumpy()"
    twin = f"np.fft.{kind}{several}({array})"
    if kind == "hfft" and several:             # which NumPy has along one dimension only
        twin = f"np.fft.hfft(np.fft.fft({array}, axis=0))"
    if kind == "ihfft" and several:
        twin = f"np.fft.ifft(np.fft.ihfft({array}), axis=0)"
    return _DOC.format(doc=doc, name=kind + several, extents=extents, dims=dims, twin=twin,
                       elements="real" if real else "real or complex", dtype="float32" if real else "complex64",
                       result="real" if kind in ("irfft", "hfft") else "complex")


for _name, _doc in _KINDS.items():
    globals()[_name] = _one(_name, _text(_name, "", _doc + " along one dimension."))
    globals()[_name + "2"] = _two(_name, _text(_name, "2", _doc + " along two dimensions."))
    globals()[_name + "n"] = _many(_name, _text(_name, "n", _doc + " along several dimensions."))


def _shifted(owner: str, input: Any, dim: Any, forward: bool) -> Any:
    x = _signal(owner, input, None)
    dims = tuple(range(x.ndim)) if dim is None else plain(dim)
    dims = [one_axis(d, x.ndim, owner) for d in ((dims,) if isinstance(dims, int) else dims)]
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
    """The frequencies along `dim` reordered so that zero is in the middle.

    Args:
        input: A tensor.
        dim: An int or a tuple of ints; None for all dimensions.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If a dimension does not exist.

    Examples:
        >>> ops.fftshift(Tensor([0, 1, 2, -2, -1])).tolist()
        [-2, -1, 0, 1, 2]
    """
    return _shifted("fftshift", input, dim, forward=True)


def ifftshift(input: Any, dim: Any = None) -> Any:
    """The reverse of `fftshift`.

    Args:
        input: A tensor.
        dim: An int or a tuple of ints; None for all dimensions.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If a dimension does not exist.

    Examples:
        >>> ops.ifftshift(Tensor([-2, -1, 0, 1, 2])).tolist()
        [0, 1, 2, -2, -1]
    """
    return _shifted("ifftshift", input, dim, forward=False)


def _numbers(values: Any, dtype: Any) -> Tensor:
    return Tensor(values, as_dtype(dtype) if dtype is not None else float32)


def _length(owner: str, n: Any, d: Any) -> float:
    """The time that the samples take."""
    if check.number(owner, "d", d) == 0:
        raise check.fail(ValueError, owner, "d", "other than 0", d)
    return check.count(owner, "n", n) * d


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies that `fft` of n samples at distance `d` gives: first those from 0 on, then the negative ones.

    Args:
        n: The number of samples.
        d: The distance.
        dtype: The element type. Default: float32.

    Returns:
        A tensor (n,).

    Raises:
        TypeError: If `n` is no int or `d` no number.
        ValueError: If `n` is not positive or `d` is 0.

    Examples:
        >>> ops.fftfreq(4).tolist()
        [0.0, 0.25, -0.5, -0.25]
    """
    length = _length("fftfreq", n, d)
    return _numbers(np.r_[: (n + 1) // 2, -(n // 2) : 0] / length, dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies that `rfft` of n samples at distance `d` gives.

    Args:
        n: The number of samples.
        d: The distance.
        dtype: The element type. Default: float32.

    Returns:
        A tensor (n // 2 + 1,).

    Raises:
        TypeError: If `n` is no int or `d` no number.
        ValueError: If `n` is not positive or `d` is 0.

    Examples:
        >>> ops.rfftfreq(4).tolist()
        [0.0, 0.25, 0.5]
    """
    length = _length("rfftfreq", n, d)
    return _numbers(np.arange(n // 2 + 1) / length, dtype)


def stft(x: Any, n_fft: int, hop_length: Any = None, win_length: Any = None, window: Any = None,
         center: bool = True, pad_mode: str = "REFLECT", normalized: bool = False,
         onesided: Any = None, return_complex: Any = None) -> Any:
    """The Fourier transforms of overlapping windows of a signal (..., time).

    Args:
        x: A signal (time,) or several (batch, time), real or complex.
        n_fft: The length of a transform.
        hop_length: The distance of two windows. Default: n_fft // 4.
        win_length: The length of a window, which is filled up with zeros to `n_fft`. Default: `n_fft`.
        window: The factors (win_length,). Default: ones.
        center: Whether the signal is continued by n_fft // 2 at both ends, so that window t stands around t *
            hop_length.
        pad_mode: How it is continued: "REFLECT", "constant", "circular" or "replicate".
        normalized: Whether the result is divided by the root of `n_fft`.
        onesided: Whether only the frequencies from 0 on are returned. Default: whether the input is real.
        return_complex: Whether the result is complex instead of real with a last dimension of 2. Default: whether
            the input is complex.

    Returns:
        A tensor (batch, frequencies, windows), and 2 if not complex.

    Raises:
        TypeError: If `x` is no tensor, or a choice no bool.
        ValueError: If `hop_length` or `win_length` is out of range.

    Examples:
        >>> ops.stft(ops.ones((8,)), 4, center=False).shape
        (3, 5, 2)
    """
    _signal("stft", x, None)
    for name, choice in (("center", center), ("normalized", normalized), ("onesided", onesided),
                         ("return_complex", return_complex)):
        if choice is not None:
            flag("stft", name, choice)
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
    """Complex numbers as pairs of their real and imaginary parts.

    Args:
        input: A complex tensor.

    Returns:
        A real tensor with a last dimension of 2.

    Raises:
        TypeError: If `input` is not complex.

    Examples:
        >>> ops.view_as_real(Tensor([1 + 2j])).tolist()
        [[1.0, 2.0]]
    """
    if not is_tensor(input) or not input.dtype.is_complex:
        shown = show(input) if is_tensor(input) else kind(input)
        raise TypeError(f"For 'view_as_real', the input must be complex, but got {shown}.")
    return spectral.view_as_real(input)


# ---------------------------------------------------------------------- windows


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
    if is_tensor(length) and length.shape == (1,):
        length = length.reshape(())
    return hamming_window(length, periodic, alpha, beta, dtype=dtype)


__all__ = [
    "fftfreq", "fftshift", "ifftshift", "rfftfreq", "stft", "view_as_real",
    *[n + end for n in _KINDS for end in ('', '2', 'n')],
]
