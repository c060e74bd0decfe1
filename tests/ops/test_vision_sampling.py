"""Parts of images that are drawn at random: what each of them must satisfy."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")
SIZE = Tensor([100, 80, 3], ms.int32)
BOX = [0.1, 0.2, 0.9, 0.8]


def drawn(covered, boxes=(BOX,), times=12, **options):
    sample = ops.SampleDistortedBoundingBoxV2(**options)
    for _ in range(times):
        begin, size, box = sample(SIZE, Tensor([list(boxes)], ms.float32), Tensor([covered], ms.float32))
        assert (begin.dtype, size.dtype, box.dtype, box.shape) == (ms.int32, ms.int32, ms.float32, (1, 1, 4))
        (y, x, z), (h, w, d) = begin.tolist(), size.tolist()
        assert (z, d) == (0, -1)
        np.testing.assert_allclose(box.asnumpy().ravel(), [y / 100, x / 80, (y + h) / 100, (x + w) / 80], rtol=1e-6)
        yield y, x, h, w


def share(part, box):
    y, x, h, w = part
    top, left, bottom, right = np.array(box) * [100, 80, 100, 80]
    shared = max(min(y + h, bottom) - max(y, top), 0) * max(min(x + w, right) - max(x, left), 0)
    return shared / ((bottom - top) * (right - left))


def test_parts_lie_in_the_image_and_keep_ratio_area_and_cover():
    ms.set_seed(0)
    parts = list(drawn(0.3, times=30, area_range=(0.2, 0.6), aspect_ratio_range=(0.5, 2.0)))
    assert len(set(parts)) > 15
    for y, x, h, w in parts:
        assert min(y, x) >= 0
        assert (y + h <= 100, x + w <= 80) == (True, True)
        assert 0.5 * h - 1 <= w <= 2 * h + 1
        assert 0.2 * 8000 - w <= h * w <= 0.6 * 8000 + w
        assert share((y, x, h, w), BOX) >= 0.3 - 1e-5


def test_one_of_the_boxes_suffices():
    ms.set_seed(0)
    boxes = [[0.0, 0.0, 0.1, 0.1], [0.9, 0.9, 1.0, 1.0]]
    parts = list(drawn(1.0, boxes, area_range=(0.1, 0.3), max_attempts=2000))
    assert all(max(share(p, b) for b in boxes) >= 1 - 1e-5 for p in parts)
    assert {int(share(p, boxes[0]) < 1) for p in parts} == {0, 1}


def test_the_whole_image_where_no_attempt_succeeds():
    assert set(drawn(1.0, [[0.0, 0.0, 1.0, 1.0]], area_range=(0.05, 0.1), times=2)) == {(0, 0, 100, 80)}


def test_no_box_is_the_image_where_that_is_allowed():
    none, covered = Tensor(np.zeros((1, 0, 4), np.float32)), Tensor([0.4])
    sample = ops.SampleDistortedBoundingBoxV2(use_image_if_no_bounding_boxes=True)
    size = sample(SIZE, none, covered)[1].tolist()
    assert size[0] * size[1] >= 0.4 * 8000
    with pytest.raises(ValueError, match="use_image_if_no_bounding_boxes"):
        ops.SampleDistortedBoundingBoxV2()(SIZE, none, covered)


@pytest.mark.parametrize(("options", "inputs", "error"), [
    ({"area_range": (0.5, 0.2)}, {}, ValueError), ({"area_range": (0.5, 1.2)}, {}, ValueError),
    ({"aspect_ratio_range": (0.0, 1.0)}, {}, ValueError), ({"max_attempts": 0}, {}, ValueError),
    ({"seed": -1}, {}, ValueError), ({}, {0: Tensor([1.0, 2.0, 3.0])}, TypeError),
    ({}, {0: Tensor([1, 2], ms.int32)}, ValueError), ({}, {1: Tensor([BOX])}, ValueError),
    ({}, {2: Tensor(0.5)}, ValueError), ({}, {2: 0.5}, TypeError)])
def test_what_is_no_image_and_no_range_is_refused(options, inputs, error):
    given = {0: SIZE, 1: Tensor([[BOX]]), 2: Tensor([0.5])} | inputs
    with pytest.raises(error, match="For 'SampleDistortedBoundingBoxV2'"):
        ops.SampleDistortedBoundingBoxV2(**options)(*given.values())
