"""Random programs of the language that graph mode takes, as text."""

from __future__ import annotations

import itertools

BEGINNING = '''\
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    n, flag = 0, False
    items = [x * 1, w * 2]
    alias = items
    table = {"k": x * 1, "m": a}
    box = held = Box(b)
    f = lambda v: v * 0.5
    m = ops.stack([x, w])
    fs = [lambda v: v - a]
    it = iter([x, w, x * 2])

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

    def swap(v):
        nonlocal b, c
        if v.sum() > 0:
            b, c = c, b
            return b
        b = v * 2
        return c

'''
END = """\
    total = a + b + c + box.v + held.v + table["k"] + m.sum(0) + fs[-1](x)
    for v in [*items, *alias]:
        total = total + v
    return total, n, flag, len(items), len(table), len(fs)
"""
EARLY = 'a + table["k"], n, flag, 0, 0, 0'


class Writer:
    """Writes one program; `choose(n)` draws a number below n.

    Attributes:
        plain: Whether only such parts are drawn as torch has, with the same meaning.
    """

    def __init__(self, choose):
        self.choose, self.counter = choose, itertools.count()
        self.plain = choose(3) == 0

    def pick(self, options):
        return options[self.choose(len(options))]

    def program(self):
        body = [line for _ in range(2 + self.choose(4)) for line in self.statement(0, False)]
        return BEGINNING + "".join(f"    {line}\n" for line in body) + "\n" + END

    # ------------------------------------------------------------------ expressions

    def place(self):
        return self.pick(["a", "b", "c", "items[0]", "items[-1]", "table['k']", "box.v", "held.v", "m[0]"])

    def value(self, depth=0):
        if depth > 2 or self.choose(3) == 0:
            return self.pick(["a", "b", "c", "x", "w", self.place(), "box.twice", "m[1]"])
        one, two = self.value(depth + 1), self.value(depth + 1)
        if self.choose(4) == 0:
            return self.rare(one, two)
        return self.pick([
            f"({one} + {two})", f"({one} - {two})", f"({one} * 0.5)", f"ops.tanh({one})",
            f"({one} if {self.condition()} else {two})", f"inner({one})", f"inner({one}, k=1)",
            f"deep({one}, 2)", f"f({one})", f"(lambda v, u={two}: v - u)({one})",
            f"sum([v * 0.5 for v in items], {one})", f"sum(rows({one}, 3))", f"{one} * {two}[1]",
            f"max([{one}, {two}], key=lambda v: v.sum())", f"{{'p': {one}, 'q': {two}}}['q']",
            f"next(v for v in [{one}, {two}])", f"[{one}, {two}][n % 2]"])  # fmt: skip

    def rare(self, one, two):
        k = self.choose(4)
        common = [
            f"fs[-1]({one})", f"sum([g({one}) for g in [lambda v: v * k for k in (0, 1, 2)]], ({two}) * 1)",
            f"swap({one})", f"until({one})", f"strict({one}, {k})", f"sum(steps({one}), {two})", f"next(it, {one})",
            f"sum(it, {one})", f"list(it or [{one}])[-1]" if k else f"([*it] + [{one}])[0]", f"{one}[:]",
            f"{one} * sum(Countdown({k}))", f"{one}.reshape(3, 1).reshape(3)", f"m.sum(0) * {two}[0]"]
        apart = [
            f"CELLS[({one}[0] > 0).int() + {k % 2}]({two})", f"grad(lambda v: (v * v * {two}).sum())({one})",
            f"grad(lambda v: (inner(v) * {two}).sum())({one})", f"{one}.copy()", "(P * 1)", "P", f"KEPT({one})",
            f"grad(lambda u: (grad(lambda v: (f(v) * v * v).sum())(u) * {two}).sum())({one})",
            f"({one} + ops.rand(3, dtype=mindspore.float64))"]
        return self.pick(common if self.plain else common + apart)

    def condition(self):
        value, k = self.pick(["a", "b", "c", "box.v", "items[0]", "m[1]"]), self.choose(5) - 2
        return self.pick([
            f"n > {k}", f"{value}.sum() > {k}", f"not {value}[0] > 0.3", f"-1 < {value}[1] < 1", "flag",
            f"{value}.sum() > {k} and n < 3", f"{value}.sum() < {k} or n == 1", "len(items) > 2",
            f"any(v.sum() > {k} for v in items)", f"{value} is {self.place()}", "'z' in table",
            f"swap({value}).sum() > {k}"])  # fmt: skip

    # ------------------------------------------------------------------ statements

    def block(self, depth, in_loop):
        lines = [s for _ in range(1 + self.choose(3)) for s in self.statement(depth, in_loop)]
        return ["    " + line for line in lines]

    def statement(self, depth, in_loop):
        kinds = [self.assignment, self.assignment, self.mutation, self.mutation, self.simple, self.in_place]
        if depth < 3:
            kinds += [self.condition_statement, self.loop, self.attempt, self.function, self.match]
        if in_loop:
            kinds.append(self.leave)
        elif depth:
            kinds.append(self.early)
        return self.pick(kinds)(depth, in_loop)

    def assignment(self, depth, in_loop):
        place, value = self.place(), self.value()
        common = [
            f"{place} = {value}", f"{place} = {value}", "a, b = b, a", f"b = c = {value}",
            f"a, (b, *_) = {value}, [{self.value(1)}, 1]", f"c = (t := {value}) * 0.5 + t",
            f"{self.pick('abc')} = {place}"]
        line = self.pick(common if self.plain else [*common, f"{self.pick('abc')} += {value}", f"{place} -= {value}"])
        return ["pass" if self.plain and line.startswith("m[0] =") else line]     # torch changes the tensor

    def mutation(self, depth, in_loop):
        return self.pick([
            [f"items.append({self.value(1)})"], ["items.append(items.pop(0))"], ["items.reverse()"],
            [f"items.insert(0, {self.value(1)})", "items.pop()"], [f"items[:1] = [{self.value(1)}]"],
            [f"table['z'] = {self.value(1)}"], [f"table.update(k={self.value(1)})"],
            [f"box.add({self.value(1)}).add(1)"], [f"box.parts.append({self.value(1)})"],
            ["box, held = held, box"], [f"held = Box({self.value(1)})"], ["alias = list(items)"],
            ["alias = items"], [f"setattr(box, 'v', {self.value(1)})"], [f"table.setdefault('y', {self.value(1)})"],
            ["table.pop('z', None)"], ["fs.append(lambda v, k=n: v * k)"], [f"fs.append(lambda v: v + {self.place()})"],
            [f"it = iter([{self.value(1)}, {self.value(1)}])"], ["items.extend(it)"], ["it = iter(list(items))"],
            ["n += 1" if self.plain else "SEEN.append(n)"]])  # fmt: skip

    def in_place(self, depth, in_loop):
        if self.plain:
            return self.mutation(depth, in_loop)
        return [self.pick([
            f"{self.pick('abc')}[{self.choose(3)}] = {self.value(1)}[0]", f"{self.pick('abc')}.add_({self.value(1)})",
            f"items[0][1:] = {self.choose(3)}", f"{self.pick('abc')}[{self.choose(3)}] *= {self.choose(3)}",
            f"table['k'][:2] += {self.value(1)}[0]", f"m[n % 2] = {self.value(1)}", f"m[0][1] = {self.value(1)}[2]",
            f"m[1].mul_({self.value(1)})", f"{self.pick('abc')}[:].add_({self.value(1)})",
            f"{self.pick('abc')} = {self.pick(['m[0]', 'm[1]', 'a[:]', 'b.reshape(3)'])}",
            f"ops.assign(P, {self.value(1)})", "P.mul_(0.5)", f"P.sub_({self.value(1)})", f"c.copy_({self.value(1)})",
            f"{self.place()}[{self.place()} > 0] = 0.5", f"KEPT.last = {self.value(1)}",
            f"for v in m: v.add_({self.value(1)})"])]  # fmt: skip

    def simple(self, depth, in_loop):
        return self.pick([
            ["n += 1"], ["flag = not flag"], [f"bump({self.value(1)})"], [f"f = lambda v: v - {self.pick('abc')}"],
            ["f = inner"], [f"assert {self.pick('abc')}.sum() < 1000"], ["flag = n > 1"],
            [f"n = n + {self.choose(3)} if {self.condition()} else n"], ["print('n', n, flag)"],
            [f"print({self.pick('abc')} > 0)"], [f"strict({self.value(1)}, {self.choose(9)})"]])  # fmt: skip

    def condition_statement(self, depth, in_loop):
        test = self.condition() if self.choose(6) else f"(u := {self.place()}.sum()) < 2 and u > -{self.choose(9)}"
        lines = [f"if {test}:", *self.block(depth + 1, in_loop)]
        if self.choose(4) == 0:
            lines += [f"elif {self.condition()}:", *self.block(depth + 1, in_loop)]
        return lines + self.other(depth, in_loop)

    def other(self, depth, in_loop):
        return ["else:", *self.block(depth + 1, in_loop)] if self.choose(2) else []

    def loop(self, depth, in_loop):
        k = f"k{next(self.counter)}"
        head = self.pick([
            [f"for {k} in range({1 + self.choose(3)}):"], ["for v in list(items):"],
            [f"for {k}, v in enumerate([*items]):"], [f"for v in rows({self.value(2)}, 3):"],
            [f"for {k} in range((a * 0).sum().int() + 2):"], ["for v in it:"], [f"for v in steps({self.value(2)}):"],
            [f"for {k} in Countdown({1 + self.choose(3)}):"], [f"for {k}, v in zip(range(3), m):"],
            [f"{k} = 0", f"while {k} < {self.choose(3) + 1}:", f"    {k} += 1"],
            [f"{k} = 0", f"while ({self.condition()}) and {k} < 3:", f"    {k} += 1"],
            [f"{k} = 0", "while True:", f"    {k} += 1", f"    if {k} > 2 or {self.condition()}:", "        break"]])
        return [*head, *self.block(depth + 1, True), *self.other(depth, in_loop)]

    def attempt(self, depth, in_loop):
        kind = self.choose(4)
        if kind == 0:
            return [f"with {self.pick(['box', 'held'])} as inside:", *self.block(depth + 1, in_loop)]
        lines = ["try:", *self.block(depth + 1, in_loop)]
        if kind > 1:
            lines += ["    " + s for s in self.raising()]
            lines += [f"except {self.pick(['KeyError', 'KeyError as error', '(KeyError, AssertionError)'])}:",
                      *self.block(depth + 1, in_loop), *self.other(depth, in_loop)]
        return [*lines, "finally:", "    n += 1"] if kind == 1 or self.choose(2) else lines

    def raising(self):
        return self.pick([
            [f"if {self.condition()}:", "    raise KeyError('k')"], ["table['missing']"], ["pass"],
            [f"c = strict({self.value(1)}, {self.choose(4)})"], [f"assert {self.condition()}"],
            [f"if {self.condition()}:", "    a = a * 0.5", "    raise KeyError('k', n)", "b = b * 0.5"]])

    def match(self, depth, in_loop):
        k = self.choose(3)
        first, second = self.pick([
            ("0 | False", "(1, _) | 1"), (f"int() as t if {self.condition()}", "[p, *_]"),
            ("(k, False)", "{'k': p}"), ("Box(v=p)", "True")])  # fmt: skip
        return [f"match {self.pick(['n', 'flag', '(n, flag)', 'items', 'table', 'box'])}:",
                f"    case {first}:", *["    " + s for s in self.block(depth + 1, in_loop)],
                f"    case {second}:", *["    " + s for s in self.block(depth + 1, in_loop)],
                "    case _:", f"        n += {k}"]  # fmt: skip

    def function(self, depth, in_loop):
        name = f"g{next(self.counter)}"
        kind = self.choose(3)
        if kind == 0:
            body = [f"    u = v * 0.5 + {self.pick('abc')}", f"    if {self.condition()}:", "        return u",
                    "    nonlocal_ = [u]", "    nonlocal_.append(v)", "    return sum(nonlocal_)"]  # fmt: skip
        elif kind == 1:
            left = self.pick(["return a", "break", "continue"])
            body = ["    nonlocal a, n, m", f"    for k in range({1 + self.choose(3)}):", "        n += 1",
                    f"        a = a + {self.value(2)}", f"        if {self.condition()}:", f"            {left}",
                    "        v = v * 0.5", "    return v * 0.5"]  # fmt: skip
        else:
            body = ["    def h(u):", "        nonlocal v", "        v = v + u",
                    f"        return v if {self.condition()} else u", f"    return h({self.value(2)}) + v"]  # fmt: skip
        if any("(u := " in line or "(t := " in line for line in body):     # it would bind in the wrong function
            body = ["    return v * 0.5"]
        return [f"def {name}(v):", *body, f"c = {name}({self.value(2)})"]

    def leave(self, depth, in_loop):
        return [f"if {self.condition()}:", f"    {self.pick(['break', 'continue', 'break', 'return ' + EARLY])}"]

    def early(self, depth, in_loop):
        return [f"if {self.condition()}:", f"    return {EARLY}"]
