"""Loops on tensors: what a pass changes is carried from pass to pass."""
from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import (
    LOOP,
    Block,
    Graph,
    Node,
    Sizes,
    close,
    emit_items,
    param,
    recording,
)
from mindspore.compiler.passes.simplify import acts
from mindspore.core.dtype import int64
from mindspore.core.errors import GraphSyntaxError, GraphTypeError, show
from mindspore.core.tensor import Tensor
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from . import aliasing, names
from .choice import Unbound
from .functions import is_reached
from .generators import refuse_yield
from .heap import Name, reachable, same
from .infix import truth
from .merge import is_leaf, mutables, roots, visible
from .sharing import Sharing, Slot
from .state import Trace, as_node
from .tasks import More, Outcome, Pass, Steps, ended


class TensorRange:
    """`range` with a bound that is a tensor."""

    def __init__(self, *bounds: Any):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        if not isinstance(step, int):
            raise GraphTypeError("The step of 'range' must be known while compiling.")
        for bound in (start, stop):
            if isinstance(bound, Node) and (bound.dtype.kind not in "iu" or bound.size != 1):
                raise TypeError(f"Only an integer tensor can be an index, but got {bound.dtype}.")
        if not step:
            raise ValueError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self) -> Any:
        raise GraphTypeError("A 'range' whose bound is a tensor has an unknown length while compiling; "
                             "it can only stand alone in 'for i in range(...)'.")


class State:
    """The present value of a parameter as something that a loop carries."""

    def __init__(self, trace: Trace, parameter: Any):
        self.trace, self.owner = trace, parameter

    def get(self) -> Any:
        return self.trace.capture(self.owner)

    def put(self, value: Any) -> None:
        self.trace.bind(self.owner, value)

    def __str__(self) -> str:
        return f"the parameter '{self.owner.name}'"


class Carried:
    """One thing that changes in a pass: where it is, and what it is before the loop.

    Attributes:
        named: Whether its leaves are tensors by themselves, not what a tensor or parameter holds.
    """

    def __init__(self, place: Any, value: Any):
        self.place, self.value = place, value
        self.key = id(place.owner) if isinstance(place, State) else place.key
        self.named = not isinstance(place, (State, aliasing.Elements))

    def leaves(self) -> list[Any]:
        return tree.leaves(self.value, is_leaf)


def loops_stay(s: ast.For) -> bool:
    """Whether a loop over a size that a run tells is to be a loop of the graph; else it is unrolled."""
    env = Sizes.current
    if env is not None and env.loops and not names.changes_rows(s):
        Sizes.kept += 1
        return True
    return False


def counted(f: Any, s: ast.For, r: TensorRange, after: Any, rows: Any = None) -> Any:
    """`for i in range(...)` with a bound that is a tensor or a size; `for row in rows`."""
    counter = f"<{s.lineno}:{s.col_offset}>"
    f.local[counter] = as_node(r.start)
    more = REGISTRY["Less" if r.step > 0 else "Greater"]

    def advance() -> None:
        now: Any = f.local[counter]
        f.assign(s.target, now if rows is None else rows[now])
        f.local[counter] = REGISTRY["Add"](now, r.step)
    return Loop(f, s, after, lambda: more(f.local[counter], r.stop), s.body, advance,
                [counter]).run()


