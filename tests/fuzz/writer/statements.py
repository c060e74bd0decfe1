"""Random statements."""

from __future__ import annotations

from .values import Values

EARLY = 'a + table["k"], n, flag, 0, 0, 0, text, 0, 0, r'
HANDLED = {
    "table['missing']": "KeyError", "c = items[7]": "IndexError", "n = 1 // (n - n)": "ZeroDivisionError",
    "box.missing.v": "AttributeError", "b, c = [a]": "ValueError", "n = len(n)": "TypeError",
    "a = next(iter([]))": "StopIteration", "n = int('one')": "ValueError"}  # fmt: skip


class Statements(Values):
    """Writes statements as lists of lines."""

    def block(self, depth, in_loop):
        lines = [s for _ in range(1 + self.choose(3)) for s in self.statement(depth, in_loop)]
        return indented(lines)

    def statement(self, depth, in_loop):
        """One statement; `depth` says how deep it stands."""
        kinds = [self.assignment, self.assignment, self.mutation, self.mutation, self.simple, self.in_place,
            self.update]
        if depth < 3:
            kinds += [self.condition_statement, self.condition_statement, self.loop, self.loop, self.attempt,
                      self.function, self.match, self.definition]
        if in_loop:
            kinds += [self.leave, self.leave]
        if 0 < depth < 3 or in_loop:
            kinds.append(self.leaving)
        if depth and not in_loop:
            kinds.append(self.early)
        return self.pick(kinds)(depth, in_loop)

    # ------------------------------------------------------------------ simple statements

    def assignment(self, depth, in_loop):
        place, value = self.place(), self.value()
        common = [
            f"{place} = {value}", f"{place} = {value}", "a, b = b, a", f"b = c = {value}",
            f"a, (b, *_) = {value}, [{self.value(1)}, 1]", f"c = (t := {value}) * 0.5 + t",
            f"{self.name()} = {place}", f"a, *_, c = [{value}, 1, {self.value(1)}]",
            f"(a, n), [b, *fs[1:]] = ({value}, n + 1), [{self.value(1)}, f]",
            f"items[0], items[-1] = items[-1], {value}", f"for b in [{value}]: n += 1",
            f"pair = pair._replace(u={value})", f"big = ops.cat([big, ({value}).reshape(1, 3)])",
            f"pair = Pair(*[{value}, b])", "first, *rest = items; c = first",
            f"m = ops.stack([{value}, {self.value(1)}])", f"queue[0] = {value}"]
        line = self.pick(common if self.plain else [*common, f"{self.name()} += {value}", f"{place} -= {value}"])
        return ["pass" if self.plain and line.startswith("m[0] =") else line]     # torch changes the tensor

    def mutation(self, depth, in_loop):
        """Changes of containers and objects."""
        return self.pick([
            [f"items.append({self.value(1)})"], ["items.append(items.pop(0))"], ["items.reverse()"],
            [f"items.insert(0, {self.value(1)})", "items.pop()"], [f"items[:1] = [{self.value(1)}]"],
            [f"table['z'] = {self.value(1)}"], [f"table.update(k={self.value(1)})"],
            [f"box.add({self.value(1)}).add(1)"], [f"box.parts.append({self.value(1)})"],
            ["box, held = held, box"], [f"held = Box({self.value(1)})"], ["alias = list(items)"],
            ["alias = items"], [f"setattr(box, 'v', {self.value(1)})"], [f"table.setdefault('y', {self.value(1)})"],
            ["table.pop('z', None)"], [f"vars(box).update(v={self.value(1)})"],
            ["if hasattr(box, 'late'): del box.late"], [f"items[1:1] = [{self.value(1)}]"],
            [f"table[text] = {self.value(1)}"], ["table.pop(text, None)", "table.setdefault('k', a)"],
            [f"held = Both({self.value(1)})"], [f"u, v = Slotted({self.value(1)}, 2)", "a = u - v"],
            ["counts = Counter([n, 1, 1])", "n = n + counts[1] % 2"], ["box = copy.copy(box)",
            f"box.v = {self.value(1)}"],
            [f"queue.extend([{self.value(1)}])", "queue.popleft()"], ["fs.append(lambda v, k=n: v * k)"],
            [f"fs.append(lambda v: v + {self.place()})"], [f"it = iter([{self.value(1)}, {self.value(1)}])"],
            ["items.extend(it)"], ["it = iter(list(items))"],
            ["n += 1" if self.plain else "SEEN.append(n)"]])  # fmt: skip

    def update(self, depth, in_loop):
        """More of them: deques, sets, numbers in lists, objects that hold objects."""
        value, k = self.value(1), self.choose(3)
        return self.pick([
            [f"queue.append({value})"], [f"queue.appendleft({value})", "queue.pop()"], ["queue.rotate(1)"],
            ["seen.add(n)"], ["seen |= {n, 7}"], ["seen.discard(n)"], [f"sizes[n % 3] += {k}"], ["sizes.append(n)"],
            ["sizes.sort(reverse=True)"], ["items.sort(key=lambda v: v.sum())"], ["items += [a, b]",
            "del items[1:3]"], ["if 'z' in table: del table['z']"], ["table = {**table, 'k': b}"],
            [f"table |= {{'k': {value}}}"], [f"nest[1][0] = {value}"], ["nest[0] = list(nest[0])"],
            [f"nest[0][0] = {value}"], ["nest = [alias, [c, a]]"], [f"held = Wide({value}, {k})"],
            [f"box.half_of = {value}"], [f"box.late = {value}"], ["held.parts = items"], [f"box.parts[0] = {value}"],
            [f"held = box if {self.condition()} else held"], ["box.next = held"],
            [f"items = alias if {self.condition()} else items"], [f"f = inner if {self.condition()} else f"],
            ["items = items + [a]"], ["items = items[:2]"], ["table = dict(sorted(table.items()))"],
            ["items.clear()"], [f"remember({value}, items)"], [f"point = Point({value}, k=n)",
            "box.add(point.moved(a).u)"], [f"gen = asking({value})", "a = next(gen)",
            f"b = gen.send({self.value(1)})", "gen.close()"], ["box.v, held.v = held.v, box.v"],
            [f"items[n % 2] = {value}"], ["fs[0] = functools.partial(inner, k=1)"],
            [f"fs += [twice_over(lambda v: v - {self.place()})]"], ["box.me = box",
            "box.me.v = box.me.v * 0.5"]])  # fmt: skip

    def in_place(self, depth, in_loop):
        """Tensors that change in place, parameters, cells."""
        if self.plain:
            return self.mutation(depth, in_loop)
        return [self.pick([
            f"{self.name()}[{self.choose(3)}] = {self.value(1)}[0]", f"{self.name()}.add_({self.value(1)})",
            f"items[0][1:] = {self.choose(3)}", f"{self.name()}[{self.choose(3)}] *= {self.choose(3)}",
            f"table['k'][:2] += {self.value(1)}[0]", f"m[n % 2] = {self.value(1)}", f"m[0][1] = {self.value(1)}[2]",
            f"m[1].mul_({self.value(1)})", f"{self.name()}[:].add_({self.value(1)})",
            f"{self.name()} = {self.pick(['m[0]', 'm[1]', 'a[:]', 'b.reshape(3)'])}",
            f"ops.assign(P, {self.value(1)})", "P.mul_(0.5)", f"P.sub_({self.value(1)})", f"c.copy_({self.value(1)})",
            f"{self.place()}[{self.place()} > 0] = 0.5", f"KEPT.last = {self.value(1)}",
            f"for v in m: v.add_({self.value(1)})", f"NET.scale = {self.value(1)}", f"SCALED.last = {self.value(1)}",
            f"NET.count += {self.choose(3)}", f"big[-1] = {self.value(1)}",
            f"{self.name()}[::2] = {self.value(1)}[1]", "items[-1].zero_()",
            f"{self.name()} *= {self.number()}", f"m[:, {self.choose(3)}] = {self.value(1)}[:2]",
            f"m[[0, 1], [1, 2]] = {self.value(1)}[1:]", "m[m > 0] = 0.5",
            f"{self.name()}[[2, 0]] = {self.value(1)}[1:]",
            "m[..., 1:] *= 2", f"{self.name()}[Tensor([0, 2])] = {self.choose(3)}", f"m[1:] = {self.value(1)}",
            f"{self.name()}[...] = {self.value(1)}", f"f = NET if {self.condition()} else f",
            f"f = CELLS[{self.choose(3)}] if {self.condition()} else BENT", f"{self.name()} = P",
            f"{self.name()} = {self.pick(['P', 'NET.scale'])} if {self.condition()} else {self.place()}",
            f"{self.name()} = ops.assign(P, {self.value(1)})", f"P.add_({self.place()}); {self.name()} = P",
            f"{self.name()} = P * 1; P.set_data({self.value(1)})",
            f"u = [(c := v) * 2 for v in (items if {self.condition()} else [a, b])]; a = u[0] - u[-1]",
            f"{self.hooked()}; {self.name()}.add_(1)", self.hooked()])]  # fmt: skip

    def hooked(self):
        """A tensor with a hook that sees another one."""
        name = self.name()
        return f"{name} = {name} * 1; {name}.register_hook(lambda d: {self.pick(['d * ' + self.name(), 'd.mul_(2)'])})"

    def simple(self, depth, in_loop):
        """Numbers, text, functions."""
        k = self.choose(3)
        return self.pick([
            ["n += 1"], ["flag = not flag"], [f"bump({self.value(1)})"], [f"f = lambda v: v - {self.name()}"],
            ["f = inner"], [f"assert {self.name()}.sum() < 1000"], ["flag = n > 1"],
            [f"n = n + {self.choose(3)} if {self.condition()} else n"], ["print('n', n, flag)"],
            [f"print({self.name()} > 0)"], [f"strict({self.value(1)}, {self.choose(9)})"], ["text += 'b'"],
            [f"text = text.upper() if {self.condition()} else 'ab'"], ["text = f'{n}{flag}'"],
            [f"r = {self.number()} * 0.5"], [f"n = {self.number()}"], ["r += 0.25"],
            ["print(f'{n:>3}|{text!r}|{len(items)}')"], [f"flag = {self.condition()}"],
            [f"flag |= {self.condition()}"], [f"u = None if {self.condition()} else a", "b = b if u is None else u"],
            [f"assert {self.condition()}, f'{{n}}'"], ["n, flag = n + flag, n > 2"], [f"r *= {self.number()}"],
            [f"n //= {1 + self.choose(2)}"], ["u = a * 2", "del u"], ["print(*sizes, sep='-')"],
            ["a = b = c"], ["print('{} {!r:>5}'.format(n, text))"], ["print('%d|%s' % (n, text), len(vars(box)))"],
            [f"f = (lambda k: lambda v: v * k)({self.value(1)}) if {self.condition()} else f"],
            [f"f = functools.partial(inner, k={k}) if {self.condition()} else functools.partial(deep, k=1)"],
            ["f = held.__call__ if isinstance(held, Wide) else f"], ["print([text, n], {'k': flag})"],
            [f"r = {self.number()} + 0.5", "n = int(r) & 7"], ["text = ('a', 'ab')[n % 2]"],
            ["text = 'b'.join([text, 'c']) if len(text) < 3 else 'a'"],
            ["print(held.label() if isinstance(held, Named) else 0)"]])  # fmt: skip

    # ------------------------------------------------------------------ compound statements

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
            [f"{k} = 0", "while True:", f"    {k} += 1", f"    if {k} > 2 or {self.condition()}:", "        break"],
            [f"for {k}, v in sorted(table.items()):"], [f"for {k}, (u, v) in enumerate(zip([*items], [a, b])):"],
            [f"for {k} in range(2, -1, -1):"], ["for v in reversed([*items]):"], [f"for {k} in range(min(n, 3)):"],
            ["for a in [b, c]:"], ["for items[0] in [a, b]:"], [f"for box.v in rows({self.value(2)}, 2):"],
            [f"for {k} in 'ab':"], [f"for v in map(f, [a, {self.value(2)}]):"],
            [f"for v in asking({self.value(2)}):"], [f"for {k} in range(int(abs(w.sum()))):"],
            ["for (u, *v) in [[a, b], [c, n, a]]:"], ["for u in m:"], [f"for {k} in [n, r, flag]:"],
            [f"for {k} in sizes[:3]:"], ["for v in (items if len(items) < 4 else [a]) + [b]:"],
            [f"for {k}, v in ({{'p': a}} if {self.condition()} else {{'p': b, 'q': c}}).items():"],
            [f"for {k} in range(n & 3):"], ["for v in [box, held]:", "    v.v = v.v * 0.5"],
            ["for v in Slotted(a, 2):"],
            [f"for {k}, v in enumerate(m):", f"    if {k} > 1: break"],
            ["for v in filter(lambda v: v[0] > 0, [a, c]):"],
            [f"{k} = 0", f"while len(items) > 2 and {k} < 3:", f"    {k} += 1", "    items.pop()"],
            [f"{k} = x * 1", f"while {k}.sum() < 4:", f"    {k} = abs({k}) + 1"],
            [f"{k} = 0", f"while n < 2 and {k} < 3:", f"    {k} += 1", "    n += 1"],
            ["for v in [v for v in items if v.sum() > 0]:"]])
        return [*head, *self.block(depth + 1, True), *self.other(depth, in_loop)]

    def attempt(self, depth, in_loop):
        """`try` and `with`."""
        kind = self.choose(6)
        if kind == 0:
            manager = self.pick([
                "box as inside", "held as inside", "halved(box)", "halved(held) as inside", "box, halved(held)",
                "contextlib.suppress(KeyError)", "Box(a) as box"])  # fmt: skip
            return [f"with {manager}:", *self.block(depth + 1, in_loop)]
        if kind == 1:
            return self.failing(depth, in_loop)
        lines = ["try:", *self.block(depth + 1, in_loop)]
        if kind > 2:
            lines += indented(self.raising())
            lines += [f"except {self.pick(['KeyError', 'KeyError as error', '(KeyError, AssertionError)'])}:",
                      *self.block(depth + 1, in_loop), *self.other(depth, in_loop)]
        return [*lines, "finally:", "    n += 1"] if kind == 2 or self.choose(2) else lines

    def failing(self, depth, in_loop):
        """What Python raises is met, perhaps behind a condition."""
        line, error = self.pick(list(HANDLED.items()))
        body = [f"if {self.condition()}:", f"    {line}"] if self.choose(2) else [line]
        after = self.pick([["pass"], ["text += 'e'"], ["n += len(error.args)"], self.statement(depth + 1, in_loop)])
        return ["try:", *self.block(depth + 1, in_loop), *indented(body), f"except {error} as error:",
            *indented(after)]

    def raising(self):
        return self.pick([
            [f"if {self.condition()}:", "    raise KeyError('k')"], ["table['missing']"], ["pass"],
            [f"c = strict({self.value(1)}, {self.choose(4)})"], [f"assert {self.condition()}"],
            [f"if {self.condition()}:", "    a = a * 0.5", "    raise KeyError('k', n)", "b = b * 0.5"],
            [f"if {self.condition()}:", "    raise Refused(a, n) from None"],
            ["try:", "    table['missing']", "except KeyError as inner_error:", "    n += 1", "    raise"]])

    def match(self, depth, in_loop):
        k = self.choose(3)
        first, second = self.pick([
            ("0 | False", "(1, _) | 1"), (f"int() as t if {self.condition()}", "[p, *_]"),
            ("(k, False)", "{'k': p}"), ("Box(v=p)", "True"), ("Pair(u=p)", "[p, q]"), ("'a' | 'ab'", "str(t)"),
            ("{'z': p, **rest}", "Wide(factor=2)"), ("Both() | Wide(factor=1)", "Box(parts=[p, *_])"),
            ("(0, True) | (1, _)", "[Box(), *_]"), ("float(t)", "None")])  # fmt: skip
        return [f"match {self.pick(['n', 'flag', '(n, flag)', 'items', 'table', 'box', 'pair', 'text', 'held', 'r'])}:",
                f"    case {first}:", *indented(self.block(depth + 1, in_loop)),
                f"    case {second}:", *indented(self.block(depth + 1, in_loop)),
                "    case _:", f"        n += {k}"]  # fmt: skip

    # ------------------------------------------------------------------ functions and classes

    def function(self, depth, in_loop):
        name = f"g{next(self.counter)}"
        kind = self.choose(7)
        if kind == 0:
            body = [f"    u = v * 0.5 + {self.name()}", f"    if {self.condition()}:", "        return u",
                    "    nonlocal_ = [u]", "    nonlocal_.append(v)", "    return sum(nonlocal_)"]  # fmt: skip
        elif kind == 1:
            left = self.pick(["return a", "break", "continue"])
            body = ["    nonlocal a, n, m", f"    for k in range({1 + self.choose(3)}):", "        n += 1",
                    f"        a = a + {self.value(2)}", f"        if {self.condition()}:", f"            {left}",
                    "        v = v * 0.5", "    return v * 0.5"]  # fmt: skip
        elif kind == 2:
            body = ["    def h(u):", "        nonlocal v", "        v = v + u",
                    f"        return v if {self.condition()} else u",
            f"    return h({self.value(2)}) + v"]  # fmt: skip
        elif kind == 3:
            body = ["    nonlocal n, text", "    try:", f"        if {self.condition()}:", "            return v * 2",
                    "        text += 'g'", f"        v = {self.value(2)}", "    finally:", "        n += 1",
                    "    return v - 1"]  # fmt: skip
        elif kind == 4:
            body = [line for k in range(1 + self.choose(3)) for line in (
                f"    if {self.condition()}:", f"        if {self.condition()}:",
                f"            return {self.pick(['v', f'v * 2 + {self.name()}', self.value(2)])}",
                f"        v = {self.value(2)}", "    else:", f"        v = v * 0.5 + {k}")] + ["    return v - 1"]
        elif kind == 5:
            body = ["    nonlocal items", "    k = 0", f"    while ({self.condition()}) and k < 3:", "        k += 1",
                    f"        if {self.condition()}:", f"            return {self.value(2)}",
            "        v = v * 0.5 + k",
                    "    else:", "        items = [*items]", "    return v"]  # fmt: skip
        else:
            body = [f"    return v if k > 1 or {self.condition()} else {name}(v * 0.5 + {self.value(2)}, k + 1)"]
        if any(bind in line for line in body for bind in ("(u := ", "(t := ", "(n := ")):
            body = ["    return v * 0.5"]                         # it would bind in the wrong function
        decorated = self.pick([[], [], [], ["@twice_over"], ["@scaled(by=0.5)"]])
        return [*decorated, f"def {name}(v, k=0):", *body, f"c = {name}({self.value(2)})"]

    def definition(self, depth, in_loop):
        """Generators, and classes made here."""
        name = f"G{next(self.counter)}"
        value, other = self.name(), self.name()
        if self.choose(2):
            body = self.pick([
                [f"    for u in [{value}, {other}, v]:", f"        if {self.safe()}:", "            continue",
                 "        yield u"],
                ["    yield v", f"    if {self.safe()}:", "        return", f"    yield from rows({value}, 2)"],
                ["    try:", "        yield v", f"        yield v + {other}", "    finally:",
                 "        nonlocal n", "        n += 1"]])
            use = self.pick([f"c = sum({name}(a))", f"items = [*{name}(b)]", f"for v in {name}(c): b = b + v",
                             f"a = next({name}(b))", f"a, *rest = {name}(c)"])  # fmt: skip
            return [f"def {name}(v):", *body, use]
        if self.choose(4) == 0:
            return ["@dataclasses.dataclass", f"class {name}({self.pick(['Point', 'Named', 'object'])}):",
                    "    u: object = None", "    k: int = 2", "    def __post_init__(self):",
                    f"        self.u = {value} if self.u is None else self.u * 2", f"if {self.safe()}:",
                    f"    {self.name()} = {name}({other}).u", f"n += {name}(k=1).k"]
        base = self.pick(["Box", "Wide", "Both", "Named, Wide", f"(Box if {self.safe()} else Wide)"])
        return [f"class {name}({base}):", f"    k = {self.choose(3)}", "    def add(self, amount):",
                f"        if {self.safe()}:", "            super().add(amount)",
                f"        self.v = self.v * self.k + {value}",
                "        return self", f"{self.pick(['box', 'held'])} = {name}({other}).add({value})"]  # fmt: skip

    def safe(self):
        """A condition that binds nothing."""
        found = self.condition()
        return "flag" if ":=" in found else found

    # ------------------------------------------------------------------ leaving

    def leave(self, depth, in_loop):
        return [f"if {self.condition()}:", f"    {self.pick(['break', 'continue', 'break', 'return ' + EARLY])}"]

    def leaving(self, depth, in_loop):
        """`return`, `break` and `continue` in branches that may also run to their end."""
        lines = []
        for _ in range(1 + self.choose(3)):
            out = self.pick(["break", "continue", f"return {EARLY}"] if in_loop else [f"return {EARLY}"])
            lines += [f"if {self.condition()}:", *indented(self.simple(depth, in_loop)),
                      f"    if {self.condition()}:", *indented(indented(self.assignment(depth, in_loop))),
                      f"        {out}", *indented(self.assignment(depth, in_loop)),
                      *self.pick([[], ["else:", *indented(self.assignment(depth, in_loop))]])]
        return lines

    def early(self, depth, in_loop):
        return [f"if {self.condition()}:", f"    return {EARLY}"]


def indented(lines):
    return ["    " + line for line in lines]
