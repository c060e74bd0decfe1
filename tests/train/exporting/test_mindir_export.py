"""`export` to MindIR: what is written is read again and computes the same; what cannot be written is named."""
from __future__ import annotations

import killed
import mindir_nets
import mindir_networks
import numpy as np
import onnx_models
import pytest
from mindir_nets import Formula

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.core.errors import ModelError
from mindspore.train.exporting import mindir_weights


@pytest.mark.usefixtures("both_modes")
def test_networks_are_written_and_read(tmp_path):
    mindir_nets.write(tmp_path, mindir_nets.NETS)
    found = mindir_nets.differences(tmp_path, mindir_nets.NETS)
    assert {name: d for name, d in found.items() if not d <= 1e-6} == {}


# those that have something the others lack; tests/oracle tries all
VARIED = ("MobileNetV3", "UNet_with_transposed_convolutions", "LSTM", "YOLO_head", "GPT_with_a_loop", "VGG",
          "Inception", "TextCNN", "norms_of_groups", "ShuffleNet", "step_adam", "step_tokens")


def test_networks_of_many_kinds_and_training_steps_are_written_and_read(tmp_path):
    nets = {name: mindir_networks.NETWORKS[name] for name in VARIED}
    mindir_nets.write(tmp_path, nets)
    found = mindir_nets.differences(tmp_path, nets)
    assert {name: d for name, d in found.items() if not d <= 1e-5} == {}


