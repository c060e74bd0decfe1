# ruff: noqa  # programs as users write them
"""Networks as people write them: detection, decoding, sequences, attention."""

from __future__ import annotations

import math

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T
from mindspore import Parameter, Tensor
from mindspore.common.initializer import Normal, initializer
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


# --- detection
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


# --- beam search
class Beam(nn.Cell):
    def __init__(self, vocab=7, k=3, steps=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, 8)
        self.fc = nn.Dense(8, vocab)
        self.k, self.vocab, self.steps = k, vocab, steps
        self.topk = P.TopK(sorted=True)
        self.logsm = nn.LogSoftmax(axis=-1)

    def construct(self, start):
        b = start.shape[0]
        seqs = ops.tile(start.reshape(b, 1, 1), (1, self.k, 1))
        scores = ops.concat(
            (ops.zeros((b, 1), ms.float32), ops.full((b, self.k - 1), -1e9, dtype=ms.float32)), 1
        )
        for _ in range(self.steps):
            last = seqs[:, :, -1]
            lp = self.logsm(self.fc(self.emb(last)))
            total = scores.expand_dims(-1) + lp
            flat = total.reshape((b, -1))
            scores, idx = self.topk(flat, self.k)
            beam = idx // self.vocab
            tok = idx % self.vocab
            seqs = ops.gather_d(seqs, 1, ops.tile(beam.expand_dims(-1), (1, 1, seqs.shape[2])))
            seqs = ops.concat((seqs, tok.expand_dims(-1).astype(seqs.dtype)), -1)
        return seqs, scores


def program_beam():
    ms.set_seed(3)
    return Beam()(Tensor([1, 2], ms.int32))


class GreedyUntil(nn.Cell):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(9, 4)
        self.fc = nn.Dense(4, 9)

    def construct(self, tok, max_len):
        out = ops.zeros((8,), ms.int32)
        i = ops.zeros((), ms.int32)
        done = Tensor(False)
        while i < max_len and not done:
            tok = ops.argmax(self.fc(self.emb(tok))).astype(ms.int32)
            out[i] = tok
            done = tok == 3
            i += 1
        return out, i


def program_greedy():
    ms.set_seed(5)
    n = GreedyUntil()
    return n(Tensor(1, ms.int32), Tensor(6, ms.int32)), n(Tensor(2, ms.int32), Tensor(3, ms.int32))


# --- CRF
class CRF(nn.Cell):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.start = Parameter(initializer(Normal(0.1), (n,)), name="start")
        self.end = Parameter(initializer(Normal(0.1), (n,)), name="end")
        self.trans = Parameter(initializer(Normal(0.1), (n, n)), name="trans")

    def score(self, em, tags, mask):
        t, b = tags.shape
        ar = ops.arange(b)
        s = self.start[tags[0]] + em[0, ar, tags[0]]
        for i in range(1, t):
            s = s + (self.trans[tags[i - 1], tags[i]] + em[i, ar, tags[i]]) * mask[i]
        last = tags[mask.sum(0).astype(ms.int32) - 1, ar]
        return s + self.end[last]

    def norm(self, em, mask):
        a = self.start + em[0]
        for i in range(1, em.shape[0]):
            nxt = ops.logsumexp(a.expand_dims(2) + self.trans + em[i].expand_dims(1), 1)
            a = ops.where(mask[i].expand_dims(1).bool(), nxt, a)
        return ops.logsumexp(a + self.end, 1)

    def construct(self, em, tags, mask):
        return (self.norm(em, mask) - self.score(em, tags, mask)).mean()

    def viterbi(self, em):
        s = self.start + em[0]
        hist = []
        for i in range(1, em.shape[0]):
            m = s.expand_dims(2) + self.trans + em[i].expand_dims(1)
            s, idx = ops.max(m, 1)
            hist.append(idx)
        s = s + self.end
        best = ops.argmax(s, 1)
        path = [best]
        for idx in hist[::-1]:
            best = ops.gather_d(idx, 1, best.expand_dims(1)).squeeze(1)
            path.append(best)
        return ops.stack(path[::-1])


def program_crf():
    ms.set_seed(1)
    n = CRF(4)
    em, tags = T(5, 2, 4), I(5, 2, hi=4)
    mask = Tensor(np.array([[1, 1], [1, 1], [1, 1], [1, 0], [1, 0]], np.float32))
    g = ms.value_and_grad(n, 0, n.trainable_params())
    return g(em, tags, mask), ms.jit(n.viterbi)(em)


