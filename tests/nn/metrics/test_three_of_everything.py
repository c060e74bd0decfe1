"""Metrics of three classes, samples and updates of unequal sizes, with ties and empty classes, counted by loops."""
from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from mindspore import Tensor, nn

RNG = np.random.default_rng(7)
SIZES = (5, 1, 4)


def counted(guess, truth, classes):
    """True and false positives and negatives of each class."""
    found = np.zeros((classes, 4))
    for g, t in zip(guess, truth, strict=True):
        for c in range(classes):
            found[c, (0 if t == c else 1) if g == c else (3 if t == c else 2)] += 1
    return found                                                 # tp, fp, tn, fn


def batches(shape=()):
    for n in SIZES:
        scores = RNG.standard_normal((n, 3, *shape)).astype(np.float32)
        yield scores, RNG.integers(0, 3, (n, *shape))


def flat(scores):
    return np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1]).argmax(1)


@pytest.mark.parametrize("shape", [(), (2,), (4, 2)])
@pytest.mark.parametrize("one_hot", [False, True])
def test_shares_of_classes_over_several_updates(shape, one_hot):
    given = list(batches(shape))
    guess = np.concatenate([flat(s) for s, _ in given])
    truth = np.concatenate([t.ravel() for _, t in given])
    tp, fp, _, fn = counted(guess, truth, 3).T
    wanted = {"accuracy": (guess == truth).mean(), "precision": tp / np.maximum(tp + fp, 1),
              "recall": tp / np.maximum(tp + fn, 1), "F1": 2 * tp / np.maximum(2 * tp + fp + fn, 1),
              "fbeta": 5 * tp / np.maximum(5 * tp + 4 * fn + fp, 1)}
    for name, want in wanted.items():
        metric = nn.Fbeta(2.0) if name == "fbeta" else nn.get_metric_fn(name)
        for round_ in range(2):                                  # cleared in between, and as new
            metric.clear()
            for scores, labels in given:
                shown = np.moveaxis(np.eye(3)[labels], -1, 1) if one_hot else labels
                metric.update(Tensor(scores), Tensor(shown.astype(np.int32)))
            np.testing.assert_allclose(metric.eval(), want, rtol=1e-6, err_msg=f"{name}, round {round_}")
        if name not in ("accuracy",):
            assert metric.eval(True) == pytest.approx(np.mean(want))


@pytest.mark.parametrize("name", ["precision", "recall", "accuracy"])
def test_shares_of_samples_with_several_labels_over_several_updates(name):
    metric = nn.get_metric_fn(name, "multilabel")
    wanted, right = [], []
    for n in SIZES:
        guess, truth = RNG.integers(0, 2, (n, 4)), RNG.integers(0, 2, (n, 4))
        guess[:, 0] = truth[:, 1] = 1
        metric.update(Tensor(guess.astype(np.int32)), Tensor(truth.astype(np.int32)))
        of = guess if name == "precision" else truth
        wanted += [(g & t).sum() / o.sum() for g, t, o in zip(guess, truth, of, strict=True)]
        right += [(g == t).all() for g, t in zip(guess, truth, strict=True)]
    found = metric.eval()
    np.testing.assert_allclose(found, np.mean(right) if name == "accuracy" else wanted, rtol=1e-6)


def test_the_best_classes_are_the_first_of_equals():
    scores = Tensor(np.float32([[1, 1, 0, 1], [0, 2, 2, 1], [3, 3, 3, 3]]))
    for k, hits in ((1, [0, 1, 0]), (2, [0, 1, 1, 2, 0, 1]), (3, [0, 1, 3, 1, 2, 3, 0, 1, 2])):
        for row, label in product(range(3), range(4)):
            metric = nn.TopKCategoricalAccuracy(k)
            metric.update(scores[row:row + 1], Tensor(np.int32([label])))
            assert metric.eval() == float(label in hits[row * k:row * k + k]), (k, row, label)
    metric = nn.get_metric_fn("top_5_accuracy")
    assert metric.k == 5
    metric.update(Tensor(np.arange(7, dtype=np.float32)[None].repeat(7, 0)), Tensor(np.arange(7, dtype=np.int32)))
    metric.update(Tensor(np.arange(7, dtype=np.float32)[None]), Tensor(np.int32([0])))
    assert metric.eval() == pytest.approx(5 / 8)


