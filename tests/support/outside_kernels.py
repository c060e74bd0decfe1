"""Kernels that look one element too far, each by another kind of index; the number says which size is just enough."""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

from mindspore.ops import kernel


@kernel
def next_one(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[i + 1]
    return z


@kernel
def difference(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[x.shape[0] - i]
    return z


@kernel
def downwards(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0], 0, -1):
        z[i - 1] = y[i]
    return z


@kernel
def folded(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[i % 8]
    return z


@kernel
def halved(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[(i + 9) // 2]
    return z


@kernel
def least(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[min(i + 2, 7)]
    return z


@kernel
def most(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[max(i, 7)]
    return z


@kernel
def on_one_side(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        if i < y.shape[0] - 1:
            z[i] = y[i + 1]
        else:
            z[i] = y[i - 1]
    return z


@kernel
def on_the_other_side(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        if i > 7:
            z[i] = 0.0
        else:
            z[i] = y[i]
    return z


@kernel
def twice(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = y[2 * i - x.shape[0] + 1 + max(0, x.shape[0] - 1 - 2 * i)]
    return z
