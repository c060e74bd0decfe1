"""Graphs of a MindIR file as a function of tensors."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mindspore import ops
from mindspore.core.errors import ModelError, show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.eager.tensor import tensor_from_buffer as from_buffer
from mindspore.formats import mindir
from mindspore.formats.array import StoredArray
from mindspore.formats.mindir import Graph, Model, Node
from mindspore.formats.mindir_values import MONAD, ElementType

from .primitives import compute, dtype


class Closure:
    """A graph and its first arguments."""

    def __init__(self, graph: Graph, args: tuple[Any, ...] = ()):
        self.graph, self.args = graph, args


class LoadedGraph:
    """A graph that was read from a file: a function of tensors, with parameters, that can be differentiated.

    Attributes:
        parameters: The weights, by name.
        inputs: Dtype and extents of each input, -1 where any is taken; None for what is no tensor.
    """

    def __init__(self, model: Model):
        self._model = model
        self._constants = {name: _value(v) for name, v in model.constants.items()}
        graphs = {name: Closure(graph) for name, graph in model.graphs.items()}
        named = {full: Parameter(_tensor(array), name=plain_name(full)) for full, array in model.weights.items()}
        self.parameters = {p.name: p for p in named.values()}
        if len(self.parameters) < len(named):
            raise ModelError("two weights of the graph have one name")
        self._globals = {**self._constants, **graphs, **named}
        self.inputs = [a and (dtype(ElementType(a[0])), a[1]) for a in model.main.avals]
        self._changes = any(_changes(n) for n in mindir.nodes_of(model))
        self._steps = {name: [self._step(n) for n in g.nodes] for name, g in model.graphs.items()}

    def __call__(self, *inputs: Any) -> Any:
        main = self._model.main
        if len(inputs) != len(main.inputs):
            raise ValueError(f"For 'GraphCell', the graph takes {len(main.inputs)} inputs, but got {len(inputs)}.")
        for k, (given, wanted) in enumerate(zip(inputs, self.inputs, strict=True)):
            _check(k, given, wanted)
        return self._run(Closure(main), inputs)

    def _run(self, closure: Closure, args: tuple[Any, ...]) -> Any:
        """The value of a graph; calls are frames on a list, so that loops, which call themselves, may be long."""
        frames = [self._frame(closure, args)]
        while True:
            env, steps, graph = frames[-1]
            for node, run in steps:
                found = run(env)
                if isinstance(found, _Call):
                    if node.output == graph.output:      # nothing is left to do here
                        frames.pop()
                        env[_TARGET] = env.get(_TARGET, node.output)
                    frame = self._frame(found.closure, found.args)
                    frame[0][_TARGET] = env[_TARGET] if node.output == graph.output else node.output
                    frames.append(frame)
                    break
                env[node.output] = found
            else:
                value = self._found(env, graph.output)
                frames.pop()
                if not frames:
                    return value
                frames[-1][0][env[_TARGET]] = value

    def _frame(self, closure: Closure, args: tuple[Any, ...]) -> tuple[dict[str, Any], Iterator[Any], Graph]:
        graph, given = closure.graph, (*closure.args, *args)
        if len(given) != len(graph.inputs):
            raise ModelError(f"The graph '{graph.name}' takes {len(graph.inputs)} inputs and is given {len(given)}: "
                             "the file is damaged.")
        return dict(zip(graph.inputs, given, strict=True)), iter(self._steps[graph.name]), graph

    def _found(self, env: dict[str, Any], name: str) -> Any:
        return env[name] if name in env else self._globals[name]

    def _step(self, node: Node) -> tuple[Node, Callable[[dict[str, Any]], Any]]:
        """A node as a function of the values so far."""
        target, found, names = node.target, self._found, node.inputs
        if isinstance(target, str):
            return node, lambda env: _called(found(env, target), tuple([found(env, n) for n in names]))
        if target.name in _CONTROL:
            control = _CONTROL[target.name]
            return node, lambda env: control(*[found(env, n) for n in names])
        if target.name in ("Load", "load"):
            copied = self._changes
            return node, lambda env: ops.deepcopy(found(env, names[0])) if copied else found(env, names[0])
        try:
            function = compute(target)
        except (TypeError, ValueError, KeyError) as error:
            raise ModelError(f"the primitive '{target.name}' has wrong attributes: {error}") from None

        def run(env: dict[str, Any]) -> Any:
            values = [found(env, n) for n in names]
            return function(*[v for v in values if v is not MONAD])
        return node, run


class _Call:
    """What a step gives that calls a graph."""

    def __init__(self, closure: Closure, args: tuple[Any, ...]):
        self.closure, self.args = closure, args


_TARGET = ""        # in the values of a frame: which name its result has in the frame below


def _called(function: Any, args: tuple[Any, ...]) -> _Call:
    if not isinstance(function, Closure):
        raise ModelError(f"The graph calls {show(function)}, which is no function: the file is damaged.")
    return _Call(function, args)


def _partial(function: Any, *args: Any) -> Closure:
    if not isinstance(function, Closure):
        raise ModelError(f"The graph calls {show(function)}, which is no function: the file is damaged.")
    return Closure(function.graph, (*function.args, *args))


def _switch(condition: Any, yes: Any, no: Any) -> Any:
    return yes if bool(condition) else no


def _switch_layer(index: Any, functions: Any) -> Any:
    return functions[int(index)]


_CONTROL: dict[str, Callable[..., Any]] = {
    "Partial": _partial, "partial": _partial, "Switch": _switch, "switch": _switch, "switch_layer": _switch_layer,
    "SwitchLayer": _switch_layer,
}


def _changes(node: Node) -> bool:
    """Whether a node may change a weight: it has the order of effects among its attributes or is an assignment."""
    return not isinstance(node.target, str) and (
        bool(node.target.attrs.get("side_effect_mem")) or node.target.name.startswith(("Assign", "Apply", "Scatter")))


def plain_name(name: str) -> str:
    """The name of a weight without that of the graph."""
    return name.partition(":")[2] or name


def _value(value: Any) -> Any:
    """A constant as programs have it."""
    if isinstance(value, StoredArray):
        return _tensor(value)
    if isinstance(value, ElementType):
        return dtype(value)
    if isinstance(value, (tuple, list)):
        return type(value)([_value(v) for v in value])
    if isinstance(value, dict):
        return {k: _value(v) for k, v in value.items()}
    return value


def _tensor(array: StoredArray) -> Tensor:
    return from_buffer(array.data, array.dtype, array.shape)


def _check(k: int, given: Any, wanted: Any) -> None:
    """An input has the dtype and the extents of the file; -1 means any."""
    if wanted is None or not isinstance(given, Tensor):
        return
    kind, shape = wanted
    fits = len(shape) == len(given.shape) and all(m in (-1, n) for m, n in zip(shape, given.shape, strict=True))
    if given.dtype is not kind or not (fits or shape == (-2,)):
        raise ValueError(f"For 'GraphCell', input {k} must be {kind.name}{list(shape)}, but got {show(given)}.")
