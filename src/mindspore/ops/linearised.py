"""A function run once with fresh variables, so that derivatives of it can be asked for.

In PyNative mode the variables are on the tape, in graph mode they are nodes of the block under construction.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.mutable import is_number
from mindspore.eager import tape
from mindspore.eager.hooks import Hooked, hooks_of, through
from mindspore.eager.memory import apart, forget, refresh
from mindspore.eager.parameter import Parameter
from mindspore.eager.steady import Training, running
from mindspore.eager.structure import Sweep
from mindspore.eager.sweep import sweep
from mindspore.eager.tensor import Tensor, is_tensor, wrap
from mindspore.ir import SYMBOLIC, Graph, Node, held, recording, tree, user_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators import structure, user
from mindspore.operators.registry import Operator
from mindspore.operators.torch_private import alias

from .hooks import InReverse


def invoke(fn: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
    """Call a user's function: walked while a graph is compiled, plainly otherwise."""
    if runtime.building:
        from mindspore.compiler.frontend import call  # the compiler is loaded when it is needed
        return call(fn, tuple(args), kwargs or {})
    return fn(*args, **(kwargs or {}))


class Linearised:
    """The result of a function together with its reverse: `pull(douts)` gives cotangents.

    Args:
        fn: The function or cell.
        args, kwargs: Its arguments.
        positions: Which positional arguments are differentiated.
        weights: Which parameters are differentiated.
    """

    def __init__(self, fn: Any, args: Sequence[Any], kwargs: dict[str, Any],
                 positions: Sequence[int], weights: Sequence[Parameter]):
        for p in positions:
            if not 0 <= p < len(args):
                raise ValueError(f"The 'grad_position' {p} is out of range: the function was called "
                                 f"with {len(args)} positional arguments.")
        self.inputs = [args[p] for p in positions]
        self.weights = list(weights)
        self.graph = bool(runtime.building)
        if self.graph:
            self._run_graph(fn, list(args), kwargs, positions)
        else:
            self._run_eager(fn, list(args), kwargs, positions)

    # ------------------------------------------------------------------ PyNative

    def _run_eager(self, fn: Any, args: list[Any], kwargs: dict[str, Any],
                   positions: Sequence[int]) -> None:
        self.wanted: list[Any] = []
        if not runtime.depth:
            runtime.variables.clear()        # of parameters that were assigned in an earlier gradient
        outer = [w._var for w in self.weights]
        for p in positions:
            fresh = []
            for t in tree.leaves(args[p], is_tensor):
                self.wanted.append(tape.watch(t))
                fresh.append(wrap(alias(t._data), self.wanted[-1]))
            args[p] = tree.rebuild(args[p], is_tensor, iter(fresh))
        for w in self.weights:
            w._var = tape.watch(w)
            self.wanted.append(w._var)
        before = len(runtime.watched)
        runtime.watched += self.wanted
        try:
            with tape.recording(), running(self.weights):
                self.out = fn(*args, **kwargs)
                refresh(tree.leaves(self.out, is_tensor) if runtime.changed else ())
        finally:
            del runtime.watched[before:]
            for w, var in zip(self.weights, outer, strict=True):
                w._var = var
                w.__dict__.pop("_at", None)
            if not runtime.depth:
                forget()

    # ------------------------------------------------------------------ graph

    def _run_graph(self, fn: Any, args: list[Any], kwargs: dict[str, Any],
                   positions: Sequence[int]) -> None:
        from mindspore.compiler.frontend import lift, note_near

        self.mark = len(runtime.blocks[-1])
        self.wanted, shared = [], []
        for p in positions:
            given = tree.leaves(args[p], is_tensor)
            fresh = [structure.identity(lift(t)) for t in given]
            shared += zip(given, fresh, strict=True)
            self.wanted += fresh
            args[p] = tree.rebuild(args[p], is_tensor, iter(fresh))
        trace = runtime.trace
        before = {w: trace.capture(w) for w in self.weights}
        aliases = {w: structure.identity(node) for w, node in before.items()}
        self.wanted += [aliases[w] for w in self.weights]
        for w, node in aliases.items():
            trace.bind(w, node)
        self.out = invoke(fn, args, kwargs)
        for one, other in shared:            # what `fn` changes in place is the caller's tensor, too
            now = held(other)
            if now is not other:
                runtime.builder.replace(one, now)
            note_near(one, other)
        for w, node in before.items():
            if trace.capture(w) is aliases[w]:         # not assigned inside
                trace.bind(w, node)

    # ------------------------------------------------------------------ both

    def pull(self, outs: Sequence[Any], douts: Sequence[Any], keep: bool = False) -> list[Any]:
        """Cotangents of the watched inputs and weights; zeros where nothing arrives."""
        if self.graph:
            from mindspore.compiler.autodiff import pull
            from mindspore.compiler.frontend import lift
            block = runtime.blocks[-1]
            found = self._pull_block(pull, block, [lift(o) for o in outs], douts)
            found = _apart(self._through_hooks(found), [lift(d) for d in douts])
        else:
            given = tree.leaves([outs, douts, self.inputs, self.weights], is_tensor)
            training = Training(self.weights[0], _program_of) if self.weights else None
            found = apart(sweep(outs, douts, self.wanted, keep, training), given)
        return [zeros_for(w) if d is None else d for w, d in zip(self.wanted, found, strict=True)]

    def _through_hooks(self, found: list[Any]) -> list[Any]:
        """Cotangents after the hooks that tensors and parameters have: beyond the graph, and in it."""
        tensors = [*tree.leaves(self.inputs, is_tensor), *self.weights]
        return [d if d is None else _chain_of(t)(d) if type(t) is Node else
                through([InReverse(hook) for hook in hooks_of(t)], d) if Hooked.count else d
                for t, d in zip(tensors, found, strict=True)]

    def _pull_block(self, pull: Any, block: list[Node], outs: Sequence[Any], douts: Sequence[Any]) -> list[Any]:
        from mindspore.compiler.passes import DIFFERENTIATED, lower  # loads with the compiler

        part = Graph("differentiated", [], block[self.mark:], list(outs))
        section, reverse = lower(part, None, DIFFERENTIATED, closed=False).nodes, []
        with user_tensor.values(), recording(reverse):            # the reverse computes with values, not with tensors
            found = pull(section, outs, douts, self.wanted)    # may insert residuals into the section
        for node in reverse:                  # the program continues with these
            node.block = id(block)
        block[self.mark:] = section + reverse
        return found

    def split(self, found: list[Any]) -> tuple[list[Any], list[Any]]:
        """Cotangents per input (with the structure of the input) and per weight."""
        rest = iter(found)

        def leaf(v: Any) -> bool:
            return is_tensor(v) or isinstance(v, (int, float))
        per_input = [tree.rebuild(v, leaf, iter([next(rest) if is_tensor(t) else 0.0 if isinstance(t, float)
                                                 else 0 for t in tree.leaves(v, leaf)]))
                     for v in self.inputs]
        return per_input, list(rest)


