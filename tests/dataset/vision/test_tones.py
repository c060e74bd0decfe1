from __future__ import annotations

import numpy as np
from PIL import ImageOps

from mindspore.dataset import vision


def test_tables_of_levels(image, picture, close):
    assert (vision.Invert()(image) == 255 - image).all()
    assert (vision.Posterize(3)(image) == image // 32 * 32).all()
    assert (vision.Solarize(128)(image) == np.asarray(ImageOps.solarize(picture, 128))).all()
    close(vision.AdjustGamma(2.0)(image), (image / 255.0) ** 2 * 255)
    close(vision.AutoContrast(10.0)(image), ImageOps.autocontrast(picture, 10))


def test_a_cutoff_counts_whole_percents():
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
    assert (vision.AutoContrast(1.5)(ramp) == vision.AutoContrast(1)(ramp)).all()
