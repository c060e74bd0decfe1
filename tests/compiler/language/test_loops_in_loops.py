# ruff: noqa  # programs as users write them
"""Names that a loop within a loop on a tensor binds."""

from __future__ import annotations

import mindspore as ms
import mindspore.ops as ops
import numpy as np
from inputs import T
from mindspore import Tensor


def test_both_modes_agree(program, alike):
    alike(program)


def program_inner_loop_name():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            for j in range(3):
                t = x * j
            x = x + t
            i += 1
        return x, t

    return f(T(3), Tensor(2))


def program_inner_tensor_loop_name():
    @ms.jit
    def f(x, n, m):
        i = 0
        while i < n:
            j = 0
            while j < m:
                t = x * j
                j += 1
            x = x + t
            i += 1
        return x

    return f(T(3), Tensor(2), Tensor(3)), f(T(3), Tensor(1), Tensor(1))


def program_inner_tensor_loop_name_after():
    @ms.jit
    def f(x, n, m):
        i = 0
        while i < n:
            j = 0
            while j < m:
                t = x * j + i
                j += 1
            i += 1
        return x + t, j

    return f(T(3), Tensor(2), Tensor(3)), f(T(3), Tensor(1), Tensor(1))


def program_inner_for_tensor():
    @ms.jit
    def f(x, n):
        for i in range(n):
            for j in range(n):
                best = x * j
                if best.sum() > 1:
                    found = best
                else:
                    found = x
            x = x + found
        return x, best

    return f(T(3), Tensor(2))


def program_inner_break_name():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            for j in range(4):
                hit = x.sum() + j
                if hit > 2:
                    break
            x = x * 0.5 + hit
            i += 1
        return x, hit

    return f(T(3), Tensor(3)), f(T(3), Tensor(1))


def program_inner_try_name():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            j = 0
            while j < 2 and x.sum() > 0:
                last = (x, j)
                x = x - 1
                j += 1
            i += 1
        return last[0], last[1]

    return f(ops.abs(T(3)), Tensor(2))


def program_inner_keep_before():
    @ms.jit
    def f(x, ms_):
        out = x * 0
        for m in ms_:  # a loop on a tensor's rows; inner loop may run no pass in later passes
            j = 0
            while j < m:
                t = x * m + j
                j += 1
            out = out + t
        return out, t

    return f(T(3), Tensor([2, 0, 3, 0])), f(T(3), Tensor([1, 0]))


def program_inner_keep_before2():
    @ms.jit
    def f(x, ms_):
        k = 0
        out = x * 0
        while k < 3:
            j = 0
            while j < ms_[k]:
                t = x * k + j
                last = j
                j += 1
            out = out + t * last
            k += 1
        return out, t, last

    r = [f(T(3), Tensor([2, 0, 3])), f(T(3), Tensor([1, 0, 0]))]
    try:
        f(T(3), Tensor([0, 1, 2]))
    except UnboundLocalError as e:
        r.append(type(e).__name__)
    return r, ms.grad(lambda x: f(x, Tensor([2, 0, 3]))[0].sum())(T(3))


def program_inner_shapes_differ():
    @ms.jit
    def f(x, n):
        k = 0
        while k < n:
            j = 0
            while j < n:
                t = x * j
                j += 1
            x = x + t
            j = 0
            while j < n:
                t = x.sum()
                j += 1
            x = x + t
            k += 1
        return x

    return f(T(3), Tensor(2))


def program_three_deep():
    @ms.jit
    def f(x, n):
        a = n * 0
        while a < n:
            b = n * 0
            while b < n:
                c = n * 0
                while c < n:
                    v = x + a + b + c
                    w = (a, v)
                    c += 1
                b += 1
            a += 1
        return v, w

    r = [f(T(3), Tensor(2))]
    try:
        f(T(3), Tensor(0))
    except UnboundLocalError:
        r.append("unbound")
    return r


def program_inner_cond():
    @ms.jit
    def f(x, n):
        for i in range(n):
            for j in range(n):
                if (x * j).sum() > 1:
                    hit = x * j
                else:
                    hit = x - j
            x = x * 0.5
        return hit, i, j

    return f(T(3), Tensor(3))


def program_inner_return():
    @ms.jit
    def f(x, n):
        i = 0
        while i < n:
            j = 0
            while j < n:
                t = x * j
                if t.sum() > 3:
                    return t, i
                j += 1
            x = x + 1
            i += 1
        return t, i

    return f(T(3), Tensor(3)), f(T(3), Tensor(1)), f(-ops.abs(T(3)), Tensor(2))
