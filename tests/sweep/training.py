"""Calls of optimizers, metrics and schedules: `python tests/sweep/training.py CALLS.jsonl [--only TEXT] [--kept]`.

An optimizer is made for three parameters, alone or in groups, and takes three steps; what it holds afterwards is its
outcome.  A metric is made, updated and asked.  Schedules are called.  Those that `--kept` gives are recorded:

    python tests/sweep/training.py CALLS.jsonl --kept
    ORIGINAL tests/sweep/run_calls.py CALLS.jsonl tests/sweep/recorded_training.jsonl --digits 7
"""
from __future__ import annotations

import copy

import expressions
import options

EVERY = 12          # of the variants of optimizers, metrics and schedules one in so many is recorded
OPTIMIZERS = """
nn.ASGD()
nn.AdaFactor(learning_rate=0.1, relative_step=False, scale_parameter=False)
nn.AdaFactor()
nn.AdaMax()
nn.Adadelta()
nn.Adagrad()
nn.Adam()
nn.AdamOffload()
nn.AdamWeightDecay()
nn.FTRL()
nn.Lamb(learning_rate=0.1)
nn.LazyAdam()
nn.Momentum(learning_rate=0.1, momentum=0.9)
nn.ProximalAdagrad()
nn.RMSProp()
nn.Rprop()
nn.SGD()
experimental.optim.ASGD()
experimental.optim.Adadelta()
experimental.optim.Adagrad()
experimental.optim.Adam()
experimental.optim.AdamW()
experimental.optim.Adamax()
experimental.optim.NAdam()
experimental.optim.RAdam()
experimental.optim.RMSprop()
experimental.optim.Rprop()
experimental.optim.SGD(lr=0.1)
"""
RATE = {"new": "mindspore.nn.ExponentialDecayLR", "args": [0.1, 0.5, 2], "kwargs": {}}
RATES = {"float": 0.05, "list": [0.1, 0.05, 0.01], "schedule": RATE, "int": 1, "negative": -0.1, "text": "x",
         "none": None, "tensor": {"t": "float32", "s": [], "v": [0.05]},
         "tensors": {"t": "float32", "s": [3], "v": [0.1, 0.05, 0.01]},
         "zero": 0.0, "bool": True}
