"""From the graph of a program to what runs: the order of the steps."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mindspore.compiler.autodiff import vjp_graph
from mindspore.compiler.codegen import Executable, compile_graph
from mindspore.compiler.passes import (
    fuse_arithmetic,
    fuse_attention_in,
    join_slices,
    lay_out_state,
    pool_first_in,
    simplify,
)
from mindspore.ir import Graph, Undecided

from .compile_guards import uncollected
from .result_aliasing import copied_results

# The passes between the front end and the generated source, in order: the list is the documentation.
PASSES: list[Callable[[Graph], Graph]] = [
    fuse_attention_in, pool_first_in, join_slices, simplify, fuse_arithmetic]


def assembled(program: Any) -> Executable:
    """Run the passes on the graph of a program and write its source."""
    with uncollected(), program.sizes.compiling(quiet=True):
        for step in () if program.final else PASSES:
            program.graph = program.record.after(step, program.graph)
        made = generated(program)
    check_conditions(program)
    return made


def generated(program: Any) -> Executable:
    """The source of a program; parameters that it assigns are overwritten where that can be."""
    start, graph = time.perf_counter(), program.graph
    lay_out_state(graph, program.captured, program.assigned)
    place = {id(t): k for k, t in enumerate(program.captured)}
    first = len(graph.params) - len(program.captured)
    owned = {id(graph.params[first + place[id(p)]]): id(graph.outs[program.count + k])
             for k, p in enumerate(program.assigned)}
    made = compile_graph(graph, owned, program.names, program.sizes)
    made.shared, made.copied = program.shared_results(), copied_results(graph, program.own)
    program.record.finished(start, graph, made)
    return made


def derived(program: Any) -> tuple[Executable, Executable]:
    """The program for a gradient on the tape: what also gives a residual, and its reverse."""
    sizes = program.sizes
    with uncollected(), sizes.compiling():
        with sizes.final():
            simplify(program.graph)
        augmented, reverse = vjp_graph(program.graph, False)
        with sizes.final():
            augmented = simplify(augmented)
            made = (compile_graph(augmented, sizes=sizes),
                    compile_graph(simplify(reverse), sizes=sizes, bound=False))
    check_conditions(program)
    if program.record.dump:
        program.record.dump.derivative("forward", augmented, made[0].annotated())
        program.record.dump.derivative("reverse", reverse, made[1].annotated())
    made[0].shared = list(range(program.count, len(program.graph.outs)))
    made[0].copied = copied_results(augmented, program.own)
    return made


def check_conditions(program: Any) -> None:
    """Every condition on sizes must be tested somewhere."""
    left = set(program.sizes.at_run_time()) - program.sizes.placed
    if left:
        raise Undecided(", ".join(sorted(left)))
