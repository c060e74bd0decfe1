"""Options of image transforms."""

from __future__ import annotations

from enum import Enum, IntEnum


class Inter(IntEnum):
    """How values between pixels are found.

    Attributes:
        NEAREST: The nearest pixel.
        ANTIALIAS: Weighted means over the area of a pixel (Lanczos).
        BILINEAR, LINEAR: Linear between four pixels.
        BICUBIC, CUBIC: Cubic between sixteen.
        AREA: The mean over the area of a pixel, where images become smaller.
        PILCUBIC: Cubic as PIL computes it, of uint8 (H, W, 3).

    Examples:
        >>> vision.Resize((2, 2), vision.Inter.NEAREST)(np.array([[1]], np.uint8)).tolist()
        [[1, 1], [1, 1]]
    """

    NEAREST = 0
    ANTIALIAS = 1  # PIL images only
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4  # arrays only
    PILCUBIC = 5  # arrays only: cubic as PIL computes it


class Border(str, Enum):  # noqa: UP042 - its members print as members, which a StrEnum's do not
    """What stands outside of an image.

    Examples:
        >>> vision.Pad(1, padding_mode=vision.Border.EDGE)(np.array([[1, 2]], np.uint8))[1].tolist()
        [1, 1, 2, 2]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"  # mirrored, the edge once
    SYMMETRIC = "symmetric"  # mirrored, the edge twice


class ConvertMode(IntEnum):
    """Changes of the channels for ConvertColor.

    Examples:
        >>> vision.ConvertMode.COLOR_RGB2GRAY.name
        'COLOR_RGB2GRAY'
    """

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(IntEnum):
    """Order of the axes of a batch of images.

    Examples:
        >>> [member.name for member in vision.ImageBatchFormat]
        ['NHWC', 'NCHW']
    """

    NHWC = 0
    NCHW = 1


class SliceMode(IntEnum):
    """What SlicePatches does with an image that cannot be divided evenly.

    Examples:
        >>> [member.name for member in vision.SliceMode]
        ['PAD', 'DROP']
    """

    PAD = 0
    DROP = 1


class ImageReadMode(IntEnum):
    """Channels that `read_image` gives.

    Examples:
        >>> [member.name for member in vision.ImageReadMode]
        ['UNCHANGED', 'GRAYSCALE', 'COLOR']
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class AutoAugmentPolicy(str, Enum):  # noqa: UP042 - as Border
    """Data set for which the policy of AutoAugment was found.

    Examples:
        >>> [member.name for member in vision.AutoAugmentPolicy]
        ['IMAGENET', 'CIFAR10', 'SVHN']
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"
