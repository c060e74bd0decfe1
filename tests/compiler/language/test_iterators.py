# ruff: noqa  # programs as users write them
"""Iterators that conditions and loops on tensors advance, and who else sees how far they got."""

from __future__ import annotations


V, W = [1.0, -2.0, 4.0], [0.5, 2.0, -1.0]
WHOLE = """
user_seq user_itt header_twice it_break2 enum_break late gen_state trial_own
""".split()


def test_both_modes_agree(program, agree):
    agree(program)


def program_sum_list(x=V, w=W):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        s = sum(it)
    else:
        s = x
    return s + sum(it, w * 0)


def program_list_it(x=V, w=W):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        s = list(it)[0]
    else:
        s = x
    return s + len(list(it))


def program_unpack_it(x=V, w=W):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        a, *r = it
    else:
        a = x
    return a + len(list(it))


def program_in_it(x=V, w=W):
    it = iter([1, 2, 3])
    if x.sum() > 0:
        f = 2 in it
    else:
        f = False
    return x * len(list(it))


def program_zip_it(x=V, w=W):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        a = [p + q for p, q in zip(it, [x])][0]
    else:
        a = x
    return a * len(list(it))


def program_comp_it(x=V, w=W):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        a = sum([p for p in it], x)
    else:
        a = x
    return a * len(list(it))


def program_gen_it(x=V, w=W):
    def g():
        yield x
        yield w
    it = g()
    if x.sum() > 0:
        a = sum(it, x)
    else:
        a = x
    return a * len(list(it))


def program_extend_it(x=V, w=W):
    it = iter([x, w, x * 2])
    items = [x]
    if x.sum() > 0:
        items.extend([next(it)])
    return sum(items, x) * len(list(it))


def program_dict_it(x=V, w=W):
    it = iter([("a", x), ("b", w)])
    if x.sum() > 0:
        d = dict(it)
        s = d["a"]
    else:
        s = w
    return s * len(list(it))


def program_max_it(x=V, w=W):
    it = iter([1, 2, 3])
    s = x
    if x.sum() > 0:
        s = x * max(it)
    return s * len(list(it))


def program_star_it(x=V, w=W):
    it = iter([1, 2, 3])
    s = x
    if x.sum() > 0:
        s = x * len([*it])
    return s * len(list(it))


def program_for_it(x=V, w=W):
    it = iter([1, 2, 3])
    s = x
    if x.sum() > 0:
        for k in it:
            s = s * k
            break
    return s * len(list(it))


def program_join_it(x=V, w=W):
    it = iter("abc")
    s = x
    if x.sum() > 0:
        s = x * len("".join(it))
    return s * len(list(it))


def program_map_it(x=V, w=W):
    it = map(lambda v: v * 2, [x, w])
    s = x
    if x.sum() > 0:
        s = s + next(it)
    return s * len(list(it))


def program_enum_it(x=V, w=W):
    it = enumerate([x, w])
    s = x
    k = 0
    while s.sum() + k < 3:
        k += 1
        s = s + 1
        for i, v in it:
            s = s + v
    return s


class It:
    def __init__(self, n): self.k = n
    def __iter__(self): return self

    def __next__(self):
        if self.k <= 0:
            raise StopIteration
        self.k -= 1
        return self.k


class Seq:
    def __init__(self, v): self.v, self.n = v, 0

    def __getitem__(self, k):
        self.n += 1
        if k >= 3: raise IndexError
        return self.v * k

    def __len__(self): return 3


class Itt:
    def __init__(self, v): self.v = v; self.n = 0

    def __iter__(self):
        self.n += 1
        yield self.v
        yield self.v * 2


def program_user_it(x=V, w=W):
    it = It(3)
    s = x
    if x.sum() > 0:
        s = s + next(it)
    for k in it:
        s = s * (k + 1)
    return s + it.k


def program_user_it2(x=V, w=W):
    it = It(3)
    s = x
    if x.sum() > 0:
        s = s + sum(it)
    return s * len(list(it))


def program_user_it3(x=V, w=W):
    it = It(5)
    s = x
    for k in it:
        if s.sum() > k:
            break
        s = s + 1
    return s * it.k


def program_user_seq(x=V, w=W):
    q = Seq(x)
    s = w
    if x.sum() > 0:
        for v in q:
            s = s + v
    s = s + sum(q, w) + q.n
    return s + list(q)[1] + (1 if 7 in [1, 7] else 0)


def program_user_itt(x=V, w=W):
    q = Itt(x)
    s = w
    if x.sum() > 0:
        s = s + sum(q)
    a, b = q
    return s + a * b * q.n


def program_header_twice(x=V, w=W):
    calls = []

    def make():
        calls.append(1)
        return lambda k: range(k)
    s = x
    for k in make()(3):
        s = s + k
    return s * len(calls)


def program_it_break(x=V, w=W):
    it = iter([x, w, x, w])
    s = x
    for v in it:
        if v.sum() > 0.5:
            break
        s = s + v
    return s + len(list(it))


def program_it_break2(x=V, w=W):
    it = iter([x, w, x, w])
    s = x
    for i, v in enumerate(it):
        if v.sum() > 0.5:
            continue
        s = s + v * i
    return s + len(list(it))


def program_enum_break(x=V, w=W):
    s = x
    for i, (v, u) in enumerate(zip([x, w, x], [w, w, x])):
        if v.sum() > 0.5:
            break
        s = s + v * i - u
    else:
        s = s * 2
    return s


def program_late(x=V, w=W):
    fs = [lambda v: v * k for k in range(3)]
    gs = []
    for k in range(3):
        gs.append(lambda v: v + k)
    return sum([f(x) for f in fs]) + sum([g(w) for g in gs])


def program_gen_state(x=V, w=W):
    def g():
        y = x
        while True:
            z = yield y
            y = y * 2 if z is None else y + z
    it = g()
    a = next(it)
    b = it.send(w)
    c = next(it)
    return a + b * c


def program_trial_list(x=V, w=W):
    items, it, s = [x, w], iter([x, w]), w
    for v in [x, w]:
        s = list(it or [s])[-1]
        if x.sum() > 0:
            break
        items.append(v)
    return s, len(items)


def program_trial_next(x=V, w=W):
    items, it, s = [x, w], iter([x, w, x * 3, w * 5]), w
    for v in [x, w]:
        s = s + next(it)
        if x.sum() > 0:
            break
        items.append(v)
    return s, len(items)


def program_trial_generator(x=V, w=W):
    n = 0

    def g():
        nonlocal n
        for k in range(4):
            n += 1
            yield x * k
    items, it, s = [x, w], g(), w
    for v in [x, w]:
        s = s + next(it)
        if x.sum() > 0:
            break
        items.append(v)
    return s, n, len(items)


def program_trial_header(x=V, w=W):
    n = 0

    def g(u):
        nonlocal n
        for k in range(3):
            n += 1
            yield u * k
            u = u + w
    items, s = [x, w], w
    for v in g(x):
        s = s + v
        if x.sum() > 30:
            break
        items.append(v)
    return s, n, len(items)


def program_trial_test(x=V, w=W):
    it, s = iter([x]), w
    while next(it).sum() > 30:
        s = s + x
    return s


def program_trial_own(x=V, w=W):
    items, s = [x, w], w
    for v in [x, w]:
        s = s + sum(iter([v, w])) + max([v, s], key=lambda u: u.sum())
        if x.sum() > 0:
            break
        items.append(v)
    return s, len(items)
