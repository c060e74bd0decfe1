"""Networks that tell how uncertain they are, by their formulas."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.special

import mindspore as ms
from mindspore import Tensor, dataset, nn, ops
from mindspore.train import uncertainty

X = np.random.default_rng(1).standard_normal((6, 4)).astype(np.float32)


def test_every_layer_but_the_first_drops_out_in_a_copy_and_in_both_modes():
    net = nn.SequentialCell(nn.Dense(4, 5), nn.ReLU(), nn.Dense(5, 3), nn.Dense(3, 2))
    model = uncertainty.EpistemicUncertaintyModel(net)
    kinds = [[type(cell).__name__ for cell in layer] if isinstance(layer, nn.SequentialCell) else type(layer).__name__
             for layer in model.epi_model]
    assert kinds == ["Dense", "ReLU", ["Dropout", "Dense"], ["Dropout", "Dense"]]
    assert [type(layer).__name__ for layer in net] == ["Dense", "ReLU", "Dense", "Dense"]
    for mode in (True, False):
        model.set_train(mode)
        assert model.training == mode
        assert all(cell.training for _, cell in model.cells_and_names() if isinstance(cell, nn.Dropout))

    class Only(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer = nn.Dense(4, 2)

        def construct(self, x):
            return self.layer(x)
    assert [type(cell).__name__ for cell in uncertainty.EpistemicUncertaintyModel(Only()).epi_model.layer] == [
        "Dropout", "Dense"]
    own = nn.SequentialCell(nn.Dense(4, 5), nn.Dropout(p=0.25), nn.Dense(5, 2))
    assert len(list(uncertainty.EpistemicUncertaintyModel(own).epi_model)) == 3
    with pytest.raises(ValueError, match="must have a dropout"):
        uncertainty.EpistemicUncertaintyModel(nn.SequentialCell(nn.ReLU()))


def test_the_variance_is_a_layer_upon_the_prediction_of_a_copy():
    net = nn.Dense(4, 3)
    model = uncertainty.AleatoricUncertaintyModel(net, 3, "classification")
    predicted, spread = model(Tensor(X))
    np.testing.assert_array_equal(predicted.asnumpy(), net(Tensor(X)).asnumpy())
    layer = model.var_layer
    np.testing.assert_allclose(spread.asnumpy(), predicted.asnumpy() @ layer.weight.asnumpy().T + layer.bias.asnumpy(),
                               1e-5, 1e-6)
    assert model.ale_model is not net


def test_the_losses_are_those_of_their_formulas():
    p, s, y = X[:, :1], X[:, 1:2], X[:, 2:3]
    loss = uncertainty.AleatoricLoss("regression")((Tensor(p), Tensor(s)), Tensor(y))
    assert loss.item() == pytest.approx(np.mean(0.5 * np.exp(-s) * (p - y) ** 2 + 0.5 * s), rel=1e-5)
    ms.set_seed(4)
    noise = ops.standard_normal((uncertainty.DRAWS, 6, 2)).asnumpy()
    logits, spread, classes = X[:, :2], X[:, 2:], np.int32([0, 1, 1, 0, 1, 0])
    ms.set_seed(4)
    loss = uncertainty.AleatoricLoss("classification")((Tensor(logits), Tensor(spread)), Tensor(classes))
    mean = scipy.special.softmax(logits + np.exp(0.5 * spread) * noise, -1).mean(0)
    assert loss.item() == pytest.approx(-np.mean(np.log(mean[np.arange(6), classes])), rel=1e-5)


class Passes:
    """A data set that counts its passes."""

    count = 0

    def create_tuple_iterator(self, num_epochs):
        self.count += 1
        return dataset.NumpySlicesDataset((X, np.int32([0, 1, 1, 0, 1, 0])), shuffle=False).batch(
            6).create_tuple_iterator(num_epochs=num_epochs)


def test_networks_are_trained_once_for_as_many_epochs_and_asked_in_evaluation():
    given, net = Passes(), nn.SequentialCell(nn.Dense(4, 8), nn.BatchNorm1d(8), nn.Dense(8, 2))
    asked = uncertainty.UncertaintyEvaluation(net, given, "classification", num_classes=2, epochs=3)
    noise = asked.eval_aleatoric_uncertainty(Tensor(X))
    assert given.count == 3
    np.testing.assert_array_equal(asked.eval_aleatoric_uncertainty(Tensor(X)), noise)
    np.testing.assert_allclose(asked.eval_aleatoric_uncertainty(Tensor(X[:2])), noise[:2], 1e-5)   # no norm of a batch
    assert given.count == 3
    drawn = asked.eval_epistemic_uncertainty(Tensor(X))
    assert given.count == 6
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 1], 1e-3)     # of two probabilities whose sum is one
    assert drawn.max() <= 0.25


def test_networks_are_read_unless_they_are_to_be_written(tmp_path):
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Dense(8, 2))
    paths = {f"{kind}_uncer_model_path": str(tmp_path / f"{kind}.ckpt") for kind in ("epi", "ale")}

    def asked(**options):
        given = Passes()
        uncertainty.UncertaintyEvaluation(net, given, "classification", 2, **paths, **options
                                          ).eval_aleatoric_uncertainty(Tensor(X))
        return given.count
    assert [asked(), asked(save_model=True), asked(save_model=True), asked()] == [1, 1, 1, 0]
