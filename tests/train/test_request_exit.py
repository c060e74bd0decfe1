"""Runs that end when the user asks for it."""

from __future__ import annotations

import json
import os
import signal

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, load, load_checkpoint, nn, train

X = np.random.default_rng(0).standard_normal((16, 3)).astype(np.float32)
Y = (X @ np.ones((3, 2))).astype(np.float32)


def data():
    return ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(4)


def model():
    net = nn.Dense(3, 2, Tensor(np.ones((2, 3), np.float32)), "zeros")
    return train.Model(net, nn.L1Loss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), {"mae"})


def at(step, act):
    """A callback that acts in one step, and the steps that it has seen."""
    seen = []

    def look(run):
        seen.append(run.original_args().cur_step_num)
        if len(seen) == step:
            act()

    return train.LambdaCallback(on_train_step_begin=look, on_eval_step_begin=look), seen


def terminate():
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_ends_a_training_after_its_step(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    trained, (sending, seen) = model(), at(6, terminate)
    trained.train(5, data(), callbacks=[train.OnRequestExit(file_name="N", directory=str(tmp_path)), sending])
    assert seen == [1, 2, 3, 4, 5, 6]
    assert signal.getsignal(signal.SIGTERM) is before
    folder = tmp_path / "rank_0"
    assert sorted([path.name for path in folder.iterdir()]) == ["N_train.ckpt", "N_train.mindir"]
    saved = load_checkpoint(str(folder / "N_train.ckpt"))
    done = [int(saved[name].asnumpy()) for name in ("epoch_num", "step_num", "batch_num")]
    assert done == [2, 6, 4]
    for parameter in trained.train_network.get_parameters():
        np.testing.assert_array_equal(saved[parameter.name].asnumpy(), parameter.asnumpy())
    step = nn.GraphCell(load(str(folder / "N_train.mindir")))
    loss = np.abs(X[8:12] @ saved["weight"].asnumpy().T + saved["bias"].asnumpy() - Y[8:12]).mean()
    np.testing.assert_allclose(float(step(Tensor(X[8:12]), Tensor(Y[8:12]))), loss, rtol=1e-5)


def test_a_step_that_mindir_has_no_form_for_is_told_and_the_checkpoint_is_there(tmp_path, capfd):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dropout(p=0.5))
    trained, (sending, _) = train.Model(net, nn.L1Loss(), nn.Adam(net.trainable_params(), 0.1)), at(2, terminate)
    trained.train(1, data(), callbacks=[train.OnRequestExit(file_name="N", directory=str(tmp_path)), sending])
    assert [path.name for path in (tmp_path / "rank_0").iterdir()] == ["N_train.ckpt"]
    assert "N_train.mindir was not written" in capfd.readouterr().err


def test_the_next_run_begins_with_what_was_saved(tmp_path):
    first, second = model(), model()
    leaving = train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
    first.train(5, data(), callbacks=[leaving, at(6, terminate)[0]])
    kept, seen = first.predict_network.weight.asnumpy(), []
    look = train.LambdaCallback(on_train_begin=lambda run: seen.append(second.predict_network.weight.asnumpy()))
    second.train(1, data(), callbacks=[train.OnRequestExit(save_mindir=False, directory=str(tmp_path)), look])
    np.testing.assert_array_equal(seen[0], kept)


@pytest.mark.parametrize(("content", "steps"), [('{"GracefulExit": 1}', 3), ('{"GracefulExit": 0}', 4), ("[1]", 4)])
def test_a_file_ends_a_training(tmp_path, content, steps):
    asking = tmp_path / "exit.json"
    writing, seen = at(3, lambda: asking.write_text(content))
    leaving = train.OnRequestExit(save_mindir=False, directory=str(tmp_path), config_file=str(asking))
    model().train(1, data(), callbacks=[writing, leaving])
    assert len(seen) == steps
    assert (tmp_path / "rank_0").exists() == (steps == 3)


def test_a_file_that_is_no_json_is_told_and_the_run_goes_on(tmp_path, capfd):
    asking = tmp_path / "exit.json"
    asking.write_text(json.dumps({"GracefulExit": 1})[:-1])
    leaving = train.OnRequestExit(directory=str(tmp_path), config_file=asking)
    stepping, seen = at(0, terminate)
    model().train(1, data(), callbacks=[leaving, stepping])
    assert len(seen) == 4
    assert "'config_file'" in capfd.readouterr().err


def test_an_evaluation_ends_and_leaves_its_files(tmp_path):
    leaving, (sending, seen) = train.OnRequestExit(directory=str(tmp_path)), at(2, terminate)
    model().eval(data(), callbacks=[leaving, sending])
    assert len(seen) == 2
    folder = tmp_path / "rank_0"
    assert sorted(path.name for path in folder.iterdir()) == ["Net_eval.ckpt", "Net_eval.mindir"]
    loss, output, label = nn.GraphCell(load(str(folder / "Net_eval.mindir")))(Tensor(X[4:8]), Tensor(Y[4:8]))
    np.testing.assert_allclose(output.asnumpy(), X[4:8] @ np.ones((3, 2), np.float32), rtol=1e-5)
    np.testing.assert_allclose(loss.asnumpy(), np.abs(output.asnumpy() - Y[4:8]).mean(), atol=1e-6)
    np.testing.assert_array_equal(label.asnumpy(), Y[4:8])


def test_an_evaluation_within_a_training_keeps_the_weights(tmp_path):
    first, second, undisturbed = model(), model(), model()
    leaving = train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
    first.train(1, data(), callbacks=[leaving, at(4, terminate)[0]])
    second.fit(1, data(), data(), callbacks=train.OnRequestExit(save_mindir=False, directory=str(tmp_path)))
    undisturbed.train(2, data())
    np.testing.assert_array_equal(second.predict_network.weight.asnumpy(),
                                  undisturbed.predict_network.weight.asnumpy())


@pytest.mark.parametrize(("error", "wrong"), [(ValueError, {"sig": signal.SIGKILL}), (TypeError, {"sig": "SIGTERM"}),
                                          (TypeError, {"save_ckpt": 1}), (TypeError, {"file_name": 3}),
                                          (TypeError, {"directory": 3}), (TypeError, {"config_file": 3})])
def test_wrong_arguments(error, wrong):
    with pytest.raises(error, match=next(iter(wrong))):
        train.OnRequestExit(**wrong)
