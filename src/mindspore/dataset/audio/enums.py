"""Options of audio transforms."""
# ruff: noqa: UP042  # members print as members, which a StrEnum's do not

from __future__ import annotations

from enum import Enum


class BorderType(str, Enum):
    """What stands outside of a signal.

    Examples:
        >>> [member.name for member in audio.BorderType]
        ['CONSTANT', 'EDGE', 'REFLECT', 'SYMMETRIC']
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"  # mirrored, the edge once
    SYMMETRIC = "symmetric"  # mirrored, the edge twice


class DensityFunction(str, Enum):
    """Distribution of the noise of Dither.

    Examples:
        >>> [member.name for member in audio.DensityFunction]
        ['TPDF', 'RPDF', 'GPDF']
    """

    TPDF = "TPDF"  # triangular
    RPDF = "RPDF"  # rectangular
    GPDF = "GPDF"  # Gaussian


class FadeShape(str, Enum):
    """Curve of Fade.

    Examples:
        >>> [member.name for member in audio.FadeShape]
        ['QUARTER_SINE', 'HALF_SINE', 'LINEAR', 'LOGARITHMIC', 'EXPONENTIAL']
    """

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):
    """Unit of the gain of Vol.

    Examples:
        >>> [member.name for member in audio.GainType]
        ['AMPLITUDE', 'POWER', 'DB']
    """

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):
    """How Flanger reads between samples.

    Examples:
        >>> [member.name for member in audio.Interpolation]
        ['LINEAR', 'QUADRATIC']
    """

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):
    """Formula of the mel scale.

    Examples:
        >>> [member.name for member in audio.MelType]
        ['HTK', 'SLANEY']
    """

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):
    """Wave that moves the delay of Flanger.

    Examples:
        >>> [member.name for member in audio.Modulation]
        ['SINUSOIDAL', 'TRIANGULAR']
    """

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):
    """Scale of a cosine transform.

    Examples:
        >>> [member.name for member in audio.NormMode]
        ['ORTHO', 'NONE']
    """

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):
    """Scale of mel filters.

    Examples:
        >>> [member.name for member in audio.NormType]
        ['SLANEY', 'NONE']
    """

    SLANEY = "slaney"  # each filter has the same area
    NONE = "none"


class ResampleMethod(str, Enum):
    """Window of the filter of Resample.

    Examples:
        >>> [member.name for member in audio.ResampleMethod]
        ['SINC_INTERPOLATION', 'KAISER_WINDOW']
    """

    SINC_INTERPOLATION = "sinc_interpolation"  # Hann
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):
    """What AmplitudeToDB takes its input for.

    Examples:
        >>> [member.name for member in audio.ScaleType]
        ['POWER', 'MAGNITUDE']
    """

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):
    """Window of a short-time Fourier transform.

    Examples:
        >>> [member.name for member in audio.WindowType]
        ['BARTLETT', 'BLACKMAN', 'HAMMING', 'HANN', 'KAISER']
    """

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
