"""Callbacks at the limits of what they count, with networks and values that are not the usual ones, and used twice."""
from __future__ import annotations

import io
import json
from types import SimpleNamespace

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, dataset, nn, ops, train
from mindspore.dataset import WaitedDSCallback
from mindspore.dataset.callback import CallbackParam
from mindspore.ir import COND, Aval, Graph, Node
from mindspore.operators.registry import REGISTRY
from mindspore.train.callback import (
    ProgressBar,
    RunContext,
    _InternalCallbackParam,
    checkpoint_files,
    flops_collector,
)
from mindspore.train.callback import checkpoint as checkpoints
from mindspore.train.callback.callback import loss_of, set_learning_rate
from mindspore.train.callback.flops_collector import flops

X = np.random.default_rng(4).standard_normal((12, 3)).astype(np.float32)
Y = (X @ np.ones((3, 2))).astype(np.float32)


def data(batch=4):
    return dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(batch)


def model(metrics=None, rate=0.1):
    net = nn.Dense(3, 2, Tensor(np.ones((2, 3), np.float32)), "zeros")
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), rate, 0.9), metrics)


class Run(RunContext):
    """A run driven by hand."""

    def __init__(self, **values):
        net = nn.Dense(2, 1)
        super().__init__(_InternalCallbackParam(**{
            "mode": "train", "train_network": net, "optimizer": nn.SGD(net.trainable_params(), 1.0), "cur_epoch_num": 1,
            "epoch_num": 9, "cur_step_num": 0, "batch_num": 4, "list_callback": [], **values}))

    def at(self, callback, moment, **values):
        self.original_args().update(values)
        getattr(callback, moment)(self)
        return self


def test_a_run_begins_with_the_first_epoch_unless_a_callback_says_otherwise():
    assert RunContext({}).first_epoch == 0


@pytest.mark.parametrize(("outputs", "loss"), [
    (True, None), (3, 3.0), (Tensor([1.0, 4.0]), 2.5), ((Tensor(2.0), Tensor(7.0)), 2.0), ([], None), ("x", None),
    ([Tensor([1.0, 2.0]), 9.0], 1.5)])
def test_the_loss_of_a_step_is_its_first_output_if_that_is_a_number(outputs, loss):
    assert loss_of(outputs) == loss


def test_a_rate_keeps_its_type():
    rate = Parameter(Tensor(0.5, ms.float16), name="rate")
    set_learning_rate(rate, 0.25)
    assert (rate.dtype, float(rate)) == (ms.float16, 0.25)


# ------------------------------------------------------------------ checkpoints

@pytest.mark.parametrize("only", ["steps", "seconds", "keep", "minutes"])
def test_one_interval_is_enough(only):
    names = {"steps": "save_checkpoint_steps", "seconds": "save_checkpoint_seconds", "keep": "keep_checkpoint_max",
             "minutes": "keep_checkpoint_per_n_minutes"}
    train.CheckpointConfig(**{name: 3 if key == only else 0 for key, name in names.items()})
    with pytest.raises(ValueError, match="can't be all None or 0"):
        train.CheckpointConfig(**dict.fromkeys(names.values(), 0))


