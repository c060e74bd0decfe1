"""Conditions and loops on known values; conditions on tensors."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import Block, Node, recording
from mindspore.core.tensor import Tensor
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from . import frame as frames
from . import names
from .choice import each, items_of
from .expressions import truth
from .loops import Loop, TensorRange, counted
from .merge import Merge, is_leaf, run_arms
from .state import Trace, lift

STATUS = {"next": 0, "fall": 0, "break": 1, "return": 2, "through": 3}


# ---------------------------------------------------------------------- conditions

def if_(f: Any, s: ast.If, after: Any) -> Any:
    """The continuation, or the outcome, after an `if` statement."""
    test = truth(f.eval(s.test))
    if type(test) is not Node:
        body = s.body if test else s.orelse
        return (frames.Steps(body), after) if body else after
    return fork(f, test, names.leaves(s), frames.Steps(s.body), frames.Steps(s.orelse), after)


def fork(f: Any, test: Node, leaving: bool, then: Any, orelse: Any, after: Any) -> Any:
    """Do one of two tasks by a condition on a tensor; the continuation, or the outcome.

    Args:
        leaving: Whether a task may leave by return, break or continue: then each way runs to the
            end with its own copy of what comes after.
    """
    if leaving:
        return branch_to_end(f, test, lambda: f.run((then, after)), lambda: f.run((orelse, after)))
    end = frames.Fence(), None
    merge = Merge(run_arms(f, test, [lambda: f.run((then, end)), lambda: f.run((orelse, end))]), test)
    merge.effects(f, names=True)
    merge.emit()
    return after


def branch_to_end(f: Any, test: Node, *ways: Callable[[], Any]) -> Any:
    """Run both ways to the end of the function (or of the pass of a loop) and merge the outcomes."""
    merge = Merge(run_arms(f, test, list(ways)), test)
    outcomes, found = [a.outcome for a in merge.live], {}
    if {o.kind for o in outcomes} <= {"return", "fall"}:
        merge.effects(f, names=False)
        merge.value("the returned value", [o.value for o in outcomes], _keep(found, "value"))
        merge.emit()
        return frames.Outcome("return", found["value"])
    merge.effects(f, names=True)              # inside a loop: some ways go on, some leave
    if {o.kind for o in outcomes} in ({"next"}, {"break"}, {"through"}):
        merge.emit()
        return outcomes[0]
    status = [o.value[0] if o.kind == "mixed" else STATUS[o.kind] for o in outcomes]
    merge.value("the way out", status, _keep(found, "status"))
    results = [result_of(o) for o in outcomes]
    known = [r for r in results if r is not None]
    if known:
        filled = [known[0] if r is None else r for r in results]
        _merge_results(merge, filled, results, found)
    merge.emit()
    return frames.Outcome("mixed", (found["status"], found.get("value")))


def _merge_results(merge: Merge, filled: list[Any], results: list[Any],
                   found: dict[str, Any]) -> None:
    """Merge returned values of which some ways have none yet: zeros stand in for those."""
    stand_in = []
    for arm, value, own in zip(merge.live, filled, results, strict=True):
        if own is None:
            with recording(arm.graph.nodes):
                value = _zeros(value)
        stand_in.append(value)
    merge.value("the returned value", stand_in, _keep(found, "value"))


def result_of(outcome: Any) -> Any:
    """What a run returned, in a tuple; None if it did not return."""
    if outcome.kind == "mixed":
        return outcome.value[1]
    return (outcome.value,) if outcome.kind == "return" else None


def _zeros(value: Any) -> Any:
    flat = tree.leaves(value, is_leaf)
    made = [structure.full(shape=lift(v).shape, value=0, dtype=lift(v).dtype)
            if isinstance(v, (Node, Tensor)) else type(v)(0) for v in flat]
    return tree.rebuild(value, is_leaf, iter(made))


def _keep(table: dict[str, Any], key: str) -> Callable[[Any], None]:
    return lambda value: table.__setitem__(key, value)


def choose(f: Any, test: Node, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """The value of one of two computations, by a condition on a tensor."""
    merge, found = Merge(run_arms(f, test, [then, orelse]), test), {}
    merge.effects(f, names=True)
    merge.value("the value", [a.outcome for a in merge.live], _keep(found, "value"))
    merge.emit()
    return found["value"]


def dispatch(f: Any, status: Any, value: Any, go_on: Callable[[], Any],
             broken: Callable[[], Any] | None = None) -> Any:
    """After what may have been left: return `value` if it returned, else `broken` or `go_on`."""
    equal = REGISTRY["Equal"]
    broken = broken or go_on

    def stay() -> Any:
        if broken is go_on:
            return go_on()
        return branch_to_end(f, equal(status, STATUS["break"]), broken, go_on)
    if value is None:
        return stay()
    return branch_to_end(f, equal(status, STATUS["return"]),
                         lambda: frames.Outcome("return", value[0]), stay)


# ---------------------------------------------------------------------- loops on known values

def for_(f: Any, s: ast.For, after: Any) -> Any:
    """The continuation after (or into) a `for` statement."""
    items = each(iterated, f.eval(s.iter))
    if isinstance(items, TensorRange):
        return counted(f, s, items, after)
    items = items_of(items)
    if not names.any_leaves(s.body):
        return frames.Items(s, iter(items)), after
    return passes(f, s, iter(items), after)


def iterated(value: Any) -> Any:
    """What a `for` statement goes over."""
    return lift(value) if isinstance(value, Tensor) else value


def passes(f: Any, s: ast.For, items: Iterator[Any], after: Any) -> Any:
    """A loop over known items that its body may leave."""
    body = frames.Steps(s.body), (frames.Pass(), None)
    for item in items:
        f.assign(s.target, item)
        outcome = f.run(body)
        if outcome.kind == "return":
            return outcome
        if outcome.kind == "break":
            return after
        if outcome.kind == "mixed":
            return _flagged(f, s, list(items), outcome, after)
    return _else(s, after)


def _flagged(f: Any, s: ast.For, rest: list[Any], outcome: Any, after: Any) -> Any:
    """The passes after one that a condition on a tensor may have left: each behind a condition."""
    for item in rest:
        status, value = outcome.value

        def one_pass(item: Any = item) -> Any:
            f.assign(s.target, item)
            return f.run((frames.Steps(s.body), (frames.Pass(), None)))

        def left(status: Any = status, value: Any = value) -> Any:
            return frames.Outcome("mixed", (status, value))
        outcome = branch_to_end(f, REGISTRY["Equal"](status, 0), one_pass, left)
    status, value = outcome.value
    if not s.orelse and value is None:
        return after
    broken = (lambda: f.run(after)) if s.orelse else None
    return dispatch(f, status, value, lambda: f.run(_else(s, after)), broken)


def _else(s: Any, after: Any) -> Any:
    return (frames.Steps(s.orelse), after) if s.orelse else after


def while_(f: Any, s: ast.While, after: Any) -> Any:
    """The continuation after (or into) a `while` statement."""
    probe = Probe(f)
    try:
        test = truth(f.eval(s.test))
        if type(test) is Node:
            probe.drop()
            return Loop(f, s, after, lambda: f.eval(s.test), s.body).run()
        if not test:
            probe.keep()
            return _else(s, after)
        if not names.any_leaves(s.body):
            probe.keep()
            return frames.Steps(s.body), (frames.Again(s), after)
        outcome = f.run((frames.Steps(s.body), (frames.Pass(), None)))
    except Exception:
        probe.keep()
        raise
    if outcome.kind == "mixed":
        probe.drop()
        return Loop(f, s, after, lambda: f.eval(s.test), s.body).run()
    probe.keep()
    if outcome.kind == "return":
        return outcome
    return after if outcome.kind == "break" else (frames.Again(s), after)


class Probe:
    """A part of the program run on trial: it may be undone."""

    def __init__(self, f: Any):
        self.f, self.trace, self.open = f, Trace.current, True
        self.local, self.state, self.loc = dict(f.local), dict(self.trace.state), Block.loc
        self.mark = len(Block.stack[-1])
        self.trace.heap.push()
        self.depth = len(self.trace.heap.levels)

    def keep(self) -> None:
        """Let it stand."""
        if self.open:
            self.open = False
            while len(self.trace.heap.levels) >= self.depth:
                self.trace.heap.commit()

    def drop(self) -> Any:
        """Undo it; what it changed."""
        self.open = False
        del Block.stack[-1][self.mark:]
        left = dict(self.f.local), self.trace.state
        heap = self.trace.heap.unwind(self.depth - 1)
        self.f.local, self.trace.state, Block.loc = self.local, self.state, self.loc
        return *left, heap
