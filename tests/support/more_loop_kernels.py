"""Further kernels as users write them: windows, gathers, sorting, recurrences, conditions."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

from mindspore.ops import kernel

LIMIT = 0.5


@kernel
def convolution(x, w):
    n, m = w.shape
    y = output_tensor((x.shape[0] - n + 1, x.shape[1] - m + 1), x.dtype)
    for i, j in grid(y.shape):
        s = 0.0
        for a, b in grid(w.shape):
            s += x[i + a, j + b] * w[a, b]
        y[i, j] = s
    return y


@kernel
def convolution_padded(x, w):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[0]
    for i in range(n):
        for a in range(w.shape[0]):
            at = i + a - w.shape[0] // 2
            if at >= 0 and at < n:
                y[i] += x[at] * w[a]
    return y


@kernel
def convolution_clipped(x, w):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        for a in range(max(0, i - 1), min(x.shape[0], i + 2)):
            y[i] += x[a] * w[a - i + 1] * x[i]
    return y


@kernel
def maximum_pool(x):
    y = output_tensor((x.shape[0] // 2, x.shape[1] // 2), x.dtype)
    for i in range(x.shape[0] // 2):
        for j in range(x.shape[1] // 2):
            most = x[2 * i, 2 * j]
            for a, b in grid((2, 2)):
                most = max(most, x[2 * i + a, 2 * j + b])
            y[i, j] = most
    return y


@kernel
def average_pool(x):
    y = output_tensor((x.shape[0] // 3,), x.dtype)
    for i in range(y.shape[0]):
        s = 0.0
        for a in range(3):
            s += x[3 * i + a]
        y[i] = s / 3.0
    return y


@kernel
def upsampled(x):
    y = output_tensor((2 * x.shape[0], 2 * x.shape[1]), x.dtype)
    for i, j in grid(y.shape):
        y[i, j] = x[i // 2, j // 2] * x[i // 2, j // 2]
    return y


@kernel
def interpolated(x):
    y = output_tensor((2 * x.shape[0] - 1,), x.dtype)
    for i in range(x.shape[0]):
        y[2 * i] = x[i]
    for i in range(x.shape[0] - 1):
        y[2 * i + 1] = sqrt(x[i] * x[i] + x[i + 1] * x[i + 1])
    return y


@kernel
def gathered(x, index):
    y = output_tensor((index.shape[0],), x.dtype)
    for i in range(index.shape[0]):
        y[i] = x[index[i]] * x[index[i]]
    return y


@kernel
def scattered(x, index):
    y = output_tensor((8,), x.dtype)
    for i in range(index.shape[0]):
        y[index[i]] += exp(x[i])
    return y


@kernel
def scattered_maximum(x, index):
    y = output_tensor((8,), x.dtype)
    for i in range(index.shape[0]):
        y[index[i]] = max(y[index[i]], x[i] * x[i])
    return y


@kernel
def histogram(x):
    y = output_tensor((5,), "int32")
    for i in range(x.shape[0]):
        y[int(min(max(floor(x[i] * 2.0), -2.0), 2.0)) + 2] += 1
    return y


@kernel
def where_most(x):
    y = output_tensor((x.shape[0],), "int64")
    z = output_tensor((x.shape[0],), x.dtype)
    for i in range(x.shape[0]):
        place = 0
        for j in range(x.shape[1]):
            if x[i, j] > x[i, place]:
                place = j
        y[i] = place
        z[i] = x[i, place] ** 2
    return y, z


@kernel
def sorted_rows(x):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[1]
    for i in range(x.shape[0]):
        for j in range(n):
            y[i, j] = x[i, j] * x[i, j]
        for a in range(n):
            for j in range(n - 1):
                if (a + j) % 2 == 0 and y[i, j] > y[i, j + 1]:
                    y[i, j], y[i, j + 1] = y[i, j + 1], y[i, j]
    return y


@kernel
def recurrence(x, w):
    y = output_tensor(x.shape, x.dtype)
    for b in range(x.shape[1]):
        h = 0.0
        for t in range(x.shape[0]):
            h = tanh(w[0] * h + w[1] * x[t, b])
            y[t, b] = h
    return y


@kernel
def lstm(x, w):
    y = output_tensor(x.shape, x.dtype)
    for b in range(x.shape[1]):
        h = 0.0
        c = 0.0
        for t in range(x.shape[0]):
            i = sigmoid(w[0] * x[t, b] + w[1] * h)
            f = sigmoid(w[2] * x[t, b] + w[3] * h)
            o = sigmoid(w[4] * x[t, b] + w[5] * h)
            c = f * c + i * tanh(w[6] * x[t, b] + w[7] * h)
            h = o * tanh(c)
            y[t, b] = h
    return y


@kernel
def horner(x, c):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        p = c[0]
        for k in range(1, c.shape[0]):
            p = p * x[i] + c[k]
        y[i] = p
    return y


@kernel
def piecewise(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        if x[i] > LIMIT:
            y[i] = x[i] * x[i]
        elif x[i] < -LIMIT:
            y[i] = exp(x[i])
        else:
            s = x[i]
            for _ in range(3):
                s = sin(s)
            y[i] = s
    return y


@kernel
def triangle(a, b):
    x = output_tensor(b.shape, b.dtype)
    for i in range(b.shape[0]):
        s = b[i]
        for j in range(i):
            s -= a[i, j] * x[j]
        x[i] = s / (a[i, i] + 3.0)
    return x


@kernel
def sparse_product(values, columns, rows, x):
    y = output_tensor((rows.shape[0] - 1,), x.dtype)
    for i in range(rows.shape[0] - 1):
        for k in range(rows[i], rows[i + 1]):
            y[i] += values[k] * x[columns[k]]
    return y


@kernel
def distances(x, y):
    d = output_tensor((x.shape[0], y.shape[0]), x.dtype)
    for i, j in grid(d.shape):
        s = 0.0
        for k in range(x.shape[1]):
            s += (x[i, k] - y[j, k]) ** 2
        d[i, j] = sqrt(s + 0.01)
    return d


@kernel
def functions(x):
    y = output_tensor((x.shape[0], 16), x.dtype)
    for i in range(x.shape[0]):
        v = x[i]
        p = abs(v) + 0.5
        y[i, 0] = exp(v) * expm1(v)
        y[i, 1] = log(p)
        y[i, 2] = sqrt(p) * rsqrt(p + 1.0)
        y[i, 3] = tanh(v) + sigmoid(v)
        y[i, 4] = erf(v)
        y[i, 5] = sin(v) * cos(v)
        y[i, 6] = atan(v)
        y[i, 7] = atan2(v, p)
        y[i, 8] = power(p, v)
        y[i, 9] = p ** -1.5
        y[i, 10] = floor(v) + ceil(v) * v + trunc(v) + round(v * 3.0)
        y[i, 11] = sign(v) * v * v
        y[i, 12] = v % p
        y[i, 13] = min(v, p, v * v)
        y[i, 14] = 1.0 if isnan(v) or isinf(v) or not isfinite(v) else v * v
        y[i, 15] = v // 0.3 - -v / p
    return y


@kernel
def moments(x):
    mean = output_tensor((1,), x.dtype)
    spread = output_tensor((1,), x.dtype)
    s = 0.0
    q = 0.0
    for i, j in grid(x.shape):
        s += x[i, j]
        q += x[i, j] * x[i, j]
    n = x.shape[0] * x.shape[1]
    mean[0] = s / n
    spread[0] = sqrt(q / n - (s / n) ** 2 + 1.0)
    return mean, spread


@kernel
def transposed(x):
    y = output_tensor((x.shape[1], x.shape[0]), x.dtype)
    for i, j in grid(x.shape):
        y[j, i] = x[i, j] ** 3
    return y


@kernel
def edit_distance(a, b):
    n, m = a.shape[0], b.shape[0]
    d = allocate((n + 1, m + 1), a.dtype)
    y = output_tensor((1,), a.dtype)
    for i in range(n + 1):
        d[i, 0] = 0.4 * float32(i) if a.dtype == "float32" else 0.4 * i
    for j in range(m + 1):
        d[0, j] = 0.4 * float32(j) if a.dtype == "float32" else 0.4 * j
    for i in range(n):
        for j in range(m):
            d[i + 1, j + 1] = min(d[i, j] + (a[i] - b[j]) ** 2, d[i, j + 1] + 0.4, d[i + 1, j] + 0.4)
    y[0] = d[n, m]
    return y
