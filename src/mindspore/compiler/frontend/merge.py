"""Where two ways of a condition on a tensor meet: run both, and let what differs be chosen at run time."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import COND, Aval, Block, Graph, Node, close, emit_items, param, recording
from mindspore.core.dtype import from_torch
from mindspore.core.errors import GraphTypeError, GraphValueError, show
from mindspore.core.tensor import Tensor

from .state import Trace, as_node, lift

_NUMBERS = (bool, int, float)


class Pending(BaseException):
    """The result of a recursive call is not known yet; the other arm tells it."""


@dataclass
class Arm:
    """One way: its nodes, how it ended, and the names and state that it left."""

    graph: Graph
    outcome: Any
    local: list[dict[str, Any]]
    state: dict[Any, Node]
    writes: dict[Any, Any]
    dead: bool = False                # it ended by raising


def is_leaf(value: Any) -> bool:
    """What can differ at run time: tensors and numbers."""
    return isinstance(value, (Node, Tensor)) or type(value) in _NUMBERS


def truth(value: Any) -> Any:
    """A condition as a node with one element, or as a Python bool.

    Raises:
        ValueError: If a tensor has more than one element.
    """
    if isinstance(value, Node) or (isinstance(value, Tensor) and hasattr(value, "requires_grad")):
        node = lift(value)
        if node.size != 1:
            raise ValueError(f"The truth value of a tensor with {node.size} elements "
                             f"({show(node)}) is ambiguous: use '.any()' or '.all()'.")
        return node
    return bool(value)


def frames_of(frame: Any) -> list[Any]:
    """The frames whose names an arm can change: the function's and those around it."""
    return [frame, *[s for s in frame.fn.scopes if hasattr(s, "fn")]] if frame else []


def run_arms(frame: Any, ways: list[Callable[[], Any]]) -> list[Arm]:
    """Run every way from the same names and state; names and state are as before afterwards."""
    trace = Trace.current
    assert trace is not None
    frames = frames_of(frame)
    before = [f.local for f in frames], trace.state, trace.writes
    arms, error = [], None
    for way in ways:
        for f, names in zip(frames, before[0], strict=True):
            f.local = dict(names)
        trace.state, trace.writes = dict(before[1]), dict(before[2])
        graph, dead, outcome = Graph("arm"), False, None
        loc = Block.loc
        try:
            with recording(graph.nodes):
                try:
                    outcome = way()
                except Pending:
                    continue
                except Exception as raised:
                    if not getattr(raised, "_by_user", False):
                        raise
                    from .effects import raise_   # loads the operators of effects
                    raise_(raised)
                    dead, error = True, raised
        finally:
            Block.loc = loc
            local = [f.local for f in frames]
            state, writes = trace.state, trace.writes
            for f, names in zip(frames, before[0], strict=True):
                f.local = names
            trace.state, trace.writes = before[1], before[2]
        arms.append(Arm(graph, outcome, local, state, writes, dead))
    if not arms:
        raise Pending
    if all(a.dead for a in arms) and error is not None:
        raise error
    return arms


