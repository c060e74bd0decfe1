# ruff: noqa  # programs as users write them
"""Objects changed in branches of an `if` on a tensor."""

from __future__ import annotations

import copy

from mindspore import grad, ops

V, W = [1.0, -2.0, 4.0], [0.5, 2.0, -1.0]
WHOLE = """
fresh two setall2 copy branch_fresh loop_fresh match mask view_item_loop view_outer nonlocal_branch
print_order grad_loop key slots default star two_args_same
""".split()


def test_both_modes_agree(program, agree):
    agree(program)


def program_fresh(x=V, w=W):
    return x * 1


def program_two(x=V, w=W):
    return x + 1, x + 1, w * 1, ops.relu(w), w + 0


def program_setall(x=V, w=W):
    y = w * 1
    y[...] = x
    v = x[:2]
    v.add_(1)
    return x * 1


def program_setall2(x=V, w=W):
    y = w * 1
    y[:] = x
    y.add_(1)
    x.add_(5)
    return x * 1, y


def program_copy(x=V, w=W):
    y = w * 1
    y.copy_(x)
    y.add_(1)
    x.add_(5)
    return x * 1, y


def program_branch_fresh(x=V, w=W):
    if x.sum() > 0:
        y = x * 1
    else:
        y = w + 0
    x.add_(1)
    return y, x * 1


def program_loop_fresh(x=V, w=W):
    y = x * 1
    k = 0
    while x.sum() + k < 3:
        k += 1
        y = y * 1
    x.add_(1)
    return y, x * 1


def program_list_mut(x=V, w=W):
    items = [x * 1, w * 2]
    if x.sum() > 0:
        items.append(items[0])
        del items[0]
    else:
        items = items + [w * 1]
        items.pop(0)
    items[-1].add_(1)
    return items


def program_dict_mut(x=V, w=W):
    d = {"a": x * 1}
    if x.sum() > 0:
        d.setdefault("b", d["a"])
        d.update(a=w * 1)
    else:
        d["b"] = w * 3
    d["b"].add_(1)
    return d


def program_match(x=V, w=W):
    d = {"a": x * 1, "n": 3}
    match d:
        case {"a": t, "n": 3}:
            t.add_(1)
    match [x * 2, w]:
        case [p, *q] if p.sum() > 0:
            r = p
        case [p, q]:
            r = q
    return d["a"], r + t


def program_aug_item(x=V, w=W):
    m = ops.stack([x, w])
    k = (x * 0).sum().int()
    m[k] += 1
    m[0, 1] *= 2
    m[:, 1:] -= 1
    m[k + 1][0] += 5
    return m


def program_mask(x=V, w=W):
    y = x * 1
    y[y > 0] = 0
    y[w > 0] += 2
    return y


def program_view_item_loop(x=V, w=W):
    m = ops.stack([x, w])
    k = 0
    while x.sum() + k < 3:
        m[0] = m[1] + k
        m[1][0] = m[0][1]
        k += 1
    return m


def program_view_outer(x=V, w=W):
    m = ops.stack([x, w])
    r = m[0]
    m = m * 2
    r.add_(1)
    return m, r


def program_return_in_loop(x=V, w=W):
    y = x * 1
    for i in range(3):
        if y.sum() > 2:
            return y, i
        y.add_(w)
    return y, -1


def program_return_in_while(x=V, w=W):
    y = x * 1
    z = y
    k = 0
    while k < 5:
        if y.sum() > 2:
            z.add_(1)
            return y, z, k
        y = y + abs(w)
        k += 1
    return y, z, k


def program_nonlocal_branch(x=V, w=W):
    a, n = x * 1, 0

    def f(v):
        nonlocal a, n
        n += 1
        b = a
        a = a * 2

        def g():
            nonlocal a
            a = a + v
            return b
        if v.sum() > 0:
            return g()
        return a
    p = f(x)
    q = f(w) if p.sum() > 1 else f(x)
    return a, p, q, n


def program_nonlocal_while(x=V, w=W):
    a = x * 1

    def f():
        nonlocal a
        a.add_(1)
        a = a * 1.5
        return a.sum() < 6
    k = 0
    while f():
        k += 1
        if k > 4:
            break
    return a, k


def program_print_order(x=V, w=W):
    print("start", 1)
    for i in range(3):
        if x[i] > 0:
            print("pos", i)
            continue
        print("neg", i, end=";")
        if w[i] > 0.5:
            print("brk")
            break
    else:
        print("else")
    return x * 2


def program_grad_loop(x=V, w=W):
    def f(v):
        k = 0
        while v.sum() < 4 and k < 3:
            v = v * v + w
            k += 1
            if v[0] > 2:
                break
        else:
            v = v * 2
        return v.sum()
    g = grad(f)(x)
    h = grad(lambda v: (grad(f)(v) * v).sum())(x)
    return g, h


def program_value(x=V, w=W):

    a = [x * 1, [w * 1]]
    b = copy.copy(a)
    c = copy.deepcopy(a)
    b[0].add_(1)
    c[1][0].add_(1)
    return a, b, c


def program_in_list(x=V, w=W):
    y = x * 1
    items = [y, w]
    z = y if x.sum() > 0 else w
    return x * (items.index(y) + 1) + (1 if any(v is z for v in items) else 0)


def program_key(x=V, w=W):
    d = {}
    y = x * 1
    d[id(y)] = 1
    z = y
    return x * d.get(id(z), 3)


def program_slots(x=V, w=W):
    class P:
        __slots__ = ("v",)
        def __init__(self, v): self.v = v
    p = P(x)
    if x.sum() > 0:
        p.v = w
    return p.v * 1


def program_default(x=V, w=W):
    def f(v, acc=[]):
        acc.append(v)
        return sum(acc, x)
    if x.sum() > 0:
        f(w)
    return f(x)


def program_walrus(x=V, w=W):
    k = 0
    while (t := x + k).sum() < 3:
        k += 1
        if (u := t * 2)[0] > 3:
            break
    return t, k


def program_listcomp_branch(x=V, w=W):
    acc = []
    r = [acc.append(v) or v for v in (x, w)] if x.sum() > 0 else [w, acc]
    return r[0] * len(acc)


def program_star(x=V, w=W):
    def f(*a, **k):
        a[0].add_(1)
        k["z"] = a[0]
        return k
    d = {"y": w}
    y = x * 1
    e = f(y, **d)
    return y, e["z"], len(d)


def program_two_args_same(x=V, w=W):
    def f(a, b):
        a.add_(1)
        return a + b
    return f(x, x)
