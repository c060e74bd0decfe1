"""A training that is cut and taken up equals the undisturbed one bit for bit."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import mindspore as ms
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


def drawing(workers=1, processes=False):
    """A model with dropout, and data that draw random numbers in every row."""
    rows = ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=True)
    noise = (lambda x: x + np.random.normal(0, 0.1, x.shape).astype(np.float32)) if processes else (lambda x: x)
    rows = rows.map(noise, "x", num_parallel_workers=workers, python_multiprocessing=processes).shuffle(4).batch(4)
    net = nn.SequentialCell(nn.Dense(3, 16, Tensor(np.ones((16, 3), np.float32)), "zeros"), nn.Dropout(p=0.5),
                            nn.Dense(16, 2, Tensor(np.ones((2, 16), np.float32)), "zeros"))
    optimizer = nn.Adam(net.trainable_params(), nn.CosineDecayLR(0.001, 0.1, STEPS * EPOCHS))
    return train.Model(net, nn.MSELoss(), optimizer), rows


class Numbers(train.Callback):
    """Epochs and steps, as callbacks see them."""

    def __init__(self):
        self.found = []

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        self.found.append((now.cur_epoch_num, now.cur_step_num))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("workers", "processes", "cut", "saved"),
                         [(2, False, 8, 5), (2, True, 14, 10), (1, False, 3, 0)])
def test_a_backup_goes_on_after_its_epoch(tmp_path, workers, processes, cut, saved):
    ms.set_seed(3)
    (whole, rows), all_losses = drawing(workers, processes), Losses()
    whole.train(EPOCHS, rows, callbacks=all_losses)

    ms.set_seed(3)
    first, rows = drawing(workers, processes)
    with pytest.raises(KeyboardInterrupt):
        first.train(EPOCHS, rows, callbacks=[train.BackupAndRestore(str(tmp_path)), Losses(cut)])

    ms.set_seed(3)
    (second, rows), later, numbers = drawing(workers, processes), Losses(), Numbers()
    second.train(EPOCHS, rows, callbacks=[train.BackupAndRestore(str(tmp_path)), later, numbers])
    assert later.found == all_losses.found[saved:]
    assert numbers.found == [(step // STEPS + 1, step + 1) for step in range(saved, STEPS * EPOCHS)]
    assert state(second) == state(whole)
    assert list(tmp_path.iterdir()) == []
    assert rows.get_init_step() == 0


@pytest.mark.parametrize("after", [False, True])
def test_callbacks_that_monitor_go_on_with_what_they_had_found(tmp_path, after):
    def run(cut=0):
        net = nn.Dense(3, 2, Tensor(np.ones((2, 3), np.float32)), "zeros")
        trained, numbers = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)), Losses(cut)
        # no epoch improves by so much: rates fall and the training ends by the count of epochs alone
        watching = [train.ReduceLROnPlateau("loss", 0.5, 2, min_delta=1e9, cooldown=1, mode="min"),
                    train.EarlyStopping("loss", 1e9, 5, mode="min")]
        backup = [train.BackupAndRestore(str(tmp_path), delete_checkpoint=False)] if cut >= 0 else []
        try:
            trained.train(9, data(), [*watching, *backup, numbers])
        except KeyboardInterrupt:
            assert cut > 0
        return numbers.found, state(trained), [vars(w)["wait"] for w in watching]

    whole = run(-1)
    cut = STEPS * (3 if after else 1) + 2
    run(cut)
    losses, weights, waits = run()
    assert len(whole[0]) < 9 * STEPS
    assert losses == whole[0][cut - 2:]
    assert (weights, waits) == whole[1:]


def test_the_best_weights_of_before_an_interruption_are_restored(tmp_path, capfd):
    """The first epoch is the best: afterwards a rate that is far too large drives the weights away."""
    def run(cut=0, backup=True):
        net = nn.Dense(3, 2, Tensor(np.zeros((2, 3), np.float32)), "zeros")
        steps = [0.05] * STEPS + [2.0] * 8 * STEPS
        trained, best = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), steps)), []
        end = train.LambdaCallback(on_train_epoch_end=lambda run: best.append(state(trained)))
        callbacks = [end, train.EarlyStopping("loss", patience=4, mode="min", restore_best_weights=True)]
        saving = [train.BackupAndRestore(str(tmp_path), delete_checkpoint=False)] if backup else []
        try:
            trained.train(9, data(), [*callbacks, *saving, Losses(cut)])
        except KeyboardInterrupt:
            assert cut > 0
        return state(trained), best

    whole, best = run(backup=False)
    assert whole == best[0]
    run(cut=2 * STEPS + 2)
    found, later = run()
    assert found == whole
    assert found not in later
    assert "monitors" not in capfd.readouterr().err


def test_a_training_that_was_asked_to_end_goes_on_in_the_middle_of_an_epoch(tmp_path):
    ms.set_seed(3)
    (whole, rows), all_losses = drawing(), Losses()
    whole.train(EPOCHS, rows, callbacks=all_losses)

    ms.set_seed(3)
    first, rows = drawing()
    ending = train.LambdaCallback(
        on_train_step_end=lambda run: run.original_args().cur_step_num == 7 and run.request_stop())
    first.train(EPOCHS, rows, callbacks=[train.BackupAndRestore(str(tmp_path), delete_checkpoint=False), ending])

    ms.set_seed(3)
    (second, rows), later, numbers = drawing(), Losses(), Numbers()
    second.train(EPOCHS, rows, callbacks=[train.BackupAndRestore(str(tmp_path)), later, numbers])
    assert later.found == all_losses.found[7:]
    assert numbers.found[0] == (2, 8)
    assert state(second) == state(whole)


def test_a_backup_of_a_complete_training_leaves_nothing_to_do(tmp_path):
    numbers = Numbers()
    for _ in range(2):
        trained, rows = drawing()
        trained.train(EPOCHS, rows, [train.BackupAndRestore(str(tmp_path), delete_checkpoint=False), numbers])
    assert len(numbers.found) == EPOCHS * STEPS


def test_a_program_that_says_where_it_begins_takes_the_parameters_only(tmp_path):
    trained, rows = drawing()
    trained.train(1, rows, train.BackupAndRestore(str(tmp_path), delete_checkpoint=False))
    numbers = Numbers()
    trained.train(3, rows, [train.BackupAndRestore(str(tmp_path), delete_checkpoint=False), numbers], initial_epoch=2)
    assert numbers.found == [(3, step + 1) for step in range(STEPS)]


def test_a_backup_of_other_batches_gives_parameters_and_is_told(tmp_path, capfd):
    trained, rows = drawing()
    trained.train(1, rows, train.BackupAndRestore(str(tmp_path), delete_checkpoint=False))
    numbers = Numbers()
    trained.train(2, rows.take(2), [train.BackupAndRestore(str(tmp_path)), numbers])
    assert len(numbers.found) == 4
    assert "5 steps in an epoch, but this one has 2" in capfd.readouterr().err


def test_random_numbers_go_on_with_a_checkpoint_of_model_checkpoint(tmp_path):
    config = train.CheckpointConfig(1, append_info=["epoch_num", "step_num", {"random": ms.default_generator}])
    ms.set_seed(3)
    (whole, rows), all_losses, saving = drawing(), Losses(), train.ModelCheckpoint("R", str(tmp_path), config)
    whole.train(EPOCHS, rows, callbacks=[all_losses])

    ms.set_seed(3)
    first, rows = drawing()
    with pytest.raises(KeyboardInterrupt):
        first.train(EPOCHS, rows, callbacks=[saving, Losses(7)])

    ms.set_seed(3)
    (second, rows), later = drawing(), Losses()
    saved = load_checkpoint(saving.latest_ckpt_file_name, second.train_network)
    ms.set_rng_state(saved["random"])
    rows.set_init_step(7)
    second.train(EPOCHS, rows, callbacks=later, initial_epoch=1)
    assert later.found == all_losses.found[7:]
    assert state(second) == state(whole)


PROGRAM = """
import json, shutil, sys
import numpy as np
import mindspore as ms, mindspore.dataset as ds
from mindspore import nn, ops, train
from mindspore.amp import DynamicLossScaleManager