# --- CTC by hand
def ctc(logp, target):
    L = target.shape[0]
    ext = ops.zeros((2 * L + 1,), ms.int32)
    ext[1::2] = target
    neg = Tensor(-1e30, ms.float32)
    alpha = ops.full((2 * L + 1,), -1e30, dtype=ms.float32)
    alpha[0] = logp[0, 0]
    alpha[1] = logp[0, ext[1]]
    for t in range(1, logp.shape[0]):
        prev = alpha
        a1 = ops.concat((neg.reshape(1), prev[:-1]))
        a2 = ops.concat((neg.reshape(1), neg.reshape(1), prev[:-2]))
        skip = ops.concat((Tensor([False, False]), (ext[2:] != ext[:-2]) & (ext[2:] != 0)))
        a2 = ops.where(skip, a2, neg)
        alpha = ops.logsumexp(ops.stack((prev, a1, a2)), 0) + logp[t][ext]
    return -ops.logsumexp(alpha[-2:], 0)


def program_ctc():
    lp = ops.log_softmax(T(6, 5), -1)
    f = ms.jit(ctc)
    return f(lp, Tensor([1, 2, 2], ms.int32)), ms.grad(f)(lp, Tensor([1, 2, 2], ms.int32))


def program_ctc_loss():
    n = nn.CTCLoss() if hasattr(nn, "CTCLoss") else None
    f = ms.jit(
        lambda x: ops.ctc_loss(
            ops.log_softmax(x, 2), Tensor([[1, 2]], ms.int32), Tensor([5], ms.int32), Tensor([2], ms.int32)
        )[0]
    )
    return f(T(5, 1, 4))


# --- transformer
class MHA(nn.Cell):
    def __init__(self, d, h, drop=0.0):
        super().__init__()
        assert d % h == 0
        self.h, self.dk = h, d // h
        self.q, self.k, self.v, self.o = [nn.Dense(d, d) for _ in range(4)]
        self.drop = nn.Dropout(p=drop)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.h, self.dk).transpose(0, 2, 1, 3)

    def construct(self, q, k, v, mask=None, past=None):
        q, k, v = map(self.split, (self.q(q), self.k(k), self.v(v)))
        if past is not None:
            k = ops.cat((past[0], k), axis=2)
            v = ops.cat((past[1], v), axis=2)
        att = ops.matmul(q, k.swapaxes(-1, -2)) / math.sqrt(self.dk)
        if mask is not None:
            att = att.masked_fill(mask == 0, -1e9)
        w = self.drop(ops.softmax(att, -1))
        y = ops.matmul(w, v).transpose(0, 2, 1, 3)
        y = y.reshape(y.shape[0], y.shape[1], -1)
        return self.o(y), (k, v)


class Block(nn.Cell):
    def __init__(self, d, h):
        super().__init__()
        self.att = MHA(d, h)
        self.ff = nn.SequentialCell(nn.Dense(d, 4 * d), nn.GELU(), nn.Dense(4 * d, d))
        self.n1, self.n2 = nn.LayerNorm((d,)), nn.LayerNorm((d,))

    def construct(self, x, mask=None, cache=None):
        h = self.n1(x)
        a, cache = self.att(h, h, h, mask, past=cache)
        x = x + a
        return x + self.ff(self.n2(x)), cache


class GPT(nn.Cell):
    def __init__(self, v=11, d=8, h=2, n=2, m=12):
        super().__init__()
        self.tok, self.pos = nn.Embedding(v, d), nn.Embedding(m, d)
        self.blocks = nn.CellList([Block(d, h) for _ in range(n)])
        self.ln = nn.LayerNorm((d,))
        self.m = m

    def construct(self, ids, caches=None, return_dict=False):
        t = ids.shape[1]
        off = 0 if caches is None else caches[0][0].shape[2]
        x = self.tok(ids) + self.pos(ops.arange(off, off + t).astype(ms.int32))
        mask = ops.tril(ops.ones((t, t), ms.float32)) if t > 1 else None
        new = []
        for i, b in enumerate(self.blocks):
            x, c = b(x, mask, None if caches is None else caches[i])
            new.append(c)
        logits = ops.matmul(self.ln(x), self.tok.embedding_table.T)
        if return_dict:
            return {"logits": logits, "caches": new}
        return logits, new