@pytest.mark.parametrize("redundant", [True, False])
def test_what_a_file_is_written_with_is_handed_on(redundant, monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr(checkpoints, "save_checkpoint", lambda *a, **k: given.append(k))
    config = train.CheckpointConfig(remove_redundancy=redundant, format="safetensors")
    Run().at(train.ModelCheckpoint("n", str(tmp_path), config), "step_end", cur_step_num=1)
    assert (given[0]["remove_redundancy"], given[0]["format"]) == (redundant, "safetensors")


def test_a_training_that_fails_leaves_its_state_though_its_last_step_was_saved(tmp_path):
    saving = train.ModelCheckpoint("n", str(tmp_path), train.CheckpointConfig(1, exception_save=True))
    run = Run(train_network=nn.Dense(2, 1)).at(saving, "step_end", cur_step_num=1)
    assert (run.original_args().last_save_ckpt_step, run.original_args().latest_ckpt_file) == (
        1, str(tmp_path / "n-1_1.ckpt"))
    saving.__exit__(ValueError, ValueError("x"), None)
    assert sorted(p.name for p in tmp_path.glob("*.ckpt")) == ["n-1_1.ckpt", "n-1_1_breakpoint.ckpt"]


def test_of_every_window_of_minutes_the_first_checkpoint_stays(monkeypatch, tmp_path):
    now = [0.0]
    monkeypatch.setattr(checkpoints.time, "time", lambda: now[0])
    config = train.CheckpointConfig(1, keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1)
    saving, run = train.ModelCheckpoint("n", str(tmp_path), config), Run(batch_num=100)
    run.at(saving, "begin")
    for step in range(1, 14):                # a step each 10 seconds: windows of steps 1 to 6, 7 to 12, ...
        now[0] += 10.0
        run.at(saving, "step_end", cur_step_num=step)
    left = sorted(int(p.stem.rpartition("_")[2]) for p in tmp_path.glob("*.ckpt"))
    assert left == [1, 6, 12, 13]


def test_the_backup_folder_is_made(tmp_path):
    trained, folder = model(), tmp_path / "a" / "b"
    trained.train(1, data(), callbacks=train.BackupAndRestore(str(folder), delete_checkpoint=False))
    assert (folder / "backup.ckpt").is_file()


def test_files_of_a_folder_are_named_numbered_and_forgotten(tmp_path):
    (tmp_path / "net-1_1.ckpt").write_bytes(b"")
    name = checkpoint_files._chg_ckpt_file_name_if_same_exist
    assert name(str(tmp_path), "net") == "net_1"
    assert name(str(tmp_path), "net", exception=True) == "net"
    net = nn.ReLU()
    checkpoint_files.set_cur_net(net)
    assert checkpoint_files.current_net() is net
    del net
    assert checkpoint_files.current_net() is None


# ------------------------------------------------------------------ trainings that fail

@pytest.mark.parametrize("steps", [0, 2])
def test_a_training_is_saved_once_and_only_if_a_step_was_complete(steps):
    saved, moments = [], [0]

    def fail(run_context):
        moments[0] += 1
        if moments[0] > steps:
            raise ArithmeticError("x")
    tolerant = train.TrainFaultTolerance(ckpt_save_fn=lambda now, entries: saved.append(entries.get("step_num")))
    trained = model({"mae"})
    for run in (lambda: trained.train(1, data(), [tolerant, train.LambdaCallback(on_train_step_begin=fail)]),
                lambda: trained.eval(data(), callbacks=[tolerant, train.LambdaCallback(on_eval_step_begin=fail)])):
        with pytest.raises(ArithmeticError):
            run()
    assert saved == [steps] * bool(steps)


# ------------------------------------------------------------------ pipelines that wait

class Waiting(WaitedDSCallback):
    def __init__(self, size):
        super().__init__(size)
        self.told = []

    def sync_step_begin(self, train_run_context, ds_run_context):
        self.told.append((ds_run_context.cur_step_num, train_run_context.cur_step_num))


def test_the_first_row_waits_for_nothing_and_later_ones_for_the_step_before():
    waits, run = Waiting(1), Run()
    waits.ds_step_begin(CallbackParam(1, 1, 1))
    assert waits.told == []
    for row in (2, 3):
        assert not _would_go(waits, row)
        run.at(waits, "step_end", cur_step_num=row - 1)
        waits.ds_step_begin(CallbackParam(1, row, row))
    assert waits.told == [(2, 1), (3, 2)]


def _would_go(waits, row):
    """Whether a row need not wait."""
    dataset.config.set_callback_timeout(1)
    try:
        waits.ds_step_begin(CallbackParam(1, row, row))
    except RuntimeError:
        return False
    finally:
        dataset.config.set_callback_timeout(60)
    return True


def test_a_row_that_waits_is_woken_by_the_step(monkeypatch):
    waits, woken = Waiting(1), []
    monkeypatch.setattr(waits._changed, "notify_all", lambda: woken.append(1))
    Run().at(waits, "step_end").at(waits, "epoch_end").at(waits, "end")
    assert woken == [1, 1, 1]


# ------------------------------------------------------------------ rates and monitors

def test_rates_are_set_through_optimizers_around_others_of_one_element_and_by_numbers_of_numpy():
    for one_element in (True, False):
        optimizer = nn.Momentum(nn.Dense(3, 2).trainable_params(), 0.1, 0.9)
        if one_element:
            optimizer.learning_rate.set_data(Tensor([0.1], ms.float32), slice_shape=True)
        run, seen = Run(optimizer=optimizer if one_element else SimpleNamespace(opt=optimizer)), []

        def half(old, step, seen=seen):
            seen.append((old, step))
            return np.float32(old / 2)
        run.at(train.LearningRateScheduler(half), "step_end", cur_step_num=7)
        assert seen == [(0.1, 7)]
        np.testing.assert_allclose(optimizer.learning_rate.asnumpy().reshape(()), 0.05, rtol=1e-6)


def watched(callback, *values, monitor="eval_loss", run=None):
    """A run in which a value is found after each epoch; the run, and the rate after each."""
    run, rates = run or Run(), []
    run.at(callback, "on_train_begin")
    for epoch, value in enumerate(values, 1):
        run.at(callback, "on_train_epoch_end", cur_epoch_num=epoch, eval_results={monitor: value})
        rates.append(float(run.original_args().optimizer.learning_rate))
    return run, rates


def test_epochs_of_a_cooldown_do_not_count():
    falls = train.ReduceLROnPlateau(patience=2, factor=0.5, cooldown=2)
    _, rates = watched(falls, 1.0, *[1.0] * 9)
    assert rates == [1.0, 1.0, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125]


def test_a_rate_does_not_fall_below_the_least_and_nothing_is_said_then(capsys):
    falls = train.ReduceLROnPlateau(patience=1, factor=0.5, min_lr=0.3, verbose=True)
    _, rates = watched(falls, *[1.0] * 6)
    np.testing.assert_allclose(rates, [1.0, 0.5, 0.3, 0.3, 0.3, 0.3], rtol=1e-6)
    assert capsys.readouterr().out.count("reducing") == 2


def test_what_has_acc_in_its_name_is_to_grow_and_nought_is_a_value():
    for monitor, values, epochs in (("my_acc", (0.1, 0.2, 0.3), 3), ("eval_loss", (1.0, 0.0, 0.0), 3)):
        run, _ = watched(stops := train.EarlyStopping(monitor, patience=1), *values, monitor=monitor)
        stopped = stops.stopped_epoch
        assert (stopped or 3) == epochs, monitor
        assert run.get_stop_requested() == bool(stopped)


def test_what_monitors_found_is_taken_up_by_those_of_the_same_value():
    first, second = train.ReduceLROnPlateau("a"), train.ReduceLROnPlateau("b")
    first.best, first.cooldown_counter = 0.25, 3
    assert set(first.standing()).isdisjoint(second.standing())
    second.take_up(first.standing(), {})
    assert (second.best, second.wait, second.cooldown_counter) == (0.25, 0, 3)


# ------------------------------------------------------------------ what is printed and kept

def test_bars_and_histories(capsys):
    run = Run(net_outputs=Tensor([1.0, 2.0]))
    bar = ProgressBar()
    run.at(bar, "on_train_epoch_begin").at(bar, "on_train_epoch_end", cur_step_num=4)
    assert capsys.readouterr().err.startswith("epoch 1/9")

    class File(io.StringIO):
        flushed = 0

        def flush(self):
            self.flushed += 1
    bar = ProgressBar(file=(file := File()))
    run.at(bar, "on_train_epoch_begin").at(bar, "on_train_epoch_end", cur_step_num=4)
    assert file.flushed == 1
    outputs = Parameter(Tensor([1.0, 2.0]))
    history = train.History()
    run.at(history, "begin").at(history, "epoch_end", net_outputs=outputs)
    ops.assign(outputs, Tensor([5.0, 6.0]))
    assert history.history["net_output"][0].tolist() == [1.0, 2.0]
    for wrong in (0, "", []):
        with pytest.raises(TypeError, match="'on_eval_end' must be a function"):
            train.LambdaCallback(on_eval_end=wrong)


def test_the_time_of_some_steps_begins_with_the_first_of_them_and_goes_to_the_log(monkeypatch, capfd):
    ms.set_context(mode=ms.GRAPH_MODE)
    now = [0.0]
    monkeypatch.setattr(flops_collector.time, "perf_counter", lambda: now[0])
    logged = []
    monkeypatch.setattr(flops_collector.log, "info", lambda form, line: logged.append(line))
    try:
        net = nn.Dense(10, 5)
        each = dataset.NumpySlicesDataset({"x": np.ones((12, 10), np.float32), "y": np.zeros(12, np.int32)}).batch(2)
        passes = train.LambdaCallback(on_train_step_end=lambda run_context: now.__setitem__(0, now[0] + 0.5))
        train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params())).train(1, each, callbacks=[
            passes, train.FlopsUtilizationCollector(3, computility=1e9, enable_ma_collector=True)])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    times = [line for line in capfd.readouterr().out.splitlines() if "per step" in line]
    assert [line.split(" mfu")[0] for line in times] == ["Train per step time: 500.000 ms"] * 2
    assert logged[1:] == times


