"""A generator and a discriminator, trained against each other."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mindspore as ms
from mindspore import Tensor, nn, ops

pytestmark = [pytest.mark.nets, pytest.mark.usefixtures("both_modes")]

NOISE = np.random.default_rng(5).standard_normal((6, 3), np.float32)
REAL = np.random.default_rng(6).standard_normal((6, 4), np.float32) + 1


def cells():
    """Generator and discriminator."""
    return (nn.SequentialCell(nn.Dense(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 4), nn.Tanh()),
            nn.SequentialCell(nn.Dense(4, 8), nn.LeakyReLU(0.2), nn.Dense(8, 1)))


def modules():
    t = torch.nn
    return (t.Sequential(t.Linear(3, 8), t.BatchNorm1d(8), t.ReLU(), t.Linear(8, 4), t.Tanh()),
            t.Sequential(t.Linear(4, 8), t.LeakyReLU(0.2), t.Linear(8, 1)))


def score(logits, real):
    """The discriminator's loss if all `logits` belong to real (or to generated) samples."""
    target = ops.ones_like(logits) if real else ops.zeros_like(logits)
    return ops.binary_cross_entropy_with_logits(logits, target, ops.ones_like(logits),
                                                ops.ones_like(logits))


def torch_score(logits, real):
    return F.binary_cross_entropy_with_logits(logits, torch.full_like(logits, float(real)))


class Gan:
    """The two losses and their gradients."""

    def __init__(self):
        self.generator, self.discriminator = generator, discriminator = cells()
        generator.set_train()
        discriminator.set_train()

        def generator_loss(noise):
            return score(discriminator(generator(noise)), True)

        def discriminator_loss(noise, real):
            fake = ops.stop_gradient(generator(noise))
            return score(discriminator(real), True) + score(discriminator(fake), False)

        self.discriminator_loss = discriminator_loss
        self.of_generator = ms.value_and_grad(generator_loss, None, generator.trainable_params())
        self.of_discriminator = ms.value_and_grad(discriminator_loss, None,
                                                  discriminator.trainable_params())


def pair(twins):
    gan, (generator, discriminator) = Gan(), modules()
    twins.copy_weights(generator, gan.generator)
    twins.copy_weights(discriminator, gan.discriminator)
    return gan, generator, discriminator


def check(twins, found, loss, module):
    """Compare (loss, gradients in order) with torch."""
    names = [name for name, _ in module.named_parameters()]
    expected = torch.autograd.grad(loss, list(module.parameters()))
    value, gradients = found
    twins.assert_same((float(value.asnumpy()), dict(zip(names, [g.asnumpy() for g in gradients], strict=True))),
                      (loss.item(), dict(zip(names, [g.numpy() for g in expected], strict=True))))


def test_the_generator_has_the_gradients_of_torch_through_the_discriminator(twins):
    gan, generator, discriminator = pair(twins)
    loss = torch_score(discriminator(generator(torch.tensor(NOISE))), True)
    check(twins, gan.of_generator(Tensor(NOISE)), loss, generator)


def test_the_discriminator_has_the_gradients_of_torch(twins):
    gan, generator, discriminator = pair(twins)
    fake = generator(torch.tensor(NOISE)).detach()
    loss = torch_score(discriminator(torch.tensor(REAL)), True) + torch_score(discriminator(fake), False)
    check(twins, gan.of_discriminator(Tensor(NOISE), Tensor(REAL)), loss, discriminator)


def test_the_discriminators_loss_gives_the_generator_no_gradient():
    gan = Gan()
    function = ms.grad(gan.discriminator_loss, None, gan.generator.trainable_params())
    assert all(not g.asnumpy().any() for g in function(Tensor(NOISE), Tensor(REAL)))


def test_alternating_steps_follow_torch(twins):
    gan, generator, discriminator = pair(twins)
    own = [nn.Momentum(net.trainable_params(), 0.1, 0.5) for net in (gan.generator, gan.discriminator)]
    theirs = [torch.optim.SGD(net.parameters(), 0.1, 0.5) for net in (generator, discriminator)]
    noise, real = torch.tensor(NOISE), torch.tensor(REAL)
    for _ in range(3):
        found, gradients = gan.of_discriminator(Tensor(NOISE), Tensor(REAL))
        own[1](gradients)
        theirs[1].zero_grad()
        expected = (torch_score(discriminator(real), True)
                    + torch_score(discriminator(generator(noise).detach()), False))
        expected.backward()
        theirs[1].step()
        assert float(found.asnumpy()) == pytest.approx(expected.item(), rel=1e-4)

        found, gradients = gan.of_generator(Tensor(NOISE))
        own[0](gradients)
        theirs[0].zero_grad()
        expected = torch_score(discriminator(generator(noise)), True)
        expected.backward()
        theirs[0].step()
        assert float(found.asnumpy()) == pytest.approx(expected.item(), rel=1e-4)


def test_the_loss_of_each_player_falls_while_the_other_waits():
    gan = Gan()
    for net, function, inputs in [(gan.discriminator, gan.of_discriminator, (NOISE, REAL)),
                                  (gan.generator, gan.of_generator, (NOISE,))]:
        optimizer, losses = nn.Adam(net.trainable_params(), 0.02), []
        for _ in range(6):
            value, gradients = function(*[Tensor(x) for x in inputs])
            optimizer(gradients)
            losses.append(float(value.asnumpy()))
        assert losses[-1] < losses[0]


def test_the_penalty_of_a_gradient_has_the_gradients_of_torch(twins):
    """Of Gulrajani et al. 2017: the mean of (|dD/dx| - 1)^2, so a derivative of a derivative."""
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 8), nn.LeakyReLU(0.2), nn.Dense(8, 1))
    t = torch.nn
    module = t.Sequential(t.Linear(4, 8), t.Tanh(), t.Linear(8, 8), t.LeakyReLU(0.2), t.Linear(8, 1))
    twins.copy_weights(module, net)

    def penalty(x):
        slope = ms.grad(lambda x: net(x).sum())(x)
        return ((ops.sqrt((slope * slope).sum(1)) - 1) ** 2).mean()

    x = torch.tensor(REAL, requires_grad=True)
    slope, = torch.autograd.grad(module(x).sum(), x, create_graph=True)
    expected = ((slope.norm(dim=1) - 1) ** 2).mean()
    weights = [p for name, p in module.named_parameters() if name != "4.bias"]
    value, gradients = ms.value_and_grad(penalty, None, net.trainable_params())(Tensor(REAL))
    found = dict(zip([name for name, _ in module.named_parameters()],
                     [g.asnumpy() for g in gradients], strict=True))
    assert not found.pop("4.bias").any()  # adds the same everywhere
    names = list(found)
    true = [g.numpy() for g in torch.autograd.grad(expected, weights, allow_unused=False)]
    twins.assert_same((float(value.asnumpy()), found),
                      (expected.item(), dict(zip(names, true, strict=True))))
