# ruff: noqa  # a program as drawn: after the loop, b.add_() should be seen under every name of that tensor
from mindspore import ops


class Box:
    def __init__(self, v):
        self.v = v
        self.parts = [v]

    @property
    def twice(self):
        return self.v * 2

    def add(self, amount):
        self.v = self.v + amount
        return self

    def __enter__(self):
        self.v = self.v * 0.5
        return self

    def __exit__(self, kind, error, trace):
        self.v = self.v + 1
        return kind is KeyError


def rows(v, count):
    for k in range(count):
        yield v * k


def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    n, flag = 0, False
    items = [x * 1, w * 2]
    alias = items
    table = {"k": x * 1, "m": a}
    box = held = Box(b)
    f = lambda v: v * 0.5

    def inner(v, k=2):
        if v.sum() > 1:
            return v * 0.5
        for i in range(k):
            v = v + c
            if v[0] > 2:
                return v
        return v - a

    def bump(v):
        nonlocal a, n
        n = n + 1
        a = a * 0.5 + v
        alias[0] = v * 1

    def deep(v, k):
        return v if k == 0 else deep(v * 0.5 + b, k - 1)

    try:
        items.append(items.pop(0))
        table['missing']
    except KeyError:
        k0 = 0
        while k0 < 2:
            k0 += 1
            if box.v.sum() > 1 and n < 3:
                break
            b = c = {'p': c, 'q': b * b[1]}['q']
        try:
            b = c = b
            assert c.sum() < 1000
            pass
        except KeyError:
            setattr(box, 'v', (box.v + b) * ops.tanh(box.twice)[1])
            items[-1] -= max([max([table['k'], a], key=lambda v: v.sum()), inner(c, k=1)], key=lambda v: v.sum())
            if len(items) > 2:
                b -= max([c, ops.tanh(b)], key=lambda v: v.sum())
                c += (sum(rows(c, 3)) * 0.5)
                c += max([(lambda v, u=c: v - u)(a), sum(rows(a, 3))], key=lambda v: v.sum())
        else:
            items[0] -= b
            b.add_(inner(inner(x), k=1))
            if box.v is b:
                f = lambda v: v - c
                c += (sum(rows(c, 3)) * 0.5)
            else:
                box.v = next(v for v in [(lambda v, u=c: v - u)((a - c)), sum(rows(x, 3))])
                items[0] = ops.tanh(inner(c))
        finally:
            n += 1
    else:
        a.add_(b)
        items[0] = a
    finally:
        n += 1
    def g1(v):
        u = v * 0.5 + b
        return v * 0.5
    c = g1(c)

    total = a + b + c + box.v + held.v + table["k"]
    for v in [*items, *alias]:
        total = total + v
    return total, n, flag, len(items), len(table)