def _program_of(sweep: Sweep) -> Any:
    from mindspore.compiler.replay import Making  # the compiler is loaded when it is needed

    return Making(sweep)


def _apart(nodes: list[Any], others: Sequence[Any]) -> list[Any]:
    """Nodes (or None), each a tensor of its own: copied if it may share memory with another or with `others`."""
    taken, found = {id(_owner(node)) for node in others if node is not None}, []
    for node in nodes:
        if node is not None:
            owner = _owner(node)
            node = structure.copied(node) if id(owner) in taken or owner.op is None else node
            taken.add(id(owner))
        found.append(node)
    return found


def _owner(node: Any) -> Any:
    """The node whose memory a view may be."""
    while type(node) is Node and type(node.op) is Operator and node.op.view and node.inputs:
        node = node.inputs[0]
    return node


def _chain_of(node: Node) -> Any:
    """What calls the hooks of a tensor that the graph computes."""
    chain = node.attrs["hook"] if node.op is user.hooked else None
    return chain if hasattr(chain, "hooks") else lambda d: d


def is_variable(value: Any) -> bool:
    """Whether a leaf of the arguments may differ between runs: a tensor, or a mutable number."""
    return is_tensor(value) or is_number(value) or type(value) in SYMBOLIC


def zeros_for(wanted: Any) -> Any:
    """A zero cotangent for a watched node or variable."""
    if type(wanted) is Node:
        return structure.zeros_like(wanted)
    return tape.zeros_for(wanted)


def ones_for(out: Any) -> Any:
    """The cotangent that sums an output."""
    return structure.ones_like(out)


def detached(value: Any) -> Any:
    """A result without its history, once the outermost gradient is taken."""
    if runtime.building or runtime.depth:
        return value
    return tree.rebuild(value, is_tensor, iter([wrap(t._data) if type(t) is Tensor else t
                                                for t in tree.leaves(value, is_tensor)]))
