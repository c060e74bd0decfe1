"""Metrics against scikit-learn or their formulas."""
from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peers

from mindspore import Tensor, nn

SCORES = np.array([[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1]], np.float32)
LABELS = np.array([1, 0, 0, 1], np.int32)


def run(metric, *batches):
    for batch in batches:
        metric.update(*batch)
    return metric.eval()


def many(count=200, classes=4):
    scores = np.random.rand(count, classes)
    return scores / scores.sum(1, keepdims=True), np.random.randint(0, classes, count)


def test_accuracy_counts_what_is_right():
    scores, labels = many()
    batches = [(Tensor(scores[i::2]), Tensor(labels[i::2])) for i in (0, 1)]
    assert run(nn.Accuracy(), *batches) == peers.accuracy_score(labels, scores.argmax(1))
    assert run(nn.Accuracy(), (SCORES, np.eye(3)[LABELS])) == 0.75
    guess, truth = np.array([[0, 1, 1], [1, 0, 0]]), np.array([[0, 1, 0], [1, 0, 0]])
    assert run(nn.Accuracy("multilabel"), (guess, truth)) == 0.5


def test_precision_recall_and_f_equal_those_of_sklearn():
    scores, labels = many()
    batches = [(scores[i::3], labels[i::3]) for i in range(3)]
    guess = scores.argmax(1)
    for metric, peer in ((nn.Precision(), peers.precision_score), (nn.Recall(), peers.recall_score),
                         (nn.F1(), peers.f1_score)):
        expected = peer(labels, guess, average=None, zero_division=0)
        np.testing.assert_allclose(run(metric, *batches), expected)
        assert metric.eval(True) == pytest.approx(expected.mean())
    np.testing.assert_allclose(run(nn.Fbeta(2), *batches), peers.fbeta_score(labels, guess, beta=2, average=None))


def test_multilabel_precision_is_per_example():
    guess, truth = np.array([[0, 1, 1], [1, 0, 0]]), np.array([[0, 1, 0], [1, 0, 0]])
    np.testing.assert_allclose(run(nn.Precision("multilabel"), (guess, truth)), [0.5, 1.0])
    np.testing.assert_allclose(run(nn.Recall("multilabel"), (guess, truth)), [1.0, 1.0])


def test_top_k_looks_at_the_likeliest_classes():
    scores, labels = many(classes=8)
    for k, metric in ((3, nn.TopKCategoricalAccuracy(3)), (1, nn.Top1CategoricalAccuracy()),
                      (5, nn.Top5CategoricalAccuracy())):
        expected = peers.top_k_accuracy_score(labels, scores, k=k)
        assert run(metric, (scores, labels)) == pytest.approx(expected)


def test_errors_and_losses_are_means_over_examples():
    x, y = np.random.rand(6, 3), np.random.rand(6, 3)
    assert run(nn.MAE(), (x, y)) == pytest.approx(np.abs(x - y).sum() / 6)
    assert run(nn.MSE(), (x[:2], y[:2]), (x[2:], y[2:])) == pytest.approx(((x - y) ** 2).sum() / 6)
    assert run(nn.Loss(), (Tensor(2.0),), (Tensor([4.0, 6.0]),)) == 3.5


def test_confusion_matrices_count_and_normalise():
    scores, labels = many(classes=3)
    guess = scores.argmax(1)
    expected = peers.confusion_matrix(labels, guess)
    np.testing.assert_array_equal(run(nn.ConfusionMatrix(3), (scores, labels)), expected)
    np.testing.assert_array_equal(run(nn.ConfusionMatrix(3), (guess, labels)), expected)
    for ours, theirs in (("target", "true"), ("prediction", "pred"), ("all", "all")):
        np.testing.assert_allclose(run(nn.ConfusionMatrix(3, ours), (scores, labels)),
                                   peers.confusion_matrix(labels, guess, normalize=theirs))
    binary = run(nn.ConfusionMatrix(2, threshold=0.5), (np.array([0.2, 0.7, 0.9, 0.4]), np.array([0, 1, 0, 1])))
    np.testing.assert_array_equal(binary, [[1, 1], [1, 1]])


RATES = {
    "sensitivity": peers.recall_score, "precision": peers.precision_score, "accuracy": peers.accuracy_score,
    "f1 score": peers.f1_score, "threat score": peers.jaccard_score,
    "balanced accuracy": peers.balanced_accuracy_score, "matthews correlation coefficient": peers.matthews_corrcoef,
    "specificity": lambda y, p: peers.recall_score(y, p, pos_label=0),
    "negative predictive value": lambda y, p: peers.precision_score(y, p, pos_label=0),
    "miss rate": lambda y, p: 1 - peers.recall_score(y, p),
    "fowlkes mallows index": lambda y, p: np.sqrt(peers.recall_score(y, p) * peers.precision_score(y, p)),
}


