"""DCGAN draws digits: two networks, two optimizers, one training cell (1.8).

    python examples/from_2022/adversarial_pictures.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np
from sklearn.datasets import load_digits

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops
from mindspore.common.initializer import Normal


class Generator(nn.Cell):
    """From 16 numbers to pictures (1, 8, 8) in [-1, 1]."""

    def __init__(self, width=32):
        super().__init__()
        self.net = nn.SequentialCell(
            nn.Conv2dTranspose(16, width, 2, 1, pad_mode="valid", weight_init=Normal(0.05)),
            nn.BatchNorm2d(width, gamma_init=Normal(0.02, 1.0)), nn.ReLU(),
            nn.Conv2dTranspose(width, width // 2, 4, 2, pad_mode="pad", padding=1, weight_init=Normal(0.05)),
            nn.BatchNorm2d(width // 2, gamma_init=Normal(0.02, 1.0)), nn.ReLU(),
            nn.Conv2dTranspose(width // 2, 1, 4, 2, pad_mode="pad", padding=1, weight_init=Normal(0.05)), nn.Tanh())

    def construct(self, z):
        return self.net(z)


class Discriminator(nn.Cell):
    """The chance that a picture is real."""

    def __init__(self, width=16):
        super().__init__()
        self.net = nn.SequentialCell(
            nn.Conv2d(1, width, 4, 2, pad_mode="pad", padding=1, weight_init=Normal(0.05)), nn.LeakyReLU(0.2),
            nn.Conv2d(width, 2 * width, 4, 2, pad_mode="pad", padding=1, weight_init=Normal(0.05)),
            nn.BatchNorm2d(2 * width, gamma_init=Normal(0.02, 1.0)), nn.LeakyReLU(0.2),
            nn.Conv2d(2 * width, 1, 2, 1, pad_mode="valid", weight_init=Normal(0.05)), nn.Sigmoid())

    def construct(self, x):
        return self.net(x).reshape((-1, 1))


class LossOfDiscriminator(nn.Cell):
    """What tells real pictures from drawn ones badly."""

    def __init__(self, discriminator, generator):
        super().__init__(auto_prefix=False)
        self.discriminator, self.generator, self.entropy = discriminator, generator, nn.BCELoss(reduction="mean")

    def construct(self, real, z):
        of_real, of_drawn = self.discriminator(real), self.discriminator(ops.stop_gradient(self.generator(z)))
        return self.entropy(of_real, ops.ones_like(of_real)) + self.entropy(of_drawn, ops.zeros_like(of_drawn))


class LossOfGenerator(nn.Cell):
    """What draws pictures that do not pass for real."""

    def __init__(self, discriminator, generator):
        super().__init__(auto_prefix=False)
        self.discriminator, self.generator, self.entropy = discriminator, generator, nn.BCELoss(reduction="mean")

    def construct(self, z):
        told = self.discriminator(self.generator(z))
        return self.entropy(told, ops.ones_like(told))


class DCGAN(nn.Cell):
    """One step of both."""

    def __init__(self, step_d, step_g):
        super().__init__(auto_prefix=False)
        self.step_d, self.step_g = step_d, step_g

    def construct(self, real, z):
        loss_d = self.step_d(real, z).view(-1).mean()
        loss_g = self.step_g(z).view(-1).mean()
        return loss_d, loss_g


def main(mode="graph", epochs=4):
    """The last losses, and how far the mean drawn picture is from the mean real one, before and after."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    images = (load_digits().images[:, None] / 8 - 1).astype(np.float32)
    data = ds.NumpySlicesDataset({"image": images}, shuffle=True).batch(64, drop_remainder=True)
    generator, discriminator = Generator(), Discriminator()
    optimizer_d = nn.Adam(discriminator.trainable_params(), 0.001, beta1=0.5)
    optimizer_g = nn.Adam(generator.trainable_params(), 0.002, beta1=0.5)
    optimizer_d.update_parameters_name("optim_d.")
    optimizer_g.update_parameters_name("optim_g.")
    gan = DCGAN(nn.TrainOneStepCell(LossOfDiscriminator(discriminator, generator), optimizer_d),
                nn.TrainOneStepCell(LossOfGenerator(discriminator, generator), optimizer_g))
    gan.set_train()
    rng = np.random.RandomState(0)
    noise = lambda count: ms.Tensor(rng.normal(size=(count, 16, 1, 1)).astype(np.float32))
    fixed = noise(64)

    def distance():
        generator.set_train(False)
        drawn = generator(fixed).asnumpy()
        generator.set_train(True)
        return float(np.abs(drawn.mean(0) - images.mean(0)).mean())

    before = distance()
    for epoch in range(epochs):
        for row in data.create_dict_iterator():
            loss_d, loss_g = gan(row["image"], noise(64))
        print(f"epoch {epoch + 1}: {float(loss_d.asnumpy()):.3f} {float(loss_g.asnumpy()):.3f}")
    return {"discriminator": float(loss_d.asnumpy()), "generator": float(loss_g.asnumpy()),
            "before": before, "after": distance()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=30)
    print(main(**vars(parser.parse_args())))
