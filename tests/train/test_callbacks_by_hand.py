"""Callbacks that are used again, that wait, that are cut off: what they keep from one moment to the next."""
from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, train
from mindspore.dataset import WaitedDSCallback, config
from mindspore.train.callback import (
    ProgressBar,
    RunContext,
    _InternalCallbackParam,
    flops_collector,
    loss_monitor,
    progress,
    standing,
    time_monitor,
)
from mindspore.train.callback import checkpoint as checkpoints


class Run(RunContext):
    """A training driven by hand: what callbacks see of it."""

    def __init__(self, **values):
        self.net = nn.Dense(2, 1)
        self.optimizer = nn.SGD(self.net.trainable_params(), 1.0)
        super().__init__(_InternalCallbackParam(**{
            "mode": "train", "train_network": self.net, "optimizer": self.optimizer, "cur_epoch_num": 0, "epoch_num": 9,
            "cur_step_num": 0, "batch_num": 4, **values}))

    def at(self, callback, moment, **values):
        """Call the callback at a moment of the run."""
        self.original_args().update(values)
        getattr(callback, moment)(self)
        return self


@pytest.fixture
def clock(monkeypatch):
    """The time that callbacks see: what it is set to."""
    now = SimpleNamespace(seconds=0.0)
    for module in (time_monitor, progress, checkpoints, flops_collector):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now.seconds, time=lambda: now.seconds))
    return now


def evaluated(callback, *values, run=None):
    """A training of one epoch for each value that is found; the run."""
    run = run or Run()
    run.at(callback, "on_train_begin")
    for epoch, value in enumerate(values, 1):
        weight = run.net.weight
        weight.set_data(Tensor(np.full(weight.shape, epoch, np.float32)))
        run.at(callback, "on_train_epoch_end", cur_epoch_num=epoch, eval_results={"eval_loss": value})
        if run.get_stop_requested():
            break
    return run.at(callback, "on_train_end")


def test_the_weights_of_an_earlier_training_do_not_come_back():
    stops = train.EarlyStopping(patience=2, restore_best_weights=True)
    evaluated(stops, 1.0, 2.0, 2.0)
    run = evaluated(stops, np.nan, np.nan)     # never better: the weights of its own first epoch stay
    assert run.net.weight.asnumpy().tolist() == [[1.0, 1.0]]
    assert stops.kept()[run.net.weight.name] is not None


def test_the_sign_of_the_least_change_does_not_matter():
    for least in (0.5, -0.5):
        assert evaluated(train.EarlyStopping(patience=1, min_delta=least), 3.0, 2.8, 2.7).original_args(
            ).cur_epoch_num == 2


def test_what_is_taken_up_has_the_kinds_that_it_had():
    falls = train.ReduceLROnPlateau("loss", patience=3)
    before = {name: getattr(falls, name) for name in ("best", "wait", "cooldown_counter")}
    falls.take_up({"a.best": 1.5, "a.wait": 2.0, "a.cooldown_counter": 1.0}, {})
    assert [getattr(falls, name) for name in before] == [1.5, 2, 1]
    assert [type(getattr(falls, name)) for name in before] == [type(value) for value in before.values()]


def test_a_pause_after_a_lower_rate_is_waited_for_and_forgotten_by_the_next_training():
    def falls():
        return train.ReduceLROnPlateau(factor=0.5, patience=2, cooldown=3, min_delta=0.0)
    kept = falls()
    for _ in range(2):                           # each ends in the pause
        assert float(evaluated(kept, 1, 1, 1).optimizer.learning_rate.asnumpy()) == 0.5
    assert [float(evaluated(falls(), *[1] * n).optimizer.learning_rate.asnumpy()) for n in (3, 5, 6, 7)] == [
        0.5, 0.5, 0.5, 0.25]


def test_history_names_epochs_as_the_run_does():
    history = train.History()
    run = Run().at(history, "begin")
    for epoch in (3, 4):
        run.at(history, "epoch_end", cur_epoch_num=epoch, net_outputs=1.0, metrics={"mae": epoch / 2})
    assert (history.epoch, history.history) == ({"epoch": [3, 4]}, {"net_output": [1.0, 1.0], "mae": [1.5, 2.0]})


