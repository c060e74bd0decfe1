# ruff: noqa  # programs as users write them
"""Several names of one tensor, through loops, branches, lists, objects and closures."""

from __future__ import annotations

from mindspore import Tensor, ops

V, W = [1.0, -2.0, 4.0], [0.5, 2.0, -1.0]
WHOLE = """
list_start same_through same_inside branch_both loop_change_view
""".split()


def test_both_modes_agree(program, agree):
    agree(program)


class Box:
    def __init__(self, v): self.v = v


def program_left_by_break(x=V, w=W):
    b, c = x * 1, w * 1
    k = 0
    while k < 3:
        k += 1
        if x.sum() > 1 and k < 3:
            break
        b = c = c * b[1]
    b.add_(x)
    return b + c


def program_one_tensor_in_a_loop(x=V, w=W):
    b, c = x * 1, w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c = c * 2
    b.add_(x)
    return b, c


def program_swap(x=V, w=W):
    b, c = x * 1, w * 1
    d = b
    k = 0
    while x.sum() + k < 3:
        k += 1
        b, c = c, b
    d.add_(x)
    return b, c, d


def program_one_stays(x=V, w=W):
    b = c = x * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = b * 2
    c.add_(1)
    return b, c


def program_takes(x=V, w=W):
    b = x * 1
    c = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c
    c.add_(1)
    return b, c


def program_takes2(x=V, w=W):
    b = x * 1
    c = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c
        c = c * 2
    b.add_(1)
    return b, c


def program_view_out(x=V, w=W):
    b = x * 1
    c = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c.reshape(3, 1).reshape(3)
    c.add_(1)
    return b, c


def program_views_of_one(x=V, w=W):
    b = x * 1
    c = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        t = x * 3
        b = t.reshape(3)
        c = t.reshape(3)
    c.add_(1)
    return b, c


def program_list(x=V, w=W):
    items = [x * 1, w * 1]
    k = 0
    while x.sum() + k < 3:
        k += 1
        t = items[0] * 2
        items[0] = t
        items[1] = t
    items[0].add_(1)
    return items


def program_list_start(x=V, w=W):
    a = x * 1
    items = [a, a]
    k = 0
    while x.sum() + k < 3:
        k += 1
        items[0].add_(1)
        items[1] = items[1]
    return items


def program_same_through(x=V, w=W):
    b = c = x * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c = c * 2
    b.add_(1)
    return b, c


def program_same_inside(x=V, w=W):
    b = c = x * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b.add_(1)
        b = c = c * 2
    b.add_(1)
    return b, c


def program_box(x=V, w=W):
    box = Box(x * 1)
    b = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = b * 2
        box.v = b
    b.add_(1)
    return b, box.v


def program_closure(x=V, w=W):
    b, c = x * 1, w * 1

    def put(v):
        nonlocal c
        c = v
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = b * 2
        put(b)
    b.add_(1)
    return b, c


def program_return(x=V, w=W):
    def f(b, c):
        k = 0
        while k < 4:
            if (x * k).sum() > 1:
                return b, b
            b = c = c * 2
            k += 1
        return b, c
    p, q = f(x * 1, w * 1)
    p.add_(5)
    return p, q


def program_branch(x=V, w=W):
    b, c = x * 1, w * 1
    if x.sum() > 0:
        b = c = c * 2
    b.add_(3)
    return b, c


def program_branch_both(x=V, w=W):
    b, c = x * 1, w * 1
    if x.sum() > 0:
        b = c = c * 2
    else:
        c = b
    b.add_(3)
    return b, c


def program_branch_swap(x=V, w=W):
    b, c = x * 1, w * 1
    d = b
    if x.sum() > 0:
        b, c = c, b
    b.add_(3)
    return b, c, d


def program_ifexp(x=V, w=W):
    b, c = x * 1, w * 1
    d = b if x.sum() > 0 else c
    d.add_(3)
    return b, c, d


def program_is(x=V, w=W):
    b, c = x * 1, w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = c = c * 2
    return b + (1 if b is c else 2)


def program_is_branch(x=V, w=W):
    b, c = x * 1, w * 1
    if x.sum() > 0:
        b = c
    return b + (1 if b is c else 2)


def program_copy_(x=V, w=W):
    y = w * 1
    y.copy_(x)
    v = x[:2]
    v.add_(1)
    return x, y, v


def program_break(x=V, w=W):
    b = x * 1
    c = w * 1
    for i in range(4):
        t = x * i
        if t.sum() > 1:
            b = c = t
            break
        if t.sum() < -1:
            b = t
            continue
        c = b
    c.add_(1)
    return b, c


def program_for_range_t(x=V, w=W):
    b = x * 1
    c = w * 1
    for i in range((x * 0).sum().int() + 3):
        b = c = c * 2
    c.add_(1)
    return b, c


def program_arg(x=V, w=W):
    b = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        b = x
    b.add_(1)
    return b, x * 1


def program_arg_branch(x=V, w=W):
    b = w * 1
    if x.sum() > 0:
        b = x
    b.add_(1)
    return b, x * 1


def program_loop_change_view(x=V, w=W):
    b = x * 1
    v = b[:2]
    k = 0
    while x.sum() + k < 3:
        k += 1
        v = v * 2
        b.add_(1)
    return b, v


def program_loop_view_change(x=V, w=W):
    b = x * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        v = b[:2]
        v.add_(1)
    return b


def program_pass_to_pass(x=V, w=W):
    b = x * 1
    c = w * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        c.add_(1)
        c = b
        b = b * 2
    return b, c


def program_pass_view(x=V, w=W):
    b = x * 1
    c = w[:1]
    k = 0
    while x.sum() + k < 3:
        k += 1
        c.add_(1)
        c = b[:1]
    return b, c