@pytest.mark.parametrize("name", RATES)
def test_rates_of_binary_predictions_equal_those_of_sklearn(name):
    guess, truth = np.random.randint(0, 2, (5, 2, 9)), np.random.randint(0, 2, (5, 2, 9))
    expected = RATES[name](truth.ravel(), guess.ravel())
    for spelling in (name, name.replace(" ", "_")):
        found = run(nn.ConfusionMatrixMetric(True, spelling), (guess[:2], truth[:2]), (guess[2:], truth[2:]))
        np.testing.assert_allclose(found, [expected])
    alone = run(nn.ConfusionMatrixMetric(False, name), (guess, truth))       # without the first channel
    np.testing.assert_allclose(alone, [RATES[name](truth[:, 1].ravel(), guess[:, 1].ravel())])


def test_rates_can_be_reduced_over_batch_and_channel():
    guess, truth = np.random.randint(0, 2, (3, 2, 50)), np.random.randint(0, 2, (3, 2, 50))
    expected = np.array([[peers.recall_score(t, g) for t, g in zip(*rows, strict=True)]
                         for rows in zip(truth, guess, strict=True)])
    for decrease, wanted in (("none", expected), ("mean", expected.mean()), ("sum_batch", expected.sum(0)),
                             ("mean_channel", expected.mean(1))):
        found = run(nn.ConfusionMatrixMetric(True, "sensitivity", True, decrease), (guess, truth))
        np.testing.assert_allclose(found, wanted)


def test_an_unknown_rate_is_named():
    metric = nn.ConfusionMatrixMetric(metric_name="x")
    metric.update(np.ones((1, 2, 1), int), np.ones((1, 2, 1), int))
    with pytest.raises(NotImplementedError, match="'x'"):
        metric.eval()


def test_the_roc_curve_and_its_area_equal_those_of_sklearn():
    scores, labels = np.random.rand(60), np.random.randint(0, 2, 60)
    fpr, tpr, thresholds = run(nn.ROC(), (scores[:30], labels[:30]), (scores[30:], labels[30:]))
    expected = peers.roc_curve(labels, scores, drop_intermediate=False)
    np.testing.assert_allclose(fpr, expected[0])
    np.testing.assert_allclose(tpr, expected[1])
    np.testing.assert_allclose(thresholds[1:], expected[2][1:])
    assert nn.auc(fpr, tpr) == pytest.approx(peers.roc_auc_score(labels, scores))
    assert nn.auc(fpr[::-1], tpr[::-1]) == pytest.approx(nn.auc(fpr, tpr))


def test_a_roc_curve_per_class():
    scores, labels = many(classes=3)
    curves = run(nn.ROC(class_num=3), (scores, labels))
    for i in range(3):
        expected = peers.roc_curve(labels == i, scores[:, i], drop_intermediate=False)
        np.testing.assert_allclose(curves[0][i], expected[0])


def test_perplexity_is_the_exponential_of_the_mean_surprise():
    p = SCORES[np.arange(4), LABELS]
    assert run(nn.Perplexity(), (SCORES, LABELS)) == pytest.approx(np.exp(-np.log(p).mean()), rel=1e-6)
    kept = p[LABELS != 0]
    assert run(nn.Perplexity(0), (SCORES, LABELS)) == pytest.approx(np.exp(-np.log(kept).mean()), rel=1e-6)


def test_bleu_of_a_known_pair():
    # 6 of 7 words and 4 of 6 pairs are found; the lengths agree
    words = ["i", "have", "a", "pen", "on", "my", "desk"]
    text = ["i", "have", "a", "pen", "in", "my", "desk"]
    assert run(nn.BleuScore(2), ([words], [[text]])) == pytest.approx(np.sqrt(6 / 7 * 4 / 6))
    assert run(nn.BleuScore(2, True), ([words], [[text]])) == pytest.approx(np.sqrt(6 / 7 * 5 / 7))
    short = run(nn.BleuScore(1), ([words[:4]], [[text]]))
    assert short == pytest.approx(np.exp(1 - 7 / 4))
    assert run(nn.BleuScore(), ([["x"] * 5], [[text]])) == 0.0


def test_cosine_similarity_compares_rows():
    rows = np.random.rand(4, 3)
    expected = peers.pairwise.cosine_similarity(rows)
    np.testing.assert_allclose(run(nn.CosineSimilarity(zero_diagonal=False), (rows,)), expected)
    np.testing.assert_allclose(run(nn.CosineSimilarity("dot", "sum", False), (rows,)), (rows @ rows.T).sum(1))
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(run(nn.CosineSimilarity(reduction="mean"), (rows,)), expected.mean(1))


def test_dice_is_by_example():
    x, y = np.random.rand(4, 3), np.random.rand(4, 3)
    expected = 2 * (x * y).sum() / ((x * x).sum() + (y * y).sum() + 1e-5) / 4
    assert run(nn.Dice(), (x, y)) == pytest.approx(expected)


def squares():
    a, b = np.zeros((8, 8), int), np.zeros((8, 8), int)
    a[1:6, 1:6] = 1
    b[2:8, 0:5] = 1
    return a, b


