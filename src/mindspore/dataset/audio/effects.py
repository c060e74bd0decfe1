"""Effects with memory, as in SoX: overdrive, phaser, flanger."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.signal import lfilter

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import Interpolation, Modulation
from mindspore.dataset.audio.signal import (
    AudioOperation,
    like,
    non_negative,
    option,
    rate,
    real,
    whole,
)
from mindspore.dataset.errors import PipelineError


class Overdrive(AudioOperation):
    """A distortion: the signal, louder by `gain` dB and moved by `color`, is bent at -1 and 1; both in 0..100.

    Args:
        gain: In decibels.
        color: How far the signal is moved before it is bent.

    Examples:
        >>> audio.Overdrive()(np.zeros((1, 4), np.float32)).shape
        (1, 4)
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0):
        self.gain = non_negative(self, "gain", gain, 100)
        self.color = non_negative(self, "color", color, 100)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        driven = audio.astype(np.float64) * 10 ** (self.gain / 20) + self.color / 200
        driven = np.clip(driven, -1, 1)
        bent = driven - driven**3 / 3
        steady: Any = lfilter([1, -1], [1, -0.995], bent)  # without the constant part
        return like(np.clip(audio * 0.5 + steady * 0.75, -1, 1), audio)


def wave_table(
    modulation: Modulation, points: int, low: float, high: float, phase: float
) -> np.ndarray:
    """One period of a wave between `low` and `high`; `phase` is a part of the period."""
    point = (np.arange(points) + int(phase * points + 0.5)) % points
    if modulation is Modulation.SINUSOIDAL:
        wave = np.sin(point / points * 2 * math.pi) / 2 + 0.5
    else:
        quarter = 4 * point // points
        line = point * 2 / points
        wave = np.select([quarter == 0, quarter == 3], [line + 0.5, line - 1.5], 1.5 - line)
    return wave * (high - low) + low


class Phaser(AudioOperation):
    """The signal with an echo of itself whose delay goes up and down.

    Args:
        sample_rate: Samples per second.
        gain_in: Factor of the input, 0 to 1.
        gain_out: Factor of the output.
        delay_ms: Longest delay in ms, 0 to 5.
        decay: Factor of the echo, 0 to 0.99.
        mod_speed: How often the delay goes up and down per second, 0.1 to 2.
        sinusoidal: Whether it moves like a sine; otherwise along lines.

    Examples:
        >>> audio.Phaser(44100)(np.zeros((1, 4), np.float32)).shape
        (1, 4)
    """

    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ):
        self.sample_rate = whole(self, "sample_rate", sample_rate)
        self.gain_in = real(self, "gain_in", gain_in, 0, 1)
        self.gain_out = non_negative(self, "gain_out", gain_out, 1e9)
        self.delay_ms = real(self, "delay_ms", delay_ms, 0, 5)
        self.decay = real(self, "decay", decay, 0, 0.99)
        self.mod_speed = real(self, "mod_speed", mod_speed, 0.1, 2)
        self.sinusoidal = check.boolean(self, "sinusoidal", sinusoidal)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        samples = audio.shape[-1]
        delays = self._delays(samples).tolist()
        rows = (audio.reshape(-1, samples).astype(np.float64) * self.gain_in).tolist()
        for row in rows:
            for i, delay in enumerate(delays):
                if delay <= i:
                    row[i] += row[i - delay] * self.decay
        result = np.array(rows).reshape(audio.shape) * self.gain_out
        return like(np.clip(result, -1, 1), audio)

    def _delays(self, samples: int) -> np.ndarray:
        """Delay of the echo at each sample."""
        longest = int(self.delay_ms * 0.001 * self.sample_rate + 0.5)
        period = int(self.sample_rate / self.mod_speed + 0.5)
        if longest < 1 or period < 1:
            raise PipelineError(
                f"For 'Phaser', the 'delay_ms' must be at least one sample, 1000 / sample_rate, but is "
                f"{self.delay_ms} with sample_rate {self.sample_rate}."
            )
        kind = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        table = wave_table(kind, period, 1.0, longest, 0.25)
        return longest + 1 - np.resize(np.floor(table + 0.5).astype(np.int64), samples)


