from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision


@pytest.mark.parametrize("name", ["AutoAugment", "RandAugment", "TrivialAugmentWide"])
def test_augmentation_keeps_size_and_type(name, image):
    transform = getattr(vision, name)()
    for _ in range(40):
        result = transform(image)
        assert result.shape == image.shape
        assert result.dtype == np.uint8
