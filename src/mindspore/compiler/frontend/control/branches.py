"""The branches of an `if` on a tensor: each is run from the same names, state and objects."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.calls.functions import Pending
from mindspore.compiler.frontend.objects import failures
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.reach import roots
from mindspore.compiler.frontend.values.conditional import assumed
from mindspore.compiler.frontend.values.merge import Branch, Merge
from mindspore.core.errors import GraphSyntaxError
from mindspore.ir import Graph, Node, recording
from mindspore.ir.runtime import runtime

from .blocks import refuse_if_caught
from .effects import raise_
from .generators import refuse_unfinished, refuse_yield


def run_branches(test: Node, runs: list[Callable[[], Any]], dying: bool = True) -> list[Branch]:
    """Run every branch from the same names, state and objects, and restore these afterwards.

    With `dying`, a branch may end by an exception of the program, which the graph then raises.
    """
    trace = runtime.trace
    assert trace is not None
    known = trace.known
    branches, error = [], None
    for run, holds in zip(runs, (True, False), strict=True):
        trace.known = known | assumed(test, holds)
        branch, probe = Branch(Graph("branch")), Probe()
        try:
            with recording(branch.graph.nodes):
                try:
                    branch.outcome = run()
                    refuse_yield(branch.outcome)
                    refuse_unfinished(probe.depth)
                except Pending:
                    continue
                except Exception as raised:  # of the program: the branch raises it, or all of it is raised again
                    if not dying or not failures.known(raised).by_user:
                        failures.of(raised).uncertain = True
                        raise
                    if isinstance(raised, StopIteration):
                        raise GraphSyntaxError("How many items an iterator has depends on a tensor: collect them in "
                                               "a tensor, or use 'while' on a tensor.") from raised
                    error = raised_at_run_time(raised)
                    branch.dead = True
        finally:
            branch.changes = probe.drop()
            trace.heap.revive(branch.changes, roots(trace))
            trace.known = known
        branches.append(branch)
    if not branches:
        raise Pending
    if error is not None and all(a.dead for a in branches):
        Merge(branches, test).emit()
        failures.of(error).emitted = True    # the branches raise already
        raise error
    return branches


def raised_at_run_time(error: Exception) -> Exception:
    """Let a branch raise what the program raised in it."""
    refuse_if_caught(error)
    failure = failures.known(error)
    if not failure.emitted:
        loc, runtime.loc = runtime.loc, failure.loc or runtime.loc
        raise_(error)
        runtime.loc = loc
    return error