class Flanger(AudioOperation):
    """The signal mixed with itself a little later, by a delay that goes up and down.

    Args:
        sample_rate: Samples per second.
        delay: Shortest delay in ms, 0 to 30.
        depth: Change of the delay in ms, 0 to 10.
        regen: Percentage of the delayed signal that is fed back, -95 to 95.
        width: Percentage of the delayed signal in the mix, 0 to 100.
        speed: How often the delay goes up and down per second, 0.1 to 10.
        phase: Percentage of a period by which channels differ, 0 to 100.
        modulation: Wave of the delay.
        interpolation: How values between samples are found.

    Examples:
        >>> audio.Flanger(44100)(np.zeros((1, 4), np.float32)).shape
        (1, 4)
    """

    layout = ("channel", "time")

    def apply(self, value: np.ndarray) -> np.ndarray:
        return super().apply(value).astype(value.dtype, copy=False)

    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ):
        self.sample_rate = rate(self, "sample_rate", sample_rate)
        self.delay = real(self, "delay", delay, 0, 30)
        self.depth = real(self, "depth", depth, 0, 10)
        self.regen = real(self, "regen", regen, -95, 95)
        self.width = real(self, "width", width, 0, 100)
        self.speed = real(self, "speed", speed, 0.1, 10)
        self.phase = real(self, "phase", phase, 0, 100)
        self.modulation = option(self, "modulation", modulation, Modulation)
        self.interpolation = option(self, "interpolation", interpolation, Interpolation)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        channels, samples = audio.shape[-2:]
        if channels > 4:
            raise PipelineError(
                f"For 'Flanger', the audio must have at most 4 channels, but has the shape {audio.shape}."
            )
        feedback, mix = self.regen / 100, self.width / 100
        delayed = np.empty((audio.size // (channels * samples), channels, samples))
        sound = audio.reshape(delayed.shape).astype(np.float64)
        for channel in range(channels):
            whole, part, buffer = self._delays(channel, samples)
            for one in range(len(sound)):
                delayed[one, channel] = self._delayed(
                    sound[one, channel], whole, part, buffer, feedback
                )
        result = (sound + delayed * mix * (1 - abs(feedback))) / (1 + mix)
        return like(np.clip(result, -1, 1).reshape(audio.shape), audio)

    def _delays(self, channel: int, samples: int) -> tuple[np.ndarray, np.ndarray, int]:
        """Whole and broken part of the delay at each sample, and the length of the memory."""
        low, depth = self.delay / 1000, self.depth / 1000
        buffer = int((low + depth) * self.sample_rate + 0.5) + 2
        period = int(self.sample_rate / self.speed)
        if period < 1 or buffer < 2:
            raise PipelineError(
                f"For 'Flanger', the 'sample_rate' must be greater than 'speed', {self.speed}, but is "
                f"{self.sample_rate}."
            )
        shortest = math.floor(low * self.sample_rate + 0.5)
        table = wave_table(self.modulation, period, shortest, buffer - 2, 0.75)
        begin = int(channel * period * self.phase / 100 + 0.5)
        delay = table[(begin + np.arange(samples)) % period]
        whole = np.floor(delay)
        return whole.astype(np.int64), delay - whole, buffer

    def _delayed(
        self, sound: np.ndarray, whole: np.ndarray, part: np.ndarray, buffer: int, feedback: float
    ) -> np.ndarray:
        """The signal of a channel read at its delays; sample by sample where it is fed back."""
        offsets = [(whole + k) % buffer for k in range(self._taps)]
        if not feedback:
            at = np.arange(len(sound))
            taps = [np.where(o <= at, sound[at - np.minimum(o, at)], 0) for o in offsets]
            return self._between(part, *taps)
        memory, last, result = [0.0] * buffer + sound.tolist(), 0.0, []
        steps = zip(part.tolist(), *[o.tolist() for o in offsets], strict=True)
        for i, (share, *back) in enumerate(steps, buffer):
            memory[i] += last * feedback
            last = self._between(share, *[memory[i - o] for o in back])
            result.append(last)
        return np.array(result)

    @property
    def _taps(self) -> int:
        return 2 if self.interpolation is Interpolation.LINEAR else 3

    def _between(self, part, first, second, third=None):
        """The value at `part` between the first two of equally spaced values (numbers or arrays)."""
        second = second - first
        if third is None:
            return first + second * part
        third = third - first
        return first + ((third / 2 - second) * part + second * 2 - third / 2) * part
