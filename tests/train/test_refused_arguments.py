"""What is no value of an argument is refused by every optimizer, schedule, callback and loss scale, when it is made."""
from __future__ import annotations

import inspect

import numpy as np
import pytest

import mindspore
from mindspore import Parameter, amp, nn, train
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler

NETWORK = nn.Dense(3, 2)
VALUES = {"learning_rate": 0.1, "lr": 0.1, "step_size": 2, "gamma": 0.5, "T_max": 3, "milestones": [1, 2], "T_0": 2,
          "lr_lambda": lambda epoch: 1.0, "total_iters": 3, "power": 2.0, "base_lr": 0.1, "max_lr": 0.2,
          "num_classes": 3, "metric_name": "sensitivity", "network": NETWORK, "dtype": mindspore.float32,
          "lambda_func": lambda x, y: x, "monitor": "eval_loss", "min_lr": 0.01, "decay_rate": 0.9, "decay_steps": 3,
          "end_learning_rate": 0.01, "warmup_steps": 3, "scale_value": 4.0}
BAD = [object(), "no such thing", -1.5j]
NAMES = {"monitor", "prefix", "directory", "file_name", "config_file", "metric_name", "enc_mode"}    # any text is one
LEFT_OUT = {"LARS", "Optimizer", "LRScheduler", "SequentialLR", "ChainedScheduler", "LearningRateSchedule",
            "AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell",        # around an optimizer of `nn`
            "TrainFaultTolerance",                                      # wants one of two arguments
            "OptTFTWrapper"}                                             # only an NPU has it
TAKEN = {("Rprop", "step_sizes"), ("Model", "eval_network"), ("Model", "eval_indexes"), ("CyclicLR", "scale_mode"),
         ("FixedLossScaleManager", "drop_overflow_update")}        # by MindSpore 2.10, too


def value(name):
    """A value of an argument, made anew where it is changed."""
    if name == "params":
        return [Parameter(np.ones((2, 3), np.float32), name="w")]
    if name == "optimizer":
        return optim.SGD(value("params"), lr=0.1)
    return VALUES[name]


def made(kind, **given):
    """An object, with what it needs beside the arguments that are given."""
    needed = [n for n, p in parameters(kind) if p.default is p.empty and n not in given]
    return kind(**{n: value(n) for n in needed}, **given)


def parameters(kind):
    """Names and defaults of what it takes."""
    found = inspect.signature(kind.__init__).parameters
    return [(n, p) for n, p in found.items() if n != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def kinds():
    for module in (nn.optim, nn.learning_rate_schedule, optim, lr_scheduler, train, amp):
        for name in sorted(getattr(module, "__all__", None) or dir(module)):
            kind = getattr(module, name)
            if (inspect.isclass(kind) and name[0] != "_" and name not in LEFT_OUT and not inspect.isabstract(kind)
                    and all(p.default is not p.empty or n in VALUES or n in ("params", "optimizer")
                            for n, p in parameters(kind))):
                yield kind


KINDS = list(dict.fromkeys(kinds()))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
@pytest.mark.filterwarnings("ignore")
def test_what_is_no_value_is_refused(kind):
    made(kind)
    taken = []
    for name, _ in parameters(kind):
        for bad in [x for x in BAD if not (name in NAMES and isinstance(x, str))]:
            try:
                made(kind, **{name: bad})
            except (TypeError, ValueError) as error:
                if len(str(error)) > 15:
                    continue
            taken.append((kind.__name__, name))
    assert set(taken) <= TAKEN


def test_most_of_them_are_tried():
    assert len(KINDS) >= 45


def followed(scheduler, steps=6):
    """The rates of some steps."""
    found = []
    for _ in range(steps):
        found.append(round(float(scheduler.optimizer.param_groups[0]["lr"]), 6))
        scheduler.step()
    return found


@pytest.mark.parametrize(("factor", "steps", "rates"), [
    (0, 3, [0.0, 0.0, 0.0, 0.1, 0.1, 0.1]), (0.5, 2, [0.05, 0.05, 0.1, 0.1, 0.1, 0.1]), (1, 2, [0.1] * 6)])
def test_a_rate_that_was_nought_comes_back(factor, steps, rates):
    assert followed(lr_scheduler.ConstantLR(value("optimizer"), factor, steps)) == rates


@pytest.mark.parametrize(("kind", "wrong"), [
    ("StepLR", {"gamma": float("nan")}), ("MultiStepLR", {"gamma": float("nan")}),
    ("ExponentialLR", {"gamma": float("nan")}), ("CyclicLR", {"scale_fn": 3}),
    ("CyclicLR", {"scale_fn": "x"}), ("StepLR", {"last_epoch": 2**63}), ("ExponentialLR", {"last_epoch": -2})])
def test_schedulers_name_what_is_wrong(kind, wrong):
    with pytest.raises((TypeError, ValueError), match=f"For '{kind}', the '{next(iter(wrong))}' must"):
        made(getattr(lr_scheduler, kind), **wrong)


@pytest.mark.parametrize("name", ["train_dataset", "valid_dataset"])
def test_models_are_built_for_datasets_in_both_modes(name):
    model = train.Model(NETWORK, nn.MSELoss(), nn.SGD(NETWORK.trainable_params()), {"mae"})
    for mode in (mindspore.GRAPH_MODE, mindspore.PYNATIVE_MODE):
        mindspore.set_context(mode=mode)
        for wrong in (0, "x", [], object()):
            with pytest.raises(TypeError, match=r"Model\.build"):
                model.build(**{name: wrong})
