"""Two ways by a condition on a tensor: they meet, or each goes on to the end of the function."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.leaves import is_leaf
from mindspore.compiler.frontend.values.merge import Merge
from mindspore.core.errors import GraphTypeError
from mindspore.ir import Node, recording, tree
from mindspore.operators import structure
from mindspore.operators.python_numbers import number_kind
from mindspore.operators.registry import REGISTRY

from . import blocks
from .branches import run_arms
from .tasks import Fence, Outcome, ended

SPLITS = 8                   # how often the ways of one function may part for good
STATUS = {"next": 0, "fall": 0, "break": 1, "return": 2, "through": 3}


def fork(f: Any, test: Node, leaving: bool, then: Any, orelse: Any, after: Any) -> Any:
    """Do one of two tasks by a condition on a tensor; the continuation, or the outcome.

    Args:
        leaving: Whether a task may leave by return, break or continue: then each way runs to the
            end with its own copy of what comes after.
    """
    if not leaving:
        probe, guarded = Probe(f), blocks.around(after)
        try:
            meet(f, test, then, orelse, dying=not guarded)
        except blocks.OWN as error:
            if type(error) is not GraphTypeError or not splits(f, error):
                probe.keep()
                raise
            probe.drop()
        except Exception:  # of the program: a `try` around it may catch it
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
    made = {id(v): _zero(v) for v in flat}                # one for one tensor
    return tree.rebuild(value, is_leaf, iter([made[id(v)] for v in flat]))


def _zero(value: Any) -> Any:
    kind = number_kind(value)
    return kind(0) if kind else structure.full(shape=lift(value).shape, value=0, dtype=lift(value).dtype)


def _keep(table: dict[str, Any], key: str) -> Callable[[Any], None]:
    return lambda value: table.__setitem__(key, value)


def choose(test: Node, then: Callable[[], Any], orelse: Callable[[], Any], f: Any = None) -> Any:
    """The value of one of two computations, by a condition on a tensor; `f` is the frame whose names they bind."""
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


def splits(f: Any, error: GraphTypeError) -> bool:
    """Whether two ways that cannot meet now may go on to the end of the function, each by itself."""
    f.splits += 1
    return getattr(error, "_split", False) and f.splits <= SPLITS
