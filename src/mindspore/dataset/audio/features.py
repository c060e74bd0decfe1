"""Features over time: differences, normalised cepstra, pitch."""

from __future__ import annotations

import math

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import BorderType
from mindspore.dataset.audio.fourier import padding
from mindspore.dataset.audio.signal import (
    MOST,
    AudioOperation,
    count,
    length,
    like,
    option,
    positive,
    rate,
)
from mindspore.dataset.errors import PipelineError


class ComputeDeltas(AudioOperation):
    """Slope of a line through `win_length` (3 or more) neighbours in time: sum_n n x[t+n] / sum_n n^2.

    `pad_mode` says what stands outside.

    Args:
        win_length: How many neighbours, with the middle one.
        pad_mode: What stands outside of the signal, a `BorderType`.

    Examples:
        >>> audio.ComputeDeltas(3)(np.array([[1.0, 2.0, 3.0, 4.0]], np.float32)).tolist()
        [[0.5, 1.0, 1.0, 0.5]]
    """

    layout = ("frequency", "time")

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE):
        self.win_length = check.integer(self, "win_length", win_length, 3, check.INT32_MAX)
        self.pad_mode = option(self, "pad_mode", pad_mode, BorderType)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        reach = (self.win_length - 1) // 2
        around = [(0, 0)] * (audio.ndim - 1) + [(reach, reach)]
        padded = np.pad(audio.astype(np.float64), around, padding(self.pad_mode))
        weights = np.arange(-reach, reach + 1.0)
        frames = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, -1)
        return like(frames @ (weights / (weights**2).sum()), audio)


class SlidingWindowCmn(AudioOperation):
    """Cepstra (..., time, frequency) less their mean over a window in time.

    Args:
        cmn_window: Frames of the window.
        min_cmn_window: Frames of the window at the beginning, if not centred.
        center: Whether the window lies around each frame instead of before it.
        norm_vars: Whether to divide by the standard deviation as well.

    Examples:
        >>> audio.SlidingWindowCmn()(np.ones((4, 2), np.float32)).tolist()
        [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """

    layout = ("time", "frequency")

    def __init__(
        self,
        cmn_window: int = 600,
        min_cmn_window: int = 100,
        center: bool = False,
        norm_vars: bool = False,
    ):
        self.cmn_window = length(self, "cmn_window", cmn_window)
        self.min_cmn_window = length(self, "min_cmn_window", min_cmn_window)
        self.center = check.boolean(self, "center", center)
        self.norm_vars = check.boolean(self, "norm_vars", norm_vars)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        begin, end = self._windows(audio.shape[-2])
        if (end <= begin).any():
            raise PipelineError("For 'SlidingWindowCmn', the 'cmn_window' must be 1 or more.")
        frames = (end - begin)[:, None]
        cepstra = audio.astype(np.float64)
        mean = _sums(cepstra, begin, end) / frames
        result = cepstra - mean
        if self.norm_vars:
            variance = _sums(cepstra**2, begin, end) / frames - mean**2
            with np.errstate(invalid="ignore", divide="ignore"):
                result = np.where(frames == 1, 0, result / np.sqrt(variance))
        return like(result, audio)

    def _windows(self, frames: int) -> tuple[np.ndarray, np.ndarray]:
        """Begin and end of the window of each frame."""
        at = np.arange(frames)
        if self.center:
            begin = at - self.cmn_window // 2
            end = begin + self.cmn_window
        else:
            begin, end = at - self.cmn_window, at + 1
        end = np.where(begin < 0, end - begin, end)
        begin = np.maximum(begin, 0)
        if not self.center:
            end = np.where(end > at, np.maximum(at + 1, self.min_cmn_window), end)
        over = np.maximum(end - frames, 0)
        return np.maximum(begin - over, 0), end - over


