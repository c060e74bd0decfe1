"""Graphs as the message of a MindIR file."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core.dtype import DType
from mindspore.eager.tensor import Tensor
from mindspore.formats.array import StoredArray
from mindspore.formats.mindir import MESSAGES
from mindspore.formats.mindir_values import NUMBERS
from mindspore.ir import Aval, Dim
from mindspore.operators.exported import ExportedNode

from .mindir_forms import ATTRIBUTED, CALLED, GraphName
from .mindir_graph import File, Function
from .mindir_layers import Plain
from .mindir_weights import Beside

MONAD_NAME = "the order of effects"      # names the first token of effects among the inputs of nodes
_EFFECTS: dict[str, dict[str, Any]] = {"Assign": {"side_effect_mem": True}, "Depend": {"side_effect_propagate": 1}}
_FUNCTION, _PRIMITIVE = 2, 1
_UMONAD, _NONE, _TENSORS, _TUPLE = 23, 25, 19, 20


def message_of(file: File, main: Function, texts: dict[str, str], weights: dict[str, StoredArray],
               beside: Beside | None = None) -> Any:
    """The message of a model.

    Args:
        texts: Names in the file of the inputs of `main` and of weights; further names are entered.
        weights: Weights by their names in the graph.
        beside: The file that they go to; None for the message.
    """
    from mindspore import __version__

    message = MESSAGES.Model(ir_version="1.1", producer_name="AnySpore", producer_version=__version__,
                             model_version=__version__, little_endian=True, mind_ir_version=3)
    made = _Message(file, message, texts)
    for name, stored in weights.items():
        tensor = MESSAGES.Tensor(name=texts[name])
        message.graph.parameter.append(_filled(tensor, stored) if beside is None else beside.place(tensor, stored))
    made.graph(message.graph, main)
    for function in file.functions:
        made.graph(message.functions.add(), function)
    return message


class _Message:
    """A message in the making; constants and primitives are entered as the first node asks for them."""

    def __init__(self, file: File, message: Any, texts: dict[str, str]):
        self.file, self.message, self.texts = file, message, texts
        self.values: dict[str, str] = {}
        self.primitives: dict[str, str] = {}
        self.serial = 0

    def graph(self, out: Any, function: Function) -> None:
        """Enter one graph. Constants stand in the main graph, before all that use them."""
        out.name, avals = function.name, function.g.avals
        self.texts |= {name: f"{function.name}:{name}" for name in function.inputs if name not in self.texts}
        for name in function.inputs:
            out.input.append(_typed(self.texts[name], avals[name]))
        for node in function.g.nodes:
            self.serial += 1
            kind = node.kind or "call"
            text = self.texts[node.outputs[0]] = f"{function.name}:{kind}_{self.serial}:{self.serial}"
            inputs: list[str] = [self.text(x, function, out) for x in node.inputs]
            op = inputs.pop(0) if node.kind == CALLED else self.primitive(node)
            made = out.node.add(op_type="REF::" + op, input=inputs, output=[text], name=text,
                                domain=f"Default/{kind}-op{self.serial}")
            if (aval := avals.get(node.outputs[0])) is not None:
                made.attribute.add(name="shape", type=_TENSORS).tensors.add(dims=_dims(aval),
                                                                            data_type=NUMBERS[aval.dtype.name])
        out.output.append(_typed(self.text(function.output, function, out), avals.get(function.output)))

    def text(self, x: Any, function: Function, out: Any) -> str:
        """The name in the file of what a node takes."""
        if isinstance(x, GraphName):
            return x.name
        if isinstance(x, Plain):
            return self.plain(x.value, out)
        if x == MONAD_NAME:
            return self.constant("monad", out, lambda made: setattr(made, "type", _UMONAD))
        if x not in self.texts:
            stored = self.file.constants.get(x)
            if stored is None:
                value = function.g.constants[x]
                stored = StoredArray(function.g.avals[x].dtype.name, value.shape, value.tobytes())

            def fill(made: Any) -> None:
                made.type = _TENSORS
                _filled(made.tensors.add(name="value0"), stored)
            self.texts[x] = self.constant(x, out, fill)
        return self.texts[x]

    def plain(self, value: Any, out: Any) -> str:
        """The name of a constant that is plain Python."""
        return self.constant(f"plain {value!r}", out, lambda made: _attribute(made, value))

    def constant(self, key: str, out: Any, fill: Any) -> str:
        """The name of a constant, which is entered where it is first wanted: all graphs see it."""
        if key not in self.values:
            name = self.values[key] = f"ValueNode_{len(self.values)}"
            fill(out.node.add(op_type="Constant", output=[name], name=name).attribute.add(name="value"))
        return self.values[key]

    def primitive(self, node: ExportedNode) -> str:
        """The name of a primitive in the table of the file."""
        key = f"{node.kind} {sorted(node.attributes.items())!r}"
        if key not in self.primitives:
            self.primitives[key] = f"{node.kind}:{len(self.primitives) + 1}"
            kind = _PRIMITIVE if node.kind in ATTRIBUTED else _FUNCTION
            made = self.message.primitives.add(name=self.primitives[key], op_type=node.kind, instance_name=node.kind,
                                               prim_type=kind)
            for name, value in node.attributes.items():
                _attribute(made.attribute.add(name=name), value)
            for name, value in _EFFECTS.get(node.kind, {}).items():
                _attribute(made.attribute.add(name=name), value)
        return self.primitives[key]


def stored_array(tensor: Tensor) -> StoredArray:
    """The content of a tensor."""
    bits = tensor.asnumpy()
    if tensor.dtype.name == "bfloat16":
        bits = (np.ascontiguousarray(bits, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return StoredArray(tensor.dtype.name, tuple(tensor.shape), np.ascontiguousarray(bits).tobytes())


def _filled(tensor: Any, array: StoredArray) -> Any:
    tensor.dims.extend(array.shape)
    tensor.data_type, tensor.raw_data = NUMBERS[array.dtype], bytes(array.data)
    return tensor


def _dims(aval: Aval) -> list[int]:
    return [-1 if type(n) is Dim else n for n in aval.shape]


def _typed(name: str, aval: Aval | None) -> Any:
    """A value with its type; a tuple has none."""
    made = MESSAGES.ValueInfo(name=name)
    if aval is not None:
        made.tensor.add(name=name, data_type=NUMBERS[aval.dtype.name], dims=_dims(aval))
    return made


def _attribute(made: Any, value: Any, inside: bool = False) -> None:
    """A plain value; inside of a sequence numbers stand in the lists."""
    if value is None:
        made.type = _NONE
        return
    if isinstance(value, DType):
        made.type = _TENSORS
        made.tensors.add(name="value0", data_type=NUMBERS[value.name])
        return
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
    made.type = _TUPLE
    for one in value:
        _attribute(made.values.add(), one, True)