NAMES = {
    "F1": nn.F1, "acc": nn.Accuracy, "accuracy": nn.Accuracy, "bleu_score": nn.BleuScore, "dice": nn.Dice,
    "confusion_matrix": nn.ConfusionMatrix, "confusion_matrix_metric": nn.ConfusionMatrixMetric, "loss": nn.Loss,
    "cosine_similarity": nn.CosineSimilarity, "hausdorff_distance": nn.HausdorffDistance, "mae": nn.MAE, "mse": nn.MSE,
    "mean_surface_distance": nn.MeanSurfaceDistance, "occlusion_sensitivity": nn.OcclusionSensitivity, "roc": nn.ROC,
    "perplexity": nn.Perplexity, "precision": nn.Precision, "recall": nn.Recall, "topk": nn.TopKCategoricalAccuracy,
    "root_mean_square_distance": nn.RootMeanSquareDistance, "top_1_accuracy": nn.Top1CategoricalAccuracy,
    "top_5_accuracy": nn.Top5CategoricalAccuracy,
}


def test_every_name_gives_its_metric():
    assert set(nn.names()) == {*NAMES, "auc"}
    for name, kind in NAMES.items():
        more = {"confusion_matrix": (3,), "topk": (2,)}.get(name, ())
        assert type(nn.get_metric_fn(name, *more)) is kind


@pytest.mark.parametrize("how", ["target", "prediction", "all", "no_norm", None])
def test_a_matrix_is_divided_by_rows_columns_or_all(how):
    matrix, wanted = nn.ConfusionMatrix(4, how), np.zeros((4, 4))
    for guess, truth in (([0, 1, 1, 2], [0, 2, 1, 0]), ([2, 2, 0, 1], [1, 2, 1, 3])):
        matrix.update(Tensor(np.int32(guess)), Tensor(np.int32(truth)))
        for g, t in zip(guess, truth, strict=True):
            wanted[t, g] += 1
    axis = {"target": 1, "prediction": 0, "all": (0, 1)}.get(how)
    if axis is not None:
        total = wanted.sum(axis, keepdims=True)
        wanted = np.where(total, wanted / np.where(total, total, 1), 0)
    np.testing.assert_allclose(matrix.eval(), wanted, rtol=1e-6)


def test_a_score_of_the_threshold_counts_as_the_second_class():
    matrix = nn.ConfusionMatrix(2, threshold=0.75)
    matrix.update(Tensor(np.float32([0.5, 0.75, 0.875])), Tensor(np.int32([0, 1, 0])))
    assert matrix.eval().tolist() == [[1, 1], [0, 1]]