def test_times_of_data_add_up_within_an_epoch(clock, capsys):
    timer, run = train.TimeMonitor(data_time=True), Run()
    for _ in range(2):
        run.at(timer, "on_train_epoch_begin")
        for waits in (1.0, 2.0, 0.0, 5.0):
            clock.seconds += waits
            run.at(timer, "on_train_step_begin")
            clock.seconds += 10
            run.at(timer, "on_train_step_end")
        run.at(timer, "on_train_epoch_end")
    said = capsys.readouterr().out.splitlines()
    assert said == ["Train epoch time: 48000.000 ms, per step time: 12000.000 ms (data time: 2000.000 ms)"] * 2


def test_a_bar_moves_from_the_first_step_of_every_epoch_and_not_too_often(clock):
    class Terminal(io.StringIO):
        def isatty(self):
            return True
    out = Terminal()
    bar, run = ProgressBar(4, out), Run()
    clock.seconds = 100.0
    for epoch in (1, 2):
        run.at(bar, "on_train_epoch_begin")
        for step in range(1, 5):
            clock.seconds += 0.01
            run.at(bar, "on_train_step_end", cur_epoch_num=epoch, cur_step_num=4 * epoch - 4 + step, net_outputs=0.5)
        run.at(bar, "on_train_epoch_end", metrics={"mae": 0.25})
    shown = [part for part in out.getvalue().replace("\n", "").split("\r") if part]
    assert [part[part.index("["):part.index("]") + 1] for part in shown] == ["[#...]", "[####]"] * 2
    assert shown[1] == "epoch 1/9  [####]  4/4 steps  0.0 s  loss 0.5  mae 0.25"


def test_a_training_that_fails_before_its_first_step_leaves_nothing_of_an_earlier_one():
    saved = []
    keeps = train.TrainFaultTolerance(ckpt_save_fn=lambda now, entries: saved.append(entries["step_num"]))
    run = Run().at(keeps, "on_train_begin").at(keeps, "on_train_step_end", cur_step_num=3)
    run.at(keeps, "on_train_begin")
    keeps.__exit__(ValueError, ValueError(), None)
    run.at(keeps, "on_train_begin").at(keeps, "on_train_step_end", cur_step_num=4).at(keeps, "on_train_end")
    keeps.__exit__(ValueError, ValueError(), None)
    keeps.__exit__(ValueError, ValueError(), None)
    assert saved == []
    run.at(keeps, "on_train_begin").at(keeps, "on_train_step_end", cur_step_num=5)
    keeps.__exit__(None, None, None)
    assert saved == []
    run.at(keeps, "on_train_begin").at(keeps, "on_train_step_end", cur_step_num=6)
    keeps.__exit__(ValueError, ValueError(), None)
    assert saved == [6]


def test_numbers_that_are_kept_are_those_of_their_step():
    entries = standing.kept_entries(Run(cur_step_num=7).original_args())
    before = entries[standing.RANDOM_STATE].asnumpy().copy()
    ms.ops.standard_normal((3,))
    np.testing.assert_array_equal(entries[standing.RANDOM_STATE].asnumpy(), before)


def test_the_first_checkpoint_of_a_window_of_minutes_stays(tmp_path, clock):
    config = train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1)
    saves, run = train.ModelCheckpoint("N", tmp_path, config), Run()
    clock.seconds = 300.0                        # long after it was made
    run.at(saves, "begin")
    for step in range(1, 5):
        clock.seconds += 25
        run.at(saves, "step_end", cur_step_num=step, cur_epoch_num=1)
    assert sorted(path.stem for path in tmp_path.iterdir() if path.suffix == ".ckpt") == ["N-1_1", "N-1_3", "N-1_4"]


def test_seconds_count_from_the_last_checkpoint(tmp_path, clock):
    config = train.CheckpointConfig(save_checkpoint_steps=0, save_checkpoint_seconds=30, keep_checkpoint_max=9)
    saves, run = train.ModelCheckpoint("N", tmp_path, config), Run()
    run.at(saves, "begin")
    for step in range(1, 5):
        clock.seconds += 20
        run.at(saves, "step_end", cur_step_num=step, cur_epoch_num=1)
    assert sorted(path.stem for path in tmp_path.iterdir() if path.suffix == ".ckpt") == ["N-1_2", "N-1_4"]


def test_a_name_that_is_written_again_counts_once(tmp_path):
    names = iter("aaab")
    config = train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)
    saves, run = train.ModelCheckpoint(lambda now: next(names), tmp_path, config), Run()
    run.at(saves, "begin")
    for step in range(1, 5):
        run.at(saves, "step_end", cur_step_num=step, cur_epoch_num=1)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize(("error", "wanted"), [(None, False), (ValueError, True)])
