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


def test_a_vertical_flip_mirrors_by_the_height():
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    mirrored, boxes = vision.RandomVerticalFlipWithBBox(1.0)(image, np.array([[1, 0, 2, 3]], np.float32))
    assert boxes.tolist() == [[1, 1, 2, 3]]
    assert (mirrored == image[::-1]).all()
    _, other = vision.RandomHorizontalFlipWithBBox(1.0)(image, np.array([[1, 0, 2, 3]], np.float32))
    assert other.tolist() == [[3, 0, 2, 3]]


def test_boxes_are_scaled_by_each_side_of_its_own():
    image = np.zeros((4, 6, 3), np.uint8)
    _, boxes = vision.ResizeWithBBox((8, 18))(image, np.array([[1, 1, 2, 2]], np.float32))
    assert boxes.tolist() == [[3, 2, 6, 4]]


def test_boxes_reach_to_the_border_of_their_own_side():
    image = np.zeros((4, 6, 3), np.uint8)
    _, boxes = vision.ResizeWithBBox((4, 6))(image, np.array([[3, 1, 3, 3]], np.float32))
    assert boxes.tolist() == [[3, 1, 3, 3]]
    for outside in ([4, 1, 3, 3], [3, 2, 3, 3]):
        with pytest.raises(RuntimeError, match="within the image"):
            vision.ResizeWithBBox((4, 6))(image, np.array([outside], np.float32))
