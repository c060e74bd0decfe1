"""`export` to AIR: models that torch runs by the specification compute the same; what cannot be written is named."""
from __future__ import annotations

import stat

import air_reader
import numpy as np
import pytest
import torch
from export_networks import NETS, Branch, tensor
from export_networks_more import MORE
from operator_samples import as_tuple, avals, drawn

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ir import Aval, Graph, Node
from mindspore.operators.registry import REGISTRY
from mindspore.train.exporting import air_export, air_forms

KINDS = ("ResNet50", "MobileNetV3", "UNet with transposed convolutions", "BERT", "YOLO head", "LeNet", "CRNN",
         "TextCNN")
VARIED = [pytest.param(make, inputs, id=name) for name, make, inputs in [*NETS, *MORE] if name in KINDS]


def exported(folder, net, *inputs, **options):
    ms.export(net, *inputs, file_name=f"{folder}/net", file_format="AIR", **options)
    return air_reader.read(f"{folder}/net.air")


@pytest.mark.parametrize(("make", "inputs"), VARIED)
def test_a_network_computes_the_same(tmp_path, make, inputs):
    ms.set_seed(1)
    net = make()
    message = exported(tmp_path, net, *inputs)
    net.set_train(False)
    wanted = net(*inputs)
    found = air_reader.run(message, *[torch.from_numpy(x.asnumpy()) for x in inputs])
    for mine, theirs in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(air_forms.FORMS))
def test_an_operator_computes_the_same(name):
    op = REGISTRY[name]
    if not op.samples:
        pytest.skip("the operator has no sample; networks try it")
    torch.manual_seed(0)
    inputs, attrs = drawn(op.samples[0], torch.float32)
    params = [Node(None, (), {}, a) for a, x in zip(avals(inputs), inputs, strict=True) if isinstance(x, torch.Tensor)]
    given = iter(params)
    found = op.infer(*avals(inputs), **attrs)
    node = Node(op, tuple([next(given) if isinstance(x, torch.Tensor) else x for x in inputs]), attrs, found)
    items = [node] if type(found) is Aval else list(node.with_items())[:1]
    writing = air_export.Writing(name)
    names = [writing.data(p.aval, f"x{k}") for k, p in enumerate(params)]
    outs = writing.graph(Graph(name, params, list(dict.fromkeys([node, *items])), items), names)
    message = air_reader.MESSAGES.Model(graph=[writing.message])
    message.graph[0].input.extend(names)
    message.graph[0].output.extend(outs)
    mine, = air_reader.run(message, *[x for x in inputs if isinstance(x, torch.Tensor)])
    theirs = as_tuple(op.kernel(*inputs, **attrs))[0]
    assert mine.dtype is theirs.dtype
    torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-6)


class Made(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")
        self.function = function

    def construct(self, x):
        return self.function(self, x)


def test_inputs_weights_and_open_extents_have_their_names_and_types(tmp_path):
    message = exported(tmp_path, Made(lambda net, x: x * net.w), Tensor(shape=[None, 2], dtype=ms.float32))
    by_name = {op.name: op for op in message.graph[0].op}
    assert (by_name["x"].type, list(by_name["x"].output_desc[0].shape.dim)) == ("Data", [-1, 2])
    assert air_reader.tensor_of(by_name["w"].attr["value"].t).tolist() == [1.0, 2.0]
    assert message.attr["target_type"].s == b"MINI"
    assert stat.S_IMODE((tmp_path / "net.air").stat().st_mode) == stat.S_IRUSR
    for rows in (1, 3):
        x = torch.ones(rows, 2)
        assert air_reader.run(message, x)[0].tolist() == [[1.0, 2.0]] * rows


def test_integers_that_are_divided_are_floats_before(tmp_path):
    message = exported(tmp_path, Made(lambda net, x: x / 2), Tensor([1, 2, 3], ms.int32))
    assert air_reader.run(message, torch.tensor([1, 2, 3], dtype=torch.int32))[0].tolist() == [0.5, 1.0, 1.5]


def test_what_has_no_form_names_the_operator_and_the_line(tmp_path):
    with pytest.raises(RuntimeError, match=r"'Cholesky' at .*test_air_export.py:\d+.* cannot be written as AIR"):
        exported(tmp_path, Made(lambda net, x: ops.cholesky(x)), tensor(3, 3))
    with pytest.raises(RuntimeError, match="branches and loops"):
        exported(tmp_path, Branch(), tensor(2, 4))

    def keeping(net, x):
        net.w += x
        return net.w * 2
    with pytest.raises(RuntimeError, match="for inference only"):
        exported(tmp_path, Made(keeping), Tensor([1.0, 2.0]))
    assert list(tmp_path.iterdir()) == []


def test_content_is_encrypted_by_a_function_only(tmp_path):
    net, x = Made(lambda net, x: x + net.w), Tensor([1.0, 2.0])
    plain = exported(tmp_path, net, x).SerializeToString(deterministic=True)
    ms.export(net, x, file_name=f"{tmp_path}/b", file_format="AIR", enc_key=b"k", enc_mode=lambda c, key: key + c)
    content = (tmp_path / "b.air").read_bytes()
    assert content[:1] == b"k"
    assert air_reader.MESSAGES.Model.FromString(content[1:]).SerializeToString(deterministic=True) == plain
    with pytest.raises(ValueError, match="must be a function"):
        ms.export(net, x, file_name=f"{tmp_path}/c", file_format="AIR", enc_key=b"k" * 16)
