"""Checkpoints during training: when they are written, what they hold, which are kept."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, load_checkpoint, nn, train
from mindspore.formats.events import EVENTS
from mindspore.train.callback import _InternalCallbackParam
from mindspore.train.callback.checkpoint import free_prefix

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


def saved(folder, epochs=2, prefix="N", trained=None, callbacks=(), **config):
    """The files of a training of two epochs of four steps."""
    checkpoint = train.ModelCheckpoint(prefix, str(folder), train.CheckpointConfig(**config))
    (trained or model()).train(epochs, data(), callbacks=[checkpoint, *callbacks])
    return sorted(path.name for path in folder.iterdir())


def test_checkpoints_are_named_by_epoch_and_step(tmp_path):
    assert saved(tmp_path, save_checkpoint_steps=3) == ["N-1_3.ckpt", "N-2_2.ckpt", "N-2_4.ckpt"]


def test_the_compiled_graph_of_a_run_stands_beside_its_checkpoints(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        names = saved(tmp_path, save_checkpoint_steps=8)
        assert names == ["N-2_4.ckpt", "N-graph.meta"]
        graph = EVENTS.ModelProto.FromString((tmp_path / "N-graph.meta").read_bytes()).graph
        assert {"weight", "bias"} <= {p.name.rpartition(".")[2] for p in graph.parameters}
        assert "Dense" in {node.op_type for node in graph.node}
        assert (tmp_path / "N-graph.meta").stat().st_mode & 0o777 == 0o400
        assert saved(tmp_path, save_checkpoint_steps=8) == [
            "N-2_4.ckpt", "N-graph.meta", "N_1-2_4.ckpt", "N_1-graph.meta"]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_oldest_checkpoints_are_deleted(tmp_path):
    assert saved(tmp_path, keep_checkpoint_max=2) == ["N-2_3.ckpt", "N-2_4.ckpt"]


def test_without_a_number_the_last_checkpoint_is_kept(tmp_path):
    assert saved(tmp_path, keep_checkpoint_max=0) == ["N-2_4.ckpt"]


def test_one_checkpoint_of_some_minutes_is_kept(tmp_path):
    names = saved(tmp_path, keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1)
    assert names == ["N-1_1.ckpt", "N-2_4.ckpt"]


def test_by_seconds_the_end_is_saved(tmp_path):
    names = saved(tmp_path, save_checkpoint_steps=0, save_checkpoint_seconds=1000)
    assert names == ["N-2_4.ckpt"]


def test_earlier_checkpoints_of_the_prefix_stay(tmp_path):
    for name in ("N-1_2.ckpt", "N_1-1_2.ckpt", "Nx-1_1.ckpt"):
        (tmp_path / name).write_text("x")
    names = saved(tmp_path, save_checkpoint_steps=4)
    assert names == ["N-1_2.ckpt", "N_1-1_2.ckpt", "N_2-1_4.ckpt", "N_2-2_4.ckpt", "Nx-1_1.ckpt"]


def test_a_callback_that_trains_again_continues_its_files(tmp_path):  # observed: MindSpore 2.10, CPU
    saver = train.ModelCheckpoint("x", str(tmp_path), train.CheckpointConfig(2, keep_checkpoint_max=2))
    for _ in range(2):
        model().train(1, data(), callbacks=saver)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x-1_2.ckpt", "x-1_4.ckpt"]


@pytest.mark.parametrize("kind", [True, "thread", "process"])
def test_after_a_training_every_checkpoint_is_there(tmp_path, kind):
    assert len(saved(tmp_path, async_save=kind)) == 5


def test_a_file_is_no_directory_for_checkpoints(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(NotADirectoryError, match="must be a folder"):
        train.ModelCheckpoint("x", str(tmp_path / "taken"))
    with pytest.raises(NotADirectoryError, match="must be a folder"):
        model().train(1, data(), callbacks=train.ModelCheckpoint("x", lambda now: str(tmp_path / "taken")))


def test_the_folder_is_made_when_the_callback_is(tmp_path):  # observed: MindSpore 2.10, CPU
    train.ModelCheckpoint("x", str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(ValueError, match="must not be blank"):
        train.ModelCheckpoint("x", "")


def test_a_function_may_name_the_files(tmp_path):
    names = saved(tmp_path, prefix=lambda now: f"step{now.cur_step_num}", save_checkpoint_steps=4)
    assert names == ["step4.ckpt", "step8.ckpt"]


def test_a_checkpoint_has_network_optimizer_and_what_was_appended(tmp_path):
    trained = model()
    saved(
        tmp_path,
        trained=trained,
        save_checkpoint_steps=4,
        append_info=["epoch_num", "step_num", {"lr": 0.01, "name": "x"}],
    )
    found = load_checkpoint(str(tmp_path / "N-2_4.ckpt"))
    assert list(found)[:7] == [
        "weight",
        "bias",
        "global_step",
        "learning_rate",
        "momentum",
        "moments.weight",
        "moments.bias",
    ]
    np.testing.assert_array_equal(
        found["weight"].asnumpy(), trained.predict_network.weight.asnumpy()
    )
    assert int(found["epoch_num"].asnumpy()) == 2
    assert int(found["step_num"].asnumpy()) == 8
    assert found["name"] == "x"


def test_numbers_of_earlier_runs_are_added_and_tensors_are_appended(tmp_path):  # observed: MindSpore 2.10, CPU
    table = Tensor(np.array([1.5, 2.5], np.float32))
    own = {"epoch_num": 10, "step_num": 40, "table": table, "param": Parameter(table, name="other")}
    saved(tmp_path, save_checkpoint_steps=4, append_info=[own])
    for epoch in (1, 2):
        found = load_checkpoint(str(tmp_path / f"N-{epoch}_4.ckpt"))
        assert int(found["epoch_num"].asnumpy()) == 10 + epoch
        assert int(found["step_num"].asnumpy()) == 40 + 4 * epoch
        for name in ("table", "param"):
            np.testing.assert_array_equal(found[name].asnumpy(), [1.5, 2.5])


@pytest.mark.parametrize(("given", "epochs", "steps"), [(["epoch_num", "step_num"], 4, 16),
                                                        ([{"epoch_num": 10, "step_num": 8}], 14, 16)])
def test_steps_of_a_run_that_is_taken_up_are_counted_once(tmp_path, given, epochs, steps):
    rest = data()
    rest.set_init_step(8)
    saver = train.ModelCheckpoint("N", str(tmp_path), train.CheckpointConfig(4, append_info=given))
    model().train(4, rest, callbacks=saver, initial_epoch=2)
    found = load_checkpoint(str(tmp_path / "N-4_4.ckpt"))
    assert (int(found["epoch_num"].asnumpy()), int(found["step_num"].asnumpy())) == (epochs, steps)


def test_options_for_map_parameters_and_several_processes_are_checked_and_kept():
    config = train.CheckpointConfig(incremental=True, enable_redundance=True)
    assert (config.map_param_inc, config.enable_redundance) == (True, True)
    assert train.CheckpointConfig().enable_redundance is False


def test_another_network_may_be_saved(tmp_path):
    saved(tmp_path, save_checkpoint_steps=8, saved_network=nn.Dense(2, 2))
    assert list(load_checkpoint(str(tmp_path / "N-2_4.ckpt"))) == ["weight", "bias"]


def test_safetensors_are_written_on_request(tmp_path):
    assert saved(tmp_path, save_checkpoint_steps=8, format="safetensors") == ["N-2_4.safetensors"]


@pytest.mark.parametrize("wanted", [False, True])
def test_a_failure_leaves_a_checkpoint_on_request(tmp_path, wanted):
    def fail(run):
        if run.original_args().cur_step_num == 6:
            raise RuntimeError("boom")

    with pytest.raises(RuntimeError, match="boom"):
        saved(
            tmp_path,
            callbacks=[train.LambdaCallback(on_train_step_end=fail)],
            save_checkpoint_steps=4,
            exception_save=wanted,
        )
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == (["N-1_4.ckpt", "N-2_2_breakpoint.ckpt"] if wanted else ["N-1_4.ckpt"])


def test_checkpoints_can_be_driven_by_hand(tmp_path):
    checkpoint = train.ModelCheckpoint("H", str(tmp_path), train.CheckpointConfig(2))
    now = _InternalCallbackParam(
        train_network=nn.Dense(2, 2), epoch_num=1, cur_epoch_num=1, batch_num=4, cur_step_num=0
    )
    context = train.RunContext(now)
    checkpoint.begin(context)
    for step in range(1, 5):
        now.cur_step_num = step
        checkpoint.step_end(context)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["H-1_2.ckpt", "H-1_4.ckpt"]
    assert checkpoint.latest_ckpt_file_name == str(tmp_path / "H-1_4.ckpt")


def test_an_evaluation_saves_nothing(tmp_path):
    checkpoint = train.ModelCheckpoint("E", str(tmp_path))
    model({"mae"}).eval(data(), callbacks=checkpoint)
    assert list(tmp_path.iterdir()) == []


def test_a_free_prefix_is_one_more_than_the_greatest(tmp_path):
    assert free_prefix(tmp_path, "N") == "N"
    for name in ("N-1_1_breakpoint.ckpt", "N.ckpt", "NN-1_1.ckpt", "N_7.ckpt", "N-1_1.txt", "N-x-1.ckpt"):
        (tmp_path / name).touch()
    assert free_prefix(tmp_path, "N") == "N"           # observed: MindSpore 2.10, CPU
    (tmp_path / "N-x.ckpt").touch()
    assert free_prefix(tmp_path, "N") == "N_1"
    for name in ("N-1_1.ckpt", "N_5-1_1.ckpt", "N_2-1_1.safetensors", "M_9-1_1.ckpt"):
        (tmp_path / name).touch()
    assert free_prefix(tmp_path, "N") == "N_6"


def test_a_step_is_saved_once(tmp_path):
    asked = []

    def prefix(now):
        asked.append(now.cur_step_num)
        return f"at{now.cur_step_num}"
    assert saved(tmp_path, 1, prefix, save_checkpoint_steps=2) == ["at2.ckpt", "at4.ckpt"]
    assert asked == [2, 4]


def test_the_same_callback_saves_a_second_training(tmp_path):
    checkpoint = train.ModelCheckpoint("N", str(tmp_path), train.CheckpointConfig(4))
    trained = model()
    values = []
    for _ in range(2):
        trained.train(1, data(), callbacks=[checkpoint])
        values.append(load_checkpoint(checkpoint.latest_ckpt_file_name)["weight"].asnumpy())
        np.testing.assert_array_equal(values[-1], trained.train_network.network.backbone_network.weight.asnumpy())
    assert (values[0] != values[1]).any()


def test_steps_count_and_not_seconds_where_both_are_given(tmp_path):
    config = train.CheckpointConfig(save_checkpoint_steps=7, save_checkpoint_seconds=1)
    assert (config.save_checkpoint_steps, config.save_checkpoint_seconds) == (7, None)
    config = train.CheckpointConfig(save_checkpoint_steps=0, save_checkpoint_seconds=5, keep_checkpoint_max=2,
                                    keep_checkpoint_per_n_minutes=3)
    assert (config.save_checkpoint_steps, config.save_checkpoint_seconds) == (0, 5)
    assert (config.keep_checkpoint_max, config.keep_checkpoint_per_n_minutes) == (2, None)
