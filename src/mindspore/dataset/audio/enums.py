"""Options of audio transforms."""
# ruff: noqa: UP042  # members print as members, which a StrEnum's do not

from __future__ import annotations

from enum import Enum


class BorderType(str, Enum):
    """What stands outside of a signal."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"  # mirrored, the edge once
    SYMMETRIC = "symmetric"  # mirrored, the edge twice


class DensityFunction(str, Enum):
    """Distribution of the noise of Dither."""

    TPDF = "TPDF"  # triangular
    RPDF = "RPDF"  # rectangular
    GPDF = "GPDF"  # Gaussian


class FadeShape(str, Enum):
    """Curve of Fade."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):
    """Unit of the gain of Vol."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):
    """How Flanger reads between samples."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):
    """Formula of the mel scale."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):
    """Wave that moves the delay of Flanger."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):
    """Scale of a cosine transform."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):
    """Scale of mel filters."""

    SLANEY = "slaney"  # each filter has the same area
    NONE = "none"


class ResampleMethod(str, Enum):
    """Window of the filter of Resample."""

    SINC_INTERPOLATION = "sinc_interpolation"  # Hann
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):
    """What AmplitudeToDB takes its input for."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):
    """Window of a short-time Fourier transform."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