def test_of_branches_the_longest_counts():
    def product(n):
        graph = Graph("branch")
        x, y = [Node(None, (), {}, Aval(shape, ms.float32)) for shape in ((2, n), (n, 3))]
        graph.nodes.append(Node(REGISTRY["MatMul"], (x, y), {"transpose_a": False, "transpose_b": False},
                                Aval((2, 3), ms.float32)))
        return graph
    graph = Graph("whole")
    graph.nodes.append(Node(COND, (), {"then": product(4), "orelse": product(7)}, Aval((2, 3), ms.float32)))
    assert flops(graph) == (84.0, 84.0)


# ------------------------------------------------------------------ requests to end

def test_a_request_is_not_forgotten_when_the_file_takes_it_back(tmp_path):
    asking = tmp_path / "exit.json"
    ends, run = train.OnRequestExit(directory=str(tmp_path), config_file=str(asking)), Run()
    for content, asked in (({}, False), ({"GracefulExit": 1}, True), ({"GracefulExit": 0}, True)):
        asking.write_text(json.dumps(content))
        run.at(ends, "on_train_step_begin")
        assert ends.exit is asked


def test_an_evaluation_begins_with_the_parameters_of_the_training_that_was_ended(tmp_path):
    ended = train.LambdaCallback()
    trained, ends = model({"mae"}), train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
    ended.on_train_step_end = lambda run_context: setattr(ends, "exit", run_context.original_args().cur_step_num == 2)
    trained.train(1, data(), callbacks=[ended, ends])
    want = [p.asnumpy() for p in trained._network.trainable_params()]
    other = model({"mae"})
    other.eval(data(), callbacks=train.OnRequestExit(save_mindir=False, directory=str(tmp_path)))
    for p, w in zip(other._network.trainable_params(), want, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), w)


