"""Random expressions: tensors of three elements, conditions, numbers."""

from __future__ import annotations

import itertools


class Values:
    """Writes expressions; `choose(n)` draws a number below n.

    Attributes:
        plain: Whether only such parts are drawn as torch has, with the same meaning.
    """

    def __init__(self, choose):
        self.choose, self.counter = choose, itertools.count()
        self.plain = choose(3) == 0

    def pick(self, options):
        """One of the options."""
        return options[self.choose(len(options))]

    def name(self):
        """One of the three names of tensors."""
        return self.pick("abc")

    def place(self):
        """What can be bound to a tensor."""
        return self.pick([
            "a", "b", "c", "items[0]", "items[-1]", "table['k']", "box.v", "held.v", "m[0]", "nest[1][0]",
            "box.parts[0]"])  # fmt: skip

    def value(self, depth=0):
        """A tensor of three elements."""
        if depth > 2 or self.choose(3) == 0:
            return self.pick(["a", "b", "c", "x", "w", self.place(), "box.twice", "m[1]", "pair.u", "big[-1]"])
        one, two = self.value(depth + 1), self.value(depth + 1)
        kind = self.choose(8)
        if kind < 4:
            return self.pick(self.usual(one, two))
        if kind == 4:
            return self.pick(self.rare(one, two))
        return self.pick(self.pick([self.calls, self.containers, self.objects, self.elements])(one, two))

    def usual(self, one, two):
        """What most programs compute."""
        return [
            f"({one} + {two})", f"({one} - {two})", f"({one} * 0.5)", f"ops.tanh({one})",
            f"({one} if {self.condition()} else {two})", f"inner({one})", f"inner({one}, k=1)",
            f"deep({one}, 2)", f"f({one})", f"(lambda v, u={two}: v - u)({one})",
            f"sum([v * 0.5 for v in items], {one})", f"sum(rows({one}, 3))", f"{one} * {two}[1]",
            f"max([{one}, {two}], key=lambda v: v.sum())", f"{{'p': {one}, 'q': {two}}}['q']",
            f"next(v for v in [{one}, {two}])", f"[{one}, {two}][n % 2]",
            f"({one} * {self.number()})"]  # fmt: skip

    def rare(self, one, two):
        """Functions that bind names of the program, iterators, what only this library has."""
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
            f"({one} + ops.rand(3, dtype=mindspore.float64))", f"NET({one}, {k})", f"BENT({one})",
            f"ops.stop_gradient({one})", f"doubled({one}, k={k})", f"SCALED.times({one})",
            f"ops.maximum({one}, {two})", f"value_and_grad(lambda v: (v * {two}).sum())({one})[1]",
            f"sum(m.unbind(), {one})", f"grad(lambda v: (v * P).sum(), None, [P])({one})[0]",
            f"vmap(lambda v: v * {one})(m)[{k % 2}]", f"AGAIN({one})", f"ops.HyperMap()(f, [{one}, {two}])[{k % 2}]",
            f"ops.HyperMap(PAIRED)(({one}, {k}), ({two}, {one}))[{k % 2}]", f"ops.Partial()(inner, {one})({k})",
            f"ops.Map()(lambda u, v: u - v, ({one},), ({two},))[0]", f"(NET if {self.condition()} else BENT)({one})",
            f"grad(AGAIN)({one})", f"grad(lambda v: (BENT(v) * {two}).sum())({one})",
            f"ops.jvp(ops.tanh, {one}, {two})[1]"]
        return common if self.plain else common + apart

    def calls(self, one, two):
        """Calls with all kinds of arguments, recursion, functions as values."""
        k = self.choose(3)
        return [
            f"mixed({one}, {two}, k={k})", f"mixed(*[{one}, {two}], extra={one})", f"mixed({one}, **{{'k': {k}}})",
            f"mixed(*items, **{{'p': {two}}})", f"remember({one}, scale={k})", f"remember({one}, [{two}])",
            f"even({one}, {k})", f"down({one})", f"functools.reduce(lambda u, v: u + v * 0.5, [{one}, {two}])",
            f"sum(map(f, [{one}, {two}]))", f"sum(filter(lambda v: v.sum() > {k}, [{one}, {two}]), {one})",
            f"list(map(lambda u, v: u - v, [{one}], [{two}]))[0]", f"functools.partial(inner, k={k})({one})",
            f"(f if {self.condition()} else inner)({one})", f"twice_over(f)({one})", f"scaled(by={k})(inner)({one})",
            f"counted({one})", f"[f, inner, lambda v: v * {two}][{k}]({one})", f"(lambda *vs: vs[-1])({one}, {two})",
            f"mixed({one}, **({{'k': {k}}} if {self.condition()} else {{'p': {two}}}))",
            f"mixed(*([{one}] if {self.condition()} else [{one}, {two}]))", f"operator.add({one}, {two})",
            f"functools.reduce(operator.mul, [{one}, {two}, r])",
            f"sum(map(operator.attrgetter('v'), [box, held]), {one})",
            f"(lambda *, k, v={two}: v * k)(k={one})", f"operator.methodcaller('add', {one})(box).v",
            f"next(asking({one}))", f"sum(asking({one}))", f"(lambda v=({one}): v + {two})()", f"grown({one}, {k})"]

    def containers(self, one, two):
        """Comprehensions, slices, what is built in for containers."""
        k = self.choose(3)
        return [
            f"{{k: v * 2 for k, v in {{'p': {one}, 'q': {two}}}.items() if k != 'q'}}['p']",
            f"sum([v for v in [{one}, {two}] if v.sum() > {k}], {one})",
            f"sum(u * k for u in [{one}, {two}] for k in range({k + 1}))", f"{one} * len({{k % 2 for k in sizes}})",
            f"sorted([{one}, {two}], key=lambda v: v.sum())[{k % 2}]", f"min({one}, {two}, key=lambda v: v[{k}])",
            f"list(reversed([{one}, {two}]))[0]", f"[u for u, v in zip(items, [{one}, {two}])][-1]",
            f"dict(zip('pq', [{one}, {two}]))['q']", f"[*items, {one}][-1]", f"({one}, *items)[0]",
            f"{{**table, 'k': {one}}}['k']", f"(table | {{'z': {one}}})['z']", f"items[::-1][0] * {one}",
            f"table.get('z', {one})", f"table[('k' if {self.condition()} else 'm')]",
            f"(items if {self.condition()} else [{one}])[0]",
            f"[[u + v for u in items] for v in [{one}, {two}]][0][-1]", f"(t := [{one}, {two}])[0] + t[1]",
            f"queue[0] * {one}", f"[{one}, {two}][{self.condition()}]",
            f"[v for i, v in enumerate([{one}, {two}]) if i == n % 2][0]",
            f"tuple(v * 2 for v in ({one}, {two}))[{k % 2}]", f"{{f'{{n}}': {one}}}[f'{{n}}']",
            f"sum(table.values(), {one})", f"{{**(table if {self.condition()} else {{'k': {one}}})}}['k']",
            f"{{text: {one}, 'ab': {two}}}['ab']", f"{one} * len({{text, 'a'}})", f"table.get(text, {one})",
            f"Table(table)['q'] * {one}", f"{one} * [text, 'a'].count('a')", f"{one} * Counter([n, 1])[1]",
            f"({one} if (text, n) == ('a', {k}) else {two})", f"{one} * len(f'{{text:>3}}')",
            f"[{one}, {two}][text == 'a']"]

    def objects(self, one, two):
        """Objects of classes of the program."""
        k = self.choose(3)
        return [
            f"Pair({one}, {two})._replace(u={two}).u", f"Point({one}, {k}).moved({two}).u", f"Wide({one}, {k}).twice",
            f"Wide.of({one}, {two}).add(1).v", f"Wide({one})({two})", f"(Wide({one}) + Box({two})).v",
            f"Wide.half({one})", f"sum(Wide({one}))", f"Wide({one})[0]", f"({one} if Wide({two}) else {two})",
            f"getattr(box, 'late', {one})", f"(box if {self.condition()} else held).v",
            f"(box if {self.condition()} else Wide({one})).twice", f"({one} if isinstance(held, Wide) else {two})",
            f"Box({one}).add({two}).v", f"(Point({one}).parts or {two})", f"({one} if 'v' in vars(box) else {two})",
            f"dataclasses.replace(Point({one}), u={two}).u", "vars(box)['v']", "copy.copy(held).v",
            "box.__dict__['parts'][0]", f"max([box, Box({one})], key=lambda k: k.v.sum()).v",
            f"Both({one}, {k}).add({two}).v", f"Both({one}).once + {two}",
            f"({one} if {k} in Both({two}, {k % 2}) else {two})",
            f"(Both({one}) if {self.condition()} else box).twice",
            f"{{Both({one}, {k}): {one}}}.get(Both({two}, 1), {two})", f"({one} * Slotted({two})).v",
            f"sum(Slotted({one}, {k}))", f"(Slotted({one}) * n).v * {two}", f"{one} * len(Both({two}).label())",
            f"type(box)({one}).v", f"Box.add(held, {one}).v",
            f"copy.{'copy' if self.plain else 'deepcopy'}(box).add({one}).v",
            f"getattr(held, 'factor', {one}) * {two}"]

    def elements(self, one, two):
        """Slices of tensors, numbers of elements."""
        k = self.choose(3)
        common = [
            f"{one}[[2, 0, 1]]", f"ops.cat([{one}[1:], {two}[:1]])", f"m[:, 1:].sum() * {one}", f"{one}[None][0]",
            f"{one}[..., {k}] * {two}", f"m[..., ::2].sum(1)[0] * {two}", f"{one} * {one}[{two} > 0].sum()",
            f"ops.where({one} > 0, {one}, {two})", f"-{one}", f"abs({one})", f"{one} / ({two} * {two} + 1)",
            f"{one} ** 2", f"({one} @ {two}) * {one}", f"ops.relu({one})", f"{one}.mean() - {two}",
            f"big.mean(0) + {one}", f"{one} * big.shape[0]", f"{two} * len({one})", f"m.T[{k}].sum() * {one}",
            f"{one}[{one} > 0].sum() * {two}", f"m[[1, 0], [0, 2]].sum() * {one}", f"m[:, None].sum() * {one}",
            f"m[..., -1].sum() * {one}", f"m[m > 0].sum() * {one}", f"{one}[n % 3:].sum() * {two}",
            f"m[1:, ::2].sum() * {one}", f"m[[True, False]].sum(0) * {one}", f"m[{k % 2}, {k}] * {one}",
            f"big[0, [2, 0, 1]] + {two}", f"m[n % 2] + {one}", f"{one} * {two}[n % 3]",
            f"ops.stack([{one}, {two}]).sum(0)"]  # fmt: skip
        return common if self.plain else [
            *common, f"{one}.max() * {two}", f"{one} * {two}.sum().item()", f"{one}[::-1] * {two}",
            f"{one}[Tensor([2, 0, 1])]", f"m[Tensor([1, 0]), 1].sum() * {one}", f"m[None, :, [0, 2]].sum() * {one}",
            f"{one}.view(3, 1)[:, 0] * {two}", f"{one}[({two} > 0).int()]", f"m.T[..., {k % 2}].sum() + {one}",
            f"{one} * float(np.sqrt({k}))"]

    def number(self):
        """A number of Python's."""
        value, k = self.name(), self.choose(4)
        return self.pick([
            "n", f"(n + {k})", "r", "sizes[n % 3]", "len(items)", f"float({value}.sum())", f"int({value}.sum())",
            f"({k} if {value}.sum() > 0 else n)", "sum(sizes)", "max(sizes)", f"{value}[0].item()", "len(text)",
            "abs(n - 2)", f"min(n, {k})", f"divmod(n, 2)[{k % 2}]", "round(r)", "n ** 2", "(n // 2 + n % 2)",
            "-n", "len(seen)", f"len([v for v in items if v.sum() > {k}])", "int(flag)", "(n & 3 | 1)",
            f"bool({value}.sum() > {k})", "math.sqrt(abs(r))", "math.floor(r * 2)", "(n & 3) << 1", "(n * 4) >> 1",
            "round(r, 1)", "[3, 1, 2].index(2)", f"math.tanh(float({value}.sum()))", "int(r * 3)",
            "len([1, 2] * (n & 1))",
            "(n & 7).bit_length()", "len(range(n & 3))", "sum(range(n & 3))", "math.ceil(r)", "operator.add(n, 1)",
            f"int(np.array([1, 2, 3])[{k % 3}])", f"np.prod([{k}, 2]).item()", f"(lambda k: k * 2)({k})",
            "vars(box).get('factor', 1)", f"sorted(sizes)[{k % 2}]", "len(vars(held))"])  # fmt: skip

    def condition(self):
        """What an `if` asks."""
        value, k = self.pick(["a", "b", "c", "box.v", "items[0]", "m[1]"]), self.choose(5) - 2
        if self.choose(3) == 0:
            return self.pick(self.asking(value, k))
        return self.pick([
            f"n > {k}", f"{value}.sum() > {k}", f"not {value}[0] > 0.3", f"-1 < {value}[1] < 1", "flag",
            f"{value}.sum() > {k} and n < 3", f"{value}.sum() < {k} or n == 1", "len(items) > 2",
            f"any(v.sum() > {k} for v in items)", f"{value} is {self.place()}", "'z' in table",
            f"swap({value}).sum() > {k}"])  # fmt: skip

    def asking(self, value, k):
        """More things that can be asked."""
        return [
            "n in (0, 2)", f"n not in seen and {value}[0] > 0", "isinstance(n, int)",
            f"all(v.sum() > {k} for v in items)", "table.get('z') is None", "hasattr(box, 'late')",
            f"bool({value}.sum() > {k})", f"w[0] < {value}.sum() < {abs(k)}", f"(not flag) ^ (n > {k})",
            f"len([v for v in items if v.sum() > {k}]) > 1", f"int({value}.sum()) % 2 == 0",
            f"(n := n + 1) > {abs(k)}", "seen and flag", f"r < {value}[2]", f"flag or {value}.sum() > {k}",
            "text == 'ab'", "text.startswith('ab')", f"({value}.sum() > 0) & ({value}[0] < 1)", "box is held",
            "items is alias", "isinstance(held, Wide)", "len(big) > 1", f"not ({value}[0] > 0 or flag)",
            f"{value} is not None", f"({value}.sum() > {k}) == flag", "'b' in text and n > 0", "f is inner",
            "math.isfinite(r)", "(n, flag) == (1, True)", "text in {'a', 'ab'}", "operator.lt(n, 2)",
            "hasattr(held, 'factor') and n < 2", "type(box) is type(held)", "isinstance(box, (Wide, Named))",
            "not isinstance(held, Named)", f"any(k.v.sum() > {k} for k in (box, held))", "text < 'b'",
            "len(text) == 1",
            "[text] == ['a']", "'late' in vars(box)", f"np.sign({k}) > 0", "box is held or flag",
            f"n == {abs(k)} != r", "callable(f) and flag", "sizes == [1, 2, 3]", "queue",
            f"max(v.sum() for v in items) > {k}"]  # fmt: skip
