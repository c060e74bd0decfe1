"""Random programs on views and changes in place, which torch runs, too.

Matrices that are no views lie row by row: what `reshape` of others gives is a copy in torch, and a view here.
"""

from __future__ import annotations

import itertools

BEGINNING = '''\
def program(x, w):
    a, b, c = x * 1, w * 1, x + w
    m, q = ops.stack([x, w]) * 1, ops.stack([x, w, x * w]) * 1
    n, r = 0, 0.5
    views = [a[:], q[0], m[1]]
    table = {"u": q[:, 1], "v": b.view(3)}
    box = Box(q[2])

    def change(v, by):
        v.add_(by)
        return v

    def part(v):
        return v[:] if v.sum() > 0 else v

    def row(v, k):
        nonlocal n
        n += 1
        return v[k]

'''
HOLDS_VIEWS = ("[a[:], q[0], m[1]]", '{"u": q[:, 1], "v": b.view(3)}', "Box(q[2])")
HOLDS_COPIES = ("[a * 2, q[0] * 1, m[1] * 1]", '{"u": q[:, 1] * 1, "v": b.view(3) * 1}', "Box(q[2] * 1)")
END = """\
    total = a + b * 2 + c * 3 + m.sum(0) * 5 + q[0] * 7 + q[1] * 11 + q[2] * 13 + box.v * 17 + table["u"] * 19
    for v in [*views, *box.parts]:
        total = total * 1.25 + v
    return total + table["v"], n, len(views)
"""


