"""Bijectors within others and at their limits; Bayesian layers, inference and anomalies with each of their options."""
from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from mindspore import Tensor, dataset, float16, float32, nn, ops, set_seed
from mindspore.nn.probability import bijector as B
from mindspore.nn.probability import bnn_layers as L
from mindspore.nn.probability import distribution as D
from mindspore.nn.probability.dpn import VAE, ConditionalVAE
from mindspore.nn.probability.infer import ELBO, SVI
from mindspore.nn.probability.toolbox import VAEAnomalyDetection
from mindspore.nn.probability.transforms import TransformToBNN

X = Tensor(np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]))


def test_powers_of_zero_are_exponentials_among_others():
    bijector = B.PowerTransform([0.0, 0.5, 2.0])
    x, y = Tensor([0.75, 0.75, 0.75]), Tensor([2.5, 2.5, 2.5])
    np.testing.assert_allclose(bijector.forward(x).asnumpy(), [math.exp(0.75), 1.375**2, 2.5**0.5], 1e-6)
    backwards = [math.log(2.5), (2.5**0.5 - 1) * 2, (2.5**2 - 1) / 2]
    np.testing.assert_allclose(bijector.inverse(y).asnumpy(), backwards, 1e-6)
    slopes = [math.exp(0.75), 1.375, 2.5**-0.5]
    np.testing.assert_allclose(bijector.forward_log_jacobian(x).asnumpy(), np.log(slopes), 1e-5)
    steepness = [(p - 1) * math.log(2.5) for p in (0, 0.5, 2)]
    np.testing.assert_allclose(bijector.inverse_log_jacobian(y).asnumpy(), steepness, 1e-6)
    assert ops.grad(lambda x: bijector.forward(x).sum())(x).asnumpy() == pytest.approx(slopes, 1e-5)


def test_an_inverse_has_the_shape_and_the_direction_of_its_function():
    falling = B.ScalarAffine([-2.0, 2.0, 0.5], 1.0)
    turned = B.Invert(falling)
    assert turned.batch_shape == (3,)
    assert turned.rising().tolist() == [False, True, True]
    assert turned.shape_mapping((4, 1)) == (4, 3)
    assert (turned.is_constant_jacobian, B.Invert(B.Exp()).is_constant_jacobian) == (True, False)
    dist = D.TransformedDistribution(turned, D.Normal(0.5, 1.5))
    assert dist.batch_shape == (3,)
    at = np.float32([-1.0, 0.25, 2.0])
    scale = np.float32([-2.0, 2.0, 0.5])
    truth = torch.distributions.Normal(torch.tensor((0.5 - 1) / scale), torch.tensor(1.5 / np.abs(scale)))
    np.testing.assert_allclose(dist.cdf(Tensor(at)).asnumpy(), truth.cdf(torch.tensor(at)), 1e-5)
    np.testing.assert_allclose(dist.log_prob(Tensor(at)).asnumpy(), truth.log_prob(torch.tensor(at)), 1e-5)
    np.testing.assert_allclose(dist.sd().asnumpy(), truth.scale, 1e-6)


def test_a_bijector_called_with_a_distribution_hands_its_arguments_on():
    made = B.Exp()(D.Normal(0.0, 1.0), 7, "grown")
    assert (made.seed, made.name) == (7, "grown")
    assert B.Exp()(D.Normal(0.0, 1.0), name="other").name == "other"


def test_a_bijector_of_one_type_refuses_others():
    class Half(B.Bijector):
        def __init__(self):
            super().__init__(name="Half", dtype=float16)

        def _forward(self, value):
            return value * 2

    assert Half().forward(Tensor([1.5], float16)).dtype is float16
    with pytest.raises(TypeError, match="'value' must be of Float16"):
        Half().forward(Tensor([1.5], float32))


