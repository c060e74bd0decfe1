"""What each callback prints, keeps, writes and changes."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, nn, train
from mindspore.train.callback import ProgressBar

RNG = np.random.default_rng(0)
X = RNG.standard_normal((16, 3)).astype(np.float32)
Y = (X @ RNG.standard_normal((3, 2))).astype(np.float32)


def data(batch=4):
    return ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(batch)


def model(metrics=None, rate=0.1):
    net = nn.Dense(3, 2)
    net.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
    net.bias.set_data(Tensor(np.zeros(2, np.float32)))
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.0)
    return train.Model(net, nn.MSELoss(), optimizer, metrics)


def rate_of(trained):
    return float(trained.train_network.optimizer.learning_rate.asnumpy())


# ---------------------------------------------------------------------- monitors


def test_the_loss_is_printed_every_few_steps(capsys):
    model().train(2, data(), callbacks=train.LossMonitor(3))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(", loss is ")[0] for line in lines] == ["epoch: 1 step: 3", "epoch: 2 step: 2"]
    assert all(float(line.split(", loss is ")[1]) > 0 for line in lines)


def test_the_loss_monitor_prints_what_fit_found(capsys):
    model({"mae"}).fit(1, data(16), data(16), callbacks=train.LossMonitor(0))
    assert re.fullmatch(r"Eval result: epoch 1, metrics: \{'mae': [\d.]+\}\n", capsys.readouterr().out)


def test_only_the_epochs_that_end_with_an_evaluation_tell_of_one(capsys):  # observed: MindSpore 2.10, CPU
    kept = []
    look = train.LambdaCallback(on_train_epoch_begin=lambda run: kept.append(run.original_args().get("metrics")))
    model({"mae"}).fit(4, data(16), data(16), valid_frequency=2, callbacks=[train.LossMonitor(0), look])
    assert re.findall(r"epoch (\d)", capsys.readouterr().out) == ["2", "4"]
    assert kept == [None] * 4


def test_a_callback_that_answers_an_error_ends_the_training_quietly():  # observed: MindSpore 2.10, CPU
    class Quiet(train.Callback):
        def __exit__(self, kind, *further):
            return kind is KeyError

        def step_end(self, run_context):
            raise KeyError("step")

    assert model().train(1, data(), callbacks=[Quiet()]) is None


def test_a_loss_that_is_no_number_ends_the_training():
    X[0, 0], old = np.nan, X[0, 0]
    try:
        with pytest.raises(ValueError, match="In epoch: 1 step: 1, loss is NAN or INF"):
            model().train(1, data(), callbacks=train.LossMonitor())
    finally:
        X[0, 0] = old


def test_the_first_of_several_outputs_is_the_loss(capsys):
    class Two(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(3, 2)

        def construct(self, x, y):
            out = self.net(x)
            return (out - y).mean() * 0.0 + 0.5, out

    net = Two()
    train.Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1)).train(
        1, data(16), callbacks=train.LossMonitor()
    )
    assert capsys.readouterr().out == "epoch: 1 step: 1, loss is 0.5\n"


def test_times_are_printed_in_milliseconds(capsys):
    model({"mae"}).fit(1, data(), data(), callbacks=train.TimeMonitor(data_time=True))
    first, second = capsys.readouterr().out.splitlines()
    number = r" *\d+\.\d{3} ms"
    assert re.fullmatch(f"Eval epoch time: {number}, per step time: {number}", first)
    assert re.fullmatch(
        rf"Train epoch time: {number}, per step time: {number} \(data time: {number}\)", second
    )


def test_history_keeps_outputs_and_metrics():
    history = train.History()
    model({"mae"}).fit(2, data(), data(), callbacks=history)
    assert history.epoch == {"epoch": [1, 2]}
    assert history.history.keys() == {"net_output", "mae"}
    assert len(history.history["mae"]) == len(history.history["net_output"]) == 2


def test_lambda_callbacks_call_what_they_are_given():
    calls = []
    model({"mae"}).fit(
        1,
        data(16),
        data(16),
        callbacks=train.LambdaCallback(
            on_train_epoch_end=lambda run: calls.append(run.original_args().cur_epoch_num),
            on_eval_end=lambda run: calls.append("eval"),
        ),
    )
    assert calls == ["eval", 1]
    with pytest.raises(TypeError, match="on_train_begin"):
        train.LambdaCallback(on_train_begin=3)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_a_bar_on_a_terminal_and_lines_in_a_log():
    terminal, log = Terminal(), io.StringIO()
    model().train(2, data(), callbacks=[ProgressBar(8, terminal), ProgressBar(8, log)])
    assert "[########]" in terminal.getvalue()
    lines = log.getvalue().splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"epoch 1/2  4/4 steps  [\d.]+ s  loss [\d.e-]+", lines[0])


# ---------------------------------------------------------------------- learning rates and ends


def test_the_rate_is_what_the_function_says():
    seen = []

    def halved(rate, step):
        seen.append((rate, step))
        return rate / 2 if step == 3 else rate

    trained = model()
    trained.train(1, data(), callbacks=train.LearningRateScheduler(halved))
    assert seen == [(0.1, 1), (0.1, 2), (0.1, 3), (0.05, 4)]
    assert rate_of(trained) == pytest.approx(0.05)


def test_a_schedule_cannot_be_set():
    net = nn.Dense(3, 2)
    optimizer = nn.SGD(net.trainable_params(), [0.1, 0.2])
    chosen = train.Model(net, nn.MSELoss(), optimizer)
    with pytest.raises(TypeError, match="one learning rate"):
        chosen.train(1, data(), callbacks=train.LearningRateScheduler(lambda rate, step: rate))


def test_the_rate_falls_where_nothing_improves(capsys):
    trained = model({"mae"})
    plateau = train.ReduceLROnPlateau("mae", factor=0.1, patience=1, min_delta=100.0, verbose=True)
    trained.fit(3, data(), data(), callbacks=plateau)
    assert rate_of(trained) == pytest.approx(0.001)
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 00002: ReduceLROnPlateau reducing learning rate to 0.010000001.",
        "Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.001.",
    ]  # observed: MindSpore 2.10, CPU


def test_the_rate_waits_for_the_cooldown_and_stops_at_the_least():
    trained = model({"mae"})
    plateau = train.ReduceLROnPlateau(
        "mae", factor=0.5, patience=0, min_delta=100.0, cooldown=2, min_lr=0.04
    )
    trained.fit(5, data(), data(), callbacks=plateau)
    assert rate_of(trained) == pytest.approx(0.04)      # 0.05 after epoch 2, then not before epoch 4


def test_a_training_that_does_not_improve_ends(capsys):
    epochs = train.History()
    stop = train.EarlyStopping("loss", patience=2, min_delta=100.0, verbose=True)
    model().train(9, data(), callbacks=[stop, epochs])
    assert epochs.epoch["epoch"] == [1, 2, 3]
    assert capsys.readouterr().out == "Epoch 00003: early stopping\n"


def test_the_best_parameters_come_back():
    kept = []
    keep = train.LambdaCallback(
        on_train_epoch_end=lambda run: kept.append(run.original_args().network.weight.asnumpy().copy())
    )
    trained = model({"mae"})
    stop = train.EarlyStopping("mae", patience=2, mode="max", restore_best_weights=True)
    trained.fit(5, data(), data(), callbacks=[keep, stop])
    assert np.array_equal(trained.predict_network.weight.asnumpy(), kept[0])
    assert not np.array_equal(kept[0], kept[-1])


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: train.LossMonitor(-1)),
        (TypeError, lambda: train.LossMonitor(1.0)),
        (TypeError, lambda: train.TimeMonitor(1, 3)),
        (ValueError, lambda: train.EarlyStopping(mode="x")),
        (TypeError, lambda: train.EarlyStopping(mode=1)),
        (ValueError, lambda: train.EarlyStopping(patience=-1)),
        (TypeError, lambda: train.EarlyStopping(monitor=3)),
        (ValueError, lambda: train.ReduceLROnPlateau(factor=1.0)),
        (TypeError, lambda: train.ReduceLROnPlateau(factor="x")),
        (TypeError, lambda: train.LearningRateScheduler(3)),
        (TypeError, lambda: train.RunContext(3)),
        (ValueError, lambda: train.CheckpointConfig(-1)),
        (ValueError, lambda: train.CheckpointConfig(0, 0, 0, 0)),
        (TypeError, lambda: train.CheckpointConfig(saved_network=3)),
        (ValueError, lambda: train.CheckpointConfig(append_info=["x"])),
        (TypeError, lambda: train.CheckpointConfig(append_info=[{"a": [1]}])),
        (ValueError, lambda: train.CheckpointConfig(format="x")),
        (ValueError, lambda: train.CheckpointConfig(enc_key="x")),
        (ValueError, lambda: train.CheckpointConfig(colour=1)),
        (TypeError, lambda: train.CheckpointConfig(incremental=1)),
        (TypeError, lambda: train.CheckpointConfig(enable_redundance=1)),
        (ValueError, lambda: train.ModelCheckpoint("a/b")),
        (TypeError, lambda: train.ModelCheckpoint(config=3)),
    ],
)
def test_wrong_arguments_are_refused(error, make):
    with pytest.raises(error):
        make()


@pytest.mark.parametrize("kind", [train.LossMonitor, train.TimeMonitor, train.ModelCheckpoint])
def test_a_subclass_may_override_the_moments_of_earlier_releases(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = []

    class Own(kind):
        def begin(self, run_context):
            seen.append("begin")
            super().begin(run_context)

        def step_end(self, run_context):
            seen.append("step")
            super().step_end(run_context)

        def end(self, run_context):
            seen.append("end")
            super().end(run_context)

    model().train(1, data(), callbacks=Own())
    assert seen == ["begin", *["step"] * data().get_dataset_size(), "end"]
