"""What `SummaryRecord` writes is what it was given, and what it cannot write it says."""
from __future__ import annotations

import json
import os
import stat
import time

import numpy as np
import pytest
from archives import arrays_of
from summaries import events, tags

import mindspore as ms
from mindspore import SummaryRecord, Tensor, nn, ops
from mindspore.formats.events import EVENTS, LINEAGE, TENSORBOARD, EventError, read_events
from mindspore.formats.tfrecord import frame, records
from mindspore.ir.runtime import runtime


def test_values_of_a_loop_come_back_under_their_steps(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        for step in range(1, 4):
            record.add_value("scalar", "loss", Tensor(1.0 / step, ms.float32))
            assert record.record(step)
    found = list(read_events(record.log_dir))
    assert [e.version for e in found] == ["MindSpore.Event:1", "", "", ""]
    assert not found[0].HasField("step")
    assert [(e.step, e.summary.value[0].scalar_value) for e in found[1:]] == [
        (step, np.float32(1.0 / step)) for step in range(1, 4)]
    assert all(abs(e.wall_time - time.time()) < 60 for e in found)


def test_records_of_one_second_have_files_of_their_own(tmp_path):
    """The original writes the second one over the first."""
    paths = []
    for number in (1, 2, 3):
        with SummaryRecord(str(tmp_path)) as record:
            record.add_value("scalar", "a", Tensor(float(number)))
            record.record(number)
        paths.append(record.log_dir)
    assert [[e.step for e in read_events(path)][1:] for path in paths] == [[1], [2], [3]]


def test_the_file_is_named_as_the_original_names_it(tmp_path):
    with SummaryRecord(str(tmp_path), "run", "_X") as record:
        assert os.listdir(tmp_path) == []
        record.add_value("scalar", "a", Tensor(1.0))
        record.record(1)
    name = os.path.basename(record.log_dir).split(".")
    assert name[:4] == ["run", "out", "events", "summary"]
    assert name[5] == "0"
    assert name[-1].endswith("_X")
    assert abs(int(name[4]) - time.time()) < 60
    assert stat.S_IMODE(os.stat(record.log_dir).st_mode) == 0o400


def test_flush_lets_others_read_what_was_recorded(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "a", Tensor(1.0))
        record.record(1)
        record.flush()
        assert tags(record) == [(1, ["a"])]


def test_a_step_without_values_writes_nothing(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        assert record.record(1)
    assert os.listdir(tmp_path) == []


def test_two_values_of_one_name_at_a_step_are_both_recorded(tmp_path, said):
    with SummaryRecord(str(tmp_path)) as record:
        for value in (1.0, 2.0):
            record.add_value("scalar", "a", Tensor(value))
        record.add_value("tensor", "a", Tensor([3.0]))
        record.record(1)
    found, = events(record)
    assert [v.WhichOneof("value") for v in found.summary.value] == ["scalar_value", "scalar_value", "tensor"]
    assert [v.scalar_value for v in found.summary.value[:2]] == [1.0, 2.0]      # observed: MindSpore 2.10
    assert any("'a/scalar' has several values" in text for text in said)


def test_a_value_is_the_one_that_the_tensor_had_when_it_was_added(tmp_path):
    x = Tensor(np.ones(3, np.float32))
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("tensor", "x", x)
        x[0] = 5.0
        record.record(1)
    assert list(events(record)[0].summary.value[0].tensor.float_data) == [1.0, 1.0, 1.0]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.scalar, self.image = ops.ScalarSummary(), ops.ImageSummary()
        self.tensor, self.histogram = ops.TensorSummary(), ops.HistogramSummary()

    def construct(self, x):
        out = self.dense(x)
        self.scalar("sum", out.sum())
        self.image("picture", x.reshape((1, 1, 2, 3)))
        self.tensor("out", out)
        self.histogram("spread", out)
        return out


@pytest.mark.parametrize("mode", ["graph_mode", None])
def test_operators_of_a_network_are_recorded(tmp_path, mode, request):
    if mode:
        request.getfixturevalue(mode)
    net = Net()
    with SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            out = net(Tensor(np.full((2, 3), step, np.float32)))
            record.record(step)
    first, second = events(record)
    order = ["out", "picture", "spread", "sum"] if mode else ["sum", "picture", "out", "spread"]
    assert [v.tag for v in second.summary.value] == order               # observed: MindSpore 2.10
    assert (first.step, second.step) == (1, 2)
    by_tag = {v.tag: v for v in second.summary.value}
    assert by_tag["sum"].scalar_value == pytest.approx(float(out.asnumpy().sum()), rel=1e-6)
    assert list(by_tag["out"].tensor.float_data) == out.asnumpy().ravel().tolist()
    assert by_tag["spread"].histogram.count == 4
    assert (by_tag["picture"].image.height, by_tag["picture"].image.width) == (2, 3)


def test_operators_wait_while_the_program_evaluates(tmp_path):
    scalar = ops.ScalarSummary()
    with SummaryRecord(str(tmp_path)) as record:
        record.set_mode("eval")
        scalar("op", Tensor(1.0))
        record.add_value("scalar", "added", Tensor(1.0))
        record.record(1)
        record.set_mode("train")
        record.record(2)
    assert tags(record) == [(1, ["added"]), (2, ["op"])]          # observed: MindSpore 2.10


def test_what_operators_are_given_between_two_records_takes_bounded_memory(tmp_path):
    scalar = ops.ScalarSummary()
    with SummaryRecord(str(tmp_path)) as record:
        for k in range(50):
            scalar("op", Tensor(float(k)))
        assert len(runtime.summaries) == 1
        record.record(1)
    assert events(record)[0].summary.value[0].scalar_value == 49.0


def test_a_filter_leaves_plugins_out(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "a", Tensor(1.0))
        record.add_value("tensor", "t", Tensor([1.0]))
        record.record(1, plugin_filter=lambda plugin: plugin != "scalar")
        record.record(2)
    assert tags(record) == [(1, ["t"])]


def graphs(record):
    return [e.graph_def for e in read_events(record.log_dir) if e.WhichOneof("what") == "graph_def"]


@pytest.mark.usefixtures("graph_mode")
@pytest.mark.parametrize("given", ["network", "train_network"])
def test_the_graph_of_a_compiled_network_is_written_once(tmp_path, given):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
    with SummaryRecord(str(tmp_path), network=net if given == "network" else None) as record:
        net(Tensor(np.ones((2, 3), np.float32)))
        for step in (1, 2):
            record.record(step, net if given == "train_network" else None)
    graph, = graphs(record)
    found = {node.op_type: node for node in graph.node}
    assert found["Dense"].scope == "Default/0-Dense"
    assert found["ReLU"].scope == "Default/1-ReLU"
    assert [i.name for i in found["ReLU"].input] == [found["Dense"].name]
    assert {"0.weight", "0.bias"} <= {p.name for p in graph.parameters}
    assert [o.name for o in graph.outputs] == [found["ReLU"].name]
    dims = found["ReLU"].output_type.tensor_type.shape.dim
    assert [d.size for d in dims] == [2, 2]


@pytest.mark.usefixtures("graph_mode")
def test_a_graph_that_is_not_compiled_is_told(tmp_path, said):
    with SummaryRecord(str(tmp_path), network=nn.Dense(3, 2)) as record:
        assert record.record(1)
    assert any("graph of 'Dense' is not written yet" in text for text in said)


@pytest.mark.usefixtures("graph_mode")
def test_every_input_of_a_graph_with_branches_is_there(tmp_path):
    class Branch(nn.Cell):
        def construct(self, x):
            if x.sum() > 0:
                return x * 2
            return ops.relu(x)

    net = Branch()
    with SummaryRecord(str(tmp_path)) as record:
        net(Tensor([1.0, 2.0]))
        record.record(1, net)
    graph, = graphs(record)
    known = {n.name for n in graph.node} | {p.name for p in graph.parameters} | {c.key for c in graph.const_vals}
    assert {i.name for n in graph.node for i in n.input} <= known
    assert {"cond", "Mul", "ReLU"} <= {n.op_type for n in graph.node}


def test_messages_go_to_their_files(tmp_path):
    info = LINEAGE.UserDefinedInfo()
    info.user_info.add().map_str["who"] = "someone"
    landscape = EVENTS.LossLandscape()
    landscape.metadata.unit = "epoch"
    graph = EVENTS.ModelProto()
    graph.graph.name = "given"
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("custom_lineage_data", "", info)
        record.add_value("landscape", "loss", landscape)
        record.add_value("graph", "", graph.SerializeToString())
        record.record(3)
    assert [g.name for g in graphs(record)] == ["given"]
    assert events(record)[0].summary.value[0].loss_landscape.metadata.unit == "epoch"
    lineage, = read_events(record.log_dir.replace("_MS", "_lineage"), lineage=True)
    assert lineage.user_defined_info == info


def test_tensors_are_exported_as_files_of_numpy(tmp_path):
    with SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "a/b c", Tensor([1, 2], ms.int64))
        record.add_value("scalar", "s", Tensor(1.0))
        record.record(3)
    found, = tmp_path.glob("export_*/tensor/*")
    assert found.name == "a%2Fb%20c_3.npy"
    assert np.load(found).tolist() == [1, 2]
    assert np.load(found).dtype == np.int64


def test_an_option_writes_tensorboards_file(tmp_path):
    values = np.array([0.0, 1.0, 3.0], np.float32)
    with SummaryRecord(str(tmp_path), export_options={"event_format": "tensorboard"}) as record:
        record.add_value("scalar", "s", Tensor(0.5))
        record.add_value("histogram", "h", Tensor(values))
        record.add_value("image", "i", ops.ones((1, 3, 2, 4)))
        record.add_value("tensor", "t", Tensor(values.reshape(1, 3)))
        record.record(7)
    path, = tmp_path.glob("events.out.tfevents.*")
    with open(path, "rb") as file:
        first, event = map(TENSORBOARD.Event.FromString, records(file))
    assert first.file_version == "brain.Event:2"
    scalar, histogram, image, tensor = event.summary.value
    assert (event.step, scalar.tag, scalar.simple_value) == (7, "s", 0.5)
    assert (histogram.histo.num, histogram.histo.min, histogram.histo.max, histogram.histo.sum) == (3, 0, 3, 4)
    assert list(histogram.histo.bucket_limit) == [1.5, 3.0]
    assert list(histogram.histo.bucket) == [2.0, 1.0]
    assert (image.image.height, image.image.width, image.image.colorspace) == (2, 4, 3)
    assert [d.size for d in tensor.tensor.tensor_shape.dim] == [1, 3]
    assert list(tensor.tensor.float_val) == values.tolist()


def test_a_file_ends_at_the_size_that_was_given(tmp_path, said):
    with SummaryRecord(str(tmp_path), max_file_size=200) as record:
        for step in range(1, 8):
            record.add_value("scalar", "x", Tensor(float(step)))
            record.record(step)
    assert os.path.getsize(record.log_dir) <= 200
    steps = [step for step, _ in tags(record)]
    assert steps == list(range(1, len(steps) + 1))
    assert 0 < len(steps) < 7
    assert sum("'max_file_size'" in text for text in said) == 1


# ---------------------------------------------------------------------- the original's files

REFERENCE = os.environ.get("ANYSPORE_REFERENCE", "")
RECORDED = os.path.join(REFERENCE, "formats", "fixtures", "summary")


@pytest.mark.skipif(not os.path.isdir(RECORDED), reason="ANYSPORE_REFERENCE names no folder with recorded files")
def test_values_are_the_bytes_that_the_original_wrote(tmp_path):
    with open(f"{RECORDED}/record.expected.json", encoding="utf-8") as file:
        values = json.load(file)["values"]
    arrays = arrays_of(f"{RECORDED}/record.expected.npz")
    with SummaryRecord(str(tmp_path)) as record:
        for step in sorted({v["step"] for v in values}):
            for v in values:
                if v["step"] == step:
                    record.add_value(v["plugin"], v["tag"], Tensor(arrays[v["npz"]]))
            record.record(step)
    name, = [n for n in os.listdir(f"{RECORDED}/record") if n.endswith("_MS")]
    wanted = list(read_events(f"{RECORDED}/record/{name}"))[1:]
    found = events(record)
    assert [e.step for e in found] == [e.step for e in wanted]
    for ours, theirs in zip(found, wanted, strict=True):
        got = {(v.WhichOneof("value"), v.tag): v.SerializeToString() for v in ours.summary.value}
        assert got == {(v.WhichOneof("value"), v.tag): v.SerializeToString() for v in theirs.summary.value}


def test_a_file_that_is_cut_off_or_another_one_is_told(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "a", Tensor(1.0))
        record.record(1)
    with open(record.log_dir, "rb") as file:
        data = file.read()
    other = tmp_path / "other"
    other.write_bytes(data[:-3])
    reading = read_events(other)
    assert next(reading).version == "MindSpore.Event:1"
    with pytest.raises(EventError, match="cut off in record 1"):
        next(reading)
    other.write_bytes(b"no events")
    with pytest.raises(EventError, match="is no event file"):
        list(read_events(other))
    other.write_bytes(frame(b"\x10\x05"))                      # a step without a time
    with pytest.raises(EventError, match="record 0 is an event without its content"):
        list(read_events(other))
