"""From the graph of a program to what runs: the function itself, or its derivative for the tape.

The graph of the front end is prepared once, by the passes that a derivative shall see.  What runs is lowered from a
copy of it, so a program and its derivative are the same whichever is asked for first.
"""
from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mindspore.compiler.autodiff import copied, vjp_graph
from mindspore.compiler.codegen import Executable, compile_graph
from mindspore.compiler.passes import ANY, DIFFERENTIATED, FINAL, UPDATES, lay_out_state, lower
from mindspore.compiler.targets import Target, at_level
from mindspore.ir import Graph, Undecided
from mindspore.parallel import running

from .compile_guards import uncollected
from .result_aliasing import copied_results
from .validity import marks_of


def prepared(program: Any, target: Target) -> Graph:
    """The graph that a derivative is taken of, and that what runs is lowered from."""
    if program.prepared is None:
        program.prepared = lower(program.graph, target, DIFFERENTIATED, ANY, note=program.record.ended)
    return program.prepared


def assembled(program: Any) -> Executable:
    """Lower the graph of a program and write its source."""
    target = program.target
    if program.assigned and not (target.mesh or program.sizes.active):
        target = replace(target, options={**target.options, UPDATES: True})
    with uncollected(), at_level(target.level), program.sizes.compiling(quiet=True):
        graph = copied(prepared(program, target))
        if target.mesh:
            graph = split(program, graph, target)
        else:
            running.look_at_whole(program.name, graph, program.captured)
        program.graph = lower(graph, target, FINAL, note=program.record.ended)
        made = generated(program, target)
    check_conditions(program)
    return made


def split(program: Any, graph: Graph, target: Target) -> Graph:
    """The part of a program that this process computes; parameters that it assigns may lie in pieces from then on."""
    running.agree(program.captured)
    place = {id(t): k for k, t in enumerate(program.captured)}
    replaced = {program.count + k: place[id(p)] for k, p in enumerate(program.assigned)}
    graph = running.split(graph, program.name, program.captured, replaced)
    program.marks = marks_of(program.watched)
    return graph


def generated(program: Any, target: Target) -> Executable:
    """The source of a program; parameters that it assigns are overwritten where that can be."""
    start, graph = time.perf_counter(), program.graph
    if target.level:
        lay_out_state(graph, program.captured)
    place = {id(t): k for k, t in enumerate(program.captured)}
    first = len(graph.params) - len(program.captured)
    owned = {id(graph.params[first + place[id(p)]]): id(graph.outs[program.count + k])
             for k, p in enumerate(program.assigned)}
    made = compile_graph(graph, owned, program.names, program.sizes, target=target)
    made.shared, made.copied = program.shared_results(), copied_results(graph, program.own)
    program.record.finished(start, graph, made)
    return made


def derived(program: Any, places: Sequence[int]) -> tuple[Executable, Executable]:
    """The program for a gradient on the tape: what also gives a residual, and the reverse for the parameters there."""
    sizes, target = program.sizes, program.target
    with uncollected(), at_level(target.level), sizes.compiling():
        with sizes.final():
            graph = prepared(program, target)
        augmented, reverse = vjp_graph(graph, False, places=places)
        with sizes.final():
            augmented, reverse = [lower(one, target, ANY, FINAL) for one in (augmented, reverse)]
            made = (compile_graph(augmented, sizes=sizes, target=target),
                    compile_graph(reverse, sizes=sizes, bound=False, target=target))
    check_conditions(program)
    if program.record.dump:
        program.record.dump.derivative("forward", augmented, made[0].annotated())
        program.record.dump.derivative("reverse", reverse, made[1].annotated())
    made[0].shared = list(range(program.count, len(graph.outs)))
    made[0].copied = copied_results(augmented, program.own)
    return made


def check_conditions(program: Any) -> None:
    """Every condition on sizes must be tested somewhere."""
    left = set(program.sizes.at_run_time()) - program.sizes.placed
    if left:
        raise Undecided(", ".join(sorted(left)))
