# ruff: noqa  # programs as users write them
"""Algorithms and losses as people write them, with loops, early ends and state."""

from __future__ import annotations

import functools
from collections import OrderedDict

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import T, W
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


# -- more models, unusual combos
D = lambda i, o, **k: nn.Dense(i, o, weight_init=W(o, i), bias_init="zeros", **k)


class SwinShift(nn.Cell):
    def __init__(self, ws=2, shift=1):
        super().__init__()
        self.ws, self.shift = ws, shift

    def part(self, x):
        b, h, w, c = x.shape
        x = x.view(b, h // self.ws, self.ws, w // self.ws, self.ws, c)
        return x.transpose(0, 1, 3, 2, 4, 5).view(-1, self.ws * self.ws, c)

    def mask(self, h, w):
        m = np.zeros((1, h, w, 1))
        cnt = 0
        sl = (slice(0, -self.ws), slice(-self.ws, -self.shift), slice(-self.shift, None))
        for a in sl:
            for b in sl:
                m[:, a, b, :] = cnt
                cnt += 1
        return Tensor(m, ms.float32)

    def construct(self, x):
        b, h, w, c = x.shape
        m = self.part(self.mask(h, w)).reshape(-1, self.ws**2)
        am = m.expand_dims(1) - m.expand_dims(2)
        am = am.masked_fill(am != 0, -100.0).masked_fill(am == 0, 0.0)
        y = ops.roll(x, (-self.shift, -self.shift), (1, 2))
        q = self.part(y)
        att = ops.softmax(q @ q.swapaxes(1, 2) + am.tile((b, 1, 1)), -1)
        return att @ q


def program_swin():
    n = SwinShift()
    return n(W(1, 4, 4, 3)), ms.grad(lambda x: (n(x) ** 2).sum())(W(1, 4, 4, 3))


class FPN(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lat = nn.CellList([nn.Conv2d(c, 4, 1, weight_init=W(4, c, 1, 1)) for c in (2, 3, 4)])
        self.out = nn.CellList([nn.Conv2d(4, 4, 3, weight_init=W(4, 4, 3, 3)) for _ in range(3)])

    def construct(self, *feats):
        ls = [l(f) for l, f in zip(self.lat, feats)]
        for i in range(len(ls) - 1, 0, -1):
            ls[i - 1] += ops.interpolate(ls[i], size=ls[i - 1].shape[-2:], mode="nearest")
        outs = [o(l) for o, l in zip(self.out, ls)]
        outs.append(ops.max_pool2d(outs[-1], 1, 2))
        return tuple(outs)


def program_fpn():
    n = FPN()
    return n(W(1, 2, 8, 8), W(1, 3, 4, 4), W(1, 4, 2, 2))


class RoI(nn.Cell):
    def construct(self, feat, rois):
        outs = []
        for r in rois:
            b, x1, y1, x2, y2 = [int(v) for v in r]
            outs.append(feat[b, :, y1 : y2 + 1, x1 : x2 + 1].max(axis=(1, 2)))
        return ops.stack(outs)


def program_roi():
    return RoI()(W(2, 3, 6, 6), [[0, 1, 1, 3, 4], [1, 0, 0, 5, 5]]), RoI()(W(2, 3, 6, 6), ((0, 0, 0, 0, 0),))


class Pointer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.q, self.k = D(4, 4), D(4, 4)

    def construct(self, x, steps=3):
        n = x.shape[0]
        mask = ops.zeros(n)
        h = x.mean(0)
        picked = []
        for _ in range(steps):
            s = (self.k(x) @ self.q(h)) - 1e9 * mask
            i = s.argmax()
            mask[i] = 1.0
            picked.append(i)
            h = h + x[i]
        return ops.stack(picked), h


def program_pointer():
    return Pointer()(W(5, 4)), Pointer()(W(5, 4), steps=1)


class Diffusion(nn.Cell):
    def __init__(self, t=5):
        super().__init__()
        b = np.linspace(1e-4, 0.02, t)
        a = np.cumprod(1 - b)
        self.sa, self.sb = Tensor(np.sqrt(a), ms.float32), Tensor(np.sqrt(1 - a), ms.float32)
        self.betas = Tensor(b, ms.float32)
        self.t = t
        self.net = D(3, 3)

    def extract(self, c, t, shape):
        return ops.gather(c, t, 0).reshape((t.shape[0],) + (1,) * (len(shape) - 1))

    def construct(self, x, t, noise):
        xt = self.extract(self.sa, t, x.shape) * x + self.extract(self.sb, t, x.shape) * noise
        return ((self.net(xt) - noise) ** 2).mean()

    @ms.jit
    def sample(self, x):
        for i in reversed(range(self.t)):
            x = (x - self.betas[i] / self.sb[i] * self.net(x)) / (1 - self.betas[i]) ** 0.5
        return x


def program_diff():
    n = Diffusion()
    return (
        n(W(2, 3), Tensor([1, 3], ms.int32), W(2, 3, k=1)),
        n.sample(W(2, 3)),
        ms.value_and_grad(n, None, n.trainable_params())(W(2, 3), Tensor([1, 3], ms.int32), W(2, 3, k=1)),
    )


class DEQ(nn.Cell):
    """fixed point by while, implicit derivative by a custom bprop"""

    def __init__(self):
        super().__init__()
        self.w = Tensor(np.random.RandomState(0).randn(3, 3).astype(np.float32) * 0.2)

    def construct(self, x):
        z = ops.zeros_like(x)
        d = Tensor(1.0)
        while d > 1e-5:
            n = ops.tanh(z @ self.w + x)
            d = ops.abs(n - z).max()
            z = n
        return z

    def bprop(self, x, out, dout):
        g = dout
        s = 1 - out**2
        for _ in range(30):
            g = dout + (g * s) @ self.w.T
        return (g * s,)


def program_deq():
    n = DEQ()
    return n(W(2, 3)), ms.grad(lambda x: n(x).sum())(W(2, 3))


def newton(f, x0, tol=1e-6, maxit=20):
    df = ms.grad(f)
    x = x0
    i = 0
    while ops.abs(f(x)) > tol and i < maxit:
        x = x - f(x) / df(x)
        i += 1
    return x, i


def program_newton():
    return ms.jit(lambda a: newton(lambda x: x**3 - a, Tensor(1.0)))(Tensor(8.0)), ms.grad(
        ms.jit(lambda a: newton(lambda x: x * x - a, Tensor(1.0))[0])
    )(Tensor(4.0))


def cg(A, b, n):
    x = ops.zeros_like(b)
    r = b - A @ x
    p = r
    rs = (r * r).sum()
    for _ in range(n):
        Ap = A @ p
        al = rs / (p * Ap).sum()
        x = x + al * p
        r = r - al * Ap
        new = (r * r).sum()
        if ops.sqrt(new) < 1e-6:
            break
        p = r + new / rs * p
        rs = new
    return x


def program_cg():
    A = np.eye(3, dtype=np.float32) * 2 + 0.1
    f = ms.jit(lambda A, b: cg(A, b, 5))
    return f(Tensor(A), W(3)), ms.grad(lambda b: f(Tensor(A), b).sum())(W(3))


def sinkhorn(c, reg, n):
    k = ops.exp(-c / reg)
    u = ops.ones(c.shape[0]) / c.shape[0]
    for _ in range(n):
        v = 1.0 / (k.T @ u) / c.shape[1]
        u = 1.0 / (k @ v) / c.shape[0]
    return u[:, None] * k * v[None]


def program_sinkhorn():
    f = ms.jit(lambda c: sinkhorn(c, 0.5, 5))
    return f(ops.abs(W(3, 4))), ms.grad(lambda c: (f(c) * c).sum())(ops.abs(W(3, 4)))


def viterbi_w(em, tr, n):
    s = em[0]
    t = Tensor(1)
    ptr = ops.zeros(em.shape, ms.int32)
    while t < n:
        m = s[:, None] + tr + em[t][None]
        ptr[t] = m.argmax(0).astype(ms.int32)
        s = m.max(0)[0]
        t = t + 1
    path = ops.zeros((em.shape[0],), ms.int32)
    best = s.argmax().astype(ms.int32)
    t = n - 1
    path[t] = best
    while t > 0:
        best = ptr[t][best]
        t = t - 1
        path[t] = best
    return path, s.max()


def program_viterbi():
    f = ms.jit(viterbi_w)
    return f(W(5, 3), W(3, 3, k=1), Tensor(5)), f(W(5, 3), W(3, 3, k=1), Tensor(3))


def edit_distance(a, b):
    n, m = a.shape[0], b.shape[0]
    d = ops.zeros((n + 1, m + 1), ms.int32)
    d[:, 0] = ops.arange(n + 1).astype(ms.int32)
    d[0] = ops.arange(m + 1).astype(ms.int32)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            c = (a[i - 1] != b[j - 1]).astype(ms.int32)
            d[i, j] = ops.minimum(ops.minimum(d[i - 1, j] + 1, d[i, j - 1] + 1), d[i - 1, j - 1] + c)
    return d[n, m]


def program_edit():
    return ms.jit(edit_distance)(Tensor([1, 2, 3, 4]), Tensor([2, 3, 5]))


def kmeans(x, c, n):
    for _ in range(n):
        d = ((x[:, None] - c[None]) ** 2).sum(-1)
        a = d.argmin(1)
        oh = ops.one_hot(a, c.shape[0]).astype(x.dtype)
        c = (oh.T @ x) / ops.maximum(oh.sum(0)[:, None], Tensor(1.0))
    return c, a


def program_kmeans():
    return ms.jit(kmeans)(W(8, 2), W(3, 2, k=1), 4)


def bfs(adj, src):
    n = adj.shape[0]
    dist = ops.full((n,), -1, dtype=ms.int32)
    dist[src] = 0
    frontier = dist == 0
    step = 0
    while frontier.any():
        step += 1
        nxt = ops.logical_and((adj.astype(ms.float32) @ frontier.astype(ms.float32)) > 0, dist < 0)
        dist = ops.where(nxt, ops.full_like(dist, 1) * step, dist)
        frontier = nxt
    return dist, step


def program_bfs():
    a = np.zeros((5, 5), np.int32)
    for i, j in ((0, 1), (1, 2), (2, 3)):
        a[i, j] = a[j, i] = 1
    return ms.jit(bfs)(Tensor(a), Tensor(0)), ms.jit(bfs)(Tensor(a), Tensor(4))


def power_iter(a, tol):
    v = ops.ones((a.shape[0],))
    lam = Tensor(0.0)
    done = False
    while not done:
        w = a @ v
        new = ops.norm(w)
        v = w / new
        done = ops.abs(new - lam) < tol
        lam = new
    return lam, v


def program_power():
    a = W(3, 3)
    return ms.jit(power_iter)(a @ a.T, Tensor(1e-4))


def rejection(u, thr):
    i = 0
    acc = Tensor(0.0)
    for v in u:
        if v < thr:
            continue
        acc = acc + v
        i += 1
        if i >= 3:
            break
    else:
        acc = acc * -1
    return acc, i


def program_rejection():
    f = ms.jit(rejection)
    return (
        f(Tensor([0.1, 0.9, 0.8, 0.2, 0.7, 0.95]), Tensor(0.5)),
        f(Tensor([0.1, 0.9]), Tensor(0.5)),
        ms.grad(lambda u: f(u, Tensor(0.5))[0])(Tensor([0.1, 0.9, 0.8, 0.2, 0.7, 0.95])),
    )


class EarlyExit(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bl = nn.CellList([D(3, 3) for _ in range(3)])
        self.heads = nn.CellList([D(3, 2) for _ in range(3)])

    def construct(self, x, thr):
        for i, (b, h) in enumerate(zip(self.bl, self.heads)):
            x = ops.relu(b(x))
            p = ops.softmax(h(x))
            conf = p.max()
            if conf > thr:
                return p, i
        return p, -1


def program_exit():
    n = EarlyExit()
    return (
        n(W(1, 3), Tensor(0.9)),
        n(W(1, 3), Tensor(0.1)),
        n(W(1, 3), Tensor(2.0)),
        ms.value_and_grad(lambda x, t: n(x, t)[0].max(), 0, n.trainable_params())(W(1, 3), Tensor(0.6)),
    )


class ACT(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cell, self.halt = D(3, 3), D(3, 1)

    def construct(self, x):
        p = ops.zeros((x.shape[0], 1))
        out = ops.zeros_like(x)
        n = ops.zeros((x.shape[0], 1))
        k = 0
        while (p < 0.99).any() and k < 6:
            x = ops.tanh(self.cell(x))
            h = ops.sigmoid(self.halt(x))
            still = (p < 0.99).astype(ms.float32)
            last = ((p + h * still) > 0.99).astype(ms.float32) * still
            wgt = h * still * (1 - last) + (1 - p) * last
            p = p + wgt
            out = out + wgt * x
            n = n + still
            k += 1
        return out, n, k


def program_act():
    n = ACT()
    return n(W(2, 3)), ms.value_and_grad(lambda x: n(x)[0].sum(), 0, n.trainable_params())(W(2, 3))


class SNorm(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(W(3, 4), name="w")
        self.u = Parameter(W(3, k=1), name="u", requires_grad=False)

    def construct(self, x):
        u, w = self.u, ops.stop_gradient(self.w)
        v = ops.L2Normalize()(w.T @ u)
        u = ops.L2Normalize()(w @ v)
        if self.training:
            self.u = u
        return x @ (self.w / (u @ self.w @ v)).T


def program_snorm():
    n = SNorm()
    a = n(W(2, 4))
    n.set_train()
    b = n(W(2, 4))
    c = n(W(2, 4))
    return a, b, c, n.u.asnumpy()


class BNHand(nn.Cell):
    def __init__(self, c):
        super().__init__()
        self.g, self.b = Parameter(ops.ones(c), name="g"), Parameter(ops.zeros(c), name="b")
        self.mm = Parameter(ops.zeros(c), name="mm", requires_grad=False)
        self.mv = Parameter(ops.ones(c), name="mv", requires_grad=False)

    def construct(self, x):
        if self.training:
            m, v = x.mean(0), x.var(0)
            ops.assign(self.mm, 0.9 * self.mm + 0.1 * m)
            self.mv.set_data(0.9 * self.mv + 0.1 * v) if False else ops.assign(
                self.mv, 0.9 * self.mv + 0.1 * v
            )
        else:
            m, v = self.mm, self.mv
        return (x - m) / ops.sqrt(v + 1e-5) * self.g + self.b


def program_bn():
    n = BNHand(3).set_train()
    a = n(W(4, 3))
    g = ms.value_and_grad(lambda x: (n(x) ** 3).sum(), 0, n.trainable_params())(W(4, 3))
    n.set_train(False)
    return a, g, n(W(4, 3)), n.mm.asnumpy()


class Ensemble(nn.Cell):
    def __init__(self):
        super().__init__()
        self.nets = nn.CellList([D(3, 2) for _ in range(3)])
        self.weights = [0.2, 0.3, 0.5]

    def construct(self, x, reduce="mean"):
        ys = [n(x) for n in self.nets]
        fn = {
            "mean": lambda v: sum(w * y for w, y in zip(self.weights, v)),
            "max": lambda v: functools.reduce(ops.maximum, v),
            "vote": lambda v: ops.stack([y.argmax(-1) for y in v]).astype(ms.float32).mean(0),
        }.get(reduce)
        if fn is None:
            raise KeyError(f"unknown reduction {reduce!r}")
        return fn(ys)


def program_ensemble():
    n = Ensemble()
    out = [n(W(2, 3), r) for r in ("mean", "max", "vote")]
    try:
        n(W(2, 3), "foo")
    except KeyError as e:
        out.append(str(e))
    return out


class Siamese(nn.Cell):
    def __init__(self, margin=1.0):
        super().__init__()
        self.enc = nn.SequentialCell(OrderedDict([("fc", D(3, 4)), ("act", nn.Tanh())]))
        self.m = margin

    def construct(self, a, b, y):
        d = ops.norm(self.enc(a) - self.enc(b), dim=-1)
        return (y * d**2 + (1 - y) * ops.relu(self.m - d) ** 2).mean()


def program_siamese():
    n = Siamese()
    return ms.value_and_grad(n, None, n.trainable_params())(W(2, 3), W(2, 3, k=1), Tensor([1.0, 0.0]))


def triplet(e, y, m=0.2):
    d = ops.cdist(e, e)
    same = y[:, None] == y[None]
    inf = Tensor(1e9)
    hp = ops.where(same, d, -inf).max(1)[0]
    hn = ops.where(same, inf, d).min(1)[0]
    return ops.relu(hp - hn + m).mean()


def program_triplet():
    f = ms.jit(triplet)
    return f(W(4, 3), Tensor([0, 0, 1, 1])), ms.grad(f)(W(4, 3), Tensor([0, 0, 1, 1]))


def nt_xent(a, b, t=0.5):
    z = ops.cat((a, b))
    z = z / ops.norm(z, dim=1, keepdim=True)
    n = z.shape[0]
    s = z @ z.T / t
    s = s.masked_fill(ops.eye(n).astype(ms.bool_), -1e9)
    return ops.cross_entropy(s, ops.cat((ops.arange(n // 2, n), ops.arange(0, n // 2))).astype(ms.int32))


def program_ntxent():
    f = ms.jit(nt_xent)
    return f(W(3, 4), W(3, 4, k=1)), ms.grad(f, (0, 1))(W(3, 4), W(3, 4, k=1))


class Mem(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mem = Parameter(W(4, 3), name="mem", requires_grad=False)
        self.ptr = 0

    def construct(self, k):
        s = ops.softmax(k @ self.mem.T)
        r = s @ self.mem
        self.mem[self.ptr % 4] = k[0]
        self.ptr += 1
        return r


def program_mem():
    n = Mem()
    return [n(W(1, 3, k=i)) for i in range(5)], n.mem.asnumpy(), n.ptr


class Hyper(nn.Cell):
    def __init__(self):
        super().__init__()
        self.gen = D(2, 3 * 2 + 2)

    def construct(self, z, x):
        p = self.gen(z)[0]
        w, b = p[:6].view(2, 3), p[6:]
        return x @ w.T + b


def program_hyper():
    n = Hyper()
    return ms.value_and_grad(lambda z, x: n(z, x).sum(), (0, 1), n.trainable_params())(W(1, 2), W(2, 3))


def unroll_opt(w, x, y, n):
    m = v = ops.zeros_like(w)
    for t in range(1, n + 1):
        l, g = ms.value_and_grad(lambda w: ((x @ w - y) ** 2).mean())(w)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        w = w - 0.1 * (m / (1 - 0.9**t)) / (ops.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w, l


def program_unroll():
    f = ms.jit(unroll_opt)
    return f(W(3), W(5, 3, k=1), W(5, k=2), 3), ms.grad(lambda w: f(w, W(5, 3, k=1), W(5, k=2), 3)[1])(W(3))


def program_hvp():
    f = lambda x: (x**3).sum() + (x[0] * x[1]) ** 2
    h = ms.jit(lambda x, v: ms.grad(lambda y: (ms.grad(f)(y) * v).sum())(x))
    j = ms.jit(lambda x: ms.jacrev(ms.grad(f))(x)) if hasattr(ms, "jacrev") else None
    return (
        h(W(3), W(3, k=1)),
        j(W(3)) if j else 0,
        ms.jvp(ms.jit(f), W(3), W(3, k=1)),
        ms.vmap(ms.grad(f))(W(2, 3)),
    )
