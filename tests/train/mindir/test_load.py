"""`load`: what the original wrote computes what the original computed, and trains on; damaged files say so."""
from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from archives import arrays_of

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.core.errors import ModelError
from mindspore.formats.array import StoredArray
from mindspore.formats.mindir import MESSAGES, Graph, Model, Node, Primitive
from mindspore.formats.mindir_values import MONAD
from mindspore.train.mindir.running import LoadedGraph

NAMES = """closure dtypes dynamic encrypted encrypted_cbc for_loop grad if_net jit_fn lenet lstm_cls multi_io res_block
           split split_enc split_many state switch_layer train_step user_info while_net"""


def opened(reference, name):
    """The cell of a file, its recorded cases and the arrays of these."""
    folder = Path(reference, "formats", "fixtures", "mindir")
    said = json.loads((folder / f"{name}.mindir.expected.json").read_text())
    arrays = arrays_of(folder / f"{name}.mindir.expected.npz")
    file = next(f for f in said["files"] if f.endswith(".mindir"))
    key = {"dec_key": bytes.fromhex(said["enc_key_hex"]), "dec_mode": said["enc_mode"]} if said["enc_key_hex"] else {}
    return nn.GraphCell(ms.load(str(folder / file), **key)), said["cases"], arrays


def flat(value):
    return [x for v in value for x in flat(v)] if isinstance(value, (tuple, list)) else [value]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("name", NAMES.split())
def test_files_of_the_original_compute_what_it_computed(reference, name):
    cell, cases, arrays = opened(reference, name)
    assert cases
    for case in cases:      # one after the other on one cell: some change their weights
        ins = [Tensor(arrays[i["npz"]], getattr(ms, i["dtype"].lower())) for i in case["inputs"]]
        outs = flat(cell(*ins))
        assert len(outs) == len(case["outputs"])
        for found, said in zip(outs, case["outputs"], strict=True):
            loose = {"Float16": 1e-3, "BFloat16": 1e-2}.get(said["dtype"], 1e-5)
            found = found.astype(ms.float32) if said["dtype"] == "BFloat16" else found
            wanted = arrays[said["npz"]]
            scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0) or 1
            np.testing.assert_allclose(np.asarray(found.asnumpy() if isinstance(found, Tensor) else found), wanted,
                                       rtol=0, atol=loose * scale)


def test_a_network_that_was_loaded_trains_as_torch_does(reference):
    net, _, _ = opened(reference, "lenet")
    weights = {p.name: torch.tensor(p.asnumpy(), requires_grad=True) for p in net.trainable_params()}
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 1, 32, 32)).astype(np.float32), np.array([1, 7], np.int32)
    shape = arrays_of(Path(reference, "formats/fixtures/mindir/lenet.mindir.expected.npz"))["case0.in.0"].shape
    x = np.resize(x, shape)
    y = np.resize(y, shape[:1])

    def torch_loss():
        t = torch.tensor(x)
        for k in (1, 2):
            t = torch.relu(torch.nn.functional.conv2d(t, weights[f"conv{k}.weight"]))
            t = torch.nn.functional.max_pool2d(t, 2)
        t = t.flatten(1)
        for k in (1, 2, 3):
            t = torch.nn.functional.linear(t, weights[f"fc{k}.weight"], weights[f"fc{k}.bias"])
            t = torch.relu(t) if k < 3 else t
        return torch.nn.functional.cross_entropy(t, torch.tensor(y, dtype=torch.int64))
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)
    theirs = torch.optim.SGD(weights.values(), 0.1)
    for _ in range(3):
        theirs.zero_grad()
        loss = torch_loss()
        loss.backward()
        theirs.step()
        assert float(step(Tensor(x), Tensor(y))) == pytest.approx(float(loss.detach()), rel=1e-5)
    for p in net.trainable_params():
        np.testing.assert_allclose(p.asnumpy(), weights[p.name].detach().numpy(), rtol=1e-4, atol=1e-6)


