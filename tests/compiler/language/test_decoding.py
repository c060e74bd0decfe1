# ruff: noqa  # programs as users write them
"""Decoding as people write it: beams, greedy search, random fields, CTC."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T
from mindspore import Parameter, Tensor
from mindspore.common.initializer import Normal, initializer
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


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
