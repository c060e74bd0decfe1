"""MindIR files."""

from __future__ import annotations

import numpy as np
from structures import message_changed

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.core.errors import ModelError
from mindspore.formats.array import StoredArray
from readers import equal, plain, reader

KEY = b"0123456789abcdef"


class Net(nn.Cell):
    """A convolution, a branch, a loop and a parameter that changes."""

    def __init__(self):
        super().__init__()
        self.conv, self.dense = nn.Conv2d(1, 2, 3, has_bias=True), nn.Dense(8, 3)
        self.count = Parameter(Tensor(np.zeros(3, np.float32)), name="count")

    def construct(self, x):
        y = self.dense(ops.relu(self.conv(x)).reshape(1, 8)) if x.sum() > 0 else x[:, 0, 0, :1] + self.count
        while y.max() > 1:
            y = y / 2
        ops.assign(self.count, self.count + 1)
        return y, self.count * 2


def _exported(**more):
    def write(folder):
        ms.set_seed(1)
        x = Tensor(np.ones((1, 1, 2, 2), np.float32))
        ms.export(Net(), x, file_name=str(folder / "a"), file_format="MINDIR", **more)
        (folder / "a.mindir").chmod(0o644)

    return write


def _described(value):
    """A value of a file as one that can be compared."""
    if isinstance(value, StoredArray):
        return value.dtype, value.shape, bytes(value.data)
    if isinstance(value, (tuple, list)):
        return [_described(v) for v in value]
    return plain(value)


def _loaded(folder, **more):
    """All that a graph is: its steps, constants and weights."""
    graph = nn.GraphCell(ms.load(str(folder / "a.mindir"), **more)).graph
    model = graph._model
    return [sorted((name, repr(g)) for name, g in model.graphs.items()),
            sorted((name, _described(v)) for name, v in {**model.constants, **model.weights}.items()),
            sorted((name, p.shape, p.asnumpy().tobytes()) for name, p in graph.parameters.items())]


@reader(_exported(), ModelError, NotImplementedError, structure=message_changed)
def mindir(folder):
    return _loaded(folder)


@reader(_exported(enc_key=KEY), ModelError, same=equal)
def mindir_encrypted(folder):
    return _loaded(folder, dec_key=KEY)


@reader(_exported(), ModelError, structure=message_changed)
def mindir_message(folder):
    return ms.load_mindir(str(folder / "a.mindir")).SerializeToString()


def _early(folder):
    """A graph in the encoding of 1.1 to 1.6."""
    from mindspore.formats.mindir import MESSAGES as m

    def noted(name, form, **values):
        return m.Attribute(name=name, ref_attr_name=form, **values)
    shape = m.Node(op_type="Constant", output=["s"], attribute=[
        noted("value", "scalar:Tuple[value1,value2,],", type=7, ints=[3, 2])])
    reshape = m.Node(op_type="Reshape", input=["w", "s"], output=["r"], attribute=[
        noted("shape", "shape:shape1,", tensors=[m.Tensor(name="shape1", dims=[3, 2], data_type=1)])])
    softmax = m.Node(op_type="S-Prim-Softmax", input=["r"], output=["o"], attribute=[
        noted("axis", "scalar:Tuple[value1,],", type=7, ints=[0])])
    add = m.Node(op_type="Add", input=["o", "x"], output=["a"])
    weight = m.Tensor(name="w", dims=[6], data_type=1, raw_data=np.arange(6, dtype=np.float32).tobytes())
    graph = m.Graph(name="g", input=[m.ValueInfo(name="x")], parameter=[weight], node=[shape, reshape, softmax, add],
                    output=[m.ValueInfo(name="a")])
    model = m.Model(ir_version="0.1.0", producer_name="MindSpore", model_version="1.1.0", graph=graph)
    (folder / "a.mindir").write_bytes(model.SerializeToString())


@reader(_early, ModelError, NotImplementedError, structure=message_changed)
def mindir_of_early_releases(folder):
    return _loaded(folder)


def _split(folder):
    """A graph whose weights stand in a file beside it."""
    _exported()(folder)
    message = ms.load_mindir(str(folder / "a.mindir"))
    data = bytearray(b"\1" + bytes(63))
    for tensor in message.graph.parameter:
        content = tensor.raw_data
        tensor.ClearField("raw_data")
        tensor.external_data.location = "variables/data_0"
        tensor.external_data.offset, tensor.external_data.length = len(data), len(content)
        data += content + bytes(-len(content) % 64)
    (folder / "variables").mkdir()
    (folder / "variables" / "data_0").write_bytes(data)
    ms.save_mindir(message, str(folder / "a.mindir"))


@reader(_split, ModelError, NotImplementedError, structure=message_changed)
def mindir_in_several_files(folder):
    return _loaded(folder)