class Loop:
    """A loop on a tensor, as one node.

    Args:
        test: Evaluates the condition in the frame.
        advance: What every pass begins with.
        extra: Further names that a pass changes.
    """

    def __init__(self, f: Any, s: Any, after: Any, test: Callable[[], Any], body: list[ast.stmt],
                 advance: Callable[[], None] | None = None, extra: list[str] | None = None):
        self.f, self.s, self.after, self.test, self.body = f, s, after, test, body
        self.advance, self.extra = advance, extra or []
        self.trace = Trace.current
        self.result: Any = None               # the returned value, if a pass returns
        self.returned: dict[int, Any] = {}    # the tensors and numbers in it, by id
        self.stale: dict[str, Any] = {}       # names that a pass changes and that cannot be carried
        self.unknown: dict[Any, Any] = {}     # tensors that a pass may or may not change
        self.peeled = False                   # whether the first pass is done already
        self.present: dict[int, Any] = {}     # what tensors hold at the end of a pass
        self.sharing = Sharing()
        self.slots: list[Slot] = []           # the parameters of the body
        self.test_first = isinstance(s, ast.While) and self.acts()
        if self.test_first and s.orelse:
            raise GraphSyntaxError("A 'while' on a tensor whose condition binds names, changes objects or prints "
                                   "cannot have an 'else' clause; do that in the body instead.")

    def acts(self) -> bool:
        """Whether the condition does more than to be computed: then every pass begins with it."""
        from .flow import Probe  # flow stands on loops
        probe = Probe(self.f)
        try:
            self.test()
            nodes = Block.stack[-1][probe.mark:]
        except BaseException:
            probe.keep()
            raise
        local, state, heap = probe.drop()
        return (any(c.before is not c.after for c in heap.values() if is_reached(c.place))
                or _differ(local, self.f.local) or _differ(state, self.trace.state)
                or any(n.op.effect is not None or acts(n) for n in nodes))

    def run(self) -> Any:
        """The loop as one node; if its first pass differs from the others, that behind a condition first."""
        from .flow import Probe  # flow stands on loops
        probe = Probe(self.f)
        try:
            left = self.compiled()
        except GraphTypeError as error:
            if self.peeled or self.test_first or not getattr(error, "_peel", False):
                probe.keep()
                raise
            probe.drop()
            return self.peel()
        except BaseException:
            probe.keep()
            raise
        probe.keep()
        return left

    def peel(self) -> Any:
        """The first pass, if there is one, and the others: what is to do after both."""
        from .flow import branch_to_end  # flow stands on loops
        f, done = self.f, copy.copy(self)
        done.peeled, done.stale, done.unknown, done.result = True, {}, {}, None
        done.sharing = Sharing()

        def first() -> Any:
            if self.advance:
                self.advance()
            return f.run((Steps(self.body), (More(done, self.s), self.after)))
        rest = (Steps(self.s.orelse), self.after) if self.s.orelse else self.after
        return branch_to_end(f, truth(self.test()), first, lambda: f.run(rest))

    def more(self, after: Any) -> Any:
        """The passes after the first one."""
        again = copy.copy(self)
        again.after = after
        return again.run()

    def compiled(self) -> Any:
        """Find what is carried, emit the node; what is to do after it."""
        carried = self.first_guess()
        for _ in range(20):                    # until no pass changes more than is carried
            asked = self.trace.asked
            graph, outcome, left = self.one_pass(carried)
            grown = self.grow(carried, left)
            parted, learned = self.sharing.learn(self.slots, left[1])
            if grown is None and not parted and not (learned and self.trace.asked > asked):
                break
            carried = grown or carried
        else:
            raise GraphTypeError("The values that a loop on a tensor carries change their type in "
                                 "every pass; give them one dtype and shape before the loop.")
        return self.emit(carried, graph, outcome, left)

    def first_guess(self) -> list[Carried]:
        bound = names.stored([*self.body, self.s]) | set(self.extra)
        carried = []
        for name, value in self.f.local.items():
            if name not in bound or not _carriable(value):
                continue
            if mutables([value]) and self.has_another_name(name, value):
                self.stale[name] = Unbound(
                    f"A loop on a tensor binds '{name}', and what it was bound to before ({show(value)}) has another "
                    "name, too, so which of them a pass changes depends on the tensor.", _differs)
            else:
                carried.append(Carried(Name(self.f, name), value))
        return carried

    def has_another_name(self, name: str, value: Any) -> bool:
        """Whether a container, or one in it, can be reached without this name."""
        local, self.f.local = self.f.local, {k: v for k, v in self.f.local.items() if k != name}
        try:
            return bool(reachable(roots(self.trace)) & set(map(id, mutables([value]))))
        finally:
            self.f.local = local

    def one_pass(self, carried: list[Carried]) -> Any:
        """The body once, over parameters for what is carried: its graph, outcome and changes."""
        from .flow import Probe  # flow stands on loops
        f = self.f
        graph = Graph("loop")
        probe = Probe(f)
        try:
            with recording(graph.nodes):
                self.enter(carried, graph.params)
                outcome = self.tested() if self.test_first else self.whole_pass()
                refuse_yield(outcome)
                kept = [c.place.get() for c in carried]
                ends = {(c.key, i): v for c, now in zip(carried, kept, strict=True)
                        for i, v in enumerate(tree.leaves(now, is_leaf))}
                self.present = dict(Block.present)
        except BaseException as error:
            error._uncertain = True            # type: ignore[attr-defined]
            probe.keep()
            raise
        local, state, heap = probe.drop()
        return graph, outcome, (kept, ends, local, state, heap)

    def whole_pass(self) -> Any:
        if self.advance:
            self.advance()
        return self.f.run((Steps(self.body), (Pass(), None)))

    def tested(self) -> Any:
        """A pass that begins with the condition, because the condition binds names."""
        from .flow import branch_to_end  # flow stands on loops
        test = truth(self.test())
        steps = Steps(self.body), (Pass(), None)
        return branch_to_end(self.f, test, lambda: self.f.run(steps), lambda: Outcome("break"))

    def enter(self, carried: list[Carried], params: list[Node]) -> None:
        """Bind what is carried to new parameters."""
        self.slots = self.sharing.slots(carried)
        made = self.sharing.enter(self.slots, Block.stack[-1])
        params += [slot.param for slot in self.slots]
        for c in carried:
            new = [made[c.key, i] for i in range(len(c.leaves()))]
            self.write(c.place, tree.rebuild(c.value, is_leaf, iter(new)))
        for place in self.unknown.values():
            self.trace.heap.write(place, aliasing.UNKNOWN)
        self.f.local.update(self.stale)

    def write(self, place: Any, value: Any) -> None:
        if isinstance(place, State) or place.owner is self.f:
            place.put(value)
        else:
            self.trace.heap.write(place, value)

    # ------------------------------------------------------------------ what is carried

    def grow(self, carried: list[Carried], left: Any) -> list[Carried] | None:
        """More to carry, or other types, after what one pass changed; None if nothing."""
        kept, _, _, state, heap = left
        known = {c.key for c in carried}
        grown = [Carried(State(self.trace, p), self.trace.capture(p)) for p in state
                 if id(p) not in known and state[p] is not self.trace.bound(p)]
        more = False
        for key, change in heap.items():
            if key in known or aliasing.inner(change.place):
                continue
            if change.after is aliasing.UNKNOWN:
                more = more or key not in self.unknown
                self.unknown[key] = change.place
            elif self.matters(change):
                grown.append(Carried(change.place, change.before))
        before = self.f.local
        for name, value in left[2].items():       # changed by an inner function
            place = Name(self.f, name)
            if (name not in before or value is before[name] or place.key in known
                    or place.key in heap):
                continue
            if _carriable(before[name]):
                grown.append(Carried(place, before[name]))
            elif name not in self.stale and not _equal(value, before[name]):
                more = True
                self.stale[name] = Unbound(
                    f"A pass of a loop on a tensor uses what the pass before bound to '{name}' "
                    f"({show(value)}); only tensors and numbers can differ between its passes.",
                    _differs)
        changed = [self.widened(c, now) for c, now in zip(carried, kept, strict=True)]
        if more or grown or any(a is not b for a, b in zip(changed, carried, strict=True)):
            return changed + grown
        return None

    def matters(self, change: Any) -> bool:
        """Whether a pass changed an object that the program can reach outside of the pass."""
        if same(change.before, change.after) or not visible(self.trace, change.place.owner):
            return False
        if not _carriable(change.before):
            raise _differs(f"A loop on a tensor changes {change.place} from "
                           f"{show(change.before)} to {show(change.after)}; only tensors and "
                           "numbers can differ between its passes.")
        return True

    def widened(self, c: Carried, now: Any) -> Carried:
        """A carried number that a pass turned into another type starts as that type."""
        if tree.signature(c.value, _leaf_or_id) != tree.signature(now, _leaf_or_id):
            raise _differs(f"A loop on a tensor changes the structure of {c.place}; it must "
                           f"have the same structure in every pass: {show(c.value)} became "
                           f"{show(now)}.")
        old, new = c.leaves(), tree.leaves(now, is_leaf)
        replaced = [self.started(c, a, b) for a, b in zip(old, new, strict=True)]
        if all(a is b for a, b in zip(replaced, old, strict=True)):
            return c
        return Carried(c.place, tree.rebuild(c.value, is_leaf, iter(replaced)))

    def started(self, c: Carried, old: Any, now: Any) -> Any:
        """The value before the loop in the type that a pass gives it."""
        a, b = _aval(old), _aval(now)
        if a == b:
            return old
        if isinstance(old, Tensor) or (type(old) is Node and old.op is not structure.full):
            raise _differs(f"A loop on a tensor changes {c.place} from {a} to {b}; it must "
                           "keep its dtype and shape.")
        start = old.attrs["value"] if type(old) is Node else old
        return structure.full(shape=b.shape, value=start, dtype=b.dtype)

    # ------------------------------------------------------------------ the node

    def emit(self, carried: list[Carried], body: Graph, outcome: Any, left: Any) -> Any:
        """The loop node, and what is to do after it."""
        slots, ends = self.slots, left[1]
        start = [as_node(slot.start) for slot in slots]
        with recording(body.nodes), aliasing.holding(self.present):
            body.outs = [as_node(ends[slot.leaves[0]]) for slot in slots]
        leaving = self.leaving(outcome, body, start)
        test = self.test_graph(carried, body, len(start) - leaving if leaving else None)
        free = close(body, test)
        body.outs += body.params[len(start):]
        outs = emit_items(LOOP, start + free, {"test": test, "body": body},
                          [p.aval for p in body.params])
        made = self.sharing.leave(slots, outs[:len(slots)], ends)
        for c in carried:
            new = [made[c.key, i] for i in range(len(c.leaves()))]
            self.write(c.place, tree.rebuild(c.value, is_leaf, iter(new)))
        for place in self.unknown.values():
            self.trace.heap.write(place, aliasing.UNKNOWN)
        self.unbind(carried, left[2])
        if leaving:
            return self.left(outs[len(slots)], outs[len(slots):len(start)])
        return (Steps(self.s.orelse), self.after) if self.s.orelse else self.after

    def test_graph(self, carried: list[Carried], body: Graph, status: int | None) -> Graph:
        """The condition as a graph over what is carried."""
        from .flow import Probe  # flow stands on loops
        test = Graph("test")
        probe = Probe(self.f)
        try:
            with recording(test.nodes):
                self.enter(carried, test.params)
                test.params += [param(p.aval) for p in body.params[len(test.params):]]
                going = as_node(True if self.test_first else truth(self.test()))
                if status is not None:
                    on = REGISTRY["Equal"](test.params[status], 0)
                    going = REGISTRY["LogicalAnd"](on, structure.cast(going, dtype=on.dtype))
                test.outs = [going]
        except BaseException:
            probe.keep()
            raise
        probe.drop()
        return test

    def unbind(self, carried: list[Carried], local: dict[str, Any]) -> None:
        """Names that the loop binds and does not carry have no value after it."""
        known = {c.place.name for c in carried if isinstance(c.place, Name) and c.place.owner is self.f}
        for name, value in local.items():
            if name not in known and value is not self.f.local.get(name):
                self.f.local[name] = Unbound(
                    f"'{name}' is bound by a loop on a tensor, which may run no pass: give it a tensor "
                    "or a number of the same shape and dtype before the loop.")

    def leaving(self, outcome: Any, body: Graph, start: list[Node]) -> int:
        """Carry how a pass ended, and what it returned, if it may leave; how many values that is."""
        from .flow import STATUS, result_of  # flow stands on loops
        if outcome.kind in ("next", "fall"):
            return 0
        status, value = outcome.value if outcome.kind == "mixed" else (
            STATUS[outcome.kind], result_of(outcome))
        self.returned = {id(v): v for v in tree.leaves(value, is_leaf)} if value is not None else {}
        extra = [status, *self.returned.values()]
        self.result = value
        with recording(body.nodes), aliasing.holding(self.present):
            out = [as_node(v) for v in extra]
            out[0] = out[0] if out[0].dtype is int64 else structure.cast(out[0], dtype=int64)
        body.outs += out
        body.params += [param(n.aval) for n in out]
        start += [structure.full(shape=n.shape, value=0, dtype=n.dtype) for n in out]
        return len(extra)

    def left(self, status: Node, rest: Sequence[Node]) -> Any:
        """After a loop that may have been left: by break, by return, or not."""
        from .flow import dispatch  # flow stands on loops
        f, after = self.f, self.after
        if self.result is None and (not self.s.orelse or self.test_first):
            return after
        value = None if self.result is None else self.result_of(rest[1:])
        if value is not None and names.is_endless(self.s):
            return ended(f, Outcome("return", value[0]), after)
        inner = (Steps(self.s.orelse), after) if self.s.orelse else after
        broken = (lambda: f.run(after)) if self.s.orelse and (self.test_first or names.can_break(self.s)) else None
        return dispatch(f, status, value, after, lambda: f.run(inner), broken)

    def result_of(self, outs: Sequence[Node]) -> Any:
        """What a pass returned, after the loop; what was one tensor stays one."""
        made = dict(zip(self.returned, outs, strict=True))
        for key, out in made.items():
            aliasing.note_merged(out, [self.returned[key]])
        return tree.rebuild(self.result, is_leaf, iter(
            [made[id(v)] for v in tree.leaves(self.result, is_leaf)]))


def _differ(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> bool:
    return a.keys() != b.keys() or any(a[k] is not b[k] for k in a)


def _differs(message: str) -> GraphTypeError:
    """The error for a pass that leaves something else than it found: the first pass may be the only one."""
    error = GraphTypeError(message)
    error._peel = True                        # type: ignore[attr-defined]
    return error


def _aval(value: Any) -> Any:
    if type(value) is Node:
        return value.aval
    return as_node(value).aval


def _leaf_or_id(value: Any) -> Any:
    return is_leaf(value) or id(value)


def _equal(a: Any, b: Any) -> bool:
    """Whether two values that cannot be carried are the same for every program."""
    return a is b or (type(a) is type(b) and type(a) in (str, bytes, type(None)) and a == b)


def _carriable(value: Any) -> bool:
    """Whether a value can be carried: a tensor, a number, or a container of only those."""
    if is_leaf(value):
        return True
    inner = tree.children(value)
    return bool(inner) and all(_carriable(v) for v in inner)
