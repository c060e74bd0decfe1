"""Random programs of the language that graph mode takes: how they are written, and how they are judged."""

from __future__ import annotations

import importlib.util
import itertools
import logging

import numpy as np
import pytest

HEAD = '''\
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

'''
TAIL = """\
    total = a + b + c + box.v + held.v + table["k"]
    for v in [*items, *alias]:
        total = total + v
    return total, n, flag, len(items), len(table)
"""


class Writer:
    """Writes one program; `choose(n)` draws a number below n."""

    def __init__(self, choose):
        self.choose, self.counter, self.in_place = choose, itertools.count(), False

    def pick(self, options):
        return options[self.choose(len(options))]

    def program(self):
        body = [line for _ in range(2 + self.choose(4)) for line in self.statement(0, False)]
        return HEAD + "".join(f"    {line}\n" for line in body) + "\n" + TAIL

    # ------------------------------------------------------------------ expressions

    def place(self):
        return self.pick(["a", "b", "c", "items[0]", "items[-1]", "table['k']", "box.v", "held.v"])

    def value(self, depth=0):
        if depth > 2 or self.choose(3) == 0:
            return self.pick(["a", "b", "c", "x", "w", self.place(), "box.twice"])
        one, two = self.value(depth + 1), self.value(depth + 1)
        return self.pick([
            f"({one} + {two})", f"({one} - {two})", f"({one} * 0.5)", f"ops.tanh({one})",
            f"({one} if {self.condition()} else {two})", f"inner({one})", f"inner({one}, k=1)",
            f"deep({one}, 2)", f"f({one})", f"(lambda v, u={two}: v - u)({one})",
            f"sum([v * 0.5 for v in items], {one})", f"sum(rows({one}, 3))", f"{one} * {two}[1]",
            f"max([{one}, {two}], key=lambda v: v.sum())", f"{{'p': {one}, 'q': {two}}}['q']",
            f"next(v for v in [{one}, {two}])", f"[{one}, {two}][n % 2]"])  # fmt: skip

    def condition(self):
        value, k = self.pick(["a", "b", "c", "box.v", "items[0]"]), self.choose(5) - 2
        return self.pick([
            f"n > {k}", f"{value}.sum() > {k}", f"not {value}[0] > 0.3", f"-1 < {value}[1] < 1", "flag",
            f"{value}.sum() > {k} and n < 3", f"{value}.sum() < {k} or n == 1", "len(items) > 2",
            f"any(v.sum() > {k} for v in items)", f"{value} is {self.place()}", "'z' in table"])  # fmt: skip

    # ------------------------------------------------------------------ statements

    def block(self, depth, in_loop):
        lines = [s for _ in range(1 + self.choose(3)) for s in self.statement(depth, in_loop)]
        return ["    " + line for line in lines]

    def statement(self, depth, in_loop):
        kinds = [self.assignment, self.assignment, self.mutation, self.mutation, self.simple]
        if depth < 3:
            kinds += [self.condition_statement, self.loop, self.attempt, self.function]
        if in_loop:
            kinds.append(self.leave)
        return self.pick(kinds)(depth, in_loop)

    def assignment(self, depth, in_loop):
        line = self.pick([
            f"{self.place()} = {self.value()}", f"{self.place()} = {self.value()}",
            f"{self.pick('abc')} += {self.value(1)}", f"{self.place()} -= {self.value(1)}",
            "a, b = b, a", f"a, (b, *_) = {self.value(1)}, [{self.value(1)}, 1]",
            f"b = c = {self.value(1)}", f"c = (t := {self.value(1)}) * 0.5 + t"])  # fmt: skip
        self.in_place |= "+= " in line or "-= " in line        # torch changes the tensor then
        return [line]

    def mutation(self, depth, in_loop):
        lines = self.pick([
            [f"items.append({self.value(1)})"], ["items.append(items.pop(0))"], ["items.reverse()"],
            [f"items.insert(0, {self.value(1)})", "items.pop()"], [f"items[:1] = [{self.value(1)}]"],
            [f"table['z'] = {self.value(1)}"], [f"table.update(k={self.value(1)})"],
            [f"box.add({self.value(1)}).add(1)"], [f"box.parts.append({self.value(1)})"],
            ["box, held = held, box"], [f"held = Box({self.value(1)})"], ["alias = list(items)"],
            ["alias = items"], [f"setattr(box, 'v', {self.value(1)})"],
            [f"{self.pick('abc')}[{self.choose(3)}] = {self.value(1)}[0]"],
            [f"{self.pick('abc')}.add_({self.value(1)})"], [f"items[0][1:] = {self.choose(3)}"]])  # fmt: skip
        self.in_place |= "_(" in lines[0] or "] = " in lines[0]
        return lines

    def simple(self, depth, in_loop):
        return self.pick([
            ["n += 1"], ["flag = not flag"], [f"bump({self.value(1)})"], [f"f = lambda v: v - {self.pick('abc')}"],
            ["f = inner"], [f"assert {self.pick('abc')}.sum() < 1000"], ["flag = n > 1"],
            [f"n = n + {self.choose(3)} if {self.condition()} else n"]])  # fmt: skip

    def condition_statement(self, depth, in_loop):
        lines = [f"if {self.condition()}:", *self.block(depth + 1, in_loop)]
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
            [f"for {k} in range((a * 0).sum().int() + 2):"],
            [f"{k} = 0", f"while {k} < {self.choose(3) + 1}:", f"    {k} += 1"],
            [f"{k} = 0", f"while {self.condition()} and {k} < 3:", f"    {k} += 1"]])  # fmt: skip
        return [*head, *self.block(depth + 1, True), *self.other(depth, in_loop)]

    def attempt(self, depth, in_loop):
        kind = self.choose(4)
        if kind == 0:
            return [f"with {self.pick(['box', 'held'])} as inside:", *self.block(depth + 1, in_loop)]
        if kind == 1:
            return [f"match {self.pick(['n', 'flag', '(n, flag)'])}:", "    case 0 | False:",
                    *["    " + s for s in self.block(depth + 1, in_loop)], "    case (1, _) | 1:",
                    *["    " + s for s in self.block(depth + 1, in_loop)], "    case _:", "        n += 1"]  # fmt: skip
        lines = ["try:", *self.block(depth + 1, in_loop)]
        if kind == 2:
            raising = self.pick([f"if {self.condition()}:\n        raise KeyError('k')", "table['missing']", "pass"])
            lines += ["    " + s for s in raising.split("\n        ")[:1]]
            lines += ["        " + s for s in raising.split("\n        ")[1:]]
            lines += ["except KeyError:", *self.block(depth + 1, in_loop), *self.other(depth, in_loop)]
        return [*lines, "finally:", "    n += 1"] if kind == 3 or self.choose(2) else lines

    def function(self, depth, in_loop):
        name = f"g{next(self.counter)}"
        body = [line for line in self.block(depth + 1, False) if line]
        names = sorted({s.strip().split()[0] for s in body if s.strip()[:2] in ("a ", "b ", "c ", "n ")})
        outer = [f"    nonlocal {', '.join(names)}"] if names and depth == 0 and _only(body, names) else []
        if not outer:
            body = [f"    u = v * 0.5 + {self.pick('abc')}"]
        return [f"def {name}(v):", *outer, *body, "    return v * 0.5", f"c = {name}({self.value(2)})"]

    def leave(self, depth, in_loop):
        return [f"if {self.condition()}:", f"    {self.pick(['break', 'continue', 'break'])}"]


