"""Trainings that a signal from another process ends, and processes that continue them bit for bit."""
from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import json, signal, sys, time
import numpy as np
import mindspore as ms
from mindspore import dataset as ds, nn, train

how, folder, mode, waits, file = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)        # a process in the background may ignore it
ms.set_context(mode=int(mode))
ms.set_seed(1)
X = np.random.default_rng(0).standard_normal((16, 3)).astype(np.float32)
rows = ds.NumpySlicesDataset({"x": X, "y": X[:, :2]}, shuffle=False).batch(2)
net = nn.SequentialCell(nn.Dense(3, 8), nn.Dropout(p=0.5), nn.Dense(8, 2))
model = train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
if how == "exit":
    leaving = train.OnRequestExit(save_mindir=False, file_name="N", directory=folder)
else:
    leaving = train.TrainFaultTolerance(folder)
watching = train.EarlyStopping("loss", patience=100)
epochs = 0
if file:                                                        # continue where the file was saved
    saved = ms.load_checkpoint(file)
    epochs = (int(saved["step_num"])) // 8
    rows.set_init_step(int(saved["step_num"]))
    if how != "exit":
        ms.load_param_into_net(model.train_network, saved)
        ms.set_rng_state(saved["random_state"])

class Waits(train.Callback):
    def on_train_step_begin(self, run):
        if waits == "yes" and run.original_args().cur_step_num == 11:
            print("waiting", flush=True)
            while not getattr(leaving, "exit", False):          # an interrupt ends this, too
                time.sleep(0.005)

model.train(3, rows, callbacks=[leaving, watching, Waits()], initial_epoch=epochs)
print(json.dumps([[p.asnumpy().tobytes().hex() for p in model.train_network.get_parameters()],
                  watching.best, watching.wait]))
"""


@pytest.fixture(params=[0, 1], ids=["graph", "pynative"])
def start(request, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def process(how, folder, waits="no", file=""):
        command = [sys.executable, str(program), how, str(folder), str(request.param), waits, str(file)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return process


def ended(process, code=0):
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    return json.loads(out.splitlines()[-1]) if code == 0 else err


def interrupted(process, number):
    for line in process.stdout:
        if line == "waiting\n":
            process.send_signal(number)
            return
    raise AssertionError(process.stderr.read())


def test_a_training_that_is_terminated_continues_with_what_callbacks_have_found(start, tmp_path):
    whole = start("exit", tmp_path / "whole")
    first = start("exit", tmp_path / "a", "yes")
    interrupted(first, signal.SIGTERM)
    stopped = ended(first)
    file = tmp_path / "a" / "rank_0" / "N_train.ckpt"
    found = ended(start("exit", tmp_path / "a", "no", file))
    undisturbed = ended(whole)
    assert found == undisturbed
    assert stopped != undisturbed


def test_a_training_that_is_interrupted_leaves_its_last_complete_step(start, tmp_path):
    whole = start("fault", tmp_path / "whole")
    first = start("fault", tmp_path / "a", "yes")
    interrupted(first, signal.SIGINT)
    assert "KeyboardInterrupt" in ended(first, -signal.SIGINT)
    (file,) = (tmp_path / "a").rglob("*.ckpt")
    assert file.parent.name == "ttp_saved_checkpoints-step_10"
    assert ended(start("fault", tmp_path / "b", "no", file))[0] == ended(whole)[0]
