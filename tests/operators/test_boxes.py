"""Boxes of detectors."""
from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

A = Tensor([[0.0, 0.0, 9.0, 9.0], [5.0, 5.0, 14.0, 14.0], [20.0, 20.0, 30.0, 25.0]])
T = Tensor([[0.0, 0.0, 9.0, 9.0], [10.0, 10.0, 19.0, 19.0]])


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-6)


def test_the_overlap_counts_both_corners():   # observed: MindSpore 2.10, CPU
    close(ops.iou(A, T), [[1, 25 / 175, 0], [0, 25 / 175, 0]])
    close(ops.IOU("iof")(A, T), [[1, 0.25, 0], [0, 0.25, 0]])
    with pytest.raises(ValueError, match="mode"):
        ops.iou(A, T, "area")


def test_encoding_and_decoding_are_inverse():
    anchors, shape = A[:2], (768, 1280)
    means, stds = (0.1, 0.2, 0.3, 0.4), (0.5, 0.6, 0.7, 0.8)
    deltas = ops.bounding_box_encode(anchors, T, means, stds)
    close(ops.bounding_box_decode(anchors, deltas, shape, means, stds), T.asnumpy())


def test_growth_is_limited_and_boxes_stay_inside():   # observed: MindSpore 2.10, CPU
    out = ops.BoundingBoxDecode((768, 1280))(A[1:2], Tensor([[3.0, 1.0, 8.0, -9.0]]))
    close(out, [[0.0, 19.92, 351.5, 19.08]])
    assert math.isclose(math.exp(abs(math.log(0.016))), 62.5)


def test_boxes_that_overlap_a_better_one_are_dropped():   # observed: MindSpore 2.10, CPU
    boxes = Tensor([[0, 0, 10, 10, 0.9], [1, 1, 11, 11, 0.8], [20, 20, 30, 30, 0.7], [0, 0, 10, 9, 0.95]],
                   ms.float32)
    ordered, places, kept = ops.NMSWithMask(0.5)(boxes)
    close(ordered[:, 4], [0.95, 0.9, 0.8, 0.7])
    assert places.asnumpy().tolist() == [0, 1, 2, 3]
    assert kept.asnumpy().tolist() == [True, False, False, True]


def test_boxes_are_valid_inside_the_scaled_image():   # observed: MindSpore 2.10, CPU
    boxes = Tensor([[0.0, 0, 50, 68], [1, 1, 32, 33], [-1, 0, 5, 6], [0, 0, 65, 50]])
    assert ops.check_valid(boxes, Tensor([68.0, 66, 1])).asnumpy().tolist() == [False, True, False, True]
    assert ops.check_valid(boxes, Tensor([68.0, 66, 0.5])).asnumpy().tolist()[:2] == [False, True]


@pytest.mark.parametrize("call", [lambda x: ops.iou(x, T), lambda x: ops.NMSWithMask()(x),
                                  lambda x: ops.bounding_box_encode(x, x)])
def test_boxes_have_four_corners(call):
    with pytest.raises(ValueError, match="boxes must have the shape"):
        ms.jit(call)(Tensor([[1.0, 2.0, 3.0]]))


ROWS = np.array([[1.0, 2.0, 6.0, 11.0], [-3.0, 0.5, 4.0, 2.5], [7.0, 1.0, 7.5, 30.0]], np.float32)
OTHERS = np.array([[2.0, 1.0, 9.0, 7.0], [-1.0, -2.0, 5.0, 8.5], [0.0, 4.0, 9.0, 21.0]], np.float32)


