"""`mindspore.onnx.export`: a cell as a model of ONNX."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mindspore.compiler.autodiff import copied
from mindspore.compiler.cells import walked_cell
from mindspore.compiler.dynamic import examples
from mindspore.compiler.passes.leaves import drop_leaves
from mindspore.compiler.passes.simplify import simplify
from mindspore.core import log
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.formats.files import atomic
from mindspore.ir import tree
from mindspore.nn.cell import Cell
from mindspore.operators.exported import OPSET, Exported

from . import onnx_file
from .onnx_graph import Writing
from .onnx_opset import library, model_message
from .paths import checked_path, prepared_path
from .summaries import without_summaries


def export(net, *inputs, file_name, input_names=None, output_names=None, export_params=True,
           keep_initializers_as_inputs=False, dynamic_axes=None, opset_version=OPSET):
    """Writes a network as an ONNX model, in evaluation mode; completely or not at all.

    Args:
        net: The Cell.
        inputs: Examples of the arguments of `construct`; of tensors only shape and dtype matter. An extent of None in
            `Tensor(shape=[None, 3], dtype=...)` may have any value in the file.
        file_name: File to write; the suffix .onnx is added if it is missing. Folders that do not exist are made.
        input_names: Names of the model's inputs, in order. Default: those of the arguments.
        output_names: Names of its outputs, in order. Default: "output", or "output_0" and so on.
        export_params: Whether the file holds the parameters; if not, they are inputs of the model.
        keep_initializers_as_inputs: Whether parameters in the file are inputs, too, which a caller may replace.
        dynamic_axes: Axes of inputs that may have any extent, and their names: `{"x": {0: "batch"}}`.
        opset_version: The version of ONNX's operators, 17 or later.

    More than 2 GB of parameters stand in a file of their own beside the model.

    Raises:
        TypeError: The 'file_name' is no text, or a switch is not True or False.
        ValueError: Another argument has the wrong type, or does not suit the network.
        RuntimeError: The network has an operator that ONNX cannot say; the message names it and its line.
        ImportError: The package `onnx` is not installed.

    Examples:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mindspore.onnx.export(nn.Dense(3, 2), ops.ones((1, 3)), file_name=f"{folder}/net",
        ...                           input_names=["x"], dynamic_axes={"x": {0: "batch"}})
        ...     os.listdir(folder)
        ['net.onnx']
    """
    path = checked_path("export", file_name)
    for name, value, kind in (("input_names", input_names, list), ("output_names", output_names, list),
                              ("dynamic_axes", dynamic_axes, dict)):
        if value is not None and not isinstance(value, kind):
            raise ValueError(f"For 'export', the '{name}' must be a {kind.__name__}, but got {show(value)}.")
    for name, value in (("export_params", export_params), ("keep_initializers_as_inputs", keep_initializers_as_inputs)):
        if not isinstance(value, bool):
            raise TypeError(f"For 'export', the '{name}' must be True or False, but got {show(value)}.")
    _write(net, inputs, path, 0o644, input_names or [], output_names or [], export_params,
           keep_initializers_as_inputs, dynamic_axes or {}, opset_version)


def write_onnx(net: Any, inputs: Sequence[Any], path: str, *, enc_key: bytes | None = None, enc_mode: Any = None,
               quant_mode: str = "NONQUANT", custom_func: None = None, opset_version: int = OPSET) -> None:
    """Write a network for `mindspore.export`, which checked the path; see there for the options.

    Raises:
        ValueError: If an option does not suit the format.
    """
    if custom_func is not None:
        raise ValueError("For 'export', a 'custom_func' is for files of the format 'MINDIR'.")
    if quant_mode != "NONQUANT":
        raise ValueError(f"For 'export', the 'quant_mode' must be 'NONQUANT', but got {show(quant_mode)}.")
    encrypt: Any = None
    if enc_key is not None:
        if not isinstance(enc_key, bytes):
            raise ValueError(f"For 'export', the 'enc_key' must be bytes, but got {show(enc_key)}.")
        if not callable(enc_mode):
            raise ValueError(f"For 'export', the 'enc_mode' must be a function of content and key for files of the "
                             f"format 'ONNX', but got {show(enc_mode or 'AES-GCM')}.")
        encrypt = enc_mode, enc_key
    _write(net, inputs, path, 0o400, opset=opset_version, encrypt=encrypt)


def _write(net: Any, inputs: Sequence[Any], path: str, mode: int, input_names: Sequence[str] = (),
           output_names: Sequence[str] = (), params: bool = True, as_inputs: bool = False,
           dynamic_axes: Mapping[str, Mapping[int, str]] | None = None, opset: int = OPSET,
           encrypt: tuple[Callable[[bytes, bytes], bytes], bytes] | None = None) -> None:
    library()
    if not isinstance(net, Cell):
        raise ValueError(f"For 'export', the 'net' must be a Cell, but got {show(net)}.")
    if not isinstance(opset, int) or opset < 17:
        raise ValueError(f"For 'export', the 'opset_version' must be 17 or later, but got {show(opset)}.")
    model = Model(net, inputs, input_names, output_names, dynamic_axes or {})
    path = prepared_path(path, ".onnx")
    message, weights = model.message(path, params, as_inputs, opset)
    weights.write(mode)
    content = message.SerializeToString()
    if encrypt:
        content = encrypt[0](content, encrypt[1])
    with atomic(path, mode) as file:
        file.write(content)


@contextlib.contextmanager
def evaluating(net: Cell) -> Iterator[None]:
    """A network in evaluation mode; afterwards every cell is as before."""
    before = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        yield
    finally:
        for cell, training in before:
            cell.training = training


class Model:
    """A network and the names of its values, before it is a message."""

    def __init__(self, net: Cell, inputs: Sequence[Any], input_names: Sequence[str], output_names: Sequence[str],
                 dynamic_axes: Mapping[str, Mapping[int, str]]):
        self.axes: dict[int, Mapping[int, str]] = {}
        extents = self.extents(inputs, input_names, dynamic_axes, net)
        with evaluating(net):
            program = walked_cell(net, tuple(inputs), extents)
            self.program = program
            with program.sizes.compiling(quiet=True):
                graph = drop_leaves(simplify(without_summaries(copied(program.graph))))
                self.write(net, graph, input_names, output_names)

    def extents(self, inputs: Sequence[Any], names: Sequence[str], dynamic: Mapping[str, Mapping[int, str]],
                net: Cell) -> list[tuple[int, ...]]:
        """For each tensor among the inputs the axes that `dynamic` and patterns leave open; names of the former."""
        tensors = tree.leaves(tuple(inputs), lambda v: isinstance(v, Tensor) and not isinstance(v, Parameter))
        if not dynamic:
            return []
        given = list(names) or _argument_names(net, inputs)
        if unknown := set(dynamic) - set(given):
            raise ValueError(f"For 'export', the 'dynamic_axes' name the inputs {sorted(unknown)}, but the model has "
                             f"{given}.")
        found = []
        for k, tensor in enumerate(tensors):
            axes = dynamic.get(given[k], {})
            rank = len(tensor.shape)
            if wrong := [a for a in axes if not isinstance(a, int) or not -rank <= a < rank]:
                raise ValueError(f"For 'export', the 'dynamic_axes' of '{given[k]}' must be axes of a tensor with "
                                 f"{rank} dimensions, but got {wrong}.")
            self.axes[k] = {a % rank: str(n) for a, n in axes.items()} if isinstance(axes, dict) else {}
            found.append(tuple(sorted({a % rank for a in axes} | {a for a, n in enumerate(tensor.shape) if n == -1})))
        return found

    def write(self, net: Cell, graph: Any, input_names: Sequence[str], output_names: Sequence[str]) -> None:
        """Write the graph; results, inputs and parameters get their names."""
        program = self.program
        if len(graph.outs) > program.count:
            what = [f"the parameter '{p.name}'" for p in program.assigned] or ["an attribute, or a tensor in place"]
            raise RuntimeError(f"For 'export', '{type(net).__name__}' changes {', '.join(what)}, and ONNX has no "
                               "state: give it in and return it.")
        self.g = g = Exported()
        count = len(graph.params) - len(program.captured)
        given = [g.value(p.aval) for p in graph.params]
        g.given = given[:count]
        self.parameters: dict[str, Parameter] = {}
        for name, tensor in zip(given[count:], program.captured, strict=True):
            if isinstance(tensor, Parameter):
                self.parameters[name] = tensor
            else:
                g.constants[name] = tensor.asnumpy()
        outs = Writing(g).graph(graph, given)
        g.outs = Writing(g).own(g, outs)
        self.name(list(input_names) or [n.removeprefix("in_") for n in program.names[:count]], "input_names", g.given)
        self.name(list(output_names) or _output_names(len(outs)), "output_names", g.outs)
        self.rename(self.parameter_names())
        if program.sizes.guards:
            log.warning("The model '%s' holds for sizes with: %s.", type(net).__name__, "; ".join(program.sizes.guards))

    def name(self, names: Sequence[str], owner: str, values: Sequence[str]) -> None:
        """Name the inputs or the outputs."""
        plain = all(isinstance(n, str) and n for n in names)
        if not plain or len(names) != len(values) or len(set(names)) < len(names):
            raise ValueError(f"For 'export', the '{owner}' must be {len(values)} different names, but got "
                             f"{list(names)}.")
        self.rename(dict(zip(values, names, strict=True)))

    def parameter_names(self) -> dict[str, str]:
        """The names of the parameters, by their present ones; of several with one name the later get a number."""
        found: dict[str, str] = {}
        for old, parameter in self.parameters.items():
            name, count = parameter.name, 1
            if name in self.g.given or name in self.g.outs:
                raise ValueError(f"For 'export', '{name}' is the name of a parameter and of an input or output: give "
                                 "other 'input_names' or 'output_names'.")
            while name in found.values():
                name, count = f"{parameter.name}_{count}", count + 1
            found[old] = name
        return found

    def rename(self, names: Mapping[str, str]) -> None:
        """Give values other names; one that has such a name gets another."""
        g = self.g
        swap = {**{n: f"{n}_{g.fresh()}" for n in names.values() if n in g.avals and n not in names}, **names}
        onnx_file.renamed(g, swap)
        for held in (g.avals, g.constants):
            moved: dict[str, Any] = {swap[old]: held.pop(old) for old in swap if old in held}
            held.update(moved)
        self.parameters = {swap.get(old, old): p for old, p in self.parameters.items()}

    def message(self, path: str, params: bool, as_inputs: bool, opset: int) -> tuple[Any, onnx_file.Weights]:
        """The message of the model, and the weights that are to be written beside it."""
        g = self.g
        wanted = onnx_file.used(g, g.outs)
        constants = {n: (v, g.avals[n].dtype) for n, v in g.constants.items() if n in wanted}
        held = {n: (p.asnumpy(), p.dtype) for n, p in self.parameters.items() if n in wanted}
        stored = {**held, **constants} if params else constants
        weights = onnx_file.Weights(stored, path)
        inputs = [onnx_file.value_info(n, g.avals[n], self.axes.get(k)) for k, n in enumerate(g.given)]
        if as_inputs or not params:
            inputs += [onnx_file.value_info(n, g.avals[n]) for n in held]
        graph = onnx_file.graph_message(g, self.program.name, inputs, None, weights.messages())
        notes = {"sizes": "; ".join(self.program.sizes.guards)} if self.program.sizes.guards else {}
        return model_message(graph, opset, notes), weights


def _argument_names(net: Cell, inputs: Sequence[Any]) -> list[str]:
    from mindspore.compiler.inspection.reasons import input_names
    from mindspore.compiler.signature import is_tensor
    return [n.removeprefix("in_") for n in input_names(net, examples(tuple(inputs)), {}, is_tensor)]


def _output_names(count: int) -> list[str]:
    return ["output"] if count == 1 else [f"output_{k}" for k in range(count)]
