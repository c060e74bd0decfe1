"""Paths of 1.x: the two flavours of transforms, mixed as programs did."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
import mindspore.dataset.transforms.c_transforms as C2
import mindspore.dataset.vision.c_transforms as C
import mindspore.dataset.vision.py_transforms as P
from mindspore import dtype as mstype
from mindspore.dataset import vision
from mindspore.dataset.transforms import py_transforms
from mindspore.dataset.vision import Inter

IMAGE = np.random.default_rng(0).integers(0, 256, (40, 48, 3), np.uint8)


def encoded(count=3):
    return ds.GeneratorDataset(
        lambda: ((vision.encode_png(IMAGE), i) for i in range(count)), ["image", "label"]
    )


def test_a_pipeline_of_c_transforms():
    steps = [
        C.Decode(),
        C.Resize(32, Inter.LINEAR),
        C.CenterCrop(28),
        C.Normalize([120.0] * 3, [60.0] * 3),
        C.HWC2CHW(),
    ]
    data = encoded().map(operations=steps, input_columns="image", num_parallel_workers=2)
    data = data.map(operations=C2.TypeCast(mstype.int32), input_columns="label").batch(
        3, drop_remainder=True
    )
    image, label = next(data.create_tuple_iterator(output_numpy=True))
    assert image.shape == (3, 3, 28, 28)
    assert image.dtype == np.float32
    assert label.dtype == np.int32


def test_a_pipeline_of_py_transforms_normalises_planes():
    steps = [
        P.Decode(),
        P.Resize(32),
        P.CenterCrop(28),
        P.ToTensor(),
        P.Normalize([0.5] * 3, [0.25] * 3),
    ]
    whole = py_transforms.Compose(steps)
    picture = vision.Decode(to_pil=True)(vision.encode_png(IMAGE))
    wanted = vision.ToTensor()(vision.CenterCrop(28)(vision.Resize(32)(picture)))
    for operations in (whole, steps):
        image, _ = next(encoded().map(operations, "image").create_tuple_iterator(output_numpy=True))
        np.testing.assert_allclose(image, (wanted - 0.5) / 0.25, rtol=1e-5, atol=1e-5)


def test_both_flavours_mix():
    steps = [C.Decode(), P.ToPIL(), P.RandomHorizontalFlip(1.0), P.ToTensor(), P.HWC2CHW()]
    image, _ = next(encoded().map(steps[:-1], "image").create_tuple_iterator(output_numpy=True))
    np.testing.assert_allclose(image, IMAGE[:, ::-1].transpose(2, 0, 1) / 255, atol=1e-6)


def test_names_that_only_1_x_had():
    assert P.is_pil(P.ToPIL()(IMAGE))
    assert (C.RgbToBgr()(IMAGE) == IMAGE[..., ::-1]).all()
    assert P.Cutout(4)(P.ToTensor()(IMAGE)).shape == (3, 40, 48)
    assert py_transforms.OneHotOp(3)(np.array(1)).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="RgbToBgr"):
        C.Decode(rgb=False)
