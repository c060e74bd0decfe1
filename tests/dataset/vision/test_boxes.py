from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import vision


def test_boxes_follow_the_image(image):
    boxes = np.array([[2, 3, 4, 5]], np.float32)
    _, flipped = vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)
    assert flipped.tolist() == [[10, 3, 4, 5]]
    _, scaled = vision.ResizeWithBBox((24, 32))(image, boxes)
    assert scaled.tolist() == [[4, 6, 8, 10]]
    part, cut = vision.RandomCropWithBBox((12, 16))(image, boxes)
    assert (part == image).all()
    assert cut.tolist() == boxes.tolist()
    with pytest.raises(RuntimeError, match="within the image"):
        vision.RandomVerticalFlipWithBBox(1.0)(image, boxes * 5)
