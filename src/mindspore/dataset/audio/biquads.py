"""Recursive filters of the second order.

Coefficients after R. Bristow-Johnson, Audio EQ Cookbook (2005), with z-transform b(z) / a(z); those of BandBiquad,
DeemphBiquad and RiaaBiquad as in SoX.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.signal import lfilter

from mindspore.dataset import checked as check
from mindspore.dataset.audio.signal import (
    AnyInput,
    AudioOperation,
    like,
    positive,
    rate,
    real,
)
from mindspore.dataset.errors import PipelineError

Coefficients = tuple[list[float], list[float]]  # b and a


def filtered(audio: np.ndarray, b: Any, a: Any, clamp: bool = True) -> np.ndarray:
    """b(z) / a(z) along the last axis in double precision, limited to [-1, 1] if asked for."""
    if a[0] == 0:
        raise PipelineError("The first of the 'a_coeffs' of a filter must not be 0.")
    result: Any = lfilter(b, a, audio.astype(np.float64, copy=False))
    return np.clip(result, -1, 1) if clamp else result


class _Biquad(AudioOperation):
    """A filter whose `coefficients` follow from the arguments."""

    only_floats = True

    def coefficients(self) -> Coefficients:
        """The polynomials b and a."""
        raise NotImplementedError(f"For '{self.name}', 'coefficients' is not defined.")

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return like(filtered(audio, *self.coefficients()), audio)


class Biquad(AnyInput, _Biquad):
    """The filter (b0 + b1/z + b2/z^2) / (a0 + a1/z + a2/z^2), limited to [-1, 1].

    Args:
        b0, b1, b2: Coefficients of the numerator.
        a0, a1, a2: Coefficients of the denominator; a0 is not 0.

    Raises:
        ValueError: a0 is 0.

    Examples:
        >>> audio.Biquad(0.5, 0.5, 0.0, 1.0, 0.0, 0.0)(np.array([1.0, 0.0, 0.0], np.float32)).tolist()
        [0.5, 0.5, 0.0]
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float):
        self.b0, self.b1, self.b2 = real(self, "b0", b0), real(self, "b1", b1), real(self, "b2", b2)
        self.a0, self.a1, self.a2 = real(self, "a0", a0), real(self, "a1", a1), real(self, "a2", a2)
        if a0 == 0:
            raise check.fail(ValueError, self, "a0", "other than 0", a0)

    def coefficients(self) -> Coefficients:
        return [self.b0, self.b1, self.b2], [self.a0, self.a1, self.a2]


class _AtFrequency(_Biquad):
    """A filter with a frequency in Hz and a quality Q in (0, 1]."""

    _frequency: float

    def __init__(self, sample_rate: int, name: str, frequency: float, quality: float):
        self.sample_rate = rate(self, "sample_rate", sample_rate)
        self._frequency = real(self, name, frequency)
        setattr(self, name, frequency)
        self.Q = positive(self, "Q", quality, 1)

    def _wave(self) -> tuple[float, float]:
        """Cosine of the angular frequency, and alpha."""
        angle = 2 * math.pi * self._frequency / self.sample_rate
        return math.cos(angle), math.sin(angle) / 2 / self.Q


class AllpassBiquad(_AtFrequency):
    """All frequencies pass; the phase turns around `central_freq`.

    Args:
        sample_rate: Samples per second.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> audio.AllpassBiquad(44100, 200.0)(np.zeros(4, np.float32)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        return [1 - alpha, -2 * cos, 1 + alpha], [1 + alpha, -2 * cos, 1 - alpha]


class BandBiquad(_AtFrequency):
    """A band around `central_freq` passes, narrow ones better; with `noise` scaled for noise instead of tones.

    Args:
        sample_rate: Samples per second.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.
        noise: Scale for noise.

    Examples:
        >>> audio.BandBiquad(44100, 200.0)(np.zeros(4, np.float32)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(
        self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False
    ):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.noise = check.boolean(self, "noise", noise)

    def coefficients(self) -> Coefficients:
        width = self._frequency / self.Q
        a2 = math.exp(-2 * math.pi * width / self.sample_rate)
        a1 = -4 * a2 / (1 + a2) * self._wave()[0]
        b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if self.noise:
            b0 = math.sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
        return [b0, 0.0, 0.0], [1.0, a1, a2]


class BandpassBiquad(_AtFrequency):
    """A band around `central_freq` passes, with gain 1 there, or with constant skirts and gain Q.

    Args:
        sample_rate: Samples per second.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.
        const_skirt_gain: Keep the skirts; the gain at the frequency is Q then.

    Examples:
        >>> audio.BandpassBiquad(44100, 200.0)(np.zeros(4, np.float32)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(
        self,
        sample_rate: int,
        central_freq: float,
        Q: float = 0.707,
        const_skirt_gain: bool = False,
    ):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.const_skirt_gain = check.boolean(self, "const_skirt_gain", const_skirt_gain)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        peak = alpha * self.Q if self.const_skirt_gain else alpha
        return [peak, 0.0, -peak], [1 + alpha, -2 * cos, 1 - alpha]


class BandrejectBiquad(_AtFrequency):
    """All passes but a band around `central_freq`.

    Args:
        sample_rate: Samples per second.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> y = audio.BandrejectBiquad(8000, 2000.0)(np.ones(400, np.float32) / 2)
        >>> round(float(y[-1]), 4)
        0.5
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        return [1.0, -2 * cos, 1.0], [1 + alpha, -2 * cos, 1 - alpha]


class HighpassBiquad(_AtFrequency):
    """Frequencies above `cutoff_freq` pass.

    Args:
        sample_rate: Samples per second.
        cutoff_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> y = audio.HighpassBiquad(8000, 2000.0)(np.ones(400, np.float32) / 2)
        >>> abs(round(float(y[-1]), 4))
        0.0
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "cutoff_freq", cutoff_freq, Q)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        return [(1 + cos) / 2, -1 - cos, (1 + cos) / 2], [1 + alpha, -2 * cos, 1 - alpha]


class LowpassBiquad(_AtFrequency):
    """Frequencies below `cutoff_freq` pass.

    Args:
        sample_rate: Samples per second.
        cutoff_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> y = audio.LowpassBiquad(8000, 2000.0)(np.ones(400, np.float32) / 2)
        >>> round(float(y[-1]), 4)
        0.5
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707):
        super().__init__(sample_rate, "cutoff_freq", cutoff_freq, Q)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        return [(1 - cos) / 2, 1 - cos, (1 - cos) / 2], [1 + alpha, -2 * cos, 1 - alpha]