GROUPS = {
    "rates": [{"params": ["w"], "lr": 0.01}, {"params": ["b", "c"]}],
    "rate schedule": [{"params": ["w"], "lr": RATE}, {"params": ["b", "c"], "lr": [0.3, 0.2, 0.1]}],
    "decays": [{"params": ["w"], "weight_decay": 0.1}, {"params": ["b"], "weight_decay": 0.0}, {"params": ["c"]}],
    "centred": [{"params": ["w"], "grad_centralization": True}, {"params": ["b", "c"], "grad_centralization": False}],
    "order": [{"params": ["w"], "lr": 0.01}, {"params": ["b", "c"]}, {"order_params": ["c", "b", "w"]}],
    "all": [{"params": ["w"], "lr": 0.01, "weight_decay": 0.1, "grad_centralization": True},
            {"params": ["b", "c"], "lr": 0.2}, {"order_params": ["b", "w", "c"]}],
    "unknown": [{"params": ["w"], "rate": 0.01}, {"params": ["b", "c"]}],
    "twice": [{"params": ["w"]}, {"params": ["w", "b", "c"]}],
    "wrong order": [{"params": ["w"]}, {"params": ["b", "c"]}, {"order_params": ["w", "b"]}],
    "empty": [{"params": []}, {"params": ["w", "b", "c"]}], "none": [],
    "text": [{"params": ["w"], "lr": "x"}, {"params": ["b", "c"]}],
    "momentum": [{"params": ["w"], "momentum": 0.5}, {"params": ["b", "c"], "lr": 0.2}],
}
BY_NAME = {
    "weight_decay": (0.1, 0, 1, -0.1, "x", None, RATE), "momentum": (0.0, 0.5, 1, -0.5, "x", None),
    "beta1": (0.5, 0.0, 1.0, 1.5, 1, "x"), "beta2": (0.5, 0.0, 1.0, 1.5, 1, "x"), "eps": (0.5, 0.0, -1.0, 1, "x"),
    "epsilon": (0.5, 0.0, -1.0, 1, "x"),
    "betas": ({"tuple": [0.5, 0.75]}, {"tuple": [1.0, 0.5]}, {"tuple": [0.5]}, "x"),
    "etas": ({"tuple": [0.25, 1.5]}, {"tuple": [1.5, 0.5]}, {"tuple": [0.5]}, "x"),
    "step_sizes": ({"tuple": [0.01, 1.0]}, {"tuple": [1.0, 0.01]}, "x"), "loss_scale": (2.0, 0.0, -1.0, 1, "x"),
    "dampening": (0.5, -0.5, 1, "x"), "lr_power": (-0.5, 0.0, -1.0, 1.0, "x"), "rho": (0.5, 0.0, 1.0, 1.5, "x"),
    "decay": (0.5, 0.0, 1.0, "x"), "lambd": (0.1, 0.0, "x"), "alpha": (0.5, 0.0, "x"), "t0": (1.0, 0.0, "x"),
    "l1": (0.1, -0.1, 1, "x"), "l2": (0.1, -0.1, 1, "x"), "accum": (0.5, 0.0, -0.1, "x"),
    "maximize": (True, False, "x"),
    "initial_accum": (0.5, -0.1, "x"), "initial_accumulator_value": (0.5, -0.1, "x"), "lr_decay": (0.5, -0.1, "x"),
    "momentum_decay": (0.1, -0.1, "x"), "clip_threshold": (0.5, 0.0, -1.0, "x"), "decay_rate": (-0.5, 0.5, "x"),
    "nesterov": (True, False, "x"), "centered": (True, False, "x"), "amsgrad": (True, False, "x"),
}
FUNCTIONS = """
nn.exponential_decay_lr(0.1, 0.9, 6, 2, 3)
nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 3)
nn.inverse_decay_lr(0.1, 0.5, 6, 2, 4)
nn.cosine_decay_lr(0.01, 0.1, 8, 3, 3)
nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)
nn.piecewise_constant_lr([2, 5, 9], [0.1, 0.05, 0.01])
nn.warmup_lr(0.1, 6, 2, 2)
"""
METRICS = """
train.Accuracy("classification")(u4x3, i4)
train.Accuracy("multilabel")(b4x3, b4x3_)
train.Precision()(u4x3, i4)
train.Precision("multilabel")(b4x3, b4x3_)
train.Recall()(u4x3, i4)
train.F1()(u4x3, i4)
train.Fbeta(0.5)(u4x3, i4)
train.TopKCategoricalAccuracy(2)(u4x5, i4)
train.Top1CategoricalAccuracy()(u4x5, i4)
train.Top5CategoricalAccuracy()(u4x6, i4)
train.MAE()(f4x3, f4x3_)
train.MSE()(f4x3, f4x3_)
train.Loss()(p)
train.Perplexity()(u4x5, i4)
train.ConfusionMatrix(4)(i5, i5_)
train.ConfusionMatrixMetric()(b4x3, b4x3_)
train.CosineSimilarity()(f3x4)
train.Dice()(b3x4, b3x4_)
train.HausdorffDistance()(b3x4, b3x4_, 1)
train.MeanSurfaceDistance()(b3x4, b3x4_, 1)
train.RootMeanSquareDistance()(b3x4, b3x4_, 1)
train.OcclusionSensitivity()(f2)
train.ROC()(u4, b4)
train.BleuScore()([["a", "b", "c"]], [[["a", "b", "d"]]])
"""


def optimizers():
    """The optimizers and their variants, by name."""
    for row in filter(None, OPTIMIZERS.splitlines()):
        call = expressions.call(row)
        seed = {"api": call["api"], "how": "optimizer", "init": [call["args"], call["kwargs"]], "groups": None}
        yield "", seed
        for name, groups in GROUPS.items():
            yield f"groups {name}", {**seed, "groups": copy.deepcopy(groups)}
        rate = "lr" if "experimental" in seed["api"] else "learning_rate"
        for name, value in RATES.items():
            yield f"rate {name}", with_(seed, rate, value)
        for dtype in ("float16", "float64", "bfloat16"):
            yield dtype, {**seed, "dtype": dtype}
        for name, p in options.parameters(seed["api"]).items():
            if name not in ("params", rate):
                for value in BY_NAME.get(name) or options.choices(name, p.default):
                    yield f"{name}:{options.brief(value)}", with_(seed, name, value)


def with_(seed, name, value):
    made = copy.deepcopy(seed)
    made["init"][1][name] = copy.deepcopy(value)
    return made


def metrics():
    """The metrics and their variants, by name: other options, other shapes and types of what they are updated with."""
    for row in filter(None, METRICS.splitlines()):
        call = {**expressions.call(row), "how": "metric"}
        for name, made in expressions.made_of({**call, "how": "cell"}, {}, 2):
            yield name, {**made, "how": "metric"}


def schedules():
    for row in filter(None, FUNCTIONS.splitlines()):
        yield from expressions.made_of(expressions.call(row), {}, 1)


def calls(only=""):
    """All calls, with ids."""
    seeds, told = {}, set()
    for made in (*optimizers(), *metrics(), *schedules()):
        name, call = made
        if only not in call["api"]:
            continue
        seeds[call["api"]] = seeds.get(call["api"], 0) + (not name)
        key = f"{call['api'][10:]}/{seeds[call['api']]}/{name}"
        while key in told:
            key += "'"
        told.add(key)
        yield {"id": key, **call}


def kept(only=""):
    """The rows and one in EVERY of their variants."""
    return expressions.some(calls(only), EVERY)


if __name__ == "__main__":
    expressions.main(__doc__, calls, kept)
