# ruff: noqa  # programs as users write them
"""Detection as people write it: boxes, suppression, heads, losses."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T
from mindspore import Tensor
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


class IoU(nn.Cell):
    def construct(self, a, b):
        lt = ops.maximum(a[:, None, :2], b[None, :, :2])
        rb = ops.minimum(a[:, None, 2:], b[None, :, 2:])
        wh = ops.clamp(rb - lt, min=0)
        inter = wh[..., 0] * wh[..., 1]
        area = lambda t: (t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1])
        return inter / (area(a)[:, None] + area(b)[None] - inter + 1e-6)


def boxes(n, s=0):
    r = np.random.RandomState(s)
    xy = r.rand(n, 2) * 10
    wh = r.rand(n, 2) * 5 + 1
    return Tensor(np.concatenate([xy, xy + wh], 1).astype(np.float32))


def program_iou():
    return IoU()(boxes(5), boxes(4, 1)), ms.grad(lambda a: IoU()(a, boxes(4, 1)).sum())(boxes(5))


class NMS(nn.Cell):
    """loops over sorted boxes with a keep mask, static number"""

    def __init__(self, thr):
        super().__init__()
        self.thr = thr
        self.iou = IoU()

    def construct(self, b, s):
        order = ops.argsort(s, descending=True)
        b = b[order]
        n = b.shape[0]
        iou = self.iou(b, b)
        keep = ops.ones((n,), ms.bool_)
        idx = ops.arange(n)
        for i in range(n):
            sup = ops.logical_and(iou[i] > self.thr, idx > i)
            sup = ops.logical_and(sup, keep[i])
            keep = ops.logical_and(keep, ops.logical_not(sup))
        return order, keep


def program_nms():
    return NMS(0.2)(boxes(8), Tensor(np.random.RandomState(2).rand(8).astype(np.float32)))


class NMSDyn(nn.Cell):
    def __init__(self, thr):
        super().__init__()
        self.thr = thr
        self.iou = IoU()

    def construct(self, b, s):
        keep = []
        order = s.argsort(descending=True)
        while order.shape[0] > 0:
            i = order[0]
            keep.append(i)
            if order.shape[0] == 1:
                break
            rest = order[1:]
            iou = self.iou(b[i : i + 1] if False else b[i].expand_dims(0), b[rest])[0]
            order = rest[iou <= self.thr]
        return ops.stack(keep)


def program_nms_dyn():
    return NMSDyn(0.2)(boxes(8), Tensor(np.random.RandomState(2).rand(8).astype(np.float32)))


class AnchorHead(nn.Cell):
    def __init__(self, c=8, na=3, nc=4):
        super().__init__()
        self.cls = nn.Conv2d(c, na * nc, 1, has_bias=True)
        self.reg = nn.Conv2d(c, na * 4, 3, pad_mode="pad", padding=1, has_bias=True)
        self.nc, self.na = nc, na
        self.reshape = P.Reshape()
        self.transpose = P.Transpose()

    def construct(self, feats):
        cs, rs = (), ()
        for f in feats:
            c = self.transpose(self.cls(f), (0, 2, 3, 1))
            r = self.transpose(self.reg(f), (0, 2, 3, 1))
            cs = cs + (self.reshape(c, (f.shape[0], -1, self.nc)),)
            rs += (self.reshape(r, (f.shape[0], -1, 4)),)
        return P.Concat(1)(cs), P.Concat(1)(rs)


def program_anchor_head():
    ms.set_seed(0)
    n = AnchorHead()
    a, b = n([T(2, 8, 4, 4), T(2, 8, 2, 2)])
    return a, b, n((T(2, 8, 4, 4), T(2, 8, 2, 2)))


class YoloLayer(nn.Cell):
    def __init__(self, scale, anchors):
        super().__init__()
        self.anchors = Tensor(anchors, ms.float32)
        self.n = len(anchors)
        self.concat = P.Concat(axis=-1)
        self.tile = P.Tile()
        self.sigmoid = nn.Sigmoid()
        self.training_ = scale == "s"

    def construct(self, x, input_shape):
        num_batch = P.Shape()(x)[0]
        grid_size = P.Shape()(x)[2:4]
        pred = P.Reshape()(x, (num_batch, self.n, -1, grid_size[0], grid_size[1]))
        pred = P.Transpose()(pred, (0, 3, 4, 1, 2))
        range_x = range(grid_size[1])
        range_y = range(grid_size[0])
        gx = P.Cast()(F.tuple_to_array(range_x), ms.float32)
        gy = P.Cast()(F.tuple_to_array(range_y), ms.float32)
        gx = self.tile(P.Reshape()(gx, (1, 1, -1, 1, 1)), (1, grid_size[0], 1, 1, 1))
        gy = self.tile(P.Reshape()(gy, (1, -1, 1, 1, 1)), (1, 1, grid_size[1], 1, 1))
        grid = self.concat((gx, gy))
        xy = pred[:, :, :, :, 0:2]
        wh = pred[:, :, :, :, 2:4]
        conf = pred[..., 4:5]
        probs = pred[..., 5:]
        box_xy = (self.sigmoid(xy) + grid) / P.Cast()(
            F.tuple_to_array((grid_size[1], grid_size[0])), ms.float32
        )
        box_wh = P.Exp()(wh) * self.anchors / input_shape
        if self.training_:
            return grid, pred, box_xy, box_wh
        return self.concat((box_xy, box_wh, self.sigmoid(conf), self.sigmoid(probs)))


def program_yolo():
    y = YoloLayer("l", [(10, 13), (16, 30)])
    return y(T(2, 14, 3, 3), Tensor([32.0, 32.0], ms.float32)), YoloLayer("s", [(10, 13), (16, 30)])(
        T(2, 14, 3, 3), Tensor([32.0, 32.0], ms.float32)
    )


class FocalLoss(nn.Cell):
    def __init__(self, gamma=2.0, alpha=0.75):
        super().__init__()
        self.sigmoid = P.Sigmoid()
        self.ce = P.SigmoidCrossEntropyWithLogits()
        self.gamma, self.alpha = gamma, alpha

    def construct(self, logits, label):
        label = F.one_hot(label, F.shape(logits)[-1], Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
        ce = self.ce(logits, label)
        p = self.sigmoid(logits)
        label = F.cast(label, ms.float32)
        pt = label * p + (1 - label) * (1 - p)
        mod = F.pow(1 - pt, self.gamma)
        aw = label * self.alpha + (1 - label) * (1 - self.alpha)
        return (mod * aw * ce).mean()


def program_focal():
    n = FocalLoss()
    return n(T(4, 5), I(4)), ms.grad(n)(T(4, 5), I(4))
