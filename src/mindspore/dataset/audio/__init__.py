"""Transforms of audio: `mindspore.dataset.audio`.

Written on NumPy and SciPy. Padding, norms, defaults and edge cases are the original's, from which librosa differs;
torchaudio computes most of them alike, but would tie the version of torch.
"""

from __future__ import annotations

from mindspore.dataset.audio.banks import create_dct, linear_fbanks, melscale_fbanks
from mindspore.dataset.audio.biquads import (
    AllpassBiquad,
    BandBiquad,
    BandpassBiquad,
    BandrejectBiquad,
    BassBiquad,
    Biquad,
    DeemphBiquad,
    EqualizerBiquad,
    HighpassBiquad,
    LowpassBiquad,
    RiaaBiquad,
    TrebleBiquad,
)
from mindspore.dataset.audio.cepstra import LFCC, MFCC, InverseMelScale, MelScale, MelSpectrogram
from mindspore.dataset.audio.effects import Flanger, Overdrive, Phaser
from mindspore.dataset.audio.enums import (
    BorderType,
    DensityFunction,
    FadeShape,
    GainType,
    Interpolation,
    MelType,
    Modulation,
    NormMode,
    NormType,
    ResampleMethod,
    ScaleType,
    WindowType,
)
from mindspore.dataset.audio.features import ComputeDeltas, DetectPitchFrequency, SlidingWindowCmn
from mindspore.dataset.audio.filters import Filtfilt, LFilter
from mindspore.dataset.audio.levels import (
    AmplitudeToDB,
    Contrast,
    DBToAmplitude,
    DCShift,
    Dither,
    Fade,
    Gain,
    MuLawDecoding,
    MuLawEncoding,
    Vol,
)
from mindspore.dataset.audio.masks import (
    FrequencyMasking,
    MaskAlongAxis,
    MaskAlongAxisIID,
    TimeMasking,
)
from mindspore.dataset.audio.resample import PitchShift, Resample
from mindspore.dataset.audio.signal import AudioOperation
from mindspore.dataset.audio.spectra import (
    Angle,
    ComplexNorm,
    GriffinLim,
    InverseSpectrogram,
    Magphase,
    PhaseVocoder,
    SpectralCentroid,
    Spectrogram,
    TimeStretch,
)
from mindspore.dataset.audio.vad import Vad
from mindspore.dataset.sources.recordings import read_audio

AudioTensorOperation = AudioOperation

__all__ = [
    "AllpassBiquad",
    "AmplitudeToDB",
    "Angle",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "BorderType",
    "ComplexNorm",
    "ComputeDeltas",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "DeemphBiquad",
    "DensityFunction",
    "DetectPitchFrequency",
    "Dither",
    "EqualizerBiquad",
    "Fade",
    "FadeShape",
    "Filtfilt",
    "Flanger",
    "FrequencyMasking",
    "Gain",
    "GainType",
    "GriffinLim",
    "HighpassBiquad",
    "Interpolation",
    "InverseMelScale",
    "InverseSpectrogram",
    "LFCC",
    "LFilter",
    "LowpassBiquad",
    "MFCC",
    "Magphase",
    "MaskAlongAxis",
    "MaskAlongAxisIID",
    "MelScale",
    "MelSpectrogram",
    "MelType",
    "Modulation",
    "MuLawDecoding",
    "MuLawEncoding",
    "NormMode",
    "NormType",
    "Overdrive",
    "PhaseVocoder",
    "Phaser",
    "PitchShift",
    "Resample",
    "ResampleMethod",
    "RiaaBiquad",
    "ScaleType",
    "SlidingWindowCmn",
    "SpectralCentroid",
    "Spectrogram",
    "TimeMasking",
    "TimeStretch",
    "TrebleBiquad",
    "Vad",
    "Vol",
    "WindowType",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
    "read_audio",
]
