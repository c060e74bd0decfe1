"""The program of the cotangents of a program's inputs, which is a program like any other.

Scalars keep their values, so a body is computed again where its derivative needs them; what a loop carries is kept
in memory, an element for each iteration of the loops around it.  So is a load of an element that changes later.  Other
loads are repeated: inputs do not change, outputs are given, and temporaries are computed first.
"""
from __future__ import annotations

from .independence import Places, alone, commutes, last_value, once, summing
from .kept import Kept
from .tree import Block, Branch, Loop, Program, Store, Tensor, Value, accesses, free_values, walk
from .words import WORDS
from .writer import Writer

Env = dict[Value, Value]


class Reverse:
    """Writes the derivative of a program.

    Its inputs are those of the program, its outputs, and the cotangents of outputs of floats; its outputs are the
    cotangents of inputs of floats.

    Attributes:
        env: The value that represents a value of the program now.
        adjoint: The cotangents that are known so far, by value of the program.
        tensors: The tensor whose elements are read where the program reads a tensor.
        cotangents: The memory of cotangents, by tensor.
    """

    def __init__(self, program: Program):
        self.program, self.places = program, Places(program.body)
        made = Program(f"{program.name}", program.where)
        self.w = Writer(made)
        self.env: Env = {}
        self.adjoint: Env = {}
        self.tensors: dict[Tensor, Tensor] = {}
        self.cotangents: dict[Tensor, Tensor] = {}
        self.direct: set[Tensor] = set()
        self.kept = Kept(self.w, self.places, self.get)
        self.replaying = False
        for t in program.inputs:
            self.tensors[t] = made.input(t.name, t.dtype, len(t.shape))
        self.sizes()
        for t in program.outputs:
            self.tensors[t] = self.given(t, t.name, t.dtype)
        for t in program.outputs:
            if t.floating:
                self.cotangents[t] = self.given(t, f"d{t.name}", t.dtype)

    def sizes(self) -> None:
        """Sizes of the program's inputs are those of mine."""
        for t, mine in self.tensors.items():
            for v, size in zip(t.shape, mine.shape, strict=True):
                self.env[v] = size

    def given(self, t: Tensor, name: str, dtype: str) -> Tensor:
        """A further input, of a shape that follows from the others."""
        made = Tensor(name, dtype, [self.get(e) for e in t.shape], "input", t.line)
        self.w.program.inputs.append(made)
        return made

    def write(self) -> Program:
        """The whole program."""
        made, body = self.w.program, self.program.body
        for t in self.program.inputs:
            if t.floating:
                self.cotangents[t] = Tensor(f"d{t.name}", t.dtype, self.tensors[t].shape, "output", t.line)
                made.outputs.append(self.cotangents[t])
        self.stable = {op for op in accesses(body) if isinstance(op, Value) and (
            op.attr.role == "input" or self.settled(op))}
        self.replay()
        for t in (*self.program.outputs, *self.program.temporaries):
            if t.floating:
                self.prepare(t)
        self.forward(body)
        self.backward(body)
        return made

    def settled(self, load: Value) -> bool:
        """Whether a load sees the last value of a tensor that changes."""
        stores = [op for op in accesses(self.program.body, load.attr) if isinstance(op, Store)]
        return last_value(load, stores, self.places)

    def replay(self) -> None:
        """Compute what tensors held: temporaries at the end, elements that change when they were read."""
        changing = [op for op in accesses(self.program.body) if isinstance(op, Value) and op.attr.role != "input"]
        if all(op in self.stable and op.attr.role == "output" for op in changing):
            return
        outside = dict(self.tensors)
        written = {op.tensor for op in walk(self.program.body) if isinstance(op, Store)}
        for t in (*self.program.outputs, *self.program.temporaries):
            if t in written or t.role == "temporary":
                self.tensors[t] = self.w.temporary(t.name, t.dtype, [self.get(e) for e in t.shape])
        self.replaying = True
        before = dict(self.env)
        self.forward(self.program.body)
        self.env, self.replaying = before, False
        outside.update({t: self.tensors[t] for t in self.program.temporaries})
        self.tensors = outside

    def prepare(self, t: Tensor) -> None:
        """Memory for cotangents of a tensor that changes: that which is given, if it is read once, or a copy."""
        store = alone(t, self.program.body)
        if t.role == "output" and store is not None and (store.add or once(store, self.places)):
            self.direct.add(t)
            return
        given = self.cotangents.get(t)
        self.cotangents[t] = self.w.temporary(f"d{t.name}", t.dtype, [self.get(e) for e in t.shape])
        if given is not None:
            self.copy(given, self.cotangents[t], [])

    def copy(self, source: Tensor, to: Tensor, at: list[Value]) -> None:
        """All elements of a tensor to another one."""
        w = self.w
        if len(at) == len(to.shape):
            w.store(to, at, w.load(source, at))
            return
        with w.loop(w.const(0, "int64", True), to.shape[len(at)]) as loop:
            self.copy(source, to, [*at, loop.index])

    # ------------------------------------------------------------------ forward

    def get(self, v: Value) -> Value:
        """The value that represents one of the program; what follows from sizes may not be written yet."""
        found = self.env.get(v)
        if found is None:
            if v.word == "const":
                return self.w.const(v.attr, v.dtype, v.weak)
            args = [self.get(a) for a in v.args]
            found = self.w.cast(args[0], v.dtype, v.weak) if v.word == "cast" else self.w.op(v.word, *args)
        return found

    def forward(self, block: Block) -> None:
        """Compute the values of a block (and, while replaying, what it stores)."""
        for op in block.ops:
            self.w.line = op.line
            if isinstance(op, Value):
                self.env[op] = self.load(op) if op.word == "load" else self.get(op)
            elif isinstance(op, Store):
                if self.replaying:
                    self.w.store(self.tensors[op.tensor], [self.get(i) for i in op.indices], self.get(op.value), op.add)
            elif isinstance(op, Loop):
                self.forward_loop(op)
            else:
                self.forward_branch(op)

    def load(self, op: Value) -> Value:
        """An element as it was."""
        indices = [self.get(i) for i in op.args]
        if op in self.stable:
            return self.w.load(self.tensors[op.attr], indices)
        if not self.replaying:
            return self.kept.recall(op, op.dtype)
        found = self.w.load(self.tensors[op.attr], indices)
        self.kept.note(op, found)
        return found

    def forward_loop(self, op: Loop) -> None:
        """A loop again; the scalars that it carries are kept."""
        inits = [self.get(v) for v in op.inits]
        with self.w.loop(self.get(op.start), self.get(op.stop), op.step, op.word, inits) as loop:
            before = dict(self.env)
            self.kept.loops.append((op, loop.index))
            self.env[op.index] = loop.index
            for param, now in zip(op.params, loop.params, strict=True):
                self.env[param] = now
                if not self.replaying:
                    self.kept.note(param, now)
            self.forward(op.body)
            loop.body.yields = [self.get(v) for v in op.body.yields]
            self.kept.loops.pop()
            self.env = before
        self.env.update(zip(op.results, loop.results, strict=True))

    def forward_branch(self, op: Branch) -> None:
        """A branch again."""
        made = Branch(self.get(op.condition), op.line)
        for r in op.results:
            made.give(r.dtype, r.weak)
        for block, side in ((made.then, op.then), (made.orelse, op.orelse)):
            with self.w.inside(block):
                before = dict(self.env)
                self.forward(side)
                block.yields = [self.get(v) for v in side.yields]
                self.env = before
        self.w.branch(made)
        self.env.update(zip(op.results, made.results, strict=True))

    # ------------------------------------------------------------------ backward

    def add(self, v: Value, more: Value) -> None:
        """A further part of a value's cotangent."""
        if v.word == "const" or not v.floating:
            return
        more = self.w.cast(more, v.dtype, v.weak)
        before = self.adjoint.get(v)
        self.adjoint[v] = more if before is None else self.w.op("add", before, more)

    def backward(self, block: Block) -> None:
        """Cotangents of all that a block takes from around it, once `forward` has computed it."""
        for op in reversed(block.ops):
            self.w.line = op.line
            if isinstance(op, Value):
                d = self.adjoint.pop(op, None)
                if d is not None:
                    self.backward_value(op, d)
            elif isinstance(op, Store):
                self.backward_store(op)
            elif isinstance(op, Loop):
                self.backward_loop(op)
            else:
                self.backward_branch(op)

    def backward_value(self, op: Value, d: Value) -> None:
        """The operands' parts."""
        w = self.w
        if op.word == "load":
            if op.attr in self.cotangents:
                w.store(self.cotangents[op.attr], [self.get(i) for i in op.args], d, add=True)
        elif op.word == "cast":
            if op.args[0].floating:
                self.add(op.args[0], w.cast(d, op.args[0].dtype, op.args[0].weak))
        else:
            rule = WORDS[op.word].grad
            if rule is None:
                return
            for arg, part in zip(op.args, rule(w, self.env[op], *[self.get(a) for a in op.args], d), strict=True):
                if part is not None:
                    self.add(arg, part)

    def backward_store(self, op: Store) -> None:
        """The cotangent of an element goes to what was stored; what was there before has none."""
        w, memory = self.w, self.cotangents.get(op.tensor)
        if memory is None:
            return
        indices = [self.get(i) for i in op.indices]
        d = w.load(memory, indices)
        if not op.add and op.tensor not in self.direct:
            w.store(memory, indices, w.const(0, memory.dtype))
        self.add(op.value, d)

    def floats(self, *blocks: Block) -> list[Value]:
        """The values around blocks that get cotangents inside."""
        found = {v: None for block in blocks for v in free_values(block)}
        return [v for v in found if v.floating and v.word not in ("const", "size")]

    def backward_loop(self, op: Loop) -> None:
        """The iterations backwards; cotangents of carried scalars are carried, those of values around are summed."""
        w = self.w
        seeds = [self.adjoint.pop(r, None) for r in op.results]
        carried = [k for k, p in enumerate(op.params) if p.floating]
        around = [v for v in self.floats(op.body) if v not in op.params]
        zero = [seeds[k] or w.like(0, op.params[k]) for k in carried]
        inits = [*zero, *[self.adjoint.get(v) or w.like(0, v) for v in around]]
        start, stop, step = self.get(op.start), self.get(op.stop), op.step
        if not commutes(op):
            start, stop, step = self.backwards(start, stop, step)
        with w.loop(start, stop, step, op.word, inits) as loop:
            env, adjoint = dict(self.env), self.adjoint
            self.kept.loops.append((op, loop.index))
            self.env[op.index] = loop.index
            self.env.update({p: w.like(0, p) if summing(op, k) else self.kept.recall(p, p.dtype)
                             for k, p in enumerate(op.params)})
            self.forward(op.body)
            self.adjoint = {v: p for v, p in zip(around, loop.params[len(carried):], strict=True)}
            for k, now in zip(carried, loop.params, strict=False):
                self.add(op.body.yields[k], now)
            self.backward(op.body)
            ends = [self.adjoint.get(op.params[k]) or w.like(0, op.params[k]) for k in carried]
            loop.body.yields = [*ends, *[self.adjoint[v] for v in around]]
            self.kept.loops.pop()
            self.env, self.adjoint = env, adjoint
        for v, d in zip(around, loop.results[len(carried):], strict=True):
            self.adjoint[v] = d
        for k, d in zip(carried, loop.results, strict=False):        # a value around may be what a scalar begins with
            self.add(op.inits[k], d)

    def backwards(self, start: Value, stop: Value, step: int) -> tuple[Value, Value, int]:
        """The same iterations in the opposite order."""
        w = self.w
        one = w.const(1, "int64", True)
        if abs(step) == 1:
            by = w.const(step, "int64", True)
            return w.op("sub", stop, by), w.op("sub", start, by), -step
        size = w.const(step, "int64", True)
        away = w.op("sub", w.op("sub", stop, start), one if step > 0 else w.const(-1, "int64", True))
        count = w.op("floordiv", away, size)              # of steps after the first iteration
        last = w.op("add", start, w.op("mul", count, size))
        return last, w.op("sub", start, one) if step > 0 else w.op("add", start, one), -step

    def backward_branch(self, op: Branch) -> None:
        """The side that was taken."""
        w = self.w
        seeds = [self.adjoint.pop(r, None) for r in op.results]
        around = self.floats(op.then, op.orelse)
        made = Branch(self.get(op.condition), op.line)
        for v in around:
            made.give(v.dtype, v.weak)
        env, adjoint = self.env, self.adjoint
        for block, side in ((made.then, op.then), (made.orelse, op.orelse)):
            with w.inside(block):
                self.env, self.adjoint = dict(env), {}
                self.forward(side)
                for v, seed in zip(side.yields, seeds, strict=True):
                    if seed is not None:
                        self.add(v, seed)
                self.backward(side)
                block.yields = [self.adjoint.get(v) or w.like(0, v) for v in around]
        self.env, self.adjoint = env, adjoint
        w.branch(made)
        for v, d in zip(around, made.results, strict=True):
            self.add(v, d)


def reversed_program(program: Program) -> Program:
    """The program of the cotangents of a program's inputs."""
    return Reverse(program).write()
