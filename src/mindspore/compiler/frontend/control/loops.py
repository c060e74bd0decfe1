"""Loops on tensors: what a pass changes is carried from pass to pass."""
from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mindspore.compiler.frontend.calls.functions import is_reached
from mindspore.compiler.frontend.calls.infix import truth
from mindspore.compiler.frontend.objects import aliasing, failures, names
from mindspore.compiler.frontend.objects.journal import redone
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.state import as_node
from mindspore.compiler.frontend.values.conditional import MaybeUnbound
from mindspore.compiler.frontend.values.leaves import as_aval, is_leaf
from mindspore.compiler.frontend.values.loop_state import LoopState, PassResult, unbound
from mindspore.compiler.passes.simplify import has_effects
from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.ir import LOOP, Graph, Node, close, emit_items, param, recording, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY

from .branching import Exits, branch, dispatch, exits_of
from .generators import refuse_unfinished, refuse_yield
from .tasks import More, Outcome, Pass, Steps, ended


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
        self.trace = runtime.trace
        self.result: Any = None               # the returned value, if a pass returns
        self.returned: dict[int, Any] = {}    # the tensors and numbers in it, by id
        self.flags: list[str] = []            # how a pass may leave the loop, each with a flag
        self.peeled = False                   # whether the first pass is done already
        self.changes: Iterable[Any] = ()      # what a pass left
        self.loop_state = LoopState(f)
        self.test_first = isinstance(s, ast.While) and self.has_effects()
        if self.test_first and s.orelse:
            raise GraphSyntaxError("A 'while' on a tensor whose condition binds names, changes objects or prints "
                                   "cannot have an 'else' clause; do that in the body instead.")

    def has_effects(self) -> bool:
        """Whether the condition does more than to be computed: then every pass begins with it."""
        probe = Probe()
        try:
            self.test()
            nodes = runtime.blocks[-1][probe.mark:]
        except BaseException:  # raised again, from where the program stands
            probe.keep()
            raise
        return (any(c.before is not c.after and is_reached(c.place) for c in probe.drop().values())
                or any(n.op.effect is not None or has_effects(n) for n in nodes))

    def run(self) -> Any:
        """The loop as one node; if its first pass differs from the others, that in a branch before it."""
        probe = Probe()
        try:
            left = self.compiled()
        except GraphTypeError as error:
            if self.peeled or self.test_first or not failures.known(error).by_first_pass:
                probe.keep()
                raise
            probe.drop()
            return self.peel()
        except BaseException:  # raised again, from where the program stands
            probe.keep()
            raise
        probe.keep()
        return left

    def peel(self) -> Any:
        """The first pass, if there is one, and the others: what is to do after both."""
        f, done = self.f, copy.copy(self)
        done.peeled, done.result, done.loop_state = True, None, LoopState(f)

        def first() -> Any:
            if self.advance:
                self.advance()
            return f.run((Steps(self.body), (More(done, self.s), self.after)))
        rest = (Steps(self.s.orelse), self.after) if self.s.orelse else self.after
        return branch(f, truth(self.test()), first, lambda: f.run(rest))

    def more(self, after: Any) -> Any:
        """The passes after the first one."""
        again = copy.copy(self)
        again.after = after
        return again.run()

    def compiled(self) -> Any:
        """Find what is carried, emit the node; what is to do after it."""
        self.loop_state.begin(names.stored([*self.body, self.s]) | set(self.extra))
        for _ in range(20):                    # until no pass changes more than is carried
            asked = self.trace.asked
            graph, outcome, left = self.one_pass()
            slots = self.loop_state.slots
            grown = self.loop_state.grow(left)
            if grown and self.loop_state.shrunk:
                continue
            parted, learned = self.loop_state.sharing.learn(slots, left.ends)
            if not grown and not parted and not (learned and self.trace.asked > asked):
                break
        else:
            which = ", ".join(self.loop_state.changing)
            raise GraphTypeError(f"In a loop on a tensor, loop variables change their type in every pass: {which}; "
                                 "give them one dtype and shape before the loop.")
        return self.emit(graph, outcome, left)

    def one_pass(self) -> tuple[Graph, Any, PassResult]:
        """The body once, over parameters for what is carried: its graph, outcome and changes."""
        graph = Graph("loop")
        probe = Probe()
        try:
            with recording(graph.nodes):
                self.loop_state.enter(graph.params)
                outcome = self.tested() if self.test_first else self.whole_pass()
                refuse_yield(outcome)
                refuse_unfinished(probe.depth)
                kept = [self.loop_state.now(c) for c in self.loop_state.things]
                ends = self.loop_state.ends(kept)
        except BaseException as error:  # raised again; a run might not come here
            failures.of(error).uncertain = True
            probe.keep()
            raise
        return graph, outcome, PassResult(kept, ends, probe.drop())

    def whole_pass(self) -> Any:
        if self.advance:
            self.advance()
        return self.f.run((Steps(self.body), (Pass(), None)))

    def tested(self) -> Any:
        """A pass that begins with the condition, because the condition binds names."""
        test = truth(self.test())
        steps = Steps(self.body), (Pass(), None)
        return branch(self.f, test, lambda: self.f.run(steps), lambda: Outcome("break"))

    def emit(self, body: Graph, outcome: Any, left: PassResult) -> Any:
        """The loop node, and what is to do after it."""
        slots = self.loop_state.slots
        start = [as_node(slot.start) for slot in slots]
        self.changes = left.changes.values()
        with recording(body.nodes), redone(self.changes):
            body.outs = [as_aval(left.ends[slot.leaves[0]], slot.param.aval) for slot in slots]
        late = {} if self.test_first else self.loop_state.late(self.s, left)
        ran = truth(self.test()) if late else None
        extra = self.extend(body, start, [v for value in late.values() for v in tree.leaves(value, is_leaf)],
                            [self.loop_state.begun(name, value) for name, value in late.items()])
        leaving = self.leaving(outcome, body, start)
        test = self.test_graph(body, len(start) - leaving)
        free = close(body, test)
        body.outs += body.params[len(start):]
        outs = emit_items(LOOP, start + free, {"test": test, "body": body},
                          [p.aval for p in body.params])
        self.loop_state.leave(slots, outs[:len(slots)], left, self.bound(late, ran, outs[len(slots):][:extra]))
        if leaving:
            return self.left(outs[len(slots) + extra:len(start)])
        return (Steps(self.s.orelse), self.after) if self.s.orelse else self.after

    def test_graph(self, body: Graph, flags: int) -> Graph:
        """The condition as a graph over what is carried; from `flags` on these are how the last pass ended."""
        test = Graph("test")
        probe = Probe()
        try:
            with recording(test.nodes):
                self.loop_state.enter(test.params)
                test.params += [param(p.aval) for p in body.params[len(test.params):]]
                going = as_node(True if self.test_first else truth(self.test()))
                for flag in test.params[flags:flags + len(self.flags)]:
                    stay = REGISTRY["LogicalNot"](flag)
                    going = REGISTRY["LogicalAnd"](stay, structure.cast(going, dtype=stay.dtype))
                test.outs = [going]
        except BaseException:  # raised again, from where the program stands
            probe.keep()
            raise
        probe.drop()
        return test

    def leaving(self, outcome: Any, body: Graph, start: list[Node]) -> int:
        """Carry how a pass ended, and what it returned, if it may leave; how many values that is."""
        flags, value = exits_of(outcome)
        self.flags = [kind for kind in flags if kind in ("break", "return")]
        self.returned = {id(v): v for v in tree.leaves(value, is_leaf)} if value is not None else {}
        self.result = value
        return self.extend(body, start, [*[flags[kind] for kind in self.flags], *self.returned.values()])

    def extend(self, body: Graph, start: list[Node], values: list[Any], begun: Sequence[list[Any]] = ()) -> int:
        """Carry what a pass leaves and none begins with; how many values that is.

        `begun` are lists of what parts of the values are if there is no pass; else that is zeros.
        """
        with recording(body.nodes), redone(self.changes):
            out = [as_node(v) for v in values]
        body.outs += out
        body.params += [param(n.aval) for n in out]
        held = [v for part in begun for v in part] or [None] * len(out)
        start += [structure.full(shape=n.shape, value=0, dtype=n.dtype) if v is None else v
                  for n, v in zip(out, held, strict=True)]
        return len(out)

    def bound(self, late: dict[str, Any], ran: Any, outs: Sequence[Node]) -> dict[str, Any]:
        """What the names that passes bound are after the loop, which may have run none: then `ran` does not hold."""
        found, results = {}, iter(outs)
        for name, value in late.items():
            leaves = tree.leaves(value, is_leaf)
            made = [next(results) for _ in leaves]
            for out, leaf in zip(made, leaves, strict=True):
                aliasing.note_merged(out, [leaf])
            after = tree.rebuild(value, is_leaf, iter(made))
            before = self.f.local.get(name)
            some = REGISTRY["LogicalOr"](before.ran, ran) if type(before) is MaybeUnbound and ran is not True else ran
            found[name] = after if some is True else MaybeUnbound(unbound(name), some, after)
        return found

    def left(self, outs: Sequence[Node]) -> Any:
        """After a loop that may have been left: by break, by return, or not."""
        f, after = self.f, self.after
        if self.result is None and (not self.s.orelse or self.test_first):
            return after
        value = None if self.result is None else self.result_of(outs[len(self.flags):])
        if value is not None and names.is_endless(self.s):
            return ended(f, Outcome("return", value[0]), after)
        inner = (Steps(self.s.orelse), after) if self.s.orelse else after
        broken = (lambda: f.run(after)) if self.s.orelse and (self.test_first or names.can_break(self.s)) else None
        flags = dict(zip(self.flags, outs, strict=False))
        return dispatch(f, Exits(flags, value), after, lambda: f.run(inner), broken)

    def result_of(self, outs: Sequence[Node]) -> Any:
        """What a pass returned, after the loop; what was one tensor stays one."""
        made = dict(zip(self.returned, outs, strict=True))
        for key, out in made.items():
            aliasing.note_merged(out, [self.returned[key]])
        return tree.rebuild(self.result, is_leaf, iter(
            [made[id(v)] for v in tree.leaves(self.result, is_leaf)]))
