"""What the tests of image transforms share: an image of noise, and a distance in levels."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def image():
    """Levels at random, (12, 16, 3)."""
    return np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8)


@pytest.fixture
def picture(image):
    """The same as a PIL image."""
    return Image.fromarray(image)


@pytest.fixture
def close():
    """Assert that levels differ by no more than a number of them."""

    def check(got, wanted, levels=1):
        assert np.abs(np.asarray(got, np.int64) - np.asarray(wanted, np.int64)).max() <= levels

    return check
