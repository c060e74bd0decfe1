"""MindIR files (`.mindir`): graphs of primitives with their weights, as plain data.

A file is one protocol-buffer message, encrypted or not (`formats/cipher.py`).  Weights of more than 1 GiB stand in
files beside it.  Two encodings are read: the one of 1.1 to 1.6, whose nodes name their primitive, and the later one,
with a table of primitives and types at every attribute.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from mindspore.core.errors import CheckpointError, ModelError
from mindspore.core.plain_files import regular
from mindspore.formats import cipher
from mindspore.formats.array import StoredArray
from mindspore.formats.messages import Messages
from mindspore.formats.mindir_values import TYPES, Invalid, attribute_value, stored

_TENSOR = {"dims": (1, ["int64"]), "data_type": (2, "int32"), "float_data": (3, ["float"]),
           "int32_data": (4, ["int32"]), "string_data": (5, ["bytes"]), "int64_data": (6, ["int64"]),
           "name": (7, "string"), "raw_data": (9, "bytes"), "double_data": (10, ["double"]),
           "uint64_data": (11, ["uint64"]), "external_data": (12, "External"), "ref_key": (13, "string"),
           "min_dims": (14, ["int64"]), "max_dims": (15, ["int64"]), "compression_type": (16, "int32")}
MESSAGES = Messages("anyspore.mind_ir", {
    "Model": {"ir_version": (1, "string"), "producer_name": (2, "string"), "producer_version": (3, "string"),
              "domain": (4, "string"), "model_version": (5, "string"), "doc_string": (6, "string"),
              "graph": (7, "Graph"), "functions": (8, ["Graph"]), "preprocessor": (9, "Preprocessor"),
              "little_endian": (10, "bool"), "primitives": (12, ["Primitive"]), "mind_ir_version": (13, "int64"),
              "user_info": (14, {"string": "string"})},
    "Graph": {"node": (1, ["Node"]), "name": (2, "string"), "parameter": (3, ["Tensor"]), "doc_string": (4, "string"),
              "input": (5, ["ValueInfo"]), "output": (6, ["ValueInfo"]), "bprop_hash": (7, "string"),
              "attribute": (8, ["Attribute"]), "map_parameter": (10, ["MapTensor"])},
    "Node": {"input": (1, ["string"]), "output": (2, ["string"]), "name": (3, "string"), "op_type": (4, "string"),
             "attribute": (5, ["Attribute"]), "doc_string": (6, "string"), "domain": (7, "string")},
    "Primitive": {"name": (1, "string"), "op_type": (2, "string"), "attribute": (3, ["Attribute"]),
                  "instance_name": (4, "string"), "prim_type": (5, "int32")},
    "ValueInfo": {"name": (1, "string"), "tensor": (2, ["Tensor"]), "denotation": (4, "string"),
                  "attr_info": (5, "Attribute")},
    "Tensor": _TENSOR,
    "External": {"location": (1, "string"), "offset": (2, "int64"), "length": (3, "int64")},
    "MapTensor": {"name": (1, "string")},
    # a choice of one: it is written although it is 0
    "Attribute": {"name": (1, "string"), "f": (2, "float", "_f"), "i": (3, "int64", "_i"), "d": (4, "double", "_d"),
                  "s": (5, "bytes", "_s"),
                  "t": (6, "Tensor"), "floats": (8, ["float"]), "doubles": (9, ["double"]), "ints": (10, ["int64"]),
                  "strings": (11, ["bytes"]), "tensors": (12, ["Tensor"]), "ref_attr_name": (15, "string"),
                  "type": (16, "int32"), "values": (17, ["Attribute"])},
    "Preprocessor": {"op": (1, ["PreprocessOp"])},
    "PreprocessOp": {"input_columns": (1, "string"), "output_columns": (2, "string"), "project_columns": (3, "string"),
                     "op_type": (4, "string"), "operations": (5, "string"), "offload": (6, "bool")},
})
LATEST = 3                  # the highest `mind_ir_version`
_REFERENCE = "REF::"
_FUNCTION = 2               # type of primitives whose options are inputs
_HEAD = 64                  # bytes before the first weight of a file beside the model


class Primitive(NamedTuple):
    """An operator of the format; with `positional` its options are the last inputs, else they are in `attrs`."""

    name: str
    attrs: dict[str, Any]
    positional: bool


class Node(NamedTuple):
    """One step: a primitive, the name of a graph, or the name of a value that is a function; names of inputs."""

    target: Primitive | str
    inputs: tuple[str, ...]
    output: str


class Graph(NamedTuple):
    """Names of arguments, the steps in order, the name of the result, and types of the arguments where known."""

    name: str
    inputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    output: str
    avals: tuple[tuple[str, tuple[int, ...]] | None, ...]


class Model(NamedTuple):
    """What a file holds: graphs by name, constants of all of them by name, and weights by their name in the graph."""

    main: Graph
    graphs: dict[str, Graph]
    constants: dict[str, Any]
    weights: dict[str, StoredArray]


def read(path: str, key: bytes | None = None, mode: str = "AES-GCM") -> Model:
    """Read a file.

    Raises:
        ModelError: The file is damaged, encrypted otherwise, or of a later version.
        ValueError: The key does not suit the mode.
        OSError: The file cannot be read.
    """
    with open(path, "rb", opener=regular) as file:
        data = memoryview(file.read())
    return parse(_plain(data, key, mode, path), path, key, mode)


def parse(data: Any, path: str, key: bytes | None = None, mode: str = "AES-GCM") -> Model:
    """The model in the bytes of a file that is not encrypted; weights in other files are looked for beside `path`.

    Raises:
        ModelError: The bytes are no such file.
    """
    from google.protobuf.message import DecodeError

    try:
        message = MESSAGES.Model.FromString(bytes(data))
        return _Reading(message, path, key, mode).model()
    except (DecodeError, Invalid) as error:
        raise ModelError(f"The file '{path}' is no MindIR file, or damaged: {error}.") from None


def _plain(data: memoryview, key: bytes | None, mode: str, path: str) -> Any:
    if key is None:
        if cipher.is_encrypted(data):
            raise ModelError(f"The file '{path}' is encrypted: give its key as 'dec_key'.")
        return data
    try:
        return cipher.decrypted(data, key, mode)
    except CheckpointError as error:
        raise ModelError(f"The file '{path}' cannot be decrypted: {error}.") from None


class _Reading:
    """A message being read."""

    def __init__(self, message: Any, path: str, key: bytes | None, mode: str):
        self.message, self.path, self.key, self.mode = message, path, key, mode
        self.parts: dict[str, Any] = {}
        self.constants: dict[str, Any] = {}

    def model(self) -> Model:
        """The whole of it."""
        message = self.message
        if not message.producer_name or not message.model_version or not message.graph.name:
            raise Invalid("the name of the program that wrote it, its version or the graph is missing")
        if message.mind_ir_version > LATEST:
            raise Invalid(f"it has the version {message.mind_ir_version}, and versions to {LATEST} are known")
        if message.ir_version == "1.1" and not message.little_endian:
            raise Invalid("it was written on a machine with the other order of bytes")
        if message.graph.map_parameter:
            raise Invalid("it has weights that are maps, which are not supported")
        protos = [message.graph, *message.functions]
        self.names = {g.name for g in protos}
        self.primitives = {p.name: Primitive(p.op_type, self.attrs(p), p.prim_type == _FUNCTION)
                           for p in message.primitives}
        weights = {t.name: self.weight(t) for t in message.graph.parameter}
        for graph in protos:
            for node in graph.node:
                if node.op_type == "Constant":
                    self.constant(node)
        graphs = {g.name: self.graph(g, weights if g is protos[0] else {}) for g in protos}
        if len(graphs) < len(protos):
            raise Invalid("two graphs have one name")
        return Model(graphs[message.graph.name], graphs, self.constants, weights)

    def attrs(self, owner: Any) -> dict[str, Any]:
        """Attributes of a primitive, or of a node in the old encoding, without inferred types."""
        return {a.name: attribute_value(a) for a in owner.attribute if a.name != "shape" or not _is_inferred(a)}

    def constant(self, node: Any) -> None:
        if len(node.output) < 1 or len(node.attribute) < 1:
            raise Invalid("a constant has no name or no value")
        self.constants[node.output[0]] = attribute_value(node.attribute[0])

    def graph(self, message: Any, weights: dict[str, StoredArray]) -> Graph:
        """One graph; every name that it uses is that of something before."""
        inputs = tuple([v.name for v in message.input if v.name not in weights])
        known = {*inputs, *weights, *self.constants, *self.names}
        nodes = []
        for proto in message.node:
            if proto.op_type == "Constant":
                continue
            node = self.node(proto, known)
            for name in node.inputs:
                if name not in known:
                    raise Invalid(f"the node '{node.output}' uses '{name}', which nothing before it gives")
            known.add(node.output)
            nodes.append(node)
        outs = [o.name for o in message.output]
        if not outs or not known.issuperset(outs):
            raise Invalid(f"the graph '{message.name}' has no result, or one that nothing gives")
        if len(outs) > 1:       # several results of old files are a tuple
            nodes.append(Node(Primitive("MakeTuple", {}, False), tuple(outs), "results of " + message.name))
            outs = [nodes[-1].output]
        avals = tuple([_aval(v) for v in message.input if v.name not in weights])
        return Graph(message.name, inputs, tuple(nodes), outs[0], avals)

    def node(self, proto: Any, known: set[str]) -> Node:
        if not proto.output:
            raise Invalid(f"a node of '{proto.op_type}' has no name")
        target: Any = proto.op_type
        if target.startswith(_REFERENCE):
            target = target[len(_REFERENCE):]
            if target in self.primitives:
                target = self.primitives[target]
            elif target not in known:
                raise Invalid(f"the node '{proto.output[0]}' refers to '{target}', which does not exist")
        elif not target:
            raise Invalid(f"the node '{proto.output[0]}' has no operator")
        else:
            target = Primitive(target.removeprefix("S-Prim-"), self.attrs(proto), False)
        return Node(target, tuple(proto.input), proto.output[0])

    def weight(self, tensor: Any) -> StoredArray:
        """A weight, from the file or from one beside it."""
        if not tensor.HasField("external_data"):
            return stored(tensor)
        where = tensor.external_data
        data = self.part(where.location)
        if not 0 <= where.offset <= where.offset + where.length <= len(data):
            raise Invalid(f"the weight '{tensor.name}' lies outside of the file '{where.location}'")
        return stored(tensor, data[where.offset:where.offset + where.length])

    def part(self, location: str) -> memoryview:
        """The plain bytes of a file beside the model."""
        if location not in self.parts:
            if os.path.isabs(location) or ".." in location.replace("\\", "/").split("/") or "\0" in location:
                raise Invalid(f"the file of weights '{location}' is not below the folder of the model")
            path = os.path.join(os.path.dirname(self.path), location)
            try:
                with open(path, "rb", opener=regular) as file:
                    data = memoryview(file.read())
            except OSError as error:
                raise Invalid(f"its weights are not in '{path}': {error.strerror}") from None
            data = memoryview(_plain(data, self.key, self.mode, path))
            if len(data) < _HEAD or data[0] != 1:
                raise Invalid(f"the file of weights '{location}' has no head")
            self.parts[location] = data
        return self.parts[location]


def _is_inferred(attribute: Any) -> bool:
    """Whether an attribute called shape is the inferred type of the result, not an option."""
    return attribute.ref_attr_name.startswith("shape:") or not attribute.ref_attr_name


def _aval(value: Any) -> tuple[str, tuple[int, ...]] | None:
    if len(value.tensor) != 1 or value.tensor[0].data_type not in TYPES:
        return None
    return TYPES[value.tensor[0].data_type], tuple(value.tensor[0].dims)


def nodes_of(model: Model) -> Iterator[Node]:
    """All nodes of all graphs."""
    for graph in model.graphs.values():
        yield from graph.nodes

