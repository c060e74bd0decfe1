"""What `SummaryCollector` leaves of a run: which values at which steps, in the order of the original."""
from __future__ import annotations

import json
import os

import numpy as np
import pytest
from summaries import read

import mindspore as ms
from mindspore import Tensor, dataset, nn, ops, train
from mindspore.train import SummaryCollector

LATER = ("loss/auto", "dense.weight/auto", "dense.bias/auto")


class Net(nn.Cell):
    def __init__(self, summarises=False):
        super().__init__()
        self.dense = nn.Dense(12, 2, "zeros", "zeros")
        self.summarises = summarises
        self.tensor, self.scalar = ops.TensorSummary(), ops.ScalarSummary()

    def construct(self, x):
        out = self.dense(x.reshape((x.shape[0], -1)))
        if self.summarises:
            self.tensor("out", out)
            self.scalar("mean", out.mean())
        return out


def batches(count=3, rows=2):
    x = np.arange(count * rows * 12, dtype=np.float32).reshape(-1, 3, 2, 2) / 100
    return dataset.NumpySlicesDataset({"x": x, "y": np.ones((count * rows, 2), np.float32)}, shuffle=False).batch(rows)


def model_of(net, **options):
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.5, 0.9), **options)


def collect(folder, *arguments, epochs=1, data=None, summarises=False, **options):
    """A training with a collector; by default without checkpoints."""
    options.setdefault("collect_specified_data", {"collect_landscape": None})
    model_of(Net(summarises)).train(epochs, data or batches(), callbacks=SummaryCollector(str(folder), *arguments,
                                                                                         **options))
    return read(folder)


def tags(folder):
    return [(event.step, [value.tag for value in event.summary.value]) for event in read(folder)["_MS"]
            if event.WhichOneof("what") == "summary"]


def test_the_first_step_and_every_tenth_are_collected(tmp_path):
    collect(tmp_path, data=batches(21))
    steps = tags(tmp_path)
    assert [step for step, _ in steps] == [1, 10, 20]
    assert steps[0][1] == ["input_data/auto", *LATER]


def test_the_last_step_of_an_epoch_is_written_again_if_it_is_its_turn(tmp_path):
    collect(tmp_path, 2, data=batches(4))
    assert [step for step, _ in tags(tmp_path)] == [1, 2, 4, 4]            # observed: MindSpore 2.10


def test_values_are_those_of_the_step(tmp_path):
    x = next(batches(1).create_tuple_iterator())[0].asnumpy()
    events = collect(tmp_path, 1, data=batches(1))["_MS"]
    image, loss, weight, _ = next(e for e in events if e.WhichOneof("what") == "summary").summary.value
    assert loss.scalar_value == 1.0                                         # zeros against ones
    assert (image.image.height, image.image.width) == (2, 4)
    grown = 0.5 * x.reshape(2, 12).mean(0)                                  # 2 / (rows * columns) * sum(x * error)
    assert weight.histogram.max == pytest.approx(grown.max(), rel=1e-6)
    assert weight.histogram.count == 24


def test_what_operators_were_given_comes_before_the_first_collection(tmp_path):
    collect(tmp_path, 2, data=batches(2), summarises=True)
    assert tags(tmp_path) == [
        (1, ["out", "mean"]), (1, ["input_data/auto", *LATER]),
        (2, ["input_data/auto", "loss/auto", "mean", *LATER[1:], "out"]),
        (2, ["input_data/auto", *LATER])]                                  # observed: MindSpore 2.10


def test_tensors_are_collected_at_twenty_steps_at_most(tmp_path):
    collect(tmp_path, 1, epochs=2, data=batches(30), summarises=True)
    found = [step for step, names in tags(tmp_path) if "out" in names]
    assert found == [1, *range(3, 58, 3)]                                  # observed for 120 steps: 1, 6, 12, ..., 114


def test_tensors_have_a_frequency_of_their_own(tmp_path):
    collect(tmp_path, 2, data=batches(6), summarises=True, collect_tensor_freq=3)
    found = tags(tmp_path)
    assert [step for step, names in found if "out" in names] == [1, 3, 6]
    assert (3, ["out"]) in found


