"""Bayesian layers, what makes them, autoencoders, and uncertainty."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
import torch

from mindspore import Tensor, dataset, int32, load_checkpoint, nn, ops, set_seed
from mindspore.nn.probability import bnn_layers, infer, toolbox
from mindspore.nn.probability.dpn import VAE, ConditionalVAE
from mindspore.nn.probability.transforms import TransformToBNN

RNG = np.random.default_rng(2)
X = RNG.standard_normal((5, 3)).astype(np.float32)


def softplus(x):
    return np.log1p(np.exp(x.astype(np.float64)))


def fixed(layer, std=-30.0):
    """The layer with weights that hardly vary."""
    for key in ("weight", "bias"):
        if hasattr(layer, f"{key}_posterior"):
            p = getattr(layer, f"{key}_posterior").untransformed_std
            p.set_data(ops.full_like(p, std))
    return layer


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("kind", [bnn_layers.DenseReparam, bnn_layers.DenseLocalReparam])
def test_dense_layers_draw_around_the_affine_map_of_the_means(kind):
    layer = fixed(kind(3, 2, activation="relu"))
    w, b = layer.weight_posterior.mean.asnumpy(), layer.bias_posterior.mean.asnumpy()
    np.testing.assert_allclose(layer(Tensor(X)).asnumpy(), np.maximum(X @ w.T + b, 0), atol=1e-5)
    set_seed(4)
    wide = fixed(kind(3, 1, has_bias=False), -1.0)
    drawn = np.stack([wide(Tensor(X)).asnumpy()[:, 0] for _ in range(400)])
    std = softplus(np.float32(-1.0))
    np.testing.assert_allclose(drawn.std(0), std * np.sqrt((X**2).sum(1)), rtol=0.15)
    apart = abs(np.corrcoef(drawn.T) - np.eye(5)).max()
    assert (apart > 0.5) == (kind is bnn_layers.DenseReparam)       # rows share weights, or have their own


@pytest.mark.usefixtures("both_modes")
def test_a_convolution_draws_around_that_of_the_means_and_has_no_other_parameters():
    layer = fixed(bnn_layers.ConvReparam(2, 4, 3, stride=2, pad_mode="pad", padding=1, group=2, has_bias=True))
    x = RNG.standard_normal((2, 2, 7, 6)).astype(np.float32)
    w, b = (torch.tensor(p.mean.asnumpy()) for p in (layer.weight_posterior, layer.bias_posterior))
    wanted = torch.conv2d(torch.tensor(x), w, b, stride=2, padding=1, groups=2)
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), wanted, atol=1e-5)
    assert [p.name for p in layer.trainable_params()] == [
        "weight_posterior.mean", "weight_posterior.untransformed_std", "bias_posterior.mean",
        "bias_posterior.untransformed_std"]


@pytest.mark.usefixtures("both_modes")
def test_the_loss_adds_the_divergences_of_all_layers():
    layer = bnn_layers.DenseReparam(3, 2)
    net = nn.SequentialCell(layer, nn.Dense(2, 1))
    fixed(layer)
    wanted = 0.0
    for part in (layer.weight_posterior, layer.bias_posterior):
        mean, sd = part.mean.asnumpy(), softplus(part.untransformed_std.asnumpy())
        wanted += torch.distributions.kl_divergence(
            torch.distributions.Normal(torch.tensor(mean).double(), torch.tensor(sd)),
            torch.distributions.Normal(0.0, 0.1)).sum().item()
    assert layer.compute_kl_loss().item() == pytest.approx(wanted, rel=1e-4)
    y = Tensor(RNG.standard_normal((5, 1)).astype(np.float32))
    plain = nn.MSELoss()(net(Tensor(X)), y).item()
    loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 2, 0.5)
    assert loss(Tensor(X), y).item() == pytest.approx(2 * plain + 0.5 * wanted, rel=1e-4)
    assert loss.backbone_network is net


@pytest.mark.usefixtures("both_modes")
def test_a_network_made_bayesian_learns():
    net = nn.SequentialCell(nn.Dense(3, 16, activation="relu"), nn.Dense(16, 1))
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.02)
    maker = TransformToBNN(nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer), 100, 0.001)
    step = maker.transform_to_bnn_model()
    assert step.optimizer is not optimizer
    assert type(step.optimizer) is nn.Adam
    assert float(step.optimizer.get_lr()) == pytest.approx(0.02)
    assert [type(c) for c in net] == [bnn_layers.DenseReparam] * 2
    x, y = Tensor(X), Tensor(X[:, :1] - 2 * X[:, 1:2])
    losses = [step(x, y).item() for _ in range(60)]
    assert losses[-1] < losses[0] / 3


def test_one_kind_of_layer_is_replaced_with_arguments_of_the_callers():
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Dense(2 * 16, 2))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    TransformToBNN(step).transform_to_bnn_layer(nn.Dense, bnn_layers.DenseLocalReparam, add_args={
        "weight_prior_fn": bnn_layers.NormalPrior(std=2.0)})
    assert [type(c).__name__ for c in net] == ["Conv2d", "Flatten", "DenseLocalReparam"]
    assert net[2].weight_prior("sd").item() == 2.0
    with pytest.raises(ValueError, match="'dnn_layer_type'"):
        TransformToBNN(step).transform_to_bnn_layer(nn.ReLU, bnn_layers.DenseReparam)
    with pytest.raises(TypeError, match="TrainOneStepCell around a WithLossCell"):
        TransformToBNN(net)


@pytest.mark.usefixtures("both_modes")
def test_the_bound_is_the_error_and_the_divergence_in_closed_form():
    decoded, x, mu = (RNG.standard_normal(s).astype(np.float32) for s in ((4, 6), (4, 6), (4, 2)))
    std = np.exp(RNG.standard_normal((4, 2)).astype(np.float32) / 2)
    found = infer.ELBO()(tuple(Tensor(v) for v in (decoded, x, mu, std)), Tensor(x))
    wanted = 0.5 * ((decoded - x) ** 2).sum() + 0.5 * (mu**2 + std**2 - 1 - 2 * np.log(std)).sum()
    assert found.item() == pytest.approx(wanted, rel=1e-5)
    assert -scipy.stats.norm(decoded).logpdf(x).sum() - 12 * np.log(2 * np.pi) == pytest.approx(
        0.5 * ((decoded - x) ** 2).sum(), rel=1e-5)


def test_an_outlier_is_far_from_what_the_autoencoder_makes_of_it():
    set_seed(1)
    rows = np.tile(np.float32([1.0, -1.0, 0.5]), (32, 1))
    finder = toolbox.VAEAnomalyDetection(nn.Dense(3, 6), nn.Dense(6, 3), hidden_size=6, latent_size=2)
    finder.train(dataset.NumpySlicesDataset((rows, rows), ["x", "y"]).batch(8), epochs=40)
    usual, other = Tensor(rows[:1]), Tensor(np.float32([[9.0, 9.0, -9.0]]))
    assert finder.predict_outlier_score(other) > 3 * finder.predict_outlier_score(usual)
    assert finder.predict_outlier(other, threshold=5.0)
    assert not finder.predict_outlier(usual, threshold=5.0)
    assert isinstance(finder.vae, VAE)


def test_noise_in_the_data_and_unseen_places_are_told_apart(tmp_path):
    set_seed(1)
    x = RNG.uniform(-3, 3, (256, 1)).astype(np.float32)
    y = (x + (x > 0) * RNG.standard_normal((256, 1)) * 2).astype(np.float32)
    data = dataset.NumpySlicesDataset((x, y), ["x", "y"]).batch(32)
    net = nn.SequentialCell(nn.Dense(1, 32, activation="relu"), nn.Dense(32, 1))
    paths = {f"{kind}_uncer_model_path": str(tmp_path / f"{kind}.ckpt") for kind in ("epi", "ale")}
    asked = toolbox.UncertaintyEvaluation(net, data, "regression", epochs=35, save_model=True, **paths)
    noise = asked.eval_aleatoric_uncertainty(Tensor(np.float32([[-2.0], [2.0]])))
    assert noise[1] > 1.5 * noise[0]
    weights = asked.eval_epistemic_uncertainty(Tensor(np.float32([[0.0], [40.0]])))
    assert weights[1, 0] > 5 * weights[0, 0]
    again = toolbox.UncertaintyEvaluation(net, None, "regression", **paths)
    assert set(load_checkpoint(paths["ale_uncer_model_path"])) >= {"var_layer.weight", "var_layer.bias"}
    np.testing.assert_array_equal(again.eval_aleatoric_uncertainty(Tensor(np.float32([[-2.0], [2.0]]))), noise)
    with pytest.raises(ValueError, match="'num_classes' must be given"):
        toolbox.UncertaintyEvaluation(net, data, "classification")
    with pytest.raises(ValueError, match="must be given with save_model"):
        toolbox.UncertaintyEvaluation(net, data, "regression", save_model=True)


def test_the_loss_of_classes_draws_the_logits():
    from mindspore.train.uncertainty import AleatoricLoss

    logits = Tensor(np.float32([[2.0, 0.0], [0.5, 1.0]]))
    sure = AleatoricLoss("classification")((logits, ops.full((2, 2), -60.0)), Tensor([0, 1], int32)).item()
    wanted = torch.nn.functional.cross_entropy(torch.tensor(logits.asnumpy()), torch.tensor([0, 1])).item()
    assert sure == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("conditional", [False, True])
def test_an_autoencoder_of_unequal_sizes_computes_its_formula(conditional):
    classes = {"num_classes": 3} if conditional else {}
    kind = ConditionalVAE if conditional else VAE
    vae = kind(nn.Dense(7, 5), nn.Dense(5, 7), 5, 2, **classes)
    more = classes.get("num_classes", 0)
    assert vae.dense1.weight.shape == vae.dense2.weight.shape == (2, 5 + more)
    assert vae.dense3.weight.shape == (5, 2 + more)
    x, y = Tensor(np.random.default_rng(2).normal(size=(4, 7)).astype(np.float32)), Tensor([0, 2, 1, 2], int32)
    given = (x, y) if conditional else (x,)

    def with_class(values):
        return np.concatenate([values, np.eye(3, dtype=np.float32)[y.asnumpy()]], 1) if conditional else values

    def dense(layer, values):
        return values @ layer.weight.asnumpy().T + layer.bias.asnumpy()
    hidden = with_class(dense(vae.encoder, x.asnumpy()))
    mean, spread = dense(vae.dense1, hidden), np.exp(0.5 * dense(vae.dense2, hidden))
    set_seed(3)
    again, same, mu, std = vae(*given)
    set_seed(3)
    z = mean + spread * ops.standard_normal(mean.shape).asnumpy()
    np.testing.assert_allclose(again.asnumpy(), dense(vae.decoder, dense(vae.dense3, with_class(z))), 1e-4, 1e-5)
    np.testing.assert_allclose(mu.asnumpy(), mean, 1e-4, 1e-5)
    np.testing.assert_allclose(std.asnumpy(), spread, 1e-4, 1e-5)
    assert same.tolist() == x.tolist()
    set_seed(3)
    rebuilt = vae.reconstruct_sample(*given).asnumpy()
    np.testing.assert_allclose(rebuilt, again.asnumpy(), 1e-5, 1e-6)
    made = vae.generate_sample(*((y,) if conditional else ()), 4, (2, 14))
    assert made.shape == (2, 14)
    for wrong, error in ((0, ValueError), ("x", TypeError)):
        with pytest.raises(error, match="generate_nums"):
            vae.generate_sample(*((y,) if conditional else ()), wrong, (4, 7))
    with pytest.raises(TypeError, match="shape"):
        vae.generate_sample(*((y,) if conditional else ()), 4, [4, 7])
    for at, name in ((2, "hidden_size"), (3, "latent_size"), (4, "num_classes"))[: 3 if conditional else 2]:
        sizes = [vae.encoder, vae.decoder, 5, 2, *classes.values()]
        sizes[at] = 0
        with pytest.raises(ValueError, match=name):
            kind(*sizes)
