"""A training that is cut in the middle of an epoch and taken up equals the undisturbed one bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, load_checkpoint, load_param_into_net, nn, train
from mindspore.amp import DynamicLossScaleManager

RNG = np.random.default_rng(0)
X = RNG.standard_normal((20, 3)).astype(np.float32)
Y = (X @ RNG.standard_normal((3, 2))).astype(np.float32)
STEPS, EPOCHS = 5, 3


@pytest.fixture(autouse=True)
def seeded():
    before = ds.config.get_seed()
    ds.config.set_seed(7)
    yield
    ds.config.set_seed(before)


def data():
    rows = ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=True)
    return rows.map(lambda x: x * np.float32(0.5), "x", num_parallel_workers=2).shuffle(4).batch(4)


def model():
    net = nn.Dense(3, 2, Tensor(np.ones((2, 3), np.float32)), "zeros")
    optimizer = nn.Adam(net.trainable_params(), nn.CosineDecayLR(0.001, 0.1, STEPS * EPOCHS))
    scale = DynamicLossScaleManager(2.0**30, scale_window=2)  # too large for 16 bits: steps are skipped at first
    return train.Model(net, nn.MSELoss(), optimizer, loss_scale_manager=scale, amp_level="O3",
                       keep_batchnorm_fp32=False)


class Losses(train.Callback):
    """The losses of all steps; may fail after one."""

    def __init__(self, last=0):
        self.found, self.last = [], last

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        outputs = now.net_outputs
        self.found.append((outputs[0] if isinstance(outputs, tuple) else outputs).asnumpy().tobytes())
        if len(self.found) == self.last:
            raise KeyboardInterrupt


def state(trained):
    return {p.name: p.asnumpy().tobytes() for p in trained.train_network.get_parameters()}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("cut", [1, 8])
def test_a_run_goes_on_in_the_middle_of_an_epoch(tmp_path, cut):
    whole, all_losses = model(), Losses()
    whole.train(EPOCHS, data(), callbacks=all_losses)

    config = train.CheckpointConfig(1, append_info=["epoch_num", "step_num"])
    saving = train.ModelCheckpoint("R", str(tmp_path), config)
    first = model()
    with pytest.raises(KeyboardInterrupt):
        first.train(EPOCHS, data(), callbacks=[saving, Losses(cut)])

    second, later, rest = model(), Losses(), data()
    saved = load_checkpoint(saving.latest_ckpt_file_name)
    done = int(saved["step_num"].asnumpy())
    assert done == cut
    load_param_into_net(second.train_network, saved, strict_load=True)
    rest.set_init_step(done)
    second.train(EPOCHS, rest, callbacks=later, initial_epoch=done // STEPS)
    assert later.found == all_losses.found[cut:]
    assert state(second) == state(whole)


@pytest.mark.usefixtures("both_modes")
def test_a_run_with_sink_goes_on_after_any_sink(tmp_path):
    sinks, size = 6, 3
    whole, all_losses = model(), Losses()
    whole.train(sinks, data(), all_losses, dataset_sink_mode=True, sink_size=size)
    saving = train.ModelCheckpoint("R", str(tmp_path), train.CheckpointConfig(1, append_info=["step_num"]))
    with pytest.raises(KeyboardInterrupt):
        model().train(sinks, data(), [saving, Losses(3)], dataset_sink_mode=True, sink_size=size)

    second, later, rest = model(), Losses(), data()
    saved = load_checkpoint(saving.latest_ckpt_file_name)
    done = int(saved["step_num"].asnumpy())
    assert done == 3 * size  # in the middle of the second pass
    load_param_into_net(second.train_network, saved, strict_load=True)
    rest.set_init_step(done)
    second.train(sinks, rest, later, dataset_sink_mode=True, sink_size=size, initial_epoch=done // size)
    assert later.found == all_losses.found[3:]
    assert state(second) == state(whole)
