"""Kernels as users write them: stencils, scans, reductions, layers of networks."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

from mindspore.ops import kernel


@kernel
def saxpy(a, x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = a[0] * x[i] + y[i]
    return z


@kernel
def outer(a, b):
    c = output_tensor((a.shape[0], b.shape[0]), a.dtype)
    for i, j in grid(c.shape):
        c[i, j] = a[i] * b[j]
    return c


@kernel
def product(a, b):
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)
    with block_realize(c):
        for i in parallel(a.shape[0]):
            for j in range(b.shape[1]):
                c[i, j] = 0.0
                for k in reduce(a.shape[1]):
                    c[i, j] = c[i, j] + a[i, k] * b[k, j]
    return c


@kernel
def product_in_rows(a, b):
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)
    for i in parallel(a.shape[0]):
        for k in serial(a.shape[1]):
            for j in vectorize(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


@kernel
def heat(x):
    y = output_tensor(x.shape, x.dtype)
    n, m = x.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            y[i, j] = x[i, j] + 0.1 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4.0 * x[i, j])
    return y


@kernel
def heat_often(x):
    y = output_tensor(x.shape, x.dtype)
    z = allocate(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i]
    for _ in range(3):
        for i in range(x.shape[0]):
            left = y[i - 1] if i > 0 else y[i]
            right = y[i + 1] if i < x.shape[0] - 1 else y[i]
            z[i] = y[i] + 0.2 * (left - 2.0 * y[i] + right) * y[i]
        for i in range(x.shape[0]):
            y[i] = z[i]
    return y


@kernel
def relaxed_in_place(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i]
    for _ in range(2):
        for i in range(1, x.shape[0] - 1):
            y[i] = 0.5 * sin(y[i - 1]) + 0.5 * y[i + 1] * y[i]
    return y


@kernel
def running_sum(x):
    y = output_tensor(x.shape, x.dtype)
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        y[i] = total
    return y


@kernel
def running_product(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i] if i == 0 else y[i - 1] * x[i]
    return y


@kernel
def running_maximum(x):
    y = output_tensor(x.shape, x.dtype)
    most = x[0]
    for i in range(x.shape[0]):
        most = max(most, x[i])
        y[i] = most
    return y


@kernel
def backwards(x):
    y = output_tensor(x.shape, x.dtype)
    held = 1.0
    for i in range(x.shape[0] - 1, -1, -1):
        held = tanh(held * x[i])
        y[i] = held
    return y


@kernel
def every_third(x):
    y = output_tensor((ceil_div(x.shape[0], 3),), x.dtype)
    s = 1.0
    for i in range(0, x.shape[0], 3):
        s = s * cos(x[i])
        y[i // 3] = s
    return y


@kernel
def layer_norm(x, g, b):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[1]
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += x[i, j]
        mean = s / n
        v = 0.0
        for j in range(n):
            d = x[i, j] - mean
            v += d * d
        r = rsqrt(v / n + 1e-5)
        for j in range(n):
            y[i, j] = (x[i, j] - mean) * r * g[j] + b[j]
    return y


@kernel
def layer_norm_gelu(x, g, b):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[1]
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += x[i, j]
        mean = s / n
        v = 0.0
        for j in range(n):
            v += (x[i, j] - mean) ** 2
        r = rsqrt(v / n + 1e-5)
        for j in range(n):
            h = (x[i, j] - mean) * r * g[j] + b[j]
            y[i, j] = 0.5 * h * (1.0 + tanh(0.7978845608 * (h + 0.044715 * h ** 3)))
    return y


@kernel
def rms_norm(x, g):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j] * x[i, j]
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / sqrt(s / x.shape[1] + 1e-6) * g[j]
    return y


@kernel
def softmax(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        most = x[i, 0]
        for j in range(x.shape[1]):
            most = max(most, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            y[i, j] = exp(x[i, j] - most)
            total += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] = y[i, j] / total
    return y


@kernel
def softmax_online(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        most = x[i, 0]
        total = 1.0
        for j in range(1, x.shape[1]):
            if x[i, j] > most:
                total = total * exp(most - x[i, j]) + 1.0
                most = x[i, j]
            else:
                total += exp(x[i, j] - most)
        for j in range(x.shape[1]):
            y[i, j] = exp(x[i, j] - most) / total
    return y


@kernel
def cross_entropy(x, label):
    y = output_tensor((x.shape[0],), x.dtype)
    for i in range(x.shape[0]):
        most = x[i, 0]
        for j in range(x.shape[1]):
            most = max(most, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            total += exp(x[i, j] - most)
        y[i] = log(total) + most - x[i, label[i]]
    return y


@kernel
def attention(q, k, v):
    y = output_tensor((q.shape[0], v.shape[1]), q.dtype)
    scores = allocate((q.shape[0], k.shape[0]), q.dtype)
    for i in range(q.shape[0]):
        total = 0.0
        for j in range(k.shape[0]):
            s = 0.0
            for c in range(q.shape[1]):
                s += q[i, c] * k[j, c]
            scores[i, j] = exp(s * 0.5)
            total += scores[i, j]
        for c in range(v.shape[1]):
            s = 0.0
            for j in range(k.shape[0]):
                s += scores[i, j] * v[j, c]
            y[i, c] = s / total
    return y