# ---------------------------------------------------------------------- files made here
def counting():
    """`while n < limit: n = n + 1`, as graphs that call each other."""
    m = MESSAGES
    number = {"data_type": 6, "name": "value0"}

    def graph(name, inputs, nodes, out):
        return m.Graph(name=name, input=[m.ValueInfo(name=i, tensor=[m.Tensor(data_type=6)]) for i in inputs],
                       node=[m.Node(op_type=t, input=i, output=[o]) for t, i, o in nodes],
                       output=[m.ValueInfo(name=out)])
    one = m.Tensor(raw_data=np.int32(1).tobytes(), **number)
    body = graph("body", ["b:n", "b:limit"], [("REF::Add:1", ["b:n", "one"], "b:next"),
                                              ("REF::head", ["b:next", "b:limit"], "b:out")], "b:out")
    body.node.add(op_type="Constant", output=["one"]).attribute.add(name="value", type=19).tensors.append(one)
    after = graph("after", ["a:n"], [], "a:n")
    head = graph("head", ["h:n", "h:limit"], [
        ("REF::Less:1", ["h:n", "h:limit"], "h:c"), ("REF::Partial:1", ["body", "h:n", "h:limit"], "h:yes"),
        ("REF::Partial:1", ["after", "h:n"], "h:no"), ("REF::Switch:1", ["h:c", "h:yes", "h:no"], "h:f"),
        ("REF::h:f", [], "h:out")], "h:out")
    main = graph("main", ["m:n", "m:limit"], [("REF::head", ["m:n", "m:limit"], "m:out")], "m:out")
    kinds = {"Add": 2, "Less": 2, "Partial": 1, "Switch": 1}
    return m.Model(ir_version="1.1", producer_name="here", model_version="1", mind_ir_version=3, little_endian=True,
                   graph=main, functions=[head, body, after],
                   primitives=[m.Primitive(name=f"{k}:1", op_type=k, prim_type=v) for k, v in kinds.items()])


def written(folder, message):
    path = folder / "a.mindir"
    path.write_bytes(message.SerializeToString())
    return str(path)


def test_loops_may_be_long(tmp_path):
    cell = nn.GraphCell(ms.load(written(tmp_path, counting())))
    assert int(cell(Tensor(3, ms.int32), Tensor(5003, ms.int32))) == 5003


def test_the_encoding_of_early_releases(tmp_path):
    m = MESSAGES

    def noted(name, form, **values):
        return m.Attribute(name=name, ref_attr_name=form, **values)
    shape = m.Node(op_type="Constant", output=["s"], attribute=[
        noted("value", "scalar:Tuple[value1,value2,],", type=7, ints=[3, 2])])
    reshape = m.Node(op_type="Reshape", input=["x", "s"], output=["r"], attribute=[
        noted("shape", "shape:shape1,", tensors=[m.Tensor(name="shape1", dims=[3, 2], data_type=1)])])
    mean = m.Node(op_type="S-Prim-Softmax", input=["r"], output=["o"], attribute=[
        noted("axis", "scalar:Tuple[value1,],", type=7, ints=[0])])
    values = [m.ValueInfo(name="r"), m.ValueInfo(name="o")]
    graph = m.Graph(name="g", input=[m.ValueInfo(name="x")], node=[shape, reshape, mean], output=values)
    model = m.Model(ir_version="0.1.0", producer_name="MindSpore", model_version="1.1.0", graph=graph)
    x = np.arange(6, dtype=np.float32)
    reshaped, soft = nn.GraphCell(ms.load(written(tmp_path, model)))(Tensor(x))
    np.testing.assert_array_equal(reshaped.asnumpy(), x.reshape(3, 2))
    np.testing.assert_allclose(soft.asnumpy(), torch.softmax(torch.tensor(x.reshape(3, 2)), 0), rtol=1e-6)


def wrong(change):
    message = counting()
    change(message)
    return message


@pytest.mark.parametrize(("change", "says"), [
    (lambda m: m.ClearField("producer_name"), "is missing"),
    (lambda m: setattr(m, "mind_ir_version", 9), "version 9"),
    (lambda m: setattr(m, "little_endian", False), "order of bytes"),
    (lambda m: setattr(m.functions[0].node[0], "op_type", "REF::No:1"), "'No:1', which does not exist"),
    (lambda m: m.functions[1].node[0].input.append("x"),
     "'x', which nothing before it gives"),
    (lambda m: m.graph.ClearField("output"), "no result"),
    (lambda m: m.graph.parameter.add(name="w", dims=[2], data_type=1, raw_data=b"1234"), "has 4 bytes"),
    (lambda m: m.graph.parameter.add(name="w", dims=[2], data_type=99), "unknown type 99"),
    (lambda m: m.graph.parameter.add(name="w", data_type=1).external_data.MergeFrom(
        MESSAGES.External(location="../w", offset=64, length=4)), "not below the folder"),
    (lambda m: m.graph.parameter.add(name="w", data_type=1).external_data.MergeFrom(
        MESSAGES.External(location="gone", offset=64, length=4)), "its weights are not in"),
])
def test_what_is_wrong_in_a_file_is_said(tmp_path, change, says):
    with pytest.raises(ModelError, match=says):
        ms.load(written(tmp_path, wrong(change)))


