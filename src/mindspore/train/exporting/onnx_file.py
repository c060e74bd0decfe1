"""ONNX's files: the messages, and weights beside them where a message would be too large."""
from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mindspore.core.dtype import DTYPES, DType
from mindspore.formats.files import atomic
from mindspore.ir import Aval
from mindspore.operators.exported import TYPES, Exported, ExportedNode

from .onnx_opset import library

LARGEST = 2 ** 31 - 2 ** 20         # bytes of weights in one message: a message has less than 2 GB
_OPTIONAL = {"MaxPool", "LayerNormalization", "LSTM", "GRU", "RNN", "Dropout"}    # the last results may be left out
_SMALL = 1024                       # bytes: tensors that stay in the message in any case


class Weights:
    """Tensors of a file: in the message, or those that are not small in a file beside it.

    Args:
        stored: Array and dtype by name.
        path: The file of the message.
    """

    def __init__(self, stored: Mapping[str, tuple[np.ndarray[Any, Any], DType]], path: str):
        self.stored = {name: (as_stored(*given), given[1]) for name, given in stored.items()}
        self.folder, name = os.path.split(path)
        self.beside: list[np.ndarray[Any, Any]] = []
        self.places: dict[str, tuple[int, int]] = {}
        if sum([v.nbytes for v, _ in self.stored.values()]) > LARGEST:
            at = checksum = 0
            for key, (array, _) in self.stored.items():
                if array.nbytes > _SMALL:
                    self.beside.append(array)
                    self.places[key] = at, array.nbytes
                    at += array.nbytes
                    checksum = zlib.crc32(bytes_of(array), checksum)
            # the name holds a checksum, so that an older model of the same name keeps its own
            self.location = f"{name.removesuffix('.onnx')}-{checksum:08x}.data"

    def messages(self) -> list[Any]:
        """The messages of all tensors."""
        return [self.message(name, *given) for name, given in self.stored.items()]

    def message(self, name: str, array: np.ndarray[Any, Any], dtype: DType) -> Any:
        """The message of one tensor."""
        tensor = library().TensorProto(name=name, data_type=TYPES[dtype.name], dims=array.shape)
        if name not in self.places:
            tensor.raw_data = array.tobytes()
            return tensor
        tensor.data_location = tensor.EXTERNAL
        offset, length = self.places[name]
        for key, value in (("location", self.location), ("offset", offset), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        return tensor

    def write(self, mode: int) -> None:
        """Write the file beside the message, if there is one."""
        if self.beside:
            with atomic(os.path.join(self.folder, self.location), mode) as file:
                for array in self.beside:
                    file.write(bytes_of(array))


def bytes_of(array: np.ndarray[Any, Any]) -> memoryview:
    """The memory of an array whose elements lie row by row."""
    return array.reshape(-1).data.cast("B")


def as_stored(array: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """The bytes of a tensor in a message: little endian, row by row."""
    if dtype is DTYPES["bfloat16"]:
        return (np.asarray(array, np.float32, order="C").view(np.uint32) >> 16).astype("<u2")
    return np.asarray(array, array.dtype.newbyteorder("<"), order="C")


def value_info(name: str, aval: Aval, named: Mapping[int, str] | None = None) -> Any:
    """The message for the type of a value; extents that only a run tells have a name."""
    shape = [(named or {}).get(k) or getattr(n, "text", n) for k, n in enumerate(aval.shape)]
    return library().helper.make_tensor_value_info(name, TYPES[aval.dtype.name], shape)


def node_message(g: Exported, node: ExportedNode, number: int) -> Any:
    """The message of one node."""
    helper = library().helper
    attributes = {key: graph_message(value, f"{node.kind}_{key}") if isinstance(value, Exported) else value
                  for key, value in node.attributes.items()}
    name = f"{node.scope}/{node.kind}_{number}" if node.scope else f"{node.kind}_{number}"
    return helper.make_node(node.kind, node.inputs, node.outputs, name=name, **attributes)


def graph_message(g: Exported, name: str, inputs: Sequence[Any] | None = None, outputs: Sequence[Any] | None = None,
                  initializers: Sequence[Any] = ()) -> Any:
    """The message of a graph."""
    if inputs is None:
        inputs = [value_info(x, g.avals[x]) for x in g.given]
    if outputs is None:
        outputs = [value_info(x, g.avals[x]) for x in g.outs]
    return library().helper.make_graph([node_message(g, n, k) for k, n in enumerate(g.nodes)], name, inputs, outputs,
                                       list(initializers))


def used(g: Exported, outs: Sequence[str]) -> set[str]:
    """Drop nodes that nothing needs, here and inside; the names that are left in use."""
    wanted, kept = set(outs), []
    for node in reversed(g.nodes):
        if wanted.isdisjoint(node.outputs):
            continue
        if node.kind in _OPTIONAL:
            count = max([k for k, x in enumerate(node.outputs, 1) if x in wanted])
            node = node._replace(outputs=node.outputs[:count])
        kept.append(node)
        wanted.update(node.inputs)
        for inner in node.attributes.values():
            if isinstance(inner, Exported):
                wanted |= used(inner, inner.outs)
    g.nodes[:] = kept[::-1]
    return wanted


def renamed(g: Exported, names: Mapping[str, str]) -> None:
    """Give values other names, here and inside."""
    if not names:
        return
    for k, node in enumerate(g.nodes):
        for inner in node.attributes.values():
            if isinstance(inner, Exported):
                renamed(inner, names)
        g.nodes[k] = node._replace(inputs=tuple([names.get(x, x) for x in node.inputs]),
                                   outputs=tuple([names.get(x, x) for x in node.outputs]))
    g.given, g.outs = [names.get(x, x) for x in g.given], [names.get(x, x) for x in g.outs]
