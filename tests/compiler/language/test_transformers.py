# ruff: noqa  # programs as users write them
"""Attention as people write it: caches, rotations, relative positions, experts."""

from __future__ import annotations

import math

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


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
