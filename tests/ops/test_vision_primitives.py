"""Glimpses, scaled images, boxes of many classes and logarithms of matrices; numbers observed: MindSpore 2.10, CPU."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")
RANDOM = np.random.RandomState(0)
IMAGES = np.arange(60, dtype=np.float32).reshape(2, 5, 6, 1)


@pytest.mark.parametrize(("centered", "normalized", "offsets", "want"), [
    (True, True, [[0, 0], [0.3, -0.4]], [8, 9, 14, 15, 20, 21, 36, 37, 42, 43, 48, 49]),
    (True, True, [[1, 2], [-1, 0.5]], [0, 0, 0, 0, 0, 0, 0, 0, 33, 34, 39, 40]),
    (True, False, [[1, 2], [-1, 0.5]], [9, 10, 15, 16, 21, 22, 32, 33, 38, 39, 44, 45]),
    (False, True, [[0, 0], [0.3, -0.4]], [0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0]),
    (False, False, [[1, 2], [-1, 0.5]], [1, 2, 7, 8, 13, 14, 0, 0, 0, 0, 30, 31])])
def test_glimpses_of_images(centered, normalized, offsets, want):
    cut = ops.ExtractGlimpse(centered, normalized, uniform_noise=False, noise="zero")
    found = cut(Tensor(IMAGES), Tensor([3, 2], ms.int32), Tensor(offsets, ms.float32))
    assert found.asnumpy().ravel().tolist() == want


def test_what_lies_beside_an_image_is_noise():
    far = Tensor([[9.0, 9.0]] * 2)
    found = ops.ExtractGlimpse()(Tensor(IMAGES), Tensor([20, 20], ms.int32), far).asnumpy()
    assert -1 <= found.min() < -0.9
    assert 0.9 < found.max() < 1
    found = ops.ExtractGlimpse(uniform_noise=False, noise="gaussian")(Tensor(IMAGES), Tensor([20, 20], ms.int32), far)
    assert abs(found.asnumpy().std() - 1) < 0.1
    with pytest.raises(ValueError, match="must be 'uniform' with 'uniform_noise'"):
        ops.ExtractGlimpse(noise="zero")(Tensor(IMAGES), Tensor([2, 2], ms.int32), far)


LINE = {
    ("lanczos1", True): [1.1227143, 2.4999998, 4.1789918, 5.7047782],
    ("lanczos3", True): [1.0655766, 2.3422325, 4.2879696, 5.7638388],
    ("lanczos3", False): [0.9364053, 2.5626738, 4.1386709, 5.9142051],
    ("lanczos5", True): [1.1095166, 2.310276, 4.347988, 5.6753926],
    ("gaussian", True): [1.3190986, 2.5, 4.1635332, 5.5318995],
    ("box", False): [1, 2.5, 4, 6],
    ("triangle", True): [1.25, 2.5, 4.1176467, 5.6428566],
    ("keyscubic", True): [1.1085863, 2.4083846, 4.2061405, 5.7361956],
    ("mitchellcubic", False): [0.9922743, 2.5, 4.166666, 5.8407865],
}


@pytest.mark.parametrize(("kind", "antialias"), LINE)
def test_images_that_are_scaled_and_moved(kind, antialias):
    x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 6, 1)
    found = ops.ScaleAndTranslate(kind, antialias)(Tensor(x), Tensor([1, 4], ms.int32), Tensor([1.0, 0.6]),
                                                   Tensor([0.0, 0.3]))
    np.testing.assert_allclose(found.asnumpy().ravel(), LINE[kind, antialias], rtol=2e-6)


def test_what_no_part_of_an_image_reaches_is_zero_and_its_gradient_is_the_weight():
    x = Tensor(np.arange(1, 13, dtype=np.float32).reshape(1, 3, 4, 1))
    rest = Tensor([5, 6], ms.int32), Tensor([1.7, 0.5]), Tensor([-0.4, 1.3])
    found = ops.ScaleAndTranslate("triangle")(x, *rest).asnumpy()[0, :, :, 0]
    assert np.flatnonzero(found.any(0)).tolist() == [1, 2]
    gradient = ms.grad(lambda a: ops.ScaleAndTranslate("triangle")(a, *rest).sum())(x)
    np.testing.assert_allclose(gradient.asnumpy().sum(), np.count_nonzero(found), rtol=1e-5)


BOXES = [[[[0, 0, 1, 1]], [[0, 0, 1, 0.9]], [[0.2, 0.2, 2, 2]], [[0.5, 0.5, 0.6, 0.6]]]]
SCORES = [[[0.9, 0.1], [0.8, 0.7], [0.3, 0.6], [0.2, 0.2]]]


@pytest.mark.parametrize(("options", "count", "corner"), [
    ({}, 5, 1), ({"pad_per_class": True}, 4, 1), ({"clip_boxes": False}, 5, 2)])
def test_boxes_of_several_classes_that_overlap_no_better_one(options, count, corner):
    boxes, scores, classes, valid = ops.CombinedNonMaxSuppression(**options)(
        Tensor(BOXES, ms.float32), Tensor(SCORES, ms.float32), Tensor(2, ms.int32), Tensor(5, ms.int32),
        Tensor(0.5, ms.float32), Tensor(0.15, ms.float32))
    assert boxes.shape == (1, count, 4)
    np.testing.assert_allclose(scores.asnumpy()[0], [0.9, 0.7, 0.6, 0.3, 0][:count], rtol=1e-6)
    assert classes.asnumpy()[0].tolist() == [0, 1, 1, 0, 0][:count]
    np.testing.assert_allclose(boxes.asnumpy()[0, 2], [0.2, 0.2, corner, corner], rtol=1e-6)
    assert valid.tolist() == [4]


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 4, 4)])
def test_the_exponential_of_a_logarithm_is_the_matrix(shape):
    x = RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)
    found = ops.MatrixLogarithm()(Tensor(x)).asnumpy()
    np.testing.assert_allclose(torch.linalg.matrix_exp(torch.tensor(found)), x, rtol=1e-8, atol=1e-9)
    assert np.abs(np.linalg.eigvals(found).imag).max() <= np.pi            # the principal one


def test_logarithms_of_matrices_that_are_not_diagonalisable_or_have_none():
    found = ops.MatrixLogarithm()(Tensor(np.array([[2, 1], [0, 2]], np.complex128))).asnumpy()
    np.testing.assert_allclose(found, [[np.log(2), 0.5], [0, np.log(2)]], atol=1e-12)
    with pytest.raises(ValueError, match=r"has no logarithm|singular"):
        ops.MatrixLogarithm()(Tensor(np.zeros((2, 2), np.complex64)))
    with pytest.raises(TypeError, match="must be complex"):
        ops.MatrixLogarithm()(Tensor(np.eye(2, dtype=np.float32)))
