# ruff: noqa  # programs as users write them
"""Parts of networks as people write them: windows, pyramids, fixed points, early exits, memories."""

from __future__ import annotations

import functools

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import D, W
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


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
