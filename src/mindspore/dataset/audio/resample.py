"""Change of the sample rate, and of the pitch."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import ResampleMethod, WindowType
from mindspore.dataset.audio.fourier import Frames, frame_lengths, frame_window
from mindspore.dataset.audio.signal import (
    AudioOperation,
    count,
    length,
    like,
    numbers,
    option,
    positive,
    rate,
    whole,
)
from mindspore.dataset.audio.spectra import vocoded
from mindspore.dataset.errors import PipelineError

KAISER = 14.769656459379492  # shape of the Kaiser window: 0.1 % ripple
PIECE = 2**15  # samples that are computed together


def resampled(
    audio: np.ndarray,
    old: int,
    new: int,
    width: int = 6,
    rolloff: float = 0.99,
    beta: float | None = None,
) -> np.ndarray:
    """A signal of sample rate `old` at rate `new`, as float64 (J. O. Smith, Digital Audio Resampling Home Page).

    The low-pass filter has `width` zero crossings on each side, under a Hann window or a Kaiser window of shape `beta`.
    """
    common = math.gcd(old, new)
    old, new = old // common, new // common
    samples = -(-new * audio.shape[-1] // old)
    base = min(old, new) * rolloff / old  # cut-off in units of half the old rate
    reach = math.ceil(width / base)
    kernels = _kernels(np.arange(min(new, samples)) * old % new / new, reach, base, width, beta)
    around = [(0, 0)] * (audio.ndim - 1) + [(reach, reach + 1)]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(audio, around), 2 * reach + 1, -1)
    result = np.empty((*audio.shape[:-1], samples))
    for begin in range(0, samples, PIECE):
        at = np.arange(begin, min(begin + PIECE, samples))
        taken = windows[..., at * old // new, :]
        result[..., at] = np.einsum("...nk,nk->...n", taken, kernels[at % new])
    return result


def _kernels(
    shares: np.ndarray, reach: int, base: float, width: int, beta: float | None
) -> np.ndarray:
    """Weights (share, sample) of the samples around a place that lies a `share` of a sample after the middle one."""
    t = np.clip((np.arange(-reach, reach + 1) - shares[:, None]) * base, -width, width)
    if beta is None:
        window = np.cos(t * math.pi / width / 2) ** 2
    else:
        window = np.i0(beta * np.sqrt(1 - (t / width) ** 2)) / np.i0(beta)
    return np.sinc(t) * window * base


class Resample(AudioOperation):
    """A signal at another sample rate.

    Args:
        orig_freq: Sample rate of the signal.
        new_freq: Sample rate of the result.
        resample_method: Window of the low-pass filter.
        lowpass_filter_width: Zero crossings of the filter on each side.
        rolloff: Cut-off frequency as part of the highest one possible, in (0, 1].
        beta: Shape of the Kaiser window, default 14.77.

    Examples:
        >>> audio.Resample(16000, 8000)(np.zeros(100, np.float32)).shape
        (50,)
    """

    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ):
        self.orig_freq = positive(self, "orig_freq", orig_freq)
        self.new_freq = positive(self, "new_freq", new_freq)
        self.resample_method = option(self, "resample_method", resample_method, ResampleMethod)
        self.lowpass_filter_width = count(self, "lowpass_filter_width", lowpass_filter_width)
        self.rolloff = check.floating(self, "rolloff", rolloff, 0.0, 1.0, open_low=True)
        self.beta = check.optional(check.number, self, "beta", beta)

    def apply(self, value: np.ndarray) -> np.ndarray:
        if self.orig_freq == self.new_freq:
            return numbers(self, value, self.layout)
        return super().apply(value)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        old, new = int(self.orig_freq), int(self.new_freq)
        if not (old and new):
            raise PipelineError(
                f"For 'Resample', the frequencies must be 1 or more, but are {self.orig_freq} and {self.new_freq}."
            )
        beta = None
        if self.resample_method is ResampleMethod.KAISER_WINDOW:
            beta = KAISER if self.beta is None else self.beta
        result = resampled(audio, old, new, self.lowpass_filter_width, self.rolloff, beta)
        return like(result, audio)


class PitchShift(AudioOperation):
    """The signal `n_steps` higher, its duration unchanged: stretched in time, then resampled.

    Args:
        sample_rate: Samples per second.
        n_steps: Steps up, or down if negative.
        bins_per_octave: Steps of an octave.
        n_fft, win_length, hop_length, window: As for Spectrogram; hop_length is win_length // 4 by default.

    Examples:
        >>> audio.PitchShift(16000, 4)(np.zeros((1, 1000), np.float32)).shape
        (1, 1000)
    """

    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ):
        self.sample_rate = length(self, "sample_rate", sample_rate)
        self.n_steps = whole(self, "n_steps", n_steps)
        self.bins_per_octave = rate(self, "bins_per_octave", bins_per_octave)
        self.n_fft, self.win_length, self.hop_length = frame_lengths(
            self, n_fft, win_length, hop_length
        )
        if hop_length is None:
            self.hop_length = self.win_length // 4
        self.window = option(self, "window", window, WindowType)
        weights = frame_window(self, window, self.win_length, n_fft)
        self._frames = Frames(n_fft, self.hop_length, weights)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        if not self.sample_rate:
            raise PipelineError("For 'PitchShift', the 'sample_rate' must not be 0.")
        samples, frames = audio.shape[-1], self._frames
        speed = 2 ** (-self.n_steps / self.bins_per_octave)
        advance = np.linspace(0, math.pi * self.hop_length, frames.bins)[:, None]
        spectra = frames.stft(self.name, audio.astype(np.float64))
        stretched = frames.istft(
            self.name, vocoded(spectra, speed, advance), round(samples / speed)
        )
        result = resampled(stretched, int(self.sample_rate / speed), self.sample_rate)
        result = result[..., :samples]
        missing = samples - result.shape[-1]
        return like(np.pad(result, [(0, 0)] * (result.ndim - 1) + [(0, missing)]), audio)