def _only(body, names):
    """Whether the lines bind only these names of the function around."""
    text = "\n".join(body)
    return not any(f"{name}, " in text or f"{name} = " in text or f"{name} += " in text or f"{name} -= " in text
                   or f"{name} := " in text or f"({name}" in text
                   for name in ("flag", "items", "alias", "box", "held", "f", "t", "a", "b", "c", "n", "k0")
                   if name not in names)  # fmt: skip


@pytest.fixture
def judge(tmp_path):
    """`judge(source)`: PyNative mode, graph mode and torch do the same; whether it was compiled as a whole."""
    from mindspore import Tensor, grad, jit

    logging.getLogger("mindspore").setLevel(logging.ERROR)
    names = itertools.count()

    def load(source):
        file = tmp_path / f"drawn_{next(names)}.py"
        file.write_text(source)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def outcome(fn, values):
        args = [Tensor(np.array(v)) for v in values]
        try:
            found = fn(*args)
        except Exception as error:
            found = type(error)
        return [_plain(found), *[a.asnumpy().copy() for a in args]]

    def check(source, in_place=True):
        module, whole = load(source), True

        def total(x, w):
            return module.program(x, w)[0].sum()

        graph, gradient = jit(module.program), jit(grad(total, (0, 1)))
        for values in (([0.3, -0.8, 1.2], [1.0, 0.2, -0.4]), ([-1.0, 0.5, 0.1], [0.3, 0.3, 2.0])):
            eager = outcome(module.program, values)
            _same(outcome(graph, values), eager)
            whole &= not graph.cache.uncompiled
            if isinstance(eager[0], type):
                continue
            slopes = outcome(grad(total, (0, 1)), values)
            _same(outcome(gradient, values), slopes)
            if not in_place:
                _same_as_torch(source, values, eager[0], slopes[0])
        return whole

    return check


def _plain(value):
    """A result with arrays for tensors and numbers."""
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    return value if isinstance(value, type) else np.asarray(value.asnumpy() if hasattr(value, "asnumpy") else value)


def _same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert isinstance(found, (tuple, list)), (found, wanted)
        for one, two in zip(found, wanted, strict=True):
            _same(one, two)
    elif isinstance(wanted, type) or isinstance(found, type):
        assert found is wanted
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


def _same_as_torch(source, values, result, slopes):
    """The program on torch's tensors, with torch's gradient."""
    import torch

    space = {}
    exec(source.replace("from mindspore import ops", "import torch as ops"), space)
    args = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    out = space["program"](*args)[0]
    _same(out.detach().numpy(), result[0])
    found = torch.autograd.grad(out.sum(), args, allow_unused=True)
    for one, two in zip(found, slopes, strict=True):
        _same(np.zeros(3) if one is None else one.numpy(), two)


@pytest.fixture
def writer():
    """The class that writes programs."""
    return Writer
