"""Operations of pipelines in the words of MindSpore's native readers, as files of models hold them."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.core.dtype import DType
from mindspore.dataset._given import given, signature_of
from mindspore.dataset.transforms.base import TensorOperation

# A class, the name that the file has for it if that differs, and the parameters: each with the kind that says how its
# argument is written (see _KINDS), and after a "<" the name of the argument if that differs. "@" says that the file
# names the device, too.
_ROWS = """
AdjustBrightness             @ brightness_factor:f
AdjustContrast               @ contrast_factor:f
AdjustGamma                    gain:f gamma:f
AdjustHue                    @ hue_factor:f
AdjustSaturation             @ saturation_factor:f
AdjustSharpness              @ sharpness_factor:f
Affine                       @ degrees:f fill_value:fill resample:inter scale:f shear:slope translate:f
AutoAugment                    fill_value:fill interpolation:inter policy:policy
AutoContrast                 @ cutoff:f ignore:list
BoundingBoxAugment             ratio:f transform:operation
CenterCrop                     size:pair
ConvertColor                 @ convert_mode:plain
Crop                         @ coordinates:turned size:pair
CutMixBatch                    alpha:f image_batch_format:plain prob:f
CutOut                         is_hwc:plain length:plain num_patches:plain
Equalize                     @
Erase                        @ height:plain inplace:plain left:plain top:plain value:floats width:plain
GaussianBlur                 @ kernel_size:list sigma:floats
HorizontalFlip               @
HWC2CHW=HwcToChw
Invert                       @
MixUpBatch                     alpha:f
Normalize                    @ is_hwc:plain mean:f std:f
NormalizePad                   dtype:plain is_hwc:plain mean:f std:f
Pad                          @ fill_value:fill padding:sides padding_mode:border
PadToSize                      fill_value:fill offset:list padding_mode:border size:pair
Perspective                  @ end_points:plain interpolation:inter start_points:plain
Posterize                    @ bits:plain
RandAugment          fill_value:fill interpolation:inter magnitude:plain num_magnitude_bins:plain num_ops:plain
RandomAdjustSharpness          degree:f prob:f
RandomAffine                   degrees:around fill_value:fill resample:inter scale:ones shear:shears translate:moves
RandomAutoContrast             cutoff:f ignore:list prob:f
RandomColor                    degrees:f
RandomColorAdjust              brightness:near contrast:near hue:around saturation:near
RandomCrop                     fill_value:fill pad_if_needed:plain padding:sides padding_mode:border size:pair
RandomCropDecodeResize         interpolation:inter max_attempts:plain ratio:f scale:f size:pair
RandomCropWithBBox             fill_value:fill pad_if_needed:plain padding:sides padding_mode:border size:pair
RandomEqualize                 prob:f
RandomHorizontalFlip           prob:f
RandomHorizontalFlipWithBBox   prob:f
RandomInvert                   prob:f
RandomLighting                 alpha:f
RandomPosterize                bits:pair
RandomResize                   size:list
RandomResizedCrop              interpolation:inter max_attempts:plain ratio:f scale:f size:pair
RandomResizedCropWithBBox      interpolation:inter max_attempts:plain ratio:f scale:f size:pair
RandomResizeWithBBox           size:list
RandomRotation                 center:points degrees:around expand:plain fill_value:fill resample:inter
RandomSelectSubpolicy          policy:policies
RandomSharpness                degrees:f
RandomSolarize                 threshold:plain
RandomVerticalFlip             prob:f
RandomVerticalFlipWithBBox     prob:f
Rescale                        rescale:f shift:f
Resize                       @ interpolation:inter size:list
ResizedCrop                  @ height:plain interpolation:inter left:plain size:pair top:plain width:plain
ResizeWithBBox                 interpolation:inter size:list
Rotate                       @ center:points degree:f<degrees expand:plain fill_value:fill resample:inter
SlicePatches                   fill_value:plain num_height:plain num_width:plain slice_mode:plain
Solarize                     @ threshold:both
ToTensor                       output_type:type
ToType=TypeCast                data_type:type
TrivialAugmentWide             fill_value:fill interpolation:inter num_magnitude_bins:plain
UniformAugment                 num_ops:plain transforms:operations
VerticalFlip                 @
Duplicate
Mask                           constant:tensor dtype:number op:relation<operator
OneHot                         num_classes:plain smoothing_rate:plain
PadEnd                         pad_shape:extents pad_value:tensor
RandomApply                    prob:plain transforms:operations
RandomChoice                   transforms:operations
TypeCast                       data_type:type
Unique
"""
_INTERPOLATIONS = {"BILINEAR": 0, "NEAREST": 1, "BICUBIC": 2, "AREA": 3, "PILCUBIC": 4}
_BORDERS = ["CONSTANT", "EDGE", "REFLECT", "SYMMETRIC"]
_POLICIES = ["IMAGENET", "CIFAR10", "SVHN"]
_RELATIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]
_TYPES = ["", "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "string"]


class _Unsayable(Exception):
    """What a native reader has no word for."""


def native_operation(operation: Any) -> dict[str, Any] | None:
    """An operation as a native reader takes it: a name and parameters, of plain values; None if it has no word for it.

    Numbers that it holds in single precision have the values that they have there.
    """
    try:
        return _operation(operation)
    except _Unsayable:
        return None


def _operation(operation: Any) -> dict[str, Any]:
    own = type(operation).__name__
    if own == "Decode" and isinstance(operation, TensorOperation) and not operation_arguments(operation)["to_pil"]:
        return {"tensor_op_name": "Decode", "tensor_op_params": {"device_target": "CPU", "rgb": True}}
    if own == "Fill" and isinstance(operation, TensorOperation):
        return {"tensor_op_name": "Fill", "tensor_op_params": _tensor(operation_arguments(operation)["fill_value"])}
    if own not in _TABLE or not isinstance(operation, TensorOperation):
        raise _Unsayable
    name, device, parameters = _TABLE[own]
    arguments = operation_arguments(operation)
    values = {key: _KINDS[kind](arguments[argument]) for key, kind, argument in parameters}
    if device:
        values["device_target"] = "CPU"
    return {"tensor_op_name": name, "tensor_op_params": dict(sorted(values.items())) or None}


def operation_arguments(operation: Any) -> dict[str, Any]:
    """What an operation was made with, defaults included, by name."""
    defaults = {name: p.default for name, p in signature_of(type(operation)).parameters.items()
                if p.default is not inspect.Parameter.empty}
    return defaults | given(operation)


def _plain(value: Any) -> Any:
    """Numbers and texts, in lists where they stood in sequences; the number of a member of an enumeration."""
    if isinstance(value, enum.Enum):
        return int(value.value)
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value


def _single(value: Any) -> Any:
    """Numbers rounded to single precision."""
    value = _plain(value)
    return [_single(v) for v in value] if isinstance(value, list) else float(np.float32(value))


def _listed(value: Any) -> list[Any]:
    value = _plain(value)
    return value if isinstance(value, list) else [] if value is None else [value]


def _sides(value: Any) -> list[Any]:
    """Widths on the left, top, right and bottom."""
    found = _listed(0 if value is None else value)
    return found * (4 // len(found))


def _around(value: Any) -> Any:
    """A range; a number alone is as far below zero as above."""
    return _single(value if isinstance(value, list | tuple) else (-value, value))


def _near(value: Any) -> Any:
    """A range of factors; a number alone says how far from one they may be."""
    return _single(value if isinstance(value, list | tuple) else (max(0, 1 - value), 1 + value))


def _shears(value: Any) -> Any:
    found = _around((0, 0) if value is None else value)
    return found + [0.0] * (4 - len(found))


def _named(names: list[str], value: Any) -> int:
    return names.index(value.name)


def _interpolation(value: Any) -> int:
    if value.name not in _INTERPOLATIONS:      # of PIL images only
        raise _Unsayable
    return _INTERPOLATIONS[value.name]


def _type(value: Any) -> str:
    """The name of a type, given as one of ours, of NumPy or of Python."""
    if isinstance(value, DType):
        return "bool" if value.name == "bool_" else value.name
    found = np.dtype(value)
    return "string" if found.kind == "U" else found.name


def _tensor(value: Any) -> dict[str, Any]:
    """A number or text as a tensor without dimensions."""
    kind = {bool: "bool", int: "int64", float: "float64", str: "string", bytes: "bytes"}.get(type(value))
    if kind is None:
        raise _Unsayable
    return {"data": [value.decode() if isinstance(value, bytes) else value], "shape": [], "type": kind}


def _policies(value: Any) -> list[Any]:
    return [[{"prob": float(prob), "tensor_op": _operation(op)} for op, prob in policy] for policy in value]


_KINDS: dict[str, Callable[[Any], Any]] = {
    "plain": _plain, "list": _listed, "f": _single, "floats": lambda v: _single(_listed(0 if v is None else v)),
    "pair": lambda v: _listed(v) * (2 // len(_listed(v))),
    "both": lambda v: _single(_listed(v)) * (2 // len(_listed(v))),
    "fill": lambda v: _listed(v) * (3 // len(_listed(v))),
    "sides": _sides, "turned": lambda v: _plain(v)[::-1],
    "inter": _interpolation, "border": lambda v: _named(_BORDERS, v), "policy": lambda v: _named(_POLICIES, v),
    "slope": lambda v: _single(_listed(v)) + [0.0] * (2 - len(_listed(v))), "around": _around, "near": _near,
    "shears": _shears, "ones": lambda v: _single((1, 1) if v is None else v),
    "moves": lambda v: _single((0, 0, 0, 0) if v is None else v), "points": lambda v: _single(_listed(v)),
    "extents": lambda v: [-1 if n is None else n for n in v], "type": _type, "number": lambda v: _TYPES.index(_type(v)),
    "tensor": _tensor, "relation": lambda v: _named(_RELATIONS, v),
    "operation": _operation, "operations": lambda v: [_operation(op) for op in v], "policies": _policies,
}


def _table() -> dict[str, tuple[str, bool, list[tuple[str, str, str]]]]:
    found = {}
    for row in _ROWS.strip().splitlines():
        head, *rest = row.split()
        own, _, name = head.partition("=")
        parameters = []
        for item in rest:
            if item != "@":
                key, _, kind = item.partition(":")
                kind, _, argument = kind.partition("<")
                parameters.append((key, kind, argument or key))
        found[own] = (name or own, "@" in rest, parameters)
    return found


_TABLE = _table()