def rates(tp, fp, tn, fn):
    tpr, tnr, ppv, npv = tp / (tp + fn), tn / (tn + fp), tp / (tp + fp), tn / (tn + fn)
    return {
        "sensitivity": tpr, "specificity": tnr, "precision": ppv, "negative_predictive_value": npv,
        "miss_rate": 1 - tpr, "fall_out": 1 - tnr, "false_discovery_rate": 1 - ppv, "false_omission_rate": 1 - npv,
        "prevalence_threshold": (math.sqrt(tpr * (1 - tnr)) + tnr - 1) / (tpr + tnr - 1),
        "threat_score": tp / (tp + fn + fp),
        "accuracy": (tp + tn) / (tp + fp + tn + fn), "balanced_accuracy": (tpr + tnr) / 2,
        "f1_score": 2 * tp / (2 * tp + fp + fn), "fowlkes_mallows_index": math.sqrt(ppv * tpr),
        "informedness": tpr + tnr - 1, "markedness": ppv + npv - 1,
        "matthews_correlation_coefficient": (tp * tn - fp * fn) / math.sqrt(
            (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    }


@pytest.mark.parametrize("name", rates(5.0, 1.0, 7.0, 2.0))
def test_rates_of_unequal_counts_over_two_updates(name):
    guess = [1] * 5 + [1] * 1 + [0] * 7 + [0] * 2               # tp, fp, tn, fn
    truth = [1] * 5 + [0] * 1 + [0] * 7 + [1] * 2
    metric = nn.ConfusionMatrixMetric(True, name)
    for part in (slice(0, 4), slice(4, None)):
        metric.update(*[np.array([[v] for v in values[part]])[:, :, None] for values in (guess, truth)])
    assert float(metric.eval()[0]) == pytest.approx(rates(5.0, 1.0, 7.0, 2.0)[name])


def test_means_leave_out_what_has_no_rate():
    guess, truth = np.array([[1, 0], [0, 0]])[:, :, None], np.array([[1, 0], [1, 0]])[:, :, None]
    for how, want in (("none", [[1.0, np.nan], [0.0, np.nan]]), ("mean_batch", [0.5, np.nan]), ("mean", 0.5),
                      ("sum", 1.0), ("mean_channel", [1.0, 0.0]), ("sum_channel", [1.0, 0.0]),
                      ("sum_batch", [1.0, 0.0])):
        metric = nn.ConfusionMatrixMetric(True, "recall", True, how)
        metric.update(guess, truth)
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning) if how == "mean_batch" else np.errstate():
            np.testing.assert_allclose(metric.eval(), want)


@pytest.mark.parametrize("metric", ["euclidean", "chessboard", "taxicab"])
def test_distances_of_surfaces_by_all_pairs(metric):
    guess, truth = np.zeros((9, 11), int), np.zeros((9, 11), int)
    guess[1:5, 2:4], truth[3:8, 5:10] = 1, 1

    def surface(mask):
        inner = {p for p in zip(*np.nonzero(mask), strict=True)
                 if all(0 <= p[0] + a < 9 and 0 <= p[1] + b < 11 and mask[p[0] + a, p[1] + b]
                        for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)))}
        return [p for p in zip(*np.nonzero(mask), strict=True) if p not in inner]

    norm = {"euclidean": lambda d: math.hypot(*d), "chessboard": lambda d: max(map(abs, d)),
            "taxicab": lambda d: sum(map(abs, d))}[metric]
    there, back = ([min(norm((int(p[0] - q[0]), int(p[1] - q[1]))) for q in surface(b)) for p in surface(a)]
                   for a, b in ((guess, truth), (truth, guess)))
    for made, want in (
            (nn.HausdorffDistance(metric), max(*there, *back)),
            (nn.HausdorffDistance(metric, directed=True), max(there)),
            (nn.RootMeanSquareDistance(False, metric), np.mean(np.square(there))),        # no root, as the original
            (nn.HausdorffDistance(metric, 50.0), max(np.percentile(there, 50), np.percentile(back, 50))),
            (nn.MeanSurfaceDistance(False, metric), np.mean(there)),
            (nn.MeanSurfaceDistance(True, metric), (np.mean(there) + np.mean(back)) / 2),
            (nn.RootMeanSquareDistance(True, metric),
             math.sqrt((np.mean(np.square(there)) + np.mean(np.square(back))) / 2))):
        made.update(Tensor(guess), Tensor(truth), 1)
        assert float(made.eval()) == pytest.approx(want), made
    assert max(there) != max(back)


def test_a_label_of_one_side_only_is_infinitely_far():
    guess, truth = np.zeros((4, 4), int), np.zeros((4, 4), int)
    guess[1, 1] = 1
    for made in (nn.HausdorffDistance(), nn.MeanSurfaceDistance(), nn.RootMeanSquareDistance()):
        made.update(Tensor(guess), Tensor(truth), 1)
        assert made.eval() == math.inf
        with pytest.raises(ValueError, match="label"):
            made.update(Tensor(guess), Tensor(truth), 3)


