"""`mindspore.export` and `mindspore.onnx.export`: names, arguments, files."""
from __future__ import annotations

import os
import stat

import numpy as np
import pytest
from onnx_models import exported, run, same, session, tensor

import mindspore
from mindspore import Parameter, Tensor, nn, ops
from mindspore.train.exporting import onnx_file

onnx = pytest.importorskip("onnx", reason="the extra 'onnx' is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the package 'onnxruntime' is not installed")


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.norm = nn.BatchNorm2d(6)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.relu, self.pool, self.flatten, self.drop = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dropout(p=0.5)
        self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)

    def construct(self, image):
        x = self.pool(self.relu(self.norm(self.conv1(image))))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.drop(self.relu(self.fc2(self.relu(self.fc1(x))))))


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="weight")

    def construct(self, x):
        return x * self.weight


def test_lenet_keeps_its_names_and_computes_the_same(tmp_path):
    model = same(tmp_path, LeNet(), tensor(2, 1, 32, 32))
    assert [i.name for i in model.graph.input] == ["image"]
    assert [o.name for o in model.graph.output] == ["output"]
    assert {"conv1.weight", "norm.moving_mean", "fc3.bias"} <= {t.name for t in model.graph.initializer}
    assert model.opset_import[0].version == 18


def test_both_functions_write_the_same_model(tmp_path):
    net = Scale()
    mindspore.export(net, tensor(3, 2), file_name=str(tmp_path / "a"), file_format="ONNX")
    mindspore.onnx.export(net, tensor(3, 2), file_name=str(tmp_path / "new" / "b"))
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "new" / "b.onnx").read_bytes()
    assert stat.S_IMODE((tmp_path / "a.onnx").stat().st_mode) == stat.S_IRUSR


def test_cells_train_again_afterwards_as_they_did_before(tmp_path):
    net = LeNet().set_train()
    net.norm.set_train(False)
    exported(tmp_path, net, tensor(2, 1, 32, 32))
    assert (net.training, net.conv1.training, net.norm.training) == (True, True, False)


def test_inputs_and_outputs_get_the_given_names(tmp_path):
    model = exported(tmp_path, Scale(), tensor(3, 2), input_names=["weight_in"], output_names=["scaled"])
    assert [i.name for i in model.graph.input] == ["weight_in"]
    assert [o.name for o in model.graph.output] == ["scaled"]


def test_an_input_with_the_name_of_a_parameter_keeps_the_parameter(tmp_path):
    with pytest.raises(ValueError, match="'weight' is the name of a parameter"):
        exported(tmp_path, Scale(), tensor(3, 2), input_names=["weight"])


def test_names_like_those_of_other_values_and_names_of_two_parameters(tmp_path):
    class Several(nn.Cell):
        def __init__(self):
            super().__init__()
            values = [Tensor(np.full(2, k + 2, np.float32)) for k in range(4)]
            self.held = [Parameter(v, name=n) for v, n in zip(values, ("v3", "v1", "v2", "twice"), strict=True)]
            self.other = [Parameter(Tensor(np.full(2, 9.0, np.float32)), name="twice")]

        def construct(self, x, y):
            first, second, third, fourth = self.held
            return (x * first + second) * third - fourth * y + self.other[0]
    model = same(tmp_path, Several(), tensor(3, 2), tensor(3, 2, seed=1), input_names=["v5", "v6"], output_names=["v7"])
    assert sorted(t.name for t in model.graph.initializer) == ["twice", "twice_1", "v1", "v2", "v3"]


@pytest.mark.parametrize("inputs", [(tensor(2, 1, 32, 32),),
                                    (Tensor(shape=[None, 1, 32, 32], dtype=mindspore.float32),)])
