"""Spectra of signals, and signals of spectra."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import BorderType, WindowType
from mindspore.dataset.audio.fourier import Frames, energy, frame_lengths, frame_window
from mindspore.dataset.audio.signal import (
    AnyInput,
    AudioOperation,
    count,
    like,
    non_negative,
    option,
    positive,
)
from mindspore.dataset.audio.signal import length as length_of
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.random import stream


def to_complex(pairs: np.ndarray) -> np.ndarray:
    """(..., 2) as complex numbers."""
    return pairs[..., 0].astype(np.float64) + 1j * pairs[..., 1]


def to_pairs(numbers: Any, dtype: Any) -> np.ndarray:
    """Complex numbers as (..., 2)."""
    return np.stack([numbers.real, numbers.imag], -1).astype(dtype)


class Angle(AudioOperation):
    """Angle of complex numbers (..., 2), in radians.

    Examples:
        >>> audio.Angle()(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)).round(4).tolist()
        [0.0, 1.5707999467849731]
    """

    layout = (2,)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return np.arctan2(audio[..., 1], audio[..., 0])


class ComplexNorm(AudioOperation):
    """Magnitude of complex numbers (..., 2), to the power `power`.

    Args:
        power: The exponent, 0 or more.

    Examples:
        >>> audio.ComplexNorm(2.0)(np.array([[3.0, 4.0]], np.float32)).tolist()
        [25.0]
    """

    layout = (2,)

    def __init__(self, power: float = 1.0):
        self.power = non_negative(self, "power", power)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return like(np.abs(to_complex(audio)) ** self.power, audio)


class Magphase(AudioOperation):
    """Magnitude, to the power `power`, and angle of complex numbers (..., 2).

    Args:
        power: The exponent, 0 or more.

    Examples:
        >>> [part.tolist() for part in audio.Magphase()(np.array([[5.0, 0.0]], np.float32))]
        [[5.0], [0.0]]
    """

    layout = (2,)

    def __init__(self, power: float = 1.0):
        self.power = non_negative(self, "power", power)

    def signal(self, audio: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return ComplexNorm(self.power).signal(audio), Angle().signal(audio)


class _Framed(AudioOperation):
    """A transform between a signal and its spectra, frame by frame."""

    def _framed(
        self,
        n_fft: int,
        win_length: int | None,
        hop_length: int | None,
        pad: int,
        window: WindowType,
        normalized: bool,
        center: bool,
        pad_mode: BorderType,
        onesided: bool,
    ) -> None:
        """Check how the signal is cut, and keep it."""
        self.n_fft, self.win_length, self.hop_length = frame_lengths(
            self, n_fft, win_length, hop_length
        )
        self.pad = length_of(self, "pad", pad)
        self.window = option(self, "window", window, WindowType)
        self.normalized = check.boolean(self, "normalized", normalized)
        self.center = check.boolean(self, "center", center)
        self.pad_mode = option(self, "pad_mode", pad_mode, BorderType)
        self.onesided = check.boolean(self, "onesided", onesided)
        self._frames = Frames(
            n_fft,
            self.hop_length,
            frame_window(self, window, self.win_length, n_fft),
            center,
            pad_mode,
            onesided,
        )


class Spectrogram(AnyInput, _Framed):
    """Spectra (..., frequency, frame) of a signal.

    Args:
        n_fft: Length of a frame; there are n_fft // 2 + 1 frequencies.
        win_length: Length of the window, default n_fft.
        hop_length: Distance of frames, default win_length // 2.
        pad: Zeros added on both sides.
        window: Kind of the window.
        power: 1 for magnitude, 2 for power, ...; 0 for complex numbers (..., frequency, frame, 2).
        normalized: Whether spectra are divided by the window's root sum of squares.
        center: Whether frame i is centred at sample i * hop_length.
        pad_mode: What the signal is extended with if so.
        onesided: Whether spectra end at half the sample rate.

    Examples:
        >>> audio.Spectrogram(n_fft=40)(np.zeros(100, np.float32)).shape
        (21, 6)
    """

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.power = non_negative(self, "power", power)
        self._framed(
            n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided
        )

    def signal(self, audio: np.ndarray) -> np.ndarray:
        padded = np.pad(audio, [(0, 0)] * (audio.ndim - 1) + [(self.pad, self.pad)])
        spectra = self._frames.stft(self.name, padded.astype(np.float64))
        if self.normalized:
            spectra /= energy(self._frames.window)
        if not self.power:
            return to_pairs(spectra, audio.dtype)
        return like(np.abs(spectra) ** self.power, audio)


class InverseSpectrogram(_Framed):
    """The signal (..., time) of complex spectra (..., frequency, frame, 2).

    Args:
        length: Samples to give, default all.
        n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided: As for Spectrogram.

    Examples:
        >>> audio.InverseSpectrogram(100, n_fft=40)(np.zeros((21, 6, 2), np.float32)).shape
        (100,)
    """

    layout = ("frequency", "time", 2)

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.length = check.optional(length_of, self, "length", length)
        self._framed(
            n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided
        )

    def signal(self, audio: np.ndarray) -> np.ndarray:
        spectra = to_complex(audio)
        if self.normalized:
            spectra *= energy(self._frames.window)
        pad = self.pad
        samples = self.length + 2 * pad if self.length else None
        result = self._frames.istft(self.name, spectra, samples)
        if self.length and pad:
            result = result[..., pad:-pad]
        return like(result, audio)


class SpectralCentroid(AnyInput, AudioOperation):
    """Mean frequency (..., 1, frame) in Hz of each spectrum, weighted by magnitude.

    Args:
        sample_rate: Samples per second.
        n_fft, win_length, hop_length, pad, window: As for Spectrogram.

    Examples:
        >>> audio.SpectralCentroid(8000, n_fft=40)(np.ones((1, 100), np.float32)).shape
        (1, 1, 6)
    """

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ):
        self.sample_rate = length_of(self, "sample_rate", sample_rate)
        self._magnitude = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        if not self.sample_rate:
            raise PipelineError("For 'SpectralCentroid', the 'sample_rate' must not be 0.")
        magnitude = self._magnitude.signal(audio.astype(np.float64))
        frequencies = np.linspace(0, self.sample_rate // 2, magnitude.shape[-2])[:, None]
        total = magnitude.sum(-2, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):  # silence has no centre: nan
            return like((frequencies * magnitude).sum(-2, keepdims=True) / total, audio)


class GriffinLim(AudioOperation):
    """A signal whose spectrogram is about the given one (..., frequency, frame).

    Griffin & Lim (1984), with the momentum of Perraudin et al. (2013).

    Args:
        n_fft, win_length, hop_length, window_type, power: Those of the spectrogram.
        n_iter: Number of iterations.
        momentum: Influence of the step before, in [0, 1).
        length: Samples to give, default all.
        rand_init: Whether phases begin at random instead of 0.

    Examples:
        >>> audio.GriffinLim(n_fft=40, n_iter=2)(np.ones((21, 6), np.float32)).shape
        (100,)
    """

    layout = ("frequency", "time")

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ):
        # Here 0 means the default, too.
        win_length = check.optional(length_of, self, "win_length", win_length) or None
        hop_length = check.optional(length_of, self, "hop_length", hop_length) or None
        self.n_fft, self.win_length, self.hop_length = frame_lengths(
            self, n_fft, win_length, hop_length
        )
        self.n_iter = count(self, "n_iter", n_iter)
        self.window_type = option(self, "window_type", window_type, WindowType)
        self.power = positive(self, "power", power)
        self.momentum = non_negative(self, "momentum", momentum)
        if momentum >= 1:
            raise check.fail(PipelineError, self, "momentum", "less than 1", momentum)
        self.length = check.optional(length_of, self, "length", length)
        self.rand_init = check.boolean(self, "rand_init", rand_init)
        self.random = rand_init
        window = frame_window(self, window_type, self.win_length, n_fft)
        self._frames = Frames(n_fft, self.hop_length, window)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        magnitude = audio.astype(np.float64) ** (1 / self.power)
        phases = np.ones(magnitude.shape, np.complex128)
        if self.rand_init:
            rng = stream()
            phases = rng.random(magnitude.shape) + 1j * rng.random(magnitude.shape)
        share, before = self.momentum / (1 + 2 * self.momentum), 0
        for _ in range(self.n_iter):
            signal = self._frames.istft(self.name, magnitude * phases)
            rebuilt = self._frames.stft(self.name, signal)
            phases = rebuilt - share * before
            phases /= np.abs(phases) + 1e-16
            before = rebuilt
        result = self._frames.istft(self.name, magnitude * phases, self.length or None)
        return like(result.reshape(*_joined(audio.shape[:-2]), -1), audio)


def _joined(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Leading axes as one, if there are several."""
    return (int(np.prod(shape)),) if len(shape) > 1 else shape


