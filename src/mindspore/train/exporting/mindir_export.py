"""A cell as a MindIR file."""
from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from mindspore.compiler.autodiff import copied
from mindspore.compiler.cells import walked_cell, walked_function
from mindspore.compiler.passes.leaves import drop_leaves
from mindspore.compiler.passes.simplify import simplify
from mindspore.compiler.results import HOLE
from mindspore.core import log
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter
from mindspore.formats import cipher
from mindspore.formats.array import StoredArray
from mindspore.formats.files import atomic
from mindspore.nn.cell import Cell
from mindspore.operators.exported import Exported

from . import mindir_weights
from .mindir_graph import File, Function, Writing
from .mindir_message import MONAD_NAME, message_of, stored_array
from .mindir_weights import Beside
from .paths import prepared_path
from .preprocessing import add_preprocessing, tensors_of
from .summaries import without_summaries


def write_mindir(net: Any, inputs: Sequence[Any], path: str, *, enc_key: bytes | None = None, enc_mode: Any = "AES-GCM",
                 custom_func: Any = None, dataset: Any = None, incremental: bool = False) -> None:
    """Write a network, in the mode that it is in, for `mindspore.export`, which checked the path.

    Args:
        enc_key: Encrypts the file.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC", or a function of the content and the key that gives the bytes.
        custom_func: Gets the message of the model before it is written, and may change it.
        dataset: A pipeline whose maps the file gets, for native readers that prepare the inputs of the graph.
        incremental: Of an export in parts, which is written whole here.

    Raises:
        ValueError: An option does not suit.
        RuntimeError: The network has an operator that has no form; the message names it and its line.
    """
    if not isinstance(net, Cell) and not inspect.isroutine(net):
        raise ValueError(f"For 'export', the 'net' must be a Cell or a function, but got {show(net)}.")
    if not isinstance(incremental, bool):
        raise TypeError(f"For 'export', the 'incremental' must be True or False, but got {show(incremental)}.")
    if enc_key is not None and not isinstance(enc_key, bytes):
        raise TypeError(f"For 'export', the 'enc_key' must be bytes, but got {show(enc_key)}.")
    if enc_key is not None and not callable(enc_mode):
        cipher.check_key(enc_key, enc_mode, "enc")
    inputs, dataset = tensors_of(inputs, dataset)
    model = _Model(net, inputs)
    large = sum([w.nbytes for w in model.weights.values()]) > mindir_weights.LARGEST
    if large and callable(enc_mode):
        raise NotImplementedError("For 'export', more than 1 GiB of weights are not encrypted by a function.")
    beside = Beside(path) if large else None
    message = model.message(beside)
    if dataset is not None:
        add_preprocessing(message, dataset)
    if custom_func is not None:
        custom_func(message)
    _write(message, prepared_path(path, ".mindir"), beside, enc_key, enc_mode)


def _write(message: Any, path: str, beside: Beside | None, key: bytes | None, mode: Any) -> None:
    """Write the file of a model, and its weights before it if they stand beside it."""
    def protected(content: bytes) -> Any:
        if key is None:
            return content
        return mode(content, key) if callable(mode) else _encrypted(content, key, mode)
    content = protected(message.SerializeToString())
    if beside is not None:
        beside.write(protected)
    with atomic(path if beside is None else beside.graph, 0o600) as file:
        file.write(content)
    if beside is not None:
        beside.remove_others()


def _encrypted(content: bytes, key: bytes, mode: str) -> bytes:
    return b"".join([cipher.encrypted(content[at:at + cipher.PIECE], key, mode)
                     for at in range(0, len(content), cipher.PIECE)])


class _Model:
    """A network on its way to a message."""

    def __init__(self, net: Any, inputs: Sequence[Any]):
        cell = isinstance(net, Cell)
        own = type(net).__name__ if cell else net.__name__
        self.name = f"{own}_construct" if cell else own
        self.file, self.g = File(self.name), Exported()
        program = walked_cell(net, tuple(inputs), []) if cell else walked_function(net, tuple(inputs))
        with program.sizes.compiling(quiet=True):
            graph = drop_leaves(simplify(without_summaries(copied(program.graph))))
            if program.writes or program.changed:
                raise NotImplementedError(f"For 'export', '{own}' changes an attribute, or a tensor in "
                                          "place, which is not written in the format 'MINDIR'.")
            self.texts: dict[str, str] = {}
            self.weights: dict[str, StoredArray] = {}
            self.write(program, graph)
        if program.sizes.guards:
            log.warning("The model '%s' holds for sizes with: %s.", own, "; ".join(program.sizes.guards))

    def write(self, program: Any, graph: Any) -> None:
        """Write the graph: its inputs and weights, its nodes, the new values of its weights, its result."""
        given = [self.g.value(param.aval) for param in graph.params]
        count = len(given) - len(program.captured)
        self.inputs, values = given[:count], list(given)
        for k, name in enumerate(self.inputs):
            self.texts[name] = f"{self.name}:{program.names[k].removeprefix('in_')}"
        loads, held, assigned = [], {}, {id(p) for p in program.assigned}
        for k, tensor in enumerate(program.captured, count):
            name = given[k]
            if not isinstance(tensor, Parameter):
                self.file.constants[name] = stored_array(tensor)
                continue
            self.texts[name], self.weights[name] = f"{self.name}:{tensor.name}", stored_array(tensor)
            held[id(tensor)] = name
            if id(tensor) in assigned:        # what is read is a copy of what it was before
                loads.append(self.g.add("Load", name, MONAD_NAME))
                values[k] = self.g.add("TensorMove", loads[-1])
                self.g.avals[loads[-1]] = self.g.avals[values[k]] = graph.params[k].aval
        outs = Writing(self.file, self.g).graph(graph, values)
        if program.numbers:
            raise NotImplementedError("For 'export', a network that returns plain numbers is not written as MINDIR.")
        out = self.structure(program.result, iter(outs))
        if program.assigned:
            before, state = out, self.g.add("UpdateState", MONAD_NAME, out, *loads)
            for parameter, value in zip(program.assigned, outs[program.count:], strict=True):
                state = self.g.add("UpdateState", state, self.g.add("Assign", held[id(parameter)], value, state))
            out = self.g.add("Depend", before, state)
            self.g.avals |= {out: self.g.avals[before]} if before in self.g.avals else {}
        if not any(out in n.outputs for n in self.g.nodes):
            raise NotImplementedError("For 'export', a network that computes nothing is not written as MINDIR.")
        self.output = out

    def structure(self, result: Any, names: Iterator[str]) -> str:
        """The name of a result, which may be a tuple of results."""
        if result is HOLE:
            return next(names)
        if type(result) is not tuple or not result:
            raise NotImplementedError("For 'export', a network that returns anything else than tensors and tuples of "
                                      "them is not written as MINDIR.")
        return self.g.add("MakeTuple", *[self.structure(r, names) for r in result])

    def message(self, beside: Beside | None) -> Any:
        """The message of the model, whose weights are in it, or in a file beside it."""
        main = Function(self.name, self.g, self.inputs, self.output)
        return message_of(self.file, main, self.texts, self.weights, beside)
