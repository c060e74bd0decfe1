"""The statements `if`, `for` and `while`: on known values they are executed."""
from __future__ import annotations

import ast
from typing import Any

from mindspore.compiler.frontend.calls import dispatch as calls
from mindspore.compiler.frontend.calls.protocols import iterated, user_method
from mindspore.compiler.frontend.control.branching import (
    SPLITS,
    branch,
    cannot_meet,
    dispatch,
    exits_of,
    fork,
    without,
)
from mindspore.compiler.frontend.control.generators import yields
from mindspore.compiler.frontend.control.loops import Loop
from mindspore.compiler.frontend.control.ranges import TensorRange, counted, loops_stay
from mindspore.compiler.frontend.control.tasks import (
    Again,
    Items,
    Outcome,
    Pass,
    Steps,
    Stream,
    ended,
)
from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.iterators import Tracked
from mindspore.compiler.frontend.objects.places import MISSING
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.conditional import Conditional, items_of, resolved
from mindspore.core.errors import GraphTypeError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Dim, Node
from mindspore.ir.runtime import runtime

from .conditions import condition


def if_(f: Any, s: ast.If, after: Any) -> Any:
    """The continuation, or the outcome, after an `if` statement."""
    test = condition(f, s.test)
    if type(test) is not Node:
        body = s.body if test else s.orelse
        return (Steps(body), after) if body else after
    return fork(f, test, names.leaves(s), Steps(s.body), Steps(s.orelse), after)


def header(f: Any, s: ast.For) -> Any:
    """What a `for` statement iterates over; `range` of a size that only the run knows may stay a loop."""
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
    """The items of a loop; an iterator that its header made belongs to the loop alone."""
    found, owned = iter(iterated(items)), isinstance(s.iter, ast.Call)
    if owned and type(found) is Tracked and found.block is runtime.blocks[-1] and _is_made_by_header(f, s.iter):
        found = found.items
    return Stream(found, owned)


def _is_made_by_header(f: Any, call: Any) -> bool:
    """Whether a call is one of a built-in class, as `enumerate`, which makes an iterator of its own."""
    return isinstance(call.func, ast.Name) and isinstance(f.load(call.func.id), type)


def for_(f: Any, s: ast.For, after: Any) -> Any:
    """The continuation after (or into) a `for` statement."""
    return over(f, s, resolved(header(f, s)), after)


def over(f: Any, s: ast.For, items: Any, after: Any) -> Any:
    """The same, over these items."""
    if type(items) is Conditional:                  # each branch iterates over its own items
        def go(chosen: Any) -> Any:
            left = over(f, s, resolved(chosen), after)
            return left if type(left) is Outcome else f.run(left)
        f.splits += 1
        if f.splits > SPLITS:
            items = items_of(items)
        else:
            return branch(f, items.test, lambda: go(items.then), lambda: go(items.orelse))
    items = lift(items) if isinstance(items, Tensor) else items
    if isinstance(items, TensorRange):
        return counted(f, s, items, after)
    if type(items) is Node and items.ndim and type(items.shape[0]) is Dim and loops_stay(s):
        return counted(f, s, TensorRange(items.shape[0]), after, items)
    if not names.any_leaves(s.body) or (f.generating and yields(s)):
        return Items(s, stream(f, s, items)), after
    found, probe = stream(f, s, items), Probe()
    try:
        result = passes(f, s, found, after)
    except GraphTypeError as error:
        if not cannot_meet(f, error):
            probe.keep()
            raise
        probe.drop()
        if hasattr(type(items), "__next__") or user_method(items, "__iter__"):
            found.check()
        else:
            found = stream(f, s, items)
            found.all_from(0)                  # all branches iterate over these
        return Items(s, found), after          # branches that leave a pass do not join
    except Exception:  # raised again, from where the program stands
        probe.keep()
        raise
    probe.keep()
    return result


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
    """The passes after one that an `if` on a tensor may have left: each behind a test of that."""
    for item in rest:
        exits = exits_of(outcome)
        if "next" not in exits.flags:          # the pass before always leaves
            break
        left = without(exits, "next")

        def one_pass(item: Any = item) -> Any:
            f.assign(s.target, item)
            return f.run((Steps(s.body), (Pass(), None)))
        outcome = branch(f, exits.flags["next"], one_pass, lambda: left)  # noqa: B023  # called at once
    exits = exits_of(outcome)
    if not s.orelse and exits.value is None:
        return after
    broken = (lambda: f.run(after)) if s.orelse and names.can_break(s) else None
    return dispatch(f, exits, after, lambda: f.run(_else(s, after)), broken)


def _else(s: Any, after: Any) -> Any:
    return (Steps(s.orelse), after) if s.orelse else after


def while_(f: Any, s: ast.While, after: Any) -> Any:
    """The continuation after (or into) a `while` statement."""
    probe = Probe()
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
    except Exception:  # raised again, from where the program stands
        probe.keep()
        raise
    if outcome.kind == "mixed":
        probe.drop()
        return Loop(f, s, after, lambda: condition(f, s.test), s.body).run()
    probe.keep()
    if outcome.kind == "return":
        return ended(f, outcome, after)
    return after if outcome.kind == "break" else (Again(s), after)