ms.set_seed(5)
folder, keep, rng = sys.argv[1], sys.argv[2], np.random.default_rng(0)
images, labels = rng.integers(0, 255, (12, 8, 8, 1), dtype=np.uint8), rng.integers(0, 3, 12).astype(np.int32)
data = ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=True)
vision = ds.vision
data = data.map([vision.RandomCrop(6), vision.RandomHorizontalFlip(), vision.HWC2CHW(),
                 lambda x: (x / 255 + np.random.rand()).astype(np.float32)], "image",
                num_parallel_workers=2, python_multiprocessing=True).batch(4)

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.flat, self.drop, self.head = nn.Flatten(), ops.Dropout(0.5, Seed0=3), nn.Dense(144, 3)
    def construct(self, x):
        return self.head(self.drop(self.flat(ops.relu(self.norm(self.conv(x)))))[0])

net, losses = Net(), []
model = train.Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.01), amp_level="O2",
                    loss_scale_manager=DynamicLossScaleManager(2.0**20, scale_window=2))

class Watching(train.Callback):
    def on_train_step_end(self, run):
        losses.append(run.original_args().net_outputs[0].asnumpy().tobytes().hex())
    def on_train_epoch_end(self, run):
        if keep and run.original_args().cur_epoch_num == 1:
            shutil.copytree(folder, keep)

if __name__ == "__main__":
    model.train(3, data, [train.BackupAndRestore(folder), Watching()])
    print(json.dumps([losses, [p.asnumpy().tobytes().hex() for p in model.train_network.get_parameters()]]))
"""


def test_another_process_goes_on_with_all_that_is_random(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def run(folder, keep):
        done = subprocess.run([sys.executable, str(program), str(folder), str(keep)], capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])
    whole, parameters = run(tmp_path / "a", tmp_path / "b")
    rest, at_the_end = run(tmp_path / "b", "")
    assert len(whole) == 9
    assert rest == whole[3:]
    assert at_the_end == parameters
