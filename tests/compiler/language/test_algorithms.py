# ruff: noqa  # programs as users write them
"""Algorithms as people write them, with loops, early ends and gradients."""

from __future__ import annotations

import mindspore as ms
import mindspore.ops as ops
import numpy as np
from inputs import W
from mindspore import Tensor


def test_both_modes_agree(program, alike):
    alike(program)


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
