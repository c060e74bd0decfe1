"""Where the threads of a parallel region wait for each other.

OpenMP's own barrier lets threads sleep where the user asked for that (`OMP_WAIT_POLICY=passive`), and waking them takes
longer than most stages of a program.  Here they look at a counter, and after a while let others have the processor at
every look.
"""
from __future__ import annotations

from .text import Builder, Module, Value

_LOOKS = 2_000           # before the processor is offered to others


def write_meeting(module: Module) -> None:
    """The function `meet(counter, all)`: returns when the counter, which this call raises by one, is at `all`."""
    module.declared["sched_yield"] = "declare i32 @sched_yield()"
    with module.function("meet", ["ptr", "i64"], internal=True) as b:
        counter, all_ = b.args
        b.emit(f"atomicrmw add ptr {counter.name}, i64 1 seq_cst", "i64")
        looks = b.variable(b.integer(0))
        b.line("br label %look")
        b.line("look:")
        seen = b.emit(f"load atomic i64, ptr {counter.name} acquire, align 8", "i64")
        b.line(f"br i1 {(seen < all_).name}, label %wait, label %met")
        b.line("wait:")
        count = looks.get() + 1
        looks.set(count)
        b.line(f"br i1 {(count < _LOOKS).name}, label %look, label %offer")
        b.line("offer:")
        b.emit("call i32 @sched_yield()", "i32")
        b.line("br label %look")
        b.line("met:")


def meet(b: Builder, counter: Value, times: int, threads: Value) -> None:
    """Wait for all threads, for the so many-th time in this region."""
    b.call("meet", [counter, threads * times])