def test_dynamic_axes_take_any_extent(tmp_path, inputs):
    net = LeNet()
    options = {"dynamic_axes": {"image": {0: "batch"}}} if inputs[0].shape[0] == 2 else {}
    model = exported(tmp_path, net, *inputs, **options)
    first = model.graph.input[0].type.tensor_type.shape.dim[0]
    assert not first.HasField("dim_value")
    assert first.dim_param == ("batch" if options else "s0")
    net.set_train(False)
    for count in (1, 5):
        x = tensor(count, 1, 32, 32)
        np.testing.assert_allclose(run(tmp_path, x)[0], net(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_parameters_may_be_inputs(tmp_path):
    net, x = Scale(), tensor(3, 2)
    model = exported(tmp_path, net, x, export_params=False)
    assert [i.name for i in model.graph.input] == ["x", "weight"]
    assert not model.graph.initializer
    found, = session(tmp_path).run(None, {"x": x.asnumpy(), "weight": np.array([5.0, 7.0], np.float32)})
    np.testing.assert_allclose(found, x.asnumpy() * [5.0, 7.0], rtol=1e-6)


def test_parameters_in_the_file_may_be_inputs_too(tmp_path):
    net, x = Scale(), tensor(3, 2)
    exported(tmp_path, net, x, keep_initializers_as_inputs=True)
    it = session(tmp_path)
    np.testing.assert_allclose(it.run(None, {"x": x.asnumpy()})[0], x.asnumpy() * [2.0, 3.0], rtol=1e-6)
    found, = it.run(None, {"x": x.asnumpy(), "weight": np.array([5.0, 7.0], np.float32)})
    np.testing.assert_allclose(found, x.asnumpy() * [5.0, 7.0], rtol=1e-6)


def test_weights_too_large_for_a_message_stand_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(onnx_file, "LARGEST", 10_000)
    same(tmp_path, LeNet(), tensor(2, 1, 32, 32))
    other, = [f for f in os.listdir(tmp_path) if f.endswith(".data")]
    assert (tmp_path / other).stat().st_size > 200_000 > (tmp_path / "net.onnx").stat().st_size


def test_a_model_keeps_its_weights_when_another_of_its_name_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(onnx_file, "LARGEST", 10_000)
    first, second, x = LeNet(), LeNet(), tensor(2, 1, 32, 32)
    wanted = same(tmp_path, first, x) and run(tmp_path, x)[0]
    kept = (tmp_path / "net.onnx").read_bytes()
    second.fc1.weight.set_data(second.fc1.weight.value() + 1)
    same(tmp_path, second, x)
    assert len([f for f in os.listdir(tmp_path) if f.endswith(".data")]) == 2
    (tmp_path / "net.onnx").chmod(0o600)
    (tmp_path / "net.onnx").write_bytes(kept)
    np.testing.assert_array_equal(run(tmp_path, x)[0], wanted)


@pytest.mark.parametrize("version", [17, 18, 19, 20, 21, 22])
def test_opsets(tmp_path, version):
    class Net(nn.Cell):
        def construct(self, x):
            return ops.reduce_mean(ops.relu(x), 1) + ops.ReduceMax()(x, 1) + ops.softmax(x).sum(axis=1)
    assert same(tmp_path, Net(), tensor(2, 3), opset_version=version).opset_import[0].version == version


def test_content_is_encrypted_by_a_function_only(tmp_path):
    net, x = Scale(), tensor(3, 2)
    mindspore.export(net, x, file_name=str(tmp_path / "plain"), file_format="ONNX")
    mindspore.export(net, x, file_name=str(tmp_path / "other"), file_format="ONNX", enc_key=b"k",
                     enc_mode=lambda content, key: key + content)
    assert (tmp_path / "other.onnx").read_bytes() == b"k" + (tmp_path / "plain.onnx").read_bytes()
    with pytest.raises(ValueError, match="must be a function"):
        mindspore.export(net, x, file_name=str(tmp_path / "net"), file_format="ONNX", enc_key=b"k" * 16)


@pytest.mark.parametrize(("error", "what", "options"), [
    (ValueError, "must be one of", {"file_format": "GEIR"}),
    (NotImplementedError, "obfuscation", {"obf_func": 1}),
    (TypeError, "must be a string", {"file_name": 3}),
    (ValueError, "the folder", {"file_name": "net/"}),
    (ValueError, "must match", {"file_name": "a net"}),
    (ValueError, "must be bytes", {"enc_key": "k", "enc_mode": max}),
    (ValueError, "custom_func", {"custom_func": print}),
    (ValueError, "quant_mode", {"quant_mode": "QUANT"}),
    (ValueError, "17 or later", {"opset_version": 11}),
    (TypeError, "takes .* but got", {"filename": "net"}),
    (ValueError, "must be a Cell", {"net": ops.relu}),
])
def test_what_does_not_suit_is_refused(error, what, options, tmp_path):
    given = {"net": Scale(), "file_name": str(tmp_path / "net"), "file_format": "ONNX", **options}
    with pytest.raises(error, match=what):
        mindspore.export(given.pop("net"), tensor(3, 2), **given)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(("error", "what", "options"), [
    (ValueError, "'input_names'", {"input_names": "x"}),
    (ValueError, "1 different names", {"input_names": ["x", "y"]}),
    (ValueError, "1 different names", {"output_names": [3]}),
    (ValueError, "'dynamic_axes'", {"dynamic_axes": [0]}),
    (ValueError, r"name the inputs \['y'\]", {"dynamic_axes": {"y": {0: "n"}}}),
    (ValueError, "axes of a tensor with 2 dimensions", {"dynamic_axes": {"x": {2: "n"}}}),
    (TypeError, "'export_params'", {"export_params": 1}),
])
def test_options_of_onnx_are_checked(error, what, options, tmp_path):
    with pytest.raises(error, match=what):
        exported(tmp_path, Scale(), tensor(3, 2), **options)


def test_a_network_that_keeps_state_is_refused(tmp_path):
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0, mindspore.int32), name="count")

        def construct(self, x):
            self.count += 1
            return x + self.count
    with pytest.raises(RuntimeError, match="the parameter 'count', and ONNX has no state"):
        exported(tmp_path, Counting(), tensor(2))


