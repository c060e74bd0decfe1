"""Curves of scores with ties and of classes, sums of errors, and which of the outputs a metric takes."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn

RNG = np.random.default_rng(11)


def curve(scores, positive):
    """Shares of false and true positives for every threshold, the highest first."""
    limits = sorted(set(scores.tolist()), reverse=True)
    fpr = [0.0, *[((scores >= v) & ~positive).sum() / (~positive).sum() for v in limits]]
    tpr = [0.0, *[((scores >= v) & positive).sum() / positive.sum() for v in limits]]
    return fpr, tpr, [limits[0] + 1, *limits]


@pytest.mark.parametrize("label", [None, 0, 7])
def test_a_curve_of_scores_with_ties_over_three_updates(label):
    metric, scores, labels = nn.ROC(pos_label=label), [], []
    for n in (4, 1, 5):
        s, y = RNG.integers(0, 4, n).astype(np.float32) * 2.5, RNG.choice([0, 1, 7], n)
        y[:1] = 7 if n == 4 else 0 if n == 1 else 1
        metric.update(Tensor(s), Tensor(y.astype(np.int32)))
        scores, labels = np.append(scores, s), np.append(labels, y)
    for found, want in zip(metric.eval(), curve(scores, labels == (1 if label is None else label)), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-6)
    fpr, tpr, _ = metric.eval()
    area = sum((b - a) * (c + d) / 2 for a, b, c, d in zip(fpr, fpr[1:], tpr, tpr[1:], strict=False))
    assert nn.auc(fpr, tpr) == nn.auc(fpr[::-1], tpr[::-1]) == pytest.approx(area)
    mixed = RNG.permutation(len(fpr))
    assert nn.auc(fpr[mixed], tpr[mixed], reorder=True) == pytest.approx(area)


@pytest.mark.parametrize("shape", [(), (4,)])
def test_each_class_has_a_curve_of_its_own(shape):
    metric, scores, labels = nn.ROC(class_num=3), [], []
    for n in (5, 2):
        s, y = RNG.standard_normal((n, 3, *shape)).astype(np.float32), np.arange(n * max(1, *shape, 1)) % 3
        y = y.reshape(n, *shape)
        metric.update(Tensor(s), Tensor(y.astype(np.int32)))
        scores.append(np.moveaxis(s, 1, -1).reshape(-1, 3))
        labels.append(y.ravel())
    scores, labels = np.concatenate(scores), np.concatenate(labels)
    for c, found in enumerate(zip(*metric.eval(), strict=True)):
        for a, b in zip(found, curve(scores[:, c], labels == c), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize(("kind", "power"), [(nn.MAE, 1), (nn.MSE, 2)])
@pytest.mark.parametrize("shape", [(), (3,), (1,)])
def test_errors_are_summed_over_samples(kind, power, shape):
    metric, total, count = kind(), 0.0, 0
    for n in (4, 1, 2):
        guess, truth = (RNG.standard_normal((n, *shape)).astype(np.float32) for _ in range(2))
        given = truth.reshape(n) if shape == (1,) else truth          # a column meets a row of labels
        metric.update(Tensor(guess), Tensor(given))
        total, count = total + (np.abs(guess - truth) ** power).sum(), count + n
    assert metric.eval() == pytest.approx(total / count, rel=1e-5)


def test_losses_are_means_of_means():
    metric = nn.Loss()
    for value in (2.0, [1.0, 5.0, 6.0], [3.0]):
        metric.update(Tensor(value))
    assert metric.eval() == pytest.approx((2 + 4 + 3) / 3)
    metric.clear()
    metric.update(Tensor(7.0))
    assert metric.eval() == 7.0


@pytest.mark.parametrize("indexes", [[0, 1], [1, 0], [2, 0], [1, 2]])
def test_a_metric_takes_the_outputs_that_it_was_told_of(indexes):
    given = [Tensor(np.float32(v)) for v in ([1, 2], [4, 8], [16, 32])]
    metric = nn.Dice().set_indexes(indexes)
    plain = nn.Dice()
    metric.update(*given[:max(indexes) + 1])
    plain.update(*[given[i] for i in indexes])
    assert metric.eval() == plain.eval()
    swapped = nn.Recall("multilabel").set_indexes(indexes[::-1])
    ones, some = Tensor(np.int32([[1, 1, 1]])), Tensor(np.int32([[1, 0, 0]]))
    three = [some if i == indexes[0] else ones for i in range(3)]
    swapped.update(*three[:max(indexes) + 1])
    assert swapped.eval()[0] == pytest.approx(1.0)                    # the truth has one label, which is found
