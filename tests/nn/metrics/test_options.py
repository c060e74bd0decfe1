"""Options of metrics on inputs that tell classes, axes and directions apart."""
from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest

from mindspore import nn


def test_confusions_add_up_with_the_truth_along_the_rows():
    metric, wanted = nn.ConfusionMatrix(3), np.zeros((3, 3))
    for guess, truth in (([0, 1, 1, 2], [0, 2, 1, 0]), ([2, 2, 0], [1, 2, 1])):
        metric.update(np.array(guess), np.array(truth))
        for t, g in zip(truth, guess, strict=True):
            wanted[t, g] += 1
    np.testing.assert_array_equal(metric.eval(), wanted)


@pytest.mark.parametrize(("normalize", "axis"), [("target", 1), ("prediction", 0), ("all", None)])
def test_confusions_are_shares_of_rows_columns_or_all(normalize, axis):
    guess, truth = np.array([0, 1, 1, 2, 2, 2, 0]), np.array([0, 2, 1, 0, 1, 2, 1])
    plain, shared = nn.ConfusionMatrix(3), nn.ConfusionMatrix(3, normalize)
    for metric in (plain, shared):
        metric.update(guess, truth)
    counts = plain.eval()
    np.testing.assert_allclose(shared.eval(), counts / counts.sum(axis, keepdims=True))


def test_the_positive_label_may_be_another_than_one():
    scores, labels = np.array([0.9, 0.4, 0.7, 0.2, 0.7]), np.array([3, 0, 0, 3, 3])
    metric = nn.ROC(pos_label=3)
    metric.update(scores, labels)
    fpr, tpr, thresholds = metric.eval()
    for f, t, limit in zip(fpr, tpr, thresholds, strict=True):        # equal scores are one point
        above = scores >= limit
        assert (f, t) == pytest.approx((above[labels == 0].mean(), above[labels == 3].mean()))
    assert len(thresholds) == 5


def test_every_place_of_an_image_counts_for_accuracy():
    truth = np.array([[[1, 0], [0, 1]], [[1, 1], [0, 1]]])             # (samples, classes, places)
    guess = np.array([[[1, 1], [0, 1]], [[1, 1], [0, 0]]])
    metric = nn.Accuracy("multilabel")
    metric.update(guess, truth)
    right = (guess == truth).all(axis=1)
    assert metric.eval() == right.mean()
    scores = np.random.default_rng(0).random((2, 3, 4))
    labels = scores.argmax(1)
    labels[0, 0] = (labels[0, 0] + 1) % 3
    metric = nn.Accuracy()
    metric.update(scores, labels)
    assert metric.eval() == 7 / 8


def test_a_percentile_and_a_direction_of_the_distance():
    guess, truth = np.zeros((8, 9), bool), np.zeros((8, 9), bool)
    guess[1, 1:8], truth[5, 1:4] = True, True
    there = [min(np.hypot(4, a - b) for b in range(1, 4)) for a in range(1, 8)]
    back = [min(np.hypot(4, a - b) for a in range(1, 8)) for b in range(1, 4)]
    for percentile, of in ((None, np.max), (50.0, np.median)):
        for directed in (False, True):
            metric = nn.HausdorffDistance(percentile=percentile, directed=directed)
            metric.update(truth, guess, 1)
            wanted = of(back) if directed else max(of(back), of(there))
            assert metric.eval() == pytest.approx(wanted)
    for symmetric in (False, True):
        metric = nn.MeanSurfaceDistance(symmetric)
        metric.update(truth, guess, 1)
        assert metric.eval() == pytest.approx((np.mean(back) + np.mean(there)) / 2 if symmetric else np.mean(back))


def test_a_word_counts_as_often_as_one_reference_has_it():
    words, references = list("aaab"), [list("aab"), list("acbbd")]
    metric = nn.BleuScore(n_gram=2)
    metric.update([words], [references])
    found, total = [0, 0], [0, 0]
    for n in (1, 2):
        mine = Counter(zip(*[words[i:] for i in range(n)], strict=False))
        theirs = [Counter(zip(*[r[i:] for i in range(n)], strict=False)) for r in references]
        found[n - 1] = sum(min(c, max(t[g] for t in theirs)) for g, c in mine.items())
        total[n - 1] = sum(mine.values())
    wanted = exp(sum(log(f / t) for f, t in zip(found, total, strict=True)) / 2)
    assert metric.eval() == pytest.approx(wanted if len(words) > 3 else exp(1 - 3 / len(words)) * wanted)


def test_overlaps_add_up_over_batches_of_unequal_size():
    metric, wanted, count = nn.Dice(smooth=1e-5), 0.0, 0
    for size in (2, 3, 1):
        guess, truth = np.random.rand(size, 4), np.random.rand(size, 4)
        metric.update(guess, truth)
        wanted += 2 * (guess * truth).sum() / ((guess ** 2).sum() + (truth ** 2).sum() + 1e-5)
        count += size
    assert metric.eval() == pytest.approx(wanted / count)


def test_asking_for_similarities_leaves_them_as_they_are():
    x = np.random.rand(3, 4)
    metric = nn.CosineSimilarity(reduction="none", zero_diagonal=True)
    metric.update(x)
    first = metric.eval()
    first[:] = 7
    np.testing.assert_array_equal(np.diag(metric.eval()), 0)
    unit = x / np.linalg.norm(x, axis=1)[:, None]
    np.testing.assert_allclose(metric.eval() + np.eye(3), unit @ unit.T, rtol=1e-6)
    metric.zero_diagonal = False
    np.testing.assert_allclose(metric.eval(), unit @ unit.T, rtol=1e-6)


@pytest.mark.parametrize(("x", "y"), [
    ([1, 0, 2, 0, 1], [5, 1, 3, 4, 2]), ([3, 1, 2], [1, 5, 2]), ([0, 0, 1], [2, 1, 0])])
def test_points_out_of_order_are_sorted_by_their_first_coordinate(x, y):
    points = sorted(zip(x, y, strict=True))
    wanted = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points))
    assert nn.auc(np.array(x, float), np.array(y, float), reorder=True) == pytest.approx(wanted)


@pytest.mark.parametrize("metric", [nn.Accuracy, nn.Precision, nn.Recall, nn.F1, nn.Top1CategoricalAccuracy])
def test_truth_of_the_shape_of_the_prediction_must_be_one_hot(metric):  # observed: MindSpore 2.10, CPU: the class
    guess, classes = np.array([[0.2, 0.8], [0.9, 0.1], [0.3, 0.7]]), np.array([1, 0, 0])
    plain, one_hot = metric(), metric()
    plain.update(guess, classes)
    one_hot.update(guess, np.eye(2)[classes])
    np.testing.assert_array_equal(one_hot.eval(), plain.eval())
    for wrong in (np.eye(2)[classes] * 2, np.ones((3, 2)), np.zeros((3, 2)), np.full((3, 2), 0.5)):
        with pytest.raises(ValueError, match="true value"):
            metric().update(guess, wrong)
