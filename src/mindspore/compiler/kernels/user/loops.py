"""Loops of a tree in LLVM's text: one element after the other, or vectors of them where that is proven to be the same.

A loop becomes vectors if it holds no other loop, its iterations do not meet, no access needs a check, what it stores
lies side by side, and what it carries are sums, maxima or minima.  Branches in it become masks.
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..text import SIZES, Builder, Value, Variable
from . import tree
from .bounds import Checks, summed
from .independence import fixed, inside_of, partitioned, summing
from .scalar import COMPUTED, COSTLY, MEMORY, by_lanes, computed, converted, narrowed, widened

_LINE = 1000          # an error is a line times this, and the number of the tensor


class Emitter:
    """Writes the body of a function.

    Attributes:
        pointers: The memory of tensors.
        sizes: The sizes of inputs.
        now: Values that are written already, and numbers of elements, by extents and indices.
    """

    def __init__(self, b: Builder, program: tree.Program, pointers: Sequence[Value], sizes: dict[Any, Value],
                 error: Value, checks: Checks):
        self.b, self.program, self.sizes, self.error, self.checks = b, program, sizes, error, checks
        self.pointers = dict(zip(program.tensors, pointers, strict=True))
        self.now: dict[Any, Value] = {}

    # ------------------------------------------------------------------ scalars

    def get(self, v: tree.Value) -> Value:
        """A value that is a constant, follows from sizes, or is written already."""
        found = self.now.get(v)
        if found is None:
            if v.word == "const":
                return self.b.constant(v.attr, COMPUTED[v.dtype])
            found = self.sizes[v.attr] if v.word == "size" else self.word(v, [self.get(a) for a in v.args])
            if v.word != "size":
                self.now[v] = found
        return found

    def word(self, v: tree.Value, args: Sequence[Value]) -> Value:
        """A word or a cast."""
        if v.word == "cast":
            return converted(self.b, args[0], v.args[0].dtype, v.dtype)
        return computed(self.b, v.word, v.args[-1].dtype, args)

    def flat(self, tensor: tree.Tensor, indices: Sequence[Value]) -> Value:
        """The number of an element in memory."""
        key = (*tensor.shape[1:], *[i.name for i in indices])
        if key not in self.now:
            found = self.b.integer(0)
            for k, index in enumerate(indices):
                found = index if not k else found * self.get(tensor.shape[k]) + index
            self.now[key] = found
        return self.now[key]

    # ------------------------------------------------------------------ one element after the other

    def block(self, block: tree.Block) -> None:
        """All of a block."""
        for op in block.ops:
            if isinstance(op, tree.Value):
                self.now[op] = self.load(op) if op.word == "load" else self.word(op, [self.get(a) for a in op.args])
            elif isinstance(op, tree.Store):
                self.store(op)
            elif isinstance(op, tree.Loop):
                self.loop(op, self.get(op.start), self.get(op.stop))
            else:
                self.branch(op)

    def load(self, op: tree.Value) -> Value:
        """An element; 0 where a check fails."""
        b, memory = self.b, MEMORY[op.dtype]
        at = [self.get(i) for i in op.args]
        place, pointer = self.flat(op.attr, at), self.pointers[op.attr]
        if op not in self.checks.axes:
            return widened(b, b.load(pointer, place, memory, one=True), op.dtype)
        found = b.variable(b.constant(0, COMPUTED[op.dtype]))
        with b.when(self.checked(op, at)):
            found.set(widened(b, b.load(pointer, place, memory, one=True), op.dtype))
        return found.get()

    def store(self, op: tree.Store) -> None:
        """An element that is set; none where a check fails."""
        at = [self.get(i) for i in op.indices]
        place, value = self.flat(op.tensor, at), self.get(op.value)
        if op not in self.checks.axes:
            self.put(op, place, value, None)
            return
        with self.b.when(self.checked(op, at)):
            self.put(op, place, value, None)

    def put(self, op: tree.Store, place: Value, value: Value, mask: Value | None, wide: bool = False) -> None:
        """Store or add, one element or a vector."""
        b, dtype = self.b, op.tensor.dtype
        pointer, memory = self.pointers[op.tensor], MEMORY[dtype]
        if wide:
            value = b.splat(value, b.vector_type(value.scalar))
        if op.add:
            value = widened(b, b.load(pointer, place, memory, mask, one=not wide), dtype) + value
        b.store(narrowed(b, value, dtype), pointer, place, memory, mask)

    def checked(self, op: Any, at: Sequence[Value]) -> Value:
        """Whether an access is inside; notes the line if not."""
        b = self.b
        inside = b.constant(1, "i1")
        for axis in self.checks.axes[op]:
            inside = inside & at[axis].compare("ult", self.get(op.attr.shape[axis]))
        with b.when(inside ^ 1):
            code = op.line * _LINE + self.program.tensors.index(op.attr) + 1
            b.store(b.constant(code, "i64"), self.error, 0, "i64")
        return inside

    def branch(self, op: tree.Branch) -> None:
        """One side or the other."""
        b = self.b
        condition = self.get(op.condition)
        results = [b.variable(b.constant(0, COMPUTED[r.dtype])) for r in op.results]
        for side, test in ((op.then, condition), (op.orelse, condition ^ 1)):
            if side.ops or side.yields:
                with b.when(test):
                    before = dict(self.now)
                    self.block(side)
                    for variable, v in zip(results, side.yields, strict=True):
                        variable.set(self.get(v))
                    self.now = before
        self.now.update({r: v.get() for r, v in zip(op.results, results, strict=True)})

    def loop(self, op: tree.Loop, start: Value, stop: Value) -> None:
        """A loop from start to stop."""
        plan = vectors(op, self.checks)
        if plan is not None:
            Lanes(self, op, plan).write(start, stop)
            return
        b = self.b
        carried = [b.variable(self.get(v)) for v in op.inits]
        if op.step > 0:
            ways = b.loop(start, stop, op.step)
        else:
            ways = b.loop(0, (start - stop + (-op.step - 1)) / -op.step)
        with ways as k:
            before = dict(self.now)
            self.now[op.index] = k if op.step > 0 else start + k * op.step
            self.now.update({p: v.get() for p, v in zip(op.params, carried, strict=True)})
            self.block(op.body)
            ends = [self.get(v) for v in op.body.yields]
            for variable, v in zip(carried, ends, strict=True):
                variable.set(v)
            self.now = before
        self.now.update({r: v.get() for r, v in zip(op.results, carried, strict=True)})


# ---------------------------------------------------------------------- vectors

class Plan:
    """How a loop becomes vectors.

    Attributes:
        varying: The values that differ between lanes.
        carried: For each carried scalar its word ("sum", "max", "min") and what goes into it.
        side: The accesses whose elements lie side by side.
        unroll: How many vectors are computed at once; 0 for one with a mask, which is one copy of the code for whole
            vectors and the rest.
    """

    def __init__(self, varying: set[tree.Value], carried: list[tuple[str, tree.Value]], side: set[Any], unroll: int):
        self.varying, self.carried, self.side, self.unroll = varying, carried, side, unroll


def vectors(op: tree.Loop, checks: Checks) -> Plan | None:
    """The plan of a loop; None if it goes element by element."""
    inner = list(tree.walk(op.body))
    if op.step != 1 or any(isinstance(o, tree.Loop) or (isinstance(o, tree.Value) and by_lanes(o)) for o in inner):
        return None
    carried = [_carried(op, k) for k in range(len(op.params))]
    touched = tree.accesses(op.body)
    if None in carried or any(o in checks.axes for o in touched):
        return None
    varying = inside_of(op) - _same(op)
    side = {o for o in touched if _side_by_side(op, o, varying)}
    stored = {o.tensor: None for o in inner if isinstance(o, tree.Store)}
    for tensor in stored:
        ops = [o for o in touched if o.attr is tensor]
        if any(isinstance(o, tree.Store) and o not in side for o in ops) or not partitioned(op, ops, varying):
            return None
    costly = any(isinstance(o, tree.Value) and o.word in COSTLY for o in inner)
    unroll = 1 if costly or len(inner) > 12 else 2 if len(inner) > 6 else 4
    return Plan(varying, [c for c in carried if c], side, unroll)


def _carried(op: tree.Loop, k: int) -> tuple[str, tree.Value] | None:
    value = summing(op, k)
    if value is not None:
        return "sum", value
    end, param = op.body.yields[k], op.params[k]
    uses = sum(tree.operands(o).count(param) + tree.operands(o).count(end) for o in tree.walk(op.body))
    if end.word in ("max", "min") and end.args[0] is param and uses == 1 and end.dtype != "uint8":
        return end.word, end.args[1]
    return None


def _same(op: tree.Loop) -> set[tree.Value]:
    """The values of a body that are equal in all iterations and can be computed before the loop."""
    varying, found = inside_of(op), set[tree.Value]()
    stored = {o.tensor for o in tree.walk(op.body) if isinstance(o, tree.Store)}
    for o in op.body.ops:
        if isinstance(o, tree.Value) and not any(a in varying and a not in found for a in o.args) and not (
                o.word == "load" and o.attr in stored):
            found.add(o)
    return found


def _side_by_side(op: tree.Loop, access: Any, varying: set[tree.Value]) -> bool:
    *outer, last = [summed(i) for i in access.args] or [{}]
    rest = {k: c for k, c in last.items() if k is not op.index}
    return (last.get(op.index) == Fraction(1) and fixed(rest, varying)
            and all(fixed(s, varying) for s in outer))


class Lanes:
    """Writes a loop as vectors."""

    def __init__(self, emitter: Emitter, op: tree.Loop, plan: Plan):
        self.e, self.b, self.op, self.plan = emitter, emitter.b, op, plan
        self.index: Value = self.b.integer(0)
        self.firsts: dict[tree.Value, Value] = {}

    def write(self, start: Value, stop: Value) -> None:
        """The whole loop."""
        e, b, op, plan = self.e, self.b, self.op, self.plan
        count = stop - start
        results = [b.variable(e.get(v)) for v in op.inits]
        with b.when(count > 0):
            before = dict(e.now)
            for o in op.body.ops:
                if isinstance(o, tree.Value) and o not in plan.varying:
                    e.now[o] = e.load(o) if o.word == "load" else e.word(o, [e.get(a) for a in o.args])
            gathered = [[self.gatherer(k) for _ in range(plan.unroll or 1)] for k in range(len(op.params))]

            def body(i: Value, mask: Value | None, u: int) -> None:
                inside = dict(e.now)
                self.index, self.firsts = i + start, {}
                e.now[op.index] = b.splat(self.index, b.vector_type("i64")) + b.lane_numbers("i64")
                self.block(op.body, mask)
                for (word, v), into in zip(plan.carried, gathered, strict=True):
                    self.gather(word, v, into[u], mask)
                e.now = inside
            if plan.unroll:
                b.columns(count, body, plan.unroll)
            else:
                with b.loop(0, count, b.width) as i:
                    rest = count - i
                    body(i, b.lanes_below(b.select(rest < b.width, rest, b.width)), 0)
            for k, (word, _) in enumerate(plan.carried):
                whole, *others = gathered[k]
                for other in others:
                    whole.set(computed(b, "add" if word == "sum" else word, op.params[k].dtype,
                                       [whole.get(), other.get()]))
                found = b.across(word, whole.get())
                results[k].set(computed(b, "add" if word == "sum" else word, op.params[k].dtype,
                                        [results[k].get(), found]))
            e.now = before
        e.now.update({r: v.get() for r, v in zip(op.results, results, strict=True)})

    def gatherer(self, k: int) -> Variable:
        """A vector that a carried scalar is gathered in."""
        b, init = self.b, self.e.get(self.op.inits[k])
        wide = b.vector_type(init.type)
        return b.variable(b.constant(0, wide) if self.plan.carried[k][0] == "sum" else b.splat(init, wide))

    def gather(self, word: str, v: tree.Value, into: Variable, mask: Value | None) -> None:
        """Add the lanes that count."""
        b, now = self.b, into.get()
        value = b.splat(self.e.get(v), now.type)
        value = computed(b, "add" if word == "sum" else word, v.dtype, [now, value])
        into.set(value if mask is None else b.select(mask, value, now))

    def block(self, block: tree.Block, mask: Value | None) -> None:
        """All of a block, for the lanes of a mask."""
        e, b = self.e, self.b
        gathering = set(self.op.body.yields)
        for o in block.ops:
            if isinstance(o, tree.Store):
                self.e.put(o, self.place(o), e.get(o.value), mask, wide=True)
            elif isinstance(o, tree.Branch):
                condition = b.splat(e.get(o.condition), b.vector_type("i1"))
                for side, test in ((o.then, condition), (o.orelse, condition ^ b.constant(1, condition.type))):
                    self.block(side, test if mask is None else mask & test)
                for r, yes, no in zip(o.results, o.then.yields, o.orelse.yields, strict=True):
                    e.now[r] = b.select(condition, e.get(yes), e.get(no))
            elif o in self.plan.varying and o not in gathering:
                e.now[o] = self.load(o, mask) if o.word == "load" else e.word(o, [e.get(a) for a in o.args])

    def place(self, access: Any) -> Value:
        """The number of the first lane's element."""
        return self.e.flat(access.attr, [self.first(i) for i in access.args])

    def first(self, v: tree.Value) -> Value:
        """A whole number in the first lane."""
        if v is self.op.index:
            return self.index
        if v not in self.plan.varying:
            return self.e.get(v)
        if v not in self.firsts:
            self.firsts[v] = self.e.word(v, [self.first(a) for a in v.args])
        return self.firsts[v]

    def load(self, o: tree.Value, mask: Value | None) -> Value:
        """Elements side by side, or from anywhere."""
        e, b, memory = self.e, self.b, MEMORY[o.dtype]
        pointer = e.pointers[o.attr]
        if o in self.plan.side:
            return widened(b, b.load(pointer, self.place(o), memory, mask), o.dtype)
        at = b.splat(e.flat(o.attr, [e.get(i) for i in o.args]), b.vector_type("i64"))
        wide, places = b.vector_type(memory), b.vector_type("ptr")
        place = b.emit(f"getelementptr {memory}, ptr {pointer.name}, {at.type} {at.name}", places)
        name = f"llvm.masked.gather.{b.suffix(Value(b, '', wide))}.v{b.width}p0"
        lanes = mask or b.constant(1, b.vector_type("i1"))
        b.module.declared[name] = f"declare {wide} @{name}({places}, {lanes.type}, {wide})"
        found = b.emit(f"call {wide} @{name}({places} align {SIZES[memory]} {place.name}, {lanes.type} {lanes.name}, "
                       f"{wide} zeroinitializer)", wide)
        return widened(b, found, o.dtype)
