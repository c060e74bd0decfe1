"""Landscapes: the loss where it is known in closed form, and what is written of it."""
from __future__ import annotations

import json
import os

import numpy as np
import pytest
from summaries import read

from mindspore import Tensor, dataset, nn, train
from mindspore.train import SummaryCollector, SummaryLandscape
from mindspore.train.summary.landscape import (
    path_landscape,
    path_plane,
    random_plane,
    result_landscape,
)

TARGET = np.array([[1.0, -2.0, 0.5]])


def loss(point):
    """A bowl around the target."""
    return float(((point["w"] - TARGET) ** 2).sum())


def nothing(line):
    pass


def path(*steps):
    return [{"w": np.array([step])} for step in steps]


def test_a_path_in_a_plane_lies_in_the_plane_that_is_found():
    points = path([3.0, 1.0, 5.0], [2.0, 4.0, 5.0], [0.0, 1.0, 5.0])
    plane, (x, y) = path_plane(points)
    for point, a, b in zip(points, x, y, strict=True):
        assert np.allclose(plane.at(a, b)["w"], point["w"])
    assert (x[-1], y[-1]) == (0, 0)
    assert np.linalg.norm(plane.x["w"]) == pytest.approx(1)
    assert (plane.x["w"] * plane.y["w"]).sum() == pytest.approx(0, abs=1e-12)


def test_the_landscape_of_a_path_is_the_loss_on_a_grid_around_it():
    points = path([3.0, 1.0, 5.0], [2.0, 4.0, 5.0], [0.0, 1.0, 5.0])
    found = path_landscape(points, 4, loss, nothing)
    plane, _ = path_plane(points)
    assert found.z[2, 1] == pytest.approx(loss(plane.at(found.x[1], found.y[2])))
    assert found.path[2].tolist() == [loss(point) for point in points]
    extent = found.path[0].max() - found.path[0].min()
    assert (found.x[0], found.x[-1]) == pytest.approx((found.path[0].min() - extent / 5,
                                                       found.path[0].max() + extent / 5))


def test_parameters_that_stood_still_have_a_landscape_too():
    found = path_landscape(path([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), 3, loss, nothing)
    assert np.isfinite(found.z).all()
    assert found.x[0] < 0 < found.x[-1]


def test_random_directions_have_filters_as_long_as_the_parameters():
    origin = {"conv": np.arange(1.0, 25).reshape(2, 3, 2, 2), "bias": np.ones(2)}
    plane = random_plane(origin, np.random.default_rng(0))
    for direction in (plane.x, plane.y):
        for k in range(2):
            assert np.linalg.norm(direction["conv"][k]) == pytest.approx(np.linalg.norm(origin["conv"][k]))
        assert not direction["bias"].any()
    assert not np.allclose(plane.x["conv"], plane.y["conv"])


def test_the_middle_of_the_landscape_of_a_result_is_its_loss():
    origin = {"w": np.array([[1.0, 2.0, 3.0]])}
    found = result_landscape(origin, 5, loss, nothing, np.random.default_rng(0))
    assert found.x.tolist() == found.y.tolist() == [-1, -0.5, 0, 0.5, 1]
    assert found.z[2, 2] == found.path[2, 0] == loss(origin)


# ---------------------------------------------------------------------- from a training

X = np.random.default_rng(0).standard_normal((12, 3)).astype(np.float32)
Y = (X @ TARGET.T).astype(np.float32)


def batches():
    return dataset.NumpySlicesDataset({"x": X, "y": Y}, shuffle=False).batch(2)


def prepared():
    net = nn.Dense(3, 1, "ones", has_bias=False)
    metrics = {"Loss": train.Loss()}
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.05), metrics), net, batches(), metrics


def trained(folder, epochs=1, **options):
    options = {"landscape_size": 3, "intervals": [[1, 2, 3]], "num_samples": 12, **options}
    model, net, data, _ = prepared()
    model.train(epochs, data, callbacks=SummaryCollector(str(folder), collect_specified_data={
        "collect_landscape": options}))
    return net


def landscapes(folder):
    return {v.tag: v.loss_landscape for e in read(folder)["_MS"] for v in e.summary.value
            if v.WhichOneof("value") == "loss_landscape"}


def array(point, name):
    tensor = getattr(point, name)
    return np.array(tensor.float_data).reshape(tensor.dims)


