"""The passes: steps from graph to graph, in order.

A pass takes a graph and the target that it is made for, and returns the graph, the same or another.  `PASSES` is the
documentation of the order, and `lower` runs it for every graph: that of a function, and the two of its derivative.
"""
from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from mindspore.compiler.targets import Target, here
from mindspore.ir import Graph, verify

from . import algebra
from .attention import fuse_attention
from .attention_reverse import fuse_attention_reverse
from .clusters import generate_costly, generate_kernels
from .fusion import fuse_arithmetic, join_slices
from .layout import lay_out_state
from .leaves import drop_leaves
from .native_programs import PLANES, UPDATES, generate_planes, make_native_programs
from .norms import expect_norms, generate_norms
from .overlap import overlap_sums
from .pooling import pool_first
from .products import expect_products, generate_products
from .recurrence import expect_recurrence, generate_recurrence
from .simplify import RULES, rule, simplify
from .windows import expect_windows, generate_windows

# When a pass runs: what it makes is differentiated; both before and after that; or only what runs is its matter.
DIFFERENTIATED, ANY, FINAL = "differentiated", "any", "final"


class Pass(NamedTuple):
    """A step from graph to graph.

    Attributes:
        name: What explanations and dumps call it.
        run: The function of a graph and the target.
        when: `DIFFERENTIATED`, `ANY` or `FINAL`.
        level: Targets of a lower level do without it.
        needs: The passes that must stand before it.
    """

    name: str
    run: Callable[[Graph, Target], Graph]
    when: str = FINAL
    level: int = 1
    needs: tuple[str, ...] = ()


PASSES: list[Pass] = [
    Pass("fuse_attention", fuse_attention, DIFFERENTIATED),
    Pass("pool_first", pool_first, DIFFERENTIATED),
    Pass("expect_products", expect_products, DIFFERENTIATED),
    Pass("expect_recurrence", expect_recurrence, DIFFERENTIATED),
    Pass("expect_windows", expect_windows, DIFFERENTIATED),
    Pass("expect_norms", expect_norms, DIFFERENTIATED),
    Pass("join_slices", join_slices, ANY),
    Pass("simplify", simplify, ANY, level=0),
    Pass("drop_leaves", drop_leaves, FINAL, level=0),
    Pass("overlap_sums", overlap_sums, FINAL, needs=("simplify",)),
    Pass("generate_kernels", generate_kernels, FINAL, level=2, needs=("simplify",)),
    Pass("make_native_programs", make_native_programs, FINAL, needs=("generate_kernels",)),
    Pass("generate_costly", generate_costly, FINAL, needs=("make_native_programs",)),
    Pass("generate_recurrence", generate_recurrence),
    Pass("generate_windows", generate_windows, FINAL, needs=("make_native_programs",)),
    Pass("generate_norms", generate_norms, FINAL, needs=("make_native_programs",)),
    Pass("generate_products", generate_products, FINAL, needs=("make_native_programs",)),
    Pass("fuse_arithmetic", fuse_arithmetic, FINAL, needs=("simplify",)),
]


def lower(graph: Graph, target: Target | None = None, *when: str,
          note: Callable[[str, float, Graph], None] | None = None, closed: bool = True) -> Graph:
    """Run the passes of these times (default: all) on a graph.

    With ANYSPORE_VERIFY in the environment the invariants of the graph are checked before and after each of them.

    Args:
        note: Is told the name of a pass, when it began, and the graph after it.
        closed: Whether it is a whole graph, not a part of one under construction.

    Raises:
        ValueError: A pass stands before one that it needs, or leaves a graph that breaks an invariant.
    """
    target = target or here()
    check = closed and bool(os.environ.get("ANYSPORE_VERIFY"))
    if check:
        verify(graph)
    before: set[str] = set()
    for step in PASSES:
        if not before.issuperset(step.needs):
            raise ValueError(f"The pass '{step.name}' needs {sorted(set(step.needs) - before)} before it.")
        before.add(step.name)
        if step.level > target.level or (when and step.when not in when):
            continue
        start = time.perf_counter()
        graph = step.run(graph, target)
        if check:
            verify(graph)
        if note:
            note(step.name, start, graph)
    return graph


__all__ = ["ANY", "DIFFERENTIATED", "FINAL", "PASSES", "PLANES", "RULES", "UPDATES", "Pass", "algebra", "expect_norms",
           "expect_products", "expect_recurrence", "expect_windows", "fuse_arithmetic", "fuse_attention",
           "fuse_attention_reverse", "generate_costly", "generate_kernels", "generate_norms", "generate_planes",
           "generate_products", "generate_recurrence", "generate_windows", "join_slices", "lay_out_state", "lower",
           "make_native_programs", "overlap_sums", "pool_first", "rule", "simplify"]