def exact(value):
    """A distribution of weights with no spread to speak of, which says which one it is."""
    return lambda name="", shape=(): L.NormalPosterior(name, shape, loc_mean=value, loc_std=1e-9,
                                                       untransformed_scale_mean=-40, untransformed_scale_std=1e-9)


def prior(mean, std):
    return lambda: L.NormalPrior(mean=mean, std=std)


@pytest.mark.parametrize("kind", [L.DenseReparam, L.DenseLocalReparam])
def test_each_distribution_is_that_of_its_argument(kind):
    layer = kind(3, 2, "relu", True, prior(1.0, 2.0), exact(0.5), prior(-1.0, 3.0), exact(-0.25))
    np.testing.assert_allclose(layer(X).asnumpy(), np.maximum(0.5 * X.asnumpy().sum(1, keepdims=True) - 0.25, 0)
                               * np.ones(2), atol=1e-5)
    assert (layer.weight_prior("mean").item(), layer.bias_prior("mean").item()) == (1.0, -1.0)
    assert (layer.weight_prior("sd").item(), layer.bias_prior("sd").item()) == (2.0, 3.0)


def test_divergences_are_sums_over_weights_and_biases():
    layer = L.DenseReparam(3, 2)
    wanted = 0.0
    for part in (layer.weight_posterior, layer.bias_posterior):
        mean, std = (torch.tensor(v.asnumpy()) for v in (part.mean, part.std()))
        other = torch.distributions.Normal(torch.zeros_like(mean), torch.full_like(std, 0.1))
        wanted += torch.distributions.kl_divergence(torch.distributions.Normal(mean, std), other).sum().item()
    assert layer.compute_kl_loss().item() == pytest.approx(wanted, rel=1e-5)
    loss = L.WithBNNLossCell(nn.SequentialCell(layer, nn.ReLU()), nn.MSELoss(), 0.0, 0.25)
    assert loss(X, ops.zeros((2, 2))).item() == pytest.approx(wanted / 4, rel=1e-5)


@pytest.mark.parametrize(("shape", "kernel", "stride", "mode"), [((5, 8), (3, 2), (2, 1), "same"),
                                                                 ((6, 7), (2, 3), (1, 2), "valid"),
                                                                 ((5, 9), (3, 3), (2, 2), "pad")])
def test_convolutions_of_known_weights_are_those_of_the_usual_layer(shape, kernel, stride, mode):
    options = {"stride": stride, "pad_mode": mode, "padding": (1, 0, 2, 1) if mode == "pad" else 0, "group": 2,
               "has_bias": True}
    layer = L.ConvReparam(4, 6, kernel, **options, weight_posterior_fn=exact(0.5), bias_posterior_fn=exact(-2.0))
    usual = nn.Conv2d(4, 6, kernel, **options, weight_init=Tensor(np.full((6, 2, *kernel), 0.5, np.float32)),
                      bias_init=Tensor(np.full(6, -2.0, np.float32)))
    x = Tensor(np.random.default_rng(1).standard_normal((2, 4, *shape)).astype(np.float32))
    np.testing.assert_allclose(layer(x).asnumpy(), usual(x).asnumpy(), atol=1e-4)
    assert "_like" not in layer.name_cells()
    assert len(layer.trainable_params()) == 4


def test_a_drawn_bias_stands_along_the_channels():
    layer = L.ConvReparam(2, 3, 1, has_bias=True, bias_posterior_fn=exact(1.5))
    for rank in (2, 3, 4):
        found = layer.apply_variational_bias(ops.zeros((2, 3, *(4, 5)[:rank - 2])))
        assert found.shape == (2, 3, *(4, 5)[:rank - 2])
        np.testing.assert_allclose(found.asnumpy(), 1.5, atol=1e-5)


def test_rows_have_noise_of_their_own_and_weights_one_for_all_rows():
    same = ops.ones((4, 3))
    shared, local = L.DenseReparam(3, 2), L.DenseLocalReparam(3, 2)
    assert np.ptp(shared(same).asnumpy(), axis=0).max() < 1e-6
    assert np.ptp(local(same).asnumpy(), axis=0).min() > 0


