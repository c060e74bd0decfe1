from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision


def test_statistics_and_layout(image, picture, close):
    mean, std = [120.0, 110.0, 100.0], [70.0, 60.0, 50.0]
    wanted = (image - np.array(mean)) / std
    np.testing.assert_allclose(vision.Normalize(mean, std)(image), wanted, atol=1e-5)
    planes = image.transpose(2, 0, 1)
    np.testing.assert_allclose(
        vision.Normalize(mean, std, is_hwc=False)(planes), wanted.transpose(2, 0, 1), atol=1e-5
    )
    assert (vision.HWC2CHW()(image) == planes).all()
    np.testing.assert_allclose(vision.ToTensor()(picture), planes / 255, atol=1e-6)
    np.testing.assert_allclose(vision.Rescale(2.0, 1.0)(image), image * 2.0 + 1)
    assert vision.ToTensor(np.float16)(image).dtype == np.float16
    with pytest.raises(RuntimeError, match="as many channels as 'mean'"):
        vision.Normalize([1.0, 2.0], [1.0, 1.0])(image)


def test_the_former_python_flavour_normalises_planes(image, close):
    from mindspore.dataset.vision import former_py

    planes = former_py.Normalize([0.5, 0.4, 0.3], [0.2] * 3)(vision.ToTensor()(image))
    np.testing.assert_allclose(planes[1], (image[..., 1] / 255 - 0.4) / 0.2, atol=1e-5)


def test_lists_become_arrays():
    # observed: MindSpore 2.10
    assert vision.ToNumpy()([np.ones((2, 3)), np.zeros((2, 3))]).shape == (2, 2, 3)
    assert vision.ToNumpy()((1, 2)).tolist() == [1, 2]
    with pytest.raises(TypeError, match="PIL image, an array or a list"):
        vision.ToNumpy()("a")


def test_a_transform_that_is_meant_for_an_npu_runs_on_the_cpu_and_says_so(monkeypatch):
    told = []
    monkeypatch.setattr("mindspore.core.log.warn_once", lambda text, *values: told.append(text % values))
    flip = vision.HorizontalFlip().device("Ascend")
    assert flip(np.arange(6, dtype=np.uint8).reshape(1, 2, 3)).tolist() == [[[3, 4, 5], [0, 1, 2]]]
    assert told == ["For 'HorizontalFlip', the 'device_target' Ascend has no effect: transforms run on the CPU."]
