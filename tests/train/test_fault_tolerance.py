"""A training that fails leaves the state after its last complete step, from which it can go on."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import dataset as ds
from mindspore import load_checkpoint, load_param_into_net, nn, train
from mindspore.common import set_seed

X = np.random.default_rng(0).standard_normal((16, 3)).astype(np.float32)
DATA = {"x": X, "y": X[:, :2]}


class Ends(train.Callback):
    """Ends a training with an error, within a step."""

    def __init__(self, step):
        self.step = step

    def on_train_step_begin(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            raise RuntimeError("broken")


def model():
    set_seed(1)
    net = nn.SequentialCell(nn.Dense(3, 8), nn.Dropout(p=0.5), nn.Dense(8, 2))
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))


def data():
    return ds.NumpySlicesDataset(DATA, shuffle=False).batch(2)


def weights(trained):
    return [p.asnumpy().tolist() for p in trained.train_network.get_parameters()]


@pytest.mark.usefixtures("both_modes")
def test_a_training_that_failed_goes_on_bit_for_bit(tmp_path):
    whole = model()
    whole.train(2, data())
    broken = model()
    with pytest.raises(RuntimeError, match="broken"):
        broken.train(2, data(), callbacks=[train.TrainFaultTolerance(str(tmp_path)), Ends(11)])
    file, = tmp_path.rglob("*.ckpt")
    assert str(file.relative_to(tmp_path)) == "ttp_saved_checkpoints-step_10/rank_0.ckpt"
    resumed, saved = model(), load_checkpoint(str(file))
    assert [int(saved[name]) for name in ("epoch_num", "step_num", "batch_num")] == [2, 10, 8]
    assert load_param_into_net(resumed.train_network, saved)[0] == []
    ms.set_rng_state(saved["random_state"])
    rows = data()
    rows.set_init_step(10)
    resumed.train(2, rows, initial_epoch=1)
    assert weights(resumed) == weights(whole)


def test_a_function_may_save(tmp_path):
    seen = []
    callback = train.TrainFaultTolerance(str(tmp_path), ckpt_save_fn=lambda now, more: seen.append((now.mode, more)))
    with pytest.raises(RuntimeError, match="broken"):
        model().train(1, data(), callbacks=[callback, Ends(3)])
    (mode, more), = seen
    assert (mode, more["step_num"]) == ("train", 2)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_saved_without_an_error_or_a_complete_step(tmp_path):
    callback = train.TrainFaultTolerance(str(tmp_path))
    model().train(1, data(), callbacks=callback)
    with pytest.raises(RuntimeError, match="broken"):
        model().train(1, data(), callbacks=[callback, Ends(1)])
    assert list(tmp_path.iterdir()) == []


def test_the_error_of_the_training_is_told_though_the_state_cannot_be_saved(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RuntimeError, match="broken"):
        model().train(1, data(), callbacks=[train.TrainFaultTolerance(str(tmp_path / "file")), Ends(3)])


def test_arguments_that_do_not_fit_are_refused():  # observed: MindSpore 2.10, CPU: that one is needed
    with pytest.raises(ValueError, match="one of 'ckpt_save_path' and 'ckpt_save_fn'"):
        train.TrainFaultTolerance()
    with pytest.raises(TypeError, match="'ckpt_save_fn'"):
        train.TrainFaultTolerance(ckpt_save_fn=3)
    with pytest.raises(TypeError, match="'colour'"):
        train.TrainFaultTolerance("x", colour=1)
    assert ms.TrainFaultTolerance.get_optimizer_wrapper(nn.Adam) is nn.Adam