def test_distributions_of_weights_are_of_the_type_and_shape_that_was_asked_for():
    assert L.NormalPrior(float16).normal.dtype is float16
    assert [p.name for p in L.NormalPosterior("", [2]).trainable_params()] == ["mean", "untransformed_std"]
    weights = L.NormalPosterior("w", [2, 3])
    assert weights("sample").shape == (2, 3)
    assert weights("sample", (4,)).shape == (4, 2, 3)
    set_seed(1)
    many = L.NormalPosterior("w", [5000], loc_mean=3, loc_std=0.5, untransformed_scale_mean=-2,
                             untransformed_scale_std=0.25)
    assert (many.mean.asnumpy().mean(), many.mean.asnumpy().std()) == pytest.approx((3.0, 0.5), abs=0.03)
    raw = many.untransformed_std.asnumpy()
    assert (raw.mean(), raw.std()) == pytest.approx((-2.0, 0.25), abs=0.03)
    np.testing.assert_allclose(many.std().asnumpy(), np.log1p(np.exp(raw)), 1e-5)


class Told(nn.Cell):
    """A loss that is its one weight, and the way in which it was called."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Dense(1, 1, "ones", has_bias=False).weight
        self.trained = []

    def construct(self, x, y):
        self.trained.append(self.training)
        return (self.weight * x).sum() + y.sum() * 0


def test_inference_takes_all_epochs_in_training_and_tells_the_mean_of_the_last(monkeypatch):
    loss, x = Told(), np.float32([[1.0], [2.0], [4.0]])
    vi = SVI(loss, nn.SGD(loss.trainable_params(), 0.5))
    assert vi.get_train_loss() == 0.0
    assert vi.run(dataset.NumpySlicesDataset((x, x), ["x", "y"], shuffle=False).batch(1), epochs=2) is loss
    assert all(loss.trained)
    weights, losses = 1.0, []
    for _ in range(2):
        losses = []
        for value in (1.0, 2.0, 4.0):
            losses.append(weights * value)
            weights -= 0.5 * value
    assert vi.get_train_loss().item() == pytest.approx(sum(losses) / 3)
    assert loss.weight.asnumpy().item() == pytest.approx(weights)


def test_the_bound_compares_with_the_label():
    decoded, x, label = (Tensor(np.float32(v)) for v in ([[1.0, 2.0]], [[5.0, 7.0]], [[0.5, 4.0]]))
    mu, std = Tensor([[0.5, -1.0]]), Tensor([[2.0, 0.5]])
    apart = torch.distributions.kl_divergence(
        torch.distributions.Normal(torch.tensor([0.5, -1.0]), torch.tensor([2.0, 0.5])),
        torch.distributions.Normal(torch.zeros(2), torch.ones(2))).sum().item()
    assert ELBO()((decoded, x, mu, std), label).item() == pytest.approx(0.5 * (0.25 + 4.0) + apart, rel=1e-5)


class Echo(nn.Cell):
    def construct(self, x):
        return x


def test_codes_are_an_expectation_and_a_deviation_and_samples_spread_by_it():
    set_seed(2)
    for vae, more in ((VAE(Echo(), Echo(), 2, 3), ()), (ConditionalVAE(Echo(), Echo(), 2, 3, 2),
                                                       (Tensor(np.zeros(4000, np.int32)),))):
        x = Tensor(np.tile(np.float32([[1.0, -2.0]]), (4000, 1)))
        decoded, back, mu, std = vae(x, *more)
        hidden = torch.tensor(np.concatenate([x.asnumpy(), *[np.tile([[1.0, 0.0]], (4000, 1)) for _ in more]], 1),
                              dtype=torch.float32)[:1]
        first, second = (hidden @ torch.tensor(d.weight.asnumpy()).T + torch.tensor(d.bias.asnumpy())
                         for d in (vae.dense1, vae.dense2))
        np.testing.assert_allclose(mu.asnumpy()[:1], first, atol=1e-5)
        np.testing.assert_allclose(std.asnumpy()[:1], (0.5 * second).exp(), rtol=1e-5)
        assert back is x
        w = vae.dense3.weight.asnumpy()[:, :3]
        np.testing.assert_allclose(decoded.asnumpy().std(0), np.sqrt((w**2) @ (std.asnumpy()[0]**2)), rtol=0.06)
        drawn = vae.generate_sample(*[m for m in more], 4000, (4000, 2)).asnumpy()
        np.testing.assert_allclose(drawn.std(0), np.sqrt((w**2).sum(1)), rtol=0.06)


def test_outliers_are_farther_than_the_threshold(monkeypatch):
    finder = VAEAnomalyDetection(nn.Dense(3, 4), nn.Dense(4, 3), 4, 2)
    monkeypatch.setattr(finder.vae, "reconstruct_sample", lambda x: x - Tensor([[3.0, 4.0, 12.0]]))
    assert finder.predict_outlier_score(X[:1]) == pytest.approx(13.0)
    assert finder.predict_outlier_score(X) == pytest.approx(13.0 * 2**0.5)
    monkeypatch.setattr(finder, "predict_outlier_score", lambda x: 13.0)
    assert [finder.predict_outlier(X, t) for t in (12.5, 13.0, 13.5)] == [True, False, False]


def test_anomalies_are_learned_in_as_many_epochs_as_are_asked_for(monkeypatch):
    seen = []
    monkeypatch.setattr(SVI, "run", lambda self, data, epochs=10: seen.append((data, epochs)))
    finder = VAEAnomalyDetection(nn.Dense(3, 4), nn.Dense(4, 3), 4, 2)
    finder.train("rows", epochs=3)
    finder.train("rows")
    assert seen == [("rows", 3), ("rows", 5)]


class Derived(nn.Dense):
    """No `nn.Dense` itself: it may compute something else."""


def step_of(net):
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.5))


def test_layers_are_replaced_with_their_arguments_and_those_of_their_kind():
    net = nn.SequentialCell(nn.Conv2d(2, 3, 1), nn.Flatten(), nn.Dense(3, 4, has_bias=False), Derived(4, 2))
    maker = TransformToBNN(step_of(net), 3.0, 0.5)
    step = maker.transform_to_bnn_model(add_dense_args={"weight_prior_fn": prior(1.0, 2.0)},
                                        add_conv_args={"weight_prior_fn": prior(-1.0, 3.0)})
    conv, _, dense, derived = step.network.backbone_network
    assert [type(c) for c in (conv, dense, derived)] == [L.ConvReparam, L.DenseReparam, Derived]
    assert (conv.weight_prior("mean").item(), dense.weight_prior("mean").item()) == (-1.0, 1.0)
    assert (conv.out_channels, conv.kernel_size, dense.has_bias) == (3, (1, 1), False)
    assert (step.network.dnn_factor, step.network.bnn_factor) == (3.0, 0.5)
    assert {id(p) for p in step.optimizer.parameters} == {id(p) for p in net.trainable_params()}


def test_a_network_that_is_one_layer_is_replaced_as_a_whole():
    step = TransformToBNN(step_of(nn.Dense(3, 2))).transform_to_bnn_layer(nn.Dense, L.DenseLocalReparam)
    assert type(step.network.backbone_network) is L.DenseLocalReparam
    made = TransformToBNN(step_of(nn.SequentialCell(nn.Dense(3, 2)))).transform_to_bnn_layer(
        nn.Dense, L.DenseReparam, lambda layer: {"in_channels": layer.in_channels, "out_channels": 7},
        {"activation": "relu"})
    (layer,) = made.network.backbone_network
    assert (layer.out_channels, type(layer.activation)) == (7, nn.ReLU)
