# ruff: noqa  # programs as users write them
"""Adversaries, agents, meta-learning, graphs, flows and equations, with their gradients."""

from __future__ import annotations

import math

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import I, T
from mindspore import Parameter, ParameterTuple, Tensor
from mindspore.ops import composite as C
from mindspore.ops import functional as F
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


# --- GAN
class G(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = nn.SequentialCell(
            [
                nn.Dense(2, 6, weight_init=T(6, 2), bias_init="zeros"),
                nn.ReLU(),
                nn.Dense(6, 3, weight_init=T(3, 6), bias_init="zeros"),
            ]
        )

    def construct(self, z):
        return self.net(z)


class D(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = nn.SequentialCell(
            [
                nn.Dense(3, 6, weight_init=T(6, 3), bias_init="zeros"),
                nn.LeakyReLU(0.2),
                nn.Dense(6, 1, weight_init=T(1, 6), bias_init="zeros"),
            ]
        )

    def construct(self, x):
        return self.net(x)


class GLoss(nn.Cell):
    def __init__(self, g, d):
        super().__init__(auto_prefix=True)
        self.g, self.d, self.loss = g, d, nn.BCEWithLogitsLoss()

    def construct(self, z):
        f = self.d(self.g(z))
        return self.loss(f, ops.ones_like(f))


class DLoss(nn.Cell):
    def __init__(self, g, d):
        super().__init__()
        self.g, self.d, self.loss = g, d, nn.BCEWithLogitsLoss()

    def construct(self, x, z):
        r, f = self.d(x), self.d(ops.stop_gradient(self.g(z)))
        return self.loss(r, ops.ones_like(r)) + self.loss(f, ops.zeros_like(f))


class GANStep(nn.Cell):
    def __init__(self, g, d, og, od, clip=None):
        super().__init__(auto_prefix=False)
        self.gl, self.dl = GLoss(g, d), DLoss(g, d)
        for m in (self.gl, self.dl):
            m.set_grad()
            m.add_flags(defer_inline=True)
        self.wg, self.wd = ParameterTuple(og.parameters), ParameterTuple(od.parameters)
        self.og, self.od = og, od
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.clip = clip

    def construct(self, x, z):
        ld = self.dl(x, z)
        sens = P.Fill()(P.DType()(ld), P.Shape()(ld), 1.0)
        gd = self.grad(self.dl, self.wd)(x, z, sens)
        ld = F.depend(ld, self.od(gd))
        lg = self.gl(z)
        gg = self.grad(self.gl, self.wg)(z, P.OnesLike()(lg))
        lg = F.depend(lg, self.og(gg))
        return ld, lg


def program_gan():
    g, d = G(), D()
    s = GANStep(g, d, nn.Adam(g.trainable_params(), 0.01, beta1=0.5), nn.SGD(d.trainable_params(), 0.1))
    return [s(T(4, 3, s=i), T(4, 2, s=9 + i)) for i in range(3)], [p.asnumpy() for p in g.get_parameters()]


class WGANGP(nn.Cell):
    def __init__(self, d):
        super().__init__()
        self.d = d
        self.gradop = ops.GradOperation()

    def construct(self, x, y, eps):
        m = eps * x + (1 - eps) * y
        g = self.gradop(self.d)(m)
        return ops.reduce_mean((ops.norm(g, dim=1) - 1) ** 2)


def program_gp():
    d = D()
    n = WGANGP(d)
    return n(T(4, 3), T(4, 3, s=1), T(4, 1, s=2)), ms.value_and_grad(n, None, d.trainable_params())(
        T(4, 3), T(4, 3, s=1), T(4, 1, s=2)
    )


# --- RL
class QNet(nn.Cell):
    def __init__(self, s=0):
        super().__init__()
        self.a, self.b = (
            nn.Dense(4, 8, weight_init=T(8, 4, s=s), bias_init="zeros"),
            nn.Dense(8, 2, weight_init=T(2, 8, s=s), bias_init="zeros"),
        )

    def construct(self, x):
        return self.b(ops.relu(self.a(x)))


class DQN(nn.Cell):
    def __init__(self, gamma=0.9, every=2):
        super().__init__()
        self.q, self.t = QNet(), QNet(1)
        self.opt = nn.Adam(self.q.trainable_params(), 0.01)
        self.gamma, self.every = gamma, every
        self.step = Parameter(Tensor(0, ms.int32), name="step", requires_grad=False)
        self.qp, self.tp = ParameterTuple(self.q.get_parameters()), ParameterTuple(self.t.get_parameters())
        self.assign = P.Assign()
        self.vg = ops.value_and_grad(self.loss, None, self.q.trainable_params())

    def loss(self, s, a, r, s2, done):
        q = ops.gather_elements(self.q(s), 1, a)
        nxt = ops.max(self.t(s2), axis=1)[0].expand_dims(1)
        y = r + self.gamma * nxt * (1 - done)
        return (
            ops.smooth_l1_loss(q, ops.stop_gradient(y)) if False else ((q - ops.stop_gradient(y)) ** 2).mean()
        )

    def construct(self, s, a, r, s2, done):
        l, g = self.vg(s, a, r, s2, done)
        self.opt(g)
        self.step += 1
        if self.step % self.every == 0:
            for q, t in zip(self.qp, self.tp):
                self.assign(t, q)
        return l

    @ms.jit
    def act(self, s, eps_draw, eps):
        if eps_draw < eps:
            return ops.zeros((1,), ms.int64)
        return self.q(s).argmax(1)


def program_dqn():
    n = DQN()
    A = (
        T(3, 4),
        Tensor([[0], [1], [1]], ms.int32),
        T(3, 1),
        T(3, 4, s=2),
        Tensor([[0.0], [0.0], [1.0]], ms.float32),
    )
    return (
        [n(*A) for _ in range(5)],
        n.t.b.weight.asnumpy(),
        n.act(T(1, 4), Tensor(0.5), Tensor(0.1)),
        n.act(T(1, 4), Tensor(0.05), Tensor(0.1)),
    )


def ppo_loss(logits, values, actions, old_logp, adv, ret, clip=0.2, c1=0.5, c2=0.01):
    logp_all = ops.log_softmax(logits, -1)
    logp = ops.gather_d(logp_all, 1, actions.expand_dims(1)).squeeze(1)
    ratio = ops.exp(logp - old_logp)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    pg = -ops.minimum(ratio * adv, ops.clip_by_value(ratio, 1 - clip, 1 + clip) * adv).mean()
    ent = -(ops.exp(logp_all) * logp_all).sum(-1).mean()
    return pg + c1 * ((values - ret) ** 2).mean() - c2 * ent, {"pg": pg, "entropy": ent}


def program_ppo():
    A = (T(5, 3), T(5, s=1), I(5, hi=3), T(5, s=2), T(5, s=3), T(5, s=4))
    f = ms.jit(ppo_loss)
    return f(*A), ms.value_and_grad(f, (0, 1), has_aux=True)(*A)


def gae(rewards, values, dones, gamma=0.99, lam=0.95):
    adv = ops.zeros_like(rewards)
    last = 0.0
    for t in reversed(range(rewards.shape[0])):
        nv = values[t + 1]
        delta = rewards[t] + gamma * nv * (1 - dones[t]) - values[t]
        last = delta + gamma * lam * (1 - dones[t]) * last
        adv[t] = last
    return adv, adv + values[:-1]


def program_gae():
    return ms.jit(gae)(T(5), T(6, s=1), Tensor([0, 0, 1, 0, 0], ms.float32))


class Replay(nn.Cell):
    def __init__(self, n=4):
        super().__init__()
        self.buf = Parameter(ops.zeros((n, 2)), name="buf", requires_grad=False)
        self.i = Parameter(Tensor(0, ms.int32), name="i", requires_grad=False)
        self.full = Parameter(Tensor(False), name="full", requires_grad=False)
        self.n = n

    def construct(self, x):
        self.buf[self.i] = x
        nxt = self.i + 1
        if nxt >= self.n:
            self.full = Tensor(True)
            nxt = nxt * 0
        self.i = nxt
        return self.buf.sum(), self.full


def program_replay():
    n = Replay()
    return [n(T(2, s=k)) for k in range(6)], n.i.asnumpy(), n.full.asnumpy()


# --- MAML
def net_f(w, x):
    return ops.tanh(x @ w["w1"] + w["b1"]) @ w["w2"]


def mse(w, x, y):
    return ((net_f(w, x) - y) ** 2).mean()


def maml(w1, b1, w2, xs, ys, xq, yq, lr=0.1, steps=2):
    w = {"w1": w1, "b1": b1, "w2": w2}
    names = list(w)
    for _ in range(steps):
        g = ms.grad(lambda *ps: mse(dict(zip(names, ps)), xs, ys), tuple(range(len(names))))(*w.values())
        w = {k: v - lr * d for (k, v), d in zip(w.items(), g)}
    return mse(w, xq, yq)


def program_maml():
    A = (T(2, 4), T(4, s=1), T(4, 1, s=2), T(5, 2, s=3), T(5, 1, s=4), T(5, 2, s=5), T(5, 1, s=6))
    return (
        ms.jit(maml)(*A),
        ms.jit(ms.value_and_grad(maml, (0, 1, 2)))(*A),
        ms.grad(ms.jit(maml), (0, 1, 2))(*A),
    )


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