class Views:
    """Writes one program; `choose(n)` draws a number below n.

    Attributes:
        apart: Whether what has a name shares no memory, so that graph mode takes the program as a whole.
    """

    def __init__(self, choose):
        self.choose, self.counter = choose, itertools.count()
        self.apart = choose(3) == 0

    def pick(self, options):
        """One of the options."""
        return options[self.choose(len(options))]

    def program(self):
        """The source of a function `program` of two tensors."""
        lines = [s for _ in range(3 + self.choose(5)) for s in self.statement(0)]
        beginning = BEGINNING
        if self.apart:
            for views, copies in zip(HOLDS_VIEWS, HOLDS_COPIES, strict=True):
                beginning = beginning.replace(views, copies)
        return beginning + "".join(f"    {line}\n" for line in lines) + "\n" + END

    # ------------------------------------------------------------------ expressions

    def number(self):
        """A number of Python's."""
        return self.pick(["0.5", "2", "r", "n", "-1.5", f"(n + {self.choose(3)})"])

    def held(self):
        """A tensor of three elements that has a name."""
        return self.pick([
            "a", "b", "c", "views[0]", "views[-1]", "table['u']", "table['v']", "box.v", "box.parts[0]"])

    def matrix(self):
        """A tensor of three columns, and how many rows it has."""
        if self.apart:
            return self.pick([("m", 2), ("q", 3)])
        return self.pick([
            ("m", 2), ("q", 3), ("q", 3), ("q[1:]", 2), ("q.T", 3), ("q[::2]", 2), ("m[:]", 2),
            ("q.permute(1, 0)", 3), ("q.reshape(9).view(3, 3)", 3), ("q[None][0]", 3), ("q.narrow(0, 1, 2)", 2),
            ("q.swapaxes(0, 1)", 3)])

    def target(self):
        """A tensor of three elements that may be changed."""
        return self.held() if self.apart else self.view()

    def view(self, depth=0):
        """A view of three elements of something."""
        if depth < 2 and self.choose(3) == 0:
            inner = self.view(depth + 1)
            return self.pick([
                f"{inner}[:]", f"{inner}.view(3)", f"{inner}.reshape(1, 3)[0]", f"{inner}[None].squeeze(0)",
                f"{inner}.view(3, 1)[:, 0]", f"{inner}.unsqueeze(1).flatten()", f"{inner}.expand_as(a)",
                f"part({inner})", f"{inner}.reshape(3)", f"{inner}.view_as(c)", f"{inner}.T",
                f"{inner}.expand_as(m)[1]"])
        (whole, rows), held = self.matrix(), self.held()
        k = self.choose(rows)
        return self.pick([
            held, held, held, f"{whole}[{k}]", f"row({whole}, {k})", f"{whole}[{k}, :]", f"q[:, {k}]", f"q.T[{k}]",
            "q.diagonal()", f"q.reshape(9)[{3 * k}:{3 * k + 3}]", f"q.view(9)[{k}:7:2][:3]",
            f"{whole}.unbind()[{k}]", f"{whole}.split(1)[{k}][0]", f"q.chunk(3)[{k}].reshape(3)",
            f"m.flatten()[{k}:{k + 3}]", f"q.T.reshape(9)[{k}:{k + 3}]",
            f"(views[{k}] if {self.condition()} else {held})", f"[v for v in q][{k}]", f"m.select(0, {k % 2})",
            f"q[..., {k}]", "ops.diagonal(q)", f"q[[{k}]][0]", f"m.expand_as(m)[{k % 2}]", "x"])

    def value(self, depth=0):
        """A tensor of three elements that is changed by nobody."""
        if depth > 1 or self.choose(2):
            return self.pick([self.view(1), "x", "w", self.held()])
        one, two = self.value(depth + 1), self.value(depth + 1)
        return self.pick([
            f"({one} + {two})", f"({one} * {self.number()})", f"{one} * {two}", f"ops.tanh({one})", f"{one}.clone()",
            f"{one}[[2, 0, 1]]", f"{one}.sum() * {two}", f"ops.where({one} > 0, {one}, {two})",
            f"{one}[{self.choose(3)}] * {two}", f"m.mean(0) - {one}", f"{one}.sum(0) - {two}", f"(q @ {one})",
            f"ops.exp(-abs({one}))", f"ops.stack([{one}, {two}])[{self.choose(2)}]"])

    def condition(self):
        """What an `if` asks."""
        held, k = self.held(), self.choose(3)
        return self.pick([f"{held}.sum() > {k}", f"n > {k}", f"{held}[{k}] > 0.2", f"m.sum() > {k}",
                          f"q[1, 1] < {held}[0]", f"not {held}[{k}] > q[0, {k}]"])

    # ------------------------------------------------------------------ statements

    def statement(self, depth):
        """One statement; `depth` says how deep it stands."""
        kinds = [self.in_place, self.in_place, self.in_place, self.element, self.element, self.naming, self.naming]
        if depth < 2:
            kinds += [self.branches, self.loop]
        return self.pick(kinds)(depth)

    def block(self, depth):
        """Some statements, indented."""
        return ["    " + s for _ in range(1 + self.choose(2)) for s in self.statement(depth)]

    def in_place(self, depth):
        """A method that changes its tensor."""
        target, value, number, k = self.target(), self.value(), self.number(), self.choose(3)
        whole = self.matrix()[0]
        common = [
            f"{target}.add_({value})", f"{target}.add_({value})", f"{target}.mul_({value})", f"{target}.mul_({number})",
            f"{target}.sub_({value})", f"{target}.copy_({value})", f"{target}.zero_()", f"{target}.fill_({number})",
            f"{target}.div_({value} * {value} + 1)", f"change({target}, {value})", f"{whole}.add_({value})",
            f"{whole}.mul_({number})", f"{target}.tanh_()", f"{target}.masked_fill_({value} > 0, {number})",
            f"{target}.add_({value}).mul_({number})", f"{target}.clamp_(-0.9, 1.1)"]
        of_views = [
            f"{target}[1:].add_({value}[:2])", f"{target}[{k}].mul_({number})", f"{whole}[:, {k}].add_({number})",
            f"{whole}[:, 1:].copy_({value}[1:])", f"{whole}.diagonal().add_({number})", f"q.T.sub_({value})",
            f"box.v = change({target}, {number})", f"table['v'] = {target}.mul_({value})"]
        return [self.pick(common if self.apart else common + of_views)]

    def element(self, depth):
        """An assignment to elements."""
        target, value, number, k = self.target(), self.value(), self.number(), self.choose(3)
        (whole, rows), sign = self.matrix(), self.pick(["=", "+=", "*=", "-="])
        j = self.choose(rows)
        return [self.pick([
            f"{target}[{k}] = {value}[0]", f"{target}[:] = {value}", f"{target}[1:] {sign} {value}[:2]",
            f"{target}[{k}] {sign} {number}", f"{target}[::2] {sign} {number}", f"{whole}[{j}] {sign} {value}",
            f"{whole}[:, {k}] {sign} {number}", f"{whole}[{j}, {k}] {sign} {value}[1]",
            f"{whole}[..., 1:] {sign} {number}", f"{target}[{value} > 0] {sign} {number}",
            f"{target}[[2, 0]] {sign} {value}[1:]", f"{whole}[{j}:, {k}] {sign} {number}",
            f"{whole}[{whole} > 0] = {number}", f"{whole}[[1, 0]] {sign} {value}", f"{target}[...] {sign} {value}",
            f"m[:, [0, 2]] {sign} {value}[1:]", f"q[:2] {sign} m", "q[1:] = q[:2]",
            f"{whole}[:, {k}] = {whole}[:, 0]", f"{target}[n % 3] {sign} {value}[n % 2]"])]

    def naming(self, depth):
        """New names, containers and attributes of views and of copies."""
        view, value, name = self.view(), self.value(), self.pick("abc")
        place = self.pick([name, f"views[{self.choose(3)}]", f"table['{self.pick('uv')}']", "box.v"])
        common = [
            [f"{place} = {value} * 1"], [f"views.append({value} * 2)"], ["views.reverse()"], ["n += 1"],
            [f"m = ops.stack([{value}, {value}])"], ["q = ops.stack([*q])"], ["a, b = b, a"],
            ["m, q = ops.cat([m, q[2:]])[:2] * 1, ops.cat([q])"], [f"box = Box({value} * 1)"]]
        of_views = [
            [f"{place} = {view}"], [f"{place} = {view}"], [f"views.append({view})"], [f"box.parts.append({view})"],
            ["q = q.T"], [f"m = q[{self.choose(2)}:][:2]"], [f"box = Box({view})"], [f"{place} = part({view})"],
            [f"{place} = {view} if {self.condition()} else {view}"], ["m, q = q[:2], ops.cat([m, q[2:]])"]]
        return self.pick(common if self.apart else common + of_views)

    def branches(self, depth):
        lines = [f"if {self.condition()}:", *self.block(depth + 1)]
        return lines + (["else:", *self.block(depth + 1)] if self.choose(2) else [])

    def loop(self, depth):
        k, block = f"k{next(self.counter)}", self.block(depth + 1)
        body = self.pick([block, [f"    {line}" for line in [self.pick([
            f"{self.target()}.add_(v)", f"v.add_({self.value()})", f"v.mul_({self.number()})",
            f"v[1:] += {self.value()}[:2]"])]]])
        over = [["for v in list(views):"], ["for v in table.values():"], [f"for {k}, v in enumerate([a, b]):"],
                ["for v in views[:2]:"], *([] if self.apart else [["for v in q:"], ["for v in m.unbind():"]])]
        counting = [[f"for {k} in range({1 + self.choose(3)}):"],
                    [f"{k} = 0", f"while {self.condition()} and {k} < 3:", f"    {k} += 1"]]
        return [*self.pick(over), *body] if self.choose(2) else [*self.pick(counting), *block]
