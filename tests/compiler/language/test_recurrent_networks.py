# ruff: noqa  # programs as users write them
"""Recurrent cells and capsules written by hand, with their gradients."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import T
from mindspore import Parameter, Tensor
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


# --- LSTM/GRU by hand
class LSTMHand(nn.Cell):
    def __init__(self, i, h):
        super().__init__()
        self.ih, self.hh, self.h = nn.Dense(i, 4 * h), nn.Dense(h, 4 * h, has_bias=False), h

    def cell(self, x, state):
        h, c = state
        i, f, g, o = ops.split(self.ih(x) + self.hh(h), self.h, 1)
        c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
        return ops.sigmoid(o) * ops.tanh(c), c

    def construct(self, x, state=None, seq_len=None):
        if state is None:
            z = ops.zeros((x.shape[1], self.h), x.dtype)
            state = (z, z)
        out = []
        for t in range(x.shape[0]):
            new = self.cell(x[t], state)
            if seq_len is not None:
                m = (seq_len > t).expand_dims(1)
                new = tuple(ops.where(m, a, b) for a, b in zip(new, state))
            state = new
            out.append(state[0])
        return ops.stack(out), state


def program_lstm():
    ms.set_seed(1)
    n = LSTMHand(3, 4)
    f = ms.value_and_grad(lambda x: n(x)[0].sum(), 0, n.trainable_params())
    return (
        n(T(5, 2, 3)),
        n(T(5, 2, 3), None, Tensor([2, 5])),
        f(T(5, 2, 3)),
        n(T(2, 2, 3), (T(2, 4), T(2, 4))),
    )


class GRUWhile(nn.Cell):
    def __init__(self, i, h):
        super().__init__()
        self.wx = Parameter(T(i, 3 * h, s=1), name="wx")
        self.wh = Parameter(T(h, 3 * h, s=2) * 0.3, name="wh")
        self.h = h

    def construct(self, x, n):
        h = ops.zeros((x.shape[1], self.h))
        t = n * 0
        while t < n:
            gx, gh = ops.matmul(x[t], self.wx), ops.matmul(h, self.wh)
            r, z, c = gx.chunk(3, 1)
            hr, hz, hc = gh.chunk(3, 1)
            r = (r + hr).sigmoid()
            z = (z + hz).sigmoid()
            h = (1 - z) * (c + r * hc).tanh() + z * h
            t = t + 1
        return h


def program_gru_while():
    n = GRUWhile(3, 2)
    return n(T(4, 2, 3), Tensor(3)), ms.value_and_grad(lambda x, k: n(x, k).sum(), 0, n.trainable_params())(
        T(4, 2, 3), Tensor(2)
    )


class BiRNN(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f, self.b = nn.RNNCell(3, 4), nn.RNNCell(3, 4)
        self.rev = P.ReverseV2([0])

    def run_(self, cell, x):
        h = P.Zeros()((x.shape[1], 4), ms.float32)
        hs = ()
        for i in range(x.shape[0]):
            h = cell(x[i], h)
            hs += (P.ExpandDims()(h, 0),)
        return P.Concat()(hs)

    def construct(self, x):
        a = self.run_(self.f, x)
        b = self.rev(self.run_(self.b, self.rev(x)))
        return P.Concat(2)((a, b))


def program_birnn():
    ms.set_seed(1)
    return BiRNN()(T(3, 2, 3))


# --- capsule routing
class Capsule(nn.Cell):
    def __init__(self, i=6, o=3, di=4, do=5, it=3):
        super().__init__()
        self.w = Parameter(T(1, i, o, do, di, s=3) * 0.2, name="w")
        self.it, self.o, self.i = it, o, i

    @staticmethod
    def squash(s, axis=-1):
        n = (s**2).sum(axis, keepdims=True)
        return n / (1 + n) * s / ops.sqrt(n + 1e-8)

    def construct(self, u):
        u = u[:, :, None, :, None]
        uh = ops.matmul(self.w, u).squeeze(-1)
        b = ops.zeros((u.shape[0], self.i, self.o, 1))
        uhs = ops.stop_gradient(uh)
        for r in range(self.it):
            c = ops.softmax(b, 2)
            last = r == self.it - 1
            v = self.squash((c * (uh if last else uhs)).sum(1, keepdims=True))
            if not last:
                b += (uhs * v).sum(-1, keepdims=True)
        return v.squeeze(1)


def program_capsule():
    n = Capsule()
    return n(T(2, 6, 4)), ms.value_and_grad(lambda x: ops.norm(n(x), dim=-1).sum(), 0, n.trainable_params())(
        T(2, 6, 4)
    )
