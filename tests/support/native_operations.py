"""Operations of pipelines as texts, with what MindSpore 2.10 (CPU) wrote of each in a file of a model (observed)."""
from __future__ import annotations

import json

# What `dataset.map` gets, in the names of mindspore.dataset, and the parameters in the file.
SAYABLE = {
    "vision.Decode()": '{"device_target": "CPU", "rgb": true}',
    "vision.AdjustGamma(0.5, 2.0)": '{"gain": 2.0, "gamma": 0.5}',
    "vision.AdjustHue(0.2)": '{"device_target": "CPU", "hue_factor": 0.20000000298023224}',
    "vision.Affine(15, [0.2, 0.2], 1.1, 10.0)":
        '{"degrees": 15.0, "device_target": "CPU", "fill_value": [0, 0, 0], "resample": 1, "scale": 1.100000023841858, '
        '"shear": [10.0, 0.0], "translate": [0.20000000298023224, 0.20000000298023224]}',
    "vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10, vision.Inter.BICUBIC, (1, 2, 3))":
        '{"fill_value": [1, 2, 3], "interpolation": 2, "policy": 1}',
    "vision.AutoContrast()": '{"cutoff": 0.0, "device_target": "CPU", "ignore": []}',
    "vision.BoundingBoxAugment(vision.RandomHorizontalFlip(1.0), 0.3)":
        '{"ratio": 0.30000001192092896, "transform": {"tensor_op_name": "RandomHorizontalFlip", '
        '"tensor_op_params": {"prob": 1.0}}}',
    "vision.CenterCrop(5)": '{"size": [5, 5]}',
    "vision.ConvertColor(vision.ConvertMode.COLOR_BGR2RGB)": '{"convert_mode": 4, "device_target": "CPU"}',
    "vision.Crop((3, 1), 5)": '{"coordinates": [1, 3], "device_target": "CPU", "size": [5, 5]}',
    "vision.CutMixBatch(vision.ImageBatchFormat.NCHW, 1.0, 0.5)":
        '{"alpha": 1.0, "image_batch_format": 1, "prob": 0.5}',
    "vision.CutOut(8, 3)": '{"is_hwc": true, "length": 8, "num_patches": 3}',
    "vision.Equalize()": '{"device_target": "CPU"}',
    "vision.Erase(1, 2, 3, 4, (1, 2, 3), True)":
        '{"device_target": "CPU", "height": 3, "inplace": true, "left": 2, "top": 1, "value": [1.0, 2.0, 3.0], '
        '"width": 4}',
    "vision.GaussianBlur(3)": '{"device_target": "CPU", "kernel_size": [3], "sigma": [0.0]}',
    "vision.HWC2CHW()": "null",
    "vision.Normalize([.1, .2, .3], [.4, .5, .6], False)":
        '{"device_target": "CPU", "is_hwc": false, "mean": [0.10000000149011612, 0.20000000298023224, '
        '0.30000001192092896], "std": [0.4000000059604645, 0.5, 0.6000000238418579]}',
    "vision.Pad([1, 2])":
        '{"device_target": "CPU", "fill_value": [0, 0, 0], "padding": [1, 2, 1, 2], "padding_mode": 0}',
    "vision.PadToSize([20, 30], [1, 2], 7, vision.Border.REFLECT)":
        '{"fill_value": [7, 7, 7], "offset": [1, 2], "padding_mode": 2, "size": [20, 30]}',
    "vision.Perspective([[0, 0], [9, 0], [9, 9], [0, 9]], [[1, 1], [8, 0], [9, 9], [0, 9]], vision.Inter.BILINEAR)":
        '{"device_target": "CPU", "end_points": [[1, 1], [8, 0], [9, 9], [0, 9]], "interpolation": 0, '
        '"start_points": [[0, 0], [9, 0], [9, 9], [0, 9]]}',
    "vision.RandomAffine(15)":
        '{"degrees": [-15.0, 15.0], "fill_value": [0, 0, 0], "resample": 1, "scale": [1.0, 1.0], '
        '"shear": [0.0, 0.0, 0.0, 0.0], "translate": [0.0, 0.0, 0.0, 0.0]}',
    "vision.RandomAffine((1, 2), (-0.5, 0.5, 0, 0.25), (0.5, 0.75), 3, vision.Inter.BICUBIC, (1, 2, 3))":
        '{"degrees": [1.0, 2.0], "fill_value": [1, 2, 3], "resample": 2, "scale": [0.5, 0.75], '
        '"shear": [-3.0, 3.0, 0.0, 0.0], "translate": [-0.5, 0.5, 0.0, 0.25]}',
    "vision.RandomColorAdjust(0.25, 1.5, (0.5, 1), 0.1)":
        '{"brightness": [0.75, 1.25], "contrast": [0.0, 2.5], "hue": [-0.10000000149011612, 0.10000000149011612], '
        '"saturation": [0.5, 1.0]}',
    "vision.RandomCrop((8, 9), (1, 2, 3, 4), True, (1, 2, 3), vision.Border.SYMMETRIC)":
        '{"fill_value": [1, 2, 3], "pad_if_needed": true, "padding": [1, 2, 3, 4], "padding_mode": 3, "size": [8, 9]}',
    "vision.RandomCropDecodeResize(8)":
        '{"interpolation": 0, "max_attempts": 10, "ratio": [0.75, 1.3333333730697632], '
        '"scale": [0.07999999821186066, 1.0], "size": [8, 8]}',
    "vision.RandomHorizontalFlip()": '{"prob": 0.5}',
    "vision.RandomPosterize(3)": '{"bits": [3, 3]}',
    "vision.RandomRotation(30.)":
        '{"center": [], "degrees": [-30.0, 30.0], "expand": false, "fill_value": [0, 0, 0], "resample": 1}',
    "vision.RandomSelectSubpolicy([[(vision.RandomVerticalFlip(), 1)], [(vision.HWC2CHW(), 0.3)]])":
        '{"policy": [[{"prob": 1.0, "tensor_op": {"tensor_op_name": "RandomVerticalFlip", "tensor_op_params": '
        '{"prob": 0.5}}}], [{"prob": 0.3, "tensor_op": {"tensor_op_name": "HwcToChw", "tensor_op_params": null}}]]}',
    "vision.Rescale(1 / 255., 0.5)": '{"rescale": 0.003921568859368563, "shift": 0.5}',
    "vision.Resize(8)": '{"device_target": "CPU", "interpolation": 0, "size": [8]}',
    "vision.Resize((8, 9), vision.Inter.PILCUBIC)": '{"device_target": "CPU", "interpolation": 4, "size": [8, 9]}',
    "vision.ResizedCrop(1, 2, 8, 9, 5)":
        '{"device_target": "CPU", "height": 8, "interpolation": 0, "left": 2, "size": [5, 5], "top": 1, "width": 9}',
    "vision.Rotate(30, vision.Inter.BILINEAR, True, (3, 4), 4)":
        '{"center": [3.0, 4.0], "degree": 30.0, "device_target": "CPU", "expand": true, "fill_value": [4, 4, 4], '
        '"resample": 0}',
    "vision.SlicePatches(2, 3, vision.SliceMode.DROP, 7)":
        '{"fill_value": 7, "num_height": 2, "num_width": 3, "slice_mode": 1}',
    "vision.Solarize(3.0)": '{"device_target": "CPU", "threshold": [3.0, 3.0]}',
    "vision.ToTensor()": '{"output_type": "float32"}',
    "vision.UniformAugment([vision.RandomHorizontalFlip(0.5), vision.Invert()], 1)":
        '{"num_ops": 1, "transforms": [{"tensor_op_name": "RandomHorizontalFlip", "tensor_op_params": {"prob": 0.5}}, '
        '{"tensor_op_name": "Invert", "tensor_op_params": {"device_target": "CPU"}}]}',
    "transforms.Duplicate()": "null",
    "transforms.Fill(3)": '{"data": [3], "shape": [], "type": "int64"}',
    "transforms.Mask(transforms.Relational.GT, 3.5)":
        '{"constant": {"data": [3.5], "shape": [], "type": "float64"}, "dtype": 1, "op": 4}',
    "transforms.OneHot(5, 0.1)": '{"num_classes": 5, "smoothing_rate": 0.1}',
    "transforms.PadEnd([None, 5], 0.5)":
        '{"pad_shape": [-1, 5], "pad_value": {"data": [0.5], "shape": [], "type": "float64"}}',
    "transforms.RandomApply([vision.Invert()], 0.3)":
        '{"prob": 0.3, "transforms": [{"tensor_op_name": "Invert", "tensor_op_params": {"device_target": "CPU"}}]}',
    "transforms.TypeCast(int)": '{"data_type": "int64"}',
}
NAMES = {"vision.HWC2CHW": "HwcToChw"}      # where the file has another one
UNSAYABLE = ["vision.Grayscale()", "vision.ToPIL()", "vision.Decode(True)", "vision.Resize(8, vision.Inter.ANTIALIAS)"]


def in_the_file(text):
    """What the file has for an operation."""
    called = text.partition("(")[0]
    return {"tensor_op_name": NAMES.get(called, called.partition(".")[2]),
            "tensor_op_params": json.loads(SAYABLE[text])}
