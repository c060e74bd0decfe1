"""Metrics that are used again: after `clear`, after an evaluation, after an error."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn
from mindspore.nn import metrics
from mindspore.nn.metrics.base import Metric

RNG = np.random.default_rng(5)


def classes(count, kinds=6):
    scores = RNG.random((count, kinds))
    return scores / scores.sum(1, keepdims=True), RNG.integers(0, kinds, count)


def pairs(*shape):
    return RNG.random(shape), RNG.random(shape)


def shapes():
    first, second = np.zeros((2, 6, 7), bool)
    first[1:4, 2:5], second[2:6, 1:4] = True, True
    return (first, second, 0) if RNG.random() < 0.5 else (second, first[::-1], 0)


def text():
    return [["a", "b", "c", "d", "e"]], [[["a", "b", "c", "d", "f"]]]


def other_text():
    return [["x", "b", "c", "d", "e"]], [[["a", "b", "c", "d", "e"]]]


# how a metric is made, and two batches that differ in size and in what is measured
CASES = {
    "Accuracy": (nn.Accuracy, classes(4), classes(7)), "Precision": (nn.Precision, classes(30), classes(50)),
    "Recall": (nn.Recall, classes(30), classes(50)), "F1": (nn.F1, classes(30), classes(50)),
    "Fbeta": (lambda: nn.Fbeta(2), classes(30), classes(50)),
    "TopKCategoricalAccuracy": (lambda: nn.TopKCategoricalAccuracy(3), classes(9), classes(14)),
    "Top1CategoricalAccuracy": (nn.Top1CategoricalAccuracy, classes(9), classes(14)),
    "Top5CategoricalAccuracy": (nn.Top5CategoricalAccuracy, classes(9), classes(14)),
    "ConfusionMatrix": (lambda: nn.ConfusionMatrix(6), classes(9), classes(14)),
    "ConfusionMatrixMetric": (
        lambda: nn.ConfusionMatrixMetric(False, "tpr", calculation_method=False, decrease="mean"),
        tuple(RNG.integers(0, 2, (2, 5, 3))), tuple(RNG.integers(0, 2, (2, 8, 3)))),
    "ROC": (lambda: nn.ROC(pos_label=1), (RNG.random(9), np.arange(9) % 2), (RNG.random(8), np.arange(8) % 2)),
    "MAE": (nn.MAE, pairs(4, 3), pairs(6, 3)), "MSE": (nn.MSE, pairs(4, 3), pairs(6, 3)),
    "Loss": (nn.Loss, (Tensor(2.0),), (Tensor(5.0),)),
    "CosineSimilarity": (nn.CosineSimilarity, (RNG.random((4, 3)),), (RNG.random((6, 3)),)),
    "Dice": (nn.Dice, pairs(4, 3), pairs(6, 3)),
    "HausdorffDistance": (nn.HausdorffDistance, shapes(), shapes()),
    "MeanSurfaceDistance": (nn.MeanSurfaceDistance, shapes(), shapes()),
    "RootMeanSquareDistance": (nn.RootMeanSquareDistance, shapes(), shapes()),
    "Perplexity": (nn.Perplexity, classes(4), classes(6)),
    "BleuScore": (nn.BleuScore, text(), other_text())}
WITHOUT = {"Metric", "OcclusionSensitivity"}         # the base, and one that measures a network at one batch


def test_every_metric_is_tried():
    found = {name for name, kind in vars(metrics).items() if isinstance(kind, type) and issubclass(kind, Metric)}
    assert found - WITHOUT == CASES.keys()


@pytest.mark.parametrize(("make", "first", "second"), CASES.values(), ids=CASES)
def test_a_new_metric_takes_what_it_is_given(make, first, second):
    assert make().indexes is None


def measured(metric, *batches):
    for batch in batches:
        metric.update(*batch)
    return np.asarray(metric.eval(), object).tolist()


def same(a, b):
    return repr(a) == repr(b)


@pytest.mark.parametrize(("make", "first", "second"), CASES.values(), ids=CASES)
def test_a_metric_that_is_cleared_measures_like_a_new_one(make, first, second):
    alone, both, used = measured(make(), second), measured(make(), first, second), make()
    measured(used, first)
    used.clear()
    assert same(measured(used, second), alone)
    used.clear()
    assert same(measured(used, first, second), both)


@pytest.mark.parametrize(("make", "first", "second"), CASES.values(), ids=CASES)
def test_an_error_in_the_middle_leaves_a_metric_that_can_be_cleared(make, first, second):
    used = make()
    used.update(*first)
    with pytest.raises((TypeError, ValueError, AttributeError)):
        used.update(*[object() for _ in first])
    used.clear()
    assert same(measured(used, second), measured(make(), second))


@pytest.mark.parametrize(("make", "first", "second"), CASES.values(), ids=CASES)
def test_a_metric_is_read_without_being_changed(make, first, second):
    used = make()
    once = measured(used, first)
    assert same(np.asarray(used.eval(), object).tolist(), once)
    assert same(measured(used, second), measured(make(), first, second))


@pytest.mark.parametrize(("make", "first", "second"), CASES.values(), ids=CASES)
def test_a_metric_without_inputs_says_so_also_after_it_was_cleared(make, first, second):
    used = make()
    for _ in range(2):
        with pytest.raises((RuntimeError, ValueError)):
            used.eval()
        measured(used, first, second)
        used.clear()


CHOOSING = {name: case for name, case in CASES.items()            # of the others `update` takes what it is given
            if hasattr(getattr(metrics, name).update, "__wrapped__")}


@pytest.mark.parametrize(("make", "first", "second"), CHOOSING.values(), ids=CHOOSING)
def test_a_metric_can_be_told_which_outputs_it_takes(make, first, second):
    chosen = make()
    assert chosen.indexes is None
    places = [2 * i + 1 for i in range(len(first))]
    assert chosen.set_indexes(places) is chosen
    assert chosen.indexes == places
    spread = [object()] * (2 * len(first) + 1)
    for place, value in zip(places, first, strict=True):
        spread[place] = value
    assert same(measured(chosen, spread), measured(make(), first))
    with pytest.raises(ValueError, match="indexes"):
        chosen.set_indexes(["x"])