def test_the_state_at_a_failure_is_saved_only_then(tmp_path, error, wanted):
    config = train.CheckpointConfig(save_checkpoint_steps=9, exception_save=True)
    saves, run = train.ModelCheckpoint("N", tmp_path, config), Run()
    run.at(saves, "begin").at(saves, "step_end", cur_step_num=1, cur_epoch_num=1)
    saves.__exit__(error, error and error(), None)
    assert bool([path for path in tmp_path.iterdir() if "breakpoint" in path.name]) == wanted


@pytest.mark.parametrize(("first", "step", "taken"), [(0, 0, True), (1, 0, False), (0, 3, False)])
def test_a_run_is_taken_up_unless_the_program_says_where_it_begins(first, step, taken):
    run = Run(cur_step_num=step)
    run.first_epoch = first
    standing.take_up(run, {"step_num": 6, "batch_num": 4, "epoch_num": 2})
    now = run.original_args()
    assert (run.first_epoch, now.cur_step_num) == ((1, 6) if taken else (first, step))
    assert now.get("initial_step") == (6 if taken else None)
    assert hasattr(run, "taken_up") == taken


def test_lines_of_work_count_the_steps_of_a_sink(clock, capsys, monkeypatch):
    monkeypatch.setattr(flops_collector, "_program_of", lambda network: SimpleNamespace(prepared=None, graph=None))
    monkeypatch.setattr(flops_collector, "flops", lambda graph: (10.0, 20.0))
    for sink, wanted in ((False, ["1000.000", "2000.000"]), (True, ["250.000", "500.000"])):
        tells, run = train.FlopsUtilizationCollector(1, computility=100.0), Run(dataset_sink_mode=sink)
        for seconds in (1, 2):
            run.at(tells, "step_begin")
            clock.seconds += seconds
            run.at(tells, "step_end")
        said = [line for line in capsys.readouterr().out.splitlines() if "step time" in line]
        assert [line.split()[4] for line in said] == wanted
        assert said[0].endswith("mfu:10.00% hfu:20.00%" if not sink else "mfu:40.00% hfu:80.00%")


def test_a_pipeline_waits_only_before_what_is_overridden_and_before_the_end(monkeypatch):
    class Steps(WaitedDSCallback):
        def sync_step_begin(self, train_run_context, ds_run_context):
            seen.append((train_run_context.cur_step_num, ds_run_context.cur_step_num))

    class Epochs(WaitedDSCallback):
        def sync_epoch_begin(self, train_run_context, ds_run_context):
            seen.append(train_run_context.cur_step_num)
    seen: list = []
    monkeypatch.setattr(config, "get_callback_timeout", lambda: 0.01)
    late = SimpleNamespace(cur_epoch_num=3, cur_step_num=3)
    steps, epochs, run = Steps(), Epochs(), Run()
    steps.ds_epoch_begin(late)
    epochs.ds_step_begin(late)
    for callback, moment in ((steps, "ds_step_begin"), (epochs, "ds_epoch_begin")):
        with pytest.raises(RuntimeError, match=moment):
            getattr(callback, moment)(late)
    for step in (1, 2):
        run.at(steps, "step_end", cur_step_num=step).at(epochs, "epoch_end")
    run.original_args().cur_step_num = 7         # what the training does meanwhile
    steps.ds_step_begin(late)
    epochs.ds_epoch_begin(late)
    assert seen == [(2, 3), 2]
    late = SimpleNamespace(cur_epoch_num=9, cur_step_num=9)
    for callback, moment in ((steps, "ds_step_begin"), (epochs, "ds_epoch_begin")):
        run.at(callback, "end")
        getattr(callback, moment)(late)
    assert len(seen) == 2


def test_loss_of_several_outputs_is_told_as_its_mean(capsys):
    run = Run(cur_epoch_num=1)
    run.at(train.LossMonitor(), "step_end", cur_step_num=1, net_outputs=(Tensor([1.0, 2.0]), Tensor(7.0)))
    assert loss_monitor.loss_of((Tensor([1.0, 2.0]), 7)) == 1.5
    assert capsys.readouterr().out == "epoch: 1 step: 1, loss is 1.5\n"
