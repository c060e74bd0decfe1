"""Conditions and loops on known values; conditions on tensors."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import Block, Dim, Node, recording
from mindspore.core.errors import GraphTypeError
from mindspore.core.tensor import Tensor
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from . import calls, guards, names
from .choice import Choice, items_of, settled
from .conditions import condition
from .generators import yields
from .heap import MISSING
from .iterators import Tracked
from .loops import Loop, TensorRange, counted, loops_stay
from .merge import Merge, is_leaf, run_arms
from .protocols import iterated
from .state import Trace, lift
from .tasks import Again, Fence, Items, Outcome, Pass, Steps, Stream, ended

SPLITS = 8                   # how often the ways of one function may part for good
STATUS = {"next": 0, "fall": 0, "break": 1, "return": 2, "through": 3}


# ---------------------------------------------------------------------- conditions

def if_(f: Any, s: ast.If, after: Any) -> Any:
    """The continuation, or the outcome, after an `if` statement."""
    test = condition(f, s.test)
    if type(test) is not Node:
        body = s.body if test else s.orelse
        return (Steps(body), after) if body else after
    return fork(f, test, names.leaves(s), Steps(s.body), Steps(s.orelse), after)


def fork(f: Any, test: Node, leaving: bool, then: Any, orelse: Any, after: Any) -> Any:
    """Do one of two tasks by a condition on a tensor; the continuation, or the outcome.

    Args:
        leaving: Whether a task may leave by return, break or continue: then each way runs to the
            end with its own copy of what comes after.
    """
    if not leaving:
        probe, guarded = Probe(f), guards.around(after)
        try:
            meet(f, test, then, orelse, dying=not guarded)
        except guards.OWN as error:
            if type(error) is not GraphTypeError or not splits(f, error):
                probe.keep()
                raise
            probe.drop()
        except Exception:
            if not guarded:
                probe.keep()
                raise
            probe.drop()                     # to be met by `try` in the arm that raises it
        else:
            probe.keep()
            return after
    return branch_to_end(f, test, lambda: f.run((then, after)), lambda: f.run((orelse, after)))


def meet(f: Any, test: Node, then: Any, orelse: Any, dying: bool = True) -> None:
    """Do one of two tasks; the ways meet right after."""
    end = Fence(), None
    merge = Merge(run_arms(f, test, [lambda: f.run((then, end)), lambda: f.run((orelse, end))], dying), test)
    merge.effects(f, names=True)
    merge.emit()


def branch_to_end(f: Any, test: Node, *ways: Callable[[], Any]) -> Any:
    """Run both ways to the end of the function (or of the pass of a loop) and merge the outcomes."""
    merge = Merge(run_arms(f, test, list(ways)), test)
    outcomes, found = [a.outcome for a in merge.live], {}
    if {o.kind for o in outcomes} <= {"return", "fall"}:
        merge.ending = f
        merge.effects(f, names=False)
        merge.value("the returned value", [merge.own(k, o.value) for k, o in enumerate(outcomes)],
                    _keep(found, "value"))
        merge.emit()
        return Outcome("return", found["value"])
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
    return Outcome("mixed", (found["status"], found.get("value")))


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
    made = {id(v): structure.full(shape=lift(v).shape, value=0, dtype=lift(v).dtype)
            if isinstance(v, (Node, Tensor)) else type(v)(0) for v in flat}      # one for one tensor
    return tree.rebuild(value, is_leaf, iter([made[id(v)] for v in flat]))


def _keep(table: dict[str, Any], key: str) -> Callable[[Any], None]:
    return lambda value: table.__setitem__(key, value)


def choose(f: Any, test: Node, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """The value of one of two computations, by a condition on a tensor."""
    merge, found = Merge(run_arms(f, test, [then, orelse]), test), {}
    merge.effects(f, names=True)
    merge.value("the value", [a.outcome for a in merge.live], _keep(found, "value"))
    merge.emit()
    return found["value"]


def dispatch(f: Any, status: Any, value: Any, after: Any, go_on: Callable[[], Any],
             broken: Callable[[], Any] | None = None) -> Any:
    """After what may have been left: return `value` if it returned, else `broken` or `go_on`.

    `after` is what is to do behind it, where `finally` clauses may wait for the return.
    """
    equal = REGISTRY["Equal"]
    broken = broken or go_on

    def stay() -> Any:
        if broken is go_on:
            return go_on()
        return branch_to_end(f, equal(status, STATUS["break"]), broken, go_on)
    if value is None:
        return stay()
    def returned() -> Any:
        left = ended(f, Outcome("return", value[0]), after)
        return left if type(left) is Outcome else f.run(left)
    return branch_to_end(f, equal(status, STATUS["return"]), returned, stay)


# ---------------------------------------------------------------------- loops on known values

def header(f: Any, s: ast.For) -> Any:
    """What a `for` statement goes over; `range` of a size that a run tells may stay a loop."""
    call = s.iter
    if not isinstance(call, ast.Call) or call.keywords or not isinstance(call.func, ast.Name) or f.load(
            call.func.id) is not range or any(isinstance(a, ast.Starred) for a in call.args):
        return f.eval(call)
    bounds = [f.eval(a) for a in call.args]
    if any([type(b) is Dim for b in bounds]) and names.only_index(s) and loops_stay(s) and (
            len(bounds) < 3 or type(bounds[2]) is int):
        return TensorRange(*bounds)
    return calls.call(range, tuple(bounds), {})


def stream(f: Any, s: ast.For, items: Any) -> Stream:
    """The items of a loop; those of an iterator that its header made are nobody else's."""
    found, owned = iter(iterated(items)), isinstance(s.iter, ast.Call)
    if owned and type(found) is Tracked and found.block is Block.stack[-1] and _is_made_by_header(f, s.iter):
        found = found.items
    return Stream(found, owned)


