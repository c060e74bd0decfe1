# ruff: noqa  # a program as drawn
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

    if 'z' in table: del table['z']
    c = c * 1; c.register_hook(lambda d: d * b); c.add_(1)
    for v in reversed([*items]):
        try:
            KEPT.last = sum([v * 0.5 for v in items], grad(lambda v: (inner(v) * items[-1]).sum())(c))
            for k1, v in zip(range(3), m):
                fs.append(lambda v: v + m[0])
                if 'z' in table:
                    break
                if box is held or flag:
                    bump(x)
                    if swap(m[1]).sum() > -1:
                        b += sum([v * 0.5 for v in items], w)
                        return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
                    a, *_, c = [f(b), 1, box.twice]
                else:
                    b = c = box.twice
                if flag:
                    print('{} {!r:>5}'.format(n, text))
                    if (n := n + 1) > 2:
                        m[0] = mixed(list(map(lambda u, v: u - v, [box.twice], [a]))[0], **{'k': 1}) * [(lambda v, u=box.twice: v - u)(c), x.mean() - c][text == 'a'][1]
                        continue
                    pair = Pair(*[(c / (box.twice * box.twice + 1), *items)[0], b])
                else:
                    items[0] = (x if len(items) > 2 else sum([v * 0.5 for v in items], b))
                if m[1].sum() < -2 or n == 1:
                    print(held.label() if isinstance(held, Named) else 0)
                    if flag or c.sum() > 1:
                        a, *_, c = [big[-1] * w[1], 1, max([deep(a, 2), x], key=lambda v: v.sum())]
                        continue
                    c = (t := (x * Counter([n, 1])[1] + held.v)) * 0.5 + t
                else:
                    table['k'] = max([c, {k: v * 2 for k, v in {'p': w, 'q': w}.items() if k != 'q'}['p']], key=lambda v: v.sum()) * min(a, c, key=lambda v: v[1])[1]
            f = CELLS[2] if items[0].sum() > 1 and n < 3 else BENT
            if (n, flag) == (1, True):
                raise KeyError('k')
        except (KeyError, AssertionError):
            for k2 in 'ab':
                a, b = b, a
                (a, n), [b, *fs[1:]] = (((lambda v, u=(w if c is held.v else w): v - u)(pair.u) + c), n + 1), [m[..., ::2].sum(1)[0] * x, f]
        match box:
            case Pair(u=p):
                counts = Counter([n, 1, 1])
                n = n + counts[1] % 2
            case [p, q]:
                fs.append(lambda v: v + items[-1])
                items[:1] = [big[-1] * Counter([n, 1])[1] * f(x)[1]]
            case _:
                n += 1

    total = a + b + c + box.v + held.v + table["k"] + m.sum(0) + fs[-1](x) + big.sum(0) * r + sum(queue) + pair.v
    for v in [*items, *alias, *nest[1], *[u for u in nest[0]]]:
        total = total + v
    return total, n, flag, len(items), len(table), len(fs), text, sum(sizes), len(seen), r