def test_a_primitive_that_is_not_known_is_named(tmp_path):
    with pytest.raises(NotImplementedError, match="'Nobody'"):
        ms.load(written(tmp_path, wrong(lambda m: setattr(m.primitives[0], "op_type", "Nobody"))))


def test_inputs_that_do_not_fit_are_refused(tmp_path):
    cell = nn.GraphCell(ms.load(written(tmp_path, counting())))
    with pytest.raises(ValueError, match="takes 2 inputs, but got 1"):
        cell(Tensor(1, ms.int32))
    with pytest.raises(ValueError, match="input 1 must be int32"):
        cell(Tensor(1, ms.int32), Tensor(2.0, ms.float32))


def test_keys_are_needed_and_tried(reference, tmp_path):
    source = Path(reference, "formats", "fixtures", "mindir", "encrypted.mindir")
    with pytest.raises(ModelError, match="is encrypted"):
        ms.load(str(source))
    with pytest.raises(ModelError, match="the key is wrong"):
        ms.load(str(source), dec_key=b"x" * 16)
    plain = tmp_path / "plain.mindir"
    shutil.copy(written(tmp_path, counting()), plain)
    assert ms.load(str(plain), dec_key=b"k", dec_mode=lambda name, key: Path(name).read_bytes())


@pytest.mark.parametrize(("name", "error"), [(3, TypeError), ("a.txt", ValueError), ("none.mindir", ValueError)])
def test_names_of_files_are_checked(name, error):
    with pytest.raises(error, match="'file_name'"):
        ms.load(name)


def test_damaged_files_say_that_they_are(reference, tmp_path):
    draw, refused, texts = random.Random(0), 0, []
    sources = [Path(reference, "formats", "fixtures", "mindir", f"{n}.mindir").read_bytes()
               for n in ("while_net", "lstm_cls", "train_step", "multi_io")]
    path = tmp_path / "a.mindir"
    for _ in range(500):
        data = bytearray(draw.choice(sources))
        for _ in range(draw.choice([1, 1, 2, 5])):
            at = draw.randrange(len(data))
            kind = draw.randrange(4)
            if kind == 0:
                data[at] = draw.randrange(256)
            elif kind == 1:
                del data[at + 1:]
            elif kind == 2:
                del data[at:at + draw.randrange(1, min(30, len(data)) + 1)]
                data = data or bytearray(b"x")
            else:
                data[at:at] = data[at:at + 20]
        path.write_bytes(data)
        try:
            ms.load(str(path))
        except (ModelError, NotImplementedError) as error:
            refused += 1
            texts.append(str(error))
    assert refused > 400
    assert [t for t in texts if "For 'load'" not in t and str(path) not in t] == []


def test_what_a_graph_takes_is_checked_in_all_its_extents(tmp_path):
    ms.export(nn.ReLU(), Tensor(np.zeros((2, 3), np.float32)), file_name=f"{tmp_path}/net", file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{tmp_path}/net.mindir"))
    for wrong in (np.zeros((3, 2), np.float32), np.zeros((2, 4), np.float32), np.zeros(6, np.float32),
                  np.zeros((2, 3, 1), np.float32), np.zeros((2, 3), np.int32)):
        with pytest.raises(ValueError, match="input 0 must be float32"):
            cell(Tensor(wrong))
    assert cell(Tensor(np.ones((2, 3), np.float32))).shape == (2, 3)


def test_what_was_read_of_a_weight_stays_when_it_is_assigned():
    w, new = StoredArray.of(np.array([1.0, 2.0], np.float32)), ("float32", (2,))
    steps = (Node(Primitive("Load", {}, False), ("w", "u"), "before"),
             Node(Primitive("Assign", {"side_effect_mem": True}, False), ("w", "x"), "assigned"),
             Node(Primitive("MakeTuple", {}, False), ("before", "assigned"), "out"))
    graph = Graph("g", ("x",), steps, "out", (new,))
    cell = nn.GraphCell(LoadedGraph(Model(graph, {"g": graph}, {"u": MONAD}, {"w": w})))
    before, assigned = cell(Tensor([5.0, 6.0]))
    assert (before.tolist(), assigned.tolist()) == ([1.0, 2.0], [5.0, 6.0])
