"""Programs drawn by chance: nested control flow, shared objects, inner functions; both modes agree."""

from __future__ import annotations

import importlib.util
import random

import numpy as np
import pytest

HEAD = """\
from mindspore import ops


class Holder:
    pass


def program(x):
    a = b = c = x
    n = 0
    items = [x, x]
    table = {"k": x}
    holder = Holder()
    holder.v = x
    alias = items

    def inner(v):
        if v.sum() > 1:
            return v * 0.5
        return v + c

    def bump(v):
        nonlocal a, n
        n = n + 1
        a = a * 0.5 + v
        alias[0] = v
"""
TAIL = "    return a + b + c + items[0] + table['k'] + holder.v, n\n"
VALUES = ["a", "b", "c", "x", "items[0]", "table['k']", "holder.v"]
PLACES = ["a", "b", "c", "items[0]", "table['k']", "holder.v"]


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counters = 0

    def program(self):
        return HEAD + "\n".join(self.block(0, False) + self.block(0, False)) + "\n" + TAIL

    def expression(self, depth=0):
        kind = self.random.randrange(9)
        if depth > 2 or kind < 3:
            return self.random.choice(VALUES)
        x, y = self.expression(depth + 1), self.expression(depth + 1)
        return [f"({x} + {y})", f"({x} * 0.5)", f"ops.tanh({x})", f"({x} if {self.condition()} else {y})",
                f"inner({x})", f"({x} - {y})"][kind - 3]  # fmt: skip

    def condition(self):
        kind, k, x = self.random.randrange(6), self.random.randrange(-3, 4), self.expression(2)
        return [f"n > {k}", f"{x}.sum() > {k} and n < 3", f"not {x}[0] > 0.3", f"-1 < {x}[1] < 1",
                f"{x}.sum() > {k}", f"{x}.sum() < {k} or n == 1"][kind]  # fmt: skip

    def block(self, depth, in_loop):
        lines = [s for _ in range(self.random.randrange(1, 4)) for s in self.statement(depth, in_loop)]
        return ["    " + line for line in lines]

    def statement(self, depth, in_loop):
        kind = self.random.randrange(12)
        if kind < 4 or depth > 2:
            return [f"{self.random.choice(PLACES)} = {self.expression()}"]
        if kind == 4:
            return ["n += 1"]
        if kind == 5:
            return [f"bump({self.expression(2)})"]
        if kind < 8:
            return [f"if {self.condition()}:", *self.block(depth + 1, in_loop),
                    *self.other(0.7, depth, in_loop)]  # fmt: skip
        if kind == 8:
            self.counters += 1
            i, bound = f"i{self.counters}", self.random.choice(["2", "3", "(x * 0).sum() + 2"])
            return [f"{i} = 0", f"while {i} < {bound}:", f"    {i} += 1",
                    *self.block(depth + 1, True), *self.other(0.3, depth, in_loop)]  # fmt: skip
        if kind == 9:
            return ["for _ in range(3):", *self.block(depth + 1, True),
                    *self.other(0.3, depth, in_loop)]  # fmt: skip
        if kind == 10 and in_loop:
            return [f"if {self.condition()}:", f"    {self.random.choice(['break', 'continue'])}"]
        return [f"if {self.condition()}:", f"    return {self.expression()}, n"]

    def other(self, chance, depth, in_loop):
        return ["else:", *self.block(depth + 1, in_loop)] if self.random.random() < chance else []


@pytest.mark.parametrize("seed", range(30))
def test_a_random_program_does_the_same_in_both_modes(seed, tmp_path):
    from mindspore import Tensor, grad
    from mindspore.compiler.jit import jit

    file = tmp_path / "drawn.py"
    file.write_text(Writer(seed).program())
    spec = importlib.util.spec_from_file_location(f"drawn_{seed}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def total(x):
        return module.program(x)[0].sum()

    for values in ([0.3, -0.8, 1.2], [-1.0, 0.5, 0.1]):
        x = Tensor(np.array(values))
        (y, n), (y_graph, n_graph) = module.program(x), jit(module.program)(x)
        np.testing.assert_allclose(y_graph.asnumpy(), y.asnumpy(), rtol=1e-9, atol=1e-12)
        assert int(n_graph) == n
        np.testing.assert_allclose(jit(grad(total))(x).asnumpy(), grad(total)(x).asnumpy(),
                                   rtol=1e-7, atol=1e-9)  # fmt: skip