class Merge:
    """The common results of two arms: asked value by value, then emitted as one `cond` node."""

    def __init__(self, arms: list[Arm]):
        self.arms = arms
        self.wanted: list[list[Any]] = []          # per result: its value in each live arm
        self.put: list[Callable[[Node], None]] = []

    def value(self, what: str, values: list[Any], put: Callable[[Any], None],
              lazily: bool = False) -> None:
        """Ask for a value that may differ; `put` receives the merged one after `emit`."""
        first = values[0]
        if all(v is first for v in values):
            return put(first)
        if type(first) in (*_NUMBERS, str) and all(type(v) is type(first) and v == first
                                                    for v in values):
            return put(first)
        problem = _problem(what, values)
        if problem:
            if not lazily:
                raise GraphTypeError(problem)
            from .frame import Unbound      # frame imports flow, which imports this
            return put(Unbound(problem))
        leaves = [tree.leaves(v, is_leaf) for v in values]
        slots: list[Node] = []
        for column in zip(*leaves, strict=True):
            self.wanted.append(list(column))
            self.put.append(slots.append)
        self.finish.append(lambda: put(tree.rebuild(first, is_leaf, iter(slots))))
        return None

    @property
    def finish(self) -> list[Callable[[], None]]:
        return self.__dict__.setdefault("_finish", [])

    def emit(self, test: Node) -> None:
        """Emit the `cond` node and hand the results out."""
        live = [a for a in self.arms if not a.dead]
        for i, column in enumerate(self.wanted):
            aval = _common(column)
            for arm, value in zip(live, column, strict=True):
                with recording(arm.graph.nodes):
                    arm.graph.outs.append(_as(value, aval))
            for arm in self.arms:
                if arm.dead:
                    with recording(arm.graph.nodes):
                        arm.graph.outs.append(_as(0, aval))
            del i
        if len(self.arms) == 1:                  # the other way waits for a recursive call
            outs = tuple([param(o.aval) for o in self.arms[0].graph.outs])
        else:
            then, orelse = [a.graph for a in self.arms]
            avals = [o.aval for o in then.outs]
            if not avals and not then.nodes and not orelse.nodes:
                outs = ()
            else:
                outs = emit_items(COND, [test, *close(then, orelse)],
                                  {"then": then, "orelse": orelse}, avals)
        for put, node in zip(self.put, outs, strict=True):
            put(node)
        for finish in self.finish:
            finish()

    def effects(self, frame: Any, names: bool) -> None:
        """Merge what the arms left behind: state of parameters, attributes, names of the frames."""
        trace = Trace.current
        assert trace is not None
        live = [a for a in self.arms if not a.dead]
        for p in dict.fromkeys([k for a in live for k in a.state]):
            values = [a.state[p] if p in a.state else trace.capture(p) for a in live]
            self.value(f"the parameter '{p.name}'", values, _setter(trace.state, p))
        for key in dict.fromkeys([k for a in live for k in a.writes]):
            owner = trace.owners[key[0]]
            values = [a.writes.get(key, getattr(owner, key[1], None)) for a in live]
            self.value(f"the attribute '{key[1]}'", values, _setter(trace.writes, key))
        frames = frames_of(frame)
        for k, f in enumerate(frames):
            if k == 0 and not names:
                continue
            for name in dict.fromkeys([n for a in live for n in a.local[k]]):
                values = [a.local[k].get(name, _MISSING) for a in live]
                if all(v is f.local.get(name, _MISSING) for v in values):
                    continue
                self.value(f"'{name}'", values, _setter(f.local, name), lazily=True)


_MISSING = object()


def _setter(table: dict[Any, Any], key: Any) -> Callable[[Any], None]:
    return lambda value: table.__setitem__(key, value)


def _problem(what: str, values: list[Any]) -> str | None:
    """Why values cannot be merged, or None."""
    if any(v is _MISSING for v in values):
        return (f"{what} is bound in only one arm of a condition on a tensor; bind it before the "
                "condition or in both arms.")
    first = tree.signature(values[0], _shape_of_leaf)
    for other in values[1:]:
        if tree.signature(other, _shape_of_leaf) != first:
            return (f"{what} is {show(values[0])} in one arm of a condition on a tensor and "
                    f"{show(other)} in the other; both must have the same structure.")
    columns = zip(*[tree.leaves(v, is_leaf) for v in values], strict=True)
    for column in columns:
        try:
            _common(list(column))
        except (GraphTypeError, GraphValueError) as error:
            return f"{what}: {error}"
    return None


def _shape_of_leaf(value: Any) -> Any:
    return "leaf" if is_leaf(value) else value if _hashable(value) else id(value)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _common(column: list[Any]) -> Aval:
    """The aval that a leaf has in every arm; Python numbers adapt to tensors."""
    import torch                      # dtypes promote by torch's table

    avals = [lift(v).aval for v in column if isinstance(v, (Node, Tensor))]
    if avals:
        if any(a != avals[0] for a in avals):
            raise GraphTypeError(f"it is {avals[0]} in one arm of a condition on a tensor and "
                                 f"{next(a for a in avals if a != avals[0])} in the other.")
        return avals[0]
    kinds = [as_dtype_of(v) for v in column]
    found = kinds[0]
    for k in kinds[1:]:
        found = from_torch(torch.promote_types(found.torch, k.torch))
    return Aval((), found)


def as_dtype_of(number: Any) -> Any:
    """The dtype that a Python number takes as a tensor."""
    from mindspore.core.dtype import as_dtype
    return as_dtype(type(number))


def _as(value: Any, aval: Aval) -> Node:
    from mindspore.operators.structure import full
    if type(value) in _NUMBERS:
        return full(shape=aval.shape, value=value, dtype=aval.dtype)
    return as_node(value)