@pytest.mark.parametrize(("given", "keep", "wanted"), [
    ({"collect_metric": False}, True, ["input_data/auto", *LATER[1:]]),
    ({"collect_input_data": False}, True, [*LATER]),
    ({"histogram_regular": ".*bias"}, True, ["input_data/auto", "loss/auto", "dense.bias/auto"]),
    ({"collect_metric": True}, False, ["loss/auto"]),
    ({"histogram_regular": "dense.w"}, False, ["dense.weight/auto"]),
])
def test_what_is_collected_can_be_chosen(tmp_path, given, keep, wanted):
    data = {"collect_landscape": None, **given} if keep else given
    collect(tmp_path, collect_specified_data=data, keep_default_action=keep)
    assert tags(tmp_path) == [(1, wanted)]


def test_nothing_is_written_where_nothing_is_to_be_collected(tmp_path):
    collect(tmp_path, collect_specified_data={}, keep_default_action=False)
    assert os.listdir(tmp_path) == []


def test_arguments_in_the_order_of_earlier_releases_mean_the_same(tmp_path):
    model_of(Net()).train(1, batches(1), callbacks=SummaryCollector(str(tmp_path), 1, {"collect_metric": True}, False))
    assert tags(tmp_path) == [(1, ["loss/auto"]), (1, ["loss/auto"])]


def test_lineage_tells_what_the_run_was_made_of(tmp_path):
    events = collect(tmp_path, epochs=2, custom_lineage_data={"who": "someone", "n": 3, "rate": 0.5})["_lineage"]
    assert [e.WhichOneof("what") for e in events] == ["dataset_graph", "user_defined_info", "train_lineage"]
    graph, info, run = events[0].dataset_graph, events[1].user_defined_info.user_info, events[2].train_lineage
    assert graph.parameter.mapStr["op_type"] == "Batch"
    assert graph.parameter.mapInt["batch_size"] == 2
    assert graph.children[0].parameter.mapStr["op_type"] == "GeneratorDataset"
    assert (dict(info[0].map_str), dict(info[1].map_int32), dict(info[2].map_double)) == (
        {"who": "someone"}, {"n": 3}, {"rate": 0.5})
    hyper = run.hyper_parameters
    assert (hyper.optimizer, hyper.loss_function, hyper.learning_rate) == ("Momentum", "MSELoss", 0.5)
    assert (hyper.epoch, hyper.batch_size) == (2, 2)
    assert (run.algorithm.network, run.train_dataset.size) == ("Net", 6)
    assert run.algorithm.loss > 0
    assert json.loads(run.model.path) == {"ckpt": None}


def test_lineage_names_the_checkpoint_and_the_folder_of_the_data(tmp_path):
    from PIL import Image

    for name in ("a", "b"):
        os.makedirs(tmp_path / "images" / name)
        Image.new("RGB", (2, 2)).save(tmp_path / "images" / name / "1.png")
    images = dataset.ImageFolderDataset(str(tmp_path / "images"), decode=True)
    images = images.map(dataset.vision.HWC2CHW(), "image").map(lambda _: np.ones(2, np.float32), "label").batch(2)
    saving = train.ModelCheckpoint("net", str(tmp_path / "saved"))
    folder = tmp_path / "summary"
    model_of(Net()).train(1, images.map(lambda x: x.astype(np.float32), "image"), callbacks=[
        saving, SummaryCollector(str(folder), collect_specified_data={"collect_landscape": None})])
    run = read(folder)["_lineage"][-1].train_lineage
    assert run.train_dataset.path == str(tmp_path / "images")
    assert json.loads(run.model.path) == {"ckpt": str(tmp_path / "saved" / "net-1_1.ckpt")}
    assert run.model.size == os.path.getsize(tmp_path / "saved" / "net-1_1.ckpt")


def test_an_evaluation_leaves_its_metrics(tmp_path):
    net = Net()
    model = train.Model(net, nn.MSELoss(), metrics={"mae": nn.MAE()})
    model.eval(batches(), callbacks=SummaryCollector(str(tmp_path)))
    found = read(tmp_path)
    event, = found["_lineage"]
    assert json.loads(event.evaluation_lineage.metric) == {"mae": 2.0}      # a row is off by 1 in each of 2 columns
    assert event.evaluation_lineage.valid_dataset.size == 6
    assert found["_MS"] == []