def _is_made_by_header(f: Any, call: Any) -> bool:
    """Whether a call is one of a built-in class, as `enumerate`, which makes an iterator of its own."""
    return isinstance(call.func, ast.Name) and isinstance(f.load(call.func.id), type)


def for_(f: Any, s: ast.For, after: Any) -> Any:
    """The continuation after (or into) a `for` statement."""
    return over(f, s, settled(header(f, s)), after)


def over(f: Any, s: ast.For, items: Any, after: Any) -> Any:
    """The same, over these items."""
    if type(items) is Choice:                  # each way goes over its own items to the end
        def go(chosen: Any) -> Any:
            left = over(f, s, settled(chosen), after)
            return left if type(left) is Outcome else f.run(left)
        f.splits += 1
        if f.splits > SPLITS:
            items = items_of(items)
        else:
            return branch_to_end(f, items.test, lambda: go(items.then), lambda: go(items.orelse))
    items = lift(items) if isinstance(items, Tensor) else items
    if isinstance(items, TensorRange):
        return counted(f, s, items, after)
    if type(items) is Node and items.ndim and type(items.shape[0]) is Dim and loops_stay(s):
        return counted(f, s, TensorRange(items.shape[0]), after, items)
    if not names.any_leaves(s.body) or (f.generating and yields(s)):
        return Items(s, stream(f, s, items)), after
    found, probe = stream(f, s, items), Probe(f)
    try:
        result = passes(f, s, found, after)
    except GraphTypeError as error:
        if not splits(f, error):
            probe.keep()
            raise
        probe.drop()
        found.check()
        return Items(s, found), after          # the ways part for good where a pass is left
    except Exception:
        probe.keep()
        raise
    probe.keep()
    return result


def splits(f: Any, error: GraphTypeError) -> bool:
    """Whether two ways that cannot meet now may go on to the end of the function, each by itself."""
    f.splits += 1
    return getattr(error, "_split", False) and f.splits <= SPLITS


def passes(f: Any, s: ast.For, items: Stream, after: Any) -> Any:
    """A loop over known items that its body may leave."""
    body = Steps(s.body), (Pass(), None)
    at = 0
    while (item := items.at(at)) is not MISSING:
        f.assign(s.target, item)
        outcome = f.run(body)
        at += 1
        if outcome.kind in ("return", "break"):
            items.end()
            return ended(f, outcome, after) if outcome.kind == "return" else after
        if outcome.kind == "mixed":
            return _flagged(f, s, items.rest(at), outcome, after)
    return _else(s, after)


def _flagged(f: Any, s: ast.For, rest: list[Any], outcome: Any, after: Any) -> Any:
    """The passes after one that a condition on a tensor may have left: each behind a condition."""
    for item in rest:
        status, value = outcome.value

        def one_pass(item: Any = item) -> Any:
            f.assign(s.target, item)
            return f.run((Steps(s.body), (Pass(), None)))

        def left(status: Any = status, value: Any = value) -> Any:
            return Outcome("mixed", (status, value))
        outcome = branch_to_end(f, REGISTRY["Equal"](status, 0), one_pass, left)
    status, value = outcome.value
    if not s.orelse and value is None:
        return after
    broken = (lambda: f.run(after)) if s.orelse and names.can_break(s) else None
    return dispatch(f, status, value, after, lambda: f.run(_else(s, after)), broken)


def _else(s: Any, after: Any) -> Any:
    return (Steps(s.orelse), after) if s.orelse else after


def while_(f: Any, s: ast.While, after: Any) -> Any:
    """The continuation after (or into) a `while` statement."""
    probe = Probe(f)
    try:
        test = condition(f, s.test)
        if type(test) is Node:
            probe.drop()
            return Loop(f, s, after, lambda: condition(f, s.test), s.body).run()
        if not test:
            probe.keep()
            return _else(s, after)
        if not names.any_leaves(s.body) or (f.generating and yields(s)):
            probe.keep()
            return Steps(s.body), (Again(s), after)
        outcome = f.run((Steps(s.body), (Pass(), None)))
    except Exception:
        probe.keep()
        raise
    if outcome.kind == "mixed":
        probe.drop()
        return Loop(f, s, after, lambda: condition(f, s.test), s.body).run()
    probe.keep()
    if outcome.kind == "return":
        return ended(f, outcome, after)
    return after if outcome.kind == "break" else (Again(s), after)


class Probe:
    """A part of the program run on trial: it may be undone."""

    def __init__(self, f: Any):
        self.f, self.trace, self.open = f, Trace.current, True
        self.local, self.state, self.loc = dict(f.local), self.trace.state, Block.loc
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
