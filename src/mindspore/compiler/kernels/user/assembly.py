"""The native functions of a program.

Each loop at the top of a program is a part, a function over a range of its iterations, shared out over threads where
these do not meet.  A program with anything else at the top is one part.  The table that the code gets holds addresses
of tensors, sizes of inputs, and the address that errors are noted at.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from ..text import Builder, Module, Value
from . import tree
from .bounds import Checks
from .independence import commutes
from .loops import Emitter

_GRAIN = 16           # a thread's share of a loop is a multiple of this many iterations, where there are many


class Part(NamedTuple):
    """A piece of a program: a loop over some of its iterations, or everything (None)."""

    loop: tree.Loop | None
    shared: bool


def parts_of(program: tree.Program) -> list[Part]:
    """The parts of a program, in order."""
    ops = program.body.ops
    loops = [op for op in ops if isinstance(op, tree.Loop)]
    plain = all((isinstance(op, tree.Value) and op.word != "load") or (isinstance(op, tree.Loop) and not op.params)
                for op in ops)
    if not plain or not loops:
        return [Part(None, False)]
    return [Part(op, op.step == 1 and commutes(op, adding=False)) for op in loops]


def emitted(program: tree.Program, width: int, checks: Checks) -> str:
    """The text of a program's module."""
    module, parts = Module(width), parts_of(program)
    sizes = [v.attr for t in program.inputs for v in t.shape]
    count = len(program.tensors)
    parameters = ["ptr noalias"] * count + ["i64"] * len(sizes) + ["ptr", "i64", "i64"]
    for k, part in enumerate(parts):
        with module.function(f"part{k}", parameters, internal=True) as b:
            known = dict(zip(sizes, b.args[count:-3], strict=True))
            emitter = Emitter(b, program, b.args[:count], known, b.args[-3], checks)
            _part(emitter, program, part, b.args[-2], b.args[-1])

    def table(b: Builder) -> list[Value]:
        kinds = ["ptr"] * count + ["i64"] * len(sizes) + ["ptr"]
        return [b.load(b.args[0], k, kind, one=True) for k, kind in enumerate(kinds)]

    def extent(b: Builder, given: list[Value], part: Part) -> tuple[Value, Value]:
        if part.loop is None:
            return b.integer(0), b.integer(0)
        known = dict(zip(sizes, given[count:-1], strict=True))
        emitter = Emitter(b, program, given[:count], known, given[-1], checks)
        return emitter.get(part.loop.start), emitter.get(part.loop.stop)
    with module.function("run", ["ptr"]) as b:
        given = table(b)
        for k, part in enumerate(parts):
            b.call(f"part{k}", [*given, *extent(b, given, part)])
    for k, part in enumerate(parts):
        if part.shared:
            with module.function(f"share{k}", ["ptr"], internal=True) as b:
                given = table(b)
                b.call(f"part{k}", [*given, *_share(b, *extent(b, given, part))])
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        given = table(b)
        for k, part in enumerate(parts):
            if part.shared:
                b.call("GOMP_parallel", [Value(b, f"@share{k}", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])
            else:
                b.call(f"part{k}", [*given, *extent(b, given, part)])
    return module.text()


def _part(emitter: Emitter, program: tree.Program, part: Part, start: Value, stop: Value) -> None:
    for tensor in program.tensors:
        for extent in tensor.shape:
            emitter.get(extent)
    if part.loop is None:
        emitter.block(program.body)
        return
    for op in program.body.ops:
        if isinstance(op, tree.Value):
            emitter.get(op)
    emitter.loop(part.loop, start, stop)


def _share(b: Builder, start: Value, stop: Value) -> tuple[Value, Value]:
    """The iterations of this thread."""
    thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                       for what in ("thread_num", "num_threads")]
    count = stop - start
    each = (count + (threads - 1)) / threads
    each = b.select(each > _GRAIN, (each + (_GRAIN - 1)) / _GRAIN * _GRAIN, each)
    first = start + thread * each
    last = first + each
    return b.select(first < stop, first, stop), b.select(last < stop, last, stop)


def work(program: tree.Program) -> float:
    """About how many nanoseconds an element takes on one thread."""
    return 0.1 * sum(1 for _ in tree.walk(program.body))


__all__: list[Any] = ["Part", "emitted", "parts_of", "work"]