def vocoded(spectra: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """Complex spectra (..., frequency, frame) spoken `rate` times as fast (Flanagan & Golden 1966).

    `advance` (frequency, 1) is the phase that a steady tone gains from frame to frame.
    """
    steps = np.arange(0, spectra.shape[-1], rate)
    first = np.angle(spectra[..., :1])
    spectra = np.pad(spectra, [(0, 0)] * (spectra.ndim - 1) + [(0, 2)])
    at = steps.astype(np.int64)
    left, right = spectra[..., at], spectra[..., at + 1]
    gained = np.angle(right) - np.angle(left) - advance
    gained += advance - 2 * np.pi * np.round(gained / (2 * np.pi))
    phase = np.cumsum(np.concatenate([first, gained[..., :-1]], -1), -1)
    share = steps % 1
    return (share * np.abs(right) + (1 - share) * np.abs(left)) * np.exp(1j * phase)


class PhaseVocoder(AudioOperation):
    """Complex spectra (..., frequency, time, 2) `rate` times as fast, pitch unchanged.

    Args:
        rate: Factor of the speed.
        phase_advance: Phase (frequency, 1) that each frequency gains from frame to frame.

    Examples:
        >>> audio.PhaseVocoder(2.0, np.zeros((21, 1), np.float32))(np.zeros((1, 21, 10, 2), np.float32)).shape
        (1, 21, 5, 2)
    """

    layout = ("frequency", "time", 2)

    def __init__(self, rate: float, phase_advance: np.ndarray):
        self.rate = positive(self, "rate", rate)
        self.phase_advance = check.instance(self, "phase_advance", phase_advance, np.ndarray)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        advance = self.phase_advance
        if advance.shape != (audio.shape[-3], 1):
            raise PipelineError(
                f"For 'PhaseVocoder', the 'phase_advance' must have the shape ({audio.shape[-3]}, 1) for audio "
                f"of shape {audio.shape}, but has {advance.shape}."
            )
        if advance.dtype != audio.dtype:
            raise PipelineError(
                f"For 'PhaseVocoder', the 'phase_advance' must have the type of the audio, {audio.dtype}, but is "
                f"{advance.dtype}."
            )
        return to_pairs(vocoded(to_complex(audio), self.rate, advance), audio.dtype)


class TimeStretch(AudioOperation):
    """Complex spectra (..., frequency, time, 2) `fixed_rate` times as fast, pitch unchanged.

    Args:
        hop_length: Distance of the frames, default n_freq - 1.
        n_freq: Number of frequencies; only the default of 'hop_length' depends on it.
        fixed_rate: Factor of the speed, default 1.

    Examples:
        >>> audio.TimeStretch(20, 21, 2.0)(np.zeros((1, 21, 10, 2), np.float32)).shape
        (1, 21, 5, 2)
    """

    layout = ("frequency", "time", 2)

    def __init__(
        self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None
    ):
        self.n_freq = count(self, "n_freq", n_freq)
        self.hop_length = (
            n_freq - 1 if hop_length is None else count(self, "hop_length", hop_length)
        )
        self.fixed_rate = check.optional(positive, self, "fixed_rate", fixed_rate)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        if self.fixed_rate in (None, 1):
            return audio
        advance = np.linspace(0, np.pi * self.hop_length, audio.shape[-3])[:, None]
        return to_pairs(vocoded(to_complex(audio), self.fixed_rate, advance), audio.dtype)
