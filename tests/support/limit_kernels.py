"""Kernels whose loops go down, in strides, from other places than 0; whose indices are folded, mirrored, bounded."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

from mindspore.ops import kernel


@kernel
def down_by_three(x):
    y = output_tensor(x.shape, x.dtype)
    s = 1.0
    for i in range(x.shape[0] - 1, -1, -3):
        s = s * cos(x[i]) + x[i]
        y[i] = s
    return y


@kernel
def down_between(x):
    y = output_tensor(x.shape, x.dtype)
    s = 0.5
    for i in range(x.shape[0] - 2, 1, -2):
        s = s * x[i]
        y[i] = s + x[i + 1]
    return y


@kernel
def up_by_three(x):
    y = output_tensor(x.shape, x.dtype)
    s = 0.5
    for i in range(1, x.shape[0] - 1, 3):
        s = s * x[i] + sin(s)
        y[i] = s * x[i + 1]
    return y


@kernel
def folded(x):
    y = output_tensor((3,), x.dtype)
    z = output_tensor((x.shape[0] // 2 + 1,), x.dtype)
    for i in range(x.shape[0]):
        y[i % 3] += x[i] * x[i]
        z[i // 2] += x[i] * x[0]
    return y, z


@kernel
def mirrored(x):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[0]
    for i in range(n):
        y[n - 1 - i] = x[i] * x[n - 1 - i] * x[i]
    return y


@kernel
def in_pairs(x):
    y = output_tensor((2 * x.shape[0],), x.dtype)
    for i in range(x.shape[0]):
        y[2 * i] = x[i] * x[i]
        y[2 * i + 1] = y[2 * i] * x[i]
    return y


@kernel
def from_pair_to_pair(x):
    n = x.shape[0]
    y = output_tensor((2 * n + 2,), x.dtype)
    y[0] = x[0]
    for i in range(n):
        y[2 * i + 2] = y[2 * i] * 0.5 + x[i] * x[i]
    return y


@kernel
def from_second_to_second(x):
    y = output_tensor(x.shape, x.dtype)
    y[0] = x[0]
    for i in range(0, x.shape[0] - 2, 2):
        y[i + 1] = y[i] * x[i + 1]
        y[i + 2] = y[i] + x[i + 2] * x[i]
    return y


@kernel
def taken_away(x):
    y = output_tensor(x.shape, x.dtype)
    s = 2.0
    t = 1.0
    for i in range(x.shape[0]):
        s -= x[i] * x[i]
        t = x[i] - t
        y[i] = s * t
    return y


@kernel
def bounded(x):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[0]
    for i in range(n):
        y[i] = x[min(i + 2, n - 1)] * x[max(i - 3, 0)]
    return y


@kernel
def edges(x):
    y = output_tensor(x.shape, x.dtype)
    z = output_tensor(x.shape, x.dtype)
    n = x.shape[0]
    for i in range(n):
        if i < 2 or i >= n - 1:
            y[i] = x[i]
        else:
            y[i] = x[i - 2] * x[i + 1]
        if i > 0 and i + 2 < n:
            z[i] = x[i - 1] * x[i + 2]
        else:
            z[i] = -x[i] * x[i]
        if i >= n - 1:
            z[i] += x[0]
        else:
            z[i] += x[i + 1] * x[i]
    return y, z


@kernel
def counted(x):
    y = output_tensor(x.shape, x.dtype)
    k = 0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            k += 2
        else:
            k += 1
        y[i] = x[i] * k / (i + 1) * x[i]
    return y


@kernel
def stored_twice(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i]
        y[i] = y[i] * sin(y[i])
        y[i] += x[i]
    return y


@kernel
def inner_from_two(x):
    y = output_tensor((x.shape[0],), x.dtype)
    for i in range(x.shape[0]):
        s = x[i, 0]
        for j in range(2, x.shape[1]):
            s = s * x[i, j] + sin(s)
        y[i] = s * x[i, 1]
    return y


@kernel
def upper_triangle(x):
    n = x.shape[0]
    y = output_tensor((n,), x.dtype)
    for i in range(n):
        s = 1.0
        for j in range(i, n):
            s = s * cos(x[j]) + x[i]
            y[j] += s * x[i]
    return y


@kernel
def begun_outside(x):
    y = output_tensor((2,), x.dtype)
    a = x[0] * x[0]
    s = a
    for i in range(1, x.shape[0]):
        s = s + x[i] * a
    y[0] = s * a
    y[1] = a
    return y


@kernel
def one_of_two(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        a = x[i]
        b = 1.0
        if x[i] > 0.0:
            a = a * a
            b = a * x[0]
        y[i] = a * b + a
    return y
