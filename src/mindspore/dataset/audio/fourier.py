"""Short-time Fourier transform and its inverse, along the last axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.signal import get_window

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import BorderType, WindowType
from mindspore.dataset.audio.signal import count, option
from mindspore.dataset.errors import PipelineError

_WINDOWS: dict[WindowType, Any] = {
    WindowType.BARTLETT: "bartlett",
    WindowType.BLACKMAN: "blackman",
    WindowType.HAMMING: "hamming",
    WindowType.HANN: "hann",
    WindowType.KAISER: ("kaiser", 12.0),
}


def window_of(kind: WindowType, length: int) -> np.ndarray:
    """One period of a periodic window."""
    return np.asarray(get_window(_WINDOWS[kind], length, fftbins=True))


@dataclass(frozen=True)
class Frames:
    """How a signal is cut into windowed frames.

    Attributes:
        size: Length of a frame, n_fft.
        hop: Distance of frames.
        window: As long as a frame.
        center: Whether frame i is centred at i * hop; the signal is then extended by half a frame on both sides.
        border: What it is extended with.
        onesided: Whether spectra end at half the sample rate.
    """

    size: int
    hop: int
    window: np.ndarray
    center: bool = True
    border: BorderType = BorderType.REFLECT
    onesided: bool = True

    @property
    def bins(self) -> int:
        """Number of frequencies."""
        return self.size // 2 + 1 if self.onesided else self.size

    def stft(self, name: str, audio: np.ndarray) -> np.ndarray:
        """Complex spectra (..., bins, frames) of a signal (..., time)."""
        self._check_hop(name)
        if self.center:
            half = self.size // 2
            around = [(0, 0)] * (audio.ndim - 1) + [(half, half)]
            audio = np.pad(audio, around, _PADDING[self.border])
        if audio.shape[-1] < self.size:
            raise PipelineError(
                f"For '{name}', the audio must be at least as long as 'n_fft', {self.size}, but has "
                f"{audio.shape[-1]} samples."
            )
        frames = np.lib.stride_tricks.sliding_window_view(audio, self.size, -1)
        frames = frames[..., :: self.hop, :] * self.window
        spectra = np.fft.rfft(frames) if self.onesided else np.fft.fft(frames)
        return np.swapaxes(spectra, -1, -2)

    def istft(self, name: str, spectra: np.ndarray, length: int | None = None) -> np.ndarray:
        """The signal whose spectra come closest to (..., bins, frames) (Griffin & Lim 1984).

        Without `length` it is shorter by a frame than the frames reach, whether they are centred or not.
        """
        self._check_hop(name)
        if spectra.shape[-2] != self.bins:
            raise PipelineError(
                f"For '{name}', the spectrum must have {self.bins} frequencies, as 'n_fft' {self.size} gives, "
                f"but has the shape {spectra.shape}."
            )
        spectra = np.swapaxes(spectra, -1, -2)
        frames = np.fft.irfft(spectra, self.size) if self.onesided else np.fft.ifft(spectra).real
        audio = self._overlapped(frames * self.window)
        weight = self._overlapped(np.broadcast_to(self.window**2, (frames.shape[-2], self.size)))
        begin = self.size // 2 if self.center else 0
        end = audio.shape[-1] + begin - self.size // 2 * 2 if length is None else begin + length
        audio, weight = audio[..., begin:end], weight[begin:end]
        if not weight.size:
            raise PipelineError(
                f"For '{name}', the spectrum must have more frames than the {spectra.shape[-2]} that it has."
            )
        audio = np.divide(audio, weight, out=np.zeros_like(audio), where=weight > 1e-11)
        missing = 0 if length is None else length - audio.shape[-1]
        return np.pad(audio, [(0, 0)] * (audio.ndim - 1) + [(0, missing)])

    def _check_hop(self, name: str) -> None:
        if not self.hop:
            raise PipelineError(
                f"For '{name}', the 'hop_length' must be 1 or more, but by default it is half of a "
                f"'win_length' of 1, or a quarter of one below 4."
            )

    def _overlapped(self, frames: np.ndarray) -> np.ndarray:
        """Sum of frames (..., frames, size) that lie `hop` apart."""
        total = (frames.shape[-2] - 1) * self.hop + self.size
        result = np.zeros((*frames.shape[:-2], total))
        for i in range(frames.shape[-2]):
            result[..., i * self.hop : i * self.hop + self.size] += frames[..., i, :]
        return result


_PADDING: dict[BorderType, Any] = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}


def padding(border: BorderType) -> Any:
    """The mode of numpy.pad for a border."""
    return _PADDING[border]


def frame_lengths(
    owner: Any, n_fft: int, win_length: int | None, hop_length: int | None
) -> tuple[int, int, int]:
    """Frame, window and hop length with their defaults: the frame, and half the window.

    Raises:
        ValueError: The window is longer than the frame.
    """
    count(owner, "n_fft", n_fft)
    window = n_fft if win_length is None else count(owner, "win_length", win_length)
    if window > n_fft:
        raise check.fail(ValueError, owner, "win_length", f"at most n_fft, {n_fft}", win_length)
    hop = window // 2 if hop_length is None else count(owner, "hop_length", hop_length)
    return n_fft, window, hop


def frame_window(owner: Any, kind: WindowType, length: int, size: int) -> np.ndarray:
    """A window in the middle of a frame."""
    window = window_of(option(owner, "window", kind, WindowType), length)
    left = (size - length) // 2
    return np.pad(window, (left, size - length - left))


def energy(window: np.ndarray) -> float:
    """The factor between plain and normalised spectra."""
    return math.sqrt((window**2).sum())
