"""A program without what nothing needs, with scalars in place of elements that a loop only adds to."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bounds import summed
from .independence import Places, filling, fixed, inside_of
from .tree import (
    Block,
    Branch,
    Loop,
    Program,
    Store,
    Tensor,
    Value,
    accesses,
    blocks_of,
    operands,
    walk,
)


def simplified(program: Program) -> Program:
    """Change a program until nothing is left to do."""
    for _ in range(20):
        before = sum(1 for _ in walk(program.body))
        live = Live(program)
        _keep(program.body, live)
        program.temporaries = [t for t in program.temporaries if t in live.tensors]
        moved = _constant_params(program) | _registers(program.body)
        if not moved and before == sum(1 for _ in walk(program.body)):
            break
    _fill(program)
    return program


def _fill(program: Program) -> None:
    """Let the first store to a tensor set its elements, where it surely sets all of them."""
    places = Places(program.body)
    for tensor in (*program.outputs, *program.temporaries):
        first, *others = accesses(program.body, tensor) or [None]
        if isinstance(first, Store) and filling(first, others, places):
            first.add, tensor.filled = False, True


class Live:
    """What the outputs follow from."""

    def __init__(self, program: Program):
        self.values: set[Value] = set()
        self.tensors: set[Tensor] = set(program.outputs)
        self.ops: set[Any] = set()
        size = -1
        while size != len(self.values) + len(self.tensors) + len(self.ops):
            size = len(self.values) + len(self.tensors) + len(self.ops)
            self.visit(program.body)

    def visit(self, block: Block) -> bool:
        """Go backwards over a block; whether anything in it is needed."""
        needed = False
        for op in reversed(block.ops):
            needed = getattr(self, f"visit_{type(op).__name__}")(op) or needed
        return needed

    def visit_Value(self, op: Value) -> bool:
        """A value that something needs."""
        if op not in self.values:
            return False
        self.values.update(op.args)
        if op.word == "load":
            self.tensors.add(op.attr)
        return True

    def visit_Store(self, op: Store) -> bool:
        """A store to what something reads."""
        if op.tensor not in self.tensors:
            return False
        self.values.update(operands(op))
        return True

    def visit_Loop(self, op: Loop) -> bool:
        """A loop; each carried scalar is needed for itself."""
        for result, param, end, init in zip(op.results, op.params, op.body.yields, op.inits, strict=True):
            if result in self.values or param in self.values:
                self.values.update((end, init, param))
        needed = self.visit(op.body) or any(r in self.values for r in op.results)
        for param, end, init in zip(op.params, op.body.yields, op.inits, strict=True):
            if param in self.values:
                self.values.update((end, init))
        if needed:
            self.values.update((op.start, op.stop))
            self.ops.add(op)
        return needed

    def visit_Branch(self, op: Branch) -> bool:
        """A branch; each result is needed for itself."""
        for k, result in enumerate(op.results):
            if result in self.values:
                self.values.update((op.then.yields[k], op.orelse.yields[k]))
        sides = [self.visit(op.then), self.visit(op.orelse)]
        needed = any(sides) or any(r in self.values for r in op.results)
        if needed:
            self.values.add(op.condition)
            self.ops.add(op)
        return needed


def _keep(block: Block, live: Live) -> None:
    """Drop the rest."""
    kept: list[Any] = []
    for op in block.ops:
        if isinstance(op, Value):
            keep = op in live.values
        elif isinstance(op, Store):
            keep = op.tensor in live.tensors
        else:
            keep = op in live.ops
            if keep:
                _trim(op, live)
        if keep:
            kept.append(op)
    block.ops = kept


def _trim(op: Any, live: Live) -> None:
    blocks = blocks_of(op)
    used = [k for k, r in enumerate(op.results)
            if r in live.values or (isinstance(op, Loop) and op.params[k] in live.values)]
    op.results = [op.results[k] for k in used]
    for block in blocks:
        block.yields = [block.yields[k] for k in used]
        _keep(block, live)
    if isinstance(op, Loop):
        op.params, op.inits = [op.params[k] for k in used], [op.inits[k] for k in used]


# ---------------------------------------------------------------------- values in place of others

def replace(block: Block, others: dict[Value, Value]) -> None:
    """Put values in place of others, everywhere in a block."""
    def now(v: Value) -> Value:
        while v in others:
            v = others[v]
        return v
    for op in walk(block):
        _replace_in(op, now)
        for inner in blocks_of(op):
            inner.yields = [now(v) for v in inner.yields]
    block.yields = [now(v) for v in block.yields]


def _replace_in(op: Any, now: Callable[[Value], Value]) -> None:
    if isinstance(op, Value):
        op.args = tuple([now(a) for a in op.args])
    elif isinstance(op, Store):
        op.indices, op.value = tuple([now(a) for a in op.indices]), now(op.value)
    elif isinstance(op, Loop):
        op.start, op.stop, op.inits = now(op.start), now(op.stop), [now(a) for a in op.inits]
    else:
        op.condition = now(op.condition)


def _constant_params(program: Program) -> bool:
    """Scalars that a loop carries and never changes are what they were before."""
    others: dict[Value, Value] = {}
    for op in walk(program.body):
        if isinstance(op, Loop):
            same = [k for k, (p, end) in enumerate(zip(op.params, op.body.yields, strict=True)) if p is end]
            for k in same:
                others[op.params[k]] = others[op.results[k]] = op.inits[k]
            for name in ("params", "inits", "results"):
                setattr(op, name, [v for k, v in enumerate(getattr(op, name)) if k not in same])
            op.body.yields = [v for k, v in enumerate(op.body.yields) if k not in same]
    if others:
        replace(program.body, others)
    return bool(others)


def _registers(block: Block) -> bool:
    """An element that every iteration of a loop adds to is added to once, after the loop."""
    moved = False
    position = 0
    while position < len(block.ops):
        op = block.ops[position]
        for inner in blocks_of(op):
            moved = _registers(inner) or moved
        if isinstance(op, Loop):
            for store in [o for o in op.body.ops if isinstance(o, Store) and o.add and _alone(op, o)]:
                op.body.ops.remove(store)
                zero = Value("const", (), store.value.dtype, 0.0 if store.value.floating else 0)
                param = op.carry(zero)
                total = Value("add", (param, store.value), store.value.dtype, line=store.line)
                op.body.ops.append(total)
                op.body.yields.append(total)
                block.ops.insert(position + 1, Store(store.tensor, store.indices, op.results[-1], True, store.line))
                moved = True
        position += 1
    return moved


def _alone(loop: Loop, store: Store) -> bool:
    """Whether nothing else in a loop touches the tensor, and the element is the same in all iterations."""
    varying = inside_of(loop)
    return (len(accesses(loop.body, store.tensor)) == 1 and store.tensor.dtype not in ("bool", "float16", "bfloat16")
            and all(fixed(summed(i), varying) for i in store.indices)
            and all(i not in varying for i in store.indices))


def branches(block: Block) -> list[Branch]:
    """All branches of a block."""
    return [op for op in walk(block) if isinstance(op, Branch)]
