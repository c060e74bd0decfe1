"""Normalisation and dropout, in training and evaluation."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn

F = torch.nn.functional
pytestmark = pytest.mark.usefixtures("both_modes")


def draw(*shape):
    return np.random.randn(*shape).astype(np.float32)


def gradient(cell, x, factor):
    return ms.grad(lambda x: (cell(x) * Tensor(factor)).sum())(Tensor(x)).asnumpy()


@pytest.mark.parametrize(("cell", "peer", "shape"), [
    (nn.BatchNorm1d, torch.nn.BatchNorm1d, (8, 3)), (nn.BatchNorm1d, torch.nn.BatchNorm1d, (4, 3, 5)),
    (nn.BatchNorm2d, torch.nn.BatchNorm2d, (4, 3, 2, 5)),
    (nn.BatchNorm3d, torch.nn.BatchNorm3d, (4, 3, 2, 2, 3))])
def test_batch_normalisation_trains_and_evaluates_as_in_torch(cell, peer, shape):
    mine, other = cell(3, momentum=0.7).set_train(), peer(3, momentum=0.3)
    for _ in range(2):                           # the moving statistics move twice
        x, factor = draw(*shape), draw(*shape)
        t = torch.tensor(x, requires_grad=True)
        expected = other(t)
        (expected * torch.tensor(factor)).sum().backward()
        np.testing.assert_allclose(mine(Tensor(x)).asnumpy(), expected.detach().numpy(), 1e-3, 1e-4)
    inner = mine.bn2d if cell is nn.BatchNorm3d else mine
    np.testing.assert_allclose(inner.moving_mean.asnumpy(), other.running_mean.numpy(), 1e-4, 1e-5)
    np.testing.assert_allclose(inner.moving_variance.asnumpy(), other.running_var.numpy(), 1e-4, 1e-5)
    np.testing.assert_allclose(gradient(mine, x, factor), t.grad.numpy(), 1e-3, 1e-4)
    mine.set_train(False)
    inner.moving_mean.set_data(Tensor(other.running_mean.numpy()))
    inner.moving_variance.set_data(Tensor(other.running_var.numpy()))
    other.eval()
    np.testing.assert_allclose(mine(Tensor(x)).asnumpy(), other(torch.tensor(x)).detach().numpy(), 1e-4, 1e-4)


def test_two_dimensional_input_is_an_image_of_one_pixel():
    x, factor = draw(32, 100), draw(32, 100)
    for train in (True, False):
        flat, image = nn.BatchNorm1d(100).set_train(train), nn.BatchNorm2d(100).set_train(train)
        y = image(Tensor(x[:, :, None, None])).asnumpy()[:, :, 0, 0]
        np.testing.assert_allclose(flat(Tensor(x)).asnumpy(), y, 1e-4, 1e-5)
        dx = gradient(image, x[:, :, None, None], factor[:, :, None, None])[:, :, 0, 0]
        np.testing.assert_allclose(gradient(flat, x, factor), dx, 1e-3, 1e-5)


@pytest.mark.parametrize("by_batch", [True, False])
def test_use_batch_statistics_overrules_training(by_batch):
    cell = nn.BatchNorm2d(3, use_batch_statistics=by_batch).set_train(not by_batch)
    y = cell(Tensor(5 + draw(4, 3, 2, 2))).asnumpy()
    assert (abs(y.mean()) < 1e-3) == by_batch
    assert cell.moving_mean.asnumpy().any() == by_batch


def test_channels_last_are_normalised_alike():
    x = draw(4, 3, 2, 5)
    first, last = nn.BatchNorm2d(3).set_train(), nn.BatchNorm2d(3, data_format="NHWC").set_train()
    y = last(Tensor(x.transpose(0, 2, 3, 1).copy())).asnumpy().transpose(0, 3, 1, 2)
    np.testing.assert_allclose(y, first(Tensor(x)).asnumpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 4, 5), (2, 3, 2, 2, 2)])
def test_synchronised_normalisation_of_one_process_is_that_of_the_batch(shape):
    x = draw(*shape)
    y = nn.SyncBatchNorm(3).set_train()(Tensor(x)).asnumpy()
    np.testing.assert_allclose(y, F.batch_norm(torch.tensor(x), None, None, training=True).numpy(), 1e-3, 1e-4)


@pytest.mark.parametrize(("cell", "shape"), [(nn.BatchNorm2d(3), (2, 4, 2, 2)), (nn.BatchNorm2d(3), (2, 3)),
                                             (nn.BatchNorm1d(3), (2, 3, 4, 5)), (nn.BatchNorm3d(3), (2, 3, 4, 5)),
                                             (nn.LayerNorm((4,)), (2, 3)), (nn.GroupNorm(2, 4), (2, 3, 3, 3)),
                                             (nn.InstanceNorm2d(3), (2, 3, 4))])
def test_shapes_that_do_not_fit_are_refused(cell, shape):
    with pytest.raises(ValueError, match="For '"):
        cell(Tensor(draw(*shape)))


def test_layer_normalisation_is_over_the_last_axes():
    x = draw(2, 3, 4)
    y = nn.LayerNorm((3, 4), 1, 1, epsilon=1e-5)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(y, F.layer_norm(torch.tensor(x), (3, 4)).numpy(), 1e-4, 1e-5)
    cell = nn.LayerNorm((4,), 1, -1, epsilon=1e-5)              # normalised over more than its scale has
    y = cell(Tensor(x)).asnumpy()
    np.testing.assert_allclose(y, F.layer_norm(torch.tensor(x), (3, 4)).numpy(), 1e-4, 1e-5)


def test_group_and_instance_normalisation_equal_those_of_torch():
    x, factor = draw(2, 4, 3, 3), draw(2, 4, 3, 3)
    cells = [(nn.GroupNorm(2, 4), lambda t: F.group_norm(t, 2)),
             (nn.InstanceNorm2d(4), lambda t: F.instance_norm(t))]
    for cell, function in cells:
        t = torch.tensor(x, requires_grad=True)
        expected = function(t)
        (expected * torch.tensor(factor)).sum().backward()
        np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), expected.detach().numpy(), 1e-4, 1e-4)
        np.testing.assert_allclose(gradient(cell, x, factor), t.grad.numpy(), 1e-3, 1e-4)


def test_instance_normalisation_moves_its_statistics_in_training():
    x = draw(6, 2, 3, 3)
    cell, mean, variance = nn.InstanceNorm2d(2).set_train(), torch.zeros(2), torch.ones(2)
    F.instance_norm(torch.tensor(x), mean, variance)
    cell(Tensor(x))
    np.testing.assert_allclose(cell.moving_mean.asnumpy(), mean.numpy(), 1e-4, 1e-6)
    np.testing.assert_allclose(cell.moving_variance.asnumpy(), variance.numpy(), 1e-4, 1e-4)


def test_local_response_normalisation_sums_over_neighbouring_channels():
    x = draw(1, 5, 2, 2)
    square = np.pad(x ** 2, ((0, 0), (1, 1), (0, 0), (0, 0)))
    total = square[:, :-2] + square[:, 1:-1] + square[:, 2:]
    y = nn.LRN(1, 2.0, 0.5, 0.75)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(y, x / (2.0 + 0.5 * total) ** 0.75, 1e-4, 1e-5)


@pytest.mark.parametrize("cell", [nn.Dropout(p=0.25), nn.Dropout(0.75), nn.Dropout(keep_prob=0.75)])
def test_dropout_drops_in_training_only(cell):
    x = np.ones(20000, np.float32)
    y = cell.set_train()(Tensor(x)).asnumpy()
    assert set(np.unique(y)) == {0, np.float32(1 / 0.75)}
    assert abs((y == 0).mean() - 0.25) < 0.02
    np.testing.assert_array_equal(cell.set_train(False)(Tensor(x)).asnumpy(), x)


@pytest.mark.parametrize(("cell", "shape"), [(nn.Dropout1d(0.5), (40, 30, 6)), (nn.Dropout2d(0.5), (40, 30, 2, 3)),
                                             (nn.Dropout3d(0.5), (40, 30, 2, 3, 2)), (nn.Dropout1d(0.5), (900, 4))])
def test_channel_dropout_drops_whole_channels(cell, shape):
    y = cell.set_train()(Tensor(np.ones(shape, np.float32))).asnumpy()
    channels = y.reshape(-1, np.prod(shape[2:]) if len(shape) > 2 else shape[1])
    assert set(np.unique(y)) == {0, 2}
    assert (channels == channels[:, :1]).all()
    assert abs((channels[:, 0] == 0).mean() - 0.5) < 0.07


def test_the_gradient_of_dropout_is_its_mask():
    cell, x = nn.Dropout(p=0.5).set_train(), Tensor(np.ones((20, 20), np.float32))

    def both(x):
        y = cell(x)
        return y.sum(), y

    (_, y), dx = ms.value_and_grad(both, has_aux=True)(x)
    np.testing.assert_array_equal(y.asnumpy(), dx.asnumpy())


@pytest.mark.parametrize(("arguments", "error"), [
    ({"p": 1.0}, ValueError), ({"p": -0.1}, ValueError), ({"p": "a"}, TypeError), ({"p": True}, TypeError),
    ({"keep_prob": 0.0}, ValueError), ({"keep_prob": 1.5}, ValueError), ({"keep_prob": True}, TypeError)])
def test_dropout_checks_its_probability(arguments, error):
    with pytest.raises(error):
        nn.Dropout(**arguments)


def test_seeds_of_a_dropout_layer_choose_its_elements():
    x = Tensor(np.ones(100, np.float32))
    layers = [nn.Dropout(0.5, seed0=seed).set_train() for seed in (3, 4)]
    draws = [layer(x).asnumpy() for layer in layers for _ in range(2)]
    assert len({d.tobytes() for d in draws}) == 4


@pytest.mark.parametrize("by_batch", [True, False])
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(("cell", "shape"), [(nn.BatchNorm1d, (4, 3)), (nn.BatchNorm2d, (4, 3, 2, 5)),
                                             (nn.BatchNorm3d, (4, 3, 2, 4, 5))])
def test_statistics_are_of_the_batch_or_not_whatever_the_mode(cell, shape, training, by_batch):
    x, layer = draw(*shape) + 2, cell(3, use_batch_statistics=by_batch).set_train(training)
    axes, around = (0, *range(2, len(shape))), (1, 3, *[1] * (len(shape) - 2))
    mean, variance = (x.mean(axes), x.var(axes)) if by_batch else (np.zeros(3), np.ones(3))
    wanted = (x - mean.reshape(around)) / np.sqrt(variance.reshape(around) + 1e-5)
    np.testing.assert_allclose(layer(Tensor(x)).asnumpy(), wanted, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("cell", [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d])
def test_weights_are_trained_where_they_count(cell, affine):
    layer = cell(3, affine=affine)
    assert [p.name.rpartition(".")[2] for p in layer.trainable_params()] == (["gamma", "beta"] if affine else [])
