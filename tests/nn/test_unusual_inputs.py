"""Layers on what is rare: no samples, halves, parameters of another type, negative paddings, what is no tensor."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


@pytest.mark.parametrize(("layer", "shape"), [
    (nn.BatchNorm1d, (0, 3)), (nn.BatchNorm2d, (0, 3, 2, 2)), (nn.BatchNorm3d, (0, 3, 2, 2, 2))])
def test_batch_norm_of_no_samples_has_derivatives_of_zero(both_modes, layer, shape):
    net = layer(3)
    x = ops.zeros(shape)
    dx, weights = ms.grad(lambda x: net(x).sum(), 0, ms.ParameterTuple(net.trainable_params()))(x)
    assert dx.shape == shape
    assert [w.tolist() for w in weights] == [[0.0] * 3] * 2


def test_mean_pooling_that_rounds_up_counts_the_padding():
    """Observed: MindSpore 2.10 on the CPU."""
    x = Tensor([[[1.0, 2.0, 3.0, 4.0, 5.0]]])
    whole = nn.AvgPool1d(3, 2, pad_mode="same", ceil_mode=True)(x)
    assert whole.tolist() == [[[1.0, 3.0, 3.0]]]
    part = nn.AvgPool1d(3, 2, pad_mode="same", ceil_mode=True, count_include_pad=False)(x)
    assert part.tolist() == nn.AvgPool1d(3, 2, pad_mode="same")(x).tolist() == [[[1.5, 3.0, 4.5]]]
    image = Tensor(np.arange(25.0).reshape((1, 1, 5, 5)) % 7 + 1, ms.float32)
    found = nn.AvgPool2d(3, 2, pad_mode="same", ceil_mode=True)(image).asnumpy().ravel()
    padded = np.pad(image.asnumpy()[0, 0], 1)
    assert np.allclose(found, [padded[i:i + 3, j:j + 3].mean() for i in (0, 2, 4) for j in (0, 2, 4)])


def test_mean_pooling_of_volumes_has_a_derivative_in_halves(both_modes):
    x = Tensor(np.arange(27.0).reshape((1, 1, 3, 3, 3)), ms.float16)
    found = ms.grad(nn.AvgPool3d(2, 1))(x)
    assert found.dtype is ms.float16
    assert found[0, 0, :, 1, 1].tolist() == [0.5, 1.0, 0.5]


def test_the_norm_of_windows_of_zeros_has_the_derivative_zero(both_modes):
    x = Tensor([[[0.0, 0.0, 3.0, 4.0]]])
    assert np.allclose(ms.grad(lambda x: nn.LPPool1d(2, 2)(x).sum())(x).asnumpy(), [[[0.0, 0.0, 0.6, 0.8]]])
    assert ms.grad(lambda x: nn.LPPool1d(1, 2)(x).sum())(x).tolist() == [[[1.0, 1.0, 1.0, 1.0]]]


@pytest.mark.parametrize(("dtype", "want"), [
    (ms.float16, ms.float32), (ms.float32, ms.float32), (ms.float64, ms.float64), (ms.int32, ms.float32)])
def test_the_sum_of_magnitudes_is_wide(dtype, want):
    found = nn.L1Regularizer(0.5)(Tensor([1, -3], dtype))
    assert found.dtype is want
    assert found.item() == 2.0


@pytest.mark.parametrize("own", [ms.float16, ms.float32, ms.float64])
@pytest.mark.parametrize("given", [ms.float16, ms.float32, ms.float64])
def test_normalisations_take_scales_of_another_type(both_modes, own, given):
    x = np.array([[[1.0, 2.0], [4.0, 8.0]]])
    for net in (nn.LayerNorm((2,), epsilon=0.5, dtype=own), nn.GroupNorm(2, 2, 0.5, dtype=own)):
        found = net(Tensor(x, given))
        assert found.dtype is given
        assert np.allclose(found.asnumpy(), (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 0.5),
                           atol=2e-3)


def test_negative_paddings_cut_off(both_modes):
    """Observed: MindSpore 2.10 on the CPU."""
    x = Tensor([[[1.0, 2.0, 3.0]]])
    assert nn.ReplicationPad1d((-1, 1))(x).tolist() == [[[2.0, 3.0, 3.0]]]
    assert nn.ReplicationPad1d(-1)(x).tolist() == [[[2.0]]]
    assert ops.pad(x, (1, -1), "reflect").tolist() == [[[2.0, 1.0, 2.0]]]
    assert ops.pad(x, (-1, 1), "circular").tolist() == [[[2.0, 3.0, 2.0]]]
    assert ops.pad(x, (-3, 2), "replicate").tolist() == [[[3.0, 3.0]]]
    for padding in ((-3, 0), (-4, 2)):
        with pytest.raises(ValueError, match="must leave something"):
            ops.pad(x, padding, "replicate")
    with pytest.raises(ValueError, match="padding"):
        nn.ReflectionPad1d(-1)(x)


@pytest.mark.parametrize("wrong", [None, "x", 2, 2.5, [1, 2], ()])
@pytest.mark.parametrize("layer", [nn.Pad(((1, 1),)), nn.Norm(), nn.ZeroPad2d(1), nn.Softmax2d(), nn.CentralCrop(0.5),
                                   nn.ImageGradients(), nn.L1Regularizer(1), nn.Moments(), nn.Unflatten(0, (1, 2))])
def test_what_is_no_tensor_is_named(both_modes, layer, wrong):
    with pytest.raises(TypeError, match="must be a Tensor, but got"):
        layer(wrong)


def test_an_attribute_that_a_cell_of_the_user_lacks_is_an_attribute_error(both_modes):
    class Own(nn.Cell):
        def construct(self, x):
            return x.shap

    with pytest.raises(AttributeError, match="'list' object has no attribute 'shap'"):
        Own()([1])


def test_labels_that_share_out_the_classes_give_a_focal_loss_per_class():
    """Observed: MindSpore 2.10 on the CPU; the mean is over the classes, too."""
    logits = np.array([[0.2, 0.5, -0.3, 1.0], [0.7, -0.2, 0.1, 0.3]], np.float32)
    share = np.array([[0, 0.5, 0.5, 0], [0, 0, 0.25, 0.75]], np.float32)
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    want = -((1 - p) ** 2) * np.log(p) * share
    weight = np.array([1, 2, 3, 4], np.float32)
    found = nn.FocalLoss(reduction="none")(Tensor(logits), Tensor(share))
    assert found.shape == (2, 4)
    assert np.allclose(found.asnumpy(), want, atol=1e-6)
    assert np.isclose(nn.FocalLoss(Tensor(weight))(Tensor(logits), Tensor(share)).item(), (want * weight).mean())


@pytest.mark.parametrize(("one", "two", "want"), [
    (ms.float16, ms.float32, ms.float32), (ms.float32, ms.float16, ms.float16), (ms.float32, ms.float64, ms.float64)])
def test_cotangents_have_the_types_of_their_tensors(both_modes, one, two, want):
    x, y = Tensor([[0.5, -1.0]], one), Tensor([[1.0, 0.0]], two)
    assert nn.BCEWithLogitsLoss()(x, y).dtype is want
    for loss in (nn.BCEWithLogitsLoss(), nn.SmoothL1Loss(reduction="sum")):
        found = ms.grad(loss, (0, 1))(x, y)
        assert [d.dtype for d in found] == [one, two]
    assert np.allclose(ms.grad(loss, (0, 1))(x, y)[0].asnumpy(), [[-0.5, -1.0]])


@pytest.mark.parametrize("name", ["mse_loss", "huber_loss"])
def test_whole_numbers_beside_halves_become_halves(name):
    found = getattr(ops, name)(Tensor([1.0, 2.0], ms.float16), Tensor([1, 1], ms.int64))
    assert found.dtype is ms.float16
    assert found.item() == (0.5 if name == "mse_loss" else 0.25)
    assert getattr(ops, name)(Tensor([1, 2]), Tensor([1, 1])).dtype is ms.float32


def test_losses_of_complex_numbers_are_of_their_magnitudes():
    x, y = Tensor([3 + 4j, 0j]), Tensor([0.0, 0.0], ms.float64)
    assert abs(nn.RMSELoss()(x, y).item() - 12.5 ** 0.5) < 1e-6
    assert ops.l1_loss(y, x).item() == 2.5


def test_the_rate_of_a_poisson_loss_decides_the_type():
    found = nn.PoissonNLLLoss()(Tensor([0.5], ms.float16), Tensor([2.0], ms.float32))
    assert found.dtype is ms.float16


@pytest.mark.parametrize("own", [ms.float16, ms.float64])
def test_an_lstm_computes_in_the_type_of_its_input(both_modes, own):
    x = Tensor(np.arange(24.0).reshape((3, 2, 4)) / 24, ms.float32)
    net, other = nn.LSTM(4, 3, 2, bidirectional=True, dtype=own), nn.LSTM(4, 3, 2, bidirectional=True)
    for p, q in zip(net.get_parameters(), other.get_parameters(), strict=True):
        q.set_data(p.astype(ms.float32))
    y, (h, c) = net(x)
    want, _ = other(x)
    assert [y.dtype, h.dtype, c.dtype] == [ms.float32] * 3
    assert np.allclose(y.asnumpy(), want.asnumpy(), atol=1e-6)


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32, ms.float64])
def test_a_distribution_of_numbers_has_the_type_that_it_is_given(dtype):
    d = nn.probability.distribution
    value = Tensor([0.5, 1.0], ms.float32)
    for made in (d.Normal(0.5, 2.0, dtype=dtype), d.Laplace(0.5, 2.0, dtype=dtype), d.Exponential(0.5, dtype=dtype)):
        assert made.prob(value).dtype is dtype
    assert d.Normal(Tensor(0.5, ms.float32), 2.0, dtype=dtype).prob(value).dtype is ms.float32
    assert d.Bernoulli(0.3).prob(Tensor([0, 1])).dtype is ms.float32


@pytest.mark.parametrize("eps", [0.0, -1.0, 2.5])
@pytest.mark.parametrize("layer", [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.InstanceNorm2d])
def test_what_is_added_to_a_variance_lies_within_0_and_1(layer, eps):
    with pytest.raises(ValueError, match=r"'eps' must be a number in \(0.0, 1.0\]"):
        layer(3, eps=eps)


def test_wrong_arguments_of_layers_are_named():
    for make, error, words in ((lambda: nn.OneHot(on_value=None), TypeError, "on_value"),
                               (lambda: nn.LPPool1d("x", 2), TypeError, "norm_type"),
                               (lambda: nn.MSSSIM(power_factors=()), ValueError, "power_factors")):
        with pytest.raises(error, match=words):
            make()


def test_cosines_of_whole_numbers_do_not_overflow():
    x, y = np.array([[200, 100], [3, 250]], np.uint8), np.array([[199, 90], [250, 3]], np.uint8)
    wide = [a.astype(float) for a in (x, y)]
    cosine = (wide[0] * wide[1]).sum(1) / np.sqrt((wide[0] ** 2).sum(1) * (wide[1] ** 2).sum(1))
    found = ops.cosine_embedding_loss(Tensor(x), Tensor(y), Tensor([1, 1]), reduction="none")
    assert np.allclose(found.asnumpy(), 1 - cosine, atol=1e-5)


def test_batch_norm_refuses_whole_numbers(both_modes):
    with pytest.raises(TypeError, match="floating-point"):
        nn.BatchNorm1d(2)(Tensor([[1, 2]]))


@pytest.mark.parametrize("n", [2, 3])
def test_the_derivative_of_random_pooling_lies_at_the_maxima(both_modes, n):
    x = Tensor(np.random.default_rng(2).permutation(5 ** n).reshape((1, 1, *(5,) * n)), ms.float32)
    samples = Tensor(np.full((1, 1, n), 0.3, np.float32))
    pool = getattr(nn, f"FractionalMaxPool{n}d")(2, output_size=2, _random_samples=samples)
    found = ms.grad(lambda x: pool(x).sum())(x).asnumpy()
    values, counts = np.unique(pool(x).asnumpy(), return_counts=True)
    assert found.sum() == 2 ** n
    assert [found[x.asnumpy() == v].item() for v in values] == counts.tolist()