def test_surface_distances_of_two_squares():
    # observed: MindSpore 2.10
    a, b = squares()
    assert run(nn.HausdorffDistance(), (a, b, 1)) == pytest.approx(5 ** 0.5)
    assert run(nn.HausdorffDistance("chessboard", 95.0), (a, b, 1)) == 2.0
    assert run(nn.MeanSurfaceDistance(), (a, b, 1)) == pytest.approx(0.9633883476483185)
    assert run(nn.MeanSurfaceDistance(True), (a, b, 1)) == pytest.approx(1.0830908832650727)
    assert run(nn.MeanSurfaceDistance(True, "taxicab"), (a, b, 1)) == pytest.approx(1.1388888888888888)
    assert run(nn.RootMeanSquareDistance(), (a, b, 1)) == pytest.approx(1.125)
    assert run(nn.RootMeanSquareDistance(True), (a, b, 1)) == pytest.approx(1.2162099599438687)


def test_an_empty_region_is_infinitely_far():
    a, b = squares()
    for metric in (nn.HausdorffDistance(), nn.MeanSurfaceDistance(), nn.RootMeanSquareDistance()):
        assert run(metric, (a * 0, b, 1)) == np.inf
    with pytest.raises(ValueError, match="7 is not"):
        nn.HausdorffDistance().update(a, b, 7)


def test_occlusion_shows_where_a_linear_model_looks():
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(12, 2, has_bias=False))
    weight = net[1].weight.asnumpy()[1].reshape(1, 3, 4)
    image = np.random.rand(1, 1, 3, 4).astype(np.float32)
    fall = run(nn.OcclusionSensitivity(margin=0, n_batch=5), (net, image, np.array([1])))
    np.testing.assert_allclose(fall, weight * image[0], rtol=1e-3, atol=1e-5)
    part = run(nn.OcclusionSensitivity(margin=0, b_box=[0, 0, 1, 2, 0, 3]), (net, image, np.array([1])))
    np.testing.assert_allclose(part, fall[:, 1:3], rtol=1e-3, atol=1e-5)


def test_indexes_choose_the_inputs():
    metric = nn.Accuracy().set_indexes([0, 2])
    assert metric.indexes == [0, 2]
    assert run(metric, (SCORES, None, LABELS)) == 0.75
    with pytest.raises(ValueError, match="indexes"):
        metric.set_indexes(3)


def test_clear_forgets_and_a_call_measures_one_batch():
    metric = nn.Accuracy()
    metric.update(SCORES, LABELS)
    assert metric(SCORES[:1], LABELS[:1]) == 1.0
    metric.clear()
    with pytest.raises(RuntimeError, match="number of samples is 0"):
        metric.eval()


@pytest.mark.parametrize("metric", [nn.Accuracy(), nn.Precision(), nn.F1(), nn.MAE(), nn.Dice(), nn.Perplexity(),
                                    nn.TopKCategoricalAccuracy(2)])
def test_the_number_of_inputs_is_checked(metric):
    with pytest.raises(ValueError, match="needs 2 inputs"):
        metric.update(SCORES)


def test_metrics_have_names():
    assert isinstance(nn.get_metric_fn("topk", k=2), nn.TopKCategoricalAccuracy)
    assert set(nn.get_metrics({"acc", "loss"})) == {"acc", "loss"}
    own = {"a": nn.Accuracy()}
    assert nn.get_metrics(own) is own
    assert nn.get_metrics(None) is None
    with pytest.raises(KeyError, match="unsupported"):
        nn.get_metric_fn("x")
    for wrong in (["acc"], {"a": 3}):
        with pytest.raises(TypeError):
            nn.get_metrics(wrong)


def test_a_metric_must_define_its_methods():
    with pytest.raises(TypeError, match="abstract"):
        nn.Metric()


@pytest.mark.parametrize("metric", [nn.MAE, nn.MSE, nn.Loss])
def test_sums_over_batches_are_kept_in_double_precision(metric):  # observed: MindSpore 2.10 with NumPy 1.26
    found, small = metric(), np.float32(2**-12)
    for value in (np.float32(2**13), *[small] * 4):
        inputs = np.array([value]), np.zeros(1, np.float32)
        found.update(*inputs[:1 if metric is nn.Loss else 2])
    power = 2 if metric is nn.MSE else 1
    assert float(found.eval()) == (float(2**13) ** power + 4 * float(small) ** power) / 5


def test_rates_of_bools_are_those_of_numbers():
    pred, true = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[1, 1, 1], [0, 0, 0]])
    found = []
    for kind in (int, bool):
        metric = nn.ConfusionMatrixMetric()
        metric.update(pred.astype(kind), true.astype(kind))
        found.append(metric.eval().tolist())
    assert found[0] == found[1] == [2 / 3]


def test_a_roc_curve_needs_a_true_value_for_every_score():
    with pytest.raises(ValueError, match="a true value for every predicted one"):
        nn.ROC().update(np.array([0.1, 0.4, 0.6]), np.array([0, 1, 0, 1]))
