"""Transforms of images: `mindspore.dataset.vision`."""

from __future__ import annotations

from typing import Any as _Any

from mindspore.dataset import transforms as _transforms
from mindspore.dataset.vision.adjustments import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
)
from mindspore.dataset.vision.batches import CutMixBatch, MixUp, MixUpBatch
from mindspore.dataset.vision.boxes import (
    BoundingBoxAugment,
    RandomCropWithBBox,
    RandomHorizontalFlipWithBBox,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomVerticalFlipWithBBox,
    ResizeWithBBox,
)
from mindspore.dataset.vision.chance import (
    RandomAdjustSharpness,
    RandomAutoContrast,
    RandomColor,
    RandomColorAdjust,
    RandomEqualize,
    RandomGrayscale,
    RandomHorizontalFlip,
    RandomInvert,
    RandomLighting,
    RandomPosterize,
    RandomSharpness,
    RandomSolarize,
    RandomVerticalFlip,
)
from mindspore.dataset.vision.codecs import (
    Decode,
    encode_jpeg,
    encode_png,
    get_image_num_channels,
    get_image_size,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)
from mindspore.dataset.vision.color import ConvertColor, Grayscale, HsvToRgb, RgbToHsv
from mindspore.dataset.vision.crops import (
    RandomCrop,
    RandomCropDecodeResize,
    RandomResize,
    RandomResizedCrop,
)
from mindspore.dataset.vision.enums import (
    AutoAugmentPolicy,
    Border,
    ConvertMode,
    ImageBatchFormat,
    ImageReadMode,
    Inter,
    SliceMode,
)
from mindspore.dataset.vision.erasing import CutOut, Erase, RandomErasing
from mindspore.dataset.vision.geometry import (
    CenterCrop,
    Crop,
    FiveCrop,
    HorizontalFlip,
    Resize,
    ResizedCrop,
    SlicePatches,
    TenCrop,
    VerticalFlip,
)
from mindspore.dataset.vision.image import ImageOperation
from mindspore.dataset.vision.padding import Pad, PadToSize
from mindspore.dataset.vision.perspective import Perspective, RandomPerspective
from mindspore.dataset.vision.policies import (
    AutoAugment,
    RandAugment,
    RandomSelectSubpolicy,
    TrivialAugmentWide,
    UniformAugment,
)
from mindspore.dataset.vision.sharpness import AdjustSharpness, GaussianBlur
from mindspore.dataset.vision.tones import AutoContrast, Equalize, Invert, Posterize, Solarize
from mindspore.dataset.vision.values import (
    HWC2CHW,
    LinearTransformation,
    Normalize,
    NormalizePad,
    Rescale,
    ToNumpy,
    ToPIL,
    ToTensor,
    ToType,
)
from mindspore.dataset.vision.video import (
    DecodeVideo,
    VideoDecoder,
    read_video,
    read_video_timestamps,
)
from mindspore.dataset.vision.warp import Affine, RandomAffine, RandomRotation, Rotate

ImageTensorOperation = ImageOperation

__all__ = [
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "Affine",
    "AutoAugment",
    "AutoAugmentPolicy",
    "AutoContrast",
    "Border",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "ConvertMode",
    "Crop",
    "CutMixBatch",
    "CutOut",
    "Decode",
    "DecodeVideo",
    "Equalize",
    "Erase",
    "FiveCrop",
    "GaussianBlur",
    "Grayscale",
    "HWC2CHW",
    "HorizontalFlip",
    "HsvToRgb",
    "ImageBatchFormat",
    "ImageOperation",
    "ImageReadMode",
    "ImageTensorOperation",
    "Inter",
    "Invert",
    "LinearTransformation",
    "MixUp",
    "MixUpBatch",
    "Normalize",
    "NormalizePad",
    "Pad",
    "PadToSize",
    "Perspective",
    "Posterize",
    "RandAugment",
    "RandomAdjustSharpness",
    "RandomAffine",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomCropWithBBox",
    "RandomEqualize",
    "RandomErasing",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox",
    "RandomInvert",
    "RandomLighting",
    "RandomPerspective",
    "RandomPosterize",
    "RandomResize",
    "RandomResizeWithBBox",
    "RandomResizedCrop",
    "RandomResizedCropWithBBox",
    "RandomRotation",
    "RandomSelectSubpolicy",
    "RandomSharpness",
    "RandomSolarize",
    "RandomVerticalFlip",
    "RandomVerticalFlipWithBBox",
    "Rescale",
    "Resize",
    "ResizeWithBBox",
    "ResizedCrop",
    "RgbToHsv",
    "Rotate",
    "SliceMode",
    "SlicePatches",
    "Solarize",
    "TenCrop",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "TrivialAugmentWide",
    "UniformAugment",
    "VerticalFlip",
    "VideoDecoder",
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "not_random",
    "read_file",
    "read_image",
    "read_video",
    "read_video_timestamps",
    "write_file",
    "write_jpeg",
    "write_png",
]


def not_random(func: _Any) -> _Any:
    """Mark a function as giving equal results for equal inputs.

    Args:
        func: The function, whose attribute `random` becomes False.

    Returns:
        The function.

    Examples:
        >>> @vision.not_random
        ... def double(image):
        ...     return image * 2
        >>> double.random
        False
    """
    return _transforms.not_random(func)
