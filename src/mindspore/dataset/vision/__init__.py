"""Transforms of images: `mindspore.dataset.vision`."""

from __future__ import annotations

from mindspore.dataset.transforms.compose import not_random
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
from mindspore.dataset.vision.color import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
    AdjustSharpness,
    AutoContrast,
    ConvertColor,
    Equalize,
    Erase,
    GaussianBlur,
    Grayscale,
    HsvToRgb,
    Invert,
    Posterize,
    RgbToHsv,
    Solarize,
)
from mindspore.dataset.vision.crops import (
    CutOut,
    RandomCrop,
    RandomCropDecodeResize,
    RandomErasing,
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
from mindspore.dataset.vision.geometry import (
    CenterCrop,
    Crop,
    FiveCrop,
    HorizontalFlip,
    Pad,
    PadToSize,
    Resize,
    ResizedCrop,
    SlicePatches,
    TenCrop,
    VerticalFlip,
)
from mindspore.dataset.vision.image import ImageOperation
from mindspore.dataset.vision.policies import (
    RandAugment,
    RandomSelectSubpolicy,
    TrivialAugmentWide,
    UniformAugment,
)
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
from mindspore.dataset.vision.warp import (
    Affine,
    Perspective,
    RandomAffine,
    RandomPerspective,
    RandomRotation,
    Rotate,
)

ImageTensorOperation = ImageOperation
