"""Callbacks that see a second training, worse values after better ones, and intervals beyond one epoch."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from mindspore import Parameter, Tensor, nn, train
from mindspore.train.callback import _InternalCallbackParam


class Run:
    """A training driven by hand: what callbacks see of it."""

    def __init__(self, **values):
        self.net = nn.Dense(2, 1)
        optimizer = nn.SGD(self.net.trainable_params(), 1.0)
        self.now = _InternalCallbackParam(train_network=self.net, optimizer=optimizer, cur_epoch_num=0, cur_step_num=0,
                                          batch_num=4, **values)
        self.stopped = False

    def original_args(self):
        return self.now

    def request_stop(self):
        self.stopped = True

    @property
    def rate(self):
        return float(self.now.optimizer.learning_rate.asnumpy())

    def epochs(self, callback, *values):
        """One epoch after another, each evaluated to a value; which of them asked for the end."""
        callback.on_train_begin(self)
        asked = []
        for epoch, value in enumerate(values, 1):
            self.now.cur_epoch_num, self.now["eval_results"], self.stopped = epoch, {"eval_loss": value}, False
            callback.on_train_epoch_end(self)
            asked.append(self.stopped)
        callback.on_train_end(self)
        return asked


def test_stopping_waits_as_long_as_it_is_told_and_again_in_the_next_training():
    stops = train.EarlyStopping(patience=2)
    for _ in range(2):
        assert Run().epochs(stops, 3.0, 2.0, 2.5, 2.4) == [False, False, False, True]
    assert Run().epochs(stops, 9.0, 8.0) == [False, False]      # the best of the former training is forgotten


def test_a_baseline_counts_for_stopping():
    assert Run().epochs(train.EarlyStopping(patience=2, baseline=1.0), 3.0, 2.0, 1.5) == [False, True, True]
    assert Run().epochs(train.EarlyStopping(patience=2, baseline=4.0), 3.0, 2.0, 1.5) == [False, False, False]


def test_the_least_change_counts_in_both_directions():
    assert Run().epochs(train.EarlyStopping(patience=1, min_delta=0.5, mode="min"), 3.0, 2.8) == [False, True]
    assert Run().epochs(train.EarlyStopping(patience=1, min_delta=0.5, mode="max"), 3.0, 3.2) == [False, True]
    assert Run().epochs(train.EarlyStopping(patience=1, min_delta=0.5, mode="max"), 3.0, 3.7) == [False, False]


def test_what_has_acc_in_its_name_is_to_grow_unless_told_otherwise():
    assert train.EarlyStopping("acc").best == -np.inf
    assert train.EarlyStopping("acc", mode="min").best == np.inf


def test_the_epoch_that_stopped_is_told_and_the_best_parameters_come_back():
    class Moves(train.EarlyStopping):
        """The weights are the number of the epoch while it is judged, changed in place."""

        def on_train_epoch_end(self, run_context):
            weight = run_context.net.weight
            weight.set_data(Tensor(np.full(weight.shape, run_context.now.cur_epoch_num, np.float32)))
            super().on_train_epoch_end(run_context)

    run, stops = Run(), Moves(patience=2, restore_best_weights=True)
    run.epochs(stops, 3.0, 1.0, 2.0, 2.0)
    assert stops.stopped_epoch == 4
    np.testing.assert_array_equal(run.net.weight.asnumpy(), [[2, 2]])


def test_rates_fall_by_the_factor_not_below_the_least_and_rest_meanwhile():
    def rates(*values, **options):
        run, found = Run(), []
        falls = train.ReduceLROnPlateau(factor=0.5, min_delta=0.0, **options)
        falls.on_train_begin(run)
        for epoch, value in enumerate(values, 1):
            run.now.cur_epoch_num, run.now["eval_results"] = epoch, {"eval_loss": value}
            falls.on_train_epoch_end(run)
            found.append(run.rate)
        return found

    assert rates(1, 1, 1, 1, patience=1) == [1, 0.5, 0.25, 0.125]
    assert rates(1, 1, 1, 1, patience=1, min_lr=0.3) == pytest.approx([1, 0.5, 0.3, 0.3])
    assert rates(1, 1, 1, 1, 1, patience=2) == [1, 1, 0.5, 0.5, 0.25]
    assert rates(1, 1, 1, 1, 1, 1, patience=1, cooldown=2) == [1, 0.5, 0.5, 0.25, 0.25, 0.125]
    assert rates(2, 2, 1, 1, 1, patience=2) == [1, 1, 1, 1, 0.5]       # what improves begins the wait anew


def losses(printed):
    return [line.partition(",")[0] for line in printed.splitlines()]


def test_the_loss_monitor_counts_anew_in_a_second_training(capsys):
    monitor, run = train.LossMonitor(3), Run()
    for _ in range(2):
        for step in range(1, 5):
            run.now.update(cur_step_num=step, cur_epoch_num=1, net_outputs=Tensor(0.5))
            monitor.step_end(run)
    assert losses(capsys.readouterr().out) == ["epoch: 1 step: 3"] * 2


@pytest.mark.parametrize("loss", [np.inf, -np.inf, np.nan])
def test_no_loss_but_a_finite_one_goes_on(loss):
    run = Run(net_outputs=Tensor(np.float32(loss)))
    with pytest.raises(ValueError, match="loss is NAN or INF"):
        train.LossMonitor(0).step_end(run)


def test_a_rate_function_gets_the_rate_as_it_is_written_and_the_step():
    seen, run = [], Run()
    run.now.optimizer.learning_rate.set_data(Tensor(0.1))
    run.now.update(cur_epoch_num=2, cur_step_num=7)
    train.LearningRateScheduler(lambda rate, step: seen.append((rate, step)) or rate).step_end(run)
    assert seen == [(0.1, 7)]


def test_what_was_taken_up_is_forgotten_by_the_run_after_it_only():
    watching, run = train.EarlyStopping("loss", patience=3), Run()
    watching.take_up({"best": 1.5, "wait": 2}, {})
    run.taken_up = [watching]
    watching.on_train_begin(run)
    assert (watching.best, watching.wait) == (1.5, 2)
    watching.on_train_begin(Run())
    assert (watching.best, watching.wait) == (np.inf, 0)


@pytest.mark.parametrize("folder", ["", "  "])
def test_a_backup_without_the_name_of_a_folder_is_refused(folder):
    with pytest.raises(ValueError, match="'backup_dir' must name a folder, but it is blank"):
        train.BackupAndRestore(folder)


@pytest.mark.parametrize(("every", "wanted"), [(1, [1, 2, 3]), (2, [2])])
def test_a_backup_is_written_every_few_epochs_and_kept_on_request(tmp_path, every, wanted):
    backup, run, found = train.BackupAndRestore(tmp_path, every, delete_checkpoint=False), Run(), []
    for epoch in (1, 2, 3):
        backup.backup_file.unlink(missing_ok=True)
        run.now.cur_epoch_num = epoch
        backup.on_train_epoch_end(run)
        found += [epoch] if backup.backup_file.exists() else []
    assert found == wanted
    backup.on_train_epoch_end(run)
    backup.on_train_end(run)
    assert backup.backup_file.exists() == (every == 1)


def checkpoints(folder, callback, run, steps):
    """Drive the steps; which files there are after each."""
    callback.begin(run)
    found = []
    for step in steps:
        run.now.update(cur_step_num=step, cur_epoch_num=1)
        callback.step_end(run)
        found.append(sorted(int(path.stem.rpartition("_")[2]) for path in folder.iterdir()))
    return found


def test_the_newest_checkpoints_are_kept_and_steps_are_counted_anew(tmp_path):
    config = train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)
    saves = train.ModelCheckpoint("N", tmp_path, config)
    assert checkpoints(tmp_path, saves, Run(), (1, 2, 3, 4)) == [[1], [1, 2], [2, 3], [3, 4]]


def test_a_run_whose_steps_begin_again_saves_again(tmp_path):
    config = train.CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=9)
    saves, run = train.ModelCheckpoint("N", tmp_path, config), Run()
    checkpoints(tmp_path, saves, run, (2, 4))
    for step in (1, 2):                          # the counter of the steps was set back without a new beginning
        run.now.update(cur_step_num=step, cur_epoch_num=2)
        saves.step_end(run)
    assert (tmp_path / "N-2_2.ckpt").exists()


def test_the_history_of_epochs_is_that_of_the_last_training():
    history, run = train.History(), Run()
    value = Parameter(Tensor([1.0]), name="v")
    for _ in range(2):
        history.begin(run)
        run.now.update(cur_epoch_num=1, net_outputs=value)
        history.epoch_end(run)
        value.set_data(Tensor([5.0]))
    assert history.epoch == {"epoch": [1]}
    assert [v.tolist() for v in history.history["net_output"]] == [[1.0], [5.0]]


def test_the_number_of_steps_of_the_run_counts_before_the_stated_one(capsys, monkeypatch):
    ticks = iter([0.0, 0.0, 8.0])
    monkeypatch.setattr("mindspore.train.callback.time_monitor.time",
                        SimpleNamespace(perf_counter=lambda: next(ticks)))
    timer = train.TimeMonitor(data_size=100)
    timer.epoch_begin(Run())
    timer.epoch_end(Run())
    assert "per step time: 2000.000 ms" in capsys.readouterr().out


def test_a_training_takes_up_the_parameters_of_the_one_that_was_cut_off(tmp_path):
    backup, first, second = train.BackupAndRestore(tmp_path, delete_checkpoint=False), Run(), Run()
    backup.on_train_begin(first)                                    # nothing was cut off
    first.net.weight.set_data(Tensor([[3.0, -4.0]]))
    first.now.cur_epoch_num = 1
    backup.on_train_epoch_end(first)
    assert second.net.weight.asnumpy().tolist() != [[3.0, -4.0]]
    backup.on_train_begin(second)
    assert second.net.weight.asnumpy().tolist() == [[3.0, -4.0]]


def test_an_evaluation_within_an_epoch_leaves_the_time_of_the_epoch_alone(capsys, monkeypatch):
    ticks = iter([0.0, 1.0, 3.0, 5.0, 9.0])          # made, epoch begins, evaluation begins and ends, epoch ends
    monkeypatch.setattr("mindspore.train.callback.time_monitor.time",
                        SimpleNamespace(perf_counter=lambda: next(ticks)))
    timer, run = train.TimeMonitor(), Run()
    timer.epoch_begin(run)
    timer.on_eval_epoch_begin(run)
    timer.on_eval_epoch_end(run)
    timer.epoch_end(run)
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(" ms")[0] for line in said] == ["Eval epoch time: 2000.000", "Train epoch time: 8000.000"]
