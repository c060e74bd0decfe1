from __future__ import annotations

import threading

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import nn, train
from mindspore.train.callback.dataset_callback import WaitedDSCallback


class Recorder(ds.DSCallback):
    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.calls = []


def _record(moment):
    def method(self, context):
        self.calls.append(
            (moment, context.cur_epoch_num, context.cur_step_num_in_epoch, context.cur_step_num)
        )

    return method


for _moment in ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end"):
    setattr(Recorder, _moment, _record(_moment))


def numbers(count, **options):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=False, **options)


def test_callbacks_are_told_of_passes_and_of_every_second_row():
    recorder = Recorder(2)
    data = numbers(4).map(lambda x: x + 1, "x", callbacks=[recorder])
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [[int(x) for (x,) in iterator] for _ in range(2)] == [[1, 2, 3, 4]] * 2
    # observed: MindSpore 2.10, CPU
    assert recorder.calls == [
        ("ds_begin", 0, 0, 0),
        ("ds_epoch_begin", 1, 0, 0),
        ("ds_step_begin", 1, 1, 1),
        ("ds_step_end", 1, 1, 1),
        ("ds_step_begin", 1, 3, 3),
        ("ds_step_end", 1, 3, 3),
        ("ds_epoch_end", 1, 4, 4),
        ("ds_epoch_begin", 2, 0, 4),
        ("ds_step_begin", 2, 1, 5),
        ("ds_step_end", 2, 1, 5),
        ("ds_step_begin", 2, 3, 7),
        ("ds_step_end", 2, 3, 7),
        ("ds_epoch_end", 2, 4, 8),
    ]


def test_callbacks_hear_nothing_of_a_look_at_the_first_row():
    recorder = Recorder()
    data = numbers(4).map(lambda x: x, "x", callbacks=recorder)
    assert data.output_shapes() == [[]]
    assert recorder.calls == []


@pytest.mark.parametrize(("wrong", "error"), [(0, ValueError), ("a", TypeError)])
def test_steps_must_be_positive(wrong, error):
    with pytest.raises(error, match="step_size"):
        ds.DSCallback(wrong)


def test_what_is_no_callback_is_refused():
    with pytest.raises(TypeError, match="callbacks"):
        numbers(3).map(lambda x: x, callbacks=3)


def test_a_pipeline_waits_for_the_steps_of_the_training():
    seen = []

    class Watch(WaitedDSCallback):
        def sync_step_begin(self, train_run_context, ds_run_context):
            seen.append((train_run_context.cur_step_num, ds_run_context.cur_step_num))

        def sync_epoch_begin(self, train_run_context, ds_run_context):
            seen.append((f"epoch {train_run_context.cur_epoch_num}", ds_run_context.cur_epoch_num))

    watch = Watch()
    rows = {"x": np.ones((6, 3), np.float32), "y": np.ones((6, 1), np.float32)}
    data = ds.NumpySlicesDataset(rows, shuffle=False).batch(2)
    data = data.map(lambda x: x, "x", callbacks=watch)
    net = nn.Dense(3, 1)
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(2, data, callbacks=[watch], dataset_sink_mode=False)
    assert seen == [(1, 2), (2, 3), ("epoch 1", 2), (3, 4), (4, 5), (5, 6)]


def test_a_pipeline_does_not_wait_for_ever():
    ds.config.set_callback_timeout(1)

    class Watch(WaitedDSCallback):
        def sync_step_begin(self, train_run_context, ds_run_context):
            raise AssertionError("nobody trains")

    data = numbers(3).map(lambda x: x, "x", callbacks=Watch())
    iterator = data.create_tuple_iterator(num_epochs=1)
    next(iterator)
    with pytest.raises(RuntimeError, match="has waited 1 s for the training"):
        next(iterator)


def test_rows_wait_until_they_are_allowed():
    heard = []
    data = numbers(6).sync_wait("done", 1, heard.append).batch(2)
    assert data.is_sync()
    assert list(data.get_sync_notifiers()) == ["done"]
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    found: list = []
    reader = threading.Thread(target=lambda: found.extend(next(iterator)[0].tolist() for _ in range(2)))
    reader.start()
    reader.join(0.2)
    assert found == [[0, 1]]
    data.sync_update("done", data={"loss": 1})
    reader.join(5)
    assert found == [[0, 1], [2, 3]]
    assert heard == [{"loss": 1}]
    iterator.stop()


def test_without_a_sign_only_the_first_batches_pass():
    data = numbers(4).batch(1).sync_wait("done", num_batch=2)
    passed = []
    for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        passed.append(x.tolist())
        if len(passed) % 2 == 0:
            data.sync_update("done")
    assert passed == [[0], [1], [2], [3]]
    data.disable_sync()
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 4


def test_signs_that_fit_nothing_are_refused():
    data = numbers(4).sync_wait("done")
    with pytest.raises(RuntimeError, match="one of \\['done'\\], but got 'other'"):
        data.sync_update("other")
    with pytest.raises(RuntimeError, match="num_batch"):
        data.sync_update("done", 0)
    with pytest.raises(RuntimeError, match="in use"):
        data.batch(2).sync_wait("done")
    with pytest.raises(RuntimeError, match="no 'sync_wait' before it"):
        data.shuffle(2)
    with pytest.raises(ValueError, match="num_batch"):
        numbers(4).sync_wait("done", 0)
