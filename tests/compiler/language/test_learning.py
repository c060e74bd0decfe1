# ruff: noqa  # programs as users write them
"""Adversaries, agents and meta-learning, with their gradients."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import I, T
from mindspore import Parameter, ParameterTuple, Tensor
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


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