def test_a_second_training_tells_only_what_is_new(tmp_path):
    model, collector = model_of(Net()), SummaryCollector(str(tmp_path), 1, collect_specified_data={
        "collect_landscape": None})
    model.train(1, batches(), callbacks=collector)
    model.train(1, batches(), callbacks=collector)
    assert len(read(tmp_path)["_lineage"]) == 2                             # observed: MindSpore 2.10


@pytest.mark.usefixtures("graph_mode")
def test_the_graph_comes_first(tmp_path):
    events = collect(tmp_path, data=batches(1))["_MS"]
    assert [e.WhichOneof("what") for e in events] == ["version", "graph_def", "summary"]
    assert "Dense" in {node.op_type for node in events[1].graph_def.node}
    assert {p.name for p in events[1].graph_def.parameters} >= {"dense.weight", "dense.bias"}


def test_parameters_after_the_first_steps_are_kept(tmp_path):
    net = Net()
    model_of(net).train(1, batches(), callbacks=SummaryCollector(str(tmp_path)))
    with open(tmp_path / "ckpt_dir" / "train_metadata.json", encoding="utf-8") as file:
        told = json.load(file)
    assert told["epoch_group"] == {"0": [*range(1, 10)], "1": [*range(10, 20)]}
    assert {k: os.path.basename(v) for k, v in told["model_params_file_map"].items()} == {
        str(n): f"Net_{n}_step.ckpt" for n in (1, 2, 3)}
    assert (told["step_per_epoch"], told["unit"], told["num_samples"], told["landscape_size"]) == (3, "step", 2048, 40)
    stored = ms.load_checkpoint(told["model_params_file_map"]["3"])
    assert list(stored) == ["dense.weight", "dense.bias"]
    assert (stored["dense.weight"].asnumpy() == net.dense.weight.asnumpy()).all()


def test_inputs_and_outputs_that_cannot_be_shown_are_told(tmp_path, said):
    class Empty(nn.Cell):
        def construct(self, x, y):
            return "text"

    data = dataset.NumpySlicesDataset({"x": [1.0, 2.0], "y": [1.0, 2.0]}).batch(2)
    train.Model(Empty()).train(1, data, callbacks=SummaryCollector(str(tmp_path)))
    assert any("no batch of images" in text for text in said)
    assert any("no loss is recorded" in text for text in said)
    assert tags(tmp_path) == []


def test_a_training_that_fails_leaves_what_was_collected(tmp_path):
    class Failing(train.Callback):
        def on_train_step_end(self, run_context):
            raise ValueError("no further")

    with pytest.raises(ValueError, match="no further"):
        model_of(Net()).train(1, batches(), callbacks=[SummaryCollector(str(tmp_path)), Failing()])
    assert [step for step, _ in tags(tmp_path)] == [1]


def test_two_collectors_cannot_write_at_once(tmp_path):
    with pytest.raises(RuntimeError, match="only one may be open"):
        model_of(Net()).train(1, batches(), callbacks=[SummaryCollector(str(tmp_path / "a")),
                                                       SummaryCollector(str(tmp_path / "b"))])


def test_rates_that_are_no_number_are_told(tmp_path, said):
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), nn.cosine_decay_lr(0.1, 0.2, 10, 3, 2), 0.9)
    train.Model(net, nn.MSELoss(), optimizer).train(1, batches(), callbacks=SummaryCollector(str(tmp_path)))
    assert any("the learning rate is not recorded" in text for text in said)
    assert not read(tmp_path)["_lineage"][-1].train_lineage.hyper_parameters.HasField("learning_rate")


def test_the_loss_of_several_outputs_is_the_mean_of_the_first(tmp_path):
    class Several(nn.Cell):
        def construct(self, x, y):
            return Tensor([1.0, 2.0]), x

    train.Model(Several()).train(1, batches(1), callbacks=SummaryCollector(str(tmp_path)))
    value = next(v for e in read(tmp_path)["_MS"] for v in e.summary.value if v.tag == "loss/auto")
    assert value.scalar_value == 1.5