def test_covering_reaches_the_borders_and_leaves_the_box():
    class Summed(nn.Cell):
        def construct(self, x):
            found = x.reshape((x.shape[0], -1)) * Tensor(np.arange(12, dtype=np.float32))
            return found.sum(1, keepdims=True) * Tensor([[1.0, -2.0]])

    image = RNG.standard_normal((1, 1, 3, 4)).astype(np.float32)
    weights = np.arange(12.0).reshape(3, 4)
    boxes = ([0, 0, 1, 2, -1, 2], [-1, -1, 0, -1, 3, 3])
    for margin, box, batch in (([0, 1, 0], None, 128), ([0, 1, 1], boxes[0], 2), (1, boxes[1], 5)):
        metric = nn.OcclusionSensitivity(pad_val=0.5, margin=margin, n_batch=batch, b_box=box)
        metric.update(Summed(), Tensor(image), Tensor(np.int32([1])))
        low, high = ([0, 0], [2, 3]) if box is None else (box[2::2], box[3::2])
        rows, columns = (range(max(a, 0), n if b < 0 else b + 1) for a, b, n in zip(low, high, (3, 4), strict=True))
        m = [margin] * 3 if isinstance(margin, int) else margin
        wanted = []
        for i, j in product(rows, columns):
            covered = image[0, 0].copy()
            covered[max(i - m[1], 0):i + m[1] + 1, max(j - m[2], 0):j + m[2] + 1] = 0.5
            wanted.append(-2 * (weights * (image[0, 0] - covered)).sum())
        np.testing.assert_allclose(metric.eval().ravel(), wanted, rtol=1e-4, atol=1e-4)


def test_similarities_are_of_rows():
    rows = RNG.standard_normal((3, 5)).astype(np.float32)
    cosine = rows @ rows.T / np.outer(*[np.linalg.norm(rows, axis=1)] * 2)
    for kind, full in (("cosine", cosine), ("dot", rows @ rows.T)):
        for zeros in (False, True):
            want = np.where(np.eye(3) > 0, 0, full) if zeros else full
            for how, shown in (("none", want), ("sum", want.sum(1)), ("mean", want.mean(1))):
                np.testing.assert_allclose(nn.CosineSimilarity(kind, how, zeros)(rows), shown, rtol=1e-5, atol=1e-6)


def test_text_of_three_sentences():
    metric, total, count = nn.Perplexity(ignore_label=1), 0.0, 0
    for n in SIZES:
        scores = RNG.random((n, 3)).astype(np.float32) + 0.1
        scores /= scores.sum(1, keepdims=True)
        labels = RNG.integers(0, 3, n)
        metric.update(Tensor(scores), Tensor(labels.astype(np.int32)))
        for row, label in zip(scores, labels, strict=True):
            if label != 1:
                total, count = total - math.log(row[label]), count + 1
    assert metric.eval() == pytest.approx(math.exp(total / count), rel=1e-5)
    words = [["a", "b", "a", "c"], ["a", "a", "a"]]
    texts = [[["a", "b", "c", "d", "e"], ["b", "a", "c"]], [["a", "a", "b"], ["c"]]]
    matched, all_ = 3 + 2, 7                                     # of single words: a b c, of one text at most; a a
    pairs, all_pairs = 3 + 1, 3 + 2                              # a b, b a, a c; a a
    bleu = nn.BleuScore(n_gram=2)
    for i in range(2):
        bleu.update(words[i:i + 1], texts[i:i + 1])
    assert bleu.eval() == pytest.approx(math.sqrt(matched / all_ * pairs / all_pairs))      # 7 words for 6
    short = nn.BleuScore(n_gram=1)
    short.update([["a", "b"]], [[["a", "b", "c", "d", "e"]]])
    assert short.eval() == pytest.approx(math.exp(1 - 5 / 2))
