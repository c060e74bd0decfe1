from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision


def test_mixing_keeps_the_sum_of_the_labels(image, close):
    images, labels = np.stack([image] * 4), np.eye(4, dtype=np.float32)
    mixed, shares = vision.MixUpBatch(1.0)(images, labels)
    assert mixed.shape == images.shape
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    cut, shares = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
    assert (cut == images).all()  # all images are equal
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)


def test_mixed_images_have_the_shares_of_their_labels():
    rng = np.random.default_rng(1)
    images, labels = rng.uniform(1, 9, (4, 5, 6, 3)), np.eye(4, dtype=np.float32)
    mixed, shares = vision.MixUpBatch(2.0)(images, labels)
    np.testing.assert_allclose(mixed, np.tensordot(shares, images, 1), rtol=1e-5)
    assert (shares >= 0).all()
    assert len(np.unique(shares.round(5))) <= 4          # one share for the whole batch
    for alpha, error in ((0.0, ValueError), (-1.0, ValueError), ("x", TypeError)):
        with pytest.raises(error, match="alpha"):
            vision.MixUpBatch(alpha)


def test_a_part_that_is_cut_in_has_the_share_of_its_area():
    rng = np.random.default_rng(1)
    images, labels = rng.uniform(1, 9, (4, 8, 10, 3)).astype(np.float32), np.eye(4, dtype=np.float32)
    for _ in range(20):
        mixed, shares = vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 1.0)(images, labels)
        for image, own, share in zip(mixed, images, shares, strict=True):
            kept = (image == own).all(-1)
            if share.max() < 1:
                np.testing.assert_allclose(kept.mean(), share[np.argmax([np.array_equal(own, i) for i in images])],
                                           atol=1e-6)
                rows, columns = np.nonzero(~kept)
                assert (~kept)[rows.min():rows.max() + 1, columns.min():columns.max() + 1].all()
            else:
                assert kept.all()
    chw, shares = vision.CutMixBatch(vision.ImageBatchFormat.NCHW, 1.0, 0.0)(images.transpose(0, 3, 1, 2), labels)
    np.testing.assert_array_equal(chw, images.transpose(0, 3, 1, 2))        # never
    np.testing.assert_array_equal(shares, labels)
