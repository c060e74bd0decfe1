"""Transforms of the level of each sample: gains, decibels, companding, fading, noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import DensityFunction, FadeShape, GainType, ScaleType
from mindspore.dataset.audio.signal import (
    AudioOperation,
    count,
    length,
    like,
    non_negative,
    option,
    positive,
    real,
)
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.random import stream

STEPS = 2.0**15  # of 16 bits


class AmplitudeToDB(AudioOperation):
    """Power or magnitude in decibels over `ref_value`; nothing lies more than `top_db` under the loudest.

    Args:
        stype: Whether the input is power or magnitude.
        ref_value: What is 0 dB; at least `amin`.
        amin: Smaller inputs count as this.
        top_db: Range under the maximum of each (..., channel, frequency, time), all channels together.

    Examples:
        >>> audio.AmplitudeToDB()(np.array([[1.0, 10.0, 100.0]], np.float32)).round(3).tolist()
        [[0.0, 10.0, 20.0]]
    """

    layout = ("frequency", "time")

    def __init__(
        self,
        stype: ScaleType = ScaleType.POWER,
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float = 80.0,
    ):
        self.stype = option(self, "stype", stype, ScaleType)
        self.ref_value = positive(self, "ref_value", ref_value)
        self.amin = positive(self, "amin", amin)
        self.top_db = positive(self, "top_db", top_db)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        factor = 10.0 if self.stype is ScaleType.POWER else 20.0
        reference = math.log10(max(self.amin, self.ref_value))
        level = factor * (np.log10(np.maximum(audio.astype(np.float64), self.amin)) - reference)
        axes = tuple(range(-min(3, audio.ndim), 0))
        level = np.maximum(level, level.max(axes, keepdims=True) - self.top_db)
        return like(level, audio)


class DBToAmplitude(AudioOperation):
    """ref * (10 ** (x / 10)) ** power.

    Args:
        ref: The factor.
        power: The exponent: 1 gives power, 0.5 magnitudes.

    Examples:
        >>> audio.DBToAmplitude(1.0, 0.5)(np.array([0.0, 20.0], np.float32)).round(3).tolist()
        [1.0, 10.0]
    """

    def __init__(self, ref: float, power: float):
        self.ref, self.power = real(self, "ref", ref), real(self, "power", power)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return like(self.ref * np.power(np.power(10.0, audio * 0.1), self.power), audio)


class Contrast(AudioOperation):
    """The sound made louder for the ear, as in SoX: sin(t + amount / 750 sin 4t) with t = pi/2 x; amount in 0..100.

    Args:
        enhancement_amount: How much.

    Examples:
        >>> audio.Contrast(0.0)(np.array([0.0, 1.0], np.float32)).tolist()
        [0.0, 1.0]
    """

    def __init__(self, enhancement_amount: float = 75.0):
        self.enhancement_amount = non_negative(self, "enhancement_amount", enhancement_amount, 100)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        angle = audio * (math.pi / 2)
        return like(np.sin(angle + self.enhancement_amount / 750 * np.sin(angle * 4)), audio)


class DCShift(AudioOperation):
    """The signal moved by `shift` (-2 to 2) and limited to [-1, 1].

    With `limiter_gain` g, samples beyond t = 1 - (|shift| - g) are pressed together and limited to t instead.

    Args:
        shift: By how much.
        limiter_gain: How samples beyond the limit are pressed together; None: they are cut.

    Examples:
        >>> audio.DCShift(0.5)(np.array([0.0, 0.25, 0.75], np.float32)).tolist()
        [0.5, 0.75, 1.0]
    """

    def __init__(self, shift: float, limiter_gain: float | None = None):
        self.shift = real(self, "shift", shift, -2, 2)
        self.limiter_gain = check.optional(check.number, self, "limiter_gain", limiter_gain)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        shift, gain = self.shift, self.limiter_gain
        plain = np.clip(audio + shift, -1, 1)
        if not gain or shift == 0:
            return like(plain, audio)
        limit = 1 - (abs(shift) - gain)
        pressed = limit + shift
        if shift > 0:
            pressed += (audio - limit) * gain / (1 - limit)
            return like(np.where(audio > limit, np.minimum(pressed, limit), plain), audio)
        pressed += (audio + limit) * gain / (1 - limit)
        return like(np.where(audio < -limit, np.maximum(pressed, -limit), plain), audio)


class Gain(AudioOperation):
    """The signal made louder by `gain_db` decibels.

    Args:
        gain_db: How much; a negative number makes it softer.

    Examples:
        >>> audio.Gain(20.0)(np.array([0.05, -0.05], np.float32)).round(4).tolist()
        [0.5, -0.5]
    """

    def __init__(self, gain_db: float = 1.0):
        self.gain_db = real(self, "gain_db", gain_db)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return like(audio * 10 ** (self.gain_db / 20), audio)


class Vol(AudioOperation):
    """The signal made louder by `gain`, a factor, a ratio of powers or decibels, and limited to [-1, 1].

    Args:
        gain: How much.
        gain_type: The unit, a `GainType`.

    Raises:
        ValueError: A factor is negative, or a ratio of powers not positive.

    Examples:
        >>> audio.Vol(0.5)(np.array([0.5, -1.0], np.float32)).tolist()
        [0.25, -0.5]
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE):
        self.gain_type = option(self, "gain_type", gain_type, GainType)
        bounds = {GainType.AMPLITUDE: non_negative, GainType.POWER: positive, GainType.DB: real}
        self.gain = bounds[gain_type](self, "gain", gain)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        factor = {
            GainType.AMPLITUDE: lambda gain: gain,
            GainType.POWER: lambda gain: math.sqrt(gain),
            GainType.DB: lambda gain: 10 ** (gain / 20),
        }[self.gain_type](self.gain)
        return like(np.clip(audio * factor, -1, 1), audio)


