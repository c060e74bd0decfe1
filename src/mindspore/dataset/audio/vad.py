"""Detection of speech."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import WindowType
from mindspore.dataset.audio.fourier import window_of
from mindspore.dataset.audio.signal import AudioOperation, count, non_negative, positive, real
from mindspore.dataset.errors import PipelineError


class Vad(AudioOperation):
    """The signal from where speech begins, found by the power of its cepstrum, as the effect `vad` of SoX does.

    Where there is none, the last part of the signal, as long as what is searched and kept; of a signal shorter than
    that, as much as it lacks.

    Args:
        sample_rate: Samples per second.
        trigger_level: Level of the cepstral power that is speech.
        trigger_time: Time constant in s that passes over short bursts.
        search_time: How far back in s to look for quieter beginnings.
        allowed_gap: Longest gap in s between such and the speech.
        pre_trigger_time: Time in s to keep before what is found.
        boot_time: Time in s in which the noise is first estimated.
        noise_up_time, noise_down_time: Time constants in s of the estimated noise going up and down.
        noise_reduction_amount: How much of the noise is taken off.
        measure_freq: Measurements per second.
        measure_duration: Length of a measurement in s, default 2 / measure_freq.
        measure_smooth_time: Time constant in s of the spectra.
        hp_filter_freq, lp_filter_freq: Band in Hz of the spectra.
        hp_lifter_freq, lp_lifter_freq: Band in Hz of the pitches of the cepstra.

    Examples:
        >>> audio.Vad(16000)(np.zeros((1, 1600), np.float32)).shape[0]
        1
    """

    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ):
        self.sample_rate = count(self, "sample_rate", sample_rate)
        self.trigger_level = real(self, "trigger_level", trigger_level)
        self.trigger_time = non_negative(self, "trigger_time", trigger_time)
        self.search_time = non_negative(self, "search_time", search_time)
        self.allowed_gap = non_negative(self, "allowed_gap", allowed_gap)
        self.pre_trigger_time = non_negative(self, "pre_trigger_time", pre_trigger_time)
        self.boot_time = non_negative(self, "boot_time", boot_time)
        self.noise_up_time = positive(self, "noise_up_time", noise_up_time)
        self.noise_down_time = non_negative(self, "noise_down_time", noise_down_time)
        if noise_up_time < noise_down_time:
            raise check.fail(
                ValueError,
                self,
                "noise_up_time",
                f"at least noise_down_time, {noise_down_time}",
                noise_up_time,
            )
        self.noise_reduction_amount = non_negative(
            self, "noise_reduction_amount", noise_reduction_amount
        )
        self.measure_freq = positive(self, "measure_freq", measure_freq)
        self.measure_duration = check.optional(
            non_negative, self, "measure_duration", measure_duration
        )
        self.measure_smooth_time = non_negative(self, "measure_smooth_time", measure_smooth_time)
        self.hp_filter_freq = positive(self, "hp_filter_freq", hp_filter_freq)
        self.lp_filter_freq = positive(self, "lp_filter_freq", lp_filter_freq)
        self.hp_lifter_freq = positive(self, "hp_lifter_freq", hp_lifter_freq)
        self.lp_lifter_freq = positive(self, "lp_lifter_freq", lp_lifter_freq)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        channels = audio.reshape(-1, audio.shape[-1]).astype(np.float64)
        meter = _Meter(self, len(channels))
        period = int(self.sample_rate / self.measure_freq + 0.5)
        history = math.ceil(self.search_time * self.measure_freq)
        before = int(self.pre_trigger_time * self.sample_rate + 0.5) + meter.length
        if not (period and history):
            raise PipelineError(
                f"For 'Vad', the 'search_time' must cover a measurement and 'measure_freq' be at most the sample "
                f"rate, but they are {self.search_time} and {self.measure_freq}."
            )
        levels: list[np.ndarray] = []  # of every measurement, by channel
        mean = np.zeros(len(channels))
        share = _decay(self.trigger_time, self.measure_freq)
        for end in range(meter.length, audio.shape[-1], period):
            level = meter.level(channels[:, end - meter.length : end])
            levels.append(level)
            mean = mean * share + level * (1 - share)
            if (mean >= self.trigger_level).any():
                begin = end - self._speech(levels, history, mean) * period - before
                return audio[..., max(begin, 0) :]
        return audio[..., audio.shape[-1] - history * period - before :]

    def _speech(self, levels: list[np.ndarray], history: int, mean: np.ndarray) -> int:
        """How many measurements back speech began."""
        gap = int(self.allowed_gap * self.measure_freq + 0.5)
        flush, seen = 0, False
        for channel in range(len(mean)):
            seen = seen or bool(mean[channel] >= self.trigger_level)
            if not seen:
                continue
            past = [float(level[channel]) for level in reversed(levels[-history:])]
            past += [0.0] * (history - len(past))
            trigger = zero = history
            for j, level in enumerate(past):
                if level >= self.trigger_level and j <= trigger + gap:
                    zero = trigger = j
                elif level == 0 and trigger >= zero:
                    zero = j
            flush = min(max(flush, min(history - 1, zero)), history)
        return flush


def _decay(time: float, frequency: float) -> float:
    """The factor by which a value goes down between measurements."""
    return math.exp(-1 / (time * frequency)) if time else 0.0


class _Meter:
    """Cepstral power of channels, noise taken off."""

    def __init__(self, vad: Vad, channels: int):
        rate, frequency = vad.sample_rate, vad.measure_freq
        duration = vad.measure_duration or 2 / frequency
        self.length = int(rate * duration + 0.5)
        self._size = max(16, 1 << (self.length - 1).bit_length())
        self._window = window_of(WindowType.HANN, self.length) * 2 / math.sqrt(self.length)
        first = max(int(vad.hp_filter_freq / rate * self._size + 0.5), 1)
        last = min(int(vad.lp_filter_freq / rate * self._size + 0.5), self._size // 2)
        self._band = slice(first, last)
        width = last - first
        if width < 1:
            raise PipelineError(
                f"For 'Vad', the 'lp_filter_freq' must be greater than 'hp_filter_freq', {vad.hp_filter_freq}, but "
                f"is {vad.lp_filter_freq}."
            )
        self._lifter = window_of(WindowType.HANN, width) * 2 / math.sqrt(width)
        pitches = (
            math.ceil(rate * 0.5 / vad.lp_lifter_freq),
            math.floor(rate * 0.5 / vad.hp_lifter_freq),
        )
        self._pitches = slice(pitches[0], min(pitches[1], self._size // 4))
        self._smooth = _decay(vad.measure_smooth_time, frequency)
        self._up = _decay(vad.noise_up_time, frequency)
        self._down = _decay(vad.noise_down_time, frequency)
        self._amount = vad.noise_reduction_amount
        self._boot: int | None = 0  # measurements so far, None after the boot time
        self._boot_most = int(vad.boot_time * frequency - 0.5)
        self._spectrum: Any = np.zeros((channels, width))
        self._noise: Any = np.zeros((channels, width))

    def level(self, samples: np.ndarray) -> np.ndarray:
        """The level (channel,) of the next samples (channel, time)."""
        spectra = np.abs(np.fft.rfft(samples * self._window, self._size))[:, self._band]
        share = self._smooth if self._boot is None else self._boot / (1 + self._boot)
        self._spectrum = self._spectrum * share + spectra * (1 - share)
        power = self._spectrum**2
        if self._boot is None:
            share = np.where(power > self._noise, self._up, self._down)
            self._noise = self._noise * share + power * (1 - share)
        else:
            self._noise = power
            self._boot = None if self._boot == self._boot_most else self._boot + 1
        clean = np.sqrt(np.maximum(power - self._amount * self._noise, 0))
        padded = np.zeros((len(samples), self._size // 2))
        padded[:, self._band] = clean * self._lifter
        cepstra = np.abs(np.fft.rfft(padded))[:, self._pitches] ** 2
        total = cepstra.sum(-1)
        with np.errstate(divide="ignore"):
            return np.maximum(21 + np.log(total / max(cepstra.shape[-1], 1)), 0)
