"""Conditions and loops: executed if they are known while compiling, `cond` and `loop` nodes if not."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import LOOP, Block, Graph, Node, close, emit_items, param, recording
from mindspore.core.dtype import int64
from mindspore.core.errors import GraphTypeError
from mindspore.core.tensor import Tensor
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from . import frame as frames
from . import names
from .merge import Merge, is_leaf, run_arms, truth
from .state import Trace, as_node, lift

_STATUS = {"next": 0, "fall": 0, "break": 1, "return": 2}


class TensorRange:
    """`range` with a bound that is a tensor."""

    def __init__(self, *bounds: Any):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        if not isinstance(step, int):
            raise GraphTypeError("The step of 'range' must be known while compiling.")
        self.start, self.stop, self.step = start, stop, step


# ---------------------------------------------------------------------- conditions

def if_(f: Any, s: ast.If, after: Any) -> Any:
    """The continuation, or the outcome, after an `if` statement."""
    test = truth(f.eval(s.test))
    if type(test) is not Node:
        body = s.body if test else s.orelse
        return (frames.Steps(body), after) if body else after
    if names.leaves(s):
        return branch_to_end(f, test, lambda: f.run((frames.Steps(s.body), after)),
                             lambda: f.run((frames.Steps(s.orelse), after)))
    ways = [lambda: f.run((frames.Steps(s.body), None)), lambda: f.run((frames.Steps(s.orelse), None))]
    merge = Merge(run_arms(f, ways))
    merge.effects(f, names=True)
    merge.emit(test)
    return after


def branch_to_end(f: Any, test: Node, *ways: Callable[[], Any]) -> Any:
    """Run both ways to the end of the function (or of the pass of a loop) and merge the outcomes."""
    arms = run_arms(f, list(ways))
    live = [a for a in arms if not a.dead]
    outcomes = [a.outcome for a in live]
    kinds = {o.kind for o in outcomes}
    merge, found = Merge(arms), {}
    if kinds <= {"return", "fall"}:
        merge.effects(f, names=False)
        merge.value("the returned value", [o.value for o in outcomes], _keep(found, "value"))
        merge.emit(test)
        return frames.Outcome("return", found["value"])
    merge.effects(f, names=True)              # inside a loop: some ways go on, some leave
    status = [o.value[0] if o.kind == "mixed" else _STATUS[o.kind] for o in outcomes]
    merge.value("the way out", status, _keep(found, "status"))
    results = [_result(o) for o in outcomes]
    known = [r for r in results if r is not None]
    if known:
        filled = [known[0] if r is None else r for r in results]
        _merge_results(merge, live, filled, results, found)
    merge.emit(test)
    return frames.Outcome("mixed", (found["status"], found.get("value")))


def _merge_results(merge: Merge, live: list[Any], filled: list[Any], results: list[Any],
                   found: dict[str, Any]) -> None:
    """Merge returned values of which some ways have none yet: zeros stand in for those."""
    stand_in = []
    for arm, value, own in zip(live, filled, results, strict=True):
        if own is None:
            with recording(arm.graph.nodes):
                value = _zeros(value)
        stand_in.append(value)
    merge.value("the returned value", stand_in, _keep(found, "value"))


def _result(outcome: Any) -> Any:
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
    arms = run_arms(f, [then, orelse])
    merge, found = Merge(arms), {}
    merge.effects(f, names=True)
    merge.value("the value", [a.outcome for a in arms if not a.dead], _keep(found, "value"))
    merge.emit(test)
    return found["value"]


# ---------------------------------------------------------------------- loops

def for_(f: Any, s: ast.For, after: Any) -> Any:
    """The continuation after (or into) a `for` statement."""
    items = f.eval(s.iter)
    if isinstance(items, TensorRange):
        return _counted(f, s, items, after)
    return frames.Items(s, list(items), 0), after


def while_(f: Any, s: ast.While, after: Any) -> Any:
    """The continuation after (or into) a `while` statement."""
    scratch: list[Node] = []
    with recording(scratch):
        test = truth(f.eval(s.test))
    if type(test) is Node:
        return Loop(f, s, after, lambda: f.eval(s.test), s.body).run()
    Block.stack[-1] += scratch
    if not test:
        return (frames.Steps(s.orelse), after) if s.orelse else after
    return frames.Steps(s.body), (frames.Again(s), after)


def _counted(f: Any, s: ast.For, r: TensorRange, after: Any) -> Any:
    counter = f"<{s.lineno}:{s.col_offset}>"
    f.local[counter] = as_node(r.start)
    more = REGISTRY["Less" if r.step > 0 else "Greater"]

    def advance() -> None:
        now = f.local[counter]
        f.assign(s.target, now)
        f.local[counter] = REGISTRY["Add"](now, r.step)
    return Loop(f, s, after, lambda: more(f.local[counter], r.stop), s.body, advance,
                [counter]).run()


class Loop:
    """A loop on a tensor: what its body changes is carried from pass to pass."""

    def __init__(self, f: Any, s: Any, after: Any, test: Callable[[], Any], body: list[ast.stmt],
                 advance: Callable[[], None] | None = None, extra: list[str] | None = None):
        self.f, self.s, self.after, self.test, self.body = f, s, after, test, body
        self.advance, self.extra = advance, extra or []
        self.trace = Trace.current
        self.result: Any = None               # the returned value, if a pass returns

    def run(self) -> Any:
        f, trace = self.f, self.trace
        local, state = dict(f.local), dict(trace.state)
        carried = self.init = self.first_guess()
        for _ in range(8):                     # until no pass changes more than is carried
            graph, outcome, left = self.one_pass(carried, local, state)
            grown = self.grow(carried, graph, left)
            if grown is None:
                break
            carried = grown
        else:
            raise GraphTypeError("The values that a loop on a tensor carries change their type in "
                                 "every pass; give them one dtype and shape before the loop.")
        return self.emit(carried, graph, outcome, left, local, state)

    # What is carried: a list of (kind, key, value before the loop), kind "name" or "state".

    def first_guess(self) -> list[tuple[str, Any, Any]]:
        stored = {n.id for t in (*self.body, self.s) for n in names.walk_own(t)
                  if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        stored |= {_base(n) for t in self.body for n in names.walk_own(t)
                   if isinstance(n, (ast.Subscript, ast.Attribute)) and isinstance(n.ctx, ast.Store)}
        found = []
        for name, value in self.f.local.items():
            if (name in stored or name in self.extra) and _carriable(value):
                found.append(("name", name, value))
        return found

    def one_pass(self, carried: list[Any], local: dict[str, Any], state: dict[Any, Any]) -> Any:
        """The body once, over parameters for what is carried."""
        f, trace = self.f, self.trace
        graph = Graph("loop")
        f.local, trace.state = dict(local), dict(state)
        self.enter(carried, graph.params)
        loc = Block.loc
        try:
            with recording(graph.nodes):
                if self.advance:
                    self.advance()
                outcome = f.run((frames.Steps(self.body), (frames.Pass(), None)))
        finally:
            Block.loc = loc
            left = f.local, trace.state
            f.local, trace.state = local, state
        return graph, outcome, left

    def enter(self, carried: list[Any], params: list[Node]) -> None:
        """Bind what is carried to new parameters."""
        for kind, key, value in carried:
            leaves = [param(as_node(v).aval) for v in tree.leaves(value, is_leaf)]
            params += leaves
            new = tree.rebuild(value, is_leaf, iter(leaves))
            (self.f.local if kind == "name" else self.trace.state)[key] = new

    def grow(self, carried: list[Any], graph: Graph, left: Any) -> list[Any] | None:
        """More to carry, or other types, after what one pass changed; None if nothing."""
        local, state = left
        known = {key for kind, key, _ in carried if kind == "state"}
        grown = [("state", p, self.trace.capture(p) if p not in self.trace.state
                  else self.trace.state[p]) for p in state
                 if p not in known and state[p] is not self.trace.state.get(p)]
        changed = [self.widened(item, local) if item[0] == "name" else item for item in carried]
        if grown or any(a is not b for a, b in zip(changed, carried, strict=True)):
            return changed + grown
        return None

    def widened(self, item: Any, local: dict[str, Any]) -> Any:
        """A carried number that a pass turned into another type starts as that type."""
        _, name, value = item
        new = local[name]
        old_leaves, new_leaves = tree.leaves(value, is_leaf), tree.leaves(new, is_leaf)
        same_structure = (tree.signature(value, lambda v: is_leaf(v) or id(v))
                          == tree.signature(new, lambda v: is_leaf(v) or id(v)))
        if not same_structure:
            raise GraphTypeError(f"A loop on a tensor changes the structure of '{name}'; it must "
                                 "have the same structure in every pass.")
        replaced = []
        for old, now in zip(old_leaves, new_leaves, strict=True):
            a, b = as_node(old).aval, as_node(now).aval
            if a == b:
                replaced.append(old)
            elif isinstance(old, (Node, Tensor)) and not _from_number(old):
                raise GraphTypeError(f"A loop on a tensor changes '{name}' from {a} to {b}; it must "
                                     "keep its dtype and shape.")
            else:
                start = old if not isinstance(old, Node) else old.attrs["value"]
                replaced.append(structure.full(shape=b.shape, value=start, dtype=b.dtype))
        if all(a is b for a, b in zip(replaced, old_leaves, strict=True)):
            return item
        return "name", name, tree.rebuild(value, is_leaf, iter(replaced))

    def emit(self, carried: list[Any], body: Graph, outcome: Any, left: Any,
             local: dict[str, Any], state: dict[Any, Any]) -> Any:
        """The loop node, and what is to do after it."""
        f, trace = self.f, self.trace
        start = [as_node(v) for _, _, value in carried for v in tree.leaves(value, is_leaf)]
        with recording(body.nodes):
            body.outs = [as_node(v) for kind, key, _ in carried
                         for v in tree.leaves(left[kind == "state"][key], is_leaf)]
        leaving = self.leaving(outcome, body, start)
        test = Graph("test")
        f.local, trace.state = dict(local), dict(state)
        self.enter(carried, test.params)
        test.params += [param(p.aval) for p in body.params[len(test.params):]]
        with recording(test.nodes):
            going = as_node(truth(self.test()))
            if leaving:
                status = test.params[len(start) - leaving]
                going = REGISTRY["LogicalAnd"](REGISTRY["Equal"](status, 0), going)
            test.outs = [going]
        f.local, trace.state = local, state
        free = close(body, test)
        body.outs += body.params[len(start):]
        outs = emit_items(LOOP, start + free, {"test": test, "body": body},
                          [p.aval for p in body.params])
        results = iter(outs)
        for kind, key, value in carried:
            new = tree.rebuild(value, is_leaf, results)
            (f.local if kind == "name" else trace.state)[key] = new
        if leaving:
            return self.left(outs[len(start) - leaving], list(results))
        return (frames.Steps(self.s.orelse), self.after) if self.s.orelse else self.after

    def leaving(self, outcome: Any, body: Graph, start: list[Node]) -> int:
        """Carry how a pass ended, and what it returned, if it may leave; how many values that is."""
        if outcome.kind in ("next", "fall"):
            return 0
        status, value = outcome.value if outcome.kind == "mixed" else (
            _STATUS[outcome.kind], _result(outcome))
        extra = [status, *tree.leaves(value, is_leaf)] if value is not None else [status]
        self.result = value
        with recording(body.nodes):
            out = [as_node(v) for v in extra]
        out[0] = _int(out[0], body)
        body.outs += out
        body.params += [param(n.aval) for n in out]
        start += [structure.full(shape=n.shape, value=0, dtype=n.dtype) for n in out]
        return len(extra)

    def left(self, status: Node, rest: list[Node]) -> Any:
        """After a loop that may have been left: by break, by return, or not."""
        f, at = self.f, [n for n in rest]
        after = self.after
        equal = REGISTRY["Equal"]
        if self.s.orelse:
            inner = (frames.Steps(self.s.orelse), after)

            def go_on() -> Any:
                return branch_to_end(f, equal(status, 0), lambda: f.run(inner), lambda: f.run(after))
        else:
            def go_on() -> Any:
                return f.run(after)
        if self.result is None:
            return go_on() if self.s.orelse else after
        (value,) = tree.rebuild(self.result, is_leaf, iter(at[1:]))
        return branch_to_end(f, equal(status, 2), lambda: frames.Outcome("return", value), go_on)


def _int(node: Node, body: Graph) -> Node:
    if node.dtype is int64:
        return node
    with recording(body.nodes):
        return structure.cast(node, dtype=int64)


def _base(target: Any) -> str:
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return getattr(target, "id", "")


def _carriable(value: Any) -> bool:
    """Whether a value can be carried: a tensor, a number, or a container of only those."""
    if is_leaf(value):
        return True
    inner = tree.children(value)
    return bool(inner) and all(_carriable(v) for v in inner)


def _from_number(value: Any) -> bool:
    return type(value) is Node and value.op is structure.full
