"""Model: training, evaluation and prediction, and what callbacks see of them."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Parameter, Tensor, amp, float16, nn, train

RNG = np.random.default_rng(0)
X = RNG.standard_normal((16, 3)).astype(np.float32)
Y = (X @ RNG.standard_normal((3, 2))).astype(np.float32)


def data(batch=4):
    return ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(batch)


def model(metrics=None, rate=0.1, **options):
    net = nn.Dense(3, 2)
    net.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
    net.bias.set_data(Tensor(np.zeros(2, np.float32)))
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), metrics, **options)


class Noting(train.Callback):
    """Notes the moments, with epoch and step."""

    def __init__(self):
        self.moments = []

    def note(self, name, run_context):
        now = run_context.original_args()
        self.moments.append((name, now.get("cur_epoch_num"), now.cur_step_num))


class Seen(Noting):
    """Notes them by the hooks of 2.x."""


class Old(Noting):
    """Notes them by the hooks of 1.x."""


for _name in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
    setattr(Old, _name, lambda self, run_context, name=_name: self.note(name, run_context))
    for _phase in ("train", "eval"):
        _hook = f"on_{_phase}_{_name}"
        setattr(Seen, _hook, lambda self, run_context, name=_hook: self.note(name, run_context))


def losses(losses_of, dataset, epochs, **options):
    kept = []
    keep = train.LambdaCallback(
        on_train_step_end=lambda run: kept.append(float(run.original_args().net_outputs.asnumpy()))
    )
    losses_of.train(epochs, dataset, callbacks=keep, **options)
    return kept


@pytest.mark.usefixtures("both_modes")
def test_training_is_gradient_descent_on_every_batch():
    w, b, want = np.zeros((2, 3)), np.zeros(2), []
    for _ in range(2):
        for k in range(0, 16, 4):
            x, error = X[k : k + 4], X[k : k + 4] @ w.T + b - Y[k : k + 4]
            want.append(np.mean(error**2))
            w, b = w - 0.1 * 2 * error.T @ x / error.size, b - 0.1 * 2 * error.sum(0) / error.size
    trained = model()
    assert losses(trained, data(), 2) == pytest.approx(want, rel=1e-4)
    np.testing.assert_allclose(trained.predict_network.weight.asnumpy(), w, rtol=1e-4, atol=1e-6)


def test_callbacks_are_told_every_moment():
    seen = Seen()
    model().train(2, data(8), callbacks=seen)
    assert seen.moments == [
        ("on_train_begin", None, 0),
        ("on_train_epoch_begin", 1, 0),
        ("on_train_step_begin", 1, 1),
        ("on_train_step_end", 1, 1),
        ("on_train_step_begin", 1, 2),
        ("on_train_step_end", 1, 2),
        ("on_train_epoch_end", 1, 2),
        ("on_train_epoch_begin", 2, 2),
        ("on_train_step_begin", 2, 3),
        ("on_train_step_end", 2, 3),
        ("on_train_step_begin", 2, 4),
        ("on_train_step_end", 2, 4),
        ("on_train_epoch_end", 2, 4),
        ("on_train_end", 2, 4),
    ]


@pytest.mark.parametrize("phase", ["train", "eval"])
def test_hooks_of_1x_serve_training_and_evaluation(phase):
    old = Old()
    if phase == "train":
        model().train(1, data(16), callbacks=[old])
    else:
        model({"mae"}).eval(data(16), callbacks=[old])
    names = [name for name, *_ in old.moments]
    assert names == ["begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"]


def test_an_evaluation_inside_fit_does_not_call_the_hooks_of_1x():
    old = Old()
    model({"mae"}).fit(1, data(16), data(16), callbacks=[old])
    assert [name for name, *_ in old.moments].count("begin") == 1


@pytest.mark.usefixtures("both_modes")
def test_with_sink_an_epoch_is_one_step_for_callbacks():
    seen = Seen()
    sunk, plain = model(), model()
    sunk.train(2, data(4), callbacks=seen, dataset_sink_mode=True)
    plain.train(2, data(4))
    assert [m for m in seen.moments if m[0] == "on_train_step_end"] == [
        ("on_train_step_end", 1, 4),
        ("on_train_step_end", 2, 8),
    ]
    weights = [m.predict_network.weight.asnumpy() for m in (sunk, plain)]
    np.testing.assert_allclose(*weights, rtol=1e-6)


def test_sinks_may_be_longer_or_shorter_than_the_dataset():
    seen, kept = Seen(), []
    keep = train.LambdaCallback(
        on_train_step_end=lambda run: kept.append(run.original_args().train_dataset_element[0].asnumpy())
    )
    model().train(3, data(4), callbacks=[seen, keep], dataset_sink_mode=True, sink_size=3)
    assert seen.moments[-1] == ("on_train_end", 3, 9)
    assert [int(np.flatnonzero((batch[0] == X).all(1))[0]) // 4 for batch in kept] == [2, 1, 0]


def test_a_training_resumes_from_an_epoch():
    seen = Seen()
    model().train(3, data(16), callbacks=seen, initial_epoch=1)
    assert [m for m in seen.moments if "step_end" in m[0]] == [
        ("on_train_step_end", 2, 1),
        ("on_train_step_end", 3, 2),
    ]


def test_a_callback_may_end_the_training():
    class Stop(Seen):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 5:
                run_context.request_stop()

    stop = Stop()
    model().train(3, data(), callbacks=stop)
    assert stop.moments[-2:] == [("on_train_epoch_end", 2, 5), ("on_train_end", 2, 5)]


def test_callbacks_find_the_objects_of_the_run():
    found = {}
    chosen = model()
    look = train.LambdaCallback(on_train_step_end=lambda run: found.update(run.original_args()))
    dataset = data(16)
    chosen.train(1, dataset, callbacks=look)
    assert found["network"] is chosen.predict_network
    assert found["train_network"] is chosen.train_network
    assert found["train_dataset"] is dataset
    assert found["list_callback"] == [look]
    assert isinstance(found["optimizer"], nn.SGD)
    assert isinstance(found["loss_fn"], nn.MSELoss)
    assert (found["epoch_num"], found["batch_num"], found["device_number"]) == (1, 1, 1)
    assert (found["mode"], found["parallel_mode"], found["dataset_sink_mode"]) == (
        "train",
        "stand_alone",
        False,
    )


@pytest.mark.parametrize("sink", [False, True])
def test_an_evaluation_computes_the_metrics(sink):
    metrics = model({"mae", "loss"}).eval(data(), dataset_sink_mode=sink)
    assert metrics["mae"] == pytest.approx(np.abs(Y).sum() / 16, rel=1e-5)
    assert metrics["loss"] == pytest.approx(np.mean(Y**2), rel=1e-5)
    assert all(type(v) is np.float64 for v in metrics.values())


def test_an_evaluation_leaves_the_parameters_alone():
    chosen = model({"mae"})
    chosen.eval(data())
    assert np.all(chosen.predict_network.weight.asnumpy() == 0)


def test_an_evaluation_that_fails_leaves_the_network_in_training():
    class Failing(nn.MSE):
        def update(self, *inputs):
            raise KeyError("no such label")

    found = model({"failing": Failing()})
    found.eval_network.set_train()
    with pytest.raises(KeyError, match="no such label"):
        found.eval(data())
    assert found.eval_network.training


@pytest.mark.usefixtures("both_modes")
def test_evaluations_after_each_other_measure_the_same_and_leave_the_network_as_it_was():
    class Dropping(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.drop = nn.Dense(3, 2), nn.Dropout(p=0.5)

        def construct(self, x):
            return self.drop(self.dense(x))

    net = Dropping()
    found = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), {"mae", "loss", "mse"})
    short = ds.NumpySlicesDataset((X[:6], Y[:6]), ["x", "y"], shuffle=False).batch(3)
    for training in (True, False):
        found.eval_network.set_train(training)
        first, other, again = found.eval(data()), found.eval(short), found.eval(data())
        assert first == again != other
        assert [cell.training for _, cell in found.eval_network.cells_and_names()] == [training] * 5
    expected = np.abs(net.dense(Tensor(X)).asnumpy() - Y).sum() / 16
    assert first["mae"] == pytest.approx(expected, rel=1e-5)


def test_a_training_after_an_evaluation_drops_elements():
    net = nn.SequentialCell(nn.Dropout(p=0.5), nn.Dense(3, 2))
    found = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), {"mae"})
    seen = []
    noting = train.LambdaCallback(
        on_train_step_begin=lambda run: seen.append(("train", net[0].training)),
        on_eval_step_begin=lambda run: seen.append(("eval", net[0].training)),
    )
    found.fit(2, data(8), data(8), callbacks=noting, dataset_sink_mode=False, valid_dataset_sink_mode=False)
    assert seen == [("train", True)] * 2 + [("eval", False)] * 2 + [("train", True)] * 2 + [("eval", False)] * 2


def test_an_evaluation_may_have_its_own_network():
    class Pair(nn.Cell):
        def construct(self, x, y):
            return x[:, :2], y

    found = train.Model(nn.Dense(3, 2), eval_network=Pair(), metrics={"mse": nn.MSE()}).eval(data())
    assert found["mse"] == pytest.approx(np.sum((X[:, :2] - Y) ** 2) / 16, rel=1e-5)


def test_indexes_choose_the_outputs_of_an_evaluation():
    net = nn.Dense(3, 2)
    cell = nn.WithEvalCell(net, nn.MSELoss())
    chosen = train.Model(net, eval_network=cell, eval_indexes=[0, 2, 2], metrics={"mae"})
    assert chosen.eval(data()) == {"mae": 0.0}


def test_fit_evaluates_between_the_epochs():
    seen = Seen()
    model({"mae"}).fit(4, data(16), data(16), valid_frequency=2, callbacks=seen)
    ends = [(name, epoch) for name, epoch, _ in seen.moments if name.endswith(("epoch_end", "eval_end"))]
    assert ends == [
        ("on_train_epoch_end", 1),
        ("on_eval_epoch_end", 2),
        ("on_eval_end", 2),
        ("on_train_epoch_end", 2),
        ("on_train_epoch_end", 3),
        ("on_eval_epoch_end", 4),
        ("on_eval_end", 4),
        ("on_train_epoch_end", 4),
    ]


def test_fit_evaluates_after_the_listed_epochs():
    seen = Seen()
    model({"mae"}).fit(3, data(16), data(16), valid_frequency=[1, 3], callbacks=seen)
    assert [epoch for name, epoch, _ in seen.moments if name == "on_eval_end"] == [1, 3]


@pytest.mark.parametrize("level", ["O0", "O2", "O3", "auto"])
def test_every_precision_trains(level):
    chosen = model(amp_level=level, loss_scale_manager=amp.FixedLossScaleManager(8.0))
    kept = []
    keep = train.LambdaCallback(
        on_train_step_end=lambda run: kept.append(float(run.original_args().net_outputs[0].asnumpy()))
    )
    chosen.train(3, data(), callbacks=keep)
    assert np.mean(kept[-4:]) < 0.5 * np.mean(kept[:4])


def test_prediction_is_the_output_of_the_network():
    assert model().predict(Tensor(X)).shape == (16, 2)
    with pytest.raises(TypeError, match="make a Tensor"):
        model().predict(X)
    with pytest.raises(ValueError, match="backend"):
        model().predict(Tensor(X), backend="lite")


def test_a_network_that_has_its_loss_or_its_optimizer_trains():
    net = nn.Dense(3, 2)
    whole = nn.WithLossCell(net, nn.MSELoss())
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    first = losses(train.Model(whole, optimizer=optimizer), data(), 2)
    second = losses(train.Model(nn.TrainOneStepCell(whole, optimizer)), data(), 2)
    assert second[-1] < first[0]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (TypeError, lambda: train.Model(3)),
        (ValueError, lambda: train.Model(nn.Dense(3, 2), nn.MSELoss(), speed=1)),
        (ValueError, lambda: model(amp_level="O7")),
        (TypeError, lambda: model(amp_level=1)),
        (ValueError, lambda: train.Model(nn.Dense(3, 2), metrics={"mae"})),
        (TypeError, lambda: model(["mae"])),
        (ValueError, lambda: model(boost_level="O9")),
        (TypeError, lambda: model(loss_scale_manager=3)),
        (ValueError, lambda: model({"mae"}, eval_network=nn.ReLU(), eval_indexes=[0, 1])),
        (TypeError, lambda: model().train("a", data())),
        (ValueError, lambda: model().train(0, data())),
        (TypeError, lambda: model().train(1, X)),
        (TypeError, lambda: model().train(1, data(), callbacks=[3])),
        (TypeError, lambda: model().train(1, data(), dataset_sink_mode=1)),
        (ValueError, lambda: model().train(1, data(), sink_size=0)),
        (ValueError, lambda: model().train(1, data(), initial_epoch=1)),
        (ValueError, lambda: model().eval(data())),
        (ValueError, lambda: model().fit(1, data(), data())),
        (ValueError, lambda: model({"mae"}).fit(1, data(), data(), valid_frequency=0)),
        (TypeError, lambda: model({"mae"}).fit(1, data(), data(), valid_frequency="x")),
    ],
)
def test_wrong_arguments_are_refused(error, call):
    with pytest.raises(error):
        call()


def test_a_loss_needs_data_and_label():
    alone = ds.NumpySlicesDataset(X, ["x"], shuffle=False).batch(4)
    with pytest.raises(ValueError, match="two elements, but got 1"):
        model().train(1, alone)


@pytest.mark.parametrize("ask", [lambda m: m.infer_train_layout(data()), lambda m: m.infer_predict_layout(Tensor(X))])
def test_parameters_have_no_layout(ask):  # observed: MindSpore 2.10, CPU: the class
    with pytest.raises(RuntimeError, match="must be split over several processes"):
        ask(model())


class Kinds(nn.Metric):
    """The dtypes that a metric is given."""

    def clear(self):
        self.seen = []

    def update(self, *given):
        self.seen += [str(g.dtype) for g in given]

    def eval(self):
        return self.seen


class Half(nn.Cell):
    """Gives 16 bits."""

    def __init__(self):
        super().__init__()
        self.scale = Parameter(Tensor(1.0))

    def construct(self, x):
        return (x * self.scale).astype(float16)


@pytest.mark.parametrize(("level", "wanted"), [("O0", "Float16"), ("O1", "Float16"), ("O2", "Float32"),
                                               ("O3", "Float32"), ("auto", "Float32")])
def test_metrics_are_given_float32_where_the_level_casts(level, wanted):
    net = Half()
    tested = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), metrics={"kinds": Kinds()}, amp_level=level)
    rows = ds.NumpySlicesDataset((X[:2], X[:2].astype(np.float16)), ["x", "y"], shuffle=False).batch(2)
    assert tested.eval(rows)["kinds"] == [wanted, wanted]


def test_a_network_trains_in_training_mode_after_anything_else():
    """After an evaluation and a prediction, which leave it."""
    class Modes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.seen = nn.Dense(3, 2), []

        def construct(self, x):
            self.seen.append(self.training)
            return self.dense(x)

    net = Modes()
    trained = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), {"loss"})
    for run, mode in ((lambda: trained.train(1, data(16)), True), (lambda: trained.eval(data(16)), False),
                      (lambda: trained.train(1, data(16)), True), (lambda: trained.predict(Tensor(X)), False),
                      (lambda: trained.train(1, data(16)), True)):
        net.seen.clear()
        run()
        assert net.seen == [mode]
