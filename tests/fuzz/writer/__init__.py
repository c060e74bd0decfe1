"""Random programs of the language that graph mode takes, as text."""

from __future__ import annotations

from .statements import Statements
from .views import Views

__all__ = ["Views", "Writer", "is_syntax"]

BEGINNING = '''\
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    n, flag, r, text = 0, False, 0.5, "a"
    items = [x * 1, w * 2]
    alias = items
    table = {"k": x * 1, "m": a}
    box = held = Box(b)
    f = lambda v: v * 0.5
    m = ops.stack([x, w])
    big = x.reshape(1, 3)
    fs = [lambda v: v - a]
    it = iter([x, w, x * 2])
    sizes, seen, queue = [1, 2, 3], {0}, deque([x * 1, w * 1])
    pair, nest = Pair(a, w * 0.5), [items, [b, c]]

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

    def steps(v):
        nonlocal n
        for k in range(2):
            n += 1
            yield v * k
            v = v + a

    def asking(v):
        nonlocal n
        try:
            got = yield v
            if got is not None:
                v = v + got
            yield v * 0.5
            yield from rows(v, 2)
        finally:
            n += 1

    def swap(v):
        nonlocal b, c
        if v.sum() > 0:
            b, c = c, b
            return b
        b = v * 2
        return c

    def remember(v, into=[], *, scale=1):
        into.append(v * scale)
        return into[0] + into[-1]

    def mixed(first, *rest, k=1, **more):
        return sum(rest, first) * k + sum(more.values(), c)

'''
END = """\
    total = a + b + c + box.v + held.v + table["k"] + m.sum(0) + fs[-1](x) + big.sum(0) * r + sum(queue) + pair.v
    for v in [*items, *alias, *nest[1], *[u for u in nest[0]]]:
        total = total + v
    return total, n, flag, len(items), len(table), len(fs), text, sum(sizes), len(seen), r
"""
AS_CELL = '''\


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = body

    def construct(self, x, w):
        return self.body(x * 1, w=w)


NETWORK = Network()


def program(x, w):
    return NETWORK(x, w)
'''
AS_DERIVATIVE = '''\


def program(x, w):
    dx, dw = grad(lambda u, v: (body(u, v)[0] * v).sum(), (0, 1))(x, w)
    return dx * w + dw, COUNT
'''


class Writer(Statements):
    """Writes one program; `choose(n)` draws a number below n."""

    def program(self):
        """The source of a function `program` of two tensors."""
        source = self.drawn()
        while not is_syntax(source):           # a name is bound where Python does not allow it
            source = self.drawn()
        return source

    def drawn(self):
        """One that may bind names where Python does not allow it."""
        body = [line for _ in range(2 + self.choose(4)) for line in self.statement(0, False)]
        source = BEGINNING + "".join(f"    {line}\n" for line in body) + "\n" + END
        around = "" if self.plain else self.pick(["", "", "", "", AS_CELL, AS_DERIVATIVE])
        return source.replace("def program", "def body") + around if around else source


def is_syntax(source):
    """Whether Python compiles it."""
    try:
        compile(source, "drawn", "exec")
    except SyntaxError:
        return False
    return True