class MuLawEncoding(AudioOperation):
    """A signal in [-1, 1] as int32 numbers 0 to quantization_channels - 1, finer around silence (ITU-T G.711).

    Args:
        quantization_channels: How many numbers.

    Examples:
        >>> audio.MuLawEncoding(256)(np.array([-1.0, 0.0, 1.0], np.float32)).tolist()
        [0, 128, 255]
    """

    def __init__(self, quantization_channels: int = 256):
        self.quantization_channels = count(self, "quantization_channels", quantization_channels)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        most = float(self.quantization_channels - 1)
        curved = np.sign(audio) * np.log1p(most * np.abs(audio)) / np.log1p(most)
        return ((curved + 1) / 2 * most + 0.5).astype(np.int32)


class MuLawDecoding(AudioOperation):
    """The signal that MuLawEncoding had encoded.

    Args:
        quantization_channels: How many numbers.

    Examples:
        >>> audio.MuLawDecoding(256)(np.array([0, 255], np.int32)).round(4).tolist()
        [-1.0, 1.0]
    """

    def __init__(self, quantization_channels: int = 256):
        self.quantization_channels = count(self, "quantization_channels", quantization_channels)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        most = float(self.quantization_channels - 1)
        if not most:
            raise PipelineError(
                "For 'MuLawDecoding', the 'quantization_channels' must be 2 or more, but is 1."
            )
        curved = audio.astype(np.float64) / most * 2 - 1
        return like(np.sign(curved) * np.expm1(np.abs(curved) * math.log1p(most)) / most, audio)


class Fade(AudioOperation):
    """The beginning faded in over `fade_in_len` samples, the end faded out over `fade_out_len`.

    Args:
        fade_in_len, fade_out_len: How many samples.
        fade_shape: The curve, a `FadeShape`.

    Examples:
        >>> audio.Fade(3, 0)(np.ones((1, 4), np.float32)).round(4).tolist()
        [[0.0, 0.5, 1.0, 1.0]]
    """

    def __init__(
        self,
        fade_in_len: int = 0,
        fade_out_len: int = 0,
        fade_shape: FadeShape = FadeShape.LINEAR,
    ):
        self.fade_in_len = length(self, "fade_in_len", fade_in_len)
        self.fade_out_len = length(self, "fade_out_len", fade_out_len)
        self.fade_shape = option(self, "fade_shape", fade_shape, FadeShape)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        samples = audio.shape[-1]
        for name in ("fade_in_len", "fade_out_len"):
            if getattr(self, name) > samples:
                raise PipelineError(
                    f"For 'Fade', the '{name}' must be at most the number of samples, {samples}, but is "
                    f"{getattr(self, name)}."
                )
        result = audio.copy()
        if self.fade_in_len:
            result[..., : self.fade_in_len] *= self._curve(np.linspace(0, 1, self.fade_in_len))
        if self.fade_out_len:
            t = 1 - np.linspace(0, 1, self.fade_out_len)
            result[..., -self.fade_out_len :] *= self._curve(t)
        return result

    def _curve(self, t: np.ndarray) -> np.ndarray:
        """The factors at times `t` of a rise from 0 to 1."""
        if self.fade_shape is FadeShape.EXPONENTIAL:
            return 2 ** (t - 1) * t
        if self.fade_shape is FadeShape.LOGARITHMIC:
            return np.log10(0.1 + t) + 1
        if self.fade_shape is FadeShape.QUARTER_SINE:
            return np.sin(t * math.pi / 2)
        if self.fade_shape is FadeShape.HALF_SINE:
            return np.sin(t * math.pi - math.pi / 2) / 2 + 0.5
        return t


class Dither(AudioOperation):
    """Noise of one step of 16 bits added before rounding to them, so that the error does not follow the signal.

    Args:
        density_function: Distribution of the noise.
        noise_shaping: Whether each sample also takes the error of the one before.

    Examples:
        >>> audio.Dither()(np.zeros((1, 4), np.float32)).shape
        (1, 4)
    """

    random = True

    def __init__(
        self,
        density_function: DensityFunction = DensityFunction.TPDF,
        noise_shaping: bool = False,
    ):
        self.density_function = option(self, "density_function", density_function, DensityFunction)
        self.noise_shaping = check.boolean(self, "noise_shaping", noise_shaping)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        scaled = audio.astype(np.float64) * (STEPS - 2)
        dithered = np.rint(scaled + self._noise(scaled)) / STEPS
        if self.noise_shaping:
            dithered[..., 1:] += (dithered - audio)[..., :-1]
        return like(dithered, audio)

    def _noise(self, scaled: np.ndarray) -> Any:
        if self.density_function is DensityFunction.TPDF:
            return np.bartlett(scaled.shape[-1] + 1)[:-1]
        rng, size = stream(), scaled.size
        if self.density_function is DensityFunction.RPDF:
            return scaled.flat[rng.integers(size)] / STEPS - 0.5
        return scaled.flat[rng.integers(size, size=6)].sum() / STEPS
