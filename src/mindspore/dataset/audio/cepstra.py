"""Mel spectra and cepstra."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.banks import cosines, linear_filters, mel_filters
from mindspore.dataset.audio.enums import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    ScaleType,
    WindowType,
)
from mindspore.dataset.audio.levels import AmplitudeToDB
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
from mindspore.dataset.audio.spectra import Spectrogram
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.random import stream


def _band(owner: Any, low: float, high: float | None, sample_rate: int) -> tuple[float, float]:
    """Lowest and highest frequency of a bank; the highest is half the sample rate by default, which 0 means, too."""
    if high is not None and low > high:
        raise check.fail(ValueError, owner, "f_max", f"at least f_min, {low}", high)
    high = high or sample_rate // 2
    if low >= high:
        raise check.fail(
            ValueError, owner, "f_min", f"less than the highest frequency, {high}", low
        )
    return low, high


def _bins(owner: Any, audio: np.ndarray, bins: int, name: str) -> None:
    if audio.shape[-2] != bins:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the frequencies of the audio must be as many as '{name}', {bins}, "
            f"but it has the shape {audio.shape}."
        )


def _through(bank: np.ndarray, audio: np.ndarray) -> np.ndarray:
    """A spectrogram (..., frequency, time) through filters (frequency, filter)."""
    return like(bank.T @ audio.astype(np.float64), audio)


class MelScale(AudioOperation):
    """A spectrogram (..., frequency, time) on the mel scale.

    Args:
        n_mels: Number of filters.
        sample_rate: Samples per second.
        f_min, f_max: Band in Hz; default: up to half the sample rate.
        n_stft: Number of frequencies of the spectrogram.
        norm: Whether each filter is divided by half its width.
        mel_type: Formula of the mel scale.

    Examples:
        >>> audio.MelScale(n_mels=8, n_stft=21)(np.ones((21, 4), np.float32)).shape
        (8, 4)
    """

    layout = ("frequency", "time")

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        self.n_mels = count(self, "n_mels", n_mels)
        self.sample_rate = count(self, "sample_rate", sample_rate)
        real(self, "f_min", f_min)
        check.optional(positive, self, "f_max", f_max)
        self.f_min, self.f_max = _band(self, f_min, f_max, sample_rate)
        self.n_stft = count(self, "n_stft", n_stft)
        self.norm = option(self, "norm", norm, NormType)
        self.mel_type = option(self, "mel_type", mel_type, MelType)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        _bins(self, audio, self.n_stft, "n_stft")
        return _through(self._bank(), audio)

    def _bank(self) -> np.ndarray:
        return mel_filters(
            self.n_stft,
            self.f_min,
            self.f_max,
            self.n_mels,
            self.sample_rate,
            self.norm,
            self.mel_type,
        )


class InverseMelScale(AudioOperation):
    """A spectrogram (..., n_stft, time) whose mel spectrogram is about the given one (..., n_mels, time).

    It is found by gradient descent with momentum from a random start, never negative.

    Args:
        n_stft: Number of frequencies of the spectrogram.
        n_mels, sample_rate, f_min, f_max, norm, mel_type: As for MelScale.
        max_iter: Most steps.
        tolerance_loss: Error at which to stop.
        tolerance_change: Change of the error at which to stop.
        sgdargs: 'sgd_lr' (default 0.1) and 'sgd_momentum' (default 0.9).

    Examples:
        >>> audio.InverseMelScale(n_stft=21, n_mels=8, max_iter=10)(np.ones((8, 4), np.float32)).shape
        (21, 4)
    """

    layout = ("mel", "time")
    random = True

    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-5,
        tolerance_change: float = 1e-8,
        sgdargs: dict[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        count(self, "n_stft", n_stft)
        self._scale = MelScale(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type)
        self.max_iter = count(self, "max_iter", max_iter)
        self.tolerance_loss = positive(self, "tolerance_loss", tolerance_loss)
        self.tolerance_change = positive(self, "tolerance_change", tolerance_change)
        given = _keywords(self, "sgdargs", sgdargs, {"sgd_lr": 0.1, "sgd_momentum": 0.9})
        self.sgd_lr = non_negative(self, "sgd_lr", given["sgd_lr"])
        self.sgd_momentum = non_negative(self, "sgd_momentum", given["sgd_momentum"])

    def signal(self, audio: np.ndarray) -> np.ndarray:
        _bins(self, audio, self._scale.n_mels, "n_mels")
        bank = self._scale._bank()
        wanted = audio.astype(np.float64)
        found = stream().random((*audio.shape[:-2], self._scale.n_stft, audio.shape[-1]))
        speed, loss = np.zeros_like(found), np.inf
        columns = wanted.size // wanted.shape[-2]
        for _ in range(self.max_iter):
            error = bank.T @ found - wanted
            before, loss = loss, (error**2).sum() / columns
            if loss < self.tolerance_loss or abs(before - loss) < self.tolerance_change:
                break
            speed = self.sgd_momentum * speed + bank @ error * (2 / columns)
            found = np.maximum(found - self.sgd_lr * speed, 0)
        return like(found, audio)


def _keywords(
    owner: Any, name: str, given: dict[str, Any] | None, defaults: dict[str, Any]
) -> dict[str, Any]:
    """Keyword arguments in a dict, with defaults for those that lack."""
    keywords: dict[str, Any] = check.instance(owner, name, {} if given is None else given, dict)
    unknown = sorted(set(keywords) - set(defaults), key=str)
    if unknown:
        raise check.fail(
            ValueError, owner, name, f"a dict with keys of {sorted(defaults)}", unknown
        )
    return {**defaults, **keywords}


def _defaults_of(kind: type[AudioOperation]) -> dict[str, Any]:
    """The defaults of a transform's arguments, without the sample rate."""
    parameters = inspect.signature(kind).parameters.values()
    return {p.name: p.default for p in parameters if p.name != "sample_rate"}