def parts(boxes):
    """Centres and extents of (x0, y0, x1, y1), where both corners belong to the box."""
    return (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2, boxes[:, 2] - boxes[:, 0] + 1, (
        boxes[:, 3] - boxes[:, 1] + 1)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("mode", ["iou", "iof"])
def test_overlaps_of_boxes_of_unequal_extents(mode):
    wanted = np.zeros((3, 3))
    for t, (a0, b0, a1, b1) in enumerate(OTHERS):
        for a, (c0, d0, c1, d1) in enumerate(ROWS):
            common = max(0, min(a1, c1) - max(a0, c0) + 1) * max(0, min(b1, d1) - max(b0, d0) + 1)
            own, other = (a1 - a0 + 1) * (b1 - b0 + 1), (c1 - c0 + 1) * (d1 - d0 + 1)
            wanted[t, a] = common / (own if mode == "iof" else own + other - common)
    close(ops.iou(Tensor(ROWS), Tensor(OTHERS), mode), wanted)


@pytest.mark.usefixtures("both_modes")
def test_shifts_and_growths_of_boxes_of_unequal_extents():
    means, stds = (0.1, 0.2, 0.3, 0.4), (0.5, 0.6, 0.7, 0.8)
    (px, py, pw, ph), (gx, gy, gw, gh) = parts(ROWS), parts(OTHERS)
    wanted = np.stack([(gx - px) / pw, (gy - py) / ph, np.log(gw / pw), np.log(gh / ph)], 1)
    close(ops.bounding_box_encode(Tensor(ROWS), Tensor(OTHERS)), wanted)
    close(ops.bounding_box_encode(Tensor(ROWS), Tensor(OTHERS), means, stds), (wanted - means) / stds)
    deltas = np.array([[0.2, -0.3, 0.4, 0.1], [0.5, 0.1, -0.2, 0.3], [-4.0, 0.3, 9.0, -9.0]], np.float32)
    for clip in (0.016, 0.3):
        dx, dy, dw, dh = (deltas * stds + means).T
        most = abs(math.log(clip))
        w, h = pw * np.exp(dw.clip(-most, most)), ph * np.exp(dh.clip(-most, most))
        x, y = px + pw * dx, py + ph * dy
        moved = np.stack([(x - w / 2 + 0.5).clip(0, 17), (y - h / 2 + 0.5).clip(0, 12),
                          (x + w / 2 - 0.5).clip(0, 17), (y + h / 2 - 0.5).clip(0, 12)], 1)
        close(ops.bounding_box_decode(Tensor(ROWS), Tensor(deltas), (12, 17), means, stds, clip), moved)
    with pytest.raises(ValueError, match="max_shape"):
        ms.jit(lambda x: ops.bounding_box_decode(x, x, (12, 17, 3)))(Tensor(ROWS))


def test_boxes_by_falling_score_may_touch_but_not_overlap():
    boxes = np.array([[0, 0, 4, 10], [10, 4, 0, 0], [0, 10, 4, 20], [2, 0, 4, 10], [0, 0, 4, 10]], np.float32)
    scores = np.array([0.5, 0.9, 0.5, 0.2, 0.7], np.float32)     # 1 is (0, 0, 10, 4), its corners the other way

    def kept(count, overlap, least):
        return ops.NonMaxSuppressionV3()(Tensor(boxes), Tensor(scores), Tensor(count, ms.int32), Tensor(overlap),
                                         Tensor(least)).tolist()
    assert kept(5, 0.4, 0.0) == [1, 4, 2]               # 1 and 4 have 16 of 64 in common, 4 and 3 20 of 40
    assert kept(5, 0.2, 0.0) == [1, 2, 3]            # without 4 there is room for 3
    assert kept(5, 0.5, 0.0) == [1, 4, 2, 3]            # just so much may overlap
    assert kept(2, 0.5, 0.0) == [1, 4]
    assert kept(5, 0.5, 0.5) == [1, 4]                  # a score must be above the least
    assert kept(5, 1.0, 0.0) == [1, 4, 0, 2, 3]         # of equal scores the first comes first
    assert kept(0, 1.0, 0.0) == []


def test_corners_at_the_edge_of_the_scaled_image_are_inside():
    boxes = np.array([[0, 0, 19, 9], [0, 0, 20, 9], [0, 0, 19, 10], [-1, 0, 5, 5], [0, -1, 5, 5]], np.float32)
    assert ops.check_valid(Tensor(boxes), Tensor([20.0, 40.0, 0.5])).tolist() == [True, False, False, False, False]


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.6])
def test_boxes_of_unequal_sides_are_kept_as_a_loop_over_pairs_says(threshold):
    rng = np.random.default_rng(7)
    corners = rng.uniform(0, 4, (40, 2))
    boxes = np.concatenate([corners, corners + rng.uniform(1, [9, 3], (40, 2)), rng.permutation(40)[:, None]], 1)
    ordered = boxes[np.argsort(-boxes[:, 4])]
    kept = []
    for i, (x0, y0, x1, y1, _) in enumerate(ordered):
        best = 0.0
        for a0, b0, a1, b1, _ in [ordered[k] for k in kept]:
            common = max(0, min(x1, a1) - max(x0, a0)) * max(0, min(y1, b1) - max(y0, b0))
            best = max(best, common / ((x1 - x0) * (y1 - y0) + (a1 - a0) * (b1 - b0) - common))
        kept += [i] if best <= threshold else []
    found, _, mask = ops.NMSWithMask(threshold)(Tensor(boxes.astype(np.float32)))
    close(found, ordered)
    assert np.flatnonzero(mask.asnumpy()).tolist() == kept
    assert 3 < len(kept) < 38
