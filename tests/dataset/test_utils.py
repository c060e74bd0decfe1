from __future__ import annotations

import cv2
import numpy as np
import pytest

from mindspore.dataset.utils import imshow_det_bbox

BOXES = np.array([[5, 25, 20, 10, 0.9], [45, 35, 20, 20, 0.2]], np.float32)
LABELS = np.array([[0], [1]])


@pytest.fixture
def image():
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[..., 0] = 7  # red
    return picture


def drawn(image, path, **options):
    return imshow_det_bbox(image, BOXES, LABELS, show=False, out_file=str(path / "x.png"), **options)


def is_green(drawing, x, y):
    return drawing[y, x].tolist() == [0, 255, 0]


def test_boxes_are_drawn_and_written(image, tmp_path):
    before = image.copy()
    drawing = drawn(image, tmp_path, thickness=1)
    corners = [(5, 25), (25, 35), (5, 35), (45, 35), (65, 55)]
    assert all(is_green(drawing, x, y) for x, y in corners)
    assert drawing[59, 0].tolist() == [0, 0, 7]  # the rest stays, in BGR
    assert (image == before).all()
    assert (cv2.imread(str(tmp_path / "x.png")) == drawing).all()


def test_objects_with_low_scores_are_left_out(image, tmp_path):
    drawing = drawn(image, tmp_path, score_threshold=0.5)
    assert is_green(drawing, 5, 35)
    assert not is_green(drawing, 65, 55)


def test_masks_are_mixed_in(image, tmp_path):
    masks = np.zeros((2, 60, 80), np.uint8)
    masks[0, 30, 15] = 1
    drawing = drawn(image, tmp_path, segm=masks, mask_color=(100, 0, 50), class_names=["", ""])
    assert drawing[30, 15].tolist() == [50, 0, 28]
    assert drawing[31, 15].tolist() == [0, 0, 7]


def test_channels_may_come_first(image, tmp_path):
    assert (drawn(image.transpose(2, 0, 1), tmp_path) == drawn(image, tmp_path)).all()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"bboxes": BOXES[:, :3]}, ValueError),
        ({"bboxes": BOXES.tolist()}, TypeError),
        ({"labels": LABELS[:1]}, ValueError),
        ({"labels": LABELS.ravel()}, ValueError),
        ({"class_names": ["a"]}, ValueError),
        ({"class_names": 3}, TypeError),
        ({"bbox_color": 3}, TypeError),
        ({"out_file": None}, ValueError),
        ({"out_file": 3}, TypeError),
        ({"image": np.zeros((60, 80), np.uint8)}, ValueError),
        ({"image": np.zeros((60, 80, 3))}, ValueError),
    ],
)
def test_what_does_not_fit_is_refused(image, change, error):
    arguments = {"image": image, "bboxes": BOXES, "labels": LABELS, "show": False, "out_file": "x.png"}
    with pytest.raises(error, match="For 'imshow_det_bbox'"):
        imshow_det_bbox(**{**arguments, **change})
