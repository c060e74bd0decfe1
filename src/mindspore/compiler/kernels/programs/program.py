"""A native program: many operators as one native function, called with torch tensors.

The function gets a table of addresses: of inputs, results and of temporary tensors in one block of memory, which a
program keeps between its runs.  Its stages follow each other; with several threads all of them run in one parallel
region, and meet where a stage needs what others computed.  For those who watch, the function notes itself when every
stage has ended.
"""
from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Node
from mindspore.operators import torch_private
from mindspore.operators.errors import Refused
from mindspore.operators.im2col_convolution import samples_innermost

from ..meeting import meet, write_meeting
from ..native import machine
from ..speeds import speeds
from ..text import Module, Value
from . import products
from .assembly import Assembly
from .described import Unfit
from .memory import groups, offsets

_KEPT = 1 << 28           # bytes of temporary tensors that a program keeps
_TIME = 16                # bytes of a time: seconds and nanoseconds, 64 bits each


class NativeProgram:
    """The native code of some nodes.

    Args:
        members: The nodes, in order.
        inputs: The nodes outside that they use.
        results: The values that leave.
        innermost: Whether they leave with their samples innermost, which are a multiple of the vectors' lanes.

    Attributes:
        owners: For every stage the node that it belongs to.

    Raises:
        Unfit: One of them has no native form here; it is the error's argument.
    """

    def __init__(self, members: Sequence[Node], inputs: Sequence[Node], results: Sequence[Node],
                 innermost: bool = False):
        found: Any = machine()
        assembly = Assembly(inputs, results, found.width, innermost)
        self.leave_innermost = innermost
        if innermost and any(len(r.shape) != 4 or r.shape[0] % found.width for r in results):
            raise Unfit(results[0])
        self.owners: list[Node] = []
        for node in members:
            try:
                assembly.add(node)
            except Unfit as error:
                raise Unfit(node) from error
            self.owners += [node] * (len(assembly.stages) - len(self.owners))
        self.members, self.nodes, self.values = list(members), list(inputs), list(results)
        self.avals = tuple([r.aval for r in results])
        self.results = [(a.shape, a.dtype.torch) for a in self.avals]
        self.checks = assembly.checks
        self.innermost = {k for k, x in enumerate(inputs) if assembly.outside(k, x).samples}
        self.given, stages = len(inputs), assembly.stages
        parts = groups(stages)
        self.sizes, self.per_thread = assembly.sizes, assembly.per_thread
        self.stages, self.parts = stages, parts
        self.work = sum([s.time for s in stages])
        self.overwritable = [self._overwritable(self.given + k) for k in range(len(results))]
        self.code = found.load(_text(stages, parts, found.width, assembly.count), products.symbols())
        self.blocks: list[tuple[int, Any, torch.Tensor]] = []       # not in use: threads, table, memory
        self.lock = threading.Lock()
        self.shares: dict[int, int] = {1: 1}
        self.watched = threading.local()

    def __reduce__(self) -> Any:
        raise TypeError("Native programs are made anew in every process.")

    def _overwritable(self, slot: int) -> list[int]:
        """The inputs whose memory a result may take: no later stage reads them."""
        at = next((k for k, s in enumerate(self.stages) if slot in s.over), None)
        if at is None or any(slot in s.writes for k, s in enumerate(self.stages) if k != at):
            return []
        return [k for k in self.stages[at].over[slot]
                if k < self.given and not any(k in s.reads for s in self.stages[at + 1:])]

    def timed(self, *tensors: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The same as a call; `ended` tells then when the stages ended."""
        self.watched.times = times = ctypes.create_string_buffer(_TIME * (len(self.stages) + 1))
        return self(*tensors, into=into, times=ctypes.addressof(times))

    def ended(self) -> bytes:
        """When this thread's last timed call began to compute, and when every stage ended.

        Seconds and nanoseconds of the monotonic clock, 64 bits each.
        """
        return self.watched.times.raw

    def __call__(self, *tensors: torch.Tensor, into: Sequence[int | None] = (),
                 times: int | None = None) -> tuple[torch.Tensor, ...]:
        """The results, in the memory of the inputs that `into` names; `times` is where times are noted."""
        for slot, below, node, place in self.checks:
            low, high = torch.aminmax(tensors[slot])
            if low < 0 or high >= below:
                _refuse(node, place, tensors[slot])
        given = [x if x.is_contiguous() else x.contiguous() for x in tensors] if not self.innermost else [
            self.laid(k, x) for k, x in enumerate(tensors)]
        places = into or (None,) * len(self.results)
        outs = [given[k] if k is not None and given[k] is tensors[k] else self.memory(shape, dtype)
                for k, (shape, dtype) in zip(places, self.results, strict=True)]
        threads = self.threads(torch.get_num_threads())
        block = self.block(threads)
        table = block[1]
        for k, x in enumerate((*given, *outs)):
            table[k] = x.data_ptr()
        table[len(table) - 1] = times
        if threads > 1:
            self.code.run_parallel(table, threads)
        else:
            self.code.run(table)
        self.give_back(block)
        if into:
            torch_private.count_changes([o for o, k in zip(outs, places, strict=True)
                                         if k is not None and o is tensors[k]])
        return tuple(outs)

    def memory(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """Memory for a result."""
        if not self.leave_innermost:
            return torch.empty(shape, dtype=dtype)
        return torch.empty((*shape[1:], shape[0]), dtype=dtype).permute(3, 0, 1, 2)

    def laid(self, slot: int, x: torch.Tensor) -> torch.Tensor:
        """An input as the code expects it in memory."""
        if slot not in self.innermost:
            return x.contiguous()
        return x if samples_innermost(x) else x.permute(1, 2, 3, 0).contiguous().permute(3, 0, 1, 2)

    def give_back(self, block: tuple[int, Any, torch.Tensor]) -> None:
        """Keep a table and its memory for the next run."""
        if block[2].numel() <= _KEPT:
            self.blocks.append(block)

    def threads(self, most: int) -> int:
        """By how many threads the stages are shared out."""
        known = self.shares.get(most)
        if known is None:
            known = self.shares[most] = most if self.code.parallel and speeds(most).worth(
                self.work, len(self.parts)) else 1
        return known

    def block(self, threads: int) -> tuple[int, Any, torch.Tensor]:
        """A table and the memory behind it that no other thread uses."""
        with self.lock:
            for k, (count, _, _) in enumerate(self.blocks):
                if count == threads:
                    return self.blocks.pop(k)
        sizes = {slot: size * (threads if slot in self.per_thread else 1) for slot, size in self.sizes.items()}
        places, extent = offsets(self.stages, self.parts, sizes)
        memory = torch.empty(extent + 2 * 64, dtype=torch.uint8)
        base = -(-memory.data_ptr() // 64) * 64
        count = self.given + len(self.results) + len(self.sizes)
        table = (ctypes.c_void_p * (count + 2))()    # and where times are noted, if somebody watches
        table[count] = base + extent                 # the counter, in a line of the cache of its own
        for slot, at in places.items():
            table[slot] = base + at
        return threads, table, memory


def _refuse(node: Node, place: int, indices: torch.Tensor) -> None:
    """Let an operator say what is wrong with its indices."""
    given: list[Any] = []
    for x in node.inputs:
        if type(x) is Node:
            is_it = sum([type(y) is Node for y in node.inputs[:len(given)]]) == place
            given.append(indices if is_it else torch.zeros(x.shape, dtype=x.dtype.torch))
        else:
            given.append(x)
    try:
        node.op.kernel(*given, **node.attrs)
    except Exception as error:  # whatever the kernel says, in the words of the operator
        said = node.op.explain(error, [x.aval if type(x) is Node else x for x in node.inputs],
                               {**node.op.attrs, **node.attrs})
        raise Refused(node.loc) from said


def _text(stages: Sequence[Any], parts: Sequence[Sequence[int]], width: int, slots: int) -> str:
    """The module of a program; behind the slots of its table stand the addresses of a counter and of times."""
    module = Module(width)
    write_meeting(module)
    _write_stamp(module)
    alone = products.ALONE in products.symbols()
    for k, stage in enumerate(stages):
        stage.write(module, f"stage{k}", True)
    with module.function("run", ["ptr"]) as b:
        before = b.call(products.ALONE, [b.constant(1, "i32")], "i32") if alone else None
        times = b.load(b.args[0], slots + 1, "ptr", one=True)
        b.call("stamp", [times, b.integer(0)])
        for k in range(len(stages)):
            b.call(f"stage{k}", [b.args[0], b.integer(0), b.integer(1)])
            b.call("stamp", [times, b.integer(k + 1)])
        if before:
            b.call(products.ALONE, [before], "i32")
    with module.function("share", ["ptr"], internal=True) as b:
        thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                           for what in ("thread_num", "num_threads")]
        before = b.call(products.ALONE, [b.constant(1, "i32")], "i32") if alone else None
        counter = b.load(b.args[0], slots, "ptr", one=True)
        times = b.load(b.args[0], slots + 1, "ptr", one=True)
        times = b.emit(f"select i1 {thread.compare('eq', 0).name}, ptr {times.name}, ptr null", "ptr")
        for i, part in enumerate(parts):
            if i:
                meet(b, counter, i, threads)
            b.call("stamp", [times, b.integer(part[0])])         # what came before has ended in all threads
            for k in part:
                b.call(f"stage{k}", [b.args[0], thread, threads])
                if k != part[-1]:
                    b.call("stamp", [times, b.integer(k + 1)])
        if before:
            b.call(products.ALONE, [before], "i32")
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        b.store(b.integer(0), b.load(b.args[0], slots, "ptr", one=True), 0, "i64")
        b.call("GOMP_parallel", [Value(b, "@share", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])
        b.call("stamp", [b.load(b.args[0], slots + 1, "ptr", one=True), b.integer(len(stages))])
    return module.text()


def _write_stamp(module: Module) -> None:
    """The function `stamp(times, k)`: the k-th of the times is now, if there are any."""
    with module.function("stamp", ["ptr", "i64"], internal=True) as b:
        times, k = b.args
        there = b.emit(f"icmp ne ptr {times.name}, null", "i1")
        with b.when(there):
            clock = b.constant(time.CLOCK_MONOTONIC, "i32")
            b.call("clock_gettime", [clock, b.address(times, k * (_TIME // 8), "i64")], "i32")
