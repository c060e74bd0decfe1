"""Banks of filters and cosine transforms for cepstra."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.enums import MelType, NormMode, NormType
from mindspore.dataset.audio.signal import count, length, non_negative, option, positive

LINEAR_STEP = 200 / 3  # Hz per mel of Slaney's scale, up to 1 kHz
LINEAR_MOST = 15.0  # mels at 1 kHz
LOG_STEP = math.log(6.4) / 27  # beyond, 27 mels for a factor of 6.4


def hz_to_mel(frequency: float, kind: MelType) -> float:
    """A frequency on the mel scale: O'Shaughnessy (1987) as in HTK, or Slaney (1998)."""
    if kind is MelType.HTK:
        return 2595 * math.log10(1 + frequency / 700)
    if frequency < 1000:
        return frequency / LINEAR_STEP
    return LINEAR_MOST + math.log(frequency / 1000) / LOG_STEP


def mel_to_hz(mels: np.ndarray, kind: MelType) -> np.ndarray:
    """The frequencies of mels."""
    if kind is MelType.HTK:
        return 700 * (10 ** (mels / 2595) - 1)
    curved = 1000 * np.exp(LOG_STEP * (mels - LINEAR_MOST))
    return np.where(mels >= LINEAR_MOST, curved, mels * LINEAR_STEP)


def triangles(frequencies: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Filters (frequency, filter) that rise from 0 to 1 and fall to 0 between three corners each."""
    widths = np.diff(corners)
    scale = np.divide(1, widths, out=np.zeros_like(widths), where=widths != 0)
    slopes = corners - frequencies[:, None]
    rising, falling = -slopes[:, :-2] * scale[:-1], slopes[:, 2:] * scale[1:]
    return np.maximum(0, np.minimum(rising, falling))


def _band(owner: str, f_min: Any, f_max: Any) -> tuple[float, float]:
    non_negative(owner, "f_min", f_min)
    positive(owner, "f_max", f_max)
    if f_max < f_min:
        raise check.fail(ValueError, owner, "f_max", f"at least f_min, {f_min}", f_max)
    return f_min, f_max


def mel_filters(
    bins: int,
    low: float,
    high: float,
    mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    kind: MelType = MelType.HTK,
) -> np.ndarray:
    """Triangular filters (bins, mels) at equal distances on the mel scale, as float64."""
    ends = hz_to_mel(low, kind), hz_to_mel(high, kind)
    corners = mel_to_hz(np.linspace(*ends, mels + 2), kind)
    bank = triangles(np.linspace(0, sample_rate // 2, bins), corners)
    if norm is NormType.SLANEY:
        bank *= 2 / (corners[2:] - corners[:-2])
    return bank


def linear_filters(
    bins: int, low: float, high: float, filters: int, sample_rate: int
) -> np.ndarray:
    """Triangular filters (bins, filters) at equal distances, as float64."""
    corners = np.linspace(low, high, filters + 2)
    return triangles(np.linspace(0, sample_rate // 2, bins), corners)


def cosines(coefficients: int, size: int, norm: NormMode) -> np.ndarray:
    """The matrix (size, coefficients) of a cosine transform of type 2, as float64."""
    angles = math.pi / size * (np.arange(size)[:, None] + 0.5) * np.arange(coefficients)
    if norm is NormMode.NONE:
        return 2 * np.cos(angles)
    result = np.cos(angles) * math.sqrt(2 / size)
    result[:, :1] /= math.sqrt(2)
    return result


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Filters (n_freqs, n_mels) at equal distances on the mel scale, as float32.

    Args:
        n_freqs: Number of frequencies, from 0 to half the sample rate.
        f_min, f_max: Band in Hz that the filters divide.
        n_mels: Number of filters.
        sample_rate: Samples per second.
        norm: Whether each filter is divided by half its width.
        mel_type: Formula of the mel scale.

    Examples:
        >>> audio.melscale_fbanks(n_freqs=5, f_min=0.0, f_max=50.0, n_mels=2, sample_rate=100).shape
        (5, 2)
    """
    owner = "melscale_fbanks"
    length(owner, "n_freqs", n_freqs)
    low, high = _band(owner, f_min, f_max)
    count(owner, "n_mels", n_mels)
    count(owner, "sample_rate", sample_rate)
    option(owner, "norm", norm, NormType)
    option(owner, "mel_type", mel_type, MelType)
    bank = mel_filters(n_freqs, low, high, n_mels, sample_rate, norm, mel_type)
    return bank.astype(np.float32)


def linear_fbanks(
    n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int
) -> np.ndarray:
    """Filters (n_freqs, n_filter) at equal distances, as float32.

    Args:
        n_freqs: Number of frequencies, from 0 to half the sample rate.
        f_min, f_max: Lowest and highest frequency of the filters, in Hz.
        n_filter: Number of filters.
        sample_rate: Samples per second.

    Examples:
        >>> audio.linear_fbanks(5, 0.0, 50.0, 3, 100).shape
        (5, 3)
    """
    owner = "linear_fbanks"
    length(owner, "n_freqs", n_freqs)
    low, high = _band(owner, f_min, f_max)
    count(owner, "n_filter", n_filter)
    count(owner, "sample_rate", sample_rate)
    return linear_filters(n_freqs, low, high, n_filter, sample_rate).astype(np.float32)


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """The matrix (n_mels, n_mfcc) of a cosine transform of type 2, as float32.

    Args:
        n_mfcc: Number of coefficients.
        n_mels: Number of mel filters.
        norm: ORTHO scales the columns to length 1, NONE leaves them.

    Examples:
        >>> matrix = audio.create_dct(2, 4, audio.NormMode.ORTHO)
        >>> (matrix.T @ matrix).round(4).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    count("create_dct", "n_mfcc", n_mfcc)
    count("create_dct", "n_mels", n_mels)
    option("create_dct", "norm", norm, NormMode)
    return cosines(n_mfcc, n_mels, norm).astype(np.float32)