def test_a_training_gets_the_landscapes_of_its_path_and_its_result(tmp_path, capsys):
    net = trained(tmp_path)
    SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(prepared, device_ids=[0])
    found = landscapes(tmp_path)
    assert list(found) == ["landscape_[1, 3]", "landscape_[3]"]              # observed: MindSpore 2.10
    one, result = found.values()
    assert list(one.loss_path.intervals) == [1, 2, 3]
    assert (one.metadata.decomposition, one.metadata.unit, one.metadata.step_per_epoch) == ("PCA", "step", 6)
    assert (result.metadata.decomposition, result.loss_path.ByteSize()) == ("Random", 0)
    assert array(one.landscape, "z").shape == (3, 3)
    kept = train.serialization.load_checkpoint(str(tmp_path / "ckpt_dir" / "Dense_3_step.ckpt"))["weight"].asnumpy()
    wanted = ((X @ kept.T - Y) ** 2).mean()
    assert array(one.convergence_point, "z") == pytest.approx(wanted, rel=1e-5)
    assert array(result.landscape, "z")[1, 1] == pytest.approx(wanted, rel=1e-5)
    assert net.weight.shape == (1, 3)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Drawing landscape path total progress is 1/3, landscape path loss is ")
    assert "Drawing landscape total progress: 1/3." in lines


def test_options_of_the_collector_can_be_changed(tmp_path, capsys):
    trained(tmp_path, 4, unit="epoch", intervals=[[1, 2, 3], [2, 3, 4]])
    changed = {"create_landscape": {"result": False}, "intervals": [[2, 3, 4]], "landscape_size": 4, "num_samples": 2}
    SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(prepared, changed, [0], str(tmp_path / "out"))
    (tag, one), = landscapes(tmp_path / "out").items()
    assert (tag, one.metadata.unit) == ("landscape_[2, 4]", "epoch")
    assert array(one.landscape, "z").shape == (4, 4)
    kept = train.serialization.load_checkpoint(str(tmp_path / "ckpt_dir" / "Dense_4_epoch.ckpt"))["weight"].asnumpy()
    assert array(one.convergence_point, "z") == pytest.approx(((X[:2] @ kept.T - Y[:2]) ** 2).mean(), rel=1e-5)


def test_points_that_the_training_did_not_reach_are_named(tmp_path):
    trained(tmp_path, intervals=[[1, 2, 9]])
    with pytest.raises(ValueError, match=r"no parameters after step 9 of the interval \[1, 2, 9\]"):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(prepared)


def test_a_model_without_a_loss_among_its_metrics_is_refused(tmp_path):
    trained(tmp_path)

    def without():
        model, net, data, _ = prepared()
        return model, net, data, {"mae": nn.MAE()}

    with pytest.raises(ValueError, match="must have a Loss"):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(without)


def test_what_was_kept_can_be_removed(tmp_path):
    trained(tmp_path)
    SummaryLandscape(str(tmp_path)).clean_ckpt()
    assert not os.path.exists(tmp_path / "ckpt_dir")


def test_a_summary_can_be_moved(tmp_path, capsys):
    trained(tmp_path / "a")
    os.rename(tmp_path / "a", tmp_path / "b")
    SummaryLandscape(str(tmp_path / "b")).gen_landscapes_with_multi_process(prepared)
    assert len(landscapes(tmp_path / "b")) == 2


@pytest.mark.parametrize("change", [lambda told: told.pop("unit"), lambda told: told.update(epoch_group=3),
                                    lambda told: told.update(landscape_size=10**9)])
def test_a_file_that_tells_nothing_is_refused(tmp_path, change):
    trained(tmp_path)
    path = tmp_path / "ckpt_dir" / "train_metadata.json"
    told = json.loads(path.read_text())
    change(told)
    path.chmod(0o600)
    path.write_text(json.dumps(told))
    with pytest.raises(ValueError, match="does not tell what a training has kept"):
        SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(prepared)


def test_what_is_not_trained_is_that_of_the_checkpoint(tmp_path, capsys):
    def frozen():
        net = nn.SequentialCell(nn.Dense(3, 3, Tensor(np.eye(3, dtype=np.float32)), has_bias=False),
                                nn.Dense(3, 1, "ones", has_bias=False))
        net[0].weight.requires_grad = False
        metrics = {"Loss": train.Loss()}
        return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.05), metrics), net, batches(), metrics

    model, net, data, _ = frozen()
    net[0].weight.set_data(Tensor(2 * np.eye(3, dtype=np.float32)))
    model.train(1, data, callbacks=SummaryCollector(str(tmp_path), collect_specified_data={
        "collect_landscape": {"landscape_size": 3, "intervals": [[1, 2, 3]], "num_samples": 12}}))
    SummaryLandscape(str(tmp_path)).gen_landscapes_with_multi_process(frozen)
    kept = train.serialization.load_checkpoint(str(tmp_path / "ckpt_dir" / "SequentialCell_3_step.ckpt"))
    wanted = ((2 * X @ kept["1.weight"].asnumpy().T - Y) ** 2).mean()
    assert array(landscapes(tmp_path)["landscape_[1, 3]"].convergence_point, "z") == pytest.approx(wanted, rel=1e-5)
