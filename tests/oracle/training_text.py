"""A program for the original and for AnySpore: trainings with every callback, what hooks see, classes of errors."""
import sys

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, train

ms.set_context(mode=getattr(ms, sys.argv[1]))
if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
    np.set_printoptions(legacy="1.25")          # numbers print without their type, as with the NumPy of the original
MOMENTS = ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")


def data(rows=12, batch=4):
    x = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3) / 10
    y = (x @ np.array([[1, 2], [0, 1], [1, 0]], np.float32)).astype(np.float32)
    return ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False).batch(batch)


def model(metrics=True, rate=0.01, **options):
    net = nn.Dense(3, 2, "zeros", "zeros")
    measured = {"mae": train.MAE(), "mse": train.MSE(), "loss": train.Loss()} if metrics else None
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), rate, 0.5), measured, **options)


def telling(prefix, name):
    def hook(self, context):
        now = context.original_args()
        print(prefix, name, now.get("cur_epoch_num"), now.get("cur_step_num"), now.get("batch_num"), now.get("mode"))
    return hook


Hooks = type("Hooks", (train.Callback,), {f"on_{phase}_{moment}": telling("hook", f"on_{phase}_{moment}")
                                          for phase in ("train", "eval") for moment in MOMENTS})
OldHooks = type("OldHooks", (train.Callback,), {moment: telling("old", moment) for moment in MOMENTS})


class Names(train.Callback):
    """What the state of the run holds."""

    def on_train_begin(self, run_context):
        print("train begins with", sorted(run_context.original_args()))

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        print("step", sorted(now), type(now.net_outputs).__name__, type(now.train_dataset_element).__name__)

    def on_train_epoch_end(self, run_context):
        now = run_context.original_args()
        print("epoch", sorted(now), now.get("metrics"), now.get("eval_results"))

    def on_eval_begin(self, run_context):
        print("evaluation begins with", sorted(run_context.original_args()))

    def on_eval_end(self, run_context):
        print("found", run_context.original_args().metrics)


def halved(rate, step):
    print("rate", rate, step)
    return rate / 2 if step % 3 == 0 else rate


def history():
    kept = train.History()
    model().fit(2, data(), data(), callbacks=[kept])
    print(kept.epoch, {name: [float(np.asarray(getattr(v, "asnumpy", lambda v=v: v)())) for v in values]
                       for name, values in kept.history.items()})


def stopped():
    trained = model()
    trained.train(5, data(), callbacks=[train.LossMonitor(), train.LambdaCallback(
        on_train_step_end=lambda run: run.request_stop() if run.original_args().cur_step_num == 4 else None,
        on_train_end=lambda run: print("the end", run.original_args().cur_step_num))])


def lost(context):
    raise KeyError("lost")


