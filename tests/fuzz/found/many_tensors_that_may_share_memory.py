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

    items.append(pair.u)
    if (u := items[-1].sum()) < 2 and u > -3:
        def G0(v):
            try:
                yield v
                yield v + c
            finally:
                nonlocal n
                n += 1
        a, *rest = G0(c)
        for k1 in Countdown(2):
            seen.discard(n)
        else:
            match (n, flag):
                case Pair(u=p):
                    for b in [(Box.add(held, down(m[1])).v * 0.5)]: n += 1
                    box.parts.append(x)
                case [p, q]:
                    for b in [(box.twice * sum(range(n & 3)))[[2, 0, 1]]]: n += 1
                    if len(items) > 2:
                        return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
                case _:
                    n += 0
            for k2, (u, v) in enumerate(zip([*items], [a, b])):
                if c.sum() > -1:
                    break
                table.setdefault('y', inner(m[1, 1] * x, k=1))
            else:
                items.sort(key=lambda v: v.sum())
        a, b = b, a
    elif (b.sum() > 0) == flag:
        pair = Pair(*[a, b])
    if swap(c).sum() > 2:
        for k3 in [n, r, flag]:
            for k4 in range(n & 3):
                remember(c, items)
                alias = items
                m = ops.stack([box.parts[0], dict(zip('pq', [(lambda v, u=x: v - u)(b), (a if 0 in Both(big[-1], 0) else big[-1])]))['q']])
            else:
                items = alias if (items[0].sum() > 0) & (items[0][0] < 1) else items
                if swap(m[1]).sum() > -1:
                    break
                big = ops.cat([big, (w).reshape(1, 3)])
            box.v, held.v = held.v, box.v
            print(f'{n:>3}|{text!r}|{len(items)}')
        else:
            for b in [x[None][0]]: n += 1
        for k5 in range(2, -1, -1):
            for a in [b, c]:
                if (not flag) ^ (n > 0):
                    break
                if len(items) > 2:
                    print('{} {!r:>5}'.format(n, text))
                    if m[1].sum() > 1:
                        a, *_, c = [pair.u, 1, box.twice]
                        break
                    nest[1][0] = m[1]
                if queue:
                    print('{} {!r:>5}'.format(n, text))
                    if text == 'ab':
                        a = items[-1]
                        break
                    pair = pair._replace(u=c)
                else:
                    b = c = ops.tanh(sum(steps(c), x))
            else:
                if (c.sum() > -1) == flag:
                    continue
                box = copy.copy(box)
                box.v = w * sum([g(a) for g in [lambda v: v * k for k in (0, 1, 2)]], (m[0]) * 1)[1]
        else:
            k7 = 0
            while ('z' in table) and k7 < 3:
                k7 += 1
                if hasattr(box, 'late'):
                    break
                if box.v.sum() < 0 or n == 1:
                    break
                table = dict(sorted(table.items()))
        m = ops.stack([(strict((box.twice - pair.u), 2) * 0.5), c])
    elif len(items) > 2:
        a = c
        if any(v.sum() > 0 for v in items):
            def g8(v, k=0):
                nonlocal items
                k = 0
                while ([text] == ['a']) and k < 3:
                    k += 1
                    if int(a.sum()) % 2 == 0:
                        return big[0, [2, 0, 1]] + w
                    v = v * 0.5 + k
                else:
                    items = [*items]
                return v
            c = g8(pair.u * sum(Countdown(3)))
            if (u := nest[1][0].sum()) < 2 and u > -4:
                c = (t := Both((lambda *, k, v=a: v * k)(k=(b - b)), 1).add([functools.partial(inner, k=0)(x), sum([g(c) for g in [lambda v: v * k for k in (0, 1, 2)]], (box.twice) * 1)][n % 2]).v) * 0.5 + t
            items[0], items[-1] = items[-1], x
        elif n > -2:
            if b.sum() < -2 or n == 1:
                return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
            if hasattr(held, 'factor') and n < 2:
                it = iter([{'p': c, 'q': (big[-1] if len(text) == 1 else x)}['q'], remember((f if box.v is a else inner)(box.twice), scale=2)])
                box.late = remember(even(pair.u, 1), scale=0)
                (a, n), [b, *fs[1:]] = (sum([v * 0.5 for v in items], fs[-1]([[u + v for u in items] for v in [x, pair.u]][0][-1])), n + 1), [inner(held.v, k=1), f]
        else:
            if not c[0] > 0.3:
                return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
            if swap(items[0]).sum() > 2:
                queue.append((m[1] * len({k % 2 for k in sizes}) * 0.5))
            elif items[0] is not None:
                it = iter([max([c, b], key=lambda v: v.sum()) * len({k % 2 for k in sizes}), (box.twice * table['k'][n % 3] if not m[1][0] > 0.3 else mixed(x, **{'k': 0}))])
                b = a
                box, held = held, box
            if not b[0] > 0.3:
                held = Box(m[m > 0].sum() * items[-1])
    else:
        def g9(v, k=0):
            if len(items) > 2:
                if not isinstance(held, Named):
                    return (a - c)
                v = box.__dict__['parts'][0]
            else:
                v = v * 0.5 + 0
            if items[0] is table['k']:
                if n > 0:
                    return v * 2 + a
                v = box.twice
            else:
                v = v * 0.5 + 1
            return v - 1
        c = g9((pair.u - big[-1]))
        try:
            try:
                if n > 1:
                    return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
            finally:
                n += 1
            for v in steps((lambda *, k, v=x: v * k)(k=b)):
                box.me = box
                box.me.v = box.me.v * 0.5
            else:
                f = functools.partial(inner, k=2) if b.sum() > 0 and n < 3 else functools.partial(deep, k=1)
                r = min(n, 0) + 0.5
                n = int(r) & 7
                print(f'{n:>3}|{text!r}|{len(items)}')
            pass
        except KeyError as error:
            def g11(v, k=0):
                u = v * 0.5 + b
                if b.sum() < 0 or n == 1:
                    return u
                nonlocal_ = [u]
                nonlocal_.append(v)
                return sum(nonlocal_)
            c = g11((a + c))
            match text:
                case 0 | False:
                    queue.extend([m[0]])
                    queue.popleft()
                    first, *rest = items; c = first
                    table.setdefault('y', x * len(big[-1]) * box.twice[1])
                case (1, _) | 1:
                    if (box.v.sum() > 0) & (box.v[0] < 1):
                        return a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r
                    items[0], items[-1] = items[-1], m[1]
                case _:
                    n += 2
            items = alias if m[1].sum() < 2 or n == 1 else items
        else:
            held = Wide(pair.u, 0)
        def G12(v):
            yield v
            if all(v.sum() > -2 for v in items):
                return
            yield from rows(c, 2)
        a = next(G12(b))
    for v in (items if len(items) < 4 else [a]) + [b]:
        if a.sum() > 2:
            continue
        table.setdefault('y', next(v for v in [w, c]))
        setattr(box, 'v', b)
    box, held = held, box

    total = a + b + c + box.v + held.v + table["k"] + m.sum(0) + fs[-1](x) + big.sum(0) * r + sum(queue) + pair.v
    for v in [*items, *alias, *nest[1], *[u for u in nest[0]]]:
        total = total + v
    return total, n, flag, len(items), len(table), len(fs), text, sum(sizes), len(seen), r