def _one_sided(owner: Any, onesided: bool) -> None:
    if check.boolean(owner, "onesided", onesided) is False:
        raise check.fail(
            PipelineError,
            owner,
            "onesided",
            "True, as filters end at half the sample rate",
            onesided,
        )


class MelSpectrogram(AudioOperation):
    """Mel spectrogram (..., mel, frame) of a signal: Spectrogram, then MelScale.

    Args:
        sample_rate, f_min, f_max, n_mels, norm, mel_scale: As for MelScale, whose `mel_type` is
            `mel_scale`.
        n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided: As for
            Spectrogram.

    Examples:
        >>> audio.MelSpectrogram(n_fft=40, n_mels=8)(np.zeros(100, np.float32)).shape
        (8, 6)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ):
        self.sample_rate = count(self, "sample_rate", sample_rate)
        check.floating(self, "f_min", f_min, -(2.0**24), 2.0**24)
        check.optional(non_negative, self, "f_max", f_max)
        self.f_min, self.f_max = _band(self, f_min, f_max, sample_rate)
        self.n_mels = length(self, "n_mels", n_mels)
        self.power = positive(self, "power", power)
        self.norm = option(self, "norm", norm, NormType)
        self.mel_scale = option(self, "mel_scale", mel_scale, MelType)
        _one_sided(self, onesided)
        self._spectrogram = Spectrogram(
            n_fft,
            win_length,
            hop_length,
            pad,
            window,
            power,
            normalized,
            center,
            pad_mode,
            onesided,
        )

    def signal(self, audio: np.ndarray) -> np.ndarray:
        cut = self._spectrogram
        if cut.center and cut.n_fft // 2 >= audio.shape[-1] + 2 * cut.pad:
            raise PipelineError(
                f"For '{self.name}', the audio must have more samples than half of 'n_fft', {cut.n_fft}, but has "
                f"{audio.shape[-1]}."
            )
        spectrum = cut.signal(audio)
        bank = mel_filters(
            spectrum.shape[-2],
            self.f_min,
            self.f_max,
            self.n_mels,
            self.sample_rate,
            self.norm,
            self.mel_scale,
        )
        return _through(bank, spectrum)


class _Cepstrum(AudioOperation):
    """Cosine transform of a spectrogram in decibels, or in logarithms."""

    _spectrum: Callable[[np.ndarray], np.ndarray]
    _log: bool
    _matrix: np.ndarray

    def signal(self, audio: np.ndarray) -> np.ndarray:
        spectrum = self._spectrum(audio)
        if self._log:
            level = np.log(spectrum + 1e-6)
        else:
            level = AmplitudeToDB(ScaleType.POWER, 1.0, 1e-10, 80.0).signal(spectrum)
        return (self._matrix.T @ level).astype(np.float32)


def _type_two(owner: Any, dct_type: Any) -> int:
    if dct_type != 2:
        raise check.fail(ValueError, owner, "dct_type", "2", dct_type)
    return dct_type


class MFCC(_Cepstrum):
    """Mel-frequency cepstral coefficients (..., n_mfcc, frame) of a signal, as float32.

    Args:
        sample_rate: Samples per second.
        n_mfcc: Number of coefficients, at most as many as mels.
        dct_type: 2.
        norm: Scale of the cosine transform.
        log_mels: Whether to take logarithms instead of decibels.
        melkwargs: Arguments of MelSpectrogram.

    Examples:
        >>> audio.MFCC(n_mfcc=4)(np.zeros(800, np.float32)).shape
        (4, 5)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: dict[str, Any] | None = None,
    ):
        self.sample_rate = length(self, "sample_rate", sample_rate)
        self.n_mfcc = length(self, "n_mfcc", n_mfcc)
        self.dct_type = _type_two(self, dct_type)
        self.norm = option(self, "norm", norm, NormMode)
        self.log_mels = self._log = check.boolean(self, "log_mels", log_mels)
        given = _keywords(self, "melkwargs", melkwargs, _defaults_of(MelSpectrogram))
        mel = MelSpectrogram(sample_rate, **given)
        if n_mfcc > mel.n_mels:
            raise check.fail(ValueError, self, "n_mfcc", f"at most n_mels, {mel.n_mels}", n_mfcc)
        self._spectrum = mel.signal
        self._matrix = cosines(n_mfcc, mel.n_mels, norm)