class Made(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")
        self.function = function

    def construct(self, x):
        return self.function(self, x)


def nested(net, x):
    return x + net.w, (x * net.w, x - net.w)


def single(net, x):
    return (x + net.w,)


def masked(net, x):
    return ops.select(x > net.w, Tensor([3.0, 4.0]), 0.0)


def drawing(net, x):
    return ops.dropout(x, p=0.5)


def keeping(net, x):
    net.kept = x * 2
    return x + net.w


def listing(net, x):
    return [x + net.w]


def read(folder, net, x, **options):
    ms.export(net, x, file_name=f"{folder}/a", file_format="MINDIR", **options)
    return nn.GraphCell(ms.load(f"{folder}/a.mindir"))


@pytest.mark.parametrize("function", [nested, single, masked])
def test_results_keep_their_structure(tmp_path, function):
    net, x = Made(function), Tensor([0.5, 5.0])
    found, wanted = read(tmp_path, net, x)(x), net(x)

    def listed(v):
        return tuple([listed(one) for one in v]) if isinstance(v, tuple) else v.asnumpy().tolist()
    assert listed(found) == listed(wanted)


def test_weights_keep_their_names_and_values(tmp_path):
    net = nn.Dense(3, 2)
    cell = read(tmp_path, net, Tensor(np.ones((1, 3), np.float32)))
    assert {n: p.asnumpy().tolist() for n, p in cell.parameters_dict().items()} == {
        p.name: p.asnumpy().tolist() for p in net.get_parameters()}


def test_an_operator_without_a_form_is_named_with_its_line(tmp_path):
    with pytest.raises(RuntimeError, match=r"operator 'Dropout' .*test_mindir_export.py:\d+.* be written as MINDIR"):
        read(tmp_path, Made(drawing), Tensor([0.5, 5.0]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("function", "says"), [(keeping, "changes an attribute"), (listing, "anything else")])
def test_what_is_not_written_is_said(tmp_path, function, says):
    with pytest.raises(NotImplementedError, match=says):
        read(tmp_path, Made(function), Tensor([0.5, 5.0]))
    assert list(tmp_path.iterdir()) == []


FACTOR = Parameter(Tensor(3.0), name="factor")


def scaled(x, y):
    return x * FACTOR + y if x.sum() > 0 else x - y


@pytest.mark.parametrize("function", [scaled, ms.jit(scaled)], ids=["function", "jit"])
def test_functions_are_written_with_the_parameters_that_they_use(tmp_path, function):
    ones = Tensor(np.ones((2, 2), np.float32))
    ms.export(function, ones, ones, file_name=f"{tmp_path}/f", file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{tmp_path}/f.mindir"))
    assert [p.name for p in cell.get_parameters()] == ["factor"]
    for sign in (1, -1):
        x = np.full((2, 2), sign * 2, np.float32)
        np.testing.assert_array_equal(cell(Tensor(x), ones).asnumpy(), x * 3 + 1 if sign > 0 else x - 1)


def test_a_function_is_written_for_extents_that_are_left_open(tmp_path):
    ms.export(lambda x: x * 2, Tensor(shape=[None, 2], dtype=ms.float32), file_name=f"{tmp_path}/f",
              file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{tmp_path}/f.mindir"))
    for rows in (1, 3):
        np.testing.assert_array_equal(cell(ops.ones((rows, 2))).asnumpy(), np.full((rows, 2), 2))


@pytest.mark.parametrize(("net", "options", "error", "says"), [
    (3, {}, ValueError, "a Cell or a function"), (nn.ReLU(), {"incremental": 1}, TypeError, "'incremental'"),
    (nn.ReLU(), {"colour": 1}, TypeError, "'MINDIR' takes .*'colour'"),
])
def test_arguments_that_do_not_suit_are_named(tmp_path, net, options, error, says):
    with pytest.raises(error, match=says):
        ms.export(net, Tensor([1.0]), file_name=f"{tmp_path}/f", file_format="MINDIR", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("index", [slice(None, None, -1), slice(2, 0, -1), (slice(None), slice(None, None, -2))])
def test_slices_in_reverse_order(tmp_path, index):
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    cell = read(tmp_path, Formula(lambda x, w: x[index] * 2), Tensor(x))
    np.testing.assert_array_equal(cell(Tensor(x)).asnumpy(), x[index] * 2)


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_encrypted_files(tmp_path, mode):
    pytest.importorskip("cryptography", reason="the extra 'crypto' is not installed")
    net, x, key = nn.Dense(3, 2), Tensor(np.ones((1, 3), np.float32)), b"k" * 16
    ms.export(net, x, file_name=f"{tmp_path}/a", file_format="MINDIR", enc_key=key, enc_mode=mode)
    cell = nn.GraphCell(ms.load(f"{tmp_path}/a.mindir", dec_key=key, dec_mode=mode))
    np.testing.assert_array_equal(cell(x).asnumpy(), net(x).asnumpy())
    with pytest.raises(ModelError, match="is encrypted"):
        ms.load(f"{tmp_path}/a.mindir")


def test_functions_of_the_program_see_the_message_and_the_content(tmp_path):
    def note(message):
        message.doc_string = "noted"

    def reverse(content, key):
        assert key == b"any"
        return content[::-1]
    ms.export(nn.Dense(3, 2), Tensor(np.ones((1, 3), np.float32)), file_name=f"{tmp_path}/a", file_format="MINDIR",
              custom_func=note, enc_key=b"any", enc_mode=reverse)
    content = (tmp_path / "a.mindir").read_bytes()[::-1]
    assert b"noted" in content
    (tmp_path / "b.mindir").write_bytes(content)
    assert ms.load(f"{tmp_path}/b.mindir").parameters.keys() == {"weight", "bias"}


@pytest.mark.parametrize(("options", "error"), [
    ({"enc_key": "text"}, TypeError), ({"enc_key": b"short"}, ValueError),
    ({"enc_key": b"k" * 16, "enc_mode": "ROT13"}, ValueError)])
def test_keys_are_checked(tmp_path, options, error):
    with pytest.raises(error):
        read(tmp_path, nn.Dense(3, 2), Tensor(np.ones((1, 3), np.float32)), **options)


@pytest.mark.parametrize(("shape", "axis"), [((4,), 2), ((3, 4), 1), ((2, 3, 4), 0)])
def test_a_norm_begins_at_the_first_axis_of_its_weights(tmp_path, shape, axis):
    found = []

    def look(message):
        values = {n.output[0]: n.attribute[0].i for n in message.graph.node if n.op_type == "Constant"}
        found.extend([[values[x] for x in n.input[3:5]] for n in message.graph.node if "LayerNorm" in n.op_type])
    read(tmp_path, nn.LayerNorm(shape, axis, axis), Tensor(np.ones((2, 3, 4), np.float32)), custom_func=look)
    assert found == [[axis, axis]]


def leaking(x, w):
    return ops.leaky_relu(x, 0.1) + ops.clamp(x, -0.5, 0.5) + ops.log2(ops.abs(x) + 1.0) * w


def test_operators_without_a_primitive_hold_for_open_extents(tmp_path):
    net = Formula(leaking)
    ms.export(net, Tensor(shape=[None, 4], dtype=ms.float32), file_name=f"{tmp_path}/a", file_format="MINDIR")
    cell = nn.GraphCell(ms.load(f"{tmp_path}/a.mindir"))
    for rows in (1, 3, 19):
        x = Tensor(np.random.default_rng(rows).normal(size=(rows, 4)).astype(np.float32))
        np.testing.assert_allclose(cell(x).asnumpy(), net(x).asnumpy(), rtol=1e-5, atol=1e-6)


def test_what_would_hold_for_one_extent_only_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="for sizes that only a run tells"):
        ms.export(nn.AvgPool2d(3, 2, pad_mode="pad", padding=1), Tensor(shape=[1, 2, None, 8], dtype=ms.float32),
                  file_name=f"{tmp_path}/a", file_format="MINDIR")


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 2, 3, 4)])
def test_a_stack_of_matrices_times_one_is_a_product_of_rows(tmp_path, shape):
    kinds = set()

    def look(message):
        kinds.update(p.op_type for p in message.primitives)
    x = Tensor(np.random.default_rng(0).normal(size=shape).astype(np.float32))
    net = Formula(lambda x, w: ops.matmul(x, ops.broadcast_to(w, (4, 4)) * 2))
    cell = read(tmp_path, net, x, custom_func=look)
    np.testing.assert_allclose(cell(x).asnumpy(), net(x).asnumpy(), rtol=1e-5)
    assert "MatMul" in kinds
    assert "BatchMatMul" not in kinds


@pytest.fixture
def large(monkeypatch):
    """A few bytes are too large for a message already."""
    monkeypatch.setattr(mindir_weights, "LARGEST", 20)


def exported(folder, number, **options):
    net = nn.Dense(3, 2)
    net.weight.set_data(Tensor(np.full((2, 3), number, np.float32)))
    ms.export(net, Tensor(np.ones((1, 3), np.float32)), file_name=f"{folder}/a", file_format="MINDIR", **options)


def weights(folder, **options):
    cell = nn.GraphCell(ms.load(f"{folder}/a_graph.mindir", **options))
    return cell.parameters_dict()["weight"].asnumpy().tolist()


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("keys", [{}, {"AES-GCM"}, {"AES-CBC"}], ids=str)
def test_weights_too_large_for_a_message_stand_beside_it(tmp_path, keys):
    enc, dec = [{f"{way}_key": b"0123456789abcdef", f"{way}_mode": mode} if mode else {} for mode in [*keys, ""][:1]
                for way in ("enc", "dec")]
    for number, name in ((1, "data_0"), (2, "data_1"), (3, "data_0")):
        exported(tmp_path, number, **enc)
        assert weights(tmp_path, **dec) == [[number] * 3] * 2
        assert sorted(str(f.relative_to(tmp_path)) for f in tmp_path.rglob("*")) == [
            "a_graph.mindir", "a_variables", f"a_variables/{name}"]


@pytest.mark.usefixtures("large")
def test_weights_beside_a_message_are_not_encrypted_by_a_function(tmp_path):
    with pytest.raises(NotImplementedError, match="1 GiB"):
        exported(tmp_path, 1, enc_key=b"0123456789abcdef", enc_mode=lambda content, key: content)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("large")
def test_a_killed_export_leaves_a_graph_its_weights(tmp_path):
    exported(tmp_path, 0)
    number, seen, was_killed = 0, [], True
    while was_killed:
        was_killed = killed.at_call(lambda n=number: exported(tmp_path, n + 1), tmp_path, number)
        seen.append(weights(tmp_path))
        assert seen[-1] in ([[number + 1] * 3] * 2, seen[-2] if number else [[0] * 3] * 2)
        number += 1
    assert number > 4
    assert [f.name for f in (tmp_path / "a_variables").iterdir() if not f.name.startswith("data_")] == []


def cofactors_by_minors(x):
    """Determinants without a row and a column, with alternating signs."""
    n = x.shape[-1]
    kept = [[k for k in range(n) if k != i] for i in range(n)]
    return np.stack([np.stack([(-1) ** (i + j) * np.linalg.det(x[..., kept[i], :][..., kept[j]]) for j in range(n)], -1)
                     for i in range(n)], -2)


@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (2, 4, 4)])
def test_derivatives_of_determinants_are_minors_in_files_of_both_formats(tmp_path, shape):
    x = np.random.RandomState(0).standard_normal(shape).astype(np.float32)
    if shape[-1] > 1:
        x[..., 1, :] = x[..., 0, :]                        # singular
    derivative = Made(lambda net, t: ms.grad(lambda m: ops.det(m).sum())(t))
    wanted = cofactors_by_minors(x.astype(np.float64))
    ms.export(derivative, Tensor(x), file_name=f"{tmp_path}/a", file_format="MINDIR")
    np.testing.assert_allclose(nn.GraphCell(ms.load(f"{tmp_path}/a.mindir"))(Tensor(x)).asnumpy(), wanted, 1e-4, 1e-5)
    ms.export(derivative, Tensor(x), file_name=f"{tmp_path}/net", file_format="ONNX")
    found, = onnx_models.run(tmp_path, Tensor(x))
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-5)
