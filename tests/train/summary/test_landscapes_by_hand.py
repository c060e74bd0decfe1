"""What a landscape is drawn from: which checkpoints, which parameters, how many rows."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor, dataset, nn, save_checkpoint, train
from mindspore.train.callback import summary_landscape
from mindspore.train.summary.landscape import Parameters
from mindspore.train.summary.options import LandscapeOptions
from mindspore.train.summary.positions import Kept

assert Parameters


class Counted(nn.Cell):
    """A layer, and a number that is not trained."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(3, 2)
        self.steps = Parameter(Tensor(0), name="steps", requires_grad=False)

    def construct(self, x):
        return self.layer(x)


def rows():
    return dataset.NumpySlicesDataset({"x": np.ones((10, 3), np.float32), "y": np.ones((10, 2), np.float32)})


def loss(samples, batch=4):
    net = Counted()
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), {"Loss": nn.Loss()})
    return summary_landscape._Loss(model, net, rows().batch(batch), {"Loss": nn.Loss()}, samples)


@pytest.mark.parametrize(("samples", "batches"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (100, 3)])
def test_the_loss_is_that_of_so_many_rows(samples, batches):
    assert loss(samples).dataset.get_dataset_size() == batches


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """`drawn(what)`: the landscapes of a training of three steps, with what the network held when each was drawn."""
    seen = []

    class Record:
        def __init__(self, output):
            self.output = output

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def add_value(self, plugin, name, value):
            seen.append((name, value))

        def record(self, step):
            pass
    monkeypatch.setattr(summary_landscape, "SummaryRecord", Record)
    monkeypatch.setattr(summary_landscape, "message", lambda drawn, *more: drawn)
    found = loss(4)

    def noted(points, *more):
        points = points if isinstance(points, list) else [points]
        return int(found.network.steps), [(sorted(p), float(p["layer.weight"][0, 0])) for p in points]
    monkeypatch.setattr(summary_landscape, "path_landscape", noted)
    monkeypatch.setattr(summary_landscape, "result_landscape", noted)
    files = {}
    for step in (2, 5, 9):
        net = Counted()
        net.layer.weight.set_data(Tensor(np.full((2, 3), step, np.float32)))
        net.steps.set_data(Tensor(step))
        files[step] = str(tmp_path / f"{step}.ckpt")
        save_checkpoint(net, files[step])

    def draw(**what):
        seen.clear()
        options = LandscapeOptions(create_landscape=what, intervals=[(2, 5)])
        summary_landscape._draw(Kept(options, files, 1), found, str(tmp_path))
        return list(seen)
    return draw


NAMES = ["layer.bias", "layer.weight"]


def test_paths_begin_and_end_with_their_interval_and_results_with_the_last(drawn):
    path = ("landscape_[2, 5]", (5, [(NAMES, 2.0), (NAMES, 5.0)]))
    result = ("landscape_[9]", (9, [(NAMES, 9.0)]))
    assert drawn(train=True, result=True) == [path, result]
    assert drawn(train=True, result=False) == [path]
    assert drawn(train=False, result=True) == [result]


def test_what_is_no_number_with_a_fraction_is_no_direction(tmp_path):
    net = Counted()
    save_checkpoint(net, str(tmp_path / "a.ckpt"))
    assert sorted(summary_landscape._point(str(tmp_path / "a.ckpt"), {"steps", "layer.bias"})) == ["layer.bias"]


def test_the_unit_is_that_of_the_training(monkeypatch, tmp_path):
    options = LandscapeOptions(unit="step", intervals=[(1, 2, 3)])
    monkeypatch.setattr(summary_landscape, "kept", lambda folder: Kept(options, {1: "a"}, 1))
    landscape = train.SummaryLandscape(str(tmp_path))
    with pytest.raises(ValueError, match="'step', as in the training"):
        landscape.gen_landscapes_with_multi_process(lambda: None, {"unit": "epoch", "intervals": [[1, 2, 3]]})
    with pytest.raises(ValueError, match="no parameters after step 2, 3"):
        landscape.gen_landscapes_with_multi_process(lambda: None)