class EqualizerBiquad(_AtFrequency):
    """A band around `center_freq` is made louder by `gain` dB.

    Args:
        sample_rate: Samples per second.
        center_freq: The frequency, in Hz.
        gain: In decibels.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> audio.EqualizerBiquad(8000, 2000.0, 0.0)(np.array([0.5, 0.25], np.float32)).round(4).tolist()
        [0.5, 0.25]
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707):
        super().__init__(sample_rate, "center_freq", center_freq, Q)
        self.gain = real(self, "gain", gain)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        level = 10 ** (self.gain / 40)
        return (
            [1 + alpha * level, -2 * cos, 1 - alpha * level],
            [1 + alpha / level, -2 * cos, 1 - alpha / level],
        )


def high_shelf(level: float, cos: float, width: float) -> Coefficients:
    """Coefficients that raise high frequencies by `level` squared; `width` is 2 sqrt(level) alpha."""
    up, down = level + 1, level - 1
    return (
        [
            level * (up + down * cos + width),
            -2 * level * (down + up * cos),
            level * (up + down * cos - width),
        ],
        [up - down * cos + width, 2 * (down - up * cos), up - down * cos - width],
    )


class TrebleBiquad(_AtFrequency):
    """Frequencies above `central_freq` are made louder by `gain` dB.

    Args:
        sample_rate: Samples per second.
        gain: In decibels.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> audio.TrebleBiquad(8000, 0.0)(np.array([0.5, 0.25], np.float32)).round(4).tolist()
        [0.5, 0.25]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.gain = real(self, "gain", gain)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        level = 10 ** (self.gain / 40)
        return high_shelf(level, cos, 2 * math.sqrt(level) * alpha)


class BassBiquad(_AtFrequency):
    """Frequencies below `central_freq` are made louder by `gain` dB.

    Args:
        sample_rate: Samples per second.
        gain: In decibels.
        central_freq: The frequency, in Hz.
        Q: Quality: the greater, the narrower the band.

    Examples:
        >>> audio.BassBiquad(8000, 0.0)(np.array([0.5, 0.25], np.float32)).round(4).tolist()
        [0.5, 0.25]
    """

    def __init__(
        self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707
    ):
        super().__init__(sample_rate, "central_freq", central_freq, Q)
        self.gain = real(self, "gain", gain)

    def coefficients(self) -> Coefficients:
        cos, alpha = self._wave()
        level = 10 ** (self.gain / 40)
        b, a = high_shelf(level, -cos, 2 * math.sqrt(level) * alpha)
        return [b[0], -b[1], b[2]], [a[0], -a[1], a[2]]  # the mirror of the high shelf: z -> -z


class DeemphBiquad(_Biquad):
    """The de-emphasis of compact discs (ISO 908) for sample rates of 44100 and 48000 Hz.

    Args:
        sample_rate: 44100 or 48000.

    Examples:
        >>> audio.DeemphBiquad(44100)(np.zeros(4, np.float32)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    _shelves = {44100: (5283.0, 0.4845, -9.477), 48000: (5356.0, 0.479, -9.62)}

    def __init__(self, sample_rate: int):
        check.integer(self, "sample_rate", sample_rate)
        self.sample_rate = check.option(self, "sample_rate", sample_rate, self._shelves)

    def coefficients(self) -> Coefficients:
        frequency, slope, gain = self._shelves[self.sample_rate]
        angle = 2 * math.pi * frequency / self.sample_rate
        level = 10 ** (gain / 40)
        alpha = math.sin(angle) / 2 * math.sqrt((level + 1 / level) * (1 / slope - 1) + 2)
        return high_shelf(level, math.cos(angle), 2 * math.sqrt(level) * alpha)


class RiaaBiquad(_Biquad):
    """The playback equalisation of vinyl records (RIAA), with gain 1 at 1 kHz.

    Args:
        sample_rate: 44100, 48000, 88200 or 96000.

    Examples:
        >>> audio.RiaaBiquad(44100)(np.zeros(4, np.float32)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    _roots = {  # zeros and poles by sample rate
        44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
        48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
        88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
        96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
    }

    def __init__(self, sample_rate: int):
        check.integer(self, "sample_rate", sample_rate)
        self.sample_rate = check.option(self, "sample_rate", sample_rate, self._roots)

    def coefficients(self) -> Coefficients:
        zeros, poles = self._roots[self.sample_rate]
        b, a = np.poly(zeros), np.poly(poles)
        at = np.exp(-2j * math.pi * 1000 / self.sample_rate * np.arange(3))
        gain = abs(np.dot(a, at) / np.dot(b, at))
        return list(b * gain), list(a)