def program_gpt_cache():
    ms.set_seed(7)
    n = GPT()
    n.set_train(False)
    ids = I(2, 4, hi=11)
    full, _ = n(ids)
    lo, c = n(ids[:, :3])
    lo2, c = n(ids[:, 3:], c)
    lo3, c = n(ids[:, 3:], c)
    d = n(ids, return_dict=True)
    return full, lo2, lo3, d, np.allclose(full.asnumpy()[:, 3], lo2.asnumpy()[:, 0], atol=1e-4)


class StaticKV(nn.Cell):
    """cache of fixed length as parameters, written in place at a position"""

    def __init__(self, d=4, m=6):
        super().__init__()
        self.kc = Parameter(ops.zeros((m, d), ms.float32), name="kc", requires_grad=False)
        self.vc = Parameter(ops.zeros((m, d), ms.float32), name="vc", requires_grad=False)
        self.pos = Parameter(Tensor(0, ms.int32), name="pos", requires_grad=False)
        self.w = nn.Dense(d, 3 * d)

    def construct(self, x):
        q, k, v = ops.split(self.w(x), x.shape[-1], axis=-1)
        self.kc[self.pos] = k[0]
        self.vc[self.pos] = v[0]
        self.pos += 1
        mask = ops.arange(self.kc.shape[0]) < self.pos
        s = (q @ self.kc.T)[0]
        s = ops.where(mask, s, ops.full_like(s, -1e9))
        return ops.softmax(s) @ self.vc


def program_static_kv():
    ms.set_seed(2)
    n = StaticKV()
    return [n(T(1, 4, s=i)) for i in range(4)], n.pos.asnumpy(), n.kc.asnumpy()


class Rotary(nn.Cell):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.inv = Tensor(1.0 / base ** (np.arange(0, dim, 2) / dim), ms.float32)

    def construct(self, x, off=0):
        t = x.shape[-2]
        ang = ops.outer(ops.arange(off, off + t).astype(ms.float32), self.inv)
        cos, sin = ops.cos(ang), ops.sin(ang)
        a, b = x[..., 0::2], x[..., 1::2]
        return ops.stack((a * cos - b * sin, a * sin + b * cos), -1).reshape(x.shape)


def program_rotary():
    r = Rotary(4)
    return (
        r(T(2, 3, 4)),
        r(T(2, 3, 4), off=2),
        ms.grad(lambda x: (r(x) ** 2 * T(2, 3, 4, s=1)).sum())(T(2, 3, 4)),
    )


class RelPos(nn.Cell):
    def __init__(self, h=2, buckets=6):
        super().__init__()
        self.b = nn.Embedding(buckets, h)
        self.buckets = buckets

    def bucket(self, rel):
        n = -rel
        half = self.buckets // 2
        n = ops.abs(n) if True else n
        small = n < half
        large = half + (ops.log(n.astype(ms.float32) / half + 1e-6) / math.log(8 / half) * half).astype(
            ms.int32
        )
        large = ops.minimum(large, ops.full_like(large, self.buckets - 1))
        return ops.select(small, n.astype(ms.int32), large)

    def construct(self, q, k):
        rel = ops.arange(k)[None, :] - ops.arange(q)[:, None]
        return self.b(self.bucket(rel)).transpose(2, 0, 1)


def program_relpos():
    ms.set_seed(1)
    return RelPos()(4, 6)


class MoE(nn.Cell):
    def __init__(self, d=4, e=3):
        super().__init__()
        self.gate = nn.Dense(d, e)
        self.experts = nn.CellList([nn.Dense(d, d) for _ in range(e)])

    def construct(self, x):
        p = ops.softmax(self.gate(x), -1)
        v, i = ops.topk(p, 2)
        v = v / v.sum(-1, keepdims=True)
        y = ops.zeros_like(x)
        for e, expert in enumerate(self.experts):
            w = (v * (i == e).astype(v.dtype)).sum(-1, keepdims=True)
            y += expert(x) * w
        load = ops.stack([(i == e).astype(ms.float32).mean() for e in range(len(self.experts))])
        return y, (load * p.mean(0)).sum()


def program_moe():
    ms.set_seed(1)
    n = MoE()
    f = ms.value_and_grad(lambda x: sum(t.sum() for t in n(x)), 0, n.trainable_params())
    return n(T(5, 4)), f(T(5, 4))
