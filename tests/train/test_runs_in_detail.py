"""What a run of `Model` is told and asks for: passes, numbers, who ends it, and what is there at its end."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, train

X = np.random.default_rng(0).standard_normal((8, 3)).astype(np.float32)
Y = X[:, :2] * 2


def data(batch=4):
    return ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(batch)


def model(metrics=None, net=None, **options):
    net = nn.Dense(3, 2) if net is None else net
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics, **options)


class Batches:
    """Reads like a dataset, and notes how many passes it is asked for."""

    def __init__(self, *rows):
        self.rows, self.asked = rows, []

    def get_dataset_size(self):
        return max(1, len(self.rows))

    def create_tuple_iterator(self, num_epochs=-1):
        self.asked.append(num_epochs)
        return self

    def __iter__(self):
        return iter([tuple(map(Tensor, row)) for row in self.rows])


def noted(make, name, when):
    """What callbacks find under a name at a moment of a run."""
    found = []
    make(train.LambdaCallback(**{when: lambda run: found.append(run.original_args().get(name))}))
    return found


def test_a_dataset_is_asked_for_the_passes_that_are_left():
    given = Batches((X, Y))
    model().train(5, given, initial_epoch=2)
    model({"mae"}).eval(given)
    model().train(2, given, dataset_sink_mode=True)
    assert given.asked == [3, 1, -1]


def test_the_number_of_epochs_is_that_of_this_run_and_those_before_are_done():
    def ran(first, name):
        return noted(lambda look: model().train(5, data(), look, initial_epoch=first), name, "on_train_end")
    assert ran(3, "epoch_num") == [2]
    assert ran(3, "cur_epoch_num") == [5]
    assert ran(3, "initial_step") == [None]
    done = train.LambdaCallback(on_train_begin=lambda run: setattr(run, "first_epoch", 5))
    assert noted(lambda look: model().train(5, data(), [done, look]), "cur_epoch_num", "on_train_end") == [5]


def test_steps_of_an_evaluation_are_counted_from_one():
    seen = noted(lambda look: model({"mae"}).eval(data(2), look), "cur_step_num", "on_eval_step_end")
    assert seen == [1, 2, 3, 4]


def test_callbacks_find_the_optimizer_of_a_step_that_has_its_own():
    net = nn.Dense(3, 2)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    assert noted(lambda look: train.Model(step).train(1, data(), look), "optimizer", "on_train_end") == [optimizer]


class Ends(train.Callback):
    def __init__(self):
        self.steps = self.evaluated = 0

    def on_train_step_end(self, run_context):
        self.steps += 1

    def on_eval_step_end(self, run_context):
        self.evaluated += 1
        run_context.request_stop()


def test_an_evaluation_that_is_ended_ends_the_training_after_its_epoch():
    ends = Ends()
    model({"mae"}).fit(4, data(), data(2), callbacks=ends)
    assert (ends.steps, ends.evaluated) == (2, 1)


@pytest.mark.parametrize("training", [False, True])
def test_an_evaluation_leaves_the_mode_of_the_network(training):
    asked = model({"mae"})
    asked.eval_network.set_train(training)
    asked.eval(data())
    assert asked.eval_network.training == training
    asked.predict(Tensor(X))
    assert not asked.predict_network.training


def test_results_of_callbacks_have_the_loss_and_metrics_have_not():
    asked = model({"mae"})
    look = train.LambdaCallback(on_eval_end=lambda run: found.update(run.original_args()))
    found: dict = {}
    given = asked.eval(data(8), look)
    wanted = float(np.mean((asked.predict(Tensor(X)).asnumpy() - Y) ** 2))
    assert list(given) == list(found["metrics"]) == ["mae"]
    assert found["eval_results"] == {"mae": given["mae"], "eval_loss": pytest.approx(wanted, rel=1e-5)}


def test_outputs_that_indexes_do_not_reach_are_refused():
    class Two(nn.Cell):
        def construct(self, x, y):
            return x, y
    asked = train.Model(nn.Dense(3, 2), metrics={"mae"}, eval_network=Two(), eval_indexes=[0, 1, 2])
    with pytest.raises(ValueError, match="must return as many outputs"):
        asked.eval(data())


def test_a_dataset_without_batches_is_refused_with_sink():
    with pytest.raises(ValueError, match="gives no batch"):
        model().train(1, Batches(), dataset_sink_mode=True)


@pytest.mark.parametrize("given", [{"acc_level": "wrong"}, {"boost_level": "wrong"}])
def test_levels_of_boosting_are_checked_under_both_names(given):
    with pytest.raises(ValueError, match="'boost_level' must be"):
        model(**given)


def test_build_compiles_for_training_and_for_evaluation():
    class Mode(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.modes = nn.Dense(3, 2), []

        def construct(self, x):
            if self.training:
                return self.dense(x) * 2
            return self.dense(x)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        asked = model({"mae"}, Mode())
        asked.train_network.set_train(False)
        asked.build(data(), data())
        assert not asked.eval_network.training
        asked.build(data())
        assert asked.train_network.training
        with pytest.raises(ValueError, match="needs metrics"):
            model().build(valid_dataset=data())
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_sink_takes_the_options_of_its_compilation():
    step = train.data_sink(lambda x: x * 2, ds.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False).batch(1),
                           jit_config=ms.JitConfig(jit_syntax_level="STRICT"))
    assert step().tolist() == [2.0]

    def prints(x):
        return Tensor(np.sin(x.asnumpy()))
    strict = train.data_sink(prints, ds.NumpySlicesDataset({"x": [1.0]}).batch(1),
                             jit_config=ms.JitConfig(jit_syntax_level="STRICT"))
    with pytest.raises((RuntimeError, TypeError, ValueError)):
        strict()


def test_a_helper_that_is_released_begins_anew():
    helper = train.DatasetHelper(ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).batch(1), True, sink_size=1)
    assert [helper.next_batch()[0].tolist() for _ in range(2)] == [[1], [2]]
    helper.release()
    assert helper.next_batch()[0].tolist() == [1]
    helper.stop_send()
    helper.continue_send()
    assert helper.next_batch()[0].tolist() == [2]
    helper.release()


@pytest.mark.parametrize(("outputs", "loss"), [
    (True, None), (2, 2.0), ((Tensor([1.0, 3.0]), 7), 2.0), ([0.5], 0.5), ((), None), ("x", None), (None, None)])
def test_the_loss_of_what_a_step_gives(outputs, loss):
    from mindspore.train.callback.callback import loss_of
    assert loss_of(outputs) == loss
