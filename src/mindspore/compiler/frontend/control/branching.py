"""The two branches of an `if` on a tensor: they join, or each continues to the end of the function."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.compiler.frontend.objects import failures, names
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.leaves import is_leaf
from mindspore.compiler.frontend.values.merge import Merge
from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.ir import Node, recording, tree
from mindspore.operators import structure
from mindspore.operators.python_numbers import number_kind

from . import blocks
from .branches import run_branches
from .tasks import Fence, Outcome, ended, ends, resumed

SPLITS = 8                   # how often branches of one function that cannot join may get copies of what follows


class Exits(NamedTuple):
    """How a run may have ended, where only another run knows: a flag for each kind, and the returned value in a tuple.

    Flags are bools, or tensors that represent one; just one of them holds.
    """

    flags: dict[str, Any]
    value: tuple[Any] | None


def exits_of(outcome: Outcome) -> Exits:
    """The exits that a run may have taken, of which there may be only one."""
    if outcome.kind == "mixed":
        return outcome.value
    return Exits({outcome.kind: True}, (outcome.value,) if outcome.kind == "return" else None)


def without(exits: Exits, kind: str) -> Outcome:
    """The outcome of a run that took one of these exits, where it is known not to be the one of that kind."""
    flags = {other: flag for other, flag in exits.flags.items() if other != kind}
    if len(flags) > 1:
        return Outcome("mixed", Exits(flags, exits.value))
    only, = flags
    return Outcome(only, exits.value[0] if exits.value is not None else None)


def fork(f: Any, test: Node, leaving: bool, then: Any, orelse: Any, after: Any) -> Any:
    """Do one of two tasks by the value of a tensor; the continuation, or the outcome.

    Args:
        leaving: Whether a task may leave by return, break or continue.
    """
    def apart() -> Any:
        return branch(f, test, lambda: f.run((then, after)), lambda: f.run((orelse, after)))
    if leaving and (ends(then) or ends(orelse)):
        return apart()                       # what comes after has one copy anyway
    probe, guarded, met = Probe(), blocks.around(after), False
    try:
        outcome = meet(f, test, then, orelse, dying=not guarded)
        met = True
        found = onward(f, outcome, after)
    except Exception as error:  # of branches that cannot join; or of the program: `try` catches it in its branch
        if not met if guarded and not isinstance(error, blocks.OWN) else cannot_meet(f, error, leaving, guarded):
            probe.drop()
            return apart()
        probe.keep()
        raise
    probe.keep()
    return found


def meet(f: Any, test: Node, then: Any, orelse: Any, dying: bool = True) -> Outcome:
    """Do one of two tasks; the branches join right after, as far as they do not leave."""
    end = Fence(), None
    return branch(f, test, lambda: f.run((then, end)), lambda: f.run((orelse, end)), dying=dying, ending=False)


def onward(f: Any, outcome: Outcome, after: Any) -> Any:
    """What is to do after a block that ended so, or how what follows ended."""
    if outcome.kind == "through":
        return after
    if outcome.kind != "mixed":
        return resumed(f, outcome, after)
    flags, value = outcome.value

    def go(kind: str) -> Callable[[], Outcome]:
        return lambda: run_on(f, onward(f, Outcome(kind, value[0] if kind == "return" else None), after))
    last = max(flags, key=_ORDER.index)
    return select(f, [(flag, go(kind)) for kind, flag in flags.items() if kind != last], go(last))


_ORDER = ("return", "break", "next", "through")


def run_on(f: Any, rest: Any) -> Outcome:
    """How what is to do ends."""
    return rest if type(rest) is Outcome else f.run(rest)


def select(f: Any, by_flags: list[tuple[Any, Callable[[], Outcome]]], otherwise: Callable[[], Outcome]) -> Outcome:
    """How what belongs to the flag that holds ends, or the other, if none does."""
    if not by_flags:
        return otherwise()
    (flag, run), *rest = by_flags
    return branch(f, flag, run, lambda: select(f, rest, otherwise))


def branch(f: Any, test: Any, then: Callable[[], Outcome], orelse: Callable[[], Outcome], dying: bool = True,
           ending: bool = True) -> Outcome:
    """Run one of two branches by the value of a tensor, and say how they ended.

    Args:
        dying: Whether a branch may end by an exception of the program, which the graph then raises.
        ending: Whether they continue to the end of the function, of the pass of a loop, or of a block.
    """
    if type(test) is not Node:                # the first pass of a loop may be known to come
        return then() if test else orelse()
    merge = Merge(run_branches(test, [then, orelse], dying), test)
    outcomes, found = [a.outcome for a in merge.live], {}
    kinds = {o.kind for o in outcomes}
    if ending and kinds <= {"return", "fall"}:
        merge.ending = f
        merge.effects(f, names=False)
        merge.value("the returned value", [merge.own(k, o.value) for k, o in enumerate(outcomes)],
                    _keep(found, "value"))
        merge.emit()
        return Outcome("return", found["value"])
    merge.effects(f, gone=_returned(f, outcomes))
    if len(kinds) == 1 and kinds <= {"next", "break", "through"}:
        merge.emit()
        return outcomes[0]
    exits = list(map(exits_of, outcomes))
    flags: dict[str, Any] = {}
    for kind in dict.fromkeys([k for e in exits for k in e.flags]):
        merge.value("how the branch is left", [e.flags.get(kind, False) for e in exits], _keep(flags, kind))
    known = [e.value for e in exits if e.value is not None]
    if known:
        _merge_results(merge, [known[0] if e.value is None else e.value for e in exits], exits, found)
    merge.emit()
    if len(flags) == 1:
        return Outcome("return", found["value"][0])
    return Outcome("mixed", Exits(flags, found.get("value")))


def _returned(f: Any, outcomes: list[Outcome]) -> list[int]:
    """The branches that left the function: their values of its names are not used any more."""
    if names.has_inner(f.fn.node) or any(map(blocks.around, f.runs)):
        return []
    return [k for k, outcome in enumerate(outcomes) if outcome.kind == "return"]


def _merge_results(merge: Merge, filled: list[Any], exits: list[Exits], found: dict[str, Any]) -> None:
    """Merge returned values of which some branches have none yet: zeros stand in for those."""
    stand_in = []
    for branch, value, own in zip(merge.live, filled, exits, strict=True):
        if own.value is None:
            with recording(branch.graph.nodes):
                value = _zeros(value)
        stand_in.append(value)
    merge.value("the returned value", stand_in, _keep(found, "value"))


def _zeros(value: Any) -> Any:
    flat = tree.leaves(value, is_leaf)
    made = {id(v): _zero(v) for v in flat}                # one for one tensor
    return tree.rebuild(value, is_leaf, iter([made[id(v)] for v in flat]))


def _zero(value: Any) -> Any:
    kind = number_kind(value)
    return kind(0) if kind else structure.full(shape=lift(value).shape, value=0, dtype=lift(value).dtype)


def _keep(table: dict[str, Any], key: str) -> Callable[[Any], None]:
    return lambda value: table.__setitem__(key, value)


def choose(test: Node, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """The value of one of two computations, by the value of a tensor."""
    merge, found = Merge(run_branches(test, [then, orelse]), test), {}
    merge.effects()
    merge.value("the value", [a.outcome for a in merge.live], _keep(found, "value"))
    merge.emit()
    return found["value"]


def dispatch(f: Any, exits: Exits, after: Any, go_on: Callable[[], Any],
             broken: Callable[[], Any] | None = None) -> Any:
    """After a loop that may have been left: return its value if it returned, else `broken` or `go_on`.

    `after` is what is to do behind it, where `finally` clauses may wait for the return.
    """
    value, by_flags = exits.value, []
    if value is not None:
        by_flags.append((exits.flags["return"], lambda: run_on(f, ended(f, Outcome("return", value[0]), after))))
    if broken is not None and "break" in exits.flags:
        by_flags.append((exits.flags["break"], broken))
    return select(f, by_flags, go_on)


def cannot_meet(f: Any, error: Exception, leaving: bool = False, guarded: bool = False) -> bool:
    """Whether branches that cannot join may each continue to the end of the function.

    Where they may leave, also values of different types, and names that one of them binds, are a reason; where
    `try` or `with` stands around them, that it would catch what one of them raises.
    """
    failure = failures.known(error)
    if type(error) is GraphTypeError:
        found = leaving or failure.by_meeting
    elif type(error) is GraphSyntaxError:
        found = guarded and failure.by_meeting
    else:
        found = leaving and isinstance(error, NameError) and failure.uncertain
    f.splits += 1
    return found and f.splits <= SPLITS
