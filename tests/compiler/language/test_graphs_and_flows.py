# ruff: noqa  # programs as users write them
"""Networks on graphs, flows, differential equations and random draws, with their gradients."""

from __future__ import annotations

import math

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import T
from mindspore import Parameter, Tensor
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


# --- graph network
class GCN(nn.Cell):
    def __init__(self, i, o, n):
        super().__init__()
        self.fc = nn.Dense(i, o, weight_init=T(o, i), has_bias=False)
        self.n = n
        self.seg = P.UnsortedSegmentSum()
        self.gather = P.Gather()

    def construct(self, x, src, dst):
        deg = self.seg(ops.ones_like(src).astype(ms.float32), dst, self.n)
        norm = ops.select(deg > 0, 1 / ops.sqrt(ops.maximum(deg, Tensor(1.0))), ops.zeros_like(deg))
        h = self.fc(x)
        msg = self.gather(h, src, 0) * (norm[src] * norm[dst]).expand_dims(1)
        return self.seg(msg, dst, self.n)


def program_gcn():
    n = GCN(3, 2, 4)
    e = (Tensor([0, 1, 2, 3, 0], ms.int32), Tensor([1, 2, 3, 0, 2], ms.int32))
    return n(T(4, 3), *e), ms.value_and_grad(lambda x: (n(x, *e) ** 2).sum(), 0, n.trainable_params())(
        T(4, 3)
    )


class GAT(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(T(3, 4), name="w")
        self.a = Parameter(T(8, s=1), name="a")

    def construct(self, x, src, dst):
        h = x @ self.w
        e = ops.leaky_relu((ops.cat([h[src], h[dst]], 1) * self.a).sum(1), 0.2)
        n = x.shape[0]
        mx = ops.unsorted_segment_max(e, dst, n)
        ex = ops.exp(e - mx[dst])
        den = ops.tensor_scatter_add(ops.zeros((n,)), dst.expand_dims(1), ex)
        att = ex / den[dst]
        return (
            ops.scatter_nd(dst.expand_dims(1), att.expand_dims(1) * h[src], (n, h.shape[1]))
            if not self.training
            else ops.tensor_scatter_add(ops.zeros_like(h), dst.expand_dims(1), att.expand_dims(1) * h[src])
        )


def program_gat():
    n = GAT()
    e = (Tensor([0, 1, 2, 3, 0], ms.int32), Tensor([1, 2, 3, 0, 2], ms.int32))
    a = n(T(4, 3), *e)
    n.set_train(True)
    return a, n(T(4, 3), *e), ms.grad(lambda x: (n(x, *e) ** 2).sum())(T(4, 3))


# --- flows
class Coupling(nn.Cell):
    def __init__(self, d, flip):
        super().__init__()
        self.s = nn.Dense(d // 2, d // 2, weight_init=T(d // 2, d // 2), bias_init="zeros", activation="tanh")
        self.t = nn.Dense(d // 2, d // 2, weight_init=T(d // 2, d // 2, s=1), bias_init="zeros")
        self.flip = flip

    def construct(self, x):
        a, b = x.chunk(2, -1)
        if self.flip:
            a, b = b, a
        s, t = self.s(a), self.t(a)
        b = b * s.exp() + t
        return ops.cat((b, a) if self.flip else (a, b), -1), s.sum(-1)

    def inverse(self, y):
        a, b = y.chunk(2, -1)
        if self.flip:
            a, b = b, a
        s, t = self.s(a), self.t(a)
        b = (b - t) * ops.exp(-s)
        return ops.cat((b, a) if self.flip else (a, b), -1)


class Flow(nn.Cell):
    def __init__(self, d=4, n=3):
        super().__init__()
        self.layers = nn.CellList(Coupling(d, i % 2 == 1) for i in range(n))

    def construct(self, x, reverse=False):
        if reverse:
            for l in reversed(list(self.layers)):
                x = l.inverse(x)
            return x
        logdet = 0
        for l in self.layers:
            x, ld = l(x)
            logdet += ld
        return -(0.5 * x**2 + 0.5 * math.log(2 * math.pi)).sum(-1) + logdet, x


# --- neural ODE
class ODE(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f = nn.Dense(3, 3, weight_init=T(3, 3) * 0.3, bias_init="zeros", activation=nn.Tanh())

    def rk4(self, y, h):
        k1 = self.f(y)
        k2 = self.f(y + h / 2 * k1)
        k3 = self.f(y + h / 2 * k2)
        k4 = self.f(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def construct(self, y, t1, tol):
        t = ops.zeros_like(t1)
        h = ops.full_like(t1, 0.25)
        steps = 0
        while t < t1:
            h = ops.minimum(h, t1 - t)
            a = self.rk4(y, h)
            b = self.rk4(self.rk4(y, h / 2), h / 2)
            err = ops.abs(a - b).max()
            if err > tol and h > 0.01:
                h = h / 2
                continue
            y = b
            t = t + h
            h = h * 1.5
            steps += 1
        return y, steps


def program_ode():
    n = ODE()
    f = lambda y: n(y, Tensor(1.0), Tensor(1e-5))
    return f(T(2, 3)), ms.value_and_grad(lambda y: f(y)[0].sum(), 0, n.trainable_params())(T(2, 3))


# --- VAE
class VAE(nn.Cell):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = (
            nn.Dense(5, 4, weight_init=T(4, 5), bias_init="zeros"),
            nn.Dense(2, 5, weight_init=T(5, 2), bias_init="zeros"),
        )
        self.normal = ops.StandardNormal(seed=3)

    def construct(self, x):
        mu, lv = self.enc(x).split(2, axis=1)
        z = mu + ops.exp(0.5 * lv) * self.normal(mu.shape)
        rec = self.dec(z)
        kl = -0.5 * (1 + lv - mu**2 - lv.exp()).sum(1).mean()
        return ((rec - x) ** 2).sum(1).mean() + kl, kl


def program_vae():
    n = VAE()
    return n(T(3, 5)), n(T(3, 5)), ms.value_and_grad(n, None, n.trainable_params(), has_aux=True)(T(3, 5))


def program_randoms():
    @ms.jit
    def f(x):
        a = ops.standard_normal((2, 2))
        b = ops.uniform((2,), Tensor(0.0), Tensor(1.0))
        c = ops.dropout(x, 0.5)
        d = ops.randint(0, 5, (3,))
        e = ops.multinomial(ops.softmax(x), 2) if False else ops.bernoulli(ops.full((3,), 0.5))
        return a, b, c, d, e

    return f(T(4)), f(T(4))