class LFCC(_Cepstrum):
    """Linear-frequency cepstral coefficients (..., n_lfcc, frame) of a signal, as float32.

    Args:
        sample_rate: Samples per second.
        n_filter: Number of filters.
        n_lfcc: Number of coefficients.
        f_min, f_max: Band in Hz; default: up to half the sample rate.
        dct_type: 2.
        norm: Scale of the cosine transform.
        log_lf: Whether to take logarithms instead of decibels.
        speckwargs: Arguments of Spectrogram.

    Examples:
        >>> audio.LFCC(n_filter=8, n_lfcc=4)(np.zeros(800, np.float32)).shape
        (4, 5)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: dict[str, Any] | None = None,
    ):
        self.sample_rate = count(self, "sample_rate", sample_rate)
        self.n_filter = count(self, "n_filter", n_filter)
        self.n_lfcc = count(self, "n_lfcc", n_lfcc)
        non_negative(self, "f_min", f_min)
        check.optional(non_negative, self, "f_max", f_max)
        self.f_min, self.f_max = _band(self, f_min, f_max, sample_rate)
        self.dct_type = _type_two(self, dct_type)
        self.norm = option(self, "norm", norm, NormMode)
        self.log_lf = self._log = check.boolean(self, "log_lf", log_lf)
        given = _keywords(self, "speckwargs", speckwargs, _defaults_of(Spectrogram))
        _one_sided(self, given["onesided"])
        positive(self, "power", given["power"])
        spectrogram = Spectrogram(**given)
        if n_lfcc > spectrogram.n_fft:
            raise check.fail(
                ValueError, self, "n_lfcc", f"at most n_fft, {spectrogram.n_fft}", n_lfcc
            )
        bank = linear_filters(
            spectrogram.n_fft // 2 + 1, self.f_min, self.f_max, n_filter, sample_rate
        )
        self._spectrum = lambda audio: _through(bank, spectrogram.signal(audio))
        self._matrix = cosines(n_lfcc, n_filter, norm)