def _sums(values: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Sums over the rows from `begin` to `end`."""
    total = np.cumsum(values, -2)
    total = np.concatenate([np.zeros_like(total[..., :1, :]), total], -2)
    return total[..., end, :] - total[..., begin, :]


class DetectPitchFrequency(AudioOperation):
    """Pitch (..., frame) in Hz, as float32, by the normalised autocorrelation, smoothed by medians.

    Args:
        sample_rate: Samples per second.
        frame_time: Length of a frame in s.
        win_length: Frames of a median.
        freq_low, freq_high: Band in Hz to search.

    Examples:
        >>> t = np.arange(1600, dtype=np.float32) / 8000
        >>> pitch = audio.DetectPitchFrequency(8000)(np.sin(2 * np.pi * 200 * t))
        >>> round(float(np.median(pitch)))
        200
    """

    only_floats = True

    def __init__(
        self,
        sample_rate: int,
        frame_time: float = 0.01,
        win_length: int = 30,
        freq_low: int = 85,
        freq_high: int = 3400,
    ):
        self.sample_rate = rate(self, "sample_rate", sample_rate)
        self.frame_time = positive(self, "frame_time", frame_time)
        self.win_length = count(self, "win_length", win_length)
        self.freq_low = check.integer(self, "freq_low", freq_low, 1, int(MOST))
        self.freq_high = check.integer(self, "freq_high", freq_high, 1, int(MOST))

    def signal(self, audio: np.ndarray) -> np.ndarray:
        correlation = self._correlation(audio.astype(np.float64))
        lags = self._smoothed(self._best_lags(correlation))
        return (self.sample_rate / lags).astype(np.float32)

    def _correlation(self, audio: np.ndarray) -> np.ndarray:
        """Correlation (..., frame, lag) of each frame with what follows 1, 2, ... samples later."""
        lags = math.ceil(self.sample_rate / self.freq_low)
        size = math.ceil(self.sample_rate * self.frame_time)
        frames = math.ceil(audio.shape[-1] / size) if size > 0 else 0
        if frames + (self.win_length - 1) // 2 < self.win_length:
            raise PipelineError(
                f"For 'DetectPitchFrequency', the audio must have frames for half of 'win_length', "
                f"{self.win_length}, but its {audio.shape[-1]} samples make {frames}."
            )
        missing = lags + frames * size - audio.shape[-1]
        audio = np.pad(audio, [(0, 0)] * (audio.ndim - 1) + [(0, missing)])
        windows = np.lib.stride_tricks.sliding_window_view(audio, frames * size, -1)
        windows = windows[..., : lags + 1, :].reshape(*audio.shape[:-1], lags + 1, frames, size)
        windows = np.moveaxis(windows, -3, -2)
        norms = np.sqrt((windows**2).sum(-1)) + 1e-9
        products = (windows[..., 1:, :] * windows[..., :1, :]).sum(-1)
        return products / norms[..., 1:] ** 2 / norms[..., :1] ** 2

    def _best_lags(self, correlation: np.ndarray) -> np.ndarray:
        """The lag of the highest correlation; one within the shorter half if that is nearly as good."""
        first = math.ceil(self.sample_rate / self.freq_high)
        best = correlation[..., first:]
        if not best.shape[-1]:
            return np.full(best.shape[:-1], first + 1)
        chosen = best.argmax(-1)
        short = best[..., : max(correlation.shape[-1] // 2 - first, 0)]
        if short.shape[-1]:
            near = short.max(-1) > 0.99 * best.max(-1)
            chosen = np.where(near, short.argmax(-1), chosen)
        return chosen + first + 1

    def _smoothed(self, lags: np.ndarray) -> np.ndarray:
        """Medians (the lower of two) over windows that begin with the first lag repeated."""
        before = (self.win_length - 1) // 2
        padded = np.pad(lags, [(0, 0)] * (lags.ndim - 1) + [(before, 0)], "edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, self.win_length, -1)
        return np.sort(windows, -1)[..., (self.win_length - 1) // 2]
