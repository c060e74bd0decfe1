from __future__ import annotations

import numpy as np

from mindspore.dataset import vision


def test_mixing_keeps_the_sum_of_the_labels(image, close):
    images, labels = np.stack([image] * 4), np.eye(4, dtype=np.float32)
    mixed, shares = vision.MixUpBatch(1.0)(images, labels)
    assert mixed.shape == images.shape
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    cut, shares = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
    assert (cut == images).all()  # all images are equal
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