def test_what_a_callback_monitors_is_taken_up_after_a_request(tmp_path):
    def run(steps):
        stops = train.EarlyStopping("loss", patience=50)
        ends = train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
        asked = train.LambdaCallback(on_train_step_end=lambda context: setattr(
            ends, "exit", context.original_args().cur_step_num == steps))
        found = []
        first = train.LambdaCallback(on_train_step_begin=lambda context: found.append(stops.best))
        model().train(3, data(), callbacks=[stops, asked, ends, first])
        return stops, found[0]
    stops, begun = run(5)                       # in the middle of the second epoch
    assert begun == np.inf
    _, begun = run(0)
    assert np.isfinite(begun)
    assert begun == pytest.approx(stops.best)


def test_an_evaluation_within_a_training_that_ends_leaves_no_files_of_its_own(tmp_path):
    trained = model({"mae"})
    ends = train.OnRequestExit(save_mindir=False, directory=str(tmp_path))
    asked = train.LambdaCallback(on_eval_step_begin=lambda context: setattr(ends, "exit", True))
    trained.fit(2, data(), data(), callbacks=[asked, ends])
    assert [p.name for p in (tmp_path / "rank_0").iterdir()] == ["Net_train.ckpt"]


def test_a_training_after_one_that_was_ended_at_the_end_of_an_epoch_judges_it(tmp_path):
    ends, run = train.OnRequestExit(save_mindir=False, directory=str(tmp_path)), Run(train_dataset_element=())
    run.at(ends, "on_train_begin")
    try:
        ends.exit = True
        run.at(ends, "on_train_step_end", cur_step_num=4)
        assert ends._entries == {}
        run.at(ends, "on_train_step_end", cur_step_num=5)
        assert int(ends._entries["step_num"]) == 5
        run.at(ends, "on_train_end")
        assert ends._training is False
    finally:
        ends.__exit__(None, None, None)
