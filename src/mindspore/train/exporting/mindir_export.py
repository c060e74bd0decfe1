"""A cell as a MindIR file."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.compiler.autodiff import copied
from mindspore.compiler.cells import walked_cell
from mindspore.compiler.passes.leaves import drop_leaves
from mindspore.compiler.passes.simplify import simplify
from mindspore.compiler.results import HOLE
from mindspore.core.dtype import bool_, float32, int64
from mindspore.core.errors import show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor, wrap
from mindspore.formats import cipher
from mindspore.formats.array import StoredArray
from mindspore.formats.files import atomic
from mindspore.formats.mindir import MESSAGES
from mindspore.formats.mindir_values import NUMBERS
from mindspore.ir import ITEM, Aval, Dim, Flow, Node, avals_of, tree
from mindspore.nn.cell import Cell
from mindspore.operators.exported import Exported, ExportedNode

from .mindir_forms import Plain, write
from .onnx_export import evaluating
from .paths import prepared_path

_LARGEST = 2**30        # bytes of weights in a file by itself
_FUNCTION, _PRIMITIVE = 2, 1
_ATTRIBUTE = {"Conv2D", "MaxPool", "MakeTuple", "TupleGetItem"}     # primitives whose options are attributes


def write_mindir(net: Any, inputs: Sequence[Any], path: str, *, enc_key: bytes | None = None, enc_mode: Any = "AES-GCM",
                 custom_func: Any = None, dataset: Any = None) -> None:
    """Write a network, as it is in evaluation, for `mindspore.export`, which checked the path.

    Args:
        enc_key: Encrypts the file.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC", or a function of the content and the key that gives the bytes.
        custom_func: Gets the message of the model before it is written, and may change it.
        dataset: Must be None: preprocessing is not written.

    Raises:
        ValueError: An option does not suit.
        RuntimeError: The network has an operator that has no form; the message names it and its line.
    """
    if not isinstance(net, Cell):
        raise ValueError(f"For 'export', the 'net' must be a Cell, but got {show(net)}.")
    if dataset is not None:
        raise NotImplementedError("For 'export', a 'dataset' is not written: preprocess what the network is given.")
    if enc_key is not None and not isinstance(enc_key, bytes):
        raise TypeError(f"For 'export', the 'enc_key' must be bytes, but got {show(enc_key)}.")
    if enc_key is not None and not callable(enc_mode):
        cipher.check_key(enc_key, enc_mode, "enc")
    message = _Model(net, inputs).message
    if custom_func is not None:
        custom_func(message)
    content: Any = message.SerializeToString()
    if enc_key is not None:
        content = enc_mode(content, enc_key) if callable(enc_mode) else _encrypted(content, enc_key, enc_mode)
    with atomic(prepared_path(path, ".mindir"), 0o600) as file:
        file.write(content)


def _encrypted(content: bytes, key: bytes, mode: str) -> bytes:
    return b"".join([cipher.encrypted(content[at:at + cipher.PIECE], key, mode)
                     for at in range(0, len(content), cipher.PIECE)])


class _Model:
    """A network on its way to a message."""

    def __init__(self, net: Cell, inputs: Sequence[Any]):
        from mindspore import __version__

        tensors = tree.leaves(tuple(inputs), lambda v: isinstance(v, Tensor) and not isinstance(v, Parameter))
        if any(n is None or n < 0 for t in tensors for n in t.shape):
            raise NotImplementedError("For 'export', open extents are not written in the format 'MINDIR'.")
        with evaluating(net):
            program = walked_cell(net, tuple(inputs), [])
            with program.sizes.compiling(quiet=True):
                graph = drop_leaves(simplify(copied(program.graph)))
        if len(graph.outs) > program.count:
            raise NotImplementedError(f"For 'export', '{type(net).__name__}' changes its parameters or attributes, "
                                      "which is not written in the format 'MINDIR'.")
        self.name = f"{type(net).__name__}_construct"
        self.message = MESSAGES.Model(ir_version="1.1", producer_name="AnySpore", producer_version=__version__,
                                      model_version=__version__, little_endian=True, mind_ir_version=3)
        self.out = self.message.graph
        self.out.name = self.name
        self.g, self.known, self.texts, self.primitives = Exported(), {}, {}, {}
        self.constants: dict[str, StoredArray] = {}
        self.inputs(program, graph)
        for node in graph.nodes:
            self.node(node)
        self.results(program, graph)
        self.nodes()

    def inputs(self, program: Any, graph: Any) -> None:
        """The arguments, and the weights with their values."""
        count, total = len(graph.params) - len(program.captured), 0
        for k, param in enumerate(graph.params):
            name = self.known[id(param)] = self.g.value(param.aval)
            if k < count:
                self.texts[name] = f"{self.name}:{program.names[k].removeprefix('in_')}"
                self.out.input.append(_typed(self.texts[name], param.aval))
                continue
            tensor = program.captured[k - count]
            if not isinstance(tensor, Parameter):
                self.constants[name] = _array(tensor)
                continue
            self.texts[name] = f"{self.name}:{tensor.name}"
            stored = _array(tensor)
            total += stored.nbytes
            self.out.parameter.append(_filled(MESSAGES.Tensor(name=self.texts[name]), stored))
        if total > _LARGEST:
            raise NotImplementedError("For 'export', more than 1 GiB of weights are not written in the format "
                                      "'MINDIR'.")

    def node(self, node: Node) -> None:
        """One node of the program."""
        where = f" at {node.loc}" if node.loc else ""
        try:
            found = self.flow(node) if type(node.op) is Flow else self.operator(node)
        except NotImplementedError as error:
            raise RuntimeError(f"For 'export', the operator '{node.op.name}'{where} cannot be written as MINDIR: "
                               f"{error}.") from None
        names = found if isinstance(found, tuple) else (found,)
        for name, aval in zip(names, avals_of(node), strict=False):
            if name is not None:
                self.g.avals[name] = aval
        self.known[id(node)] = found

    def flow(self, node: Node) -> Any:
        if node.op is not ITEM:
            raise NotImplementedError("branches and loops on tensors have no form here")
        whole = self.known[id(node.inputs[0])]
        found = whole[node.attrs["i"]] if isinstance(whole, tuple) else whole
        if found is None:
            raise NotImplementedError("this result of the operator has no form in MindIR")
        return found

    def operator(self, node: Node) -> Any:
        op: Any = node.op
        if op.effect or any([type(n) is Dim for a in avals_of(node) for n in a.shape]):
            raise NotImplementedError("it has an effect, or a size that only a run tells")
        if not any([type(x) is Node for x in node.inputs]) and len(avals_of(node)) == 1:
            return self.constant(wrap(op.kernel(*node.inputs, **node.attrs)).asnumpy(), avals_of(node)[0].dtype)
        kinds = [x.aval for x in node.inputs if type(x) is Node and type(x.aval) is Aval and x.aval.dtype is not bool_]
        like = kinds[0] if kinds else avals_of(node)[0]     # a number beside a test is no test
        inputs = [self.given(x, like) for x in node.inputs]
        self.g.results = avals_of(node)
        return write(self.g, op.name, tuple(inputs), node.attrs)

    def given(self, x: Any, like: Aval) -> Any:
        """The name of an input; numbers are tensors of the type beside them."""
        if x is None:
            return None
        if type(x) is Node:
            return self.known[id(x)]
        if isinstance(x, (bool, int, float)):
            if isinstance(x, float) and not like.dtype.is_floating:
                raise NotImplementedError(f"the number {x} beside integers has no form here")
            return self.constant(np.asarray(x, like.dtype.numpy), like.dtype)
        raise NotImplementedError(f"the input {show(x)} has no form here")

    def constant(self, value: Any, dtype: Any) -> str:
        if dtype.name == "bfloat16":
            raise NotImplementedError("a number of the type bfloat16 has no form here")
        name, array = self.g.fresh(), StoredArray(dtype.name, tuple(value.shape), value.tobytes())
        self.g.avals[name] = Aval(array.shape, dtype)
        self.constants[name] = array
        return name

    def results(self, program: Any, graph: Any) -> None:
        """The result: a tensor, or a tuple of tensors, nested as in the program."""
        names = [self.known[id(x)] if type(x) is Node else self.given(x, Aval((), _default(x))) for x in graph.outs]
        if program.numbers:
            raise NotImplementedError("For 'export', a network that returns plain numbers is not written as MINDIR.")
        out = self.structure(program.result, iter(names))
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

    def nodes(self) -> None:
        """The constants and nodes of the message, with names as the format has them."""
        for name, array in self.constants.items():
            self.texts[name] = f"Value_{name}"
            node = self.out.node.add(op_type="Constant", output=[self.texts[name]], name=self.texts[name])
            _filled(node.attribute.add(name="value", type=19).tensors.add(name="value0"), array)
        values: dict[str, str] = {}
        for number, node in enumerate(self.g.nodes, 1):
            text = self.texts[node.outputs[0]] = f"{self.name}:{node.kind}_{number}:{number}"
            inputs = [self.plain(x, values) if isinstance(x, Plain) else self.texts[x] for x in node.inputs]
            made = self.out.node.add(op_type="REF::" + self.primitive(node), input=inputs, output=[text], name=text,
                                     domain=f"Default/{node.kind}-op{number}")
            if (aval := self.g.avals.get(node.outputs[0])) is not None:
                made.attribute.add(name="shape", type=19).tensors.add(dims=aval.shape,
                                                                      data_type=NUMBERS[aval.dtype.name])
        self.out.output.append(_typed(self.texts[self.output], self.g.avals.get(self.output)))

    def plain(self, option: Plain, values: dict[str, str]) -> str:
        """The name of a constant that is plain Python."""
        key = repr(option.value)
        if key not in values:
            values[key] = f"ValueNode_{len(values)}"
            node = self.out.node.add(op_type="Constant", output=[values[key]], name=values[key])
            _attribute(node.attribute.add(name="value"), option.value)
        return values[key]

    def primitive(self, node: ExportedNode) -> str:
        """The name of a primitive in the table of the file."""
        key = f"{node.kind} {sorted(node.attributes.items())!r}"
        if key not in self.primitives:
            self.primitives[key] = f"{node.kind}:{len(self.primitives) + 1}"
            made = self.message.primitives.add(name=self.primitives[key], op_type=node.kind, instance_name=node.kind,
                                               prim_type=_PRIMITIVE if node.kind in _ATTRIBUTE else _FUNCTION)
            for name, value in node.attributes.items():
                _attribute(made.attribute.add(name=name), value)
        return self.primitives[key]


def _default(x: Any) -> Any:
    return bool_ if isinstance(x, bool) else int64 if isinstance(x, int) else float32


def _array(tensor: Tensor) -> StoredArray:
    bits = tensor.asnumpy()
    if tensor.dtype.name == "bfloat16":
        bits = (np.ascontiguousarray(bits, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return StoredArray(tensor.dtype.name, tuple(tensor.shape), np.ascontiguousarray(bits).tobytes())


def _filled(tensor: Any, array: StoredArray) -> Any:
    tensor.dims.extend(array.shape)
    tensor.data_type, tensor.raw_data = NUMBERS[array.dtype], bytes(array.data)
    return tensor


def _typed(name: str, aval: Aval | None) -> Any:
    """A value with its type; a tuple has none."""
    made = MESSAGES.ValueInfo(name=name)
    if aval is not None:
        made.tensor.add(name=name, data_type=NUMBERS[aval.dtype.name], dims=aval.shape)
    return made


def _attribute(made: Any, value: Any, inside: bool = False) -> None:
    """A plain value; inside of a sequence numbers stand in the lists."""
    for kind, number, single, several in ((bool, 9, "i", "ints"), (int, 7, "i", "ints"), (float, 1, "f", "floats"),
                                          (str, 8, "s", "strings")):
        if isinstance(value, kind):
            made.type = number
            plain = value.encode() if isinstance(value, str) else int(value) if isinstance(value, bool) else value
            if inside:
                getattr(made, several).append(plain)
            else:
                setattr(made, single, plain)
            return
    made.type = 20
    for one in value:
        _attribute(made.values.add(), one, True)
