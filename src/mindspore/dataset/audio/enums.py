"""Options of audio transforms."""

from __future__ import annotations

from enum import Enum


class BorderType(str, Enum):  # noqa: UP042 - members print as members, which a StrEnum's do not
    """What stands outside of a signal."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"  # mirrored, the edge once
    SYMMETRIC = "symmetric"  # mirrored, the edge twice


class DensityFunction(str, Enum):  # noqa: UP042 - as above, here and below
    """Distribution of the noise of Dither."""

    TPDF = "TPDF"  # triangular
    RPDF = "RPDF"  # rectangular
    GPDF = "GPDF"  # Gaussian


class FadeShape(str, Enum):  # noqa: UP042
    """Curve of Fade."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):  # noqa: UP042
    """Unit of the gain of Vol."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):  # noqa: UP042
    """How Flanger reads between samples."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):  # noqa: UP042
    """Formula of the mel scale."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):  # noqa: UP042
    """Wave that moves the delay of Flanger."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):  # noqa: UP042
    """Scale of a cosine transform."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):  # noqa: UP042
    """Scale of mel filters."""

    SLANEY = "slaney"  # each filter has the same area
    NONE = "none"


class ResampleMethod(str, Enum):  # noqa: UP042
    """Window of the filter of Resample."""

    SINC_INTERPOLATION = "sinc_interpolation"  # Hann
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):  # noqa: UP042
    """What AmplitudeToDB takes its input for."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):  # noqa: UP042
    """Window of a short-time Fourier transform."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