LOSS, TIME = train.LossMonitor, train.TimeMonitor
CASES = {
    "loss": lambda: model().train(2, data(), callbacks=LOSS()),
    "loss of every second step": lambda: model().train(3, data(), callbacks=[LOSS(2)]),
    "no loss": lambda: model().train(1, data(), callbacks=[LOSS(0)]),
    "time": lambda: model().train(2, data(), callbacks=[TIME()]),
    "time of data": lambda: model().train(2, data(), callbacks=[TIME(data_size=3, data_time=True)]),
    "fit": lambda: model().fit(4, data(), data(), callbacks=[LOSS(3), TIME()]),
    "fit, every second epoch": lambda: model().fit(4, data(), data(), valid_frequency=2, callbacks=[LOSS(3)]),
    "fit, some epochs": lambda: model().fit(4, data(), data(), valid_frequency=[1, 4], callbacks=[LOSS(3)]),
    "fit from an epoch on": lambda: model().fit(4, data(), data(), callbacks=[LOSS()], initial_epoch=2),
    "train from an epoch on": lambda: model().train(4, data(), callbacks=[LOSS(), Hooks()], initial_epoch=2),
    "hooks of train": lambda: model().train(2, data(), callbacks=[Hooks()]),
    "hooks of fit": lambda: model().fit(2, data(), data(8), callbacks=[Hooks()]),
    "hooks of eval": lambda: model().eval(data(), callbacks=[Hooks()]),
    "old hooks of train": lambda: model().train(1, data(), callbacks=[OldHooks()]),
    "old hooks of eval": lambda: model().eval(data(), callbacks=[OldHooks()]),
    "names in train": lambda: model().train(1, data(), callbacks=[Names()]),
    "names in fit": lambda: model().fit(1, data(), data(), callbacks=[Names()]),
    "stop for a metric": lambda: model(rate=0.0001).fit(6, data(), data(), callbacks=[LOSS(3), train.EarlyStopping(
        "mae", patience=1, verbose=True, mode="max", restore_best_weights=True)]),
    "stop for the loss of fit": lambda: model().fit(6, data(), data(), callbacks=[LOSS(3), train.EarlyStopping(
        patience=2, min_delta=100, verbose=True)]),
    "stop for the loss": lambda: model().train(4, data(), callbacks=[
        train.EarlyStopping("loss", verbose=True, min_delta=50), LOSS(3)]),
    "stop with a baseline": lambda: model().fit(5, data(), data(), callbacks=[LOSS(3), train.EarlyStopping(
        "mae", baseline=0.01, patience=2, verbose=True)]),
    "stop for what is not there": lambda: model().fit(2, data(), data(), callbacks=[train.EarlyStopping("nothing")]),
    "lower rate for a metric": lambda: model().fit(8, data(), data(), callbacks=[LOSS(3), train.ReduceLROnPlateau(
        "mae", patience=1, factor=0.5, verbose=True, min_delta=100, cooldown=1, min_lr=0.002)]),
    "lower rate for the loss": lambda: model().train(4, data(), callbacks=[train.ReduceLROnPlateau(
        "loss", patience=1, verbose=True, min_delta=100), LOSS(3)]),
    "rate by step": lambda: model().train(2, data(), callbacks=[train.LearningRateScheduler(halved), LOSS()]),
    "history": history,
    "functions": lambda: model().train(2, data(), callbacks=[train.LambdaCallback(
        on_train_epoch_end=lambda run: print("epoch", run.original_args().cur_epoch_num))]),
    "a stop that is asked for": stopped,
    "an error in a hook": lambda: model().train(1, data(), callbacks=[train.LambdaCallback(on_train_step_end=lost)]),
    "evaluation": lambda: model().eval(data(), callbacks=[TIME()]),
    "prediction": lambda: model().predict(Tensor(np.ones((2, 3), np.float32))),
    "not a number": lambda: model(rate=1e30).train(4, data(), callbacks=[LOSS()]),
    "no metrics, eval": lambda: model(metrics=False).eval(data()),
    "no metrics, fit": lambda: model(metrics=False).fit(1, data(), data()),
    "no epoch": lambda: model().train(0, data()),
    "part of an epoch": lambda: model().train(1.5, data()),
    "first epoch after the last": lambda: model().train(2, data(), initial_epoch=2),
    "no callback": lambda: model().train(1, data(), callbacks=[3]),
    "no size of a sink": lambda: model().train(1, data(), sink_size=0),
    "unknown level": lambda: model(amp_level="O7"),
    "unknown boost": lambda: model(boost_level="O9"),
    "boost that is no text": lambda: model(boost_level=3),
    "unknown option": lambda: model(colour=1),
    "two indexes": lambda: train.Model(nn.ReLU(), metrics={"mae"}, eval_network=nn.ReLU(), eval_indexes=[0, 1]),
    "a mode that is no text": lambda: train.EarlyStopping(mode=1),
    "layout of training": lambda: model().infer_train_layout(data()),
    "layout of prediction": lambda: model().infer_predict_layout(Tensor(np.ones((2, 3), np.float32))),
}
for title, run in CASES.items():
    print("==", title)
    try:
        found = run()
        if found is not None:
            print("->", found)
    except Exception as error:  # the class is what is compared
        print("!", type(error).__name__)