def test_an_error_leaves_the_previous_file(tmp_path):
    net = Scale()
    mindspore.onnx.export(net, tensor(3, 2), file_name=str(tmp_path / "net"))
    before = (tmp_path / "net.onnx").read_bytes()
    with pytest.raises(ZeroDivisionError):
        mindspore.export(net, tensor(3, 2), file_name=str(tmp_path / "net"), file_format="ONNX", enc_key=b"k",
                         enc_mode=lambda content, key: content[:1 // 0])
    assert (tmp_path / "net.onnx").read_bytes() == before
    assert os.listdir(tmp_path) == ["net.onnx"]


class Twice(nn.Cell):
    """One value as several results, inputs among them."""

    def construct(self, x):
        y = x + 1
        return y, y, x, y, x


def test_one_value_may_be_several_results(tmp_path):
    model = same(tmp_path, Twice(), tensor(2, 3))
    assert len({o.name for o in model.graph.output}) == 5


@pytest.mark.parametrize("names", [["a", "a"], ["a"], ["a", ""], ["a", 3], ["a", "b", "c"]])
@pytest.mark.parametrize("option", ["input_names", "output_names"])
def test_names_are_as_many_as_values_and_differ(tmp_path, option, names):
    class Pair(nn.Cell):
        def construct(self, x, y):
            return x + y, x - y
    with pytest.raises(ValueError, match=f"'{option}' must be 2 different names"):
        exported(tmp_path, Pair(), tensor(2, 3), tensor(2, 3), **{option: names})
    assert list(tmp_path.iterdir()) == []


class Watched(nn.Cell):
    """Summaries where they run always, and where they run in a branch."""

    def __init__(self):
        super().__init__()
        self.scalar, self.histogram = ops.ScalarSummary(), ops.HistogramSummary()

    def construct(self, x):
        y = x * 2
        self.scalar("mean", y.mean())
        if x.sum() > 0:
            self.histogram("h", y)
            y = y + 1
        return y


@pytest.mark.parametrize("file_format", ["ONNX", "MINDIR"])
def test_summaries_are_left_out(tmp_path, file_format):
    x = Tensor(np.ones((2, 2), np.float32))
    mindspore.export(Watched(), x, file_name=f"{tmp_path}/a", file_format=file_format)
    if file_format == "ONNX":
        loaded = onnxruntime.InferenceSession(f"{tmp_path}/a.onnx")
        name = loaded.get_inputs()[0].name
        found = [loaded.run(None, {name: sign * x.asnumpy()})[0] for sign in (1, -1)]
    else:
        message = mindspore.load_mindir(f"{tmp_path}/a.mindir")
        assert not any("Summary" in p.op_type or "Mean" in p.op_type for p in message.primitives)
        cell = nn.GraphCell(mindspore.load(f"{tmp_path}/a.mindir"))
        found = [cell(sign * x).asnumpy() for sign in (1, -1)]
    np.testing.assert_array_equal(found[0], np.full((2, 2), 3))
    np.testing.assert_array_equal(found[1], np.full((2, 2), -2))
