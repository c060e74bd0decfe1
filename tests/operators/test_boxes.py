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
